"""CasADi: https://github.com/casadi/casadi. A graph becomes expressions in symbols, and these a function.

CasADi has matrices. A tensor is a column of its elements here, and NumPy moves their places. The expressions are
of columns (MX); with `--scalars` they are of numbers (SX), which can stop no gradient.
"""

from __future__ import annotations

import argparse
import math
from importlib.metadata import version

import casadi as ca
import numpy as np
from adjudge.kit.adapter import Adapter, Arrays, Description, Function, serve
from place_moves import MOVES, diagonal, places_of, tril, triu

options = argparse.ArgumentParser()
options.add_argument("--scalars", action="store_true")
SCALARS = options.parse_known_args()[0].scalars
KIND = ca.SX if SCALARS else ca.MX


class Tensor:
    """A column of CasADi with a shape, its elements in row-major order."""

    def __init__(self, column, shape):
        self.column, self.shape = column, tuple(shape)

    def __add__(self, other):
        return Tensor(self.column + other.column, self.shape)

    def places(self):
        return places_of(self.shape)

    def at(self, places):
        """Returns the elements at places; 0 where a place is −1."""
        chosen = places.reshape(-1).tolist()
        if not chosen:
            return Tensor(ca.DM.zeros(0, 1), places.shape)
        column = ca.vertcat(self.column, ca.DM.zeros(1, 1)) if -1 in chosen else self.column
        size = math.prod(self.shape)
        return Tensor(column[[size if place < 0 else place for place in chosen], 0], places.shape)

    def matrix(self):
        """Returns the matrix of a tensor of rank 2; CasADi's are in column-major order."""
        return ca.reshape(self.at(self.places().T).column, *self.shape)


def tensor(matrix):
    """Makes a tensor of a matrix."""
    rows, columns = matrix.shape
    return Tensor(ca.reshape(matrix.T, rows * columns, 1), (rows, columns))


def joined(tensors, shape):
    parts = [part.column for part in tensors if math.prod(part.shape) > 0]
    return Tensor(ca.vertcat(*parts) if parts else ca.DM.zeros(0, 1), shape)


def elementwise(compute):
    return lambda x, *others: Tensor(compute(x.column, *(other.column for other in others)), x.shape)


def moved(move):
    """Makes an operator of what NumPy does with the places of elements."""
    return lambda x, **attributes: x.at(move(x.places(), **attributes))


def reduction(reduce):
    """Makes an operator of what CasADi does with a column, such as the elements that are summed."""

    def reduced(x, axes, keepdims):
        rest = [axis for axis in range(len(x.shape)) if axis not in axes]
        counts = [math.prod(x.shape[axis] for axis in part) for part in (rest, axes)]
        kept = np.transpose(x.places(), [*rest, *axes]).reshape(counts)
        shape = [1 if axis in axes else n for axis, n in enumerate(x.shape) if keepdims or axis not in axes]
        return joined([Tensor(reduce(x.at(places).column), ()) for places in kept], shape)

    return reduced


def mean(column):
    return ca.sum1(column) / column.shape[0]


def concat(*tensors, axis):
    starts = np.cumsum([0, *(math.prod(part.shape) for part in tensors)])
    places = np.concatenate([part.places() + start for part, start in zip(tensors, starts)], axis)
    return joined(tensors, (starts[-1],)).at(places)


def stack(*tensors, axis):
    shape = (*tensors[0].shape[:axis], 1, *tensors[0].shape[axis:])
    return concat(*(Tensor(part.column, shape) for part in tensors), axis=axis)


def cumulative_sum(x, axis):
    lines = np.moveaxis(x.places(), axis, -1)
    sums = [Tensor(ca.cumsum(x.at(places).column), ()) for places in lines.reshape(math.prod(lines.shape[:-1]), lines.shape[-1])]
    order = np.moveaxis(np.arange(lines.size).reshape(lines.shape), -1, axis)
    return joined(sums, (lines.size,)).at(order)


