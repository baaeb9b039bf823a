"""The functions of NumPy that are not elementwise, and how NumPy's calls reach the tables of rules."""

from __future__ import annotations

import math
from typing import Any, Callable, Mapping, Optional, Sequence

import numpy as np

from ..graph import Ref, Refused
from .numpy_front_array import Array, Tracing, is_floating, is_plain_array
from .numpy_front_ufuncs import numbers_of, returned
from .traced import source_line, tree_of

# A rule has NumPy's own signature after the tracing, and returns a value of the graph (or several).
RULES: dict[str, Callable[..., Any]] = {}
# These are written with other functions of NumPy, which come back here.
WRITTEN: dict[str, Callable[..., Any]] = {}
# These write into their first argument.
IN_PLACE = frozenset("copyto fill_diagonal place put putmask".split())
# The result of these has the elements of the arguments in another order, some of them repeated or left out.
REARRANGING = frozenset(
    """rot90 delete insert append resize block repeat compress extract hsplit vsplit dsplit array_split split unstack
    sliding_window_view broadcast_arrays atleast_1d atleast_2d atleast_3d diagonal rollaxis squeeze vstack hstack
    dstack column_stack row_stack fliplr flipud ravel moveaxis swapaxes transpose matrix_transpose expand_dims
    linalg.matrix_transpose linalg.diagonal""".split()
)
# These give integers that pick elements: the numbers at this point decide them.
PICKING = frozenset("argsort argpartition searchsorted digitize lexsort nanargmax nanargmin".split())
# These ask about shapes and types alone.
ASKING = frozenset(
    """shape ndim size result_type can_cast common_type min_scalar_type iscomplexobj isrealobj isfortran may_share_memory
    shares_memory tril_indices_from triu_indices_from diag_indices_from broadcast_shapes isscalar""".split()
)
# How many results depends on the numbers.
DEPENDING = frozenset(
    """nonzero flatnonzero argwhere unique unique_all unique_counts unique_inverse unique_values union1d intersect1d
    setdiff1d setxor1d bincount histogram trim_zeros""".split()
)


