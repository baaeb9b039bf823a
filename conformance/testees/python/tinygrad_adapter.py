"""tinygrad on the CPU: https://github.com/tinygrad/tinygrad. Its lazy tensors compile a question as a whole.

tinygrad lets clang compile for the CPU. With `--device PYTHON` Python interprets its code instead; with
`--device CPU:LLVM` LLVM's library compiles all but the queue.
"""

from __future__ import annotations

import argparse
import math
import os
from importlib.metadata import version

options = argparse.ArgumentParser()
options.add_argument("--device", default="CPU")

# Variables to set before tinygrad is imported; scripts set them too.
ENVIRONMENT = {"DEV": options.parse_known_args()[0].device}
# Kernels are compiled here and not by workers, and not kept on disk, as hardly one comes twice.
os.environ.update(ENVIRONMENT, PARALLEL="0", CACHELEVEL="0")

import numpy as np
from adjudge.kit.adapter import Adapter, Arrays, Description, Function, Unsupported, serve
from tinygrad import Tensor


def comparison(compare):
    return lambda *operands: compare(*operands).cast(operands[0].dtype)


def logical(combine):
    return comparison(lambda *operands: combine(*(operand != 0 for operand in operands)))


def reduction(name):
    def reduced(x, axes, keepdims):
        # tinygrad takes no axes for all axes.
        return getattr(x, name)(axes, keepdims) if axes else x

    return reduced


def logsumexp(x, axes, keepdims):
    if not axes:
        return x
    # tinygrad's function takes one axis unless it keeps dimensions.
    kept = x.logsumexp(axes, True)
    return kept if keepdims else kept.reshape(tuple(n for axis, n in enumerate(x.shape) if axis not in axes))


def iota(shape, axis, dtype):
    column = [extent if place == axis else 1 for place, extent in enumerate(shape)]
    return Tensor.arange(shape[axis], dtype=dtype.name).reshape(column).expand(shape)


def whole(indices):
    """Converts indices to tinygrad's integers."""
    return Tensor(np.asarray(indices, np.int32))


def take(x, axis, indices):
    return x[(slice(None),) * axis + (whole(indices),)]


def sliced(x, starts, stops, steps):
    return x[tuple(slice(*extent_of(*each)) for each in zip(starts, stops, steps, x.shape))] if starts else x


def extent_of(start, stop, step, extent):
    """Returns start, stop and step of a slice, without Python's counting from the end."""
    first, last, step = slice(start, stop, step).indices(extent)
    return first, (None if last < 0 else last), step


def pad(x, low, high, interior):
    for axis, gap in enumerate(interior):
        extent = x.shape[axis]
        if gap > 0 and extent > 1:
            # Padding is outside only: zeros go after each element, and those after the last are cut off.
            before, after = x.shape[:axis], x.shape[axis + 1 :]
            sides = [(0, gap if place == axis + 1 else 0) for place in range(x.ndim + 1)]
            spread = x.reshape((*before, extent, 1, *after)).pad(sides).reshape((*before, extent * (gap + 1), *after))
            x = spread.shrink(tuple((0, n - gap if place == axis else n) for place, n in enumerate(spread.shape)))
    return x.pad(tuple(zip(low, high))) if low else x


def gather(x, indices):
    if indices.shape[-1] == 0:
        return x.expand((*indices.shape[:-1], *x.shape))
    return x[tuple(whole(column) for column in np.moveaxis(indices, -1, 0))]


def scatter_add(x, updates, indices):
    # scatter_reduce has one axis, so the indexed ones become one.
    depth = indices.shape[-1]
    leading, rest = x.shape[:depth], x.shape[depth:]
    size = math.prod(rest)
    places = np.ravel_multi_index(tuple(np.moveaxis(indices, -1, 0)), leading) if depth else np.zeros(indices.shape[:-1], int)
    rows = np.broadcast_to(places.reshape(-1, 1), (places.size, size))
    flat = x.reshape((math.prod(leading), size))
    return flat.scatter_reduce(0, whole(rows), updates.reshape(rows.shape), "sum").reshape(x.shape)


def matmul(x, y):
    return x.matmul(y)


def var(x, axes, keepdims, correction):
    if not axes:
        raise Unsupported("var of no axes is of all to tinygrad")
    return x.var(axes, keepdims, int(correction) if correction.is_integer() else correction)


def argmax(x, axis, keepdims):
    return x.argmax(axis, keepdims).cast(x.dtype)


def split(x, axis, sections, part):
    size = x.shape[axis] // sections
    # tinygrad cannot split an empty tensor into empty parts.
    return x.split(size, axis)[part] if size > 0 else x


def tile(x, repetitions):
    # tinygrad applies fewer repetitions than axes to the last ones.
    return x.repeat((1,) * (x.ndim - len(repetitions)) + repetitions)