def matmul(x, y):
    a, b = x.places(), y.places()
    a, b = a[None, :] if a.ndim == 1 else a, b[:, None] if b.ndim == 1 else b
    batch = np.broadcast_shapes(a.shape[:-2], b.shape[:-2])
    pairs = zip(
        np.broadcast_to(a, (*batch, *a.shape[-2:])).reshape(math.prod(batch), *a.shape[-2:]),
        np.broadcast_to(b, (*batch, *b.shape[-2:])).reshape(math.prod(batch), *b.shape[-2:]),
    )
    products = [tensor(ca.densify(ca.mtimes(x.at(left).matrix(), y.at(right).matrix()))) for left, right in pairs]
    rows = [] if len(x.shape) == 1 else [a.shape[-2]]
    return joined(products, (*batch, *rows, *([] if len(y.shape) == 1 else [b.shape[-1]])))


def each_matrix(compute, shape_of):
    """Makes an operator of what CasADi does with a matrix."""

    def computed(x, *others, **attributes):
        stacks = [one.places().reshape(math.prod(one.shape[:-2]), *one.shape[-2:]) for one in (x, *others)]
        results = [
            tensor(ca.densify(compute(*(one.at(places).matrix() for one, places in zip((x, *others), found)), **attributes)))
            for found in zip(*stacks)
        ]
        return joined(results, shape_of(x, *others))

    return computed


def scatter_add(x, updates, indices):
    places = x.places()[tuple(np.moveaxis(indices, -1, 0))].reshape(-1).tolist()
    count = math.prod(x.shape)
    if not places or not count:
        return x
    # The sum is a product with the matrix of who goes where.
    goes = np.zeros((count, len(places)))
    goes[places, range(len(places))] = 1
    return Tensor(x.column + ca.mtimes(ca.sparsify(ca.DM(goes)), updates.column), x.shape)


class CasadiAdapter(Adapter):
    description = Description(
        name="CasADi",
        version=version("casadi") + (" (SX)" if SCALARS else ""),
        links=["https://github.com/casadi/casadi", "https://web.casadi.org"],
        conventions={"maximumAtTie": "split", "reluAtZero": "half", "compositeKinks": "own"},
    )

    # CasADi lacks log2, rounding to even, sorting, and losses and layers.
    operators = {
        "constant": lambda name: name,
        "full": lambda shape, value, dtype: Tensor(ca.DM([value] * math.prod(shape)), shape),
        "iota": lambda shape, axis, dtype: constant(np.broadcast_to(np.arange(shape[axis]).reshape(-1, *[1] * (len(shape) - axis - 1)), shape)),
        "negative": elementwise(lambda x: -x),
        "exp": elementwise(ca.exp),
        "log": elementwise(ca.log),
        "sin": elementwise(ca.sin),
        "cos": elementwise(ca.cos),
        "tanh": elementwise(ca.tanh),
        "sqrt": elementwise(ca.sqrt),
        "relu": elementwise(lambda x: ca.fmax(x, 0)),
        "floor": elementwise(ca.floor),
        "expm1": elementwise(ca.expm1),
        "log1p": elementwise(ca.log1p),
        "tan": elementwise(ca.tan),
        "asin": elementwise(ca.asin),
        "acos": elementwise(ca.acos),
        "atan": elementwise(ca.atan),
        "sinh": elementwise(ca.sinh),
        "cosh": elementwise(ca.cosh),
        "asinh": elementwise(ca.asinh),
        "acosh": elementwise(ca.acosh),
        "atanh": elementwise(ca.atanh),
        "erf": elementwise(ca.erf),
        "add": elementwise(lambda x, y: x + y),
        "subtract": elementwise(lambda x, y: x - y),
        "multiply": elementwise(lambda x, y: x * y),
        "divide": elementwise(lambda x, y: x / y),
        "maximum": elementwise(ca.fmax),
        "less": elementwise(ca.lt),
        "equal": elementwise(ca.eq),
        "pow": elementwise(ca.power),
        "atan2": elementwise(ca.atan2),
        "hypot": elementwise(ca.hypot),
        "where": elementwise(lambda condition, x, y: ca.if_else(condition != 0, x, y)),
        "sum": reduction(ca.sum1),
        **{name: moved(move) for name, move in MOVES.items()},
        "reshape": lambda x, shape: Tensor(x.column, shape),
        "concat": concat,
        "scatter_add": scatter_add,
        "cumulative_sum": cumulative_sum,
        "matmul": matmul,
        "det": each_matrix(ca.det, lambda x: x.shape[:-2]),
        # These are composites.
        "abs": elementwise(ca.fabs),
        "sign": elementwise(ca.sign),
        "square": elementwise(lambda x: x**2),
        "reciprocal": elementwise(lambda x: 1 / x),
        "ceil": elementwise(ca.ceil),
        "minimum": elementwise(ca.fmin),
        "clip": elementwise(lambda x, low, high: ca.fmin(ca.fmax(x, low), high)),
        "not_equal": elementwise(ca.ne),
        "less_equal": elementwise(ca.le),
        "greater": elementwise(ca.gt),
        "greater_equal": elementwise(ca.ge),
        "logical_not": elementwise(ca.logic_not),
        "logical_and": elementwise(ca.logic_and),
        "logical_or": elementwise(ca.logic_or),
        "mean": reduction(mean),
        "max": reduction(ca.mmax),
        "min": reduction(ca.mmin),
        "logsumexp": reduction(ca.logsumexp),
        "norm": reduction(ca.norm_2),
        "stack": stack,
        "split": moved(lambda places, axis, sections, part: np.split(places, sections, axis)[part]),
        "flip": moved(lambda places, axes: np.flip(places, axes)),
        "roll": moved(lambda places, shift, axis: np.roll(places, shift, axis)),
        "tile": moved(lambda places, repetitions: np.tile(places, repetitions)),
        "diagonal": moved(diagonal),
        "tril": moved(tril),
        "triu": moved(triu),
        "inv": each_matrix(ca.inv, lambda x: x.shape),
        "embedding": moved(lambda places, indices: places[indices]),
        **({} if SCALARS else {"stop_gradient": elementwise(lambda x: ca.stop_diff(x, 1))}),
    }

    nests = True

    def array(self, value: np.ndarray) -> Tensor:
        return constant(value)

    def evaluate(self, f: Function, inputs: Arrays) -> Arrays:
        return answered(f, inputs, [], lambda y, x, along: y)

    def jvp(self, f: Function, inputs: Arrays, tangents: Arrays) -> Arrays:
        return answered(f, inputs, tangents, pushed)

    def vjp(self, f: Function, inputs: Arrays, cotangents: Arrays) -> Arrays:
        return answered(f, inputs, cotangents, pulled)

    def inner_jvp(self, f: Function, inputs: Arrays, tangents: Arrays) -> Arrays:
        return substituted(f, inputs, tangents, pushed)

    def inner_vjp(self, f: Function, inputs: Arrays, cotangents: Arrays) -> Arrays:
        return substituted(f, inputs, cotangents, pulled)


