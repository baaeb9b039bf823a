"""PyTensor: https://github.com/pymc-devs/pytensor. A graph becomes expressions, which are rewritten and compiled.

The rewrites are those of a usual function; what they leave is computed by NumPy, as compiling each question takes
seconds. With `--linker numba` or `--linker c` it is compiled.
"""

from __future__ import annotations

import argparse
import os
from importlib.metadata import version

options = argparse.ArgumentParser()
options.add_argument("--linker", default="py")
LINKER = options.parse_known_args()[0].linker
# Scripts set this too. Without a linker that wants it, no C++ is compiled.
ENVIRONMENT = {"PYTENSOR_FLAGS": "cxx="} if LINKER == "py" else {}
os.environ.update(ENVIRONMENT)

import numpy as np
import pytensor
import pytensor.tensor as pt
from adjudge.kit.adapter import Adapter, Arrays, Description, Function, Unsupported, serve
from pytensor.compile.mode import Mode
from pytensor.gradient import disconnected_grad


class Tensor:
    """An expression, whose shape is known."""

    def __init__(self, expression):
        self.expression = expression

    @property
    def shape(self):
        return self.expression.type.shape

    @property
    def dtype(self):
        return self.expression.dtype

    def __add__(self, other):
        return Tensor(self.expression + other.expression)


def lifted(compute):
    return lambda *operands, **attributes: Tensor(compute(*(x.expression for x in operands), **attributes))


def comparison(compare):
    return lambda *operands: compare(*operands).astype(operands[0].dtype)


def logical(combine):
    return comparison(lambda *operands: combine(*(pt.neq(x, 0) for x in operands)))


def reduction(reduce):
    # PyTensor takes no axes for all axes.
    return lambda x, axes, keepdims: reduce(x, axis=axes, keepdims=keepdims) if axes else reduce(x[None], axis=0)


def var(x, axes, keepdims, correction):
    return reduction(lambda y, **how: pt.var(y, ddof=int(correction), **how))(x, axes, keepdims)


def norm(x, axes, keepdims):
    if len(axes) == 1:
        return pt.linalg.norm(x, 2, axis=axes[0], keepdims=keepdims)
    return pt.sqrt(reduction(pt.sum)(pt.sqr(x), axes, keepdims))


def iota(shape, axis, dtype):
    column = (shape[axis],) + (1,) * (len(shape) - axis - 1)
    return pt.as_tensor(np.broadcast_to(np.arange(shape[axis], dtype=dtype).reshape(column), shape).copy())


def pad(x, low, high, interior):
    extents = [a + n + gap * max(n - 1, 0) + b for a, n, gap, b in zip(low, x.type.shape, interior, high)]
    places = tuple(slice(a, a + n + gap * max(n - 1, 0), gap + 1) for a, n, gap in zip(low, x.type.shape, interior))
    return pt.set_subtensor(pt.zeros(tuple(extents), dtype=x.dtype)[places], x) if low else x


def rows(indices):
    return tuple(np.moveaxis(indices, -1, 0))


def scatter_add(x, updates, indices):
    return pt.inc_subtensor(x[rows(indices)], updates) if indices.shape[-1] else x + updates.sum(axis=tuple(range(indices.ndim - 1)))


def sort(x, axis, descending):
    return pt.flip(pt.sort(x, axis), axis) if descending else pt.sort(x, axis)


def shaped(function):
    """Tells PyTensor that a result has the shape of the operand."""
    return lambda x, **attributes: pt.specify_shape(function(x, **attributes), x.type.shape)


