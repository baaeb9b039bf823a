"""What PyTorch's convolutions, pools, normalisations, attention and losses become."""

from __future__ import annotations

import itertools
import math
from typing import Any, Optional, Sequence

import numpy as np
import torch

from ..graph import Graph, Operand, Ref
from .torch_front_memory import numbers, taken
from .torch_front_rules import Made, reduced, refuse, rule, times, with_slope_of

PART = "Layers and losses"


def spread(values: Sequence[int], rank: int) -> list[int]:
    """Returns a number for each axis, where PyTorch takes one for all."""
    return [int(values[0])] * rank if len(values) == 1 else [int(n) for n in values]


def channels(g: Graph, v: Operand, rank: int, axis: int = 1) -> Ref:
    """Returns a vector of channels, shaped so that it broadcasts."""
    ref = g.ref(v)
    return g.reshape(ref, [ref.shape[0] if i == axis else 1 for i in range(rank)])


# ---- Convolutions and pools ------------------------------------------------------------------------------


@rule(
    "convolution",
    "_convolution",
    "mkldnn_convolution",
    "_slow_conv2d_forward",
    becomes="`conv`, `conv_transpose`, and `add` for the bias",
    part=PART,
)
def convolution(t: Any, a: Any) -> Made:
    g, x, w = t.graph, t.ref(a.input), t.ref(a.weight)
    rank = len(w.shape) - 2
    padding = [[n, n] for n in spread(a.padding, rank)]
    how = {
        "strides": spread(a.stride, rank),
        "padding": padding,
        "dilations": spread(a.dilation, rank),
        "groups": a.groups,
    }
    if a.transposed:
        made = g.op("conv_transpose", x, w, **how, output_padding=spread(a.output_padding, rank))
    else:
        made = g.op("conv", x, w, **how)
    return made if a.bias is None else g.add(made, channels(g, t.of(a.bias), rank + 2))


def windows(
    extents: Sequence[int],
    kernel: Sequence[int],
    stride: Sequence[int],
    padding: Sequence[int],
    dilation: Sequence[int],
    counts: Sequence[int],
) -> list[list[list[int]]]:
    """Returns for each axis the places that each window covers, padding left out."""
    found = []
    for n, size, step, before, by, count in zip(extents, kernel, stride, padding, dilation, counts):
        places = [[i * step - before + k * by for k in range(size)] for i in range(count)]
        found.append([[place for place in each if 0 <= place < n] for each in places])
    return found


