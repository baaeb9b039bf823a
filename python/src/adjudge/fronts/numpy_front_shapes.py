"""Functions of NumPy that move elements: what each is in a graph."""

from __future__ import annotations

import math
from typing import Any, Optional

import numpy as np

from ..graph import Ref
from .numpy_front_array import Array, Tracing
from .numpy_front_functions import (
    RULES,
    axes_of,
    flat_axis,
    rule,
)
from .numpy_front_index import index_entry, picked_along_last, whole_argument
from .numpy_front_ufuncs import numbers_of


@rule("reshape")
def _reshape(t: Tracing, a: Any, /, shape: Any = None, order: str = "C", *, newshape: Any = None, copy: Any = None) -> Ref:
    ref = t.ref(a)
    wanted = newshape if shape is None else shape
    extents = tuple(int(n) for n in wanted) if isinstance(wanted, (tuple, list)) else (int(wanted),)
    target = np.reshape(np.broadcast_to(0, ref.shape), extents).shape
    if order == "F":
        back = t.graph.reshape(_transposed(t, ref), target[::-1])
        return _transposed(t, back)
    return t.graph.reshape(ref, target)


def _transposed(t: Tracing, x: Ref) -> Ref:
    return t.graph.permute_dims(x, list(range(len(x.shape)))[::-1])


@rule("ravel")
def _ravel(t: Tracing, a: Any, order: str = "C") -> Ref:
    return _reshape(t, a, (-1,), order if order in "CF" else "C")


@rule("transpose", "permute_dims")
def _transpose(t: Tracing, a: Any, axes: Any = None) -> Ref:
    ref = t.ref(a)
    return _transposed(t, ref) if axes is None else t.graph.permute_dims(ref, axes)


def _permuted(name: str) -> None:
    """Asks NumPy where the axes go."""

    def permute(t: Tracing, a: Any, *arguments: Any, **options: Any) -> Ref:
        ref = t.ref(a)
        # An axis has its own number as its extent here, so that the shape of the result tells the order.
        order = getattr(np, name)(np.broadcast_to(0, tuple(range(len(ref.shape)))), *arguments, **options).shape
        return t.graph.permute_dims(ref, order)

    RULES[name] = permute


for _name in ("moveaxis", "swapaxes", "rollaxis"):
    _permuted(_name)


@rule("matrix_transpose", "linalg.matrix_transpose")
def _matrix_transpose(t: Tracing, x: Any, /) -> Ref:
    rank = len(np.shape(x))
    return t.graph.permute_dims(t.ref(x), [*range(rank - 2), rank - 1, rank - 2])


def _reshaped(name: str) -> None:
    """Asks NumPy for the new shape."""

    def reshape(t: Tracing, a: Any, *arguments: Any, **options: Any) -> Ref:
        shape = getattr(np, name)(np.broadcast_to(0, np.shape(a)), *arguments, **options).shape
        return t.graph.reshape(t.ref(a), shape)

    RULES[name] = reshape


for _name in ("squeeze", "expand_dims"):
    _reshaped(_name)


def _at_least(name: str) -> None:
    def reshape(t: Tracing, *given: Any) -> Any:
        made = [t.graph.reshape(t.ref(one), getattr(np, name)(np.broadcast_to(0, np.shape(one))).shape) for one in given]
        return made[0] if len(made) == 1 else made

    RULES[name] = reshape


for _name in ("atleast_1d", "atleast_2d", "atleast_3d"):
    _at_least(_name)


@rule("broadcast_to")
def _broadcast_to(t: Tracing, array: Any, shape: Any, subok: bool = False) -> Ref:
    extents: Any = (shape,) if isinstance(shape, (int, np.integer)) else shape
    return t.graph.broadcast_to(t.ref(array), extents)


