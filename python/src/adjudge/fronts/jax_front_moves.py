"""Rules for primitives of a jaxpr that pick elements by indices, or order them."""

from __future__ import annotations

import math
from typing import Any, Sequence

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from ..graph import Ref
from .jax_front_rules import Params, floats, rule
from .jax_front_values import NotSaid, Value
from .jax_front_writer import Writer

# ---- Elements picked by indices --------------------------------------------------------------------------


def places(shape: Sequence[int]) -> jax.Array:
    """Returns the place of each element in row-major order, to be moved as the elements are."""
    return jnp.arange(math.prod(shape), dtype=jnp.int32).reshape(tuple(shape))


def picked(w: Writer, x: Ref, table: np.ndarray, filling: float = 0.0) -> Ref:
    """Returns the elements at places in row-major order, and a number where the place is −1."""
    table = np.asarray(table)
    size = math.prod(x.shape)
    if np.array_equal(table.reshape(-1), np.arange(size)):
        return w.graph.reshape(x, table.shape)
    if not size or not table.size:
        return w.graph.constant(np.full(table.shape, filling))
    taken = w.graph.take(w.graph.reshape(x, [-1]), np.maximum(table, 0).reshape(-1), 0)
    taken = w.graph.reshape(taken, table.shape)
    return w.graph.where((table >= 0).astype(np.float64), taken, filling) if np.any(table < 0) else taken


@rule("gather")
def _gather(w: Writer, p: Params, x: Value, indices: Value) -> Ref:
    if indices.label is not None or indices.columns is not None:
        try:
            return _gather_by_argument(w, p, x, indices)
        except NotSaid:
            pass
    numbers = np.asarray(w.now(indices))
    filling = p["fill_value"]
    if filling is None:
        filling = math.nan if x.floating else 0
    if p["mode"] == lax.GatherScatterMode.FILL_OR_DROP and not x.floating:
        raise NotSaid
    ref = w.ref(x)
    axes = _blocks(p, ref)
    extents = np.array([ref.shape[axis] for axis in axes])
    if axes and p["mode"] == lax.GatherScatterMode.CLIP:
        numbers = np.clip(numbers, 0, extents - 1)
    if axes and np.all((numbers >= 0) & (numbers < extents)):
        if len(axes) == 1:
            return _placed(w, p, w.graph.take(ref, numbers.reshape(-1), axes[0]), axes[0], numbers.shape[:-1], ref)
        if axes == tuple(range(len(axes))) and tuple(p["dimension_numbers"].offset_dims) == tuple(range(numbers.ndim - 1, numbers.ndim - 1 + len(ref.shape) - len(axes))):
            return w.graph.gather(ref, numbers)
    return picked(w, ref, _gathered(p["dimension_numbers"], p["slice_sizes"], p["mode"], x.shape, numbers), float(filling))


def _gathered(numbers: Any, sizes: Sequence[int], mode: Any, shape: Sequence[int], indices: Any) -> np.ndarray:
    """Returns the place that each element of a gather comes from, −1 where it is filled in."""
    filling = -1 if mode == lax.GatherScatterMode.FILL_OR_DROP else None
    return np.asarray(lax.gather(places(shape), indices, numbers, tuple(sizes), mode=mode, fill_value=filling))


def _blocks(p: Params, x: Ref) -> tuple[int, ...]:
    """Returns the axes that a gather indexes if it takes all there is along the others, else none."""
    numbers = p["dimension_numbers"]
    axes = tuple(int(axis) for axis in numbers.start_index_map)
    whole = all(size == (1 if axis in axes else n) for axis, (size, n) in enumerate(zip(p["slice_sizes"], x.shape)))
    collapsed = tuple(int(axis) for axis in numbers.collapsed_slice_dims)
    return axes if whole and sorted(axes) == list(collapsed) and not numbers.operand_batching_dims else ()


def _placed(w: Writer, p: Params, taken: Ref, axis: int, batch: Sequence[int], x: Ref) -> Ref:
    """Moves the axes of the indices, which stand where the axis was, to where no axis of the slices is."""
    taken = w.graph.reshape(taken, (*x.shape[:axis], *batch, *x.shape[axis + 1 :]))
    rank, offset = len(taken.shape), [int(n) for n in p["dimension_numbers"].offset_dims]
    sources = iter([n for n in range(rank) if not axis <= n < axis + len(batch)])
    own = iter(range(axis, axis + len(batch)))
    return w.graph.permute_dims(taken, [next(sources) if n in offset else next(own) for n in range(rank)])


