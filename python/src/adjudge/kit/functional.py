"""Memory for libraries whose arrays never change: a location holds another array after each write."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Callable, Mapping, Sequence, Tuple

import numpy as np
from adjudge.kit.adapter import Adapter, Array, Arrays, Function
from adjudge.kit.programs import Inputs, Left, Memory, ProgramError, Run, Seeds, Swept


@dataclass
class Cell:
    """A location, as the row of its elements."""

    array: Array


@dataclass(frozen=True)
class Seen:
    """A reference: the element at an index is the location's at `offset + layout[index]`."""

    cell: Cell
    layout: np.ndarray
    # A number, or the library's array where a traced loop counts.
    offset: Any = 0
    is_detached: bool = False

    @property
    def positions(self) -> Any:
        return self.layout.reshape(-1) + self.offset


def size_of(shape: Any) -> int:
    return int(np.prod(shape, dtype=np.int64))


class Functional(Memory):
    """Memory in rows; override `gather` and `put` where the library has better ones, bodies and loops."""

    def __init__(self, adapter: Adapter) -> None:
        self._adapter = adapter
        self._operators = adapter.operators

    def gather(self, flat: Array, positions: Any) -> Array:
        """Returns the elements at some positions of a row."""
        return self._operators["take"](flat, axis=0, indices=positions)

    def put(self, flat: Array, positions: Any, values: Array) -> Array:
        """Replaces a row's elements at distinct positions, by a `take` from both in one row."""
        sources = np.arange(np.shape(flat)[0])
        sources[positions] = sources.size + np.arange(positions.size)
        return self.gather(self._operators["concat"](flat, values, axis=0), sources)

    def allocate(self, value: Array) -> Seen:
        shape = np.shape(value)
        size = size_of(shape)
        return Seen(Cell(self._operators["reshape"](value, shape=(size,))), np.arange(size).reshape(shape))

    def cell(self, reference: Seen) -> Cell:
        return reference.cell

    def again(self, references: Sequence[Seen]) -> list[Seen]:
        cells: dict[int, Cell] = {}
        return [replace(one, cell=cells.setdefault(id(one.cell), Cell(one.cell.array))) for one in references]

    def is_shared(self, one: Seen, other: Seen) -> bool:
        return one.cell is other.cell

    def view(self, reference: Seen, how: Mapping[str, Any]) -> Seen:
        layout = reference.layout
        if how["kind"] != "reshape":
            return replace(reference, **seen_otherwise(reference, how))
        # NumPy makes views where strides allow it and copies elsewhere, and so does this.
        seen = layout.reshape(how["shape"])
        if seen.size > 0 and not np.shares_memory(seen, layout):
            return self.allocate(self._operators["reshape"](self.read(reference), shape=tuple(how["shape"])))
        return replace(reference, layout=seen)

    def read(self, reference: Seen) -> Array:
        taken = self.gather(reference.cell.array, reference.positions)
        value = self._operators["reshape"](taken, shape=reference.layout.shape)
        return self.constant(value) if reference.is_detached else value

    def write(self, reference: Seen, value: Array) -> None:
        if np.unique(reference.layout).size < reference.layout.size:
            raise ProgramError("an element is written through a view that sees it more than once")
        written = self.constant(value) if reference.is_detached else value
        row = self._operators["reshape"](written, shape=(reference.layout.size,))
        reference.cell.array = self.put(reference.cell.array, reference.positions, row)

    def update(self, reference: Seen, op: str, function: Callable[[Array, Array], Array], value: Array) -> None:
        self.write(reference, function(self.read(reference), value))

    def detach(self, reference: Seen) -> Seen:
        return replace(reference, is_detached=True)

    def constant(self, value: Array) -> Array:
        return self._operators["stop_gradient"](value)

    def jvp(self, f: Function, inputs: Arrays, tangents: Arrays) -> Arrays:
        return self._adapter.inner_jvp(f, inputs, tangents)

    def vjp(self, f: Function, inputs: Arrays, cotangents: Arrays) -> Arrays:
        return self._adapter.inner_vjp(f, inputs, cotangents)

    def outer_jvp(self, f: Function, inputs: Arrays, tangents: Arrays) -> Arrays:
        return self._adapter.jvp(f, inputs, tangents)

    def sweep(self, run: Callable[[], Run], inputs: Inputs, seeds: Seeds) -> Swept:
        """Runs for the values, then pulls back from results.

        `retain` gets a value's cotangent from a *tap*, an input of −0 added when the value is made.
        """
        plain = run()
        left = self.entered(plain, inputs)
        shapes = dict(zip(left.retained, (np.shape(array) for array in left.kept)))
        numbers = sorted(shapes)
        taps = [inputs.array(np.full(shapes[number], -0.0)) for number in numbers]
        count = len(inputs.parameters)
        whole = [*inputs.parameters, *inputs.state]
        if not seeds or not (whole or taps):
            zeros = [np.zeros(np.shape(array)) for array in whole]
            return Swept(left, zeros, [np.zeros(shapes[number]) for number in left.retained])

        def seeded(arguments: Arrays) -> Arrays:
            tapped = run()
            tapped.taps = dict(zip(numbers, arguments[len(whole) :]))
            results = tapped.enter(arguments[:count], arguments[count : len(whole)]).results
            return [results[place] for place in seeds]

        cotangents = list(self._adapter.vjp(seeded, [*whole, *taps], list(seeds.values())))
        at = dict(zip(numbers, cotangents[len(whole) :]))
        return Swept(left, cotangents[: len(whole)], [at[number] for number in left.retained])


