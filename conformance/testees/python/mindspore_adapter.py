"""MindSpore on the CPU: https://www.mindspore.cn. Its tensors are computed at once (PyNative), and pulled back.

MindSpore 2.10 needs a NumPy older than 2, and with it an environment of its own, which ADJUDGE_PYTHON names.
"""

from __future__ import annotations

import math
import os
from importlib.metadata import version

# Nothing is told of what MindSpore replaces.
os.environ.setdefault("GLOG_v", "3")

import mindspore as ms
import numpy as np
from adjudge.kit.adapter import Adapter, Array, Arrays, Description, Function, Unsupported, serve
from mindspore import Tensor, ops
from place_moves import padded, places_of

ms.set_context(mode=ms.PYNATIVE_MODE)
ms.set_device("CPU")


def comparison(compare):
    return lambda *operands: compare(*operands).astype(operands[0].dtype)


def logical(combine):
    return comparison(lambda *operands: combine(*(operand != 0 for operand in operands)))


def reduction(reduce):
    # MindSpore takes no axes for all axes.
    return lambda x, axes, keepdims: reduce(x, axes, keepdims) if axes else reduce(ops.expand_dims(x, 0), (0,), False)


def whole(indices):
    return Tensor(np.asarray(indices, np.int64))


def iota(shape, axis, dtype):
    column = (shape[axis],) + (1,) * (len(shape) - axis - 1)
    return Tensor(np.array(np.broadcast_to(np.arange(shape[axis], dtype=dtype).reshape(column), shape)))


def var(x, axes, keepdims, correction):
    return reduction(lambda y, over, kept: ops.var(y, over, int(correction), kept))(x, axes, keepdims)


def sliced(x, starts, stops, steps):
    return x[tuple(map(slice, starts, stops, steps))] if starts else x


def pad(x, low, high, interior):
    """Gathers the elements, and a zero after the last."""
    size = math.prod(x.shape)
    places = padded(places_of(x.shape), low, high, interior)
    row = ops.concat((x.reshape((size,)), ops.zeros((1,), x.dtype))) if size else ops.zeros((1,), x.dtype)
    return ops.gather(row, whole(np.where(places < 0, size, places).reshape(-1)), 0).reshape(places.shape)


def gather(x, indices):
    if indices.shape[-1] == 0:
        return ops.broadcast_to(x, (*indices.shape[:-1], *x.shape))
    return ops.gather_nd(x, whole(indices))


def scatter_add(x, updates, indices):
    if indices.shape[-1] == 0 or indices.ndim < 2:
        raise Unsupported("tensor_scatter_add adds at a list of places")
    return ops.tensor_scatter_add(x, whole(indices), updates)


def outward(x, padding, fill=0.0):
    """Pads the spatial axes, each side with its own width."""
    sides = [width for pair in reversed(padding) for width in pair]
    return ops.pad(x, sides, "constant", fill) if any(sides) else x


def beyond():
    raise Unsupported("ops.norm is of vectors and matrices")


def narrow(x):
    if x.dtype == ms.float64:
        raise Unsupported("MindSpore's convolutions and pools on the CPU have no float64")


def conv(x, w, strides, padding, dilations, groups):
    narrow(x)
    return ops.conv2d(outward(x, padding), w, None, tuple(strides), "valid", 0, tuple(dilations), groups)


def max_pool(x, window, strides, padding):
    narrow(x)
    return ops.max_pool2d(outward(x, padding, -math.inf), tuple(window), tuple(strides))


def avg_pool(x, window, strides, padding, count_include_pad):
    narrow(x)

    def pooled(y):
        return ops.avg_pool2d(outward(y, padding), tuple(window), tuple(strides))

    return pooled(x) if count_include_pad else pooled(x) / pooled(ops.ones_like(x))


