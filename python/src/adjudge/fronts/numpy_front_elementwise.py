"""Functions of NumPy that go element by element, but are no ufuncs: what each is in a graph."""

from __future__ import annotations

import math
from typing import Any, Callable, Optional

import numpy as np

from ..graph import Ref
from .numpy_front_array import Array, Tracing, is_floating
from .numpy_front_functions import (
    NOT_GIVEN,
    WRITTEN,
    refused,
    rule,
    written,
)
from .numpy_front_making import filled, made_here
from .numpy_front_ufuncs import sinc, truncated
from .traced import source_line


@rule("where")
def _where(t: Tracing, condition: Any, x: Any = NOT_GIVEN, y: Any = NOT_GIVEN) -> Ref:
    if x is NOT_GIVEN:
        raise refused(t, "nonzero")
    return t.graph.where(t.operand(condition), t.operand(x), t.operand(y))


@rule("clip")
def _clip(t: Tracing, a: Any, a_min: Any = None, a_max: Any = None, *, min: Any = None, max: Any = None) -> Ref:  # noqa: A002
    g, x = t.graph, t.operand(a)
    low = min if a_min is None or a_min is np._NoValue else a_min
    high = max if a_max is None or a_max is np._NoValue else a_max
    low, high = (None if one is None or one is np._NoValue else t.operand(one) for one in (low, high))
    if low is not None and high is not None:
        return g.clip(x, low, high)
    if low is not None:
        return g.maximum(x, low)
    return g.ref(x) if high is None else g.minimum(x, high)


@rule("round", "around")
def _round(t: Tracing, a: Any, decimals: int = 0) -> Ref:
    g, x = t.graph, t.operand(a)
    if decimals == 0 or type(a) is Array and not is_floating(a.dtype):
        return g.ref(x) if type(a) is Array and not is_floating(a.dtype) else g.round(x)
    power = 10.0 ** abs(decimals)
    if decimals > 0:
        return g.divide(g.round(g.multiply(x, power)), power)
    return g.multiply(g.round(g.divide(x, power)), power)


@rule("sinc")
def _sinc_rule(t: Tracing, x: Any) -> Ref:
    return sinc(t, t.operand(x))


@rule("fix")
def _fix(t: Tracing, x: Any) -> Ref:
    return truncated(t, t.operand(x))


@rule("nan_to_num")
def _nan_to_num(t: Tracing, x: Any, copy: bool = True, nan: float = 0.0, posinf: Optional[float] = None, neginf: Optional[float] = None) -> Ref:
    g, ref = t.graph, t.operand(x)
    largest = float(np.finfo(t.dtype).max)
    high = largest if posinf is None else posinf
    low = -largest if neginf is None else neginf
    finite = g.where(g.equal(ref, math.inf), high, g.where(g.equal(ref, -math.inf), low, ref))
    return g.where(g.not_equal(ref, ref), nan, finite)


@rule("select")
def _select(t: Tracing, condlist: Any, choicelist: Any, default: Any = 0) -> Ref:
    made = t.operand(default)
    for condition, choice in reversed(list(zip(condlist, choicelist))):
        made = t.graph.where(t.operand(condition), t.operand(choice), made)
    return t.graph.ref(made)


@rule("isclose")
def _isclose(t: Tracing, a: Any, b: Any, rtol: float = 1e-5, atol: float = 1e-8, equal_nan: bool = False) -> Ref:
    g, x, y = t.graph, t.operand(a), t.operand(b)
    if equal_nan:
        raise t.refuse("isclose with equal_nan is not followed")
    near = g.less_equal(g.abs(g.subtract(x, y)), g.add(atol, g.multiply(rtol, g.abs(y))))
    return g.logical_or(g.logical_and(near, g.less(g.abs(y), math.inf)), g.equal(x, y))


@rule("isneginf")
def _isneginf(t: Tracing, x: Any) -> Ref:
    return t.graph.equal(t.operand(x), -math.inf)


@rule("isposinf")
def _isposinf(t: Tracing, x: Any) -> Ref:
    return t.graph.equal(t.operand(x), math.inf)


@rule("real", "copy", "conj", "real_if_close", "positive")
def _same(t: Tracing, x: Any, *_: Any, **__: Any) -> Ref:
    return t.ref(x)


def _like(number: float) -> Callable[..., Any]:
    def make(t: Tracing, a: Any, dtype: Any = None, order: str = "K", subok: bool = True, shape: Any = None, **_: Any) -> Any:
        kind = np.shape(a) if shape is None else shape
        return made_here(t, filled(kind, number, a.dtype if dtype is None else dtype))

    return make


WRITTEN["zeros_like"] = WRITTEN["empty_like"] = _like(0)
WRITTEN["ones_like"] = _like(1)


@written("full_like")
def _full_like(t: Tracing, a: Any, fill_value: Any, dtype: Any = None, order: str = "K", subok: bool = True, shape: Any = None) -> Any:
    made = _like(0)(t, a, dtype, shape=shape)
    made[...] = fill_value
    return made


@written("imag")
def _imag(t: Tracing, x: Any) -> Any:
    return np.zeros_like(x)


@written("astype")
def _astype(t: Tracing, x: Any, dtype: Any, /, *, copy: bool = True, device: Any = None) -> Any:
    return cast(t, x, np.dtype(dtype), "unsafe", copy)


def cast(t: Tracing, x: Any, dtype: np.dtype, casting: str = "unsafe", copy: bool = True) -> Any:
    """Returns an array in another type: integers have no fraction, truths are 0 or 1."""
    t.graph.line = source_line()
    value = x._value.astype(dtype, casting=casting)
    given = [x]
    if x.is_known() or x._store.argument is not None and not is_floating(dtype) and not x._store.inputs:
        if not x.is_known():
            t.read(x)
        return t.wrap(value, None, given)
    t.check(value)
    g, ref = t.graph, x._current()
    if dtype == x.dtype:
        return t.wrap(value, ref, given) if copy else x
    if dtype.kind == "b":
        ref = g.not_equal(ref, 0)
    elif dtype.kind == "i" and is_floating(x.dtype):
        ref = truncated(t, ref)
    return t.wrap(value[()] if x._scalar else value, ref, given)