def seen_otherwise(reference: Seen, how: Mapping[str, Any]) -> dict[str, Any]:
    """Returns what changes in a reference that is viewed otherwise, except for reshapes."""
    layout, kind = reference.layout, how["kind"]
    if kind == "permute":
        return {"layout": layout.transpose(how["axes"])}
    if kind == "broadcast":
        return {"layout": np.broadcast_to(layout, how["shape"])}
    return placed(reference, *axes_seen(layout.shape, how))


# The starts along each axis, the shape, and for each new axis the steps along old ones.
Axes = Tuple[Sequence[Any], Sequence[int], Sequence[Mapping[int, int]]]


def axes_seen(shape: Sequence[int], how: Mapping[str, Any]) -> Axes:
    """Returns where a view begins in another one, and what a step along each of its axes is there."""
    kind = how["kind"]
    alone: list[dict[int, int]] = [{axis: 1} for axis in range(len(shape))]
    if kind == "slice":
        return how["starts"], how["sizes"], [{axis: step} for axis, step in enumerate(how["steps"])]
    if kind == "strided":
        return [how["start"]], how["shape"], [{0: stride} for stride in how["strides"]]
    starts, extents = [0] * len(shape), list(shape)
    if kind == "unfold":
        axis = how["axis"]
        extents[axis] = (shape[axis] - how["size"]) // how["step"] + 1
        alone[axis] = {axis: how["step"]}
        return starts, [*extents, how["size"]], [*alone, {axis: 1}]
    # The diagonal takes the place of the first of the two axes.
    offset, (row, column) = how.get("offset", 0), how.get("axes", (0, 1))
    starts[row], starts[column] = max(0, -offset), max(0, offset)
    kept, gone = sorted((row, column))
    extents[kept] = max(0, min(shape[row] - starts[row], shape[column] - starts[column]))
    alone[kept] = {row: 1, column: 1}
    return starts, extents[:gone] + extents[gone + 1 :], alone[:gone] + alone[gone + 1 :]


def placed(reference: Seen, starts: Sequence[Any], shape: Sequence[int], steps: Sequence[Mapping[int, int]]) -> dict[str, Any]:
    """Sees from the lowest start and then moves, as only a traced loop may know where it starts."""
    layout = reference.layout
    lowest = [
        sum(max(0, extent - 1) * max(0, -by.get(axis, 0)) for extent, by in zip(shape, steps)) for axis in range(layout.ndim)
    ]
    for axis, (start, low) in enumerate(zip(starts, lowest)):
        high = sum(max(0, extent - 1) * max(0, by.get(axis, 0)) for extent, by in zip(shape, steps))
        is_empty = any(extent == 0 and axis in by for extent, by in zip(shape, steps))
        if isinstance(start, int) and not low <= start <= layout.shape[axis] - (not is_empty) - high:
            raise ProgramError(f"place {start} leaves axis {axis}")
    # Without axes it must be a view too, not a number.
    first = layout[(..., *(slice(low, None) for low in lowest))]
    strides = [sum(step * layout.strides[axis] for axis, step in by.items()) for by in steps]
    seen = np.lib.stride_tricks.as_strided(first, shape, strides)
    moved = sum(((start - low) * stride for start, low, stride in zip(starts, lowest, strides_of(layout))), reference.offset)
    return {"layout": seen, "offset": moved}


def strides_of(layout: np.ndarray) -> list[int]:
    """Returns how far apart neighbours along each axis are."""
    if layout.size == 0:
        return [0] * layout.ndim
    first = layout[(0,) * layout.ndim]
    ones = np.eye(layout.ndim, dtype=int)
    return [int(layout[tuple(one)] - first) if extent > 1 else 0 for one, extent in zip(ones, layout.shape)]
