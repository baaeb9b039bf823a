"""Writes a graph down as a function of NumPy, as people would, so that it can be traced back."""

from __future__ import annotations

import itertools
import math
from typing import Any, Callable, Mapping, Sequence

import numpy as np
from adjudge.graph import Graph

# These have constants that no float is, such as √2, which NumPy rounds before it computes with them.
ROUNDED = frozenset("gelu scaled_dot_product_attention multi_head_attention transformer_block".split())
# These have the elements of their operands.
MOVING = frozenset(
    """full iota one_hot broadcast_to reshape permute_dims concat take slice pad take_along_axis gather stack split flip
    roll tile diagonal tril triu embedding negative identity abs""".split()
)


def is_rounded_before(graph: Mapping[str, Any]) -> bool:
    """Tells whether NumPy rounds something that is a constant to it, since it depends on no argument."""
    constant = [False] * len(graph["inputs"])
    for node in graph["nodes"]:
        op = node["op"]
        alone = all(constant[parent] for parent in node["parents"]) and op != "constant"
        if op in ROUNDED or alone and op not in MOVING:
            return True
        constant.append(alone)
    return False


class Writer:
    """Writes one statement after another; a value is a name."""

    def __init__(self, graph: Mapping[str, Any], environment: Mapping[str, np.ndarray]) -> None:
        self.graph, self.environment = graph, environment
        self.lines: list[str] = []
        self.count = 0

    def let(self, expression: str) -> str:
        """Gives an expression a name."""
        name = f"v{self.count}"
        self.count += 1
        self.lines.append(f"    {name} = {expression}")
        return name

    def source(self, outputs: Sequence[int]) -> str:
        """Returns the text of `def function(inputs…, real data…)`, in which `data` has the indices."""
        known = Graph()
        names = []
        for place, entry in enumerate(self.graph["inputs"]):
            known.input(entry["name"], entry["shape"])
            names.append(f"x{place}")
        for entry in self.graph["environment"]:
            known.entry(self.environment[entry["name"]], entry["kind"], entry["name"])
        self.reals = {entry["name"]: f"c{place}" for place, entry in enumerate(self.graph["environment"]) if entry["kind"] == "real"}
        parameters = ", ".join([*names, *self.reals.values()])
        shapes = [tuple(entry["shape"]) for entry in self.graph["inputs"]]
        for node in self.graph["nodes"]:
            given = [names[parent] for parent in node["parents"]]
            extents = [shapes[parent] for parent in node["parents"]]
            shape = tuple(known._shape_of(node["op"], extents, node["attributes"]))
            self.shape, self.extents = shape, extents
            expression = WRITTEN[node["op"]](self, *given, **node["attributes"])
            names.append(self.let(expression))
            shapes.append(shape)
        returned = ", ".join(names[output] for output in outputs)
        body = "\n".join(self.lines)
        return f"def function({parameters}):\n{body}\n    return [{returned}]\n"


WRITTEN: dict[str, Callable[..., str]] = {}


def operator(*names: str) -> Callable[[Callable[..., str]], Callable[..., str]]:
    def declare(function: Callable[..., str]) -> Callable[..., str]:
        WRITTEN.update({name: function for name in names})
        return function

    return declare


def _plain(text: str) -> Callable[..., str]:
    return lambda w, *xs, **attributes: text.format(*xs, **attributes)


