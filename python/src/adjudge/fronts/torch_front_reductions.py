"""What reductions, scans and orders of PyTorch become."""

from __future__ import annotations

import math
from typing import Any, Optional, Sequence

import numpy as np

from ..graph import Graph, Operand, Ref
from .torch_front_rules import Made, axes_of, logical, rule

PART = "Reductions, scans, orders"


def over(t: Any, a: Any, name: str, x: Optional[Operand] = None, **more: Any) -> Ref:
    """Reduces over the axes that `dim` names."""
    ref = t.ref(a.self) if x is None else t.graph.ref(x)
    axes = axes_of(getattr(a, "dim", None), len(ref.shape))
    return t.graph.reduce(name, ref, axes, bool(getattr(a, "keepdim", False)), **more)


def reduction(ours: str, *theirs: str) -> None:
    """Enters a reduction that the graph has."""

    @rule(*theirs, becomes=f"`{ours}`", part=PART)
    def make(t: Any, a: Any) -> Made:
        return over(t, a, ours)


reduction("sum", "sum")
reduction("mean", "mean")
reduction("max", "amax")
reduction("min", "amin")
reduction("logsumexp", "logsumexp")
reduction("prod", "prod")


@rule("nansum", becomes="`sum` of `where`", part=PART)
def nansum(t: Any, a: Any) -> Made:
    x = t.of(a.self)
    return over(t, a, "sum", t.graph.where(t.graph.not_equal(x, x), 0, x))


@rule("max", "min", becomes="`max`, `min`; the places by `argmax`", part=PART)
def extreme(t: Any, a: Any) -> Made:
    name = a.func._schema.name.partition("::")[2]
    value = over(t, a, name)
    return [value, place_of(t, a, name)] if hasattr(a, "dim") else value


def place_of(t: Any, a: Any, name: str) -> Ref:
    """Returns the place of an extreme along an axis, or in the row of all elements."""
    x = t.ref(a.self)
    x = t.graph.negative(x) if name == "min" else x
    if a.dim is None:
        place = t.graph.op("argmax", t.graph.reshape(x, (math.prod(x.shape),)), axis=0, keepdims=False)
        return t.graph.reshape(place, a.out.shape)
    if not x.shape:
        return t.graph.full((), 0)
    return t.graph.op("argmax", x, axis=a.dim % len(x.shape), keepdims=bool(a.keepdim))


@rule("argmax", "argmin", becomes="`argmax`", part=PART)
def argmax(t: Any, a: Any) -> Made:
    return place_of(t, a, a.func._schema.name.partition("::arg")[2])


@rule("aminmax", becomes="`min` and `max`", part=PART)
def aminmax(t: Any, a: Any) -> Made:
    return [over(t, a, "min"), over(t, a, "max")]


@rule("any", becomes="`sum` of what is not 0, compared with 0", part=PART)
def any_of(t: Any, a: Any) -> Made:
    return t.graph.less(0, over(t, a, "sum", logical(t.graph, t.of(a.self))))


@rule("all", becomes="`sum` of what is 0, compared with 0", part=PART)
def all_of(t: Any, a: Any) -> Made:
    return t.graph.equal(over(t, a, "sum", t.graph.equal(t.of(a.self), 0)), 0)


@rule("count_nonzero", becomes="`sum` of what is not 0", part=PART)
def count_nonzero(t: Any, a: Any) -> Made:
    return over(t, a, "sum", logical(t.graph, t.of(a.self)))


def correction(a: Any) -> Any:
    """Returns what is taken off the count: 1 unless told."""
    if getattr(a, "correction", None) is not None:
        return a.correction
    return int(getattr(a, "unbiased", True))


@rule("var", becomes="`var`", part=PART)
def var(t: Any, a: Any) -> Made:
    return over(t, a, "var", correction=correction(a))


@rule("std", becomes="`sqrt` of `var`", part=PART)
def std(t: Any, a: Any) -> Made:
    return t.graph.sqrt(over(t, a, "var", correction=correction(a)))


@rule("var_mean", "std_mean", becomes="`var`, its `sqrt`, and `mean`", part=PART)
def var_mean(t: Any, a: Any) -> Made:
    spread = over(t, a, "var", correction=correction(a))
    return [t.graph.sqrt(spread) if "std" in a.func._schema.name else spread, over(t, a, "mean")]


def normed(g: Graph, x: Ref, order: float, axes: Optional[Sequence[int]], keepdims: bool) -> Ref:
    """Returns the norm of an order."""
    if order == 2:
        return g.reduce("norm", x, axes, keepdims)
    size = g.abs(x)
    if math.isinf(order):
        return g.reduce("max" if order > 0 else "min", size, axes, keepdims)
    if order == 0:
        return g.reduce("sum", logical(g, x), axes, keepdims)
    if order == 1:
        return g.reduce("sum", size, axes, keepdims)
    return g.pow(g.reduce("sum", g.pow(size, order), axes, keepdims), 1 / order)


@rule(
    "linalg_vector_norm",
    "norm",
    becomes="`norm`; of other orders `sum`, `max` or `min` of `abs`, or `pow`",
    part=PART,
)
def norm(t: Any, a: Any) -> Made:
    x = t.ref(a.self)
    order = getattr(a, "ord", getattr(a, "p", 2))
    axes = axes_of(getattr(a, "dim", None), len(x.shape))
    return normed(t.graph, x, 2 if order is None else float(order), axes, bool(getattr(a, "keepdim", False)))


@rule("dist", becomes="the norm of a difference", part=PART)
def dist(t: Any, a: Any) -> Made:
    return normed(
        t.graph, t.graph.ref(t.graph.subtract(t.of(a.self), t.of(a.other))), float(a.p), None, False
    )


