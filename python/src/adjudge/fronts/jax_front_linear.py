"""Rules for primitives of a jaxpr that solve linear systems or factorise matrices."""

from __future__ import annotations

import math
from typing import Any, Optional, Sequence

import jax
import jax.numpy as jnp
import numpy as np
from jax.extend.core import JaxprEqn

from ..graph import Ref
from .jax_front_calls import walks
from .jax_front_rules import RULES, Params, rule
from .jax_front_shapes import part
from .jax_front_values import Step, Value
from .jax_front_writer import Writer

# The operators solve and det take matrices of at most so many rows.
MOST_ROWS = 8


@rule("cholesky")
def _cholesky(w: Writer, p: Params, x: Value) -> Ref:
    """Takes a matrix that is made symmetric: of another one JAX's rule leaves open which half moves."""
    ref = w.ref(x)
    if not _symmetrised(w, ref) and not (x.known and np.array_equal(x.number, np.swapaxes(x.number, -1, -2))):
        hint = "use jax.numpy.linalg.cholesky, or write (a + a.T) / 2 before"
        raise w.refusal("the Cholesky factor of a matrix that need not be symmetric", hint)
    return w.graph.op("cholesky", ref, upper=False)


def _symmetrised(w: Writer, x: Ref) -> bool:
    """Tells whether a value is (A + Aᵀ)/2, or the transpose of such a one."""
    name, parents = w.graph.node(x)
    while name in ("permute_dims", "stop_gradient"):
        name, parents = w.graph.node(parents[0])
    if name not in ("divide", "multiply") or not any(w.graph.node(parent)[0] == "full" for parent in parents):
        return False
    for name, sides in map(w.graph.node, parents):
        if name == "add" and any(w.graph.node(a) == ("permute_dims", [b]) for a, b in (sides, sides[::-1])):
            return True
    return False


@rule("triangular_solve")
def _triangular_solve(w: Writer, p: Params, a: Value, b: Value) -> Ref:
    matrix, right, upper = w.ref(a), w.ref(b), not p["lower"]
    rank = len(matrix.shape)
    turned = (*range(rank - 2), rank - 1, rank - 2)
    if p["unit_diagonal"]:
        matrix = w.graph.where(np.broadcast_to(np.eye(matrix.shape[-1]), matrix.shape), 1.0, matrix)
    if p["transpose_a"] != (not p["left_side"]):
        matrix, upper = w.graph.permute_dims(matrix, turned), not upper
    if p["left_side"]:
        return w.graph.op("triangular_solve", matrix, right, upper=upper)
    solved = w.graph.op("triangular_solve", matrix, w.graph.permute_dims(right, turned), upper=upper)
    return w.graph.permute_dims(solved, turned)


@rule("lu")
def _lu(w: Writer, p: Params, x: Value) -> Ref:
    """Eliminates with the rows in the order that JAX chose at the point."""
    assert p[""] == 0
    ref = w.ref(x)
    order = np.asarray(jax.lax.linalg.lu(jnp.asarray(w.now(x)))[2])
    return _eliminated(w, _rows(w, ref, order))


def _rows(w: Writer, x: Ref, order: np.ndarray) -> Ref:
    """Returns matrices with their rows in another order."""
    if len(x.shape) == 2:
        return w.graph.take(x, order, 0)
    return w.graph.take_along_axis(x, np.broadcast_to(order[..., None], x.shape), -2)


def _eliminated(w: Writer, x: Ref) -> Ref:
    """Returns the factors of a matrix, L below the diagonal and U above, in one matrix."""
    rank, (rows, columns) = len(x.shape), x.shape[-2:]
    row_axis, column_axis = rank - 2, rank - 1
    if rows == 0 or columns == 0:
        return x
    row = part(w, x, row_axis, 0, 1)
    if rows == 1:
        return row
    column, pivot = part(w, part(w, x, row_axis, 1, rows), column_axis, 0, 1), part(w, row, column_axis, 0, 1)
    factors = w.graph.divide(column, pivot)
    if columns == 1:
        return w.graph.concat([row, factors], row_axis)
    rest, beside = part(w, part(w, x, row_axis, 1, rows), column_axis, 1, columns), part(w, row, column_axis, 1, columns)
    inner = _eliminated(w, w.graph.subtract(rest, w.graph.multiply(factors, beside)))
    return w.graph.concat([row, w.graph.concat([factors, inner], column_axis)], row_axis)