def constant(value):
    return Tensor(ca.DM(value.reshape(-1).tolist()) if value.size else ca.DM.zeros(0, 1), value.shape)


def pushed(y, x, along):
    return ca.jtimes(y, x, along)


def pulled(y, x, along):
    return ca.jtimes(y, x, along, True)


def whole(tensors):
    """Returns all elements as one column."""
    return joined(tensors, ()).column


def apart(column, tensors):
    """Cuts a column into tensors of the shapes of others."""
    ends = np.cumsum([0, *(math.prod(one.shape) for one in tensors)]).tolist()
    return [Tensor(column[start:end, 0], one.shape) for start, end, one in zip(ends, ends[1:], tensors)]


def expressed(f, inputs, along, derive, x):
    """Returns what `derive` makes of a function of symbols, and the tensors whose shapes that has."""
    outputs = f(apart(x, inputs))
    expression = ca.densify(derive(whole(outputs), x, along))
    return expression, inputs if derive is pulled else outputs


def answered(f, inputs, along, derive):
    # Seeds are symbols too, or CasADi would compute with their numbers beforehand.
    given = [whole(inputs), whole(along)]
    x, s = (KIND.sym(name, column.shape[0]) for name, column in zip("xs", given))
    expression, likes = expressed(f, inputs, s, derive, x)
    numbers = ca.Function("f", [x, s], [expression])(*given).full().reshape(-1)
    ends = np.cumsum([0, *(math.prod(one.shape) for one in likes)]).tolist()
    return [numbers[start:end].reshape(one.shape) for start, end, one in zip(ends, ends[1:], likes)]


def substituted(f, inputs, along, derive):
    x = KIND.sym("x", whole(inputs).shape[0])
    expression, likes = expressed(f, inputs, whole(along), derive, x)
    return apart(ca.substitute(expression, x, whole(inputs)), likes)


if __name__ == "__main__":
    serve(CasadiAdapter)
