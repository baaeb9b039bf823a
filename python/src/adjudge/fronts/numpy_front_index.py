"""Indexing of traced arrays, and assignment to parts of them, as NumPy defines both."""

from __future__ import annotations

from typing import Any, Optional, Sequence

import numpy as np

from ..graph import Ref
from .numpy_front_array import Array, Tracing
from .traced import source_line


def picked(array: Array, key: Any) -> Any:
    """Returns `array[key]`."""
    tracing = array._tracing
    tracing.graph.line = source_line()
    parts = list(key) if isinstance(key, tuple) else [key]
    named = _argument(tracing, array, parts)
    if named is not None:
        return tracing.wrap(array._value[_concrete(tracing, parts, named)], named.ref, [array])
    parts = [_index(tracing, part) for part in parts]
    value = array._value[tuple(parts)]
    if array.is_known():
        return tracing.wrap(value, None, [array])
    if array._store.argument is not None and isinstance(value, np.ndarray) and np.may_share_memory(value, array._value):
        # It may be an index, for which there is no value of the graph.
        return Array(tracing, array._store, value, None)
    store = array._store
    if array._version != store.version and store.version > 0 and np.size(value):
        # Only what is picked is put together of what was written.
        places = store.positions(array._value)[tuple(parts)]
        return tracing.wrap(value, store.value_at(np.asarray(places), np.asarray(value)), [array])
    return tracing.wrap(value, _ref_of(tracing, array, parts, np.shape(value)), [array])


def put(array: Array, key: Any, given: Any) -> None:
    """Does `array[key] = given`, for all arrays that share its memory."""
    tracing, store = array._tracing, array._store
    tracing.graph.line = source_line()
    if not store.writable:
        raise tracing.refuse(
            "the function writes into an array that it was given, or that was made outside of it",
            "write into a copy: x = x.copy(), or x = x + 1 in place of x += 1",
        )
    if isinstance(given, (list, tuple)):
        given = _stacked(given)
    parts = list(key) if isinstance(key, tuple) else [key]
    if len(parts) == 1 and _is_traced_mask(parts[0]):
        if np.ndim(given) > 0:
            # The shape of what is assigned would depend on the numbers.
            raise parts[0]._read_refused("")
        mask = parts[0]
        wide = mask.reshape((*mask.shape, *(1,) * (array.ndim - mask.ndim)))
        key, given = Ellipsis, np.where(wide, given, array)
        parts = [key]
    parts = [_index(tracing, part) for part in parts]
    ref: Optional[Ref] = None
    value, inputs, names = given, False, frozenset[str]()
    if isinstance(given, Array):
        if array.dtype.kind in "bi" and given.dtype.kind == "f" and not given.is_known():
            raise tracing.refuse("traced floats are written into an array of integers", "make the array of floats")
        value, inputs, names = given._value, given._store.inputs, given._store.names
        ref = None if given.is_known() else given._current()
    store.begin()
    places = store.positions(array._value)[tuple(parts)]
    array._value[tuple(parts)] = value
    shape = np.shape(places)
    if ref is not None:
        while len(ref.shape) > len(shape):
            ref = tracing.graph.reshape(ref, ref.shape[1:])
        ref = tracing.graph.broadcast_to(ref, shape)
    store.write(np.asarray(places), ref, np.asarray(array._value[tuple(parts)]), inputs, names)


def _stacked(items: Sequence[Any]) -> Any:
    from .numpy_front_making import array_of

    return array_of(items)


def _is_traced_mask(part: Any) -> bool:
    return isinstance_array(part) and part.dtype.kind == "b" and part.ndim > 0 and part._store.inputs


def isinstance_array(value: Any) -> bool:
    """Tells whether it is a traced array, whatever it says of its class."""
    return type(value) is Array


def _index(tracing: Tracing, part: Any) -> Any:
    """Returns a part of a key as NumPy takes it; a traced integer decides the way through the function."""
    if isinstance(part, slice):
        return slice(*(None if end is None else _whole(end) for end in (part.start, part.stop, part.step)))
    if isinstance_array(part):
        if _is_traced_mask(part):
            raise part._read_refused("")
        return tracing.read(part)[()] if part._scalar else tracing.read(part)
    if isinstance(part, (list, tuple)):
        return np.asarray([_index(tracing, item) for item in part], dtype=None if part else np.intp)
    return part


def _whole(end: Any) -> Any:
    return end.__index__() if isinstance_array(end) else end


# ---- The value of the graph --------------------------------------------------------------------------------


def _ref_of(tracing: Tracing, array: Array, parts: Sequence[Any], shape: Sequence[int]) -> Ref:
    graph, x = tracing.graph, array._current()
    expanded = _expanded(parts, len(x.shape))
    advanced = [place for place, part in enumerate(expanded) if isinstance(part, np.ndarray)]
    if not advanced:
        return graph.reshape(_sliced(tracing, x, [part for part in expanded if part is not None]), shape)
    if len(advanced) == 1 and not any(isinstance(part, (int, np.integer)) for part in expanded):
        # One array of indices: slices first, then the elements along its axis.
        plain = [slice(None) if isinstance(part, np.ndarray) else part for part in expanded if part is not None]
        axis = sum(part is not None for part in expanded[: advanced[0]])
        cut = _sliced(tracing, x, plain)
        return graph.reshape(graph.take(cut, expanded[advanced[0]], axis), shape)
    rows = [part for part in expanded if part is not None]
    leading = [isinstance(part, (np.ndarray, int, np.integer)) for part in rows]
    count = sum(leading)
    if all(part is not None for part in expanded) and all(leading[:count]) and all(_is_whole(part) for part in rows[count:]):
        extents = zip(np.broadcast_arrays(*rows[:count]), x.shape)
        return graph.reshape(graph.gather(x, np.stack([np.where(row < 0, row + n, row) for row, n in extents], -1)), shape)
    places = np.arange(array.size).reshape(x.shape)[tuple(parts)]
    return graph.reshape(graph.take(graph.reshape(x, [-1]), places.reshape(-1), 0), shape)