def diagonal(x, offset):
    if not -x.shape[-2] < offset < x.shape[-1]:
        raise Unsupported("tinygrad has the diagonals that meet a matrix alone")
    return x.diagonal(offset, -2, -1)


def one_hot(indices, classes, dtype):
    return whole(indices).one_hot(classes).cast(dtype.name)


def outward(padding):
    """Returns what comes before and after each axis, the last axis first."""
    return [side for pair in reversed(padding) for side in pair]


def conv(x, w, strides, padding, dilations, groups):
    return x.conv2d(w, None, groups, strides, dilations, outward(padding))


def conv_transpose(x, w, strides, padding, dilations, groups, output_padding):
    return x.conv_transpose2d(w, None, groups, strides, dilations, outward(padding), output_padding)


def max_pool(x, window, strides, padding):
    return x.max_pool2d(window, strides, 1, outward(padding))


def avg_pool(x, window, strides, padding, count_include_pad):
    return x.avg_pool2d(window, strides, 1, outward(padding), False, count_include_pad)


def layer_norm(x, scale, offset, axes, epsilon):
    place = [extent if axis in axes else 1 for axis, extent in enumerate(x.shape)]
    return x.layernorm(axes, epsilon) * scale.reshape(place) + offset.reshape(place)


def batch_norm_eval(x, scale, offset, mean, variance, axis, epsilon):
    return x.batchnorm(scale, offset, mean, (variance + epsilon).rsqrt(), axis)


