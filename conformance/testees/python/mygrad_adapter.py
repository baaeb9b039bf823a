"""MyGrad: https://github.com/rsokl/MyGrad. Its tensors wrap NumPy's arrays, and each operation has a backward rule."""

from __future__ import annotations

from importlib.metadata import version

import mygrad as mg
import mygrad.nnet.activations as activations
import mygrad.nnet.layers as layers
import mygrad.nnet.losses as losses
import numpy
from adjudge.kit.adapter import Adapter, Array, Arrays, Description, Function, Unsupported, serve

# Locking the memory of each operand costs more than computing.
mg.turn_memory_guarding_off()


def off_the_tape(compute):
    """Computes by NumPy what has no slope: MyGrad refuses to round, to take signs and to compare what it follows."""
    return lambda *operands: mg.tensor(compute(*(x.data for x in operands)).astype(operands[0].dtype), constant=True)


def reduction(reduce):
    return lambda x, axes, keepdims: reduce(x, axis=axes, keepdims=keepdims)


def var(x, axes, keepdims, correction):
    return mg.var(x, axis=axes, ddof=int(correction), keepdims=keepdims)


def norm(x, axes, keepdims):
    # MyGrad has norms of vectors alone.
    if len(axes) == 1:
        return mg.linalg.norm(x, axis=axes[0], keepdims=keepdims)
    return mg.sqrt(mg.sum(mg.square(x), axis=axes, keepdims=keepdims))


def iota(shape, axis, dtype):
    column = (shape[axis],) + (1,) * (len(shape) - axis - 1)
    return mg.tensor(numpy.broadcast_to(numpy.arange(shape[axis], dtype=dtype).reshape(column), shape), constant=True)


def sliced(x, starts, stops, steps):
    return x[tuple(map(slice, starts, stops, steps))]


def surrounded(x, low, high, interior, fill):
    """Writes x into an array of `fill`, which is how MyGrad's users pad."""
    extents = [a + n + gap * max(n - 1, 0) + b for a, n, gap, b in zip(low, x.shape, interior, high)]
    padded = mg.full(tuple(extents), fill, dtype=x.dtype)
    places = [slice(a, a + n + gap * max(n - 1, 0), gap + 1) for a, n, gap in zip(low, x.shape, interior)]
    padded[tuple(places)] = x
    return padded


def take_along_axis(x, axis, indices):
    grid = list(numpy.indices(indices.shape, sparse=True))
    grid[axis] = indices
    return x[tuple(grid)]


def fitted(x, window, strides, padding, fill):
    """Pads the spatial axes and cuts what no window covers, as MyGrad wants windows that fit."""
    low, high = zip((0, 0), (0, 0), *padding)
    x = surrounded(x, low, high, (0,) * x.ndim, fill) if any(map(any, padding)) else x
    rests = [(n - size) % step for n, size, step in zip(x.shape[2:], window, strides)]
    return x[(..., *(slice(n - rest) for n, rest in zip(x.shape[2:], rests)))] if any(rests) else x


def conv(x, w, strides, padding, dilations, groups):
    window = [(n - 1) * gap + 1 for n, gap in zip(w.shape[2:], dilations)]
    x = fitted(x, window, strides, padding, 0.0)
    size, kernels = w.shape[1], w.shape[0] // groups
    parts = [
        layers.conv_nd(x[:, g * size : (g + 1) * size], w[g * kernels : (g + 1) * kernels], stride=strides, dilation=dilations)
        for g in range(groups)
    ]
    return mg.concatenate(parts, 1) if groups > 1 else parts[0]


def max_pool(x, window, strides, padding):
    return layers.max_pool(fitted(x, window, strides, padding, -numpy.inf), window, strides)


def batch_norm_train(x, scale, offset, axis, epsilon):
    if x.ndim < 2:
        raise Unsupported("mygrad's batchnorm has channels and something beside them")
    normal = layers.batchnorm(mg.moveaxis(x, axis, 1), gamma=scale, beta=offset, eps=epsilon)
    return mg.moveaxis(normal, 1, axis)


