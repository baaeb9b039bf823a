"""NVIDIA Warp on the CPU: https://github.com/NVIDIA/warp. A tape records kernels, which Warp compiles as C++.

Warp's arrays have up to four axes, and one at least. A tensor is a row of its elements here, `wp.map` applies a
function of Warp to each of them, and NumPy says which elements a kernel gathers or adds up.
"""

from __future__ import annotations

import math
from importlib.metadata import version
from typing import Any

import numpy as np
import warp as wp
from adjudge.kit.adapter import Adapter, Arrays, Description, Function, Unsupported, serve
from place_moves import MOVES, places_of

wp.config.quiet = True
PRECISIONS = {np.dtype(np.float64): wp.float64, np.dtype(np.float32): wp.float32, np.dtype(np.float16): wp.float16}


@wp.kernel
def gathered(x: wp.array(dtype=Any), places: wp.array(dtype=wp.int32), y: wp.array(dtype=Any)):
    i = wp.tid()
    if places[i] >= 0:
        y[i] = x[places[i]]


@wp.kernel
def added(x: wp.array(dtype=Any), places: wp.array(dtype=wp.int32), y: wp.array(dtype=Any)):
    i = wp.tid()
    wp.atomic_add(y, places[i], x[i])


@wp.kernel
def product(x: wp.array3d(dtype=Any), y: wp.array3d(dtype=Any), z: wp.array3d(dtype=Any)):
    batch, row, column = wp.tid()
    total = z.dtype(0.0)
    for i in range(x.shape[2]):
        total += x[batch, row, i] * y[batch, i, column]
    z[batch, row, column] = total


@wp.kernel
def seeded(y: wp.array(dtype=Any), cotangent: wp.array(dtype=Any), loss: wp.array(dtype=Any)):
    i = wp.tid()
    wp.atomic_add(loss, 0, y[i] * cotangent[i])


@wp.func
def where(condition: Any, x: Any, y: Any):
    return wp.where(condition != type(condition)(0.0), x, y)


@wp.func
def less(x: Any, y: Any):
    return wp.where(x < y, type(x)(1.0), type(x)(0.0))


@wp.func
def less_equal(x: Any, y: Any):
    return wp.where(x <= y, type(x)(1.0), type(x)(0.0))


@wp.func
def equal(x: Any, y: Any):
    return wp.where(x == y, type(x)(1.0), type(x)(0.0))


@wp.func
def not_equal(x: Any, y: Any):
    return wp.where(x != y, type(x)(1.0), type(x)(0.0))


@wp.func
def relu(x: Any):
    return wp.max(x, type(x)(0.0))


@wp.func
def reciprocal(x: Any):
    return type(x)(1.0) / x


@wp.func
def remainder(x: Any, y: Any):
    """Gives Warp's remainder, which has the sign of x, the sign of y."""
    rest = wp.mod(x, y)
    return wp.where(rest * y < type(x)(0.0), rest + y, rest)


class Tensor:
    """A row of Warp with a shape."""

    def __init__(self, row, shape):
        self.row, self.shape = row, tuple(shape)

    def __add__(self, other):
        return elementwise(wp.add)(self, other)

    def numpy(self):
        return self.row.numpy().reshape(self.shape)


def empty(shape, dtype):
    return Tensor(wp.zeros(math.prod(shape), dtype=dtype, requires_grad=True), shape)


def constant(value):
    return Tensor(wp.array(value.reshape(-1), dtype=PRECISIONS[value.dtype]), value.shape)


def elementwise(function):
    def applied(x, *others):
        if math.prod(x.shape) == 0:
            return empty(x.shape, x.row.dtype)
        return Tensor(wp.map(function, x.row, *(other.row for other in others)), x.shape)

    return applied


def within(function):
    """Keeps to what Warp documents: it clamps arguments outside of [−1, 1]."""

    def applied(x):
        if not (np.abs(x.numpy()) <= 1).all():
            raise Unsupported("Warp clamps what lies outside of [−1, 1]")
        return elementwise(function)(x)

    return applied


def launched(kernel, x, places, shape):
    """Runs a kernel that moves elements by places into a new tensor."""
    y = empty(shape, x.row.dtype)
    if places.size > 0 and x.row.size > 0:
        wp.launch(kernel, places.size, [x.row, wp.array(places.reshape(-1), dtype=wp.int32)], [y.row])
    return y


def at(x, places):
    """Returns the elements at places; 0 where a place is −1."""
    return launched(gathered, x, places, places.shape)


def moved(move):
    """Makes an operator of what NumPy does with the places of elements."""
    return lambda x, **attributes: at(x, move(places_of(x.shape), **attributes))


def total(x, axes, keepdims):
    kept = [1 if axis in axes else n for axis, n in enumerate(x.shape)]
    shape = [n for axis, n in enumerate(kept) if keepdims or axis not in axes]
    places = np.broadcast_to(places_of(kept), x.shape)
    return launched(added, x, places, shape)


def concat(*tensors, axis):
    """Adds each part at its places."""
    joined = [np.full(one.shape, number) for number, one in enumerate(tensors)]
    whose = np.concatenate(joined, axis)
    parts = [launched(added, one, np.flatnonzero(whose == number), whose.shape) for number, one in enumerate(tensors)]
    result = parts[0]
    for part in parts[1:]:
        result = result + part
    return result


