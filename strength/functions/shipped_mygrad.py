"""Functions of MyGrad, whose operations each have a backward written by hand in NumPy, beside those of NumPy."""

from __future__ import annotations

import importlib.util
from typing import Any, Callable, Iterator

import numpy as np

from adjudge import var

Asked = tuple[str, Callable[..., Any], tuple[Any, ...], dict[str, Any]]


def value(function: Callable[..., Any]) -> Callable[..., Any]:
    """Returns what MyGrad computes, as NumPy has it."""
    return lambda *given: np.array(function(*given).data)


def rule(function: Callable[..., Any]) -> Callable[..., Any]:
    """Returns MyGrad's gradients of the arguments that have floats."""

    def backward(arguments: Any, cotangent: Any) -> Any:
        import mygrad

        given = [mygrad.tensor(x) if np.asarray(x).dtype.kind == "f" else x for x in arguments]
        function(*given).backward(np.asarray(cotangent))
        floats = [x for x in given if isinstance(x, mygrad.Tensor)]
        return [np.zeros(x.shape) if x.grad is None else x.grad for x in floats]

    return backward


def elementwise(mg: Any) -> Iterator[tuple[str, Any, Any, tuple[Any, ...]]]:
    x, positive, unit, above = var(5), var(5, low=0.1, high=5), var(5, low=-0.99, high=0.99), var(5, low=1.01, high=5)
    for name in "negative positive square exp exp2 expm1 sinh cosh tanh arcsinh sin cos arctan absolute cbrt sinc".split():
        yield name, getattr(mg, name), getattr(np, name), (x,)
    for name in "reciprocal log log2 log10 log1p sqrt tan".split():
        yield name, getattr(mg, name), getattr(np, name), (positive,)
    for name in "arcsin arccos arctanh".split():
        yield name, getattr(mg, name), getattr(np, name), (unit,)
    yield "arccosh", mg.arccosh, np.arccosh, (above,)
    yield "sec", mg.sec, lambda v: 1 / np.cos(v), (unit,)
    yield "csc", mg.csc, lambda v: 1 / np.sin(v), (positive,)
    yield "cot", mg.cot, lambda v: 1 / np.tan(v), (positive,)
    yield "sech", mg.sech, lambda v: 1 / np.cosh(v), (x,)
    yield "csch", mg.csch, lambda v: 1 / np.sinh(v), (positive,)
    yield "coth", mg.coth, lambda v: 1 / np.tanh(v), (positive,)
    yield "arccsch", mg.arccsch, lambda v: np.arcsinh(1 / v), (positive,)
    yield "arccoth", mg.arccoth, lambda v: np.arctanh(1 / v), (above,)
    yield "arccsc", mg.arccsc, lambda v: np.arcsin(1 / v), (above,)
    yield "arcsec", mg.arcsec, lambda v: np.arccos(1 / v), (above,)
    yield "arccot", mg.arccot, lambda v: np.arctan(1 / v), (positive,)
    for name in "add subtract multiply logaddexp logaddexp2 maximum minimum arctan2".split():
        yield name, getattr(mg, name), getattr(np, name), (x, x)
    yield "divide", mg.divide, np.divide, (x, positive)
    yield "power", mg.power, np.power, (positive, x)
    yield "add, broadcast", mg.add, np.add, (var((2, 1)), var((3,)))
    yield "multiply, broadcast", mg.multiply, np.multiply, (var((2, 1)), var((3,)))
    yield "clip", lambda v: mg.clip(v, -1, 1), lambda v: np.clip(v, -1, 1), (x,)
    yield "multiply_sequence", mg.multiply_sequence, lambda a, b, c: a * b * c, (x, x, x)
    yield "add_sequence", mg.add_sequence, lambda a, b, c: a + b + c, (x, x, x)