def _gather_by_argument(w: Writer, p: Params, x: Value, indices: Value) -> Ref:
    """Picks by an integer argument, which stays an entry: rows of a table, or one element of each row."""
    numbers, ref = p["dimension_numbers"], w.ref(x)
    axes = tuple(int(axis) for axis in numbers.start_index_map)
    collapsed = tuple(int(axis) for axis in numbers.collapsed_slice_dims)
    label = indices.label or indices.columns or ""
    given = w.given[label]
    count = given.size
    each = (indices.columns is not None and axes == collapsed == (0, 1)) or (
        indices.label is not None and axes == collapsed == (1,) and tuple(numbers.operand_batching_dims) == (0,) and indices.shape[:2] == (count, 1)
    )
    if len(ref.shape) == 2 and each and tuple(p["slice_sizes"]) == (1, 1) and ref.shape[0] == count and given.max(initial=0) < ref.shape[1]:
        hot = w.graph.op("one_hot", indices=w.entry(label, "index"), classes=ref.shape[1])
        chosen = w.graph.reduce("sum", w.graph.where(hot, ref, 0.0), [1])
        return w.graph.reshape(chosen, (count,) if indices.columns else (count, 1))
    axes = _blocks(p, ref)
    if indices.label is None or len(axes) != 1 or given.max(initial=0) >= ref.shape[axes[0]]:
        raise NotSaid
    taken = w.graph.op("take", ref, axis=axes[0], indices=w.entry(label, "index"))
    return _placed(w, p, taken, axes[0], indices.shape[:-1], ref)


def _scattered(p: Params, shape: Sequence[int], updates: Sequence[int], indices: Any) -> np.ndarray:
    """Returns the place that each element of the updates goes to, −1 where it is dropped."""
    numbers = p["dimension_numbers"]
    back = lax.GatherDimensionNumbers(
        offset_dims=numbers.update_window_dims,
        collapsed_slice_dims=numbers.inserted_window_dims,
        start_index_map=numbers.scatter_dims_to_operand_dims,
        operand_batching_dims=numbers.operand_batching_dims,
        start_indices_batching_dims=numbers.scatter_indices_batching_dims,
    )
    windows = iter(numbers.update_window_dims)
    single = {*numbers.inserted_window_dims, *numbers.operand_batching_dims}
    sizes = [1 if axis in single else updates[next(windows)] for axis in range(len(shape))]
    return _gathered(back, sizes, p["mode"], shape, indices).reshape(-1)


@rule("scatter-add", "scatter-sub")
def _scatter_add(w: Writer, p: Params, x: Value, indices: Value, updates: Value) -> Ref:
    numbers, dimensions = np.asarray(w.now(indices)), p["dimension_numbers"]
    axes = tuple(range(numbers.shape[-1] if numbers.ndim else 0))
    blocks = tuple(dimensions.inserted_window_dims) == tuple(dimensions.scatter_dims_to_operand_dims) == axes
    trailing = tuple(range(numbers.ndim - 1, len(updates.shape)))
    if blocks and axes and tuple(dimensions.update_window_dims) == trailing and updates.shape[numbers.ndim - 1 :] == x.shape[len(axes) :]:
        if np.all((numbers >= 0) & (numbers < np.array(x.shape[: len(axes)]))):
            added = w.ref(updates) if w.primitive == "scatter-add" else w.graph.negative(w.ref(updates))
            return w.graph.scatter_add(w.ref(x), numbers, added)
    table = _scattered(p, x.shape, updates.shape, numbers)
    flat = w.graph.reshape(w.ref(updates), [-1])
    if np.any(table < 0):
        kept = np.flatnonzero(table >= 0)
        flat, table = w.graph.take(flat, kept, 0), table[kept]
    if w.primitive == "scatter-sub":
        flat = w.graph.negative(flat)
    return w.graph.reshape(w.graph.scatter_add(w.graph.reshape(w.ref(x), [-1]), table[:, None], flat), x.shape)