def scatter_add(x, updates, indices):
    places = places_of(x.shape)[tuple(np.moveaxis(indices, -1, 0))]
    return x + launched(added, updates, places, x.shape)


def matmul(x, y):
    a, b = (x.shape if len(x.shape) > 1 else (1, *x.shape)), (y.shape if len(y.shape) > 1 else (*y.shape, 1))
    if a[:-2] != b[:-2]:
        raise Unsupported("the leading axes of both are the same here")
    batch = math.prod(a[:-2])
    shape = (*a[:-2], *a[-2 : -1 if len(x.shape) > 1 else -2], *(b[-1:] if len(y.shape) > 1 else ()))
    z = empty(shape, x.row.dtype)
    if 0 not in (*a, *b):
        three = [row.reshape((batch, *ends)) for row, ends in ((x.row, a[-2:]), (y.row, b[-2:]), (z.row, (a[-2], b[-1])))]
        wp.launch(product, three[2].shape, three[:2], three[2:])
    return z


def iota(shape, axis, dtype):
    column = (shape[axis],) + (1,) * (len(shape) - axis - 1)
    return constant(np.array(np.broadcast_to(np.arange(shape[axis], dtype=dtype).reshape(column), shape)))


class WarpAdapter(Adapter):
    description = Description(
        name="Warp",
        version=version("warp-lang"),
        links=["https://github.com/NVIDIA/warp", "https://nvidia.github.io/warp"],
        dtypes=["float64", "float32"],
        modes=["evaluate", "vjp", "backward_dense"],
        conventions={"maximumAtTie": "second", "compositeKinks": "own"},
    )

    # Warp lacks expm1, log1p, inverse hyperbolic functions and hypot, and takes the sign of 0 for 1.
    operators = {
        "constant": lambda name: name,
        "full": lambda shape, value, dtype: constant(np.full(shape, value, dtype)),
        "iota": iota,
        "stop_gradient": lambda x: constant(x.numpy()),
        "negative": elementwise(wp.neg),
        "exp": elementwise(wp.exp),
        "log": elementwise(wp.log),
        "sin": elementwise(wp.sin),
        "cos": elementwise(wp.cos),
        "tanh": elementwise(wp.tanh),
        "sqrt": elementwise(wp.sqrt),
        "relu": elementwise(relu),
        "floor": elementwise(wp.floor),
        "log2": elementwise(wp.log2),
        "tan": elementwise(wp.tan),
        "asin": within(wp.asin),
        "acos": within(wp.acos),
        "atan": elementwise(wp.atan),
        "sinh": elementwise(wp.sinh),
        "cosh": elementwise(wp.cosh),
        "erf": elementwise(wp.erf),
        "add": elementwise(wp.add),
        "subtract": elementwise(wp.sub),
        "multiply": elementwise(wp.mul),
        "divide": elementwise(wp.div),
        "maximum": elementwise(wp.max),
        "less": elementwise(less),
        "equal": elementwise(equal),
        "pow": elementwise(wp.pow),
        "atan2": elementwise(wp.atan2),
        "where": elementwise(where),
        "sum": total,
        **{name: moved(move) for name, move in MOVES.items()},
        "reshape": lambda x, shape: Tensor(x.row, shape),
        "concat": concat,
        "scatter_add": scatter_add,
        "matmul": matmul,
        # These are composites.
        "abs": elementwise(wp.abs),
        "reciprocal": elementwise(reciprocal),
        "ceil": elementwise(wp.ceil),
        "round": elementwise(wp.rint),
        "minimum": elementwise(wp.min),
        "clip": elementwise(wp.clamp),
        "remainder": elementwise(remainder),
        "copysign": elementwise(wp.copysign),
        "not_equal": elementwise(not_equal),
        "less_equal": elementwise(less_equal),
        "greater": lambda x, y: elementwise(less)(y, x),
        "greater_equal": lambda x, y: elementwise(less_equal)(y, x),
    }

    def array(self, value: np.ndarray) -> Tensor:
        return Tensor(wp.array(value.reshape(-1), dtype=PRECISIONS[value.dtype], requires_grad=True), value.shape)

    def evaluate(self, f: Function, inputs: Arrays) -> Arrays:
        return [y.numpy() for y in f(inputs)]

    def vjp(self, f: Function, inputs: Arrays, cotangents: Arrays) -> Arrays:
        followed = [self.array(x.numpy()) for x in inputs]
        with wp.Tape() as tape:
            outputs = f(followed)
            # Warp differentiates one number: here the sum of values times cotangents.
            loss = wp.zeros(1, dtype=followed[0].row.dtype if followed else wp.float64, requires_grad=True)
            for y, cotangent in zip(outputs, cotangents):
                if y.row.size > 0 and y.row.requires_grad:
                    wp.launch(seeded, y.row.size, [y.row, constant(cotangent.numpy()).row], [loss])
        tape.backward(loss)
        return [x.row.grad.numpy().reshape(x.shape) for x in followed]


if __name__ == "__main__":
    serve(WarpAdapter)
