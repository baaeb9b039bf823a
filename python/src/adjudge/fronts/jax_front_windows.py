"""Rules for primitives of a jaxpr that go over windows: convolutions, pools and their derivatives."""

from __future__ import annotations

import math
from typing import Callable, Optional, Sequence

import numpy as np

from ..graph import Ref
from .jax_front_moves import picked, places
from .jax_front_rules import Params, floats, rule
from .jax_front_shapes import padded
from .jax_front_values import Value, real
from .jax_front_writer import Writer


def _windows(shape: Sequence[int], p: Params) -> np.ndarray:
    """Returns the places of the elements of each window, −1 for padding: [*counts, size of a window]."""
    rank = len(shape)
    dilated, by = p.get("base_dilation") or (1,) * rank, p.get("window_dilation") or (1,) * rank
    spread = -np.ones([max((n - 1) * step + 1, 0) if n else 0 for n, step in zip(shape, dilated)], int)
    spread[tuple(slice(None, None, step) for step in dilated)] = np.asarray(places(shape))
    spread = np.pad(spread, [(max(low, 0), max(high, 0)) for low, high in p["padding"]], constant_values=-1)
    spread = spread[tuple(slice(max(-low, 0), n - max(-high, 0)) for (low, high), n in zip(p["padding"], spread.shape))]
    sizes = [(n - 1) * step + 1 for n, step in zip(p["window_dimensions"], by)]
    views = np.lib.stride_tricks.sliding_window_view(spread, sizes)
    views = views[tuple(slice(None, None, stride) for stride in p["window_strides"])]
    views = views[(slice(None),) * rank + tuple(slice(None, None, step) for step in by)]
    return views.reshape(*views.shape[:rank], -1)


# Operators of windows take at most so many axes.
MOST_AXES = 3


def _over_images(w: Writer, p: Params, x: Ref, pool: Callable[[Ref, list[int]], Ref]) -> Optional[Ref]:
    """Pools over the axes that windows extend along, with the others as a batch of images of one channel."""
    rank = len(x.shape)
    each = zip(p["window_dimensions"], p["window_strides"], p["padding"])
    along = [axis for axis, (size, stride, sides) in enumerate(each) if (size, stride, tuple(sides)) != (1, 1, (0, 0))]
    if len(along) > MOST_AXES:
        return None
    order = [axis for axis in range(rank) if axis not in along] + along
    turned = w.graph.permute_dims(x, order)
    batch = turned.shape[: rank - len(along)]
    pooled = pool(w.graph.reshape(turned, (math.prod(batch), 1, *turned.shape[len(batch) :])), along)
    return w.graph.permute_dims(w.graph.reshape(pooled, (*batch, *pooled.shape[2:])), np.argsort(order).tolist())


@rule("reduce_window_sum")
def _reduce_window_sum(w: Writer, p: Params, x: Value) -> Ref:
    config = [(low, high, step - 1) for (low, high), step in zip(p["padding"], p["base_dilation"])]
    spread = padded(w, w.ref(x), config)
    unpadded = {**p, "padding": [(0, 0)] * len(x.shape), "base_dilation": [1] * len(x.shape)}

    def pool(images: Ref, along: list[int]) -> Ref:
        # A convolution with ones: its products are exact.
        ones = w.graph.full((1, 1, *(p["window_dimensions"][axis] for axis in along)), 1.0)
        strides, by = ([int(p[key][axis]) for axis in along] for key in ("window_strides", "window_dilation"))
        return w.graph.op("conv", images, ones, strides=strides, padding=[[0, 0] for _ in along], dilations=by, groups=1)

    pooled = _over_images(w, unpadded, spread, pool)
    return w.graph.reduce("sum", picked(w, spread, _windows(spread.shape, unpadded)), [len(x.shape)]) if pooled is None else pooled


@rule("reduce_window_max")
def _reduce_window_max(w: Writer, p: Params, x: Value) -> Ref:
    return _extreme_window(w, p, x, "max")


@rule("reduce_window_min")
def _reduce_window_min(w: Writer, p: Params, x: Value) -> Ref:
    return _extreme_window(w, p, x, "min")


