"""The products of NumPy and its linear algebra: what each is in a graph."""

from __future__ import annotations

import math
from typing import Any, Optional, Sequence

import numpy as np

from ..graph import Ref
from .einsum import LETTERS, einsum, explicit
from .numpy_front_array import Tracing
from .numpy_front_functions import axes_of, rule, written
from .numpy_front_shapes import diagonal, trace
from .numpy_front_ufuncs import numbers_of

# A graph solves systems of so many equations at most (docs/operators.md).
MOST_ROWS = 8
# Since NumPy 2 the right-hand side of a system is a vector only if it has one axis.
NUMPY_2 = int(np.__version__.split(".")[0]) >= 2


def _small(t: Tracing, a: Ref, name: str) -> Ref:
    if a.shape[-1] > MOST_ROWS:
        raise t.refuse(
            f"{name} of {a.shape[-1]} rows: a graph has it for at most {MOST_ROWS}", "ask about smaller matrices: the code is the same"
        )
    return a


@rule("dot")
def _dot(t: Tracing, a: Any, b: Any) -> Ref:
    g, x, y = t.graph, t.ref(a), t.ref(b)
    if not x.shape or not y.shape:
        return g.multiply(x, y)
    if len(y.shape) <= 2 and len(x.shape) <= 2:
        return g.matmul(x, y)
    left = LETTERS[: len(x.shape)]
    right = LETTERS[len(x.shape) : len(x.shape) + len(y.shape)]
    place = max(len(right) - 2, 0)
    right = right[:place] + left[-1] + right[place + 1 :]
    return g.einsum(f"{left},{right}->{left[:-1]}{right.replace(left[-1], '')}", x, y)


@rule("inner")
def _inner(t: Tracing, a: Any, b: Any, /) -> Ref:
    g, x, y = t.graph, t.ref(a), t.ref(b)
    if not x.shape or not y.shape:
        return g.multiply(x, y)
    left, right = LETTERS[: len(x.shape)], LETTERS[len(x.shape) : len(x.shape) + len(y.shape)]
    right = right[:-1] + left[-1]
    return g.einsum(f"{left},{right}->{left[:-1]}{right[:-1]}", x, y)


@rule("vdot")
def _vdot(t: Tracing, a: Any, b: Any, /) -> Ref:
    g = t.graph
    return g.matmul(g.reshape(t.ref(a), [-1]), g.reshape(t.ref(b), [-1]))


@rule("outer", "linalg.outer")
def _outer(t: Tracing, a: Any, b: Any, /) -> Ref:
    g = t.graph
    return g.op("outer", g.reshape(t.ref(a), [-1]), g.reshape(t.ref(b), [-1]))


@rule("linalg.matmul")
def _matmul(t: Tracing, x1: Any, x2: Any, /) -> Ref:
    return t.graph.matmul(t.ref(x1), t.ref(x2))


@written("linalg.vecdot")
def _vecdot(t: Tracing, x1: Any, x2: Any, /, *, axis: int = -1) -> Any:
    return np.sum(np.multiply(x1, x2), axis=axis)


@rule("tensordot", "linalg.tensordot")
def _tensordot(t: Tracing, a: Any, b: Any, /, axes: Any = 2) -> Ref:
    x, y = t.ref(a), t.ref(b)
    rank = len(x.shape)
    first: Any
    second: Any
    if isinstance(axes, (int, np.integer)):
        first, second = list(range(rank - axes, rank)), list(range(axes))
    else:
        first, second = ([one] if isinstance(one, (int, np.integer)) else list(one) for one in axes)
    left = list(LETTERS[:rank])
    right = list(LETTERS[rank : rank + len(y.shape)])
    for one, two in zip(first, second):
        right[two] = left[one]
    result = [letter for letter in left + right if (letter in left) != (letter in right)]
    return t.graph.einsum(f"{''.join(left)},{''.join(right)}->{''.join(result)}", x, y)