@rule("broadcast_arrays")
def _broadcast_arrays(t: Tracing, *given: Any, subok: bool = False) -> list[Ref]:
    shape = np.broadcast_shapes(*(np.shape(one) for one in given))
    return [t.graph.broadcast_to(t.ref(one), shape) for one in given]


@rule("concatenate", "concat")
def _concatenate(t: Tracing, arrays: Any, /, axis: Optional[int] = 0, dtype: Any = None, casting: str = "same_kind") -> Ref:
    refs = [t.ref(one) for one in arrays]
    if axis is None:
        return t.graph.concat([t.graph.reshape(ref, [-1]) for ref in refs], 0)
    return t.graph.concat(refs, axis)


@rule("stack")
def _stack(t: Tracing, arrays: Any, axis: int = 0, dtype: Any = None, casting: str = "same_kind") -> Ref:
    refs = [t.ref(one) for one in arrays]
    return t.graph.op("stack", *refs, axis=int(axis) % (len(refs[0].shape) + 1))


@rule("vstack", "row_stack")
def _vstack(t: Tracing, tup: Any, *, dtype: Any = None, casting: str = "same_kind") -> Ref:
    refs = [t.ref(one) for one in tup]
    return t.graph.concat([t.graph.reshape(ref, (1, *ref.shape) if len(ref.shape) == 1 else ref.shape or (1, 1)) for ref in refs], 0)


@rule("hstack")
def _hstack(t: Tracing, tup: Any, *, dtype: Any = None, casting: str = "same_kind") -> Ref:
    refs = [t.graph.reshape(ref, ref.shape or (1,)) for ref in map(t.ref, tup)]
    return t.graph.concat(refs, 0 if len(refs[0].shape) == 1 else 1)


def _splitting(name: str) -> None:
    def split(t: Tracing, ary: Any, indices_or_sections: Any, axis: int = 0) -> list[Ref]:
        ref = t.ref(ary)
        rank = len(ref.shape)
        given = {"axis": axis} if name in ("split", "array_split") else {}
        place = int(axis) % rank if given else {"hsplit": 0 if rank == 1 else 1, "vsplit": 0, "dsplit": 2}[name]
        numbered = np.broadcast_to(np.arange(ref.shape[place]).reshape([-1 if i == place else 1 for i in range(rank)]), ref.shape)
        made = []
        start = 0
        for part in getattr(np, name)(numbered, indices_or_sections, **given):
            extent = part.shape[place]
            first = int(part.flat[0]) if part.size else start
            starts, stops = [0] * rank, list(ref.shape)
            starts[place], stops[place] = first, first + extent
            made.append(t.graph.slice(ref, starts, stops))
            start = first + extent
        return made

    RULES[name] = split


for _name in ("split", "array_split", "hsplit", "vsplit", "dsplit"):
    _splitting(_name)


@rule("unstack")
def _unstack(t: Tracing, x: Any, /, *, axis: int = 0) -> list[Ref]:
    ref = t.ref(x)
    place = int(axis) % len(ref.shape)
    made = []
    for which in range(ref.shape[place]):
        starts, stops = [0] * len(ref.shape), list(ref.shape)
        starts[place], stops[place] = which, which + 1
        made.append(t.graph.reshape(t.graph.slice(ref, starts, stops), ref.shape[:place] + ref.shape[place + 1 :]))
    return made


@rule("flip")
def _flip(t: Tracing, m: Any, axis: Any = None) -> Ref:
    ref = t.ref(m)
    return t.graph.op("flip", ref, axes=sorted(axes_of(axis, len(ref.shape))))


@rule("flipud")
def _flipud(t: Tracing, m: Any) -> Ref:
    return _flip(t, m, 0)


@rule("fliplr")
def _fliplr(t: Tracing, m: Any) -> Ref:
    return _flip(t, m, 1)