def adaptive(extents: Sequence[int], counts: Sequence[int]) -> list[list[list[int]]]:
    """Returns for each axis the places that each window of an adaptive pool covers."""
    return [
        [list(range(i * n // count, -((-(i + 1) * n) // count))) for i in range(count)]
        for n, count in zip(extents, counts)
    ]


def pooled(
    t: Any, x: Ref, places: list[list[list[int]]], how: str, divisors: Optional[np.ndarray] = None
) -> Ref:
    """Pools the last axes, over the windows that are listed for each of them."""
    g, rank = t.graph, len(places)
    extents, lead = x.shape[len(x.shape) - rank :], x.shape[: len(x.shape) - rank]
    counts = [len(each) for each in places]
    steps = np.cumprod([1, *extents[:0:-1]])[::-1]
    listed = []
    for window in itertools.product(*places):
        listed.append([int(sum(p * s for p, s in zip(place, steps))) for place in itertools.product(*window)])
    flat = g.reshape(x, (*lead, math.prod(extents)))
    if how == "max":
        width = max(map(len, listed), default=0)
        table = np.array([each + [each[0]] * (width - len(each)) for each in listed], dtype=np.int64)
        made = g.reduce("max", g.take(flat, table, len(lead)), [-1])
    else:
        picks = np.zeros((math.prod(extents), len(listed)))
        for place, each in enumerate(listed):
            picks[each, place] = 1
        total = g.matmul(flat if lead else g.reshape(flat, (1, -1)), picks)
        made = g.divide(
            total, divisors if divisors is not None else np.array([float(len(each)) for each in listed])
        )
    return g.reshape(made, (*lead, *counts))


def unpadded(
    g: Graph, x: Ref, value: float, window: Sequence[int], padding: list[list[int]]
) -> tuple[Ref, list[list[int]]]:
    """Returns what was padded with a number before a pool, and the padding that the pool has then."""
    found = g.padded.get((x.id, value))
    if found is None:
        return x, padding
    inner, low, high = found
    wide = [[a + first, b + second] for (a, b), first, second in zip(padding, low[2:], high[2:])]
    if any([*low[:2], *high[:2]]) or any(max(both) >= size for both, size in zip(wide, window)):
        return x, padding
    return inner, wide


@rule(
    "max_pool2d_with_indices",
    "max_pool3d_with_indices",
    "max_pool1d_with_indices",
    becomes="`max_pool`; with dilation or ceil_mode `take` and `max`; the places are numbers at the point",
    part=PART,
)
def max_pool(t: Any, a: Any) -> Made:
    g, x = t.graph, t.ref(a.self)
    rank = 3 if "3d" in a.func._schema.name else 2
    kernel = spread(a.kernel_size, rank)
    stride = spread(a.stride, rank) if a.stride else kernel
    padding, dilation = spread(a.padding, rank), spread(a.dilation, rank)
    if any(n != 1 for n in dilation) or a.ceil_mode:
        counts = a.out[0].shape[-rank:]
        return [
            pooled(t, x, windows(x.shape[-rank:], kernel, stride, padding, dilation, counts), "max"),
            None,
        ]
    batch = x if len(x.shape) == rank + 2 else g.reshape(x, (1, *x.shape))
    batch, wide = unpadded(g, batch, -math.inf, kernel, [[n, n] for n in padding])
    made = g.op("max_pool", batch, window=kernel, strides=stride, padding=wide)
    return [g.reshape(made, a.out[0].shape), None]


@rule(
    "avg_pool1d",
    "avg_pool2d",
    "avg_pool3d",
    becomes="`avg_pool`; with ceil_mode or a divisor `matmul` and `divide`",
    part=PART,
)
def avg_pool(t: Any, a: Any) -> Made:
    g, x = t.graph, t.ref(a.self)
    rank = int(a.func._schema.name[-2])
    kernel = spread(a.kernel_size, rank)
    stride = spread(a.stride, rank) if a.stride else kernel
    padding = spread(a.padding, rank)
    divisor = getattr(a, "divisor_override", None)
    if divisor is None and not a.ceil_mode:
        batch = x if len(x.shape) == rank + 2 else g.reshape(x, (1, *x.shape))
        wide = [[n, n] for n in padding]
        counted = bool(a.count_include_pad)
        if counted or not any(padding):
            # The pool counts what was padded before it.
            batch, wide = unpadded(g, batch, 0.0, kernel, wide)
            counted = counted or any(map(any, wide))
        how = {"window": kernel, "strides": stride, "padding": wide}
        made = g.op("avg_pool", batch, **how, count_include_pad=counted)
        return g.reshape(made, a.out.shape)
    extents, counts = x.shape[-rank:], a.out.shape[-rank:]
    places = windows(extents, kernel, stride, padding, [1] * rank, counts)
    # Padding counts up to the far end of the padding, not beyond.
    sizes = []
    for n, size, step, before, count, inside in zip(extents, kernel, stride, padding, counts, places):
        whole = [min(i * step - before + size, n + before) - (i * step - before) for i in range(count)]
        sizes.append(whole if a.count_include_pad else [len(each) for each in inside])
    divisors = np.array([float(divisor or math.prod(each)) for each in itertools.product(*sizes)])
    return pooled(t, x, places, "mean", divisors)


@rule(
    "_adaptive_avg_pool2d",
    "_adaptive_avg_pool3d",
    "adaptive_avg_pool1d",
    "mkldnn_adaptive_avg_pool2d",
    becomes="`matmul` by zeros and ones, and `divide`",
    part=PART,
)
def adaptive_avg_pool(t: Any, a: Any) -> Made:
    x, rank = t.ref(a.self), len(a.output_size)
    return pooled(t, x, adaptive(x.shape[-rank:], a.out.shape[-rank:]), "mean")


@rule(
    "adaptive_max_pool1d",
    "adaptive_max_pool2d",
    "adaptive_max_pool3d",
    becomes="`take` and `max`; the places are numbers at the point",
    part=PART,
)
def adaptive_max_pool(t: Any, a: Any) -> Made:
    x, rank = t.ref(a.self), len(a.output_size)
    return [pooled(t, x, adaptive(x.shape[-rank:], a.out[0].shape[-rank:]), "max"), None]


@rule(
    *"upsample_linear1d upsample_bilinear2d upsample_bicubic2d upsample_trilinear3d".split(),
    becomes="`matmul` by the weights, axis by axis",
    part=PART,
)
def upsample(t: Any, a: Any) -> Made:
    g, x = t.graph, t.ref(a.self)
    rank = len(x.shape) - 2
    given = getattr(a, "scale_factors", None) or [getattr(a, name, None) for name in SCALES[rank]]
    weights = cubic_weights if "cubic" in a.func._schema.name else linear_weights
    for axis in range(2, rank + 2):
        extent, count = x.shape[axis], a.out.shape[axis]
        places = places_between(g, extent, count, a.align_corners, given[axis - 2])
        order = [i for i in range(rank + 2) if i != axis] + [axis]
        moved = g.matmul(g.permute_dims(x, order), weights(g, extent, *places))
        x = g.permute_dims(moved, list(np.argsort(order)))
    return x


SCALES = {1: ["scales"], 2: ["scales_h", "scales_w"], 3: ["scales_d", "scales_h", "scales_w"]}


def places_between(
    g: Graph, extent: int, count: int, align: bool, scale: Optional[float]
) -> tuple[Operand, np.ndarray, np.ndarray]:
    """Returns where each element of the result lies among those of the operand, also as fractions."""
    numbers_up = np.arange(count)
    if align:
        top, under = np.full(count, float(max(extent - 1, 0) if count > 1 else 0)), float(max(count - 1, 1))
        place: Operand = g.divide(g.multiply(numbers_up.astype(float), top), under)
        exact = numbers_up * top / under
    else:
        step = 1 / scale if scale else extent / count
        ratio = g.full((count,), step) if scale else g.divide(g.full((count,), extent), count)
        place = g.subtract(g.multiply(ratio, numbers_up + 0.5), 0.5)
        exact = (numbers_up + 0.5) * step - 0.5
    # What rounding could move across an element is at the element.
    return place, exact, np.floor(exact + 1e-9)


def linear_weights(g: Graph, extent: int, place: Operand, exact: np.ndarray, below: np.ndarray) -> Ref:
    """Returns the weights of the two neighbours; before the first element its own."""
    low = np.clip(below, 0, extent - 1).astype(int)
    high = np.minimum(low + 1, extent - 1)
    # Beyond either end there is one neighbour alone.
    inner = ((exact >= 0) & (low < high)).astype(float)
    part = g.where(inner, g.subtract(place, low.astype(float)), 0)
    return spread_weights(g, extent, [(low, g.subtract(1, part)), (high, part)])


def cubic_weights(g: Graph, extent: int, place: Operand, exact: np.ndarray, below: np.ndarray) -> Ref:
    """Returns the four neighbours' weights, by Keys's cubic with −¾; beyond an end stands the last one."""
    t = g.subtract(place, below)
    a, parts = -0.75, []
    for offset in (-1, 0, 1, 2):
        far = g.subtract(offset, t) if offset > 0 else g.subtract(t, offset)
        if offset in (0, 1):
            weight = g.add(g.multiply(g.multiply(g.subtract(g.multiply(far, a + 2), a + 3), far), far), 1)
        else:
            inner = g.add(g.multiply(g.subtract(g.multiply(far, a), 5 * a), far), 8 * a)
            weight = g.subtract(g.multiply(inner, far), 4 * a)
        parts.append((np.clip(below + offset, 0, extent - 1).astype(int), weight))
    return spread_weights(g, extent, parts)


def spread_weights(g: Graph, extent: int, parts: Sequence[tuple[np.ndarray, Operand]]) -> Ref:
    """Returns the matrix that has each weight in the row of its element."""
    total: Optional[Ref] = None
    for rows, weight in parts:
        there = (np.arange(extent)[:, None] == rows[None, :]).astype(float)
        term = g.multiply(there, weight)
        total = term if total is None else g.add(total, term)
    assert total is not None
    return total


@rule(
    "grid_sampler_2d",
    becomes="`take` of the four neighbours at the point and their weights; other modes than bilinear are taken apart",
    part=PART,
)
def grid_sampler(t: Any, a: Any) -> Made:
    if a.interpolation_mode != 0 or a.padding_mode > 1:
        return NotImplemented
    g, x, grid = t.graph, t.ref(a.input), t.ref(a.grid)
    batch, depth, *extents = x.shape
    here = numbers(t.concrete(a.grid))
    corners: list[tuple[np.ndarray, tuple[Operand, Operand]]] = []
    for axis, extent in ((1, extents[0]), (0, extents[1])):
        place, near = unnormalised(g, grid, here, axis, extent, a.align_corners, a.padding_mode == 1)
        after = g.subtract(place, near)
        corners.append((near.astype(int), (g.subtract(1, after), after)))
    (rows, down), (columns, right) = corners
    flat = g.concat([g.full((1,), 0), g.reshape(x, (math.prod(x.shape),))], 0)
    # The first element of each image and channel, counted behind the zero.
    first = 1 + np.arange(batch * depth).reshape(batch, depth, 1, 1) * math.prod(extents)
    total: Optional[Ref] = None
    for below, beside in itertools.product((0, 1), repeat=2):
        i, j = (rows + below)[:, None], (columns + beside)[:, None]
        inside = (0 <= i) & (i < extents[0]) & (0 <= j) & (j < extents[1])
        source = np.where(inside, first + i * extents[1] + j, 0)
        weight = g.multiply(right[beside], down[below])
        term = g.multiply(taken(g, flat, source), g.reshape(weight, (batch, 1, *weight.shape[1:])))
        total = term if total is None else g.add(total, term)
    return total


def unnormalised(
    g: Graph, grid: Ref, here: np.ndarray, axis: int, extent: int, aligned: bool, clipped: bool
) -> tuple[Operand, np.ndarray]:
    """Returns a grid's places along an axis of an image, and the elements before them at the point."""
    part = g.reshape(g.slice(grid, [0, 0, 0, axis], [*grid.shape[:-1], axis + 1]), grid.shape[:-1])
    scale, shift = ((extent - 1) / 2, 0.0) if aligned else (extent / 2, 0.5)
    place: Operand = g.multiply(g.add(part, 1), scale)
    place = g.subtract(place, shift) if shift else place
    exact = (here[..., axis] + 1) * scale - shift
    if clipped:
        place, exact = g.clip(place, 0, extent - 1), np.clip(exact, 0, extent - 1)
    return place, np.floor(exact)


# ---- Normalisations --------------------------------------------------------------------------------------


@rule("_softmax", "softmax", becomes="`softmax`", part=PART)
def softmax(t: Any, a: Any) -> Made:
    x = t.ref(a.self)
    return t.graph.op("softmax", x, axis=a.dim % len(x.shape)) if x.shape else t.graph.divide(x, x)


@rule("_safe_softmax", becomes="`softmax`, and 0 where a row is −∞", part=PART)
def safe_softmax(t: Any, a: Any) -> Made:
    g, x = t.graph, t.ref(a.self)
    axis = a.dim % len(x.shape)
    masked = g.equal(g.reduce("max", x, [axis], True), np.float64(-math.inf))
    return g.where(masked, 0, g.op("softmax", x, axis=axis))


@rule("_log_softmax", "log_softmax", becomes="`log_softmax`", part=PART)
def log_softmax(t: Any, a: Any) -> Made:
    x = t.ref(a.self)
    return t.graph.op("log_softmax", x, axis=a.dim % len(x.shape)) if x.shape else t.graph.subtract(x, x)


def or_else(t: Any, x: Any, count: Sequence[int], number: float) -> Operand:
    """Returns an operand, or one number everywhere if there is none."""
    return t.graph.full(count, number) if x is None else t.of(x)


def positive(epsilon: float) -> float:
    """Returns ε, which a graph has only from 0 up."""
    if epsilon < 0:
        raise refuse(f"a normalisation has the ε {epsilon}, which is below 0", "give one from 0 up")
    return epsilon


def spread_of(t: Any, x: Ref, axes: Sequence[int], epsilon: float, shape: Sequence[int]) -> list[Ref]:
    """Returns the mean, and one by the root of the variance and ε."""
    g = t.graph
    mean = g.reduce("mean", x, axes)
    root = g.sqrt(g.add(g.reduce("var", x, axes, correction=0), epsilon))
    return [g.reshape(mean, shape), g.reshape(g.reciprocal(root), shape)]


@rule("native_layer_norm", becomes="`layer_norm`", part=PART)
def layer_norm(t: Any, a: Any) -> Made:
    x, shape = t.ref(a.input), list(a.normalized_shape)
    axes = list(range(len(x.shape) - len(shape), len(x.shape)))
    scale, offset = or_else(t, a.weight, shape, 1), or_else(t, a.bias, shape, 0)
    made = t.graph.op("layer_norm", x, scale, offset, axes=axes, epsilon=positive(a.eps))
    return [made, *spread_of(t, x, axes, a.eps, a.out[1].shape)]


@rule("native_group_norm", becomes="`group_norm`", part=PART)
def group_norm(t: Any, a: Any) -> Made:
    g, x = t.graph, t.ref(a.input)
    scale, offset = or_else(t, a.weight, [a.C], 1), or_else(t, a.bias, [a.C], 0)
    made = g.op("group_norm", x, scale, offset, groups=a.group, epsilon=positive(a.eps))
    return [made, *spread_of(t, g.reshape(x, (a.N, a.group, -1)), [2], a.eps, a.out[1].shape)]


@rule(
    *"native_batch_norm _native_batch_norm_legit _native_batch_norm_legit_no_training".split(),
    *"_batch_norm_with_update _batch_norm_no_update".split(),
    becomes="`batch_norm_train`, `batch_norm_eval`",
    part=PART,
)
def batch_norm(t: Any, a: Any) -> Made:
    g, x = t.graph, t.ref(a.input)
    name, count = a.func._schema.name, x.shape[1]
    training = getattr(a, "training", "with_update" in name)
    scale, offset = or_else(t, a.weight, [count], 1), or_else(t, a.bias, [count], 0)
    rest = [None] * (len(a.out) - 1)
    if not training:
        mean, variance = t.of(a.running_mean), t.of(a.running_var)
        return [
            g.op("batch_norm_eval", x, scale, offset, mean, variance, axis=1, epsilon=positive(a.eps)),
            *rest,
        ]
    axes = [axis for axis in range(len(x.shape)) if axis != 1]
    made = g.op("batch_norm_train", x, scale, offset, axis=1, epsilon=positive(a.eps))
    return [made, *spread_of(t, x, axes, a.eps, [count]), *rest[2:]]


@rule("_fused_rms_norm", becomes="x times `reciprocal` of the root of the mean `square` and ε", part=PART)
def rms_norm(t: Any, a: Any) -> Made:
    g, x = t.graph, t.ref(a.input)
    axes = list(range(len(x.shape) - len(a.normalized_shape), len(x.shape)))
    epsilon = torch.finfo(a.input.dtype).eps if a.eps is None else a.eps
    factor = g.reciprocal(g.sqrt(g.add(g.reduce("mean", g.square(x), axes, True), epsilon)))
    made = g.multiply(x, factor)
    return [made if a.weight is None else g.multiply(made, t.of(a.weight)), factor]


@rule("_weight_norm_interface", becomes="v times g by the norm", part=PART)
def weight_norm(t: Any, a: Any) -> Made:
    g, v = t.graph, t.ref(a.v)
    axes = [axis for axis in range(len(v.shape)) if axis != a.dim % len(v.shape)]
    size = g.reduce("norm", v, axes, True)
    return [g.multiply(v, g.divide(t.of(a.g), size)), g.reshape(size, a.out[1].shape)]


@rule("native_dropout", becomes="the value, if it is not training; else refused", part=PART)
def dropout(t: Any, a: Any) -> Made:
    return [t.of(a.input), None]


# ---- Tables and attention --------------------------------------------------------------------------------


@rule("embedding", becomes="`embedding`; `stop_gradient` in the row of padding_idx", part=PART)
def embedding(t: Any, a: Any) -> Made:
    g, table = t.graph, t.ref(a.weight)
    if a.scale_grad_by_freq:
        raise refuse(
            "embedding with scale_grad_by_freq has a gradient that is not its derivative", "leave it out"
        )
    if a.padding_idx >= 0:
        row = (np.arange(table.shape[0]) == a.padding_idx).astype(float).reshape(-1, 1)
        table = g.where(row, g.op("stop_gradient", table), table)
    rows = g.op("embedding", table, indices=t.indices(a.indices.reshape(-1)))
    return g.reshape(rows, a.out.shape)


@rule(
    "_embedding_bag",
    "_embedding_bag_forward_only",
    becomes="`embedding`, then `matmul` by zeros and ones, or `take` and `max`",
    part=PART,
)
def embedding_bag(t: Any, a: Any) -> Made:
    g, table = t.graph, t.ref(a.weight)
    if a.scale_grad_by_freq:
        raise refuse(
            "embedding_bag with scale_grad_by_freq has a gradient that is not its derivative", "leave it out"
        )
    picked, offsets = numbers(t.concrete(a.indices)).astype(int), numbers(t.concrete(a.offsets)).astype(int)
    ends = [*offsets[1:], len(picked)] if not a.include_last_offset else offsets[1:]
    starts = offsets if not a.include_last_offset else offsets[:-1]
    bags = [[i for i in range(low, high) if picked[i] != a.padding_idx] for low, high in zip(starts, ends)]
    rows = g.op("embedding", table, indices=t.indices(a.indices))
    if a.per_sample_weights is not None:
        rows = g.multiply(rows, g.reshape(t.of(a.per_sample_weights), (-1, 1)))
    rest = [None] * (len(a.out) - 1)
    if a.mode == 2:
        padded = g.concat([g.full((1, rows.shape[1]), 0), rows], 0)
        width = max(max(map(len, bags), default=1), 1)
        lists = [[i + 1 for i in bag] or [0] for bag in bags]
        chosen = np.array([each + [each[0]] * (width - len(each)) for each in lists], dtype=int)
        return [g.reduce("max", g.take(padded, chosen, 0), [1]), *rest]
    picks = np.zeros((len(bags), len(picked)))
    for place, bag in enumerate(bags):
        picks[place, bag] = 1
    total = g.matmul(picks, rows)
    counts = np.array([[float(max(len(bag), 1))] for bag in bags])
    return [g.divide(total, counts) if a.mode == 1 else total, *rest]


@rule(
    "_scaled_dot_product_flash_attention_for_cpu",
    becomes="`scaled_dot_product_attention`; with a scale or a mask of Booleans, `matmul`, `where` and `softmax`",
    part=PART,
)
def attention(t: Any, a: Any) -> Made:
    g, q, k, v = t.graph, t.ref(a.query), t.ref(a.key), t.ref(a.value)
    if a.dropout_p:
        raise refuse("attention with dropout draws random numbers, others at each call", "give dropout_p=0")
    mask = None if a.attn_mask is None else t.ref(a.attn_mask)
    scores_shape = (*q.shape[:-1], k.shape[-2])
    if mask is not None:
        mask = g.broadcast_to(mask, scores_shape)
        if a.attn_mask.dtype == torch.bool:
            mask = g.where(mask, 0, np.float64(-math.inf))
    keys = k.shape[:-2]
    if keys != q.shape[:-2]:
        # Several heads of queries share one of keys.
        times_each = q.shape[-3] // k.shape[-3]
        picked = np.repeat(np.arange(k.shape[-3]), times_each)
        k, v = g.take(k, picked, len(k.shape) - 3), g.take(v, picked, len(v.shape) - 3)
    if a.scale is None:
        return [
            g.op(
                "scaled_dot_product_attention",
                q,
                k,
                v,
                *([] if mask is None else [mask]),
                causal=bool(a.is_causal),
            ),
            None,
        ]
    scores = g.multiply(
        g.matmul(q, g.permute_dims(k, [*range(len(k.shape) - 2), len(k.shape) - 1, len(k.shape) - 2])),
        float(a.scale),
    )
    if mask is not None:
        scores = g.add(scores, mask)
    if a.is_causal:
        scores = g.where(np.tril(np.ones(scores_shape[-2:])), scores, np.float64(-math.inf))
    return [g.matmul(g.op("softmax", scores, axis=len(scores_shape) - 1), v), None]


# ---- Losses ----------------------------------------------------------------------------------------------


@rule("mse_loss", becomes="`mse`, or `square` of the difference", part=PART)
def mse(t: Any, a: Any) -> Made:
    g, x, y = t.graph, t.of(a.self), t.of(a.target)
    if a.reduction == 1 and a.self.shape == a.target.shape:
        return g.op("mse", x, y)
    return reduced(g, g.square(g.subtract(x, y)), a.reduction)


@rule("huber_loss", becomes="`huber`, or `where`", part=PART)
def huber(t: Any, a: Any) -> Made:
    g, x, y = t.graph, t.of(a.self), t.of(a.target)
    if a.reduction == 1 and a.self.shape == a.target.shape:
        return g.op("huber", x, y, delta=a.delta)
    d = g.subtract(x, y)
    size, delta = g.abs(d), float(a.delta)
    far = g.multiply(g.subtract(size, g.multiply(g.full(size.shape, delta), 0.5)), delta)
    return reduced(g, g.where(g.less_equal(size, delta), g.multiply(g.square(d), 0.5), far), a.reduction)


@rule("smooth_l1_loss", becomes="`where`", part=PART)
def smooth_l1(t: Any, a: Any) -> Made:
    g = t.graph
    d = g.subtract(t.of(a.self), t.of(a.target))
    size, beta = g.abs(d), float(a.beta)
    if beta == 0:
        return reduced(g, size, a.reduction)
    near = g.divide(g.multiply(g.square(d), 0.5), beta)
    return reduced(
        g,
        g.where(g.less(size, beta), near, g.subtract(size, g.multiply(g.full(size.shape, beta), 0.5))),
        a.reduction,
    )


@rule("binary_cross_entropy", becomes="`log`, `log1p`, no less than −100", part=PART)
def bce(t: Any, a: Any) -> Made:
    g, x, y = t.graph, t.of(a.self), t.of(a.target)
    yes, no = g.maximum(g.log(x), -100), g.maximum(g.log1p(g.negative(x)), -100)
    loss: Operand = g.subtract(g.multiply(g.subtract(y, 1), no), g.multiply(y, yes))
    return reduced(g, loss if a.weight is None else g.multiply(loss, t.of(a.weight)), a.reduction)


@rule("binary_cross_entropy_with_logits", becomes="`bce_with_logits`, or `softplus`", part=PART)
def bce_with_logits(t: Any, a: Any) -> Made:
    g, x, y = t.graph, t.of(a.self), t.of(a.target)
    if a.weight is None and a.pos_weight is None and a.reduction == 1:
        return g.op("bce_with_logits", x, y)
    # The value is stable in one form; PyTorch's backward is that of the other, where large weights cancel.
    soft: Operand = g.softplus(g.negative(x))
    if a.pos_weight is None:
        slope = g.subtract(g.softplus(x), g.multiply(x, y))
    else:
        p = g.multiply(t.of(a.pos_weight), y)
        soft = g.multiply(g.add(g.multiply(g.subtract(t.of(a.pos_weight), 1), y), 1), soft)
        slope = g.subtract(g.multiply(g.subtract(g.add(p, 1), y), g.softplus(x)), g.multiply(p, x))
    loss = with_slope_of(g, g.add(g.multiply(g.subtract(1, y), x), soft), slope)
    return reduced(g, loss if a.weight is None else g.multiply(loss, t.of(a.weight)), a.reduction)


@rule("soft_margin_loss", becomes="`softplus` of −yx", part=PART)
def soft_margin(t: Any, a: Any) -> Made:
    g = t.graph
    return reduced(g, g.softplus(g.negative(g.multiply(t.of(a.self), t.of(a.target)))), a.reduction)


@rule(
    "nll_loss_forward",
    "nll_loss2d_forward",
    becomes="`nll`; with weights or ignored labels `one_hot`, `where` and `sum`",
    part=PART,
)
def nll(t: Any, a: Any) -> Made:
    g, x = t.graph, t.ref(a.self)
    ignored = a.target == a.ignore_index
    skips = bool(ignored.any()) or a.ignore_index >= 0
    if a.weight is None and a.reduction == 1 and not skips and len(x.shape) == 2:
        return [g.op("nll", x, labels=t.indices(a.target)), g.full((), float(a.target.numel()))]
    classes = x.shape[1] if len(x.shape) > 1 else x.shape[0]
    if len(x.shape) > 2:
        x = g.permute_dims(x, [0, *range(2, len(x.shape)), 1])
    labels = a.target
    if skips:
        labels = t.concrete(a.target).masked_fill(ignored, 0)
        entry = g.entry(numbers(labels).reshape(-1), "index")
    else:
        entry = t.indices(labels.reshape(-1))
    there = g.reshape(g.op("one_hot", indices=entry, classes=classes), (*labels.shape, classes))
    loss = g.negative(g.reduce("sum", g.where(there, x, 0), [-1]))
    weights: Operand = g.full(loss.shape, 1)
    if a.weight is not None:
        weights = g.reduce("sum", g.where(there, t.of(a.weight), 0), [-1])
    if skips:
        weights = g.where(numbers(ignored), 0, weights)
        # What is ignored may be anything.
        loss = g.where(numbers(ignored), 0, loss)
    loss = times(g, loss, weights) if a.weight is None and not skips else g.multiply(loss, weights)
    total = g.reduce("sum", weights)
    if a.reduction == 0:
        return [loss, None]
    whole = g.reduce("sum", loss)
    return [g.divide(whole, total) if a.reduction == 1 else whole, total]


@rule("multi_margin_loss", becomes="`maximum` of 0 and margin − x_y + x, or its `square`", part=PART)
def multi_margin(t: Any, a: Any) -> Made:
    g, x = t.graph, t.ref(a.self)
    rows = x if len(x.shape) == 2 else g.reshape(x, (1, -1))
    there = g.op("one_hot", indices=t.indices(a.target.reshape(-1)), classes=rows.shape[1])
    own = g.reduce("sum", g.where(there, rows, 0), [1], True)
    gap = g.maximum(g.add(g.subtract(float(a.margin), own), rows), 0)
    loss: Ref = gap if a.p == 1 else g.square(gap)
    if a.weight is not None:
        loss = g.multiply(loss, g.reduce("sum", g.where(there, t.of(a.weight), 0), [1], True))
    mean = g.divide(g.reduce("sum", g.where(there, 0, loss), [1]), float(rows.shape[1]))
    return g.reshape(reduced(g, mean, a.reduction), a.out.shape)