def arrays(mg: Any) -> Iterator[tuple[str, Any, Any, tuple[Any, ...]]]:
    x, matrix = var(5), var((2, 3))
    for name in "sum mean var std prod max min cumsum cumprod".split():
        yield name, getattr(mg, name), getattr(np, name), (x,)
        yield f"{name}, axis", lambda v, f=getattr(mg, name): f(v, axis=0), lambda v, f=getattr(np, name): f(v, axis=0), (matrix,)
    yield "var, ddof", lambda v: mg.var(v, ddof=1), lambda v: np.var(v, ddof=1), (x,)
    yield "std, ddof", lambda v: mg.std(v, ddof=1), lambda v: np.std(v, ddof=1), (x,)
    yield "linalg.norm", mg.linalg.norm, np.linalg.norm, (x,)
    yield "linalg.norm, 1", lambda v: mg.linalg.norm(v, ord=1), lambda v: np.linalg.norm(v, ord=1), (x,)
    yield "linalg.norm, 3", lambda v: mg.linalg.norm(v, ord=3), lambda v: np.linalg.norm(v, ord=3), (x,)
    yield "matmul", mg.matmul, np.matmul, (matrix, var((3, 2)))
    yield "matmul, batches", mg.matmul, np.matmul, (var((2, 1, 2, 3)), var((2, 3, 2)))
    yield "matmul, vector", mg.matmul, np.matmul, (var(3), var((2, 3, 2)))
    yield "multi_matmul", lambda a, b, c: mg.multi_matmul([a, b, c]), lambda a, b, c: a @ b @ c, (matrix, var((3, 2)), var((2, 2)))
    for equation, shapes in (("ij,jk->ik", [(2, 3), (3, 2)]), ("ii->i", [(3, 3)]), ("ij,ij->", [(2, 3), (2, 3)]), ("ii,ij->j", [(2, 2), (2, 3)])):
        terms = tuple(map(var, shapes))
        yield f"einsum {equation}", lambda *v, e=equation: mg.einsum(e, *v), lambda *v, e=equation: np.einsum(e, *v), terms
    moves: dict[str, Any] = {
        "reshape": lambda m, v: m.reshape(v, (3, 2)),
        "ravel": lambda m, v: m.ravel(v),
        "expand_dims": lambda m, v: m.expand_dims(v, 1),
        "broadcast_to": lambda m, v: m.broadcast_to(v, (2, 2, 3)),
        "transpose": lambda m, v: m.transpose(v),
        "swapaxes": lambda m, v: m.swapaxes(v, 0, 1),
        "moveaxis": lambda m, v: m.moveaxis(v, 0, 1),
        "roll": lambda m, v: m.roll(v, 1, axis=1),
        "repeat": lambda m, v: m.repeat(v, [1, 2], axis=0),
        "concatenate": lambda m, v: m.concatenate([v, v[:1]], axis=0),
        "stack": lambda m, v: m.stack([v, v], axis=1),
        "slice": lambda m, v: v[::-1, ::2],
        "indices": lambda m, v: v[[0, 1, 1], [2, 0, 0]],
        "where": lambda m, v: m.where(np.array([True, False, True]), v, v * v),
    }
    for name, move in moves.items():
        yield name, lambda v, f=move: f(mg, v), lambda v, f=move: f(np, v), (matrix,)


def softmax(x: Any, axis: int = -1) -> Any:
    scaled = np.exp(x - x.max(axis=axis, keepdims=True))
    return scaled / scaled.sum(axis=axis, keepdims=True)


def log_softmax(x: Any) -> Any:
    moved = x - x.max(axis=-1, keepdims=True)
    return moved - np.log(np.exp(moved).sum(axis=-1, keepdims=True))


def picked(x: Any, labels: Any) -> Any:
    return x[np.arange(3), labels]


def hinge(x: Any, labels: Any) -> Any:
    margins = np.maximum(0, x - picked(x, labels)[:, None] + 1)
    return (margins.sum() - 3) / 3


def batchnorm(x: Any, scale: Any, offset: Any) -> Any:
    centred = x - x.mean(axis=0)
    return scale * centred / np.sqrt(x.var(axis=0) + 1e-5) + offset


def windows(x: Any, width: int, step: int) -> Any:
    return np.stack([x[..., start : start + width] for start in range(0, x.shape[-1] - width + 1, step)], axis=-2)