@rule("scatter")
def _scatter(w: Writer, p: Params, x: Value, indices: Value, updates: Value) -> Ref:
    table = _scattered(p, x.shape, updates.shape, w.now(indices))
    return _replaced(w, w.ref(x), w.ref(updates), table)


def _replaced(w: Writer, x: Ref, updates: Ref, table: np.ndarray) -> Ref:
    """Returns x with the elements of the updates at places in row-major order."""
    size = math.prod(x.shape)
    sources = np.arange(size)
    kept = np.flatnonzero(table >= 0)
    if len(set(table[kept].tolist())) < len(kept):
        hint = "use unique indices: JAX leaves open which update is the last one"
        raise w.refusal("an element is set more than once", hint)
    sources[table[kept]] = size + kept
    flat = w.graph.concat([w.graph.reshape(x, [-1]), w.graph.reshape(updates, [-1])], 0)
    return picked(w, flat, sources.reshape(x.shape))


@rule("scatter-mul", "scatter-min", "scatter-max")
def _scatter_combined(w: Writer, p: Params, x: Value, indices: Value, updates: Value) -> Ref:
    name = {"scatter-mul": "multiply", "scatter-min": "minimum", "scatter-max": "maximum"}[w.primitive]
    table = _scattered(p, x.shape, updates.shape, w.now(indices))
    here, flat = w.graph.reshape(w.ref(x), [-1]), w.graph.reshape(w.ref(updates), [-1])
    size, left = math.prod(x.shape), [place for place in range(len(table)) if table[place] >= 0]
    while left:
        # Each round takes at most one update of an element.
        met: dict[int, int] = {}
        for place in left:
            met.setdefault(int(table[place]), place)
        left = [place for place in left if met[int(table[place])] != place]
        targets = np.array(sorted(met))
        combined = w.graph.elementwise(name, picked(w, here, targets), picked(w, flat, np.array([met[target] for target in targets])))
        sources = np.arange(size)
        sources[targets] = size + np.arange(len(targets))
        here = picked(w, w.graph.concat([here, combined], 0), sources)
    return w.graph.reshape(here, x.shape)


@rule("dynamic_slice")
def _dynamic_slice(w: Writer, p: Params, x: Value, *starts: Value) -> Ref:
    sizes = p["slice_sizes"]
    first = _started(w, x.shape, sizes, starts)
    return w.graph.slice(w.ref(x), first, [start + size for start, size in zip(first, sizes)])


def _started(w: Writer, shape: Sequence[int], sizes: Sequence[int], starts: Sequence[Value]) -> list[int]:
    return [max(0, min(int(w.now(start)), n - size)) for start, n, size in zip(starts, shape, sizes)]


@rule("dynamic_update_slice")
def _dynamic_update_slice(w: Writer, p: Params, x: Value, update: Value, *starts: Value) -> Ref:
    first = _started(w, x.shape, update.shape, starts)
    region = tuple(slice(start, start + size) for start, size in zip(first, update.shape))
    if update.shape == x.shape:
        return w.ref(update)
    return _replaced(w, w.ref(x), w.ref(update), np.asarray(places(x.shape))[region].reshape(-1))


# ---- Order -----------------------------------------------------------------------------------------------


@rule("sort")
def _sort(w: Writer, p: Params, *xs: Value) -> Ref:
    asked, axis = xs[p[""]], int(p["dimension"])
    floats(asked)
    if p[""] == 0 and p["num_keys"] == 1:
        return w.graph.op("sort", w.ref(asked), axis=axis, descending=False)
    keys = [jnp.asarray(w.now(key)) for key in xs[: p["num_keys"]]]
    along = lax.broadcasted_iota(jnp.int32, asked.shape, axis)
    order = lax.sort([*keys, along], dimension=axis, num_keys=len(keys), is_stable=True)[-1]
    return w.graph.take_along_axis(w.ref(asked), np.asarray(order), axis)


@rule("top_k")
def _top_k(w: Writer, p: Params, x: Value) -> Ref:
    if p[""]:
        raise NotSaid
    return w.graph.op("top_k", w.ref(x), axis=int(p.get("axis", len(x.shape) - 1)) % len(x.shape), k=int(p["k"]))