@walks("custom_linear_solve")
def _custom_linear_solve(w: Writer, equation: JaxprEqn, operands: Sequence[Value], needed: Sequence[bool]) -> list[Value]:
    p = equation.params
    lengths = p["const_lengths"]
    consts, right = operands[: lengths.matvec], operands[sum(lengths) :]
    system = _system(p["jaxprs"].matvec, consts, right)
    if system is None:
        hint = "use jax.numpy.linalg.solve, or give a plain version as reference="
        raise w.refusal("a linear system whose matrix is not an array of the function", hint)
    matrix_order, right_order = system
    back = np.argsort(right_order).tolist()

    def solved(numbers: list[Any]) -> list[Any]:
        matrix, moved = jnp.transpose(numbers[0], matrix_order), jnp.transpose(numbers[1], right_order)
        answer = jnp.linalg.solve(matrix, moved.reshape(*matrix.shape[:-1], -1))
        return [jnp.transpose(answer.reshape(moved.shape), back)]

    def write() -> Ref:
        matrix = w.graph.permute_dims(w.ref(consts[0]), matrix_order)
        moved = w.graph.permute_dims(w.ref(right[0]), right_order)
        flat = w.graph.reshape(moved, (*matrix.shape[:-1], math.prod(moved.shape[len(matrix_order) - 1 :])))
        if matrix.shape[-1] <= MOST_ROWS:
            answer = w.graph.op("solve", matrix, flat)
        else:
            answer = _eliminating(w, matrix, flat, np.asarray(w.now(consts[0])).transpose(matrix_order))
        return w.graph.permute_dims(w.graph.reshape(answer, moved.shape), back)

    made = Value(right[0].shape, right[0].dtype, write=write, step=(Step(solved, [consts[0], right[0]]), 0), data=consts[0].data | right[0].data)
    if consts[0].known and right[0].known:
        (made.number,) = solved([consts[0].number, right[0].number])
        made.known = made.rounded = True
    else:
        w.ref(made)
    return [made]


def _eliminating(w: Writer, matrix: Ref, right: Ref, numbers: np.ndarray) -> Ref:
    """Solves with the rows in the order of this point, where the operator takes no matrix so large."""
    order = np.asarray(jax.lax.linalg.lu(jnp.asarray(numbers))[2])
    factors = _eliminated(w, _rows(w, matrix, order))
    unit = w.graph.where(np.broadcast_to(np.eye(matrix.shape[-1]), factors.shape), 1.0, factors)
    lower = w.graph.op("triangular_solve", unit, _rows(w, right, order), upper=False)
    return w.graph.op("triangular_solve", factors, lower, upper=True)


def _system(matvec: Any, consts: Sequence[Value], right: Sequence[Value]) -> Optional[tuple[list[int], list[int]]]:
    """Recognises A x as one product with a matrix that is given: the order of axes that makes it A X = B.

    What was recognised is tried with numbers, so that a product which only looks like one is not taken for it.
    """
    first = matvec.jaxpr.eqns[:1]
    if len(consts) != 1 or len(right) != 1 or not first or first[0].primitive.name != "dot_general":
        return None
    product = first[0]
    (left, contracted), (left_batch, right_batch) = product.params["dimension_numbers"]
    if list(product.invars) == matvec.jaxpr.invars[::-1]:
        (contracted, left), (right_batch, left_batch) = product.params["dimension_numbers"]
    elif list(product.invars) != matvec.jaxpr.invars:
        return None
    rest = [axis for axis in range(len(consts[0].shape)) if axis not in (*left, *left_batch)]
    if len(left) != 1 or len(rest) != 1:
        return None
    matrix_order = [*left_batch, rest[0], left[0]]
    others = [axis for axis in range(len(right[0].shape)) if axis not in (*contracted, *right_batch)]
    right_order = [*right_batch, contracted[0], *others]
    random = np.random.default_rng(1)
    a, b = random.standard_normal(consts[0].shape), random.standard_normal(right[0].shape)
    (answered,) = jax.core.eval_jaxpr(matvec.jaxpr, matvec.consts, jnp.asarray(a, consts[0].dtype), jnp.asarray(b, right[0].dtype))
    moved = b.transpose(right_order)
    batch = moved.shape[: len(left_batch)]
    flat = moved.reshape(*batch, moved.shape[len(batch)], -1)
    expected = (a.transpose(matrix_order) @ flat).reshape(moved.shape).transpose(np.argsort(right_order))
    if answered.shape != expected.shape or not np.allclose(np.asarray(answered, np.float64), expected, rtol=1e-2, atol=1e-2):
        return None
    return [int(n) for n in matrix_order], [int(n) for n in right_order]


def _determinant(w: Writer, closed: Any, xs: Sequence[Value]) -> Optional[Ref]:
    (x,) = xs
    return w.graph.op("det", w.ref(x)) if x.shape[-1] <= MOST_ROWS else None


def _det(w: Writer, closed: Any, xs: Sequence[Value], needed: Sequence[bool]) -> list[Value]:
    ref = _determinant(w, closed, xs)
    return w.inline(closed, xs, needed) if ref is None else [Value(ref.shape, xs[0].dtype, ref=ref)]


def _slogdet(w: Writer, closed: Any, xs: Sequence[Value], needed: Sequence[bool]) -> list[Value]:
    ref = _determinant(w, closed, xs)
    if ref is None:
        return w.inline(closed, xs, needed)
    size = w.graph.log(w.graph.abs(ref))
    return [Value(ref.shape, xs[0].dtype, ref=w.graph.sign(ref)), Value(ref.shape, xs[0].dtype, ref=size)]


RULES["jit of det"] = _det
RULES["custom_jvp_call of _slogdet_lu"] = _slogdet