# Each is an expression; {0}, {1} are operands, and attributes go by their names.
EXPRESSIONS = {
    "negative": "-{0}",
    "exp": "np.exp({0})",
    "log": "np.log({0})",
    "sin": "np.sin({0})",
    "cos": "np.cos({0})",
    "tanh": "np.tanh({0})",
    "sqrt": "np.sqrt({0})",
    "relu": "np.maximum({0}, 0)",
    "floor": "np.floor({0})",
    "expm1": "np.expm1({0})",
    "log1p": "np.log1p({0})",
    "log2": "np.log2({0})",
    "tan": "np.tan({0})",
    "asin": "np.arcsin({0})",
    "acos": "np.arccos({0})",
    "atan": "np.arctan({0})",
    "sinh": "np.sinh({0})",
    "cosh": "np.cosh({0})",
    "asinh": "np.arcsinh({0})",
    "acosh": "np.arccosh({0})",
    "atanh": "np.arctanh({0})",
    "erf": "special.erf({0})",
    "add": "{0} + {1}",
    "subtract": "{0} - {1}",
    "multiply": "{0} * {1}",
    "divide": "{0} / {1}",
    "maximum": "np.maximum({0}, {1})",
    "less": "({0} < {1}).astype(float)",
    "equal": "({0} == {1}).astype(float)",
    "pow": "np.power({0}, {1})",
    "atan2": "np.arctan2({0}, {1})",
    "hypot": "np.hypot({0}, {1})",
    "where": "np.where({0}, {1}, {2})",
    "sum": "np.sum({0}, axis=tuple({axes}), keepdims={keepdims})",
    "broadcast_to": "np.broadcast_to({0}, {shape})",
    "reshape": "np.reshape({0}, {shape})",
    "permute_dims": "np.transpose({0}, {axes})",
    "take": "np.take({0}, data[{indices!r}].astype(int), axis={axis})",
    "take_along_axis": "np.take_along_axis({0}, data[{indices!r}].astype(int), {axis})",
    "cumulative_sum": "np.cumsum({0}, axis={axis})",
    "matmul": "{0} @ {1}",
    "solve": "np.linalg.solve({0}, {1})",
    "det": "np.linalg.det({0})",
    "abs": "np.abs({0})",
    "sign": "np.sign({0})",
    "square": "{0} ** 2",
    "reciprocal": "1 / {0}",
    "ceil": "np.ceil({0})",
    "round": "np.round({0})",
    "identity": "+{0}",
    "minimum": "np.minimum({0}, {1})",
    "clip": "np.clip({0}, {1}, {2})",
    "remainder": "{0} % {1}",
    "copysign": "np.copysign({0}, {1})",
    "not_equal": "({0} != {1}).astype(float)",
    "less_equal": "({0} <= {1}).astype(float)",
    "greater": "({0} > {1}).astype(float)",
    "greater_equal": "({0} >= {1}).astype(float)",
    "logical_not": "np.logical_not({0}).astype(float)",
    "logical_and": "np.logical_and({0}, {1}).astype(float)",
    "logical_or": "np.logical_or({0}, {1}).astype(float)",
    "logical_xor": "np.logical_xor({0}, {1}).astype(float)",
    "sigmoid": "special.expit({0})",
    "softplus": "np.logaddexp({0}, 0)",
    "logaddexp": "np.logaddexp({0}, {1})",
    "silu": "{0} * special.expit({0})",
    "leaky_relu": "np.where({0} > 0, {0}, {slope} * {0})",
    "elu": "np.where({0} > 0, {0}, {alpha} * np.expm1(np.minimum({0}, 0)))",
    "softmax": "special.softmax({0}, axis={axis})",
    "log_softmax": "special.log_softmax({0}, axis={axis})",
    "embedding": "{0}[data[{indices!r}].astype(int)]",
    "elman_cell": "np.tanh({0} @ {2}.T + {1} @ {3}.T + {4})",
    "mse": "np.mean(({0} - {1}) ** 2)",
    "bce_with_logits": "np.mean(np.logaddexp({0}, 0) - {0} * {1})",
    "kl_div": "np.mean(np.where({1} == 0, 0, {1} * (np.log({1}) - {0})))",
    "mean": "np.mean({0}, axis=tuple({axes}), keepdims={keepdims})",
    "prod": "np.prod({0}, axis=tuple({axes}), keepdims={keepdims})",
    "max": "np.max({0}, axis=tuple({axes}), keepdims={keepdims})",
    "min": "np.min({0}, axis=tuple({axes}), keepdims={keepdims})",
    "var": "np.var({0}, axis=tuple({axes}), keepdims={keepdims}, ddof={correction})",
    "cumulative_prod": "np.cumprod({0}, axis={axis})",
    "argmax": "np.argmax({0}, axis={axis}, keepdims={keepdims}).astype(float)",
    "split": "np.split({0}, {sections}, axis={axis})[{part}]",
    "flip": "np.flip({0}, axis=tuple({axes}))",
    "roll": "np.roll({0}, {shift}, axis={axis})",
    "tile": "np.tile({0}, {repetitions})",
    "one_hot": "(data[{indices!r}][..., None] == np.arange({classes})).astype(float)",
    "diagonal": "np.diagonal({0}, {offset}, -2, -1)",
    "tril": "np.tril({0}, {offset})",
    "triu": "np.triu({0}, {offset})",
    "vecdot": "np.sum({0} * {1}, axis={axis})",
    "outer": "np.outer({0}, {1})",
    "einsum": "np.einsum({equation!r}, {operands})",
    "trace": "np.trace({0}, {offset}, -2, -1)",
    "inv": "np.linalg.inv({0})",
}
WRITTEN.update({name: _plain(text) for name, text in EXPRESSIONS.items()})


