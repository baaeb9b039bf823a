"""MLX on the CPU: https://github.com/ml-explore/mlx. Its arrays are lazy, and functions are transformed.

With `--reverse` it promises reverse mode alone, in float32, and in return what has no forward rule, nor one for
float64.
"""

from __future__ import annotations

import argparse
import math
from importlib.metadata import version

import mlx.core as mx
import mlx.nn as nn
import numpy as np
from adjudge.kit.adapter import MODES, Adapter, Array, Arrays, Description, Function, Unsupported, serve

options = argparse.ArgumentParser()
options.add_argument("--reverse", action="store_true")
REVERSE = options.parse_known_args()[0].reverse

# Only there it has float64.
mx.set_default_device(mx.cpu)
# Some of mlx.nn's functions compile themselves, and then end the process (docs/findings.md).
mx.disable_compile()


def comparison(compare):
    return lambda *operands: compare(*operands).astype(operands[0].dtype)


def logical(combine):
    return comparison(lambda *operands: combine(*(operand != 0 for operand in operands)))


def reduction(reduce):
    return lambda x, axes, keepdims: reduce(x, axis=axes, keepdims=keepdims)


def kind(dtype):
    return mx.float64 if dtype == np.float64 else mx.float32


def iota(shape, axis, dtype):
    column = [extent if place == axis else 1 for place, extent in enumerate(shape)]
    return mx.broadcast_to(mx.arange(shape[axis]).astype(kind(dtype)).reshape(column), shape)


def whole(indices):
    """Converts indices to MLX's integers."""
    return mx.array(np.asarray(indices, np.int32))


def var(x, axes, keepdims, correction):
    return mx.var(x, axis=axes, keepdims=keepdims, ddof=int(correction))


def norm(x, axes, keepdims):
    if len(axes) == 1:
        return mx.linalg.norm(x, axis=axes[0], keepdims=keepdims)
    return mx.sqrt(mx.sum(mx.square(x), axis=axes, keepdims=keepdims))


def pad(x, low, high, interior):
    for axis, gap in enumerate(interior):
        extent = x.shape[axis]
        if gap > 0 and extent > 1:
            # MLX pads outside only: zeros go after each element, and those after the last are cut off.
            before, after = x.shape[:axis], x.shape[axis + 1 :]
            sides = [(0, gap if place == axis + 1 else 0) for place in range(x.ndim + 1)]
            spread = mx.pad(x.reshape(*before, extent, 1, *after), sides).reshape(*before, extent * (gap + 1), *after)
            x = spread[(slice(None),) * axis + (slice(extent * (gap + 1) - gap),)]
    return mx.pad(x, list(zip(low, high))) if low else x


def gather(x, indices):
    if indices.shape[-1] == 0:
        return mx.broadcast_to(x, (*indices.shape[:-1], *x.shape))
    return x[tuple(whole(column) for column in np.moveaxis(indices, -1, 0))]


def scatter_add(x, updates, indices):
    if indices.shape[-1] == 0:
        raise Unsupported("mlx adds at one index or more")
    return x.at[tuple(whole(column) for column in np.moveaxis(indices, -1, 0))].add(updates)


def met(x, offset):
    # The sum of a diagonal that meets no element never returns (docs/findings.md).
    if not -x.shape[-2] < offset < x.shape[-1]:
        raise Unsupported("mlx has the diagonals that meet a matrix alone")
    return x


def conv(x, w, strides, padding, dilations, groups):
    # MLX has the channels last, and with none divides by zero (docs/findings.md).
    if 0 in x.shape or 0 in w.shape:
        raise Unsupported("mlx convolves what has elements")
    low, high = ([side[end] for side in padding] for end in (0, 1))
    y = mx.conv_general(mx.moveaxis(x, 1, -1), mx.moveaxis(w, 1, -1), list(strides), (low, high), list(dilations), 1, groups)
    return mx.moveaxis(y, -1, 1)


def pool(layers, x, window, strides, padding, fill):
    padded = mx.pad(x, [(0, 0), (0, 0), *padding], constant_values=mx.array(fill, x.dtype)) if any(map(any, padding)) else x
    layer = layers[len(window) - 1](tuple(window), tuple(strides))
    return mx.moveaxis(layer(mx.moveaxis(padded, 1, -1)), -1, 1)


