"""What products of matrices and linear algebra of PyTorch become."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..graph import Operand, Ref
from .torch_front_reductions import normed
from .torch_front_rules import Made, refuse, rule, times

PART = "Products and linear algebra"


@rule("mm", "bmm", "matmul", "mv", "dot", "vdot", becomes="`matmul`", part=PART)
def matmul(t: Any, a: Any) -> Made:
    other = next(getattr(a, name) for name in ("mat2", "other", "vec", "tensor") if hasattr(a, name))
    return t.graph.matmul(t.of(a.self), t.of(other))


@rule("outer", "ger", becomes="`outer`", part=PART)
def outer(t: Any, a: Any) -> Made:
    return t.graph.op("outer", t.of(a.self), t.of(getattr(a, "vec2", None)))


def plus(t: Any, a: Any, product: Operand) -> Ref:
    """Returns β self + α product."""
    g = t.graph
    scaled = times(g, product, a.alpha)
    # With β = 0 PyTorch does not read what would be added.
    return g.ref(scaled) if a.beta == 0 else g.add(times(g, t.of(a.self), a.beta, a.out.shape), scaled)


@rule("addmm", becomes="`matmul`, `add`", part=PART)
def addmm(t: Any, a: Any) -> Made:
    return plus(t, a, t.graph.matmul(t.of(a.mat1), t.of(a.mat2)))


@rule("addmv", becomes="`matmul`, `add`", part=PART)
def addmv(t: Any, a: Any) -> Made:
    return plus(t, a, t.graph.matmul(t.of(a.mat), t.of(a.vec)))


@rule("baddbmm", becomes="`matmul`, `add`", part=PART)
def baddbmm(t: Any, a: Any) -> Made:
    return plus(t, a, t.graph.matmul(t.of(a.batch1), t.of(a.batch2)))


@rule("addbmm", becomes="`matmul`, `sum`, `add`", part=PART)
def addbmm(t: Any, a: Any) -> Made:
    return plus(t, a, t.graph.reduce("sum", t.graph.matmul(t.of(a.batch1), t.of(a.batch2)), [0]))


@rule("addr", becomes="`outer`, `add`", part=PART)
def addr(t: Any, a: Any) -> Made:
    return plus(t, a, t.graph.op("outer", t.of(a.vec1), t.of(a.vec2)))


@rule("linear", becomes="`matmul`, `add`", part=PART)
def linear(t: Any, a: Any) -> Made:
    w = t.ref(a.weight)
    product = t.graph.matmul(t.of(a.input), t.graph.permute_dims(w, range(len(w.shape))[::-1]))
    return product if a.bias is None else t.graph.add(product, t.of(a.bias))


@rule("_trilinear", becomes="`multiply`, `sum`", part=PART)
def trilinear(t: Any, a: Any) -> Made:
    g = t.graph
    parts = []
    for x, spread in ((a.i1, a.expand1), (a.i2, a.expand2), (a.i3, a.expand3)):
        shape = list(x.shape)
        for axis in sorted(spread):
            shape.insert(axis, 1)
        parts.append(g.reshape(t.of(x), shape))
    product = g.multiply(g.multiply(parts[0], parts[1]), parts[2])
    return g.reduce("sum", product, a.sumdim)


@rule("linalg_cross", becomes="`take`, `multiply`, `subtract`", part=PART)
def cross(t: Any, a: Any) -> Made:
    g = t.graph
    shape = tuple(a.out.shape)
    x, y = g.broadcast_to(t.of(a.self), shape), g.broadcast_to(t.of(a.other), shape)
    axis = a.dim % len(shape)

    def turned(v: Ref, order: list[int]) -> Ref:
        return g.take(v, np.array(order), axis)

    first = g.multiply(turned(x, [1, 2, 0]), turned(y, [2, 0, 1]))
    return g.subtract(first, g.multiply(turned(x, [2, 0, 1]), turned(y, [1, 2, 0])))


@rule("_cdist_forward", "_euclidean_dist", becomes="the norm of differences", part=PART)
def cdist(t: Any, a: Any) -> Made:
    g, x, y = t.graph, t.ref(a.x1), t.ref(a.x2)
    rows = g.reshape(x, (*x.shape[:-1], 1, x.shape[-1]))
    columns = g.reshape(y, (*y.shape[:-2], 1, *y.shape[-2:]))
    return normed(g, g.ref(g.subtract(rows, columns)), float(getattr(a, "p", 2)), [-1], False)


@rule("_pdist_forward", becomes="`take`, and the norm of differences", part=PART)
def pdist(t: Any, a: Any) -> Made:
    g, x = t.graph, t.ref(a.self)
    first, second = np.triu_indices(x.shape[0], 1)
    return normed(g, g.ref(g.subtract(g.take(x, first, 0), g.take(x, second, 0))), float(a.p), [-1], False)


# ---- Systems of equations --------------------------------------------------------------------------------


def turned(t: Any, x: Ref) -> Ref:
    """Transposes the last two axes."""
    rank = len(x.shape)
    return t.graph.permute_dims(x, [*range(rank - 2), rank - 1, rank - 2])


def refuse_large(x: Ref) -> None:
    """Refuses matrices that are larger than a graph has them."""
    if x.shape[-1] > 8:
        raise refuse(
            f"a matrix of {x.shape[-1]} rows is solved or has its determinant taken",
            "at most 8 rows are judged",
        )


def solved(t: Any, matrix: Ref, right: Ref, is_left: bool, is_vector: bool) -> Ref:
    """Returns X with A X = B, or X A = B."""
    g = t.graph
    refuse_large(matrix)
    if is_vector:
        right = g.reshape(right, (*right.shape, 1))
    batch = np.broadcast_shapes(matrix.shape[:-2], right.shape[:-2])
    matrix, right = (g.broadcast_to(x, (*batch, *x.shape[-2:])) for x in (matrix, right))
    if not is_left:
        return turned(t, g.op("solve", turned(t, matrix), turned(t, right)))
    x = g.op("solve", matrix, right)
    return g.reshape(x, x.shape[:-1]) if is_vector else x


@rule("_linalg_solve_ex", "linalg_solve_ex", "linalg_solve", becomes="`solve`", part=PART)
def solve(t: Any, a: Any) -> Made:
    matrix, right = t.ref(a.A), t.ref(a.B)
    is_vector = len(right.shape) == 1 or (
        len(matrix.shape) - 1 == len(right.shape) and right.shape == matrix.shape[:-1]
    )
    x = solved(t, matrix, right, a.left, is_vector)
    return x if not isinstance(a.out, (tuple, list)) else [x, *[None] * (len(a.out) - 1)]


@rule("linalg_inv_ex", "linalg_inv", "inverse", becomes="`inv`", part=PART)
def inverse(t: Any, a: Any) -> Made:
    x = t.ref(getattr(a, "A", getattr(a, "self", None)))
    refuse_large(x)
    made = t.graph.op("inv", x)
    return [made, None] if isinstance(a.out, (tuple, list)) else made


@rule("_linalg_det", becomes="`det`", part=PART)
def det(t: Any, a: Any) -> Made:
    x = t.ref(a.A)
    refuse_large(x)
    return [t.graph.op("det", x), None, None]


@rule("_linalg_slogdet", becomes="`sign` and `log` of `abs` of `det`", part=PART)
def slogdet(t: Any, a: Any) -> Made:
    x = t.ref(a.A)
    refuse_large(x)
    value = t.graph.op("det", x)
    return [t.graph.sign(value), t.graph.log(t.graph.abs(value)), None, None]


@rule("linalg_cholesky_ex", becomes="`cholesky`, of the symmetric part", part=PART)
def cholesky(t: Any, a: Any) -> Made:
    made = t.graph.op("cholesky", t.of(a.self), upper=bool(a.upper))
    return [made, None] if isinstance(a.out, (tuple, list)) else made


def triangular(t: Any, matrix: Ref, right: Ref, upper: bool, is_unit: bool = False) -> Ref:
    """Returns X with T X = B, T a triangle of a matrix."""
    g = t.graph
    batch = np.broadcast_shapes(matrix.shape[:-2], right.shape[:-2])
    matrix, right = (g.broadcast_to(x, (*batch, *x.shape[-2:])) for x in (matrix, right))
    if is_unit:
        matrix = g.where(np.eye(matrix.shape[-1]), 1, matrix)
    return g.op("triangular_solve", matrix, right, upper=upper)


@rule("linalg_solve_triangular", becomes="`triangular_solve`", part=PART)
def solve_triangular(t: Any, a: Any) -> Made:
    matrix, right = t.ref(a.self), t.ref(a.B)
    if a.left:
        return triangular(t, matrix, right, bool(a.upper), a.unitriangular)
    return turned(t, triangular(t, turned(t, matrix), turned(t, right), not a.upper, a.unitriangular))


@rule("triangular_solve", becomes="`triangular_solve`", part=PART)
def old_triangular_solve(t: Any, a: Any) -> Made:
    matrix = t.ref(a.A)
    used = turned(t, matrix) if a.transpose else matrix
    return [triangular(t, used, t.ref(a.self), a.upper != a.transpose, a.unitriangular), matrix]


@rule("_cholesky_solve_helper", "cholesky_solve", becomes="`triangular_solve`, twice", part=PART)
def cholesky_solve(t: Any, a: Any) -> Made:
    factor = t.ref(a.A if hasattr(a, "A") else a.input2)
    first, second = (turned(t, factor), factor) if a.upper else (factor, turned(t, factor))
    return triangular(t, second, triangular(t, first, t.ref(a.self), False), True)


@rule("cholesky_inverse", becomes="`triangular_solve` of the identity, twice", part=PART)
def cholesky_inverse(t: Any, a: Any) -> Made:
    factor = t.ref(a.self)
    first, second = (turned(t, factor), factor) if a.upper else (factor, turned(t, factor))
    unit = t.graph.constant(np.broadcast_to(np.eye(factor.shape[-1]), factor.shape))
    return triangular(t, second, triangular(t, first, unit, False), True)