def layers(mg: Any) -> Iterator[tuple[str, Any, Any, tuple[Any, ...]]]:
    from mygrad.nnet import activations, losses
    from mygrad.nnet.layers import batchnorm as theirs
    from mygrad.nnet.layers import conv_nd, max_pool

    x, rows, labels = var(5), var((3, 4)), var(3, integers=4)
    yield "nnet.sigmoid", activations.sigmoid, lambda v: 1 / (1 + np.exp(-v)), (x,)
    yield "nnet.relu", activations.relu, lambda v: np.maximum(v, 0), (x,)
    leaky: Any = lambda v: np.where(v > 0, v, 0.1 * v)
    yield "nnet.leaky_relu", lambda v: activations.leaky_relu(v, 0.1), leaky, (x,)
    yield "nnet.elu", lambda v: activations.elu(v, 1.0), lambda v: np.where(v > 0, v, np.expm1(np.minimum(v, 0))), (x,)
    # The values lose digits near 0; against the same formula the gradients are judged.
    yield "nnet.elu, by exp", lambda v: activations.elu(v, 1.0), lambda v: np.where(v > 0, v, np.exp(np.minimum(v, 0)) - 1), (x,)
    alpha, scale = 1.6732632423543772848170429916717, 1.0507009873554804934193349852946
    selu: Any = lambda v: scale * np.where(v > 0, v, alpha * np.expm1(np.minimum(v, 0)))
    yield "nnet.selu", activations.selu, selu, (x,)
    by_exp: Any = lambda v: scale * np.where(v > 0, v, alpha * (np.exp(np.minimum(v, 0)) - 1))
    yield "nnet.selu, by exp", activations.selu, by_exp, (x,)
    yield "nnet.soft_sign", activations.soft_sign, lambda v: v / (1 + np.abs(v)), (x,)
    yield "nnet.hard_tanh", activations.hard_tanh, lambda v: np.clip(v, -1, 1), (x,)
    yield "nnet.glu", activations.glu, lambda v: v[..., :2] * (1 / (1 + np.exp(-v[..., 2:]))), (rows,)
    yield "nnet.softmax", activations.softmax, softmax, (rows,)
    yield "nnet.softmax, axis 0", lambda v: activations.softmax(v, axis=0), lambda v: softmax(v, 0), (rows,)
    yield "nnet.logsoftmax", activations.logsoftmax, log_softmax, (rows,)
    cross: Any = lambda v, y: -picked(log_softmax(v), y).mean()
    yield "nnet.softmax_crossentropy", losses.softmax_crossentropy, cross, (rows, labels)
    yield "nnet.negative_log_likelihood", losses.negative_log_likelihood, lambda v, y: -picked(v, y).mean(), (rows, labels)
    yield "nnet.multiclass_hinge", losses.multiclass_hinge, hinge, (rows, labels)
    ranked: Any = lambda a, b: np.maximum(0, 0.5 - (a - b)).mean()
    yield "nnet.margin_ranking_loss", lambda a, b: losses.margin_ranking_loss(a, b, 1, 0.5), ranked, (x, x)
    likely = var((3, 4), low=0.05, high=0.95)
    for gamma in (0.0, 1.0, 2.0):
        focal: Any = lambda p, y, g=gamma: -((1 - picked(p, y)) ** g) * np.log(picked(p, y))
        yield f"nnet.focal_loss, γ {gamma:g}", lambda p, y, g=gamma: losses.focal_loss(p, y, alpha=1, gamma=g), focal, (likely, labels)
        soft: Any = lambda v, y, f=focal: f(softmax(v), y)
        yield f"nnet.softmax_focal_loss, γ {gamma:g}", lambda v, y, g=gamma: losses.softmax_focal_loss(v, y, alpha=1, gamma=g), soft, (rows, labels)
    normed: Any = lambda v, s, o: theirs(v, gamma=s, beta=o, eps=1e-5)
    yield "nnet.batchnorm", normed, batchnorm, (rows, var(4), var(4))
    conv: Any = lambda v, w: np.einsum("ncwk,fck->nfw", windows(v, 3, 2), w)
    yield "nnet.conv_nd", lambda v, w: conv_nd(v, w, stride=2), conv, (var((2, 2, 5)), var((2, 2, 3)))
    padded: Any = lambda v, w: np.einsum("ncwk,fck->nfw", windows(np.pad(v, ((0, 0), (0, 0), (1, 1))), 3, 1), w)
    yield "nnet.conv_nd, padded", lambda v, w: conv_nd(v, w, stride=1, padding=1), padded, (var((2, 1, 4)), var((2, 1, 3)))
    dilated: Any = lambda v, w: np.einsum("ncwk,fck->nfw", windows(v, 3, 1)[..., ::2], w)
    yield "nnet.conv_nd, dilated", lambda v, w: conv_nd(v, w, stride=1, dilation=2), dilated, (var((1, 1, 5)), var((1, 1, 2)))
    yield "nnet.max_pool", lambda v: max_pool(v, (2,), 1), lambda v: windows(v, 2, 1).max(axis=-1), (var((1, 2, 4)),)
    if importlib.util.find_spec("numba"):
        from mygrad.nnet.layers.gru import gru as recurrent

        shapes = [(3, 1, 2), *[(2, 2), (2, 2), (2,)] * 3]
        yield "nnet.gru", recurrent, gru, tuple(map(var, shapes))


def gru(x: Any, uz: Any, wz: Any, bz: Any, ur: Any, wr: Any, br: Any, uh: Any, wh: Any, bh: Any) -> Any:
    state, states = np.zeros((x.shape[1], bz.shape[0])), []
    states.append(state + 0 * x[0] @ uz)
    for step in range(x.shape[0]):
        z = 1 / (1 + np.exp(-(x[step] @ uz + state @ wz + bz)))
        r = 1 / (1 + np.exp(-(x[step] @ ur + state @ wr + br)))
        h = np.tanh(x[step] @ uh + (r * state) @ wh + bh)
        state = (1 - z) * h + z * state
        states.append(state)
    return np.stack(states)


def of_mygrad() -> Iterator[Asked]:
    import mygrad as mg

    for group in (elementwise, arrays, layers):
        for name, theirs, plain, arguments in group(mg):
            yield f"mygrad.{name}", value(theirs), arguments, {"vjp": rule(theirs), "reference": plain}