class MindSporeAdapter(Adapter):
    description = Description(
        name="MindSpore",
        version=version("mindspore"),
        links=["https://gitee.com/mindspore/mindspore", "https://www.mindspore.cn"],
        dtypes=["float64", "float32"],
        modes=["evaluate", "vjp", "backward_dense"],
        conventions={"maximumAtTie": "split", "compositeKinks": "own", "subnormals": "flushed"},
        # Sums of nothing are what the memory held.
        limits={
            "every": {"extents": {"least": 1}},
            "conv": {"ranks": {"least": 4, "greatest": 4}},
            "max_pool": {"ranks": {"least": 4, "greatest": 4}},
            "avg_pool": {"ranks": {"least": 4, "greatest": 4}},
            "var": {"correction": {"form": "integer"}},
        },
    )

    # On the CPU MindSpore lacks solve, roll, einsum and logical_xor's backward rule; elu has one alpha, and
    # bce_with_logits is of float32 and float16.
    operators = {
        "constant": lambda name: name,
        "full": lambda shape, value, dtype: Tensor(np.full(shape, value, dtype)),
        "iota": iota,
        "stop_gradient": ops.stop_gradient,
        "negative": ops.neg,
        "exp": ops.exp,
        "log": ops.log,
        "sin": ops.sin,
        "cos": ops.cos,
        "tanh": ops.tanh,
        "sqrt": ops.sqrt,
        "relu": ops.relu,
        "floor": ops.floor,
        "expm1": ops.expm1,
        "log1p": ops.log1p,
        "log2": ops.log2,
        "tan": ops.tan,
        "asin": ops.asin,
        "acos": ops.acos,
        "atan": ops.atan,
        "sinh": ops.sinh,
        "cosh": ops.cosh,
        "asinh": ops.asinh,
        "acosh": ops.acosh,
        "atanh": ops.atanh,
        "erf": ops.erf,
        "add": ops.add,
        "subtract": ops.sub,
        "multiply": ops.mul,
        "divide": ops.div,
        "maximum": ops.maximum,
        "less": comparison(ops.less),
        "equal": comparison(ops.equal),
        "pow": ops.pow,
        "atan2": ops.atan2,
        "hypot": ops.hypot,
        "where": lambda condition, x, y: ops.where(condition != 0, x, y),
        "sum": reduction(ops.sum),
        "broadcast_to": lambda x, shape: ops.broadcast_to(x, shape),
        "reshape": lambda x, shape: ops.reshape(x, shape),
        "permute_dims": lambda x, axes: ops.permute(x, axes),
        "concat": lambda *arrays, axis: ops.concat(arrays, axis),
        "take": lambda x, axis, indices: ops.gather(x, whole(indices), axis),
        "slice": sliced,
        "pad": pad,
        "take_along_axis": lambda x, axis, indices: ops.gather_elements(x, axis, whole(indices)),
        "gather": gather,
        "scatter_add": scatter_add,
        "cumulative_sum": lambda x, axis: ops.cumsum(x, axis),
        "matmul": ops.matmul,
        "det": ops.det,
        # These are composites.
        "abs": ops.abs,
        "sign": ops.sign,
        "square": ops.square,
        "reciprocal": ops.reciprocal,
        "ceil": ops.ceil,
        "round": ops.round,
        "minimum": ops.minimum,
        "clip": lambda x, low, high: ops.clamp(x, low, high),
        "remainder": ops.remainder,
        "copysign": ops.copysign,
        "not_equal": comparison(ops.ne),
        "less_equal": comparison(ops.le),
        "greater": comparison(ops.gt),
        "greater_equal": comparison(ops.ge),
        "logical_not": comparison(lambda x: ops.logical_not(x != 0)),
        "logical_and": logical(ops.logical_and),
        "logical_or": logical(ops.logical_or),
        "sigmoid": ops.sigmoid,
        "softplus": lambda x: ops.softplus(x),
        "logaddexp": ops.logaddexp,
        "silu": ops.silu,
        "leaky_relu": lambda x, slope: ops.leaky_relu(x, slope),
        "gelu": lambda x, approximate: ops.gelu(x, approximate),
        "mean": reduction(ops.mean),
        "prod": reduction(lambda x, axes, keepdims: ops.prod(x, axes, keepdims)),
        "max": reduction(ops.amax),
        "min": reduction(ops.amin),
        "var": var,
        "logsumexp": reduction(ops.logsumexp),
        "norm": reduction(lambda x, axes, keepdims: ops.norm(x, None, axes, keepdims) if len(axes) < 3 else beyond()),
        "cumulative_prod": lambda x, axis: ops.cumprod(x, axis),
        "argmax": lambda x, axis, keepdims: ops.argmax(x, axis, keepdims).astype(x.dtype),
        "stack": lambda *arrays, axis: ops.stack(arrays, axis),
        "split": lambda x, axis, sections, part: ops.tensor_split(x, sections, axis)[part],
        "flip": lambda x, axes: ops.flip(x, axes) if axes else x,
        "tile": lambda x, repetitions: ops.tile(x, repetitions),
        "one_hot": lambda indices, classes, dtype: ops.one_hot(whole(indices), classes).astype(ms.float64 if dtype == np.float64 else ms.float32),
        "diagonal": lambda x, offset: ops.diagonal(x, offset, -2, -1),
        "tril": lambda x, offset: ops.tril(x, offset),
        "triu": lambda x, offset: ops.triu(x, offset),
        "sort": lambda x, axis, descending: ops.sort(x, axis, descending)[0],
        "top_k": lambda x, axis, k: ops.topk(x, k, axis)[0],
        "vecdot": lambda x, y, axis: ops.vecdot(x, y, axis=axis),
        "outer": ops.outer,
        "inv": ops.inverse,
        "conv": conv,
        "max_pool": max_pool,
        "avg_pool": avg_pool,
        "softmax": lambda x, axis: ops.softmax(x, axis),
        "log_softmax": lambda x, axis: ops.log_softmax(x, axis),
        "group_norm": lambda x, scale, offset, groups, epsilon: ops.group_norm(x, groups, scale, offset, epsilon),
        "embedding": lambda x, indices: ops.gather(x, whole(indices), 0),
        "mse": ops.mse_loss,
        "huber": lambda x, y, delta: ops.huber_loss(x, y, "mean", delta),
        "cross_entropy": lambda x, labels: ops.cross_entropy(x, Tensor(labels.astype(np.int32))),
        "nll": lambda x, labels: ops.nll_loss(x, Tensor(labels.astype(np.int32))),
    }

    def array(self, value: np.ndarray) -> Array:
        return Tensor(value)

    def evaluate(self, f: Function, inputs: Arrays) -> Arrays:
        return [x.asnumpy() for x in f(inputs)]

    def vjp(self, f: Function, inputs: Arrays, cotangents: Arrays) -> Arrays:
        # MindSpore differentiates one number: here the sum of values times cotangents.
        def total(*arguments):
            return sum(((y * c).sum() for y, c in zip(f(arguments), cotangents)), Tensor(np.zeros((), inputs[0].asnumpy().dtype)))

        pulled = ms.grad(total, tuple(range(len(inputs))))(*inputs)
        return [bar.asnumpy() for bar in (pulled if isinstance(pulled, tuple) else (pulled,))]


if __name__ == "__main__":
    serve(MindSporeAdapter)
