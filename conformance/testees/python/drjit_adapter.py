"""Dr.Jit: https://github.com/mitsuba-renderer/drjit. Its tensors are traced, and LLVM compiles them for the CPU.

LLVM's library is to be on the machine; Dr.Jit finds it, or is told where by DRJIT_LIBLLVM_PATH.
"""

from __future__ import annotations

import sys
from importlib.metadata import version

import drjit as dr
import drjit.llvm.ad as llvm
import numpy as np
from adjudge.kit.adapter import Adapter, Arrays, Description, Function, Unsupported, serve
from place_moves import MOVES, diagonal, places_of, tril, triu

# Older ones cannot compile some selections of float32.
OLDEST_LLVM = 16

TENSORS = {"float64": llvm.TensorXf64, "float32": llvm.TensorXf}


def kind(x):
    return TENSORS[np.dtype(x.dtype).name] if isinstance(x, np.ndarray) else type(x)


def periodic(function):
    """Keeps to what Dr.Jit documents: its sines are of arguments below 8192."""

    def applied(x):
        if (np.abs(dr.detach(x).numpy()) > 8192).any():
            raise Unsupported("Dr.Jit's sines are of arguments below 8192")
        return function(x)

    return applied


def comparison(compare):
    return lambda x, *others: dr.select(compare(x, *others), kind(x)(1), kind(x)(0))


def logical(combine):
    return comparison(lambda *operands: combine(*(operand != 0 for operand in operands)))


def reduction(reduce):
    # Dr.Jit takes no axes for one that it chooses.
    return lambda x, axes, keepdims: reduce(x, axis=axes, keepdims=keepdims) if axes else x


def at(x, places):
    """Returns the elements at places; 0 where a place is −1."""
    flat = np.ascontiguousarray(places).reshape(-1)
    found = dr.gather(type(x.array), x.array, llvm.UInt32(np.maximum(flat, 0).astype(np.uint32)), llvm.Bool(flat >= 0))
    return kind(x)(found, places.shape)


def moved(move):
    """Makes an operator of what NumPy does with the places of elements, which Dr.Jit gathers."""
    return lambda x, **attributes: at(x, move(places_of(x.shape), **attributes))


def scatter_add(x, updates, indices):
    places = places_of(x.shape)[tuple(np.moveaxis(indices, -1, 0))].reshape(-1)
    row = type(x.array)(x.array)
    dr.scatter_add(row, updates.array, llvm.UInt32(places.astype(np.uint32)))
    return kind(x)(row, x.shape)


def iota(shape, axis, dtype):
    column = (shape[axis],) + (1,) * (len(shape) - axis - 1)
    return TENSORS[dtype.name](np.ascontiguousarray(np.broadcast_to(np.arange(shape[axis], dtype=dtype).reshape(column), shape)))


def split(x, axis, sections, part):
    return dr.split(x, sections, axis)[part]


def argmax(x, axis, keepdims):
    return kind(x)(dr.argmax(x, axis=axis, keepdims=keepdims))


