"""Functions of NumPy that are written with others, which have rules."""

from __future__ import annotations

import math
from typing import Any, Callable, Optional

import numpy as np

from .numpy_front_array import Array, Tracing, is_plain_array
from .numpy_front_functions import (
    WRITTEN,
    arrays_in,
    axes_of,
    written,
)
from .numpy_front_ufuncs import numbers_of, returned


@written("ptp")
def _ptp(t: Tracing, a: Any, axis: Any = None, out: Any = None, keepdims: Any = False) -> Any:
    keep = keepdims is True
    return returned(t, np.max(a, axis=axis, keepdims=keep) - np.min(a, axis=axis, keepdims=keep), out)


def _without_nan(fill: float, function: Callable[..., Any]) -> Callable[..., Any]:
    return lambda t, a, *rest, **options: function(np.where(np.isnan(a), np.asarray(fill, a.dtype), a), *rest, **options)


WRITTEN["nansum"] = _without_nan(0, np.sum)
WRITTEN["nanprod"] = _without_nan(1, np.prod)
WRITTEN["nancumsum"] = _without_nan(0, np.cumsum)
WRITTEN["nancumprod"] = _without_nan(1, np.cumprod)
WRITTEN["nanmax"] = _without_nan(-math.inf, np.max)
WRITTEN["nanmin"] = _without_nan(math.inf, np.min)


@written("nanmean")
def _nanmean(t: Tracing, a: Any, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: Any = False) -> Any:
    keep = keepdims is True
    total = np.nansum(a, axis=axis, keepdims=keep)
    count = np.sum(~np.isnan(a), axis=axis, keepdims=keep)
    return returned(t, total / count.astype(t.dtype), out)


@written("average")
def _average(t: Tracing, a: Any, axis: Any = None, weights: Any = None, returned: bool = False, *, keepdims: Any = False) -> Any:
    keep = keepdims is True
    if weights is None:
        if returned:
            raise t.refuse("np.average with returned=True and no weights is not followed", "count the elements yourself")
        return np.mean(a, axis=axis, keepdims=keep)
    if np.shape(weights) != np.shape(a):
        place = int(axis) % np.ndim(a)
        weights = np.reshape(weights, [-1 if i == place else 1 for i in range(np.ndim(a))])
    weights = np.broadcast_to(weights, np.shape(a))
    total = np.sum(weights, axis=axis, keepdims=keep)
    mean = np.sum(np.multiply(a, weights), axis=axis, keepdims=keep) / total
    return (mean, np.broadcast_to(total, mean.shape)) if returned else mean


def _ordered(t: Tracing, a: Any, axis: Any) -> Any:
    """Returns the elements in order along the first axis."""
    rank = np.ndim(a)
    axes = axes_of(axis, rank)
    rest = [one for one in range(rank) if one not in axes]
    flat = np.reshape(np.transpose(a, [*axes, *rest]), (-1, *(a.shape[one] for one in rest)))
    return np.sort(flat, axis=0)


def _kept(made: Any, a: Any, axis: Any, keepdims: Any) -> Any:
    if keepdims is not True:
        return made
    axes = axes_of(axis, np.ndim(a))
    return np.reshape(made, [1 if one in axes else n for one, n in enumerate(a.shape)])


