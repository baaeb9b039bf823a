"""Moves of elements as what NumPy does with their places, for adapters whose libraries gather elements by places."""

from __future__ import annotations

import math

import numpy as np


def places_of(shape):
    """Returns the place of each element, in row-major order."""
    return np.arange(math.prod(shape)).reshape(shape)


def padded(places, low, high, interior):
    """Returns −1 where a zero stands."""
    extents = [a + n + gap * max(n - 1, 0) + b for a, n, gap, b in zip(low, places.shape, interior, high)]
    whole = np.full(extents, -1)
    whole[tuple(slice(a, a + n + gap * max(n - 1, 0), gap + 1) for a, n, gap in zip(low, places.shape, interior))] = places
    return whole


def diagonal(places, offset):
    return np.diagonal(places, offset, -2, -1)


def tril(places, offset):
    """Returns −1 where a zero stands."""
    return np.where(np.tril(np.ones_like(places), offset) > 0, places, -1)


def triu(places, offset):
    """Returns −1 where a zero stands."""
    return np.where(np.triu(np.ones_like(places), offset) > 0, places, -1)


# The primitives that move elements of one operand, except reshape, which keeps all places.
MOVES = {
    "broadcast_to": lambda places, shape: np.broadcast_to(places, shape),
    "permute_dims": lambda places, axes: np.transpose(places, axes),
    "take": lambda places, axis, indices: np.take(places, indices, axis),
    "slice": lambda places, starts, stops, steps: places[tuple(map(slice, starts, stops, steps))],
    "pad": padded,
    "take_along_axis": lambda places, axis, indices: np.take_along_axis(places, indices, axis),
    "gather": lambda places, indices: places[tuple(np.moveaxis(indices, -1, 0))],
}