def max_pool(x, window, strides, padding):
    return pool((nn.MaxPool1d, nn.MaxPool2d, nn.MaxPool3d), x, window, strides, padding, -math.inf)


def avg_pool(x, window, strides, padding, count_include_pad):
    layers = (nn.AvgPool1d, nn.AvgPool2d, nn.AvgPool3d)
    mean = pool(layers, x, window, strides, padding, 0.0)
    return mean if count_include_pad else mean / pool(layers, mx.ones_like(x), window, strides, padding, 0.0)


def layer_norm(x, scale, offset, axes, epsilon):
    # MLX's is over the last axis. Scale and offset have the axes in ascending order.
    axes = sorted(axes)
    rest = [axis for axis in range(x.ndim) if axis not in axes]
    turned = mx.transpose(x, [*rest, *axes])
    flat = turned.reshape(*(x.shape[axis] for axis in rest), math.prod(x.shape[axis] for axis in axes))
    normal = mx.fast.layer_norm(flat, scale.reshape(-1), offset.reshape(-1), epsilon)
    order = [*rest, *axes]
    return mx.transpose(normal.reshape(turned.shape), [order.index(axis) for axis in range(x.ndim)])


def leaky_relu(x, slope):
    # MLX documents it so.
    if slope > 1:
        raise Unsupported("mlx.nn.leaky_relu is the greater of x and slope · x")
    return nn.leaky_relu(x, slope)


def argmax(x, axis, keepdims):
    return mx.argmax(x, axis=axis, keepdims=keepdims).astype(x.dtype)


def binary_cross_entropy(x, y):
    return nn.losses.binary_cross_entropy(x, y, with_logits=True, reduction="mean")