def split(x, axis, sections, part):
    # One part is no list of parts.
    return pt.split(x, [x.type.shape[axis] // sections] * sections, axis=axis)[part] if sections > 1 else x


def solve_triangular(a, b, upper):
    return pt.linalg.solve_triangular(a, b, lower=not upper, b_ndim=2)


class PyTensorAdapter(Adapter):
    description = Description(
        name="PyTensor",
        version=version("pytensor") + ("" if LINKER == "py" else f" ({LINKER})"),
        links=["https://github.com/pymc-devs/pytensor", "https://pytensor.readthedocs.io"],
        # Forward mode is two reverse sweeps, in which cotangents are lost (docs/findings.md), or lacks most rules.
        modes=["evaluate", "vjp", "backward_dense"],
        conventions={"maximumAtTie": "first", "reluAtZero": "one", "compositeKinks": "own"},
        limits={"var": {"correction": {"form": "integer"}}},
    )

    functions = {
        "stop_gradient": disconnected_grad,
        "negative": pt.neg,
        "exp": pt.exp,
        "log": pt.log,
        "sin": pt.sin,
        "cos": pt.cos,
        "tanh": pt.tanh,
        "sqrt": pt.sqrt,
        "relu": lambda x: pt.maximum(x, 0),
        "floor": pt.floor,
        "expm1": pt.expm1,
        "log1p": pt.log1p,
        "log2": pt.log2,
        "tan": pt.tan,
        "asin": pt.arcsin,
        "acos": pt.arccos,
        "atan": pt.arctan,
        "sinh": pt.sinh,
        "cosh": pt.cosh,
        "asinh": pt.arcsinh,
        "acosh": pt.arccosh,
        "atanh": pt.arctanh,
        "erf": pt.erf,
        "add": pt.add,
        "subtract": pt.sub,
        "multiply": pt.mul,
        "divide": pt.true_div,
        "maximum": pt.maximum,
        "less": comparison(pt.lt),
        "equal": comparison(pt.eq),
        "pow": pt.pow,
        "atan2": pt.arctan2,
        "where": lambda condition, x, y: pt.where(pt.neq(condition, 0), x, y),
        "sum": reduction(pt.sum),
        "broadcast_to": lambda x, shape: pt.broadcast_to(x, shape),
        "reshape": lambda x, shape: pt.reshape(x, shape),
        "permute_dims": lambda x, axes: pt.transpose(x, axes) if axes else x,
        "concat": lambda *arrays, axis: pt.concatenate(arrays, axis),
        "take": lambda x, axis, indices: pt.take(x, indices, axis),
        "slice": lambda x, starts, stops, steps: x[tuple(map(slice, starts, stops, steps))],
        "pad": pad,
        "take_along_axis": lambda x, axis, indices: pt.take_along_axis(x, indices, axis),
        "gather": lambda x, indices: x[rows(indices)],
        "scatter_add": scatter_add,
        "cumulative_sum": lambda x, axis: pt.cumsum(x, axis),
        "matmul": pt.matmul,
        "solve": lambda a, b: pt.linalg.solve(a, b, b_ndim=2),
        "det": pt.linalg.det,
        # These are composites.
        "abs": pt.abs,
        "sign": pt.sign,
        "square": pt.sqr,
        "reciprocal": pt.reciprocal,
        "ceil": pt.ceil,
        "round": pt.round_half_to_even,
        "minimum": pt.minimum,
        "remainder": pt.mod,
        "not_equal": comparison(pt.neq),
        "less_equal": comparison(pt.le),
        "greater": comparison(pt.gt),
        "greater_equal": comparison(pt.ge),
        "logical_not": comparison(lambda x: pt.eq(x, 0)),
        "logical_and": logical(pt.and_),
        "logical_or": logical(pt.or_),
        "logical_xor": logical(pt.xor),
        "sigmoid": pt.sigmoid,
        "softplus": pt.softplus,
        "logaddexp": pt.logaddexp,
        "mean": reduction(pt.mean),
        "prod": reduction(pt.prod),
        "max": reduction(pt.max),
        "min": reduction(pt.min),
        "var": var,
        "logsumexp": reduction(pt.logsumexp),
        "norm": norm,
        "cumulative_prod": lambda x, axis: pt.cumprod(x, axis),
        "argmax": lambda x, axis, keepdims: pt.argmax(x, axis, keepdims=keepdims).astype(x.dtype),
        "stack": lambda *arrays, axis: pt.stack(arrays, axis),
        "split": split,
        "flip": lambda x, axes: pt.flip(x, axes) if axes else x,
        "roll": shaped(lambda x, shift, axis: pt.roll(x, shift, axis)),
        "tile": lambda x, repetitions: pt.tile(x, repetitions),
        "diagonal": lambda x, offset: pt.diagonal(x, offset, -2, -1),
        "tril": shaped(lambda x, offset: pt.tril(x, offset)),
        "triu": shaped(lambda x, offset: pt.triu(x, offset)),
        "sort": sort,
        "vecdot": lambda x, y, axis: pt.sum(x * y, axis=axis),
        "outer": pt.outer,
        "einsum": lambda *arrays, equation: pt.einsum(equation, *arrays),
        "inv": pt.linalg.inv,
        "triangular_solve": solve_triangular,
        "softmax": lambda x, axis: pt.special.softmax(x, axis),
        "log_softmax": lambda x, axis: pt.special.log_softmax(x, axis),
        "embedding": lambda x, indices: x[indices],
    }
    operators = {
        "constant": lambda name: name,
        "full": lambda shape, value, dtype: Tensor(pt.as_tensor(np.full(shape, value, dtype))),
        "iota": lambda shape, axis, dtype: Tensor(iota(shape, axis, dtype)),
        **{name: lifted(function) for name, function in functions.items()},
    }

    nests = True

    def array(self, value: np.ndarray) -> Tensor:
        return Tensor(pt.as_tensor(value))

    def evaluate(self, f: Function, inputs: Arrays) -> Arrays:
        return answered(lambda xs, _: expressions(f, xs), inputs, [])

    def jvp(self, f: Function, inputs: Arrays, tangents: Arrays) -> Arrays:
        raise Unsupported("forward mode is two pullbacks to PyTensor")

    def vjp(self, f: Function, inputs: Arrays, cotangents: Arrays) -> Arrays:
        return answered(lambda xs, along: pulled(f, xs, along), inputs, cotangents)

    def inner_vjp(self, f: Function, inputs: Arrays, cotangents: Arrays) -> Arrays:
        return list(map(Tensor, pulled(f, copies(inputs), [x.expression for x in cotangents])))


def expressions(f, xs):
    return [y.expression for y in f(list(map(Tensor, xs)))]


def copies(inputs):
    """Copies inputs, so that what an inner function captures is not among what it is differentiated by."""
    return [pt.tensor_copy(x.expression) for x in inputs]


def pulled(f, xs, along):
    # Of several results together some cotangents are lost (docs/findings.md); users have one number.
    total = sum(((y * c).sum() for y, c in zip(expressions(f, xs), along)), pt.as_tensor(0.0))
    return pt.grad(total, xs, disconnected_inputs="ignore")


def answered(derive, *given):
    """Compiles what `derive` makes of symbols, and computes it."""
    symbols = [[pt.tensor(shape=x.shape, dtype=x.dtype) for x in tensors] for tensors in given]
    everything = [symbol for part in symbols for symbol in part]
    function = pytensor.function(everything, derive(*symbols), mode=Mode(LINKER, "fast_run"), on_unused_input="ignore")
    return function(*(x.expression.data for tensors in given for x in tensors))


if __name__ == "__main__":
    serve(PyTensorAdapter)