@operator("constant")
def _constant(w: Writer, name: str) -> str:
    return w.reals[name]


@operator("einsum")
def _einsum(w: Writer, *xs: str, equation: str) -> str:
    return f"np.einsum({equation!r}, {', '.join(xs)})"


@operator("full")
def _full(w: Writer, shape: Sequence[int], value: float) -> str:
    return f"np.full({list(shape)}, {float(value)})"


@operator("iota")
def _iota(w: Writer, shape: Sequence[int], axis: int) -> str:
    column = [shape[axis], *(1,) * (len(shape) - axis - 1)]
    return f"np.broadcast_to(np.arange({shape[axis]}, dtype=float).reshape({column}), {list(shape)})"


@operator("concat")
def _concat(w: Writer, *xs: str, axis: int) -> str:
    return f"np.concatenate([{', '.join(xs)}], axis={axis})"


@operator("stack")
def _stack(w: Writer, *xs: str, axis: int) -> str:
    return f"np.stack([{', '.join(xs)}], axis={axis})"


@operator("slice")
def _slice(w: Writer, x: str, starts: Sequence[int], stops: Sequence[int], steps: Sequence[int]) -> str:
    extents = w.extents[0]
    ends = []
    for start, stop, step, extent in zip(starts, stops, steps, extents):
        # Python has no number for an end before the first element.
        before_first = step < 0 and stop < -extent
        ends.append(f"{start}:{'' if before_first else stop}:{step}")
    return f"{x}[{', '.join(ends)}]" if ends else x


@operator("pad")
def _pad(w: Writer, x: str, low: Sequence[int], high: Sequence[int], interior: Sequence[int]) -> str:
    if not any(interior):
        return f"np.pad({x}, {list(zip(low, high))})" if low else x
    spread = w.let(f"np.zeros({list(w.shape)})")
    ends = ", ".join(
        f"{first}:{first + (extent - 1) * (gap + 1) + 1 if extent else first}:{gap + 1}"
        for first, extent, gap in zip(low, w.extents[0], interior)
    )
    w.lines.append(f"    {spread}[{ends}] = {x}")
    return spread


@operator("gather")
def _gather(w: Writer, x: str, indices: str) -> str:
    rows = w.environment[indices].shape
    if rows[-1] == 0:
        return f"np.broadcast_to({x}, {[*rows[:-1], *w.extents[0]]})"
    return f"{x}[tuple(np.moveaxis(data[{indices!r}].astype(int), -1, 0))]"


@operator("scatter_add")
def _scatter_add(w: Writer, x: str, updates: str, indices: str) -> str:
    rows = w.environment[indices].shape
    if rows[-1] == 0:
        return f"{x} + np.sum({updates}, axis={tuple(range(len(rows) - 1))})"
    copied = w.let(f"{x}.copy()")
    w.lines.append(f"    np.add.at({copied}, tuple(np.moveaxis(data[{indices!r}].astype(int), -1, 0)), {updates})")
    return copied


@operator("norm")
def _norm(w: Writer, x: str, axes: Sequence[int], keepdims: bool) -> str:
    if len(axes) == 1:
        return f"np.linalg.norm({x}, axis={axes[0]}, keepdims={keepdims})"
    return f"np.sqrt(np.sum({x} ** 2, axis={tuple(axes)}, keepdims={keepdims}))"


@operator("logsumexp")
def _logsumexp(w: Writer, x: str, axes: Sequence[int], keepdims: bool) -> str:
    # SciPy's function needs an axis, and elements.
    if not axes or 0 in w.extents[0]:
        return f"np.log(np.sum(np.exp({x}), axis={tuple(axes)}, keepdims={keepdims}))"
    return f"special.logsumexp({x}, axis={tuple(axes)}, keepdims={keepdims})"


@operator("sort")
def _sort(w: Writer, x: str, axis: int, descending: bool) -> str:
    return f"-np.sort(-{x}, axis={axis})" if descending else f"np.sort({x}, axis={axis})"


