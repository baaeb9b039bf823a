"""Sums and other reductions of NumPy, and what goes along an axis: what each is in a graph."""

from __future__ import annotations

import math
from typing import Any, Callable, Optional

import numpy as np

from ..graph import Ref
from .numpy_front_array import Tracing
from .numpy_front_functions import (
    NOT_GIVEN,
    RULES,
    axes_of,
    flat_axis,
    rule,
)


def _reduction(operator: str, combine: Optional[str] = None) -> Callable[..., Any]:
    def reduce(t: Tracing, a: Any, axis: Any = None, dtype: Any = None, keepdims: Any = False, initial: Any = NOT_GIVEN, where: Any = True) -> Ref:
        g, x = t.graph, t.operand(a)
        if where is not True:
            neutral = {"sum": 0, "prod": 1, "max": initial, "min": initial}[operator]
            x = g.where(t.operand(where), x, neutral)
        ref = g.ref(x)
        keepdims = keepdims is True
        made = g.reduce(operator, ref, axes_of(axis, len(ref.shape)), keepdims)
        if initial is NOT_GIVEN or initial is np._NoValue or combine is None:
            return made
        neutral = {"sum": 0, "prod": 1}.get(operator)
        return made if initial == neutral else g.elementwise(combine, made, t.operand(initial))

    return reduce


RULES["sum"] = _reduction("sum", "add")
RULES["prod"] = _reduction("prod", "multiply")
RULES["max"] = RULES["amax"] = _reduction("max", "maximum")
RULES["min"] = RULES["amin"] = _reduction("min", "minimum")


@rule("mean")
def _mean(t: Tracing, a: Any, axis: Any = None, dtype: Any = None, keepdims: Any = False) -> Ref:
    ref = t.ref(a)
    return t.graph.reduce("mean", ref, axes_of(axis, len(ref.shape)), keepdims is True)


@rule("var")
def _var(t: Tracing, a: Any, axis: Any = None, dtype: Any = None, ddof: float = 0, keepdims: Any = False, correction: Any = np._NoValue) -> Ref:
    ref = t.ref(a)
    away = ddof if correction is np._NoValue else correction
    return t.graph.reduce("var", ref, axes_of(axis, len(ref.shape)), keepdims is True, correction=away)


@rule("std")
def _std(t: Tracing, a: Any, **options: Any) -> Ref:
    return t.graph.sqrt(_var(t, a, **options))


@rule("any")
def _any(t: Tracing, a: Any, axis: Any = None, keepdims: Any = False) -> Ref:
    return _truths(t, a, axis, keepdims, True)


@rule("all")
def _all(t: Tracing, a: Any, axis: Any = None, keepdims: Any = False) -> Ref:
    return _truths(t, a, axis, keepdims, False)


def _truths(t: Tracing, a: Any, axis: Any, keepdims: Any, some: bool) -> Ref:
    g, ref = t.graph, t.ref(a)
    axes = axes_of(axis, len(ref.shape))
    # It counts the elements that are not 0, since of no element there is no largest.
    count = g.reduce("sum", g.not_equal(ref, 0), axes, keepdims is True)
    return g.less(0, count) if some else g.equal(count, math.prod(ref.shape[one] for one in set(axes)))


@rule("count_nonzero")
def _count_nonzero(t: Tracing, a: Any, axis: Any = None, *, keepdims: bool = False) -> Ref:
    ref = t.ref(a)
    return t.graph.reduce("sum", t.graph.not_equal(ref, 0), axes_of(axis, len(ref.shape)), keepdims)


@rule("cumsum", "cumulative_sum")
def _cumsum(t: Tracing, a: Any, axis: Optional[int] = None, dtype: Any = None, *, include_initial: bool = False) -> Ref:
    ref, axis = flat_axis(t, a, axis)
    made = t.graph.op("cumulative_sum", ref, axis=axis)
    return _with_initial(t, made, axis, 0) if include_initial else made


@rule("cumprod", "cumulative_prod")
def _cumprod(t: Tracing, a: Any, axis: Optional[int] = None, dtype: Any = None, *, include_initial: bool = False) -> Ref:
    ref, axis = flat_axis(t, a, axis)
    made = t.graph.op("cumulative_prod", ref, axis=axis)
    return _with_initial(t, made, axis, 1) if include_initial else made


def _with_initial(t: Tracing, x: Ref, axis: int, first: float) -> Ref:
    shape = [1 if place == axis else n for place, n in enumerate(x.shape)]
    return t.graph.concat([t.graph.full(shape, first), x], axis)


@rule("argmax")
def _argmax(t: Tracing, a: Any, axis: Optional[int] = None, *, keepdims: Any = False) -> Ref:
    return _arg(t, t.ref(a), axis, keepdims)


@rule("argmin")
def _argmin(t: Tracing, a: Any, axis: Optional[int] = None, *, keepdims: Any = False) -> Ref:
    return _arg(t, t.graph.negative(t.ref(a)), axis, keepdims)


def _arg(t: Tracing, x: Ref, axis: Optional[int], keepdims: Any) -> Ref:
    keep = keepdims is True
    ref, place = (t.graph.reshape(x, [-1]), 0) if axis is None else (x, int(axis) % len(x.shape))
    made = t.graph.op("argmax", ref, axis=place, keepdims=keep and axis is not None)
    return t.graph.reshape(made, (1,) * len(x.shape)) if keep and axis is None else made