def _extreme_window(w: Writer, p: Params, x: Value, name: str) -> Ref:
    def pool(images: Ref, along: list[int]) -> Ref:
        window, strides, padding = ([p[key][axis] for axis in along] for key in ("window_dimensions", "window_strides", "padding"))
        attributes = {"window": window, "strides": strides, "padding": padding}
        if name == "max":
            return w.graph.op("max_pool", images, **attributes)
        return w.graph.negative(w.graph.op("max_pool", w.graph.negative(images), **attributes))

    fits = all(max(sides) < n and min(sides) >= 0 for sides, n in zip(p["padding"], p["window_dimensions"]))
    if fits and set(p["base_dilation"]) | set(p["window_dilation"]) <= {1}:
        pooled = _over_images(w, p, w.ref(x), pool)
        if pooled is not None:
            return pooled
    table = _windows(x.shape, p)
    first = np.take_along_axis(table, np.argmax(table >= 0, axis=-1)[..., None], axis=-1)
    if np.any(first < 0):
        raise w.refusal("a window has padding alone", "pad by less than the window's extent")
    # An element twice in a window does not change the greatest one.
    return w.graph.reduce(name, picked(w, w.ref(x), np.where(table < 0, first, table)), [len(x.shape)])


def _chosen(w: Writer, p: Params, operand: Value) -> np.ndarray:
    """Returns the place of the element that each window chooses at the point."""
    if p.get("select_prim") is None or p["select_prim"].name not in ("ge", "le"):
        raise w.refusal("a window chooses by something other than order", "give a plain version as reference=")
    least = p["select_prim"].name == "le"
    table, numbers = _windows(operand.shape, p), real(w.now(operand)).reshape(-1)
    met = np.where(table >= 0, numbers[np.maximum(table, 0)], math.inf if least else -math.inf)
    best = np.argmin(met, axis=-1) if least else np.argmax(met, axis=-1)
    chosen = np.take_along_axis(table, best[..., None], axis=-1)[..., 0]
    if np.any(chosen < 0):
        raise w.refusal("a window has padding alone", "pad by less than the window's extent")
    return chosen


@rule("select_and_scatter_add")
def _select_and_scatter_add(w: Writer, p: Params, source: Value, operand: Value) -> Ref:
    rows = _chosen(w, p, operand).reshape(-1, 1)
    size = math.prod(operand.shape)
    added = w.graph.scatter_add(w.graph.full([size], 0.0), rows, w.graph.reshape(w.ref(source), [-1]))
    return w.graph.reshape(added, operand.shape)


@rule("select_and_gather_add")
def _select_and_gather_add(w: Writer, p: Params, tangents: Value, operand: Value) -> Ref:
    return picked(w, w.ref(tangents), _chosen(w, p, operand))


@rule("conv_general_dilated")
def _conv(w: Writer, p: Params, x: Value, kernel: Value) -> Ref:
    floats(x, kernel)
    layout, rank = p["dimension_numbers"], len(x.shape)
    image = w.graph.permute_dims(w.ref(x), layout.lhs_spec)
    weights = w.graph.permute_dims(w.ref(kernel), layout.rhs_spec)
    padding = [[int(low), int(high)] for low, high in p["padding"]]
    spread = [int(n) for n in p["lhs_dilation"]]
    if any(n != 1 for n in spread) or any(n < 0 for sides in padding for n in sides):
        image = padded(w, image, [(0, 0, 0)] * 2 + [(low, high, step - 1) for (low, high), step in zip(padding, spread)])
        padding = [[0, 0]] * (rank - 2)
    groups, batches = int(p["feature_group_count"]), int(p["batch_group_count"])
    if batches > 1:
        # A group of the batch becomes a group of the channels.
        count, channels, *extents = image.shape
        image = w.graph.reshape(image, (batches, count // batches, channels, *extents))
        image = w.graph.permute_dims(image, (1, 0, 2, *range(3, rank + 1)))
        image, groups = w.graph.reshape(image, (count // batches, batches * channels, *extents)), batches
    strides, by = [int(n) for n in p["window_strides"]], [int(n) for n in p["rhs_dilation"]]
    made = w.graph.op("conv", image, weights, strides=strides, padding=padding, dilations=by, groups=groups)
    back: list[Optional[int]] = [None] * rank
    for source, target in enumerate(layout.out_spec):
        back[target] = source
    return w.graph.permute_dims(made, back)  # type: ignore[arg-type]
