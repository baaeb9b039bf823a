"""PaddlePaddle on the CPU: https://github.com/PaddlePaddle/Paddle. Its eager tensors carry a graph backward."""

from __future__ import annotations

import math
from importlib.metadata import version

import numpy as np
import paddle
import paddle.nn.functional as nn
from adjudge.kit.adapter import Adapter, Array, Arrays, Description, Function, Unsupported, serve

paddle.set_device("cpu")


def comparison(compare):
    return lambda *operands: compare(*operands).astype(operands[0].dtype)


def logical(combine):
    return comparison(lambda *operands: combine(*(operand != 0 for operand in operands)))


def reduction(reduce):
    # Paddle takes no axes for all axes.
    return lambda x, axes, keepdims: reduce(x, axis=axes, keepdim=keepdims) if axes else reduce(x.unsqueeze(0), axis=0)


def iota(shape, axis, dtype):
    column = [extent if place == axis else 1 for place, extent in enumerate(shape)]
    return paddle.broadcast_to(paddle.arange(shape[axis], dtype=dtype.name).reshape(column), shape)


def whole(indices):
    return paddle.to_tensor(np.asarray(indices, np.int64))


def var(x, axes, keepdims, correction):
    return reduction(lambda y, **how: paddle.var(y, correction=correction, **how))(x, axes, keepdims)


def sliced(x, starts, stops, steps):
    return x[tuple(map(slice, starts, stops, steps))] if starts else x


def pad(x, low, high, interior):
    for axis, gap in enumerate(interior):
        extent = x.shape[axis]
        if gap > 0 and extent > 1:
            # Zeros are stacked after each element, and those after the last are cut off.
            zeros = paddle.zeros([*x.shape[: axis + 1], gap, *x.shape[axis + 1 :]], x.dtype)
            spread = paddle.concat([x.unsqueeze(axis + 1), zeros], axis + 1)
            x = spread.reshape([*x.shape[:axis], extent * (gap + 1), *x.shape[axis + 1 :]])
            x = x[(slice(None),) * axis + (slice(extent * (gap + 1) - gap),)]
    for axis, sides in enumerate(zip(low, high)):
        zeros = [paddle.zeros([*x.shape[:axis], side, *x.shape[axis + 1 :]], x.dtype) for side in sides]
        x = paddle.concat([zeros[0], x, zeros[1]], axis) if any(sides) else x
    return x


def gather(x, indices):
    if indices.shape[-1] == 0:
        return paddle.broadcast_to(x, [*indices.shape[:-1], *x.shape])
    return paddle.gather_nd(x, whole(indices))


def scatter_add(x, updates, indices):
    if indices.shape[-1] == 0 or indices.ndim < 2:
        raise Unsupported("paddle adds at a list of places")
    return paddle.scatter_nd_add(x, whole(indices), updates)


def by_rank(functions):
    """Chooses a function by how many spatial axes there are."""
    return lambda x, *others, **options: functions[x.ndim - 3](x, *others, **options)


def outward(x, padding, fill=0.0):
    """Pads the spatial axes, each side with its own width."""
    sides = [width for pair in reversed(padding) for width in pair]
    if not any(sides):
        return x
    return nn.pad(x, sides, value=fill, data_format=("NCL", "NCHW", "NCDHW")[x.ndim - 3], pad_from_left_axis=False)


convolve = by_rank((nn.conv1d, nn.conv2d, nn.conv3d))
greatest = by_rank((nn.max_pool1d, nn.max_pool2d, nn.max_pool3d))
averaged = by_rank((nn.avg_pool1d, nn.avg_pool2d, nn.avg_pool3d))


def conv(x, w, strides, padding, dilations, groups):
    return convolve(outward(x, padding), w, stride=list(strides), dilation=list(dilations), groups=groups)


def max_pool(x, window, strides, padding):
    return greatest(outward(x, padding, -math.inf), kernel_size=list(window), stride=list(strides))