@operator("top_k")
def _top_k(w: Writer, x: str, axis: int, k: int) -> str:
    return f"(-np.sort(-{x}, axis={axis}))[{':, ' * axis}:{k}]"


@operator("cholesky")
def _cholesky(w: Writer, x: str, upper: bool) -> str:
    lower = f"np.linalg.cholesky(({x} + np.swapaxes({x}, -1, -2)) / 2)"
    return f"np.swapaxes({lower}, -1, -2)" if upper else lower


@operator("triangular_solve")
def _triangular_solve(w: Writer, a: str, b: str, upper: bool) -> str:
    return f"np.linalg.solve(np.{'triu' if upper else 'tril'}({a}), {b})"


@operator("gelu")
def _gelu(w: Writer, x: str, approximate: str) -> str:
    if approximate == "tanh":
        return f"{x} / 2 * (1 + np.tanh(np.sqrt(2 / np.pi) * ({x} + 0.044715 * {x} * {x} * {x})))"
    return f"{x} / 2 * (1 + special.erf({x} / np.sqrt(2)))"


@operator("layer_norm")
def _layer_norm(w: Writer, x: str, scale: str, offset: str, axes: Sequence[int], epsilon: float) -> str:
    shape = [n if axis in axes else 1 for axis, n in enumerate(w.extents[0])]
    return _normed(w, x, tuple(axes), epsilon, f"{scale}.reshape({shape})", f"{offset}.reshape({shape})")


def _normed(w: Writer, x: str, axes: Sequence[int], epsilon: float, scale: str, offset: str) -> str:
    centred = w.let(f"{x} - np.mean({x}, axis={axes}, keepdims=True)")
    spread = w.let(f"np.mean({centred} ** 2, axis={axes}, keepdims=True)")
    return f"{centred} / np.sqrt({spread} + {epsilon}) * {scale} + {offset}"


def _channels(w: Writer, axis: int) -> list[int]:
    return [n if place == axis else 1 for place, n in enumerate(w.extents[0])]


@operator("batch_norm_train")
def _batch_norm_train(w: Writer, x: str, scale: str, offset: str, axis: int, epsilon: float) -> str:
    axes = tuple(place for place in range(len(w.extents[0])) if place != axis)
    shape = _channels(w, axis)
    return _normed(w, x, axes, epsilon, f"{scale}.reshape({shape})", f"{offset}.reshape({shape})")


@operator("batch_norm_eval")
def _batch_norm_eval(w: Writer, *xs: str, axis: int, epsilon: float) -> str:
    scale, offset, mean, variance = (f"{one}.reshape({_channels(w, axis)})" for one in xs[1:])
    return f"({xs[0]} - {mean}) / np.sqrt({variance} + {epsilon}) * {scale} + {offset}"


@operator("group_norm")
def _group_norm(w: Writer, x: str, scale: str, offset: str, groups: int, epsilon: float) -> str:
    n, channels, *rest = w.extents[0]
    split = w.let(f"{x}.reshape({[n, groups, channels // groups, *rest]})")
    axes = tuple(range(2, 3 + len(rest)))
    centred = w.let(f"{split} - np.mean({split}, axis={axes}, keepdims=True)")
    spread = w.let(f"np.mean({centred} ** 2, axis={axes}, keepdims=True)")
    shape = [channels, *(1,) * len(rest)]
    normed = f"({centred} / np.sqrt({spread} + {epsilon})).reshape({list(w.extents[0])})"
    return f"{normed} * {scale}.reshape({shape}) + {offset}.reshape({shape})"


@operator("scaled_dot_product_attention")
def _attention(w: Writer, q: str, k: str, v: str, *mask: str, causal: bool) -> str:
    length, depth, other = w.extents[0][-2], w.extents[0][-1], w.extents[1][-2]
    scores = w.let(f"{q} @ np.swapaxes({k}, -1, -2) / np.sqrt({depth})" + "".join(f" + {one}" for one in mask))
    if causal:
        scores = w.let(f"np.where(np.arange({other}) <= np.arange({length})[:, None], {scores}, -np.inf)")
    return f"special.softmax({scores}, axis=-1) @ {v}"


def _heads(w: Writer, x: str, shape: Sequence[int], heads: int) -> str:
    """Divides columns into heads, which become an axis before the rows."""
    *batch, rows, columns = shape
    split = w.let(f"{x}.reshape({[*batch, rows, heads, columns // heads]})")
    return w.let(f"np.swapaxes({split}, -2, -3)")


