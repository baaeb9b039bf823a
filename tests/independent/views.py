"""Views of a location: a shape, and the place in the location of each element [SEMANTICS 10.3]."""

from __future__ import annotations

from math import prod
from typing import Callable, List, NamedTuple, Optional, Sequence, Tuple

from operators import Shape, Tensor, broadcast, indices_of, permuted, positions


class Fault(Exception):
    """A run that has no meaning, with the code of what is wrong."""


class View(NamedTuple):
    shape: Shape
    places: Tuple[int, ...]


def whole(shape: Sequence[int]) -> View:
    return View(tuple(shape), tuple(range(prod(shape))))


def selected(view: View, shape: Sequence[int], at: Callable[[Tuple[int, ...]], Tuple[int, ...]]) -> View:
    where = positions(view.shape)
    try:
        return View(tuple(shape), tuple(view.places[where[at(index)]] for index in indices_of(shape)))
    except KeyError as beyond:
        raise Fault("program/index") from beyond


def transformed(view: View, how: dict, place: Callable[[object], int], faults: set) -> Optional[View]:
    """The view seen otherwise; None where a reshape has no strides that do it."""
    kind = how["kind"]
    if kind == "slice":
        starts, steps = [place(start) for start in how["starts"]], how["steps"]
        if "slice_steps" in faults:
            steps = [1] * len(steps)
            starts = [min(start, n - size) for start, n, size in zip(starts, view.shape, how["sizes"])]
        return selected(view, how["sizes"], lambda index: tuple(
            start + i * step for start, i, step in zip(starts, index, steps)))
    if kind == "permute":
        return View(*permuted(Tensor(*view), how["axes"]))
    if kind == "broadcast":
        return View(*broadcast(Tensor(*view), how["shape"]))
    if kind == "diagonal":
        return diagonal(view, how.get("offset", 0), how.get("axes", [0, 1]), faults)
    if kind == "unfold":
        axis, size, step = how["axis"], how["size"], how["step"]
        if "unfold_step" in faults:
            step = 1
        shape = list(view.shape)
        shape[axis] = (view.shape[axis] - size) // step + 1
        return selected(view, [*shape, size], lambda index: (
            index[:axis] + (index[axis] * step + index[-1],) + index[axis + 1:-1]))
    if kind == "strided":
        start, strides = place(how["start"]), how["strides"]
        return selected(view, how["shape"], lambda index: (
            start + sum(i * stride for i, stride in zip(index, strides)),))
    return reshaped(view, tuple(how["shape"]))


def diagonal(view: View, offset: int, axes: Sequence[int], faults: set) -> View:
    """The elements whose index along the second axis is `offset` more; they stand along the earlier one."""
    row, column = axes
    if "diagonal_offset" in faults:
        offset = -offset
    first, beyond = max(0, -offset), max(0, offset)
    length = max(0, min(view.shape[row] - first, view.shape[column] - beyond))
    kept, gone = min(row, column), max(row, column)
    shape = [length if axis == kept else n for axis, n in enumerate(view.shape) if axis != gone]

    def at(index: Tuple[int, ...]) -> Tuple[int, ...]:
        others = list(index)
        others.insert(gone, 0)
        along = others[kept]
        others[row], others[column] = along + first, along + beyond
        return tuple(others)

    return selected(view, shape, at)


def reshaped(view: View, shape: Shape) -> Optional[View]:
    """The same places in the same order, if an offset and strides of the new shape give them."""
    if not view.places:
        return View(shape, ())
    where = positions(shape)

    def stride_along(axis: int) -> int:
        if shape[axis] == 1:
            return 0
        unit = tuple(1 if other == axis else 0 for other in range(len(shape)))
        return view.places[where[unit]] - view.places[0]

    strides: List[int] = [stride_along(axis) for axis in range(len(shape))]
    wanted = tuple(view.places[0] + sum(i * s for i, s in zip(index, strides)) for index in where)
    return View(shape, view.places) if wanted == view.places else None