@written("median")
def _median(t: Tracing, a: Any, axis: Any = None, out: Any = None, overwrite_input: bool = False, keepdims: Any = False) -> Any:
    ordered = _ordered(t, a, axis)
    count = len(ordered)
    middle = ordered[count // 2] if count % 2 else (ordered[count // 2 - 1] + ordered[count // 2]) / 2
    return returned(t, _kept(middle, a, axis, keepdims), out)


def _quantile(scale: float) -> Callable[..., Any]:
    def quantile(t: Tracing, a: Any, q: Any, axis: Any = None, out: Any = None, overwrite_input: bool = False, method: str = "linear", keepdims: Any = False, **more: Any) -> Any:
        if method != "linear" or any(value is not None for value in more.values()) or type(q) is Array:
            raise t.refuse("a quantile is followed by the method linear, without weights, at given fractions", "sort and pick")
        ordered = _ordered(t, a, axis)
        places = np.asarray(q, dtype=np.float64) / scale * (len(ordered) - 1)
        made = []
        for place in places.reshape(-1):
            low = min(int(np.floor(place)), len(ordered) - 1)
            high = min(low + 1, len(ordered) - 1)
            part = np.asarray(place - low, t.dtype)[()]
            made.append(_kept(ordered[low] + (ordered[high] - ordered[low]) * part, a, axis, keepdims))
        stacked = np.stack(made)
        return returned(t, np.reshape(stacked, (*places.shape, *stacked.shape[1:])), out)

    return quantile


WRITTEN["quantile"] = _quantile(1)
WRITTEN["percentile"] = _quantile(100)


@written("diff")
def _diff(t: Tracing, a: Any, n: int = 1, axis: int = -1, prepend: Any = np._NoValue, append: Any = np._NoValue) -> Any:
    if prepend is not np._NoValue or append is not np._NoValue:
        raise t.refuse("np.diff with prepend or append is not followed", "use np.concatenate before")
    for _ in range(n):
        place = int(axis) % np.ndim(a)
        first = (slice(None),) * place
        a = a[(*first, slice(1, None))] - a[(*first, slice(None, -1))]
    return a


@written("ediff1d")
def _ediff1d(t: Tracing, ary: Any, to_end: Any = None, to_begin: Any = None) -> Any:
    parts = [to_begin, np.diff(np.ravel(ary)), to_end]
    return np.concatenate([np.ravel(one) if np.ndim(one) else np.reshape(one, 1) for one in parts if one is not None])


@written("gradient")
def _gradient(t: Tracing, f: Any, *varargs: Any, axis: Any = None, edge_order: int = 1) -> Any:
    axes = axes_of(axis, np.ndim(f))
    steps = list(varargs) or [1.0] * len(axes)
    if len(steps) == 1 and len(axes) > 1:
        steps = steps * len(axes)
    if edge_order != 1 or any(np.ndim(step) > 0 for step in steps):
        raise t.refuse("np.gradient is followed with even steps and edge_order 1", "write the differences with slices")
    made = []
    for place, step in zip(axes, steps):
        def at(*ends: Optional[int], place: int = place) -> Any:
            return f[(*(slice(None),) * place, slice(*ends))]

        inner = (at(2, None) - at(None, -2)) / (2.0 * step)
        made.append(np.concatenate([(at(1, 2) - at(0, 1)) / step, inner, (at(-1, None) - at(-2, -1)) / step], axis=place))
    return made[0] if len(made) == 1 else tuple(made)


@written("trapezoid", "trapz")
def _trapezoid(t: Tracing, y: Any, x: Any = None, dx: Any = 1.0, axis: int = -1) -> Any:
    y = np.moveaxis(y, axis, -1)
    if x is not None:
        dx = np.diff(x) if np.ndim(x) == 1 else np.diff(np.moveaxis(x, axis, -1))
    return np.sum(dx * (y[..., 1:] + y[..., :-1]) / 2.0, axis=-1)


@written("polyval")
def _polyval(t: Tracing, p: Any, x: Any) -> Any:
    made = np.zeros_like(x)
    for coefficient in p:
        made = made * x + coefficient
    return made


@written("vander")
def _vander(t: Tracing, x: Any, N: Optional[int] = None, increasing: bool = False) -> Any:  # noqa: N803 (NumPy's name)
    count = len(x) if N is None else N
    powers = [np.ones_like(x)]
    for _ in range(count - 1):
        powers.append(powers[-1] * x)
    return np.stack((powers if increasing else powers[::-1])[:count], axis=1)


@written("meshgrid")
def _meshgrid(t: Tracing, *xi: Any, copy: bool = True, sparse: bool = False, indexing: str = "xy") -> Any:
    made = [np.reshape(x, [-1 if i == place else 1 for i in range(len(xi))]) for place, x in enumerate(xi)]
    if indexing == "xy" and len(made) > 1:
        made = [np.swapaxes(one, 0, 1) for one in made]
    return tuple(made) if sparse else tuple(np.copy(one) for one in np.broadcast_arrays(*made))


@written("dstack")
def _dstack(t: Tracing, tup: Any) -> Any:
    return np.concatenate([np.atleast_3d(one) for one in tup], axis=2)


@written("column_stack")
def _column_stack(t: Tracing, tup: Any) -> Any:
    return np.concatenate([np.reshape(one, (-1, 1)) if np.ndim(one) < 2 else one for one in tup], axis=1)


@written("diagflat")
def _diagflat(t: Tracing, v: Any, k: int = 0) -> Any:
    return np.diag(np.ravel(v), k)


@written("fill_diagonal")
def _fill_diagonal(t: Tracing, a: Any, val: Any, wrap: bool = False) -> None:
    if np.ndim(a) != 2 or wrap:
        raise t.refuse("fill_diagonal is followed for matrices", "assign to a[np.arange(n), np.arange(n)]")
    which = np.arange(min(a.shape))
    a[which, which] = val


@written("copyto")
def _copyto(t: Tracing, dst: Any, src: Any, casting: str = "same_kind", where: Any = True) -> None:
    if is_plain_array(dst):
        raise t.refuse("a traced value is written into an array made outside of the function", "make it by np.zeros in the function")
    dst[...] = src if where is True else np.where(where, src, dst)


@written("putmask")
def _putmask(t: Tracing, a: Any, mask: Any, values: Any) -> None:
    if np.size(values) != 1 and np.shape(values) != a.shape:
        raise t.refuse("np.putmask is followed with one value, or one for each element", "use np.where")
    a[...] = np.where(mask, values if np.size(values) > 1 else np.reshape(values, ()), a)


@written("place")
def _place(t: Tracing, arr: Any, mask: Any, vals: Any) -> None:
    arr[mask] = np.reshape(vals, ()) if np.size(vals) == 1 else np.resize(vals, np.count_nonzero(mask))


@written("put")
def _put(t: Tracing, a: Any, ind: Any, v: Any, mode: str = "raise") -> None:
    flat = a.reshape(-1)
    if not np.may_share_memory(flat._value, a._value) or mode != "raise":
        raise t.refuse("np.put is followed for contiguous arrays", "assign by index")
    flat[ind] = v


@written("allclose")
def _allclose(t: Tracing, a: Any, b: Any, **options: Any) -> Any:
    return np.all(np.isclose(a, b, **options))


@written("array_equal")
def _array_equal(t: Tracing, a1: Any, a2: Any, equal_nan: bool = False) -> Any:
    return np.shape(a1) == np.shape(a2) and np.all(np.equal(a1, a2))


@written("apply_along_axis")
def _apply_along_axis(t: Tracing, func1d: Callable[..., Any], axis: int, arr: Any, *arguments: Any, **options: Any) -> Any:
    moved = np.moveaxis(arr, axis, -1)
    made = [func1d(moved[place], *arguments, **options) for place in np.ndindex(*moved.shape[:-1])]
    stacked = np.reshape(np.stack(made), (*moved.shape[:-1], *np.shape(made[0])))
    for place in range(np.ndim(made[0])):
        stacked = np.moveaxis(stacked, moved.ndim - 1 + place, axis % arr.ndim + place)
    return stacked


@written("choose")
def _choose(t: Tracing, a: Any, choices: Any, out: Any = None, mode: str = "raise") -> Any:
    made = choices[-1]
    for place in range(len(choices) - 2, -1, -1):
        made = np.where(np.equal(a, place), choices[place], made)
    return returned(t, made, out)


@written("convolve")
def _convolve(t: Tracing, a: Any, v: Any, mode: str = "full") -> Any:
    return _correlated(t, a, v[::-1], mode) if len(a) >= len(v) else _correlated(t, v, a[::-1], mode)


@written("correlate")
def _correlate(t: Tracing, a: Any, v: Any, mode: str = "valid") -> Any:
    if len(a) >= len(v):
        return _correlated(t, a, v, mode)
    return _correlated(t, v, a, mode)[::-1]


def _correlated(t: Tracing, a: Any, v: Any, mode: str) -> Any:
    """Slides the shorter row along the longer one."""
    slide: Any = np.correlate
    short, value = len(v), slide(numbers_of(a), numbers_of(v), mode)
    padding = {"full": [short - 1, short - 1], "same": [short // 2, (short - 1) // 2], "valid": [0, 0]}[mode]
    x, w = (t.graph.reshape(t.ref(one), (1, 1, -1)) for one in (a, v))
    slid = t.graph.op("conv", x, w, strides=[1], padding=[padding], dilations=[1], groups=1)
    return t.wrap(value, t.graph.reshape(slid, value.shape), arrays_in([a, v]))