def avg_pool(x, window, strides, padding, count_include_pad):
    def pooled(y):
        return averaged(outward(y, padding), kernel_size=list(window), stride=list(strides))

    return pooled(x) if count_include_pad else pooled(x) / pooled(paddle.ones_like(x))


class PaddleAdapter(Adapter):
    description = Description(
        name="PaddlePaddle",
        version=version("paddlepaddle"),
        links=["https://github.com/PaddlePaddle/Paddle", "https://www.paddlepaddle.org.cn"],
        dtypes=["float64", "float32"],
        modes=["evaluate", "vjp", "backward_dense"],
        conventions={"maximumAtTie": "split", "compositeKinks": "own"},
    )

    # Left out: layer_norm, whose ε Paddle wants to be 0.001 at most, and the losses bce_with_logits and kl_div,
    # of which it differentiates the first operand alone.
    operators = {
        "constant": lambda name: name,
        "full": lambda shape, value, dtype: paddle.full(shape, value, dtype.name),
        "iota": iota,
        "stop_gradient": lambda x: x.detach(),
        "negative": paddle.neg,
        "exp": paddle.exp,
        "log": paddle.log,
        "sin": paddle.sin,
        "cos": paddle.cos,
        "tanh": paddle.tanh,
        "sqrt": paddle.sqrt,
        "relu": nn.relu,
        "floor": paddle.floor,
        "expm1": paddle.expm1,
        "log1p": paddle.log1p,
        "log2": paddle.log2,
        "tan": paddle.tan,
        "asin": paddle.asin,
        "acos": paddle.acos,
        "atan": paddle.atan,
        "sinh": paddle.sinh,
        "cosh": paddle.cosh,
        "asinh": paddle.asinh,
        "acosh": paddle.acosh,
        "atanh": paddle.atanh,
        "erf": paddle.erf,
        "add": paddle.add,
        "subtract": paddle.subtract,
        "multiply": paddle.multiply,
        "divide": paddle.divide,
        "maximum": paddle.maximum,
        "less": comparison(paddle.less_than),
        "equal": comparison(paddle.equal),
        "pow": paddle.pow,
        "atan2": paddle.atan2,
        "hypot": paddle.hypot,
        "where": lambda condition, x, y: paddle.where(condition != 0, x, y),
        "sum": reduction(paddle.sum),
        "broadcast_to": lambda x, shape: paddle.broadcast_to(x, shape),
        "reshape": lambda x, shape: paddle.reshape(x, shape),
        "permute_dims": lambda x, axes: paddle.transpose(x, axes),
        "concat": lambda *arrays, axis: paddle.concat(list(arrays), axis),
        "take": lambda x, axis, indices: x[(slice(None),) * axis + (whole(indices),)],
        "slice": sliced,
        "pad": pad,
        "take_along_axis": lambda x, axis, indices: paddle.take_along_axis(x, whole(indices), axis, broadcast=False),
        "gather": gather,
        "scatter_add": scatter_add,
        "cumulative_sum": lambda x, axis: paddle.cumsum(x, axis),
        "matmul": paddle.matmul,
        "solve": paddle.linalg.solve,
        "det": paddle.linalg.det,
        # These are composites.
        "abs": paddle.abs,
        "sign": paddle.sign,
        "square": paddle.square,
        "reciprocal": paddle.reciprocal,
        "ceil": paddle.ceil,
        "round": paddle.round,
        "minimum": paddle.minimum,
        "remainder": paddle.remainder,
        "copysign": paddle.copysign,
        "not_equal": comparison(paddle.not_equal),
        "less_equal": comparison(paddle.less_equal),
        "greater": comparison(paddle.greater_than),
        "greater_equal": comparison(paddle.greater_equal),
        "logical_not": comparison(paddle.logical_not),
        "logical_and": logical(paddle.logical_and),
        "logical_or": logical(paddle.logical_or),
        "logical_xor": logical(paddle.logical_xor),
        "sigmoid": nn.sigmoid,
        "softplus": nn.softplus,
        "logaddexp": paddle.logaddexp,
        "silu": nn.silu,
        "leaky_relu": lambda x, slope: nn.leaky_relu(x, slope),
        "elu": lambda x, alpha: nn.elu(x, alpha),
        "gelu": lambda x, approximate: nn.gelu(x, approximate == "tanh"),
        "mean": reduction(paddle.mean),
        "prod": reduction(paddle.prod),
        "max": reduction(paddle.max),
        "min": reduction(paddle.min),
        "var": var,
        "logsumexp": reduction(paddle.logsumexp),
        "norm": reduction(paddle.linalg.vector_norm),
        "cumulative_prod": lambda x, axis: paddle.cumprod(x, axis),
        "argmax": lambda x, axis, keepdims: paddle.argmax(x, axis, keepdims).astype(x.dtype),
        "stack": lambda *arrays, axis: paddle.stack(list(arrays), axis),
        "split": lambda x, axis, sections, part: paddle.split(x, sections, axis)[part],
        "flip": lambda x, axes: paddle.flip(x, axes) if axes else x,
        "roll": lambda x, shift, axis: paddle.roll(x, shift, axis),
        "tile": lambda x, repetitions: paddle.tile(x, repetitions),
        "one_hot": lambda indices, classes, dtype: nn.one_hot(whole(indices), classes).astype(dtype.name),
        "diagonal": lambda x, offset: paddle.diagonal(x, offset, -2, -1),
        "tril": lambda x, offset: paddle.tril(x, offset),
        "triu": lambda x, offset: paddle.triu(x, offset),
        "sort": lambda x, axis, descending: paddle.sort(x, axis, descending),
        "top_k": lambda x, axis, k: paddle.topk(x, k, axis)[0],
        "vecdot": lambda x, y, axis: paddle.linalg.vecdot(x, y, axis=axis),
        "outer": paddle.outer,
        "einsum": lambda *arrays, equation: paddle.einsum(equation, *arrays),
        "trace": lambda x, offset: paddle.trace(x, offset, -2, -1),
        "inv": paddle.linalg.inv,
        "triangular_solve": lambda a, b, upper: paddle.linalg.triangular_solve(a, b, upper),
        "conv": conv,
        "max_pool": max_pool,
        "avg_pool": avg_pool,
        "softmax": lambda x, axis: nn.softmax(x, axis),
        "log_softmax": lambda x, axis: nn.log_softmax(x, axis),
        "group_norm": lambda x, scale, offset, groups, epsilon: nn.group_norm(x, groups, epsilon, scale, offset),
        "embedding": lambda x, indices: nn.embedding(whole(indices), x),
        "mse": nn.mse_loss,
        "cross_entropy": lambda x, labels: nn.cross_entropy(x, whole(labels)),
        "nll": lambda x, labels: nn.nll_loss(x, whole(labels)),
    }

    def array(self, value: np.ndarray) -> Array:
        return paddle.to_tensor(value)

    def evaluate(self, f: Function, inputs: Arrays) -> Arrays:
        return [x.numpy() for x in f(inputs)]

    def jvp(self, f: Function, inputs: Arrays, tangents: Arrays) -> Arrays:
        raise Unsupported("Paddle's eager tensors have no forward mode")

    def vjp(self, f: Function, inputs: Arrays, cotangents: Arrays) -> Arrays:
        # One tensor at two places is refused, so that a sum of values times cotangents is pulled back.
        leaves = [paddle.to_tensor(x.numpy(), stop_gradient=False) for x in inputs]
        total = paddle.add_n([(y * c).sum() for y, c in zip(f(leaves), cotangents)])
        if total.stop_gradient:
            return [np.zeros_like(x.numpy()) for x in inputs]
        pulled = paddle.grad([total], leaves, allow_unused=True)
        return [np.zeros_like(x.numpy()) if bar is None else bar.numpy() for x, bar in zip(leaves, pulled)]


if __name__ == "__main__":
    serve(PaddleAdapter)