def group_norm(x, scale, offset, groups, epsilon):
    # tinygrad's is a module with its own parameters; this computes the same with others.
    place = [1, x.shape[1], *(1 for _ in x.shape[2:])]
    normal = x.reshape((x.shape[0], groups, math.prod(x.shape[1:]) // groups)).layernorm(-1, epsilon)
    return normal.reshape(x.shape) * scale.reshape(place) + offset.reshape(place)


def attention(q, k, v, mask=None, causal=False):
    if mask is not None and causal:
        # tinygrad takes one of the two masks.
        hidden = Tensor.ones(q.shape[-2], k.shape[-2], dtype="bool").triu(1)
        mask, causal = hidden.where(-math.inf, mask), False
    return q.scaled_dot_product_attention(k, v, mask, 0.0, causal)


class TinygradAdapter(Adapter):
    description = Description(
        name="tinygrad",
        version=version("tinygrad"),
        links=["https://github.com/tinygrad/tinygrad", "https://docs.tinygrad.org"],
        dtypes=["float64", "float32"],
        # tinygrad has no forward mode.
        modes=["evaluate", "vjp", "backward_dense"],
        conventions={"maximumAtTie": "split", "compositeKinks": "own"},
    )

    # tinygrad lacks expm1, log1p, atan2, hypot, solve, det, norm and outer; its random numbers are not ours.
    operators = {
        "constant": lambda name: name,
        "full": lambda shape, value, dtype: Tensor.full(shape, value, dtype=dtype.name),
        "iota": iota,
        "stop_gradient": lambda x: x.detach(),
        "negative": lambda x: x.neg(),
        "exp": lambda x: x.exp(),
        "log": lambda x: x.log(),
        "sin": lambda x: x.sin(),
        "cos": lambda x: x.cos(),
        "tanh": lambda x: x.tanh(),
        "sqrt": lambda x: x.sqrt(),
        "relu": lambda x: x.relu(),
        "floor": lambda x: x.floor(),
        "log2": lambda x: x.log2(),
        "tan": lambda x: x.tan(),
        "asin": lambda x: x.asin(),
        "acos": lambda x: x.acos(),
        "atan": lambda x: x.atan(),
        "sinh": lambda x: x.sinh(),
        "cosh": lambda x: x.cosh(),
        "asinh": lambda x: x.asinh(),
        "acosh": lambda x: x.acosh(),
        "atanh": lambda x: x.atanh(),
        "erf": lambda x: x.erf(),
        "add": lambda x, y: x + y,
        "subtract": lambda x, y: x - y,
        "multiply": lambda x, y: x * y,
        "divide": lambda x, y: x / y,
        "maximum": lambda x, y: x.maximum(y),
        "less": comparison(lambda x, y: x < y),
        "equal": comparison(lambda x, y: x.eq(y)),
        "pow": lambda x, y: x.pow(y),
        "where": lambda condition, x, y: (condition != 0).where(x, y),
        "sum": reduction("sum"),
        "broadcast_to": lambda x, shape: x.expand(shape),
        "reshape": lambda x, shape: x.reshape(shape),
        "permute_dims": lambda x, axes: x.permute(axes),
        "concat": lambda x, *others, axis: x.cat(*others, dim=axis),
        "take": take,
        "slice": sliced,
        "pad": pad,
        "take_along_axis": lambda x, axis, indices: x.gather(axis, whole(indices)),
        "gather": gather,
        "scatter_add": scatter_add,
        "cumulative_sum": lambda x, axis: x.cumsum(axis),
        "matmul": matmul,
        # These are composites.
        "abs": lambda x: x.abs(),
        "sign": lambda x: x.sign(),
        "square": lambda x: x.square(),
        "reciprocal": lambda x: x.reciprocal(),
        "ceil": lambda x: x.ceil(),
        "round": lambda x: x.round(),
        "minimum": lambda x, y: x.minimum(y),
        "clip": lambda x, low, high: x.clip(low, high),
        "remainder": lambda x, y: x % y,
        "copysign": lambda x, y: x.copysign(y),
        "not_equal": comparison(lambda x, y: x != y),
        "less_equal": comparison(lambda x, y: x <= y),
        "greater": comparison(lambda x, y: x > y),
        "greater_equal": comparison(lambda x, y: x >= y),
        "logical_not": comparison(lambda x: x.logical_not()),
        "logical_and": logical(lambda x, y: x & y),
        "logical_or": logical(lambda x, y: x | y),
        "logical_xor": logical(lambda x, y: x ^ y),
        "sigmoid": lambda x: x.sigmoid(),
        "softplus": lambda x: x.softplus(),
        "logaddexp": lambda x, y: x.logaddexp(y),
        "silu": lambda x: x.silu(),
        "leaky_relu": lambda x, slope: x.leaky_relu(slope),
        "elu": lambda x, alpha: x.elu(alpha),
        "gelu": lambda x, approximate: x.gelu(approximate),
        "conv": conv,
        "conv_transpose": conv_transpose,
        "max_pool": max_pool,
        "avg_pool": avg_pool,
        "softmax": lambda x, axis: x.softmax(axis),
        "log_softmax": lambda x, axis: x.log_softmax(axis),
        "layer_norm": layer_norm,
        "batch_norm_eval": batch_norm_eval,
        "group_norm": group_norm,
        "embedding": lambda x, indices: x[whole(indices)],
        "scaled_dot_product_attention": attention,
        "cross_entropy": lambda x, labels: x.cross_entropy(whole(labels)),
        "nll": lambda x, labels: x.nll_loss(whole(labels)),
        "bce_with_logits": lambda x, y: x.binary_crossentropy_logits(y),
        "mean": reduction("mean"),
        "prod": reduction("prod"),
        "max": reduction("max"),
        "min": reduction("min"),
        "var": var,
        "logsumexp": logsumexp,
        "cumulative_prod": lambda x, axis: x.cumprod(axis),
        "argmax": argmax,
        "stack": lambda x, *others, axis: x.stack(*others, dim=axis),
        "split": split,
        "flip": lambda x, axes: x.flip(axes),
        "roll": lambda x, shift, axis: x.roll(shift, axis),
        "tile": tile,
        "one_hot": one_hot,
        "diagonal": diagonal,
        "tril": lambda x, offset: x.tril(offset),
        "triu": lambda x, offset: x.triu(offset),
        "sort": lambda x, axis, descending: x.sort(axis, descending)[0],
        "top_k": lambda x, axis, k: x.topk(k, axis)[0],
        "einsum": lambda *arrays, equation: Tensor.einsum(equation, *arrays),
    }

    def array(self, value: np.ndarray) -> Tensor:
        return Tensor(value)

    def tap(self, value: np.ndarray) -> Tensor:
        # Equal scalars are one tensor to tinygrad, and so are all taps, unless each is a vector's element.
        return Tensor(value.reshape(-1)).reshape(value.shape)

    def evaluate(self, f: Function, inputs: Arrays) -> Arrays:
        return computed(f(inputs))

    def jvp(self, f: Function, inputs: Arrays, tangents: Arrays) -> Arrays:
        raise Unsupported("tinygrad has no forward mode")

    def vjp(self, f: Function, inputs: Arrays, cotangents: Arrays) -> Arrays:
        # tinygrad differentiates one number: here the sum of values times cotangents, which is never
        # computed. A detached cotangent is no input, even if equal to one.
        pairs = [(output * cotangent.detach()).sum() for output, cotangent in zip(f(inputs), cotangents) if 0 not in output.shape]
        if not pairs:
            return computed([x.zeros_like() for x in inputs])
        total = pairs[0]
        for pair in pairs[1:]:
            total = total + pair
        return computed(total.gradient(*inputs))


def computed(tensors: Arrays) -> Arrays:
    """Computes tensors in one schedule, and returns their numbers."""
    if tensors:
        Tensor.realize(*tensors)
    return [tensor.numpy() for tensor in tensors]


if __name__ == "__main__":
    serve(TinygradAdapter)
