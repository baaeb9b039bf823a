"""Which values PyTorch's tensors hold: views, writes in place and aliases, by storage and layout.

A tensor is a window on a storage: an offset, extents and strides. Whoever writes through one window changes
what all the others see. So the values are kept by storage, and a tensor is looked up by where it lies.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any, Optional

import numpy as np
import torch

from ..graph import Graph, Ref

# An offset, extents and strides, in elements.
Layout = tuple[int, tuple[int, ...], tuple[int, ...]]


def address(x: torch.Tensor) -> int:
    """Returns what names a tensor's storage, as long as somebody holds it."""
    return x.untyped_storage()._cdata


def layout_of(x: torch.Tensor) -> Layout:
    """Returns where a tensor lies in its storage; strides of axes of extent 1 do not matter."""
    extents = tuple(int(n) for n in x.shape)
    strides = tuple(0 if n == 1 else int(step) for n, step in zip(extents, x.stride()))
    return int(x.storage_offset()), extents, strides


def positions(layout: Layout) -> np.ndarray:
    """Returns the place in the storage of each element."""
    offset, extents, strides = layout
    places = np.full(extents, offset, dtype=np.int64)
    for axis, (extent, stride) in enumerate(zip(extents, strides)):
        places += (np.arange(extent) * stride).reshape((extent,) + (1,) * (len(extents) - axis - 1))
    return places


def taken(graph: Graph, flat: Ref, places: np.ndarray) -> Ref:
    """Returns the elements of a row at some places, in the shape of `places`."""
    if places.size == math.prod(flat.shape) and np.array_equal(places.reshape(-1), np.arange(places.size)):
        return graph.reshape(flat, places.shape)
    return graph.take(flat, places, 0)


def row(graph: Graph, x: Any) -> Ref:
    """Returns a value's elements in one row."""
    ref = graph.ref(x)
    return graph.reshape(ref, (math.prod(ref.shape),))


@dataclass
class Store:
    """A storage whose contents depend on inputs: what lay there first, and what was written over it since."""

    graph: Graph
    # What is known of the first contents; the first entry covers all that is known.
    seen: dict[Layout, Ref] = field(default_factory=dict)
    # What was written since, the latest last.
    written: list[tuple[Layout, Ref]] = field(default_factory=list)

    def read(self, layout: Layout) -> Ref:
        """Returns what lies at a layout."""
        wanted = positions(layout) if self.written else np.empty(0, dtype=np.int64)
        for where, value in reversed(self.written):
            if where == layout:
                return value
            if np.isin(positions(where), wanted).any():
                padded = self._padded(layout)
                if padded is not None:
                    return padded
                self._merge()
                break
        if layout not in self.seen:
            base, value = next(iter(self.seen.items()))
            self.seen[layout] = taken(self.graph, row(self.graph, value), found(base, positions(layout)))
        return self.seen[layout]

    def note(self, layout: Layout, value: Ref) -> None:
        """Says what lies at a layout: of fresh memory, or of a new look at what is known."""
        if not any(np.isin(positions(where), positions(layout)).any() for where, _ in self.written):
            self.seen.setdefault(layout, value)

    def write(self, layout: Layout, value: Ref) -> None:
        """Replaces what lies at a layout."""
        if not self.seen or np.isin(positions(next(iter(self.seen))), positions(layout)).all():
            self.seen, self.written = {layout: value}, []
        else:
            self.written = [(where, old) for where, old in self.written if where != layout] + [
                (layout, value)
            ]

    def _padded(self, layout: Layout) -> Optional[Ref]:
        """Returns what lies at a layout, if all of it is zeros but for one value, written into a part."""
        [first, *_], [(inner, value), *others] = self.seen.values(), self.written
        amounts = amounts_between(layout, inner)
        if others or amounts is None or not is_zeros(self.graph, first):
            return None
        return self.graph.pad(value, *amounts)

    def _merge(self) -> None:
        """Makes one value of the first contents and of all that was written."""
        base, first = next(iter(self.seen.items()))
        held = positions(base)
        source, parts, start = np.arange(held.size).reshape(held.shape), [row(self.graph, first)], held.size
        for layout, value in self.written:
            places = positions(layout).reshape(-1)
            hit = np.isin(held, places)
            source[hit] = start + found(layout, held[hit])
            parts.append(row(self.graph, value))
            start += places.size
        self.seen, self.written = {base: taken(self.graph, self.graph.concat(parts, 0), source)}, []


def is_zeros(graph: Graph, x: Ref) -> bool:
    """Tells whether a value is 0 everywhere."""
    node = graph.made(x)
    return node is not None and node["op"] == "full" and node["attributes"]["value"] == 0


def amounts_between(base: Layout, inner: Layout) -> Optional[tuple[list[int], list[int], list[int]]]:
    """Returns how many elements of a layout lie before, after and between those of another, axis by axis.

    It is None where the other is no such part: it has other axes, or reads some of them backwards.
    """
    (start, extents, strides), (offset, counts, steps) = base, inner
    if len(extents) != len(counts) or 0 in extents or 0 in counts:
        return None
    low, high, interior = [0] * len(extents), [0] * len(extents), [0] * len(extents)
    rest = offset - start
    for axis in sorted(range(len(extents)), key=lambda axis: -strides[axis]):
        extent, stride, count = extents[axis], strides[axis], counts[axis]
        if stride == 0:
            continue
        low[axis], rest = divmod(rest, stride)
        every = steps[axis] // stride if count > 1 else 1
        if every < 1 or (count > 1 and every * stride != steps[axis]):
            return None
        interior[axis] = every - 1
        high[axis] = extent - low[axis] - (count - 1) * every - 1
    return None if rest != 0 or min([*low, *high], default=0) < 0 else (low, high, interior)


def found(base: Layout, wanted: np.ndarray) -> np.ndarray:
    """Returns which element of a layout lies at each place."""
    held = positions(base).reshape(-1)
    order = np.argsort(held, kind="stable")
    return order[np.searchsorted(held[order], wanted)]


def flat_layout(x: torch.Tensor) -> Layout:
    """Returns the layout of a whole storage."""
    count = x.untyped_storage().nbytes() // max(1, x.element_size())
    return 0, (count,), (0 if count == 1 else 1,)


def whole_storage(x: torch.Tensor) -> torch.Tensor:
    """Returns a whole storage as one row, which shares its memory."""
    _, (count,), _ = flat_layout(x)
    return torch.as_strided(x.detach(), (count,), (1,), 0)


def numbers(x: torch.Tensor) -> np.ndarray:
    """Returns a tensor's numbers as float64."""
    if x._is_zerotensor():
        return np.zeros(tuple(x.shape))
    plain = x.detach().resolve_conj().resolve_neg()
    return np.array(plain.to("cpu", torch.float64).numpy(), dtype=np.float64)


@dataclass
class Constant:
    """What is known of a storage that holds no value of the graph."""

    # Its numbers follow from those of inputs at this point.
    pointwise: bool = False
    # Its numbers follow from those of these arguments, which are data.
    fixed: frozenset[str] = frozenset()
    # Its numbers follow from what lies in these storages from outside of the function.
    sources: frozenset[int] = frozenset()
    # Elements that no operator has written.
    unwritten: Optional[np.ndarray] = None