class MyGradAdapter(Adapter):
    description = Description(
        name="MyGrad",
        version=version("mygrad"),
        links=["https://github.com/rsokl/MyGrad", "https://mygrad.readthedocs.io"],
        dtypes=["float64", "float32"],
        modes=["evaluate", "vjp", "backward_dense"],
        conventions={"maximumAtTie": "neither", "compositeKinks": "own"},
        limits={"var": {"correction": {"form": "integer"}}},
    )

    # MyGrad lacks erf, hypot, solvers, sorting, remainders and adding at repeated indices;
    # its leaky_relu and negative_log_likelihood leave float32.
    operators = {
        "constant": lambda name: name,
        "full": lambda shape, value, dtype: mg.full(shape, value, dtype=dtype, constant=True),
        "iota": iota,
        "stop_gradient": lambda x: mg.tensor(x.data, constant=True),
        "negative": mg.negative,
        "exp": mg.exp,
        "log": mg.log,
        "sin": mg.sin,
        "cos": mg.cos,
        "tanh": mg.tanh,
        "sqrt": mg.sqrt,
        "relu": activations.relu,
        "floor": off_the_tape(numpy.floor),
        "expm1": mg.expm1,
        "log1p": mg.log1p,
        "log2": mg.log2,
        "tan": mg.tan,
        "asin": mg.arcsin,
        "acos": mg.arccos,
        "atan": mg.arctan,
        "sinh": mg.sinh,
        "cosh": mg.cosh,
        "asinh": mg.arcsinh,
        "acosh": mg.arccosh,
        "atanh": mg.arctanh,
        "add": mg.add,
        "subtract": mg.subtract,
        "multiply": mg.multiply,
        "divide": mg.divide,
        "maximum": mg.maximum,
        "less": off_the_tape(numpy.less),
        "equal": off_the_tape(numpy.equal),
        "pow": mg.power,
        "atan2": mg.arctan2,
        "where": lambda condition, x, y: mg.where(condition.data != 0, x, y),
        "sum": reduction(mg.sum),
        "broadcast_to": lambda x, shape: mg.broadcast_to(x, shape),
        "reshape": lambda x, shape: mg.reshape(x, shape),
        "permute_dims": lambda x, axes: mg.transpose(x, axes),
        "concat": lambda *arrays, axis: mg.concatenate(arrays, axis),
        "take": lambda x, axis, indices: x[(slice(None),) * axis + (indices,)],
        "slice": sliced,
        "pad": lambda x, low, high, interior: surrounded(x, low, high, interior, 0.0),
        "take_along_axis": take_along_axis,
        "gather": lambda x, indices: x[tuple(numpy.moveaxis(indices, -1, 0))],
        "cumulative_sum": lambda x, axis: mg.cumsum(x, axis),
        "matmul": mg.matmul,
        # These are composites.
        "abs": mg.abs,
        "sign": off_the_tape(numpy.sign),
        "square": mg.square,
        "reciprocal": mg.reciprocal,
        "ceil": off_the_tape(numpy.ceil),
        "round": off_the_tape(numpy.rint),
        "identity": mg.positive,
        "minimum": mg.minimum,
        "clip": lambda x, low, high: mg.clip(x, low, high),
        "sigmoid": activations.sigmoid,
        "logaddexp": mg.logaddexp,
        "elu": lambda x, alpha: activations.elu(x, alpha),
        "not_equal": off_the_tape(numpy.not_equal),
        "less_equal": off_the_tape(numpy.less_equal),
        "greater": off_the_tape(numpy.greater),
        "greater_equal": off_the_tape(numpy.greater_equal),
        "mean": reduction(mg.mean),
        "prod": reduction(mg.prod),
        "max": reduction(mg.max),
        "min": reduction(mg.min),
        "var": var,
        "norm": norm,
        "cumulative_prod": lambda x, axis: mg.cumprod(x, axis),
        "stack": lambda *arrays, axis: mg.stack(arrays, axis),
        "roll": lambda x, shift, axis: mg.roll(x, shift, axis),
        "einsum": lambda *arrays, equation: mg.einsum(equation, *arrays),
        "conv": conv,
        "max_pool": max_pool,
        "softmax": lambda x, axis: activations.softmax(x, axis),
        "log_softmax": lambda x, axis: activations.logsoftmax(x, axis),
        "batch_norm_train": batch_norm_train,
        "embedding": lambda x, indices: x[indices],
        "cross_entropy": lambda x, labels: losses.softmax_crossentropy(x, labels),
    }

    def array(self, value: numpy.ndarray) -> Array:
        return mg.tensor(value)

    def evaluate(self, f: Function, inputs: Arrays) -> Arrays:
        return [x.data for x in f(inputs)]

    def jvp(self, f: Function, inputs: Arrays, tangents: Arrays) -> Arrays:
        raise Unsupported("MyGrad has no forward mode")

    def vjp(self, f: Function, inputs: Arrays, cotangents: Arrays) -> Arrays:
        # A sweep clears the graph, so that several results are pulled back as one: the sum of values times
        # cotangents.
        inputs = [mg.tensor(x.data) for x in inputs]
        total = mg.add_sequence(0.0, *(mg.sum(y * c.data) for y, c in zip(f(inputs), cotangents)))
        total.backward()
        return [numpy.zeros_like(x.data) if x.grad is None else x.grad for x in inputs]


if __name__ == "__main__":
    serve(MyGradAdapter)
