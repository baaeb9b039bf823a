"""What PyTorch's views, rearrangements, indexing and scattering become.

Where an operator only moves elements, it is run on the numbers 1, 2, 3, … in place of the elements: its
result says which element goes where, and 0 says that there is none.
"""

from __future__ import annotations

import math
from typing import Any, Optional, Sequence

import numpy as np
import torch

from ..graph import Operand, Ref
from .torch_front_memory import numbers, row, taken
from .torch_front_rules import Made, is_number, refuse, rule

PART = "Views, moves, indices"


@rule(
    *"view _unsafe_view reshape _reshape_alias _reshape_copy view_copy squeeze unsqueeze squeeze_copy".split(),
    *"unsqueeze_copy flatten unflatten".split(),
    becomes="`reshape`",
    part=PART,
)
def view(t: Any, a: Any) -> Made:
    if a.out.dtype != a.self.dtype:
        raise refuse("a view of the same bits as another type is not judged", "convert by .to(dtype)")
    return t.graph.reshape(t.of(a.self), a.out.shape)


@rule("permute", "permute_copy", becomes="`permute_dims`", part=PART)
def permute(t: Any, a: Any) -> Made:
    return t.graph.permute_dims(t.of(a.self), a.dims)


@rule("t", "t_copy", becomes="`permute_dims`", part=PART)
def transposed(t: Any, a: Any) -> Made:
    x = t.ref(a.self)
    return t.graph.permute_dims(x, range(len(x.shape))[::-1])


@rule("transpose", "transpose_copy", becomes="`permute_dims`", part=PART)
def transpose(t: Any, a: Any) -> Made:
    x = t.ref(a.self)
    order = list(range(len(x.shape)))
    if order:
        order[a.dim0], order[a.dim1] = order[a.dim1], order[a.dim0]
    return t.graph.permute_dims(x, order)


@rule("expand", "expand_copy", becomes="`broadcast_to`", part=PART)
def expand(t: Any, a: Any) -> Made:
    return t.graph.broadcast_to(t.of(a.self), a.out.shape)


@rule("slice", "slice_copy", becomes="`slice`", part=PART)
def sliced(t: Any, a: Any) -> Made:
    x = t.ref(a.self)
    axis = a.dim % len(x.shape)
    start, stop, step = slice(a.start, a.end, a.step).indices(x.shape[axis])
    starts, stops, steps = [0] * len(x.shape), list(x.shape), [1] * len(x.shape)
    starts[axis], stops[axis], steps[axis] = start, max(start, stop), step
    return t.graph.slice(x, starts, stops, steps)


def part_of(t: Any, x: Ref, axis: int, start: int, stop: int) -> Ref:
    """Returns a part along an axis."""
    starts, stops = [0] * len(x.shape), list(x.shape)
    starts[axis], stops[axis] = start, stop
    return t.graph.slice(x, starts, stops)


@rule("narrow", becomes="`slice`", part=PART)
def narrow(t: Any, a: Any) -> Made:
    x = t.ref(a.self)
    axis = a.dim % len(x.shape)
    start = int(a.start) % x.shape[axis] if int(a.start) < 0 else int(a.start)
    return part_of(t, x, axis, start, start + a.length)


@rule("select", "select_copy", becomes="`slice` and `reshape`", part=PART)
def select(t: Any, a: Any) -> Made:
    x = t.ref(a.self)
    axis = a.dim % len(x.shape)
    place = a.index % x.shape[axis]
    return t.graph.reshape(part_of(t, x, axis, place, place + 1), a.out.shape)


@rule(
    *"split unsafe_split split_with_sizes unsafe_split_with_sizes chunk unsafe_chunk unbind split_copy".split(),
    *"split_with_sizes_copy unbind_copy tensor_split".split(),
    becomes="`slice`, and `reshape` for `unbind`",
    part=PART,
)
def split(t: Any, a: Any) -> Made:
    x = t.ref(a.self)
    axis, start, parts = a.dim % len(x.shape), 0, []
    for out in a.out:
        count = out.shape[axis] if out.dim() == len(x.shape) else 1
        parts.append(t.graph.reshape(part_of(t, x, axis, start, start + count), out.shape))
        start += count
    return parts


@rule("cat", becomes="`concat`", part=PART)
def cat(t: Any, a: Any) -> Made:
    # PyTorch passes over empty rows among matrices.
    parts = [x for x in a.tensors if x.numel() or x.dim() != 1 or a.out.dim() == 1]
    return t.graph.concat([t.of(x) for x in parts], a.dim % a.out.dim())