@rule("einsum")
def _einsum(t: Tracing, *operands: Any, optimize: Any = False, dtype: Any = None, order: str = "K", casting: str = "safe") -> Ref:
    text, given = _lettered(operands)
    equation = explicit(text, [np.ndim(one) for one in given])
    return einsum(t.graph, equation, [t.ref(one) for one in given])


def _lettered(operands: Sequence[Any]) -> tuple[str, list[Any]]:
    """Returns the equation, with letters where numbers name the axes, and the operands."""
    if isinstance(operands[0], str):
        return operands[0], list(operands[1:])
    pairs = list(operands)
    result = pairs.pop() if len(pairs) % 2 else None
    text = ",".join("".join("..." if one is Ellipsis else LETTERS[one] for one in names) for names in pairs[1::2])
    if result is not None:
        text += "->" + "".join("..." if one is Ellipsis else LETTERS[one] for one in result)
    return text, pairs[0::2]


@written("kron")
def _kron(t: Tracing, a: Any, b: Any) -> Any:
    rank = max(np.ndim(a), np.ndim(b))
    x = np.reshape(a, (1,) * (rank - np.ndim(a)) + np.shape(a))
    y = np.reshape(b, (1,) * (rank - np.ndim(b)) + np.shape(b))
    left = np.reshape(x, [n for extent in x.shape for n in (extent, 1)])
    right = np.reshape(y, [n for extent in y.shape for n in (1, extent)])
    return np.reshape(np.multiply(left, right), [n * m for n, m in zip(x.shape, y.shape)])


@written("cross", "linalg.cross")
def _cross(t: Tracing, a: Any, b: Any, *places: int, axisa: int = -1, axisb: int = -1, axisc: int = -1, axis: Optional[int] = None) -> Any:
    if places or axis is not None:
        axisa = axisb = axisc = axis if axis is not None else places[0]
    x, y = np.moveaxis(a, axisa, -1), np.moveaxis(b, axisb, -1)
    if x.shape[-1] != 3 or y.shape[-1] != 3:
        raise t.refuse("np.cross is followed for vectors of three elements", "write the products out")
    made = [x[..., i] * y[..., j] - x[..., j] * y[..., i] for i, j in ((1, 2), (2, 0), (0, 1))]
    return np.moveaxis(np.stack(made, axis=-1), -1, axisc)


@rule("linalg.trace")
def _linalg_trace(t: Tracing, x: Any, /, *, offset: int = 0, dtype: Any = None) -> Ref:
    return trace(t, x, offset, -2, -1)


@rule("linalg.diagonal")
def _linalg_diagonal(t: Tracing, x: Any, /, *, offset: int = 0) -> Ref:
    return diagonal(t, x, offset, -2, -1)


@rule("linalg.inv")
def _inv(t: Tracing, a: Any) -> Ref:
    return t.graph.op("inv", _small(t, t.ref(a), "the inverse"))


@rule("linalg.det")
def _det(t: Tracing, a: Any) -> Ref:
    return t.graph.op("det", _small(t, t.ref(a), "the determinant"))


@rule("linalg.slogdet")
def _slogdet(t: Tracing, a: Any) -> list[Ref]:
    g, det = t.graph, _det(t, a)
    return [g.sign(det), g.log(g.abs(det))]


@rule("linalg.solve")
def _solve(t: Tracing, a: Any, b: Any) -> Ref:
    g, matrix, right = t.graph, _small(t, t.ref(a), "a system of equations"), t.ref(b)
    is_vector = len(right.shape) == (1 if NUMPY_2 else len(matrix.shape) - 1)
    column = g.reshape(right, (*right.shape, 1)) if is_vector else right
    batch = np.broadcast_shapes(matrix.shape[:-2], column.shape[:-2])
    solved = g.op("solve", g.broadcast_to(matrix, (*batch, *matrix.shape[-2:])), g.broadcast_to(column, (*batch, *column.shape[-2:])))
    return g.reshape(solved, solved.shape[:-1]) if is_vector else solved