def _many_headed(w: Writer, q: str, kv: str, weights: Sequence[str], shapes: Sequence[Sequence[int]], heads: int, causal: bool) -> str:
    wq, wk, wv, wo = weights
    x, y = shapes[0], shapes[1]
    parts = [
        _heads(w, w.let(f"{one} @ {weight}"), [*shape[:-1], columns[-1]], heads)
        for one, weight, shape, columns in ((q, wq, x, shapes[2]), (kv, wk, y, shapes[3]), (kv, wv, y, shapes[4]))
    ]
    scores = w.let(f"{parts[0]} @ np.swapaxes({parts[1]}, -1, -2) / np.sqrt({shapes[2][-1] // heads})")
    if causal:
        scores = w.let(f"np.where(np.arange({y[-2]}) <= np.arange({x[-2]})[:, None], {scores}, -np.inf)")
    mixed = w.let(f"np.swapaxes(special.softmax({scores}, axis=-1) @ {parts[2]}, -2, -3)")
    return f"{mixed}.reshape({[*x[:-1], shapes[4][-1]]}) @ {wo}"


@operator("multi_head_attention")
def _multi_head_attention(w: Writer, *xs: str, heads: int, causal: bool) -> str:
    return _many_headed(w, xs[0], xs[1], xs[2:], w.extents, heads, causal)


@operator("transformer_block")
def _transformer_block(w: Writer, *xs: str, heads: int, causal: bool, epsilon: float) -> str:
    x, scale1, offset1, wq, wk, wv, wo, scale2, offset2, w1, b1, w2, b2 = xs
    shapes = w.extents
    first = w.let(_normed(w, x, (-1,), epsilon, scale1, offset1))
    attended = w.let(f"{x} + " + _many_headed(w, first, first, (wq, wk, wv, wo), [shapes[0], shapes[0], *shapes[3:7]], heads, causal))
    second = w.let(_normed(w, attended, (-1,), epsilon, scale2, offset2))
    inner = w.let(f"{second} @ {w1} + {b1}")
    return f"{attended} + (" + _gelu(w, inner, "none") + f") @ {w2} + {b2}"


@operator("lstm_cell")
def _lstm_cell(w: Writer, x: str, h: str, c: str, w_ih: str, w_hh: str, b: str, output: str) -> str:
    gates = w.let(f"{x} @ {w_ih}.T + {h} @ {w_hh}.T + {b}")
    i, f, g, o = (w.let(f"np.split({gates}, 4, axis=1)[{part}]") for part in range(4))
    cell = w.let(f"special.expit({f}) * {c} + special.expit({i}) * np.tanh({g})")
    return cell if output == "cell" else f"special.expit({o}) * np.tanh({cell})"


@operator("gru_cell")
def _gru_cell(w: Writer, x: str, h: str, w_ih: str, w_hh: str, b_ih: str, b_hh: str) -> str:
    left = [w.let(f"np.split({x} @ {w_ih}.T + {b_ih}, 3, axis=1)[{part}]") for part in range(3)]
    right = [w.let(f"np.split({h} @ {w_hh}.T + {b_hh}, 3, axis=1)[{part}]") for part in range(3)]
    z = w.let(f"special.expit({left[1]} + {right[1]})")
    n = w.let(f"np.tanh({left[2]} + special.expit({left[0]} + {right[0]}) * {right[2]})")
    return f"(1 - {z}) * {n} + {z} * {h}"


@operator("huber")
def _huber(w: Writer, x: str, y: str, delta: float) -> str:
    size = w.let(f"np.abs({x} - {y})")
    return f"np.mean(np.where({size} <= {delta}, {size} ** 2 / 2, {delta} * ({size} - {delta / 2})))"


def _at_labels(w: Writer, x: str, labels: str) -> str:
    return f"-np.mean({x}[np.arange({w.extents[0][0]}), data[{labels!r}].astype(int)])"


@operator("cross_entropy")
def _cross_entropy(w: Writer, x: str, labels: str) -> str:
    return _at_labels(w, f"special.log_softmax({x}, axis=1)", labels)


@operator("nll")
def _nll(w: Writer, x: str, labels: str) -> str:
    return _at_labels(w, x, labels)