@rule("roll")
def _roll(t: Tracing, a: Any, shift: Any, axis: Any = None) -> Ref:
    ref = t.ref(a)
    if axis is None:
        row = t.graph.op("roll", t.graph.reshape(ref, [-1]), shift=int(shift), axis=0)
        return t.graph.reshape(row, ref.shape)
    for by, place in np.broadcast(shift, axis):
        ref = t.graph.op("roll", ref, shift=int(by), axis=int(place) % len(ref.shape))
    return ref


@rule("tile")
def _tile(t: Tracing, A: Any, reps: Any) -> Ref:  # noqa: N803 (NumPy's name)
    ref = t.ref(A)
    counts = tuple(int(n) for n in reps) if isinstance(reps, (tuple, list, np.ndarray)) else (int(reps),)
    rank = max(len(counts), len(ref.shape))
    counts = (1,) * (rank - len(counts)) + counts
    wide = t.graph.reshape(ref, (1,) * (rank - len(ref.shape)) + ref.shape)
    if 0 in counts:
        return t.graph.full([n * count for n, count in zip(wide.shape, counts)], 0)
    return t.graph.op("tile", wide, repetitions=list(counts)) if rank else ref


@rule("pad")
def _pad(t: Tracing, array: Any, pad_width: Any, mode: Any = "constant", **options: Any) -> Ref:
    ref = t.ref(array)
    rank = len(ref.shape)
    if mode == "constant":
        if isinstance(pad_width, dict):
            pad_width = [pad_width.get(axis, pad_width.get(axis - rank, 0)) for axis in range(rank)]
            pad_width = [(one, one) if isinstance(one, (int, np.integer)) else tuple(one) for one in pad_width]
        amounts = np.broadcast_to(np.asarray(pad_width), (rank, 2))
        value = options.get("constant_values", 0)
        if np.ndim(value) > 0 or type(value) is Array:
            raise t.refuse("np.pad is followed with one number as constant_values", "use np.concatenate")
        return t.graph.pad(ref, [int(n) for n in amounts[:, 0]], [int(n) for n in amounts[:, 1]], value=float(t.rounded(value)))
    if mode not in ("edge", "reflect", "symmetric", "wrap") or options.get("reflect_type", "even") != "even":
        raise t.refuse(f"np.pad of mode {mode} is not followed", "use constant, edge, reflect, symmetric or wrap")
    places = np.pad(np.arange(math.prod(ref.shape)).reshape(ref.shape), pad_width, mode, **options)
    return t.graph.reshape(t.graph.take(t.graph.reshape(ref, [-1]), places.reshape(-1), 0), places.shape)


@rule("repeat")
def _repeat(t: Tracing, a: Any, repeats: Any, axis: Optional[int] = None) -> Ref:
    ref, place = flat_axis(t, a, axis)
    which = np.repeat(np.arange(ref.shape[place]), numbers_of(repeats))
    return t.graph.take(ref, which, place)


@rule("take")
def _take(t: Tracing, a: Any, indices: Any, axis: Optional[int] = None, mode: str = "raise") -> Ref:
    ref, place = flat_axis(t, a, axis)
    if type(indices) is Array:
        if whole_argument(indices) is not None and indices.ndim == 1 and mode == "raise":
            entry = index_entry(t, indices, ref.shape[place])
            if entry is not None:
                return t.graph.op("take", ref, axis=place, indices=entry)
        t.read(indices)
    which = np.asarray(numbers_of(indices))
    extent = ref.shape[place]
    if mode != "raise":
        which = np.clip(which, 0, extent - 1) if mode == "clip" else which % extent
    return t.graph.take(ref, which, place)