@rule("linalg.cholesky")
def _cholesky(t: Tracing, a: Any, /, *, upper: bool = False) -> Ref:
    g, ref = t.graph, t.ref(a)
    value = numbers_of(a)
    if not np.array_equal(value, np.swapaxes(value, -1, -2)):
        # NumPy reads one triangle; of a symmetric matrix both are meant, and the cotangent is symmetric.
        rank = len(ref.shape)
        half, rest = ("triu", 1) if upper else ("tril", -1)
        other = g.permute_dims(g.op(half, ref, offset=rest), [*range(rank - 2), rank - 1, rank - 2])
        ref = g.add(g.op(half, ref, offset=0), other)
    return g.op("cholesky", ref, upper=upper)


@written("linalg.matrix_power")
def _matrix_power(t: Tracing, a: Any, n: int) -> Any:
    base = np.linalg.inv(a) if n < 0 else a
    made = np.broadcast_to(np.eye(a.shape[-1], dtype=t.dtype), a.shape) if n == 0 else None
    for _ in range(abs(n)):
        made = base if made is None else np.matmul(made, base)
    return made


@written("linalg.multi_dot")
def _multi_dot(t: Tracing, arrays: Any, *, out: Any = None) -> Any:
    made = arrays[0]
    for one in arrays[1:]:
        made = np.dot(made, one)
    return made


@rule("linalg.norm")
def _norm(t: Tracing, x: Any, ord: Any = None, axis: Any = None, keepdims: bool = False) -> Ref:  # noqa: A002 (NumPy's name)
    ref = t.ref(x)
    rank = len(ref.shape)
    if axis is None and ord is None:
        flat = t.graph.reduce("norm", ref, None)
        return t.graph.reshape(flat, (1,) * rank) if keepdims else flat
    axes = axes_of(axis, rank)
    if len(axes) == 2:
        return _matrix_norm(t, ref, "fro" if ord is None else ord, axes, keepdims)
    return _vector_norm(t, ref, 2 if ord is None else ord, axes, keepdims)


@rule("linalg.vector_norm")
def _vector_norm_rule(t: Tracing, x: Any, /, *, axis: Any = None, keepdims: bool = False, ord: Any = 2) -> Ref:  # noqa: A002
    ref = t.ref(x)
    return _vector_norm(t, ref, ord, axes_of(axis, len(ref.shape)), keepdims)


@rule("linalg.matrix_norm")
def _matrix_norm_rule(t: Tracing, x: Any, /, *, keepdims: bool = False, ord: Any = "fro") -> Ref:  # noqa: A002
    ref = t.ref(x)
    return _matrix_norm(t, ref, ord, [len(ref.shape) - 2, len(ref.shape) - 1], keepdims)


def _vector_norm(t: Tracing, x: Ref, order: Any, axes: Sequence[int], keepdims: bool) -> Ref:
    g = t.graph
    if order == 2:
        return g.reduce("norm", x, axes, keepdims)
    if order == 1:
        return g.reduce("sum", g.abs(x), axes, keepdims)
    if order in (math.inf, -math.inf):
        return g.reduce("max" if order > 0 else "min", g.abs(x), axes, keepdims)
    if order == 0:
        return g.reduce("sum", g.not_equal(x, 0), axes, keepdims)
    if not isinstance(order, (int, float)):
        raise t.refuse(f"the norm {order!r} of a vector is not followed")
    return g.pow(g.reduce("sum", g.pow(g.abs(x), order), axes, keepdims), g.divide(g.full((), 1), t.rounded(order)))


def _matrix_norm(t: Tracing, x: Ref, order: Any, axes: Sequence[int], keepdims: bool) -> Ref:
    g = t.graph
    if order == "fro":
        return g.reduce("norm", x, axes, keepdims)
    if order in (1, -1, math.inf, -math.inf):
        rows, columns = axes if abs(order) == 1 else (axes[1], axes[0])
        sums = g.reduce("sum", g.abs(x), [rows], True)
        made = g.reduce("max" if order > 0 else "min", sums, [columns], True)
        return made if keepdims else g.reshape(made, [n for axis, n in enumerate(x.shape) if axis not in axes])
    raise t.refuse(f"the norm {order!r} of a matrix needs singular values, which have no place in a graph", "use fro, 1 or inf")