class MlxAdapter(Adapter):
    description = Description(
        name="MLX",
        version=version("mlx"),
        links=["https://github.com/ml-explore/mlx", "https://ml-explore.github.io/mlx"],
        dtypes=["float32"] if REVERSE else ["float64", "float32"],
        modes=["evaluate", "vjp", "backward_dense"] if REVERSE else MODES,
        conventions={"maximumAtTie": "second", "compositeKinks": "own"},
        limits={"var": {"correction": {"form": "integer"}}},
    )

    # MLX has no slopes of solve, inv and cholesky, which it computes by LAPACK, no hypot, and its attention
    # computes a softmax in float32 whatever it is given.
    operators = {
        "constant": lambda name: name,
        "full": lambda shape, value, dtype: mx.full(shape, value, kind(dtype)),
        "iota": iota,
        "stop_gradient": mx.stop_gradient,
        "negative": mx.negative,
        "exp": mx.exp,
        "log": mx.log,
        "sin": mx.sin,
        "cos": mx.cos,
        "tanh": mx.tanh,
        "sqrt": mx.sqrt,
        "relu": nn.relu,
        "floor": mx.floor,
        "expm1": mx.expm1,
        "log1p": mx.log1p,
        "log2": mx.log2,
        "tan": mx.tan,
        "asin": mx.arcsin,
        "acos": mx.arccos,
        "atan": mx.arctan,
        "sinh": mx.sinh,
        "cosh": mx.cosh,
        "asinh": mx.arcsinh,
        "acosh": mx.arccosh,
        "atanh": mx.arctanh,
        "erf": mx.erf,
        "add": mx.add,
        "subtract": mx.subtract,
        "multiply": mx.multiply,
        "divide": mx.divide,
        "maximum": mx.maximum,
        "less": comparison(mx.less),
        "equal": comparison(mx.equal),
        "pow": mx.power,
        "atan2": mx.arctan2,
        "where": lambda condition, x, y: mx.where(condition != 0, x, y),
        "sum": reduction(mx.sum),
        "broadcast_to": lambda x, shape: mx.broadcast_to(x, shape),
        "reshape": lambda x, shape: mx.reshape(x, shape),
        "permute_dims": lambda x, axes: mx.transpose(x, axes),
        "concat": lambda *arrays, axis: mx.concatenate(list(arrays), axis),
        "take": lambda x, axis, indices: mx.take(x, whole(indices), axis),
        "slice": lambda x, starts, stops, steps: x[tuple(map(slice, starts, stops, steps))] if starts else x,
        "pad": pad,
        "take_along_axis": lambda x, axis, indices: mx.take_along_axis(x, whole(indices), axis),
        "gather": gather,
        "cumulative_sum": lambda x, axis: mx.cumsum(x, axis),
        "matmul": mx.matmul,
        "det": mx.linalg.det,
        # These are composites.
        "abs": mx.abs,
        "sign": mx.sign,
        "square": mx.square,
        "reciprocal": mx.reciprocal,
        "ceil": mx.ceil,
        "round": mx.round,
        "minimum": mx.minimum,
        "clip": lambda x, low, high: mx.clip(x, low, high),
        "remainder": mx.remainder,
        "not_equal": comparison(mx.not_equal),
        "less_equal": comparison(mx.less_equal),
        "greater": comparison(mx.greater),
        "greater_equal": comparison(mx.greater_equal),
        "logical_not": comparison(mx.logical_not),
        "logical_and": logical(mx.logical_and),
        "logical_or": logical(mx.logical_or),
        "sigmoid": mx.sigmoid,
        "softplus": nn.softplus,
        "logaddexp": mx.logaddexp,
        "silu": nn.silu,
        "leaky_relu": leaky_relu,
        "elu": lambda x, alpha: nn.elu(x, alpha),
        "gelu": lambda x, approximate: nn.gelu_approx(x) if approximate == "tanh" else nn.gelu(x),
        "mean": reduction(mx.mean),
        "prod": reduction(mx.prod),
        "max": reduction(mx.max),
        "min": reduction(mx.min),
        "var": var,
        "logsumexp": reduction(mx.logsumexp),
        "norm": norm,
        "argmax": argmax,
        "stack": lambda *arrays, axis: mx.stack(list(arrays), axis),
        "split": lambda x, axis, sections, part: mx.split(x, sections, axis)[part],
        "flip": lambda x, axes: mx.flip(x, axes) if axes else x,
        "roll": lambda x, shift, axis: mx.roll(x, shift, axis),
        "tile": lambda x, repetitions: mx.tile(x, repetitions),
        "diagonal": lambda x, offset: mx.diagonal(met(x, offset), offset, -2, -1),
        "tril": lambda x, offset: mx.tril(x, offset),
        "triu": lambda x, offset: mx.triu(x, offset),
        "vecdot": lambda x, y, axis: mx.vecdot(x, y, axis=axis),
        "outer": mx.outer,
        "einsum": lambda *arrays, equation: mx.einsum(equation, *arrays),
        "trace": lambda x, offset: mx.trace(met(x, offset), offset, -2, -1),
        "max_pool": max_pool,
        "avg_pool": avg_pool,
        "softmax": lambda x, axis: mx.softmax(x, axis),
        "log_softmax": lambda x, axis: nn.log_softmax(x, axis),
        "layer_norm": layer_norm,
        "embedding": lambda x, indices: x[whole(indices)],
        "mse": lambda x, y: nn.losses.mse_loss(x, y),
        "huber": lambda x, y, delta: nn.losses.huber_loss(x, y, delta, reduction="mean"),
        "cross_entropy": lambda x, labels: nn.losses.cross_entropy(x, whole(labels), reduction="mean"),
        "nll": lambda x, labels: nn.losses.nll_loss(x, whole(labels), reduction="mean"),
        "bce_with_logits": binary_cross_entropy,
    }
    if REVERSE:
        operators |= {
            "scatter_add": scatter_add,
            "cumulative_prod": lambda x, axis: mx.cumprod(x, axis),
            "conv": conv,
        }

    nests = True

    def array(self, value: np.ndarray) -> Array:
        return mx.array(value, kind(value.dtype))

    def evaluate(self, f: Function, inputs: Arrays) -> Arrays:
        return list(f(inputs))

    def jvp(self, f: Function, inputs: Arrays, tangents: Arrays) -> Arrays:
        return declined(lambda: mx.jvp(lambda *xs: list(f(xs)), list(inputs), list(tangents))[1])

    def vjp(self, f: Function, inputs: Arrays, cotangents: Arrays) -> Arrays:
        return declined(lambda: mx.vjp(lambda *xs: list(f(xs)), list(inputs), list(cotangents))[1])


def declined(compute):
    """Returns what `compute` does; what MLX says it lacks is unsupported."""
    try:
        return compute()
    except (ValueError, RuntimeError) as error:
        if "ot implemented" in str(error) or "not yet implemented" in str(error):
            raise Unsupported(str(error)) from error
        raise


if __name__ == "__main__":
    serve(MlxAdapter)