def _window(w: Writer, x: str, shape: Sequence[int], window: Sequence[int], strides: Sequence[int], dilations: Sequence[int]) -> tuple[str, list[int]]:
    """Stacks what each place of the window sees: [N, C, places, ...counts]."""
    counts = [(n - (size - 1) * by - 1) // stride + 1 for n, size, stride, by in zip(shape[2:], window, strides, dilations)]
    seen = []
    for place in itertools.product(*(range(size) for size in window)):
        ends = [f"{at * by}:{at * by + (count - 1) * stride + 1}:{stride}" for at, by, count, stride in zip(place, dilations, counts, strides)]
        seen.append(f"{x}[{', '.join([':', ':', *ends])}]")
    return w.let(f"np.stack([{', '.join(seen)}], axis=2)"), counts


def _padded(w: Writer, x: str, shape: Sequence[int], padding: Sequence[Sequence[int]], value: str = "0") -> tuple[str, list[int]]:
    amounts = [(0, 0), (0, 0), *((low, high) for low, high in padding)]
    wide = [n + low + high for n, (low, high) in zip(shape, amounts)]
    return w.let(f"np.pad({x}, {amounts}, constant_values={value})"), wide


def _conv_of(w: Writer, x: str, k: str, x_shape: Sequence[int], k_shape: Sequence[int], strides: Any, dilations: Any, groups: int) -> str:
    n, channels = x_shape[:2]
    out, inner, *window = k_shape
    seen, counts = _window(w, x, x_shape, window, strides, dilations)
    size = math.prod(window)
    parts = w.let(f"{seen}.reshape({[n, groups, inner * size, math.prod(counts)]})")
    kernels = w.let(f"{k}.reshape({[groups, out // groups, inner * size]})")
    return f"({kernels} @ {parts}).reshape({[n, out, *counts]})"


@operator("conv")
def _conv(w: Writer, x: str, k: str, strides: Any, padding: Any, dilations: Any, groups: int) -> str:
    padded, wide = _padded(w, x, w.extents[0], padding)
    return _conv_of(w, padded, k, wide, w.extents[1], strides, dilations, groups)


@operator("conv_transpose")
def _conv_transpose(w: Writer, x: str, k: str, strides: Any, padding: Any, dilations: Any, groups: int, output_padding: Any) -> str:
    (n, channels, *extents), (_, per_group, *window) = w.extents
    spread = [(extent - 1) * stride + 1 for extent, stride in zip(extents, strides)]
    reach = [(size - 1) * by for size, by in zip(window, dilations)]
    wide = [n, channels, *(s + 2 * r + more for s, r, more in zip(spread, reach, output_padding))]
    padded = w.let(f"np.zeros({wide})")
    ends = ", ".join(f"{r}:{r + s}:{stride}" for r, s, stride in zip(reach, spread, strides))
    w.lines.append(f"    {padded}[:, :, {ends}] = {x}")
    turned = w.let(f"{k}[{', '.join([':', ':', *('::-1' for _ in window)])}].reshape({[groups, channels // groups, per_group, *window]})")
    kernels = w.let(f"np.swapaxes({turned}, 1, 2).reshape({[groups * per_group, channels // groups, *window]})")
    whole = w.let(_conv_of(w, padded, kernels, wide, [groups * per_group, channels // groups, *window], [1] * len(window), dilations, groups))
    counts = [a - r for a, r in zip(wide[2:], reach)]
    cut = ", ".join(f"{low}:{count - high}" for (low, high), count in zip(padding, counts))
    return f"{whole}[:, :, {cut}]"


@operator("max_pool")
def _max_pool(w: Writer, x: str, window: Any, strides: Any, padding: Any) -> str:
    padded, wide = _padded(w, x, w.extents[0], padding, "-np.inf")
    seen, _ = _window(w, padded, wide, window, strides, [1] * len(window))
    return f"np.max({seen}, axis=2)"


@operator("avg_pool")
def _avg_pool(w: Writer, x: str, window: Any, strides: Any, padding: Any, count_include_pad: bool) -> str:
    padded, wide = _padded(w, x, w.extents[0], padding)
    seen, _ = _window(w, padded, wide, window, strides, [1] * len(window))
    if count_include_pad:
        return f"np.sum({seen}, axis=2) / {math.prod(window)}"
    ones, _ = _padded(w, f"np.ones({list(w.extents[0])})", w.extents[0], padding)
    counts, _ = _window(w, ones, wide, window, strides, [1] * len(window))
    return f"np.sum({seen}, axis=2) / np.sum({counts}, axis=2)"