@rule("renorm", becomes="each slice times the lesser of 1 and maxnorm by its norm", part=PART)
def renorm(t: Any, a: Any) -> Made:
    g, x = t.graph, t.ref(a.self)
    axes = [axis for axis in range(len(x.shape)) if axis != a.dim % len(x.shape)]
    size = normed(g, x, float(a.p), axes, True)
    # PyTorch adds this to the norm.
    factor = g.where(g.greater(size, float(a.maxnorm)), g.divide(float(a.maxnorm), g.add(size, 1e-7)), 1)
    return g.multiply(x, factor)


@rule("cumsum", becomes="`cumulative_sum`", part=PART)
def cumsum(t: Any, a: Any) -> Made:
    return scanned(t, a, "cumulative_sum")


@rule("cumprod", becomes="`cumulative_prod`", part=PART)
def cumprod(t: Any, a: Any) -> Made:
    return scanned(t, a, "cumulative_prod")


def scanned(t: Any, a: Any, name: str) -> Ref:
    """Applies a scan along `dim`."""
    x = t.ref(a.self)
    return t.graph.op(name, x, axis=a.dim % len(x.shape)) if x.shape else x


def heads(t: Any, x: Ref, axis: int, blank: float) -> Ref:
    """Returns for each place along an axis all of it, with `blank` behind the place; the axis is last."""
    g, rank = t.graph, len(x.shape)
    count = x.shape[axis]
    last = g.permute_dims(x, [*(i for i in range(rank) if i != axis), axis])
    rows = g.broadcast_to(g.reshape(last, (*last.shape[:-1], 1, count)), (*last.shape[:-1], count, count))
    behind = np.triu(np.ones((count, count)), 1)
    return g.where(behind, np.float64(blank), rows)


def from_last(t: Any, x: Ref, axis: int) -> Ref:
    """Moves the last axis back to its place."""
    order = list(range(len(x.shape) - 1))
    order.insert(axis, len(x.shape) - 1)
    return t.graph.permute_dims(x, order)


@rule(
    "logcumsumexp", becomes="`logsumexp` of the elements up to each place, −∞ standing behind it", part=PART
)
def logcumsumexp(t: Any, a: Any) -> Made:
    x = t.ref(a.self)
    if not x.shape:
        return x
    axis = a.dim % len(x.shape)
    made = heads(t, x, axis, -math.inf)
    return from_last(t, t.graph.reduce("logsumexp", made, [-1]), axis)


@rule(
    "cummax",
    "cummin",
    becomes="`max`, `min` of the elements up to each place; the places are numbers at the point",
    part=PART,
)
def cummax(t: Any, a: Any) -> Made:
    x, name = t.ref(a.self), a.func._schema.name[-3:]
    if not x.shape:
        return [x, None]
    axis = a.dim % len(x.shape)
    made = heads(t, x, axis, -math.inf if name == "max" else math.inf)
    return [from_last(t, t.graph.reduce(name, made, [-1]), axis), None]


def in_order(t: Any, x: Ref, axis: int, descending: bool = False) -> Ref:
    """Sorts along an axis."""
    return t.graph.op("sort", x, axis=axis % len(x.shape), descending=bool(descending)) if x.shape else x


@rule("sort", becomes="`sort`; the places are numbers at the point", part=PART)
def sort(t: Any, a: Any) -> Made:
    return [in_order(t, t.ref(a.self), a.dim, a.descending), None]


@rule("argsort", becomes="numbers at the point", part=PART)
def argsort(t: Any, a: Any) -> Made:
    t.of(a.self)
    return None


@rule("topk", becomes="`top_k`; the places are numbers at the point", part=PART)
def topk(t: Any, a: Any) -> Made:
    g, x = t.graph, t.ref(a.self)
    if not x.shape:
        return [x, None]
    how = {"axis": a.dim % len(x.shape), "k": a.k}
    return [g.op("top_k", x, **how) if a.largest else g.negative(g.op("top_k", g.negative(x), **how)), None]


def at_place(t: Any, x: Ref, axis: int, place: int, keepdims: bool) -> Ref:
    """Returns the element at a place along an axis."""
    if not x.shape:
        return x
    axis %= len(x.shape)
    starts, stops = [0] * len(x.shape), list(x.shape)
    starts[axis], stops[axis] = place, place + 1
    part = t.graph.slice(x, starts, stops)
    return part if keepdims else t.graph.reshape(part, part.shape[:axis] + part.shape[axis + 1 :])


@rule("kthvalue", becomes="an element of `sort`; the places are numbers at the point", part=PART)
def kthvalue(t: Any, a: Any) -> Made:
    return [at_place(t, in_order(t, t.ref(a.self), a.dim), a.dim, a.k - 1, a.keepdim), None]


@rule("median", becomes="the lower middle element of `sort`; the places are numbers at the point", part=PART)
def median(t: Any, a: Any) -> Made:
    if hasattr(a, "dim"):
        x = in_order(t, t.ref(a.self), a.dim)
        return [at_place(t, x, a.dim, ((x.shape[a.dim] if x.shape else 1) - 1) // 2, a.keepdim), None]
    x = in_order(t, t.row(a.self), 0)
    return at_place(t, x, 0, (x.shape[0] - 1) // 2, False)


@rule("searchsorted", "bucketize", becomes="numbers at the point", part=PART)
def searchsorted(t: Any, a: Any) -> Made:
    return None


@rule("isin", becomes="numbers at the point", part=PART)
def isin(t: Any, a: Any) -> Made:
    return None


@rule("trace", becomes="`trace`", part=PART)
def trace(t: Any, a: Any) -> Made:
    return t.graph.op("trace", t.ref(a.self), offset=0)
