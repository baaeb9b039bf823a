"""Ten functions with backwards written by hand, in NumPy, each with a term that can be made wrong.

A function `value` says what is computed, in ordinary code. `backward(arguments, cotangent, off)` returns the
gradients; `off` is a factor of one of its terms, 1 where it is right.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Callable, Sequence

import numpy as np
from adjudge import var

Arrays = Sequence[np.ndarray]


@dataclass(frozen=True)
class Backward:
    """A function with its backward, where it is asked, and what is off in the wrong ones."""

    name: str
    value: Callable[..., np.ndarray]
    backward: Callable[[Arrays, np.ndarray, float], Arrays]
    arguments: tuple[Any, ...]
    term: str


def cross_entropy(x, labels):
    shifted = x - x.max(axis=1, keepdims=True)
    logs = shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True))
    return -logs[np.arange(len(labels)), labels].mean()


def cross_entropy_backward(arguments, cotangent, off):
    x, labels = arguments
    weights = np.exp(x - x.max(axis=1, keepdims=True))
    weights /= weights.sum(axis=1, keepdims=True)
    weights[np.arange(len(labels)), labels] -= off
    return [cotangent * weights / len(labels)]


EPSILON = 1e-5


def layer_norm(x, scale, shift):
    centred = x - x.mean(axis=-1, keepdims=True)
    spread = np.sqrt((centred**2).mean(axis=-1, keepdims=True) + EPSILON)
    return centred / spread * scale + shift


def layer_norm_backward(arguments, cotangent, off):
    x, scale, _ = arguments
    centred = x - x.mean(axis=-1, keepdims=True)
    inverse = 1 / np.sqrt((centred**2).mean(axis=-1, keepdims=True) + EPSILON)
    normal = centred * inverse
    bar = cotangent * scale
    projection = normal * (bar * normal).mean(axis=-1, keepdims=True)
    x_bar = inverse * (bar - bar.mean(axis=-1, keepdims=True) - off * projection)
    return [x_bar, (cotangent * normal).sum(axis=0), cotangent.sum(axis=0)]


def logsumexp(x):
    most = x.max(axis=-1, keepdims=True)
    return np.log(np.exp(x - most).sum(axis=-1)) + most[..., 0]


def logsumexp_backward(arguments, cotangent, off):
    (x,) = arguments
    # The weights come from the value, as fused kernels have it.
    return [np.exp(x - logsumexp(x)[..., None]) * cotangent[..., None] * off]


SLOPE, CUBIC = np.sqrt(2 / np.pi), 0.044715


def gelu(x):
    return 0.5 * x * (1 + np.tanh(SLOPE * (x + CUBIC * x**3)))


def gelu_backward(arguments, cotangent, off):
    (x,) = arguments
    t = np.tanh(SLOPE * (x + CUBIC * x**3))
    inner = SLOPE * (1 + off * 3 * CUBIC * x**2)
    return [cotangent * (0.5 * (1 + t) + 0.5 * x * (1 - t * t) * inner)]


def rms_norm(x, scale):
    return x / np.sqrt((x * x).mean(axis=-1, keepdims=True) + EPSILON) * scale


def rms_norm_backward(arguments, cotangent, off):
    x, scale = arguments
    inverse = 1 / np.sqrt((x * x).mean(axis=-1, keepdims=True) + EPSILON)
    bar = cotangent * scale
    projection = x * inverse**3 * (bar * x).mean(axis=-1, keepdims=True)
    return [bar * inverse - off * projection, (cotangent * x * inverse).sum(axis=0)]


def conv(x, w):
    out = np.zeros((w.shape[0], x.shape[1] - w.shape[2] + 1))
    for k in range(w.shape[2]):
        out = out + w[:, :, k] @ x[:, k : k + out.shape[1]]
    return out


def conv_backward(arguments, cotangent, off):
    x, w = arguments
    length = cotangent.shape[1]
    x_bar, w_bar = np.zeros_like(x), np.zeros_like(w)
    for k in range(w.shape[2]):
        factor = off if k == w.shape[2] - 1 else 1.0
        x_bar[:, k : k + length] += factor * w[:, :, k].T @ cotangent
        w_bar[:, :, k] = cotangent @ x[:, k : k + length].T
    return [x_bar, w_bar]


def running_product(x):
    return np.cumprod(x, axis=-1)


def running_product_backward(arguments, cotangent, off):
    (x,) = arguments
    bar = np.zeros_like(x)
    for i in range(x.shape[-1]):
        # The product without element i, over each prefix that has it.
        others = np.delete(x, i, axis=-1)
        for j in range(i, x.shape[-1]):
            factor = off if j == x.shape[-1] - 1 else 1.0
            bar[..., i] += factor * cotangent[..., j] * others[..., :j].prod(axis=-1)
    return [bar]


LEVEL = 0.9


def quantile_loss(prediction, target):
    error = target - prediction
    return np.maximum(LEVEL * error, (LEVEL - 1) * error).mean()


def quantile_loss_backward(arguments, cotangent, off):
    prediction, target = arguments
    slope = np.where(target > prediction, LEVEL, off * (LEVEL - 1)) * cotangent / prediction.size
    return [-slope, slope]


MASK = np.array([[0.0, -np.inf, -np.inf], [0.0, 0.0, -np.inf], [0.0, 0.0, 0.0]])


def attention(q, k, v):
    scores = q @ k.T / np.sqrt(q.shape[-1]) + MASK
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return weights / weights.sum(axis=-1, keepdims=True) @ v


def attention_backward(arguments, cotangent, off):
    q, k, v = arguments
    root = np.sqrt(q.shape[-1])
    scores = q @ k.T / root + MASK
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights /= weights.sum(axis=-1, keepdims=True)
    bar = cotangent @ v.T
    scores_bar = weights * (bar - off * (bar * weights).sum(axis=-1, keepdims=True)) / root
    return [scores_bar @ k, scores_bar.T @ q, weights.T @ cotangent]


def log_density(x, covariance):
    lower = np.linalg.cholesky(covariance)
    whitened = np.linalg.solve(lower, x[:, None])[:, 0]
    return -0.5 * (whitened @ whitened) - np.log(np.diagonal(lower)).sum()


def log_density_backward(arguments, cotangent, off):
    x, covariance = arguments
    inverse = np.linalg.inv(covariance)
    solved = inverse @ x
    # The factor reads the lower half, whose elements off the diagonal stand for both.
    full = 0.5 * (np.outer(solved, solved) - off * inverse)
    lower = np.tril(full) + np.tril(full.T, -1)
    return [-cotangent * solved, cotangent * lower]


backwards = [
    Backward(
        "softmax cross-entropy",
        cross_entropy,
        cross_entropy_backward,
        (var((3, 4)), var((3,), integers=4)),
        "the 1 of the label",
    ),
    Backward(
        "layer norm", layer_norm, layer_norm_backward, (var((2, 4)), var((4,)), var((4,))), "the projection"
    ),
    Backward("logsumexp", logsumexp, logsumexp_backward, (var((2, 4)),), "all of it"),
    Backward("GELU, tanh form", gelu, gelu_backward, (var((5,)),), "the cubic's slope"),
    Backward("RMS norm", rms_norm, rms_norm_backward, (var((2, 4)), var((4,))), "the projection"),
    Backward(
        "convolution", conv, conv_backward, (var((2, 6)), var((3, 2, 3))), "the last tap, in the input's"
    ),
    Backward(
        "cumulative product", running_product, running_product_backward, (var((2, 4)),), "the last prefix"
    ),
    Backward(
        "quantile loss",
        quantile_loss,
        quantile_loss_backward,
        (var((6,)), var((6,))),
        "the slope below the target",
    ),
    Backward(
        "attention with a mask",
        attention,
        attention_backward,
        (var((3, 2)), var((3, 2)), var((3, 2))),
        "the softmax's mean",
    ),
    Backward(
        "Cholesky log-density",
        log_density,
        log_density_backward,
        (var((3,)), var((3, 3), values="spd")),
        "the inverse",
    ),
]