def rule(*names: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Declares the rule of functions."""

    def declare(function: Callable[..., Any]) -> Callable[..., Any]:
        RULES.update({name: function for name in names})
        return function

    return declare


def written(*names: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Declares functions that are written with others."""

    def declare(function: Callable[..., Any]) -> Callable[..., Any]:
        WRITTEN.update({name: function for name in names})
        return function

    return declare


def name_of(function: Callable[..., Any]) -> str:
    """Returns the name in the tables: `sum`, `linalg.norm`."""
    module = getattr(function, "__module__", "") or ""
    if module.startswith("numpy.linalg"):
        return f"linalg.{function.__name__}"
    if module.startswith("numpy.fft"):
        return f"fft.{function.__name__}"
    return function.__name__


def arrays_in(value: Any) -> list[Any]:
    """Returns the arrays in arguments, those in lists too."""
    if type(value) is Array or is_plain_array(value):
        return [value]
    if isinstance(value, (list, tuple)):
        return [one for item in value for one in arrays_in(item)]
    if isinstance(value, dict):
        return [one for item in value.values() for one in arrays_in(item)]
    return []


def call_function(t: Tracing, function: Callable[..., Any], arguments: Sequence[Any], options: Mapping[str, Any]) -> Any:
    """Does what a function of NumPy does, given traced arrays."""
    t.graph.line = source_line()
    name = name_of(function)
    options = dict(options)
    if name in WRITTEN:
        if name not in IN_PLACE:
            # NumPy may compute in another precision than what the function is written with.
            plain = function(*map(numbers_of, arguments), **{key: numbers_of(value) for key, value in options.items() if key != "out"})
            for value in tree_of(plain).leaves:
                t.check(np.asarray(value))
        return WRITTEN[name](t, *arguments, **options)
    out = options.pop("out", None)
    given = [*arrays_in(arguments), *arrays_in(options)]
    traced = [one for one in given if type(one) is Array]
    known = all(one.is_known() for one in traced)
    numbers = [numbers_of(one) for one in arguments]
    if not known and name not in RULES and name not in REARRANGING | PICKING | ASKING:
        if not any(one._store.inputs for one in traced):
            # It computes with arguments of integers alone, whose numbers are fixed thereby.
            for one in traced:
                t.read(one)
            return function(*numbers, **{key: numbers_of(value) for key, value in options.items()})
        raise refused(t, name)
    values = function(*numbers, **{key: numbers_of(value) for key, value in options.items()})
    if name in ASKING:
        return values
    if known:
        return returned(t, _wrapped(t, values, None, given), out)
    if name in PICKING:
        for one in traced:
            t.read(one)
        return values
    views = _views_of_argument(t, values, traced)
    if views is not None:
        return views
    if name in RULES:
        try:
            refs = RULES[name](t, *arguments, **options)
        except TypeError as error:
            if "unexpected keyword" not in str(error) and "positional argument" not in str(error):
                raise
            raise t.refuse(f"{name} is not followed with these arguments: {error}") from None
    else:
        refs = _rearranged(t, function, arguments, options, given)
    return returned(t, _wrapped(t, values, refs, given), out)


def refused(t: Tracing, name: str) -> Refused:
    """Returns why a function has no place in a graph."""
    if name in DEPENDING:
        return t.refuse(
            f"how many results {name} has depends on the numbers of the inputs",
            "keep the shape, for example by np.where(condition, a, b)",
        )
    if name.startswith("fft."):
        return t.refuse(f"numpy.{name} gives complex numbers, which are not judged", "write real and imaginary parts with np.cos and np.sin")
    return t.refuse(
        f"the function {'numpy.' if '.' in name else 'np.'}{name} has no place in a graph",
        "write it with functions that docs/python-fronts.md lists, or give plain code with them as reference=",
    )


def _wrapped(t: Tracing, values: Any, refs: Any, given: Sequence[Any]) -> Any:
    if isinstance(values, (list, tuple)):
        parts = [_wrapped(t, value, None if refs is None else refs[place], given) for place, value in enumerate(values)]
        return type(values)(*parts) if hasattr(values, "_fields") else type(values)(parts)
    return t.wrap(values, refs, given)


def _views_of_argument(t: Tracing, values: Any, traced: Sequence[Array]) -> Any:
    """Returns a view of an argument of integers without a value of the graph, which indices do not need."""
    if isinstance(values, np.ndarray) and values.size:
        for one in traced:
            if one._store.argument is not None and np.may_share_memory(values, one._store.root):
                return Array(t, one._store, values, None)
    return None


def _rearranged(t: Tracing, function: Callable[..., Any], arguments: Any, options: Any, given: Sequence[Any]) -> Any:
    """Does to numbers of elements what the function does to arrays, and takes these elements."""
    start = 0
    parts: list[Ref] = []

    def numbered(value: Any) -> Any:
        nonlocal start
        if type(value) is Array and (is_floating(value.dtype) or not value.is_known()) or is_plain_array(value) and is_floating(value.dtype):
            ref = t.ref(value)
            places = np.arange(start, start + math.prod(ref.shape)).reshape(ref.shape)
            start += places.size
            parts.append(t.graph.reshape(ref, [-1]))
            return places
        if isinstance(value, (list, tuple)):
            return type(value)(map(numbered, value))
        return value

    places = function(*(numbered(one) for one in arguments), **{key: numbered(one) for key, one in options.items()})
    row = t.graph.concat(parts, 0)

    def taken(which: Any) -> Any:
        if isinstance(which, (list, tuple)):
            return [taken(one) for one in which]
        which = np.asarray(which)
        if which.size and np.array_equal(which.reshape(-1), np.arange(which.flat[0], which.flat[0] + which.size)):
            first = int(which.flat[0])
            return t.graph.reshape(t.graph.slice(row, [first], [first + which.size]), which.shape)
        return t.graph.reshape(t.graph.take(row, which.reshape(-1), 0), which.shape)

    return taken(places)


# ---- Axes ------------------------------------------------------------------------------------------------


def axes_of(axis: Any, rank: int) -> list[int]:
    """Returns the axes that NumPy means, from 0 up."""
    if axis is None:
        return list(range(rank))
    several = axis if isinstance(axis, (tuple, list)) else (axis,)
    return [int(one) % rank for one in several] if rank else []


def flat_axis(t: Tracing, x: Any, axis: Optional[int]) -> tuple[Ref, int]:
    """Returns a value and an axis of it; without an axis the elements are in one row."""
    ref = t.ref(x)
    return (t.graph.reshape(ref, [-1]), 0) if axis is None else (ref, int(axis) % max(len(ref.shape), 1))


NOT_GIVEN = object()