@rule("stack", becomes="`stack`", part=PART)
def stack(t: Any, a: Any) -> Made:
    return t.graph.op("stack", *(t.of(x) for x in a.tensors), axis=a.dim % a.out.dim())


@rule("repeat", becomes="`tile`", part=PART)
def repeat(t: Any, a: Any) -> Made:
    x = t.ref(a.self)
    x = t.graph.reshape(x, (1,) * (len(a.repeats) - len(x.shape)) + x.shape)
    return t.graph.op("tile", x, repetitions=a.repeats) if a.repeats else x


@rule("flip", becomes="`flip`", part=PART)
def flip(t: Any, a: Any) -> Made:
    x = t.ref(a.self)
    axes = sorted({axis % len(x.shape) for axis in a.dims}) if x.shape else []
    return t.graph.op("flip", x, axes=axes) if axes else x


@rule("roll", becomes="`roll`, of the row of all elements where no axes are named", part=PART)
def roll(t: Any, a: Any) -> Made:
    x = t.ref(a.self)
    if not a.dims:
        return t.graph.reshape(t.graph.op("roll", t.row(a.self), shift=a.shifts[0], axis=0), x.shape)
    for shift, axis in zip(a.shifts, a.dims):
        x = t.graph.op("roll", x, shift=shift, axis=axis % len(x.shape))
    return x


@rule("tril", becomes="`tril`", part=PART)
def tril(t: Any, a: Any) -> Made:
    return t.graph.op("tril", t.of(a.self), offset=a.diagonal)


@rule("triu", becomes="`triu`", part=PART)
def triu(t: Any, a: Any) -> Made:
    return t.graph.op("triu", t.of(a.self), offset=a.diagonal)