class DrJitAdapter(Adapter):
    description = Description(
        name="Dr.Jit",
        version=version("drjit"),
        links=["https://github.com/mitsuba-renderer/drjit", "https://drjit.readthedocs.io"],
        dtypes=["float64", "float32"],
        conventions={"maximumAtTie": "second", "compositeKinks": "own"},
        # A tensor without elements is refused beside a number.
        limits={"every": {"extents": {"least": 1}}},
    )

    # Dr.Jit documents powers as exponentials of logarithms, signs of 0 as 1, and lacks expm1 and log1p.
    operators = {
        "constant": lambda name: name,
        "full": lambda shape, value, dtype: dr.full(TENSORS[dtype.name], value, shape),
        "iota": iota,
        "stop_gradient": dr.detach,
        "negative": lambda x: -x,
        "exp": dr.exp,
        "log": dr.log,
        "sin": periodic(dr.sin),
        "cos": periodic(dr.cos),
        "tanh": dr.tanh,
        "sqrt": dr.sqrt,
        "relu": lambda x: dr.maximum(x, 0),
        "floor": dr.floor,
        "log2": dr.log2,
        "tan": periodic(dr.tan),
        "asin": dr.asin,
        "acos": dr.acos,
        "atan": dr.atan,
        "sinh": dr.sinh,
        "cosh": dr.cosh,
        "asinh": dr.asinh,
        "acosh": dr.acosh,
        "atanh": dr.atanh,
        "erf": dr.erf,
        "add": lambda x, y: x + y,
        "subtract": lambda x, y: x - y,
        "multiply": lambda x, y: x * y,
        "divide": lambda x, y: x / y,
        "maximum": dr.maximum,
        "less": comparison(lambda x, y: x < y),
        "equal": comparison(lambda x, y: x == y),
        "atan2": dr.atan2,
        "hypot": dr.hypot,
        "where": lambda condition, x, y: dr.select(condition != 0, x, y),
        "sum": reduction(dr.sum),
        **{name: moved(move) for name, move in MOVES.items()},
        "reshape": lambda x, shape: dr.reshape(x, shape),
        "permute_dims": lambda x, axes: dr.transpose(x, axes),
        "concat": lambda *arrays, axis: dr.concat(arrays, axis),
        "scatter_add": scatter_add,
        "cumulative_sum": lambda x, axis: dr.cumsum(x, axis),
        "matmul": lambda x, y: x @ y,
        # These are composites.
        "abs": dr.abs,
        "square": dr.square,
        "reciprocal": dr.rcp,
        "ceil": dr.ceil,
        "round": dr.round,
        "minimum": dr.minimum,
        "clip": dr.clip,
        "copysign": dr.copysign,
        "not_equal": comparison(lambda x, y: x != y),
        "less_equal": comparison(lambda x, y: x <= y),
        "greater": comparison(lambda x, y: x > y),
        "greater_equal": comparison(lambda x, y: x >= y),
        "logical_not": comparison(lambda x: x == 0),
        "logical_and": logical(lambda x, y: x & y),
        "logical_or": logical(lambda x, y: x | y),
        "logical_xor": logical(lambda x, y: x ^ y),
        "mean": reduction(dr.mean),
        "prod": reduction(dr.prod),
        "max": reduction(dr.max),
        "min": reduction(dr.min),
        "norm": lambda x, axes, keepdims: dr.norm(x, axis=axes, keepdims=keepdims) if axes else dr.abs(x),
        "argmax": argmax,
        "stack": lambda *arrays, axis: dr.stack(arrays, axis),
        "split": split,
        "tile": lambda x, repetitions: dr.tile(x, tuple(repetitions)),
        "diagonal": moved(diagonal),
        "tril": moved(tril),
        "triu": moved(triu),
        "sort": lambda x, axis, descending: dr.sort(x, axis, descending),
        "embedding": moved(lambda places, indices: places[indices]),
    }

    def array(self, value: np.ndarray):
        return TENSORS[value.dtype.name](np.array(value, order="C"))

    def evaluate(self, f: Function, inputs: Arrays) -> Arrays:
        return numbers(f(inputs))

    def jvp(self, f: Function, inputs: Arrays, tangents: Arrays) -> Arrays:
        followed = [kind(x)(x) for x in inputs]
        dr.enable_grad(followed)
        outputs = f(followed)
        dr.set_grad(followed, tangents)
        dr.enqueue(dr.ADMode.Forward, followed)
        dr.traverse(dr.ADMode.Forward, dr.ADFlag.ClearNone)
        return numbers([dr.grad(y) for y in outputs])

    def vjp(self, f: Function, inputs: Arrays, cotangents: Arrays) -> Arrays:
        followed = [kind(x)(x) for x in inputs]
        dr.enable_grad(followed)
        outputs = f(followed)
        for y, cotangent in zip(outputs, cotangents):
            dr.accum_grad(y, cotangent)
        dr.enqueue(dr.ADMode.Backward, list(outputs))
        dr.traverse(dr.ADMode.Backward)
        return numbers([dr.grad(x) for x in followed])


def numbers(tensors: Arrays) -> Arrays:
    return [tensor.numpy() for tensor in tensors]


if __name__ == "__main__":
    found = (dr.detail.llvm_version() or (0,))[0]
    if found < OLDEST_LLVM:
        sys.exit(f"Dr.Jit finds LLVM {found}, and wants {OLDEST_LLVM} or newer: DRJIT_LIBLLVM_PATH names its library.")
    serve(DrJitAdapter)