@rule("take_along_axis")
def _take_along_axis(t: Tracing, arr: Any, indices: Any, axis: Optional[int] = -1) -> Ref:
    ref, place = flat_axis(t, arr, axis)
    if type(indices) is Array:
        name = whole_argument(indices)
        if name is not None and indices.ndim == len(ref.shape) and axis is not None:
            matching = all(n == m for i, (n, m) in enumerate(zip(indices.shape, ref.shape)) if i != place)
            if indices.shape == indices._store.root.shape and matching:
                entry = index_entry(t, indices, ref.shape[place])
                if entry is not None:
                    return t.graph.op("take_along_axis", ref, axis=place, indices=entry)
            if len(ref.shape) == 2 and place == 1 and indices.shape == (ref.shape[0], 1) and indices._store.root.ndim == 1:
                entry = index_entry(t, indices, ref.shape[1])
                if entry is not None:
                    return picked_along_last(t, ref, entry, True)
        t.read(indices)
    which = np.asarray(numbers_of(indices))
    if axis is None:
        which = which.reshape(-1)
    shape = [n if i == place else np.broadcast_shapes((n,), (m,))[0] for i, (n, m) in enumerate(zip(which.shape, ref.shape))]
    wide = [m if i != place else n for i, (n, m) in enumerate(zip(ref.shape, shape))]
    which = np.broadcast_to(which, [which.shape[i] if i == place else n for i, n in enumerate(shape)])
    ref = t.graph.broadcast_to(ref, [ref.shape[i] if i == place else n for i, n in enumerate(wide)])
    return t.graph.take_along_axis(ref, np.where(which < 0, which + ref.shape[place], which), place)


@rule("sort")
def _sort(t: Tracing, a: Any, axis: Optional[int] = -1, kind: Any = None, order: Any = None, *, stable: Any = None) -> Ref:
    ref, place = flat_axis(t, a, axis)
    return t.graph.op("sort", ref, axis=place, descending=False)


@rule("tril")
def _tril(t: Tracing, m: Any, k: int = 0) -> Ref:
    return t.graph.op("tril", t.ref(_square(m)), offset=int(k))


@rule("triu")
def _triu(t: Tracing, m: Any, k: int = 0) -> Ref:
    return t.graph.op("triu", t.ref(_square(m)), offset=int(k))


def _square(m: Any) -> Any:
    # NumPy makes a matrix of a vector, with the vector as each row.
    return np.broadcast_to(m, (len(m), len(m))) if np.ndim(m) == 1 else m


@rule("diagonal", "linalg.diagonal")
def diagonal(t: Tracing, a: Any, /, offset: int = 0, axis1: Optional[int] = None, axis2: Optional[int] = None) -> Ref:
    """Returns the elements at one distance from the diagonal of matrices."""
    return t.graph.op("diagonal", _two_last(t, t.ref(a), axis1, axis2), offset=int(offset))


def _two_last(t: Tracing, x: Ref, axis1: Optional[int], axis2: Optional[int], first: tuple[int, int] = (0, 1)) -> Ref:
    rank = len(x.shape)
    one, two = (first[0] if axis1 is None else axis1) % rank, (first[1] if axis2 is None else axis2) % rank
    return t.graph.permute_dims(x, [*(axis for axis in range(rank) if axis not in (one, two)), one, two])


@rule("trace")
def trace(t: Tracing, a: Any, offset: int = 0, axis1: int = 0, axis2: int = 1, dtype: Any = None) -> Ref:
    """Returns their sum."""
    return t.graph.op("trace", _two_last(t, t.ref(a), axis1, axis2), offset=int(offset))


@rule("diag")
def _diag(t: Tracing, v: Any, k: int = 0) -> Ref:
    ref, k = t.ref(v), int(k)
    if len(ref.shape) == 2:
        return t.graph.op("diagonal", ref, offset=k)
    extent = ref.shape[0]
    # The rows of a matrix with n + 1 columns, put after one another, have the first column as a diagonal.
    row = t.graph.op("pad", ref, low=[0], high=[0], interior=[extent]) if extent > 1 else ref
    square = t.graph.reshape(row, (extent, extent))
    if k == 0:
        return square
    return t.graph.pad(square, [max(-k, 0), max(k, 0)], [max(k, 0), max(-k, 0)])
