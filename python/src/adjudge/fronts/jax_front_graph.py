"""The graph that a jaxpr is written to."""

from __future__ import annotations

import math
from typing import Sequence

from ..graph import Graph, Operand, Ref


class Tidy(Graph):
    """A graph in which a reshape of a reshape is one, and likewise for permutations and broadcasts."""

    def node(self, ref: Ref) -> tuple[str, list[Ref]]:
        """Returns the operator and the operands of a value; an input has neither."""
        place = ref.id - len(self.inputs)
        if place < 0:
            return "input", []
        node = self.nodes[place]
        return node["op"], [Ref(self, parent, self._shapes[parent]) for parent in node["parents"]]

    def is_full(self, ref: Ref, number: float) -> bool:
        """Tells whether a value is one number everywhere."""
        name, _ = self.node(ref)
        return name == "full" and self.nodes[ref.id - len(self.inputs)]["attributes"]["value"] == number

    def reshape(self, x: Operand, shape: Sequence[int]) -> Ref:
        """Returns the same elements in another shape."""
        ref = self.ref(x)
        name, parents = self.node(ref)
        return super().reshape(parents[0] if name == "reshape" else ref, shape)

    def permute_dims(self, x: Operand, axes: Sequence[int]) -> Ref:
        """Permutes axes."""
        ref = self.ref(x)
        name, parents = self.node(ref)
        if name == "permute_dims":
            before = self.nodes[ref.id - len(self.inputs)]["attributes"]["axes"]
            return super().permute_dims(parents[0], [before[int(axis)] for axis in axes])
        return super().permute_dims(ref, axes)

    def broadcast_to(self, x: Operand, shape: Sequence[int]) -> Ref:
        """Repeats a value along axes of extent 1 and new leading ones."""
        ref = self.ref(x)
        name, parents = self.node(ref)
        ref = parents[0] if name == "broadcast_to" else ref
        # New axes of extent 1 alone are a reshape.
        return self.reshape(ref, shape) if math.prod(ref.shape) == math.prod(shape) else super().broadcast_to(ref, shape)

    def concat(self, parts: Sequence[Operand], axis: int) -> Ref:
        """Joins values along an axis; one that is empty there joins nothing."""
        refs = [self.ref(part) for part in parts]
        return super().concat([ref for ref in refs if ref.shape[axis]] or refs[:1], axis)