@rule(
    "constant_pad_nd",
    becomes="`pad`, with `where` for another number than 0; `slice` where it cuts",
    part=PART,
)
def pad(t: Any, a: Any) -> Made:
    x = t.ref(a.self)
    rank = len(x.shape)
    low, high = [0] * rank, [0] * rank
    for place in range(len(a.pad) // 2):
        low[rank - 1 - place], high[rank - 1 - place] = a.pad[2 * place], a.pad[2 * place + 1]
    cut = t.graph.slice(
        x, [max(0, -n) for n in low], [extent - max(0, -n) for extent, n in zip(x.shape, high)]
    )
    return t.graph.pad(cut, [max(0, n) for n in low], [max(0, n) for n in high], value=float(a.value))


# ---- Whatever only moves elements ------------------------------------------------------------------------


def counted(shape: Sequence[int], start: int = 1) -> torch.Tensor:
    """Returns the numbers from `start` up, in a shape."""
    return torch.arange(start, start + math.prod(shape), dtype=torch.float64).reshape(tuple(shape))


def sources(
    func: Any, args: Sequence[Any], kwargs: dict[str, Any], places: Sequence[int]
) -> list[np.ndarray]:
    """Runs an operator with counted numbers for the arguments at some places."""
    given, start = list(args), 1
    for place in places:
        given[place] = counted(args[place].shape, start)
        start += args[place].numel()
    out = func(*given, **kwargs)
    return [x.numpy().astype(np.int64) for x in ([out] if isinstance(out, torch.Tensor) else out)]


def arranged(t: Any, parts: Sequence[Any], source: np.ndarray) -> Ref:
    """Returns the elements that are meant: 1 is the first one of the parts, and 0 the number 0."""
    flat = [row(t.graph, t.of(x)) for x in parts]
    if (source == 0).any():
        return taken(t.graph, t.graph.concat([t.graph.full((1,), 0), *flat], 0), source)
    return taken(t.graph, t.graph.concat(flat, 0), source - 1)


@rule(
    *"unfold unfold_copy diag_embed rot90 im2col".split(),
    *"reflection_pad1d reflection_pad2d reflection_pad3d replication_pad1d replication_pad2d".split(),
    *"replication_pad3d pixel_shuffle pixel_unshuffle channel_shuffle native_channel_shuffle".split(),
    *"upsample_nearest1d upsample_nearest2d upsample_nearest3d _upsample_nearest_exact1d".split(),
    *"_upsample_nearest_exact2d _upsample_nearest_exact3d".split(),
    becomes="`take` of the row of all elements, `concat` with a 0 where one is put in",
    part=PART,
)
def moved(t: Any, a: Any) -> Made:
    [source] = sources(a.func, a.args, a.kwargs, [0])
    return arranged(t, [a.self if hasattr(a, "self") else a.input], source)


@rule(
    "diagonal",
    "diagonal_copy",
    becomes="`diagonal`; `take` of the row of all elements for other axes",
    part=PART,
)
def diagonal(t: Any, a: Any) -> Made:
    x = t.ref(a.self)
    rank = len(x.shape)
    if a.dim1 % rank == rank - 2 and a.dim2 % rank == rank - 1:
        return t.graph.op("diagonal", x, offset=a.offset)
    return moved(t, a)


@rule("as_strided", becomes="`take` of the row of all elements", part=PART)
def as_strided(t: Any, a: Any) -> Made:
    return t.window(a.self, a.out)


@rule("index_select", becomes="`take`", part=PART)
def index_select(t: Any, a: Any) -> Made:
    x = t.ref(a.self)
    if not x.shape:
        return t.graph.broadcast_to(x, a.out.shape)
    picked = a.index.reshape(-1)
    return t.graph.op("take", x, axis=a.dim % len(x.shape), indices=t.indices(picked))


@rule("take", becomes="`take` of the row of all elements", part=PART)
def take(t: Any, a: Any) -> Made:
    return t.graph.take(t.row(a.self), numbers(t.concrete(a.index)).astype(np.int64), 0)


@rule("gather", becomes="`take_along_axis`", part=PART)
def gather(t: Any, a: Any) -> Made:
    x = t.ref(a.self)
    if not x.shape or not a.out.numel():
        return t.graph.broadcast_to(x, a.out.shape) if a.out.numel() else t.graph.full(a.out.shape, 0)
    if not a.index.dim():
        x = t.graph.take(x, numbers(t.concrete(a.index)).astype(np.int64), 0)
        return t.graph.reshape(x, ())
    axis = a.dim % len(x.shape)
    stops = [n if i == axis else m for i, (n, m) in enumerate(zip(x.shape, a.index.shape))]
    x = t.graph.slice(x, [0] * len(stops), stops)
    return t.graph.op("take_along_axis", x, axis=axis, indices=t.indices(a.index))


@rule(
    "index",
    "_unsafe_index",
    becomes="`take` or `gather` by integers; else `take` of the row of all elements",
    part=PART,
)
def index(t: Any, a: Any) -> Made:
    g, x = t.graph, t.ref(a.self)
    used = [axis for axis, one in enumerate(a.indices) if one is not None]
    refuse_masks(t, a.indices)
    if len(used) == 1 and a.indices[used[0]].dtype in (torch.int64, torch.int32):
        [axis] = used
        picked = a.indices[axis]
        if not bool((picked < 0).any()):
            flat = g.op("take", x, axis=axis, indices=t.indices(picked.reshape(-1)))
            return g.reshape(flat, a.out.shape)
    rows = rows_of(t, a.indices)
    if rows is not None:
        return g.gather(x, rows)
    [source] = sources(a.func, a.args, a.kwargs, [0])
    return arranged(t, [a.self], source)


def rows_of(t: Any, indices: Sequence[Any]) -> Optional[np.ndarray]:
    """Returns integers of the first axes side by side, unless what is given is something else."""
    given = [one for one in indices if one is not None]
    for one in given:
        t.concrete(one)
    is_first = all(one is not None for one in indices[: len(given)])
    if not is_first or any(
        one.dtype not in (torch.int64, torch.int32) or bool((one < 0).any()) for one in given
    ):
        return None
    return np.stack([x.numpy() for x in torch.broadcast_tensors(*given)], -1)


def refuse_masks(t: Any, indices: Sequence[Any]) -> None:
    """Refuses a mask that depends on inputs: how many elements it picks is not known."""
    for one in indices:
        if isinstance(one, torch.Tensor) and one.dtype in (torch.bool, torch.uint8) and t.is_tracked(one):
            raise refuse(
                "a mask that depends on the inputs picks a number of elements that is not fixed",
                "use torch.where(mask, x, 0)",
            )


@rule(
    "nonzero",
    "masked_select",
    "unique_dim",
    "_unique2",
    "unique_consecutive",
    "nonzero_static",
    "bincount",
    "histc",
    becomes="refused: the shape depends on the numbers",
    part=PART,
)
def shapeless(t: Any, a: Any) -> Made:
    raise refuse(
        f"the shape that {a.func._schema.name.partition('::')[2]} returns depends on the inputs",
        "use torch.where(mask, x, 0)",
    )


def overwritten(t: Any, a: Any, places: Sequence[int]) -> Ref:
    """Returns what an operator makes that overwrites elements by others."""
    for x in a.args:
        for one in x if isinstance(x, (list, tuple)) else [x]:
            if isinstance(one, torch.Tensor) and not any(one is a.args[place] for place in places):
                t.concrete(one)
    [source] = sources(a.func, a.args, a.kwargs, places)
    return arranged(t, [a.args[place] for place in places], source)


@rule(
    *"slice_scatter select_scatter diagonal_scatter as_strided_scatter index_copy masked_scatter".split(),
    becomes="`take` of the elements of both in one row; a slice of zeros `pad`",
    part=PART,
)
def overwrite(t: Any, a: Any) -> Made:
    name = a.func._schema.name.partition("::")[2]
    if name == "slice_scatter" and is_number(t.of(a.self), 0) and a.src.numel():
        return spread(t, a)
    if name == "masked_scatter":
        refuse_masks(t, [a.mask])
        return overwritten(t, a, [0, 2])
    return overwritten(t, a, [0, 3] if name == "index_copy" else [0, 1])


def spread(t: Any, a: Any) -> Ref:
    """Returns a slice of zeros that a value is put into."""
    rank, axis = a.self.dim(), a.dim % a.self.dim()
    places = range(a.self.shape[axis])[slice(a.start, a.end, a.step)]
    low, high, interior = [0] * rank, [0] * rank, [0] * rank
    low[axis], high[axis], interior[axis] = places[0], a.self.shape[axis] - 1 - places[-1], a.step - 1
    return t.graph.pad(t.of(a.src), low, high, interior)


@rule("scatter", becomes="`take` of the elements of both in one row", part=PART)
def scatter(t: Any, a: Any) -> Made:
    if getattr(a, "reduce", None) is not None:
        return gathered_by_target(t, a, {"add": "sum", "multiply": "prod"}[a.reduce], True)
    if hasattr(a, "src"):
        return overwritten(t, a, [0, 3])
    return filled_where(t, a, 3, a.value)


@rule("index_fill", becomes="`where`", part=PART)
def index_fill(t: Any, a: Any) -> Made:
    return filled_where(t, a, 3, a.value)


def filled_where(t: Any, a: Any, place: int, value: Any) -> Ref:
    """Puts a number at the places where an operator does."""
    given = list(a.args)
    t.concrete(a.index)
    given[0] = torch.zeros(a.self.shape, dtype=torch.float64)
    given[place] = torch.ones((), dtype=torch.float64) if isinstance(value, torch.Tensor) else 1.0
    there = a.func(*given, **a.kwargs).numpy()
    return t.graph.where(there, t.of(value), t.of(a.self))


def added(t: Any, x: Ref, places: np.ndarray, updates: Operand) -> Ref:
    """Adds updates at places of the row of all elements."""
    g = t.graph
    flat = g.reshape(x, (math.prod(x.shape),))
    values = row(g, g.broadcast_to(updates, places.shape))
    return g.reshape(g.scatter_add(flat, places.reshape(-1, 1), values), x.shape)


@rule("scatter_add", becomes="`scatter_add` to the row of all elements", part=PART)
def scatter_add(t: Any, a: Any) -> Made:
    places, updates = targets(t, a)
    return added(t, t.ref(a.self), places, updates)


def targets(t: Any, a: Any) -> tuple[np.ndarray, Ref]:
    """Returns where each element of `src` goes, and those elements of `src` that have an index."""
    t.concrete(a.index)
    places = torch.gather(counted(a.self.shape, 0), a.dim, a.index).numpy().astype(np.int64)
    value = getattr(a, "src", getattr(a, "value", None))
    src = t.ref(value)
    return places, t.graph.slice(src, [0] * places.ndim, places.shape) if src.shape else t.graph.broadcast_to(
        src, places.shape
    )


@rule("index_add", becomes="`scatter_add` to the row of all elements", part=PART)
def index_add(t: Any, a: Any) -> Made:
    t.concrete(a.index)
    places = torch.index_select(counted(a.self.shape, 0), a.dim, a.index.reshape(-1)).numpy().astype(np.int64)
    updates = t.of(a.source)
    return added(t, t.ref(a.self), places, updates if a.alpha == 1 else t.graph.multiply(updates, a.alpha))


@rule(
    "index_put",
    "_unsafe_index_put",
    becomes="`take` of the elements of both in one row; accumulating, `scatter_add`",
    part=PART,
)
def index_put(t: Any, a: Any) -> Made:
    refuse_masks(t, a.indices)
    if (
        any(one is not None and one.dtype in (torch.bool, torch.uint8) for one in a.indices)
        and a.values.numel() == 1
    ):
        given = [
            torch.zeros(a.self.shape, dtype=torch.float64),
            a.indices,
            torch.ones((), dtype=torch.float64),
            False,
        ]
        for one in a.indices:
            if one is not None:
                t.concrete(one)
        there = a.func(*given).numpy()
        value = t.graph.reshape(t.of(a.values), ())
        return t.graph.where(there, value, t.of(a.self))
    rows = rows_of(t, a.indices) if a.accumulate else None
    if rows is not None:
        shape = (*rows.shape[:-1], *a.self.shape[rows.shape[-1] :])
        return t.graph.scatter_add(t.of(a.self), rows, t.graph.broadcast_to(t.of(a.values), shape))
    for one in a.indices:
        if one is not None:
            t.concrete(one)
    places = torch.ops.aten.index(counted(a.self.shape, 0), a.indices).numpy().astype(np.int64)
    updates = t.graph.broadcast_to(t.of(a.values), places.shape)
    if a.accumulate:
        return added(t, t.ref(a.self), places, updates)
    source = 1 + np.arange(a.self.numel())
    source[places.reshape(-1)] = 1 + a.self.numel() + np.arange(places.size)
    both = t.graph.concat([t.row(a.self), row(t.graph, updates)], 0)
    return taken(t.graph, both, source.reshape(tuple(a.self.shape)) - 1)


@rule("put", becomes="`take` of the elements of both in one row; accumulating, `scatter_add`", part=PART)
def put(t: Any, a: Any) -> Made:
    if a.accumulate:
        return added(t, t.ref(a.self), numbers(t.concrete(a.index)).astype(np.int64), t.of(a.source))
    return overwritten(t, a, [0, 2])


@rule(
    "scatter_reduce",
    "index_reduce",
    becomes="`take` of what goes to each element, then `sum`, `mean`, `prod`, `max` or `min`",
    part=PART,
)
def scatter_reduce(t: Any, a: Any) -> Made:
    return gathered_by_target(t, a, {"amax": "max", "amin": "min"}.get(a.reduce, a.reduce), a.include_self)


def gathered_by_target(t: Any, a: Any, how: str, with_self: bool) -> Ref:
    """Reduces for each element of a tensor what is scattered to it."""
    g, x = t.graph, t.ref(a.self)
    if a.func._schema.name == "aten::index_reduce":
        t.concrete(a.index)
        places = (
            torch.index_select(counted(a.self.shape, 0), a.dim, a.index.reshape(-1)).numpy().astype(np.int64)
        )
        updates = t.ref(a.source)
    else:
        places, updates = targets(t, a)
    count = math.prod(x.shape)
    coming: list[list[int]] = [[] for _ in range(count)]
    for number, target in enumerate(places.reshape(-1)):
        coming[target].append(2 + count + number)
    # Place 0 is the neutral number; places from 2 on are elements, as 1 is not used.
    lists = [([2 + place] if with_self or not each else []) + each for place, each in enumerate(coming)]
    width = max(map(len, lists), default=0)
    # What is alone in its list fills it up, where that changes nothing.
    fills = how in ("max", "min")
    table = np.array(
        [each + [each[0] if fills else 0] * (width - len(each)) for each in lists], dtype=np.int64
    ).reshape(count, width)
    neutral = g.full((2,), 1 if how == "prod" else 0)
    flat = g.concat([neutral, row(g, x), row(g, updates)], 0)
    made = g.reduce("sum" if how == "mean" else how, taken(g, flat, table), [1])
    if how == "mean":
        made = g.divide(made, np.array([float(len(each)) for each in lists]))
    return g.reshape(made, x.shape)


@rule("col2im", becomes="`scatter_add` to the row of all elements", part=PART)
def col2im(t: Any, a: Any) -> Made:
    x = t.ref(a.self)
    places = torch.ops.aten.im2col(counted(a.out.shape), a.kernel_size, a.dilation, a.padding, a.stride)
    source = places.numpy().astype(np.int64).reshape(x.shape)
    kept = np.flatnonzero(source)
    updates = t.graph.take(t.row(a.self), kept, 0)
    return added(t, t.graph.full(a.out.shape, 0), source.reshape(-1)[kept] - 1, updates)