def _is_whole(part: Any) -> bool:
    return isinstance(part, slice) and part == slice(None)


def _expanded(parts: Sequence[Any], rank: int) -> list[Any]:
    """Returns a key with a part for each axis (None for new ones): no ellipsis, and masks as indices."""
    flat: list[Any] = []
    for part in parts:
        if isinstance(part, (bool, np.bool_)) or isinstance(part, np.ndarray) and part.dtype == bool and part.ndim == 0:
            flat.extend([None, np.zeros(int(part), np.int64)])
        elif isinstance(part, np.ndarray) and part.dtype == bool:
            flat.extend(np.nonzero(part))
        elif isinstance(part, np.ndarray) and part.ndim == 0:
            flat.append(int(part))
        else:
            flat.append(part)
    used = sum(part is not None and part is not Ellipsis for part in flat)
    place = next((i for i, part in enumerate(flat) if part is Ellipsis), None)
    fill = [slice(None)] * (rank - used)
    return [*flat, *fill] if place is None else [*flat[:place], *fill, *flat[place + 1 :]]


def _sliced(tracing: Tracing, x: Ref, parts: Sequence[Any]) -> Ref:
    """Slices each axis; an integer leaves an extent of 1, which the caller's reshape takes away."""
    starts, stops, steps = [], [], []
    for part, extent in zip(parts, x.shape):
        if isinstance(part, slice):
            start, stop, step = part.indices(extent)
            if step < 0 and len(range(start, stop, step)) == 0:
                start, stop, step = 0, 0, 1
            if step < 0 and stop < 0:
                stop -= extent
        else:
            start = int(part) % extent
            stop, step = start + 1, 1
        starts.append(start)
        stops.append(stop)
        steps.append(step)
    return tracing.graph.slice(x, starts, stops, steps)


# ---- Arguments of integers as indices ----------------------------------------------------------------------


class _Named:
    def __init__(self, part: int, ref: Ref) -> None:
        self.part, self.ref = part, ref


def whole_argument(array: Any) -> Optional[str]:
    """Returns the name of the argument that an array of integers is, with all its elements in their order."""
    if not isinstance_array(array) or array._store.version > 0 or array._store.argument is None:
        return None
    store = array._store
    whole = array.size == store.root.size and np.array_equal(store.positions(array._value).reshape(-1), np.arange(array.size))
    return store.argument if whole else None


def index_entry(tracing: Tracing, array: Array, extent: int) -> Optional[str]:
    """Returns the entry for an argument that picks elements, if its numbers can be drawn."""
    name, store = whole_argument(array), array._store
    if name is None or tracing.kinds.get(name, "index") != "index" or store.root.dtype.kind != "i":
        return None
    if store.root.size and (store.root.min() < 0 or store.root.max() >= extent):
        return None
    if name not in tracing.kinds:
        tracing.graph.entry(store.root, "index", name)
        tracing.kinds[name] = "index"
    return name


def _argument(tracing: Tracing, array: Array, parts: Sequence[Any]) -> Optional[_Named]:
    """Returns the value of `x[labels]` or `x[np.arange(n), labels]` for an argument of integers."""
    places = [place for place, part in enumerate(parts) if whole_argument(part) is not None]
    if len(places) != 1 or array.is_known():
        return None
    labels = parts[places[0]]
    x = array._current()
    if len(parts) == 1 and labels.ndim == 1 and labels.shape == labels._store.root.shape and x.shape:
        entry = index_entry(tracing, labels, x.shape[0])
        return None if entry is None else _Named(0, tracing.graph.op("take", x, axis=0, indices=entry))
    if len(parts) == 2 and places == [1] and len(x.shape) == 2 and labels.shape == labels._store.root.shape == x.shape[:1]:
        rows = parts[0]
        if not isinstance_array(rows) and np.array_equal(rows, np.arange(x.shape[0])):
            entry = index_entry(tracing, labels, x.shape[1])
            return None if entry is None else _Named(1, picked_along_last(tracing, x, entry, False))
    return None


def picked_along_last(tracing: Tracing, x: Ref, entry: str, keepdims: bool) -> Ref:
    """Returns the element of each row of a matrix at the row's label."""
    graph = tracing.graph
    chosen = graph.op("one_hot", indices=entry, classes=x.shape[1])
    return graph.reduce("sum", graph.where(chosen, x, 0), [1], keepdims)


def _concrete(tracing: Tracing, parts: Sequence[Any], named: _Named) -> tuple[Any, ...]:
    return tuple(part._value if place == named.part else part for place, part in enumerate(parts))
