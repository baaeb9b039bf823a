"""What elementwise operators of PyTorch become."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import torch

from ..graph import Ref
from .torch_front_rules import Made, is_number, logical, rule, times, trunc

PART = "Elementwise"


def same(name: str, *names: str) -> None:
    """Enters operators of one operand that the graph has."""

    @rule(*names, becomes=f"`{name}`", part=PART)
    def make(t: Any, a: Any) -> Made:
        return t.graph.elementwise(name, t.of(a.self))


same("negative", "neg")
for each in "exp log sin cos tanh sqrt relu floor expm1 log1p log2 tan asin acos atan sinh cosh".split():
    same(each, each)
for each in "asinh acosh atanh erf abs reciprocal ceil sigmoid silu".split():
    same(each, each)
same("sign", "sign", "sgn")
same("logical_not", "logical_not")


@rule(
    *"clone alias detach lift_fresh lift lift_fresh_copy alias_copy detach_copy contiguous positive".split(),
    *"conj _conj resolve_conj resolve_neg _neg_view_copy".split(),
    becomes="the value itself; `stop_gradient` where autograd has no derivative",
    part=PART,
)
def identity(t: Any, a: Any) -> Made:
    return t.of(a.self)


@rule(
    "_to_copy",
    becomes="the value; towards integers `where`, `ceil` and `floor`; towards Booleans `not_equal`",
    part=PART,
)
def converted(t: Any, a: Any) -> Made:
    x = t.of(a.self)
    if a.out.dtype == torch.bool:
        return logical(t.graph, x)
    if not a.out.dtype.is_floating_point and a.self.dtype.is_floating_point:
        return trunc(t.graph, x)
    return x


@rule("copy", becomes="`broadcast_to`", part=PART)
def copied(t: Any, a: Any) -> Made:
    return t.graph.broadcast_to(t.of(a.src), a.out.shape)


@rule(
    "fill",
    "full_like",
    "zeros_like",
    "ones_like",
    "new_zeros",
    "new_ones",
    "new_full",
    "zero",
    becomes="`full`",
    part=PART,
)
def filled(t: Any, a: Any) -> Made:
    if hasattr(a, "value"):
        return t.graph.broadcast_to(t.of(a.value), a.out.shape)
    return t.graph.full(a.out.shape, float(a.out.flatten()[0]) if a.out.numel() else 0.0)


@rule("add", becomes="`add`; of Booleans `logical_or`", part=PART)
def add(t: Any, a: Any) -> Made:
    g = t.graph
    if a.out.dtype == torch.bool:
        return g.logical_or(t.of(a.self), t.of(a.other))
    return g.add(t.of(a.self), times(g, t.of(a.other), a.alpha, a.out.shape))


@rule("sub", becomes="`subtract`", part=PART)
def sub(t: Any, a: Any) -> Made:
    return t.graph.subtract(t.of(a.self), times(t.graph, t.of(a.other), a.alpha, a.out.shape))


@rule("rsub", becomes="`subtract`", part=PART)
def rsub(t: Any, a: Any) -> Made:
    return t.graph.subtract(t.of(a.other), times(t.graph, t.of(a.self), a.alpha, a.out.shape))


@rule("mul", becomes="`multiply`", part=PART)
def mul(t: Any, a: Any) -> Made:
    return t.graph.multiply(t.of(a.self), t.of(a.other))


@rule(
    "div",
    becomes="`divide`, with `floor`, or `where`, `ceil` and `floor`, as the rounding mode says",
    part=PART,
)
def div(t: Any, a: Any) -> Made:
    quotient = t.graph.divide(t.of(a.self), t.of(a.other))
    mode = getattr(a, "rounding_mode", None)
    return (
        quotient if mode is None else t.graph.floor(quotient) if mode == "floor" else trunc(t.graph, quotient)
    )


@rule("floor_divide", becomes="`floor` of `divide`", part=PART)
def floor_divide(t: Any, a: Any) -> Made:
    return t.graph.floor(t.graph.divide(t.of(a.self), t.of(a.other)))


@rule("remainder", becomes="`remainder`", part=PART)
def remainder(t: Any, a: Any) -> Made:
    return t.graph.remainder(t.of(a.self), t.of(a.other))


@rule("fmod", becomes="`remainder` by |y|, mirrored where x < 0", part=PART)
def fmod(t: Any, a: Any) -> Made:
    g, x, y = t.graph, t.of(a.self), t.of(a.other)
    size = g.abs(y)
    return g.where(g.less(x, 0), g.negative(g.remainder(g.negative(x), size)), g.remainder(x, size))


@rule("maximum", becomes="`maximum`", part=PART)
def maximum(t: Any, a: Any) -> Made:
    return t.graph.maximum(t.of(a.self), t.of(a.other))


@rule("minimum", becomes="`minimum`", part=PART)
def minimum(t: Any, a: Any) -> Made:
    return t.graph.minimum(t.of(a.self), t.of(a.other))


@rule("fmax", "fmin", becomes="`maximum`, `minimum`, and the other operand where one is NaN", part=PART)
def fmax(t: Any, a: Any) -> Made:
    g, x, y = t.graph, t.of(a.self), t.of(a.other)
    chosen = (g.maximum if a.func._schema.name == "aten::fmax" else g.minimum)(x, y)
    return g.where(g.not_equal(x, x), y, g.where(g.not_equal(y, y), x, chosen))


@rule(
    "clamp", "clip", "hardtanh", "clamp_min", "clamp_max", becomes="`clip`, `maximum` or `minimum`", part=PART
)
def clamp(t: Any, a: Any) -> Made:
    low = getattr(a, "min", getattr(a, "min_val", None))
    high = getattr(a, "max", getattr(a, "max_val", None))
    g, x = t.graph, t.of(a.self)
    if low is None:
        return g.minimum(x, t.of(high))
    return g.maximum(x, t.of(low)) if high is None else g.clip(x, t.of(low), t.of(high))


@rule("where", becomes="`where`", part=PART)
def where(t: Any, a: Any) -> Made:
    return t.graph.where(t.of(a.condition), t.of(a.self), t.of(a.other))


@rule("masked_fill", becomes="`where`", part=PART)
def masked_fill(t: Any, a: Any) -> Made:
    return t.graph.where(t.of(a.mask), t.of(a.value), t.of(a.self))


@rule("lerp", becomes="x + w (y − x), and y − (1 − w) (y − x) where ⎮w⎮ ≥ ½, as PyTorch rounds it", part=PART)
def lerp(t: Any, a: Any) -> Made:
    g, x, y, w = t.graph, t.of(a.self), t.of(a.end), t.of(a.weight)
    near = g.add(x, g.multiply(w, g.subtract(y, x)))
    if not isinstance(w, Ref) and bool(np.all(np.abs(w) < 0.5)):
        return near
    far = g.subtract(y, g.multiply(g.subtract(1, w), g.subtract(y, x)))
    return (
        far
        if not isinstance(w, Ref) and bool(np.all(np.abs(w) >= 0.5))
        else g.where(g.less(g.abs(w), 0.5), near, far)
    )


@rule("addcmul", becomes="`add` of a product", part=PART)
def addcmul(t: Any, a: Any) -> Made:
    g = t.graph
    x, y = (g.broadcast_to(t.of(each), a.out.shape) for each in (a.tensor1, a.tensor2))
    return g.add(t.of(a.self), times(g, g.multiply(x, y), a.value))


@rule("addcdiv", becomes="`add` of a quotient", part=PART)
def addcdiv(t: Any, a: Any) -> Made:
    g = t.graph
    x, y = (g.broadcast_to(t.of(each), a.out.shape) for each in (a.tensor1, a.tensor2))
    return g.add(t.of(a.self), g.divide(times(g, x, a.value), y))


@rule("pow", becomes="`square`, `sqrt` or `reciprocal` for 2, ½ and −1, else `pow`", part=PART)
def power(t: Any, a: Any) -> Made:
    g, x, y = t.graph, t.of(a.self), t.of(a.exponent)
    if not isinstance(a.exponent, torch.Tensor):
        for known, name in ((2, "square"), (0.5, "sqrt"), (-1, "reciprocal"), (1, "identity")):
            if is_number(y, known):
                return g.elementwise(name, x)
    return g.pow(x, y)


@rule("rsqrt", becomes="`reciprocal` of `sqrt`", part=PART)
def rsqrt(t: Any, a: Any) -> Made:
    return t.graph.reciprocal(t.graph.sqrt(t.of(a.self)))


@rule("exp2", becomes="`pow` of 2", part=PART)
def exp2(t: Any, a: Any) -> Made:
    return t.graph.pow(2, t.of(a.self))


@rule("log10", becomes="`log` by log 10", part=PART)
def log10(t: Any, a: Any) -> Made:
    return t.graph.divide(t.graph.log(t.of(a.self)), t.graph.log(t.graph.full(a.out.shape, 10)))


@rule("erfc", "special_erfc", becomes="1 − `erf`", part=PART)
def erfc(t: Any, a: Any) -> Made:
    return t.graph.subtract(1, t.graph.erf(t.of(a.self)))


@rule("trunc", "fix", becomes="`where` of `ceil` and `floor`", part=PART)
def truncated(t: Any, a: Any) -> Made:
    return trunc(t.graph, t.of(a.self))


@rule("frac", becomes="x less its integer part", part=PART)
def frac(t: Any, a: Any) -> Made:
    return t.graph.subtract(t.of(a.self), trunc(t.graph, t.of(a.self)))


@rule("round", becomes="`round`, of x times a power of ten where decimals are asked for", part=PART)
def rounded(t: Any, a: Any) -> Made:
    g, decimals = t.graph, getattr(a, "decimals", 0)
    if decimals == 0:
        return g.round(t.of(a.self))
    scale = 10.0 ** abs(decimals)
    if decimals > 0:
        return g.divide(g.round(g.multiply(t.of(a.self), scale)), scale)
    return g.multiply(g.round(g.divide(t.of(a.self), scale)), scale)


@rule("softplus", becomes="`softplus` of βx by β, and x beyond the threshold", part=PART)
def softplus(t: Any, a: Any) -> Made:
    g, x = t.graph, t.of(a.self)
    scaled = times(g, x, a.beta)
    soft = g.softplus(scaled)
    return g.where(g.greater(scaled, a.threshold), x, soft if a.beta == 1 else g.divide(soft, a.beta))


@rule("log_sigmoid_forward", becomes="−`softplus`(−x)", part=PART)
def log_sigmoid(t: Any, a: Any) -> Made:
    return [t.graph.negative(t.graph.softplus(t.graph.negative(t.of(a.self)))), None]


@rule("gelu", becomes="`gelu`, in both forms", part=PART)
def gelu(t: Any, a: Any) -> Made:
    return t.graph.gelu(t.of(a.self), approximate=a.approximate)


@rule("elu", becomes="`elu`; with scales (`selu`, `celu`) `where` and `expm1`", part=PART)
def elu(t: Any, a: Any) -> Made:
    g, x = t.graph, t.of(a.self)
    if a.scale == 1 and a.input_scale == 1:
        return g.elu(x, alpha=a.alpha)
    factor = times(g, g.full(a.out.shape, float(a.alpha)), a.scale)
    low = g.multiply(factor, g.expm1(times(g, x, a.input_scale)))
    return g.where(g.greater(x, 0), times(g, x, a.scale), low)


@rule("leaky_relu", becomes="`leaky_relu`", part=PART)
def leaky_relu(t: Any, a: Any) -> Made:
    return t.graph.leaky_relu(t.of(a.self), slope=a.negative_slope)


@rule("_prelu_kernel", becomes="`where` of x and a product", part=PART)
def prelu(t: Any, a: Any) -> Made:
    g, x = t.graph, t.of(a.self)
    return g.where(g.greater(x, 0), x, g.multiply(t.of(a.weight), x))


@rule(
    "rrelu_with_noise",
    "rrelu_with_noise_functional",
    becomes="`leaky_relu`, if it is not training; else refused",
    part=PART,
)
def rrelu(t: Any, a: Any) -> Made:
    made = t.graph.leaky_relu(t.of(a.self), slope=(a.lower + a.upper) / 2)
    return [made, None] if isinstance(a.out, (tuple, list)) else made


@rule("threshold", becomes="`where`", part=PART)
def threshold(t: Any, a: Any) -> Made:
    return t.graph.where(t.graph.less_equal(t.of(a.self), a.threshold), a.value, t.of(a.self))


@rule("relu6", becomes="`clip`", part=PART)
def relu6(t: Any, a: Any) -> Made:
    return t.graph.clip(t.of(a.self), 0, 6)


@rule("hardsigmoid", becomes="`clip` of x + 3, by 6", part=PART)
def hardsigmoid(t: Any, a: Any) -> Made:
    return t.graph.divide(t.graph.clip(t.graph.add(t.of(a.self), 3), 0, 6), 6)


@rule("hardswish", becomes="x times `clip` of x + 3, by 6", part=PART)
def hardswish(t: Any, a: Any) -> Made:
    g, x = t.graph, t.of(a.self)
    return g.divide(g.multiply(x, g.clip(g.add(x, 3), 0, 6)), 6)


@rule("mish", becomes="x `tanh`(`softplus`(x))", part=PART)
def mish(t: Any, a: Any) -> Made:
    return t.graph.multiply(t.of(a.self), t.graph.tanh(t.graph.softplus(t.of(a.self))))


@rule("softshrink", becomes="`where`", part=PART)
def softshrink(t: Any, a: Any) -> Made:
    g, x = t.graph, t.of(a.self)
    limit = float(a.lambd)
    return g.where(
        g.greater(x, limit),
        g.subtract(x, limit),
        g.where(g.less(x, -limit), g.add(x, limit), g.multiply(x, 0)),
    )


@rule("hardshrink", becomes="`where`", part=PART)
def hardshrink(t: Any, a: Any) -> Made:
    g, x = t.graph, t.of(a.self)
    return g.where(g.logical_and(g.greater_equal(x, -float(a.lambd)), g.less_equal(x, float(a.lambd))), 0, x)


@rule("glu", becomes="one half times `sigmoid` of the other", part=PART)
def glu(t: Any, a: Any) -> Made:
    g, x = t.graph, t.ref(a.self)
    axis = a.dim % len(x.shape)
    first, second = (g.op("split", x, axis=axis, sections=2, part=part) for part in (0, 1))
    return g.multiply(first, g.sigmoid(second))


@rule("logit", becomes="`log` of z/(1 − z), z clipped by eps", part=PART)
def logit(t: Any, a: Any) -> Made:
    g, x = t.graph, t.of(a.self)
    z = x if a.eps is None else g.clip(x, a.eps, 1 - a.eps)
    return g.log(g.divide(z, g.subtract(1, z)))


@rule("logaddexp", becomes="`logaddexp`", part=PART)
def logaddexp(t: Any, a: Any) -> Made:
    return t.graph.logaddexp(t.of(a.self), t.of(a.other))


@rule("logaddexp2", becomes="`logaddexp` of x log 2 and y log 2, by log 2", part=PART)
def logaddexp2(t: Any, a: Any) -> Made:
    g = t.graph
    two = g.log(g.full(a.out.shape, 2))
    return g.divide(g.logaddexp(g.multiply(t.of(a.self), two), g.multiply(t.of(a.other), two)), two)


@rule("atan2", becomes="`atan2`", part=PART)
def atan2(t: Any, a: Any) -> Made:
    return t.graph.atan2(t.of(a.self), t.of(a.other))


@rule("hypot", becomes="`hypot`", part=PART)
def hypot(t: Any, a: Any) -> Made:
    return t.graph.hypot(t.of(a.self), t.of(a.other))


@rule("copysign", becomes="`copysign`", part=PART)
def copysign(t: Any, a: Any) -> Made:
    return t.graph.copysign(t.of(a.self), t.of(a.other))


def xlog(t: Any, a: Any, log: str) -> Made:
    """x log y, and 0 where x is 0 and log y no number that x could be multiplied by."""
    g, x, y = t.graph, t.of(a.self), t.of(a.other)
    if isinstance(x, Ref) and isinstance(y, Ref) and x.id == y.id and log == "log":
        return g.where(g.equal(x, 0), 0, g.multiply(x, g.log(x)))
    least = 0 if log == "log" else -1
    endless = g.logical_or(g.less_equal(y, least), g.equal(y, np.float64(math.inf)))
    return g.where(g.logical_and(g.equal(x, 0), endless), 0, g.multiply(x, g.elementwise(log, y)))


@rule("xlogy", becomes="x `log` y, and 0 where x is 0 and y ≤ 0 or ∞", part=PART)
def xlogy(t: Any, a: Any) -> Made:
    return xlog(t, a, "log")


@rule("special_xlog1py", becomes="x `log1p` y, and 0 where x is 0 and y ≤ −1 or ∞", part=PART)
def xlog1py(t: Any, a: Any) -> Made:
    return xlog(t, a, "log1p")


@rule("special_entr", becomes="−x `log` x, 0 at 0 and −∞ below", part=PART)
def entr(t: Any, a: Any) -> Made:
    g, x = t.graph, t.of(a.self)
    rest = g.where(
        g.equal(x, 0), 0, g.full(a.out.shape, 0) if not a.out.numel() else np.full(a.out.shape, -math.inf)
    )
    return g.where(g.greater(x, 0), g.negative(g.multiply(x, g.log(x))), g.where(g.not_equal(x, x), x, rest))


@rule("sinc", becomes="`sin`(πx)/(πx), and 1 at 0", part=PART)
def sinc(t: Any, a: Any) -> Made:
    g, x = t.graph, t.of(a.self)
    angle = g.multiply(x, math.pi)
    return g.where(g.equal(x, 0), 1, g.divide(g.sin(angle), angle))


@rule("heaviside", becomes="`where`, `greater`", part=PART)
def heaviside(t: Any, a: Any) -> Made:
    g, x = t.graph, t.of(a.self)
    return g.where(g.equal(x, 0), t.of(a.values), g.greater(x, 0))


@rule("angle", becomes="π where x < 0, else 0", part=PART)
def angle(t: Any, a: Any) -> Made:
    g, x = t.graph, t.of(a.self)
    return g.where(g.less(x, 0), math.pi, g.where(g.not_equal(x, x), x, 0))


@rule("nan_to_num", becomes="`where`", part=PART)
def nan_to_num(t: Any, a: Any) -> Made:
    g, x = t.graph, t.of(a.self)
    most = torch.finfo(a.self.dtype).max
    high = most if a.posinf is None else a.posinf
    low = -most if a.neginf is None else a.neginf
    x = g.where(g.equal(x, np.float64(math.inf)), high, g.where(g.equal(x, np.float64(-math.inf)), low, x))
    return g.where(g.not_equal(x, x), 0 if a.nan is None else a.nan, x)


def compared(name: str, *names: str) -> None:
    """Enters comparisons and logical operators of two operands."""

    @rule(*names, becomes=f"`{name}`", part=PART)
    def make(t: Any, a: Any) -> Made:
        if name.startswith("logical") and a.out.dtype != torch.bool:
            # Bits of integers are no numbers of a graph.
            return NotImplemented
        return t.graph.elementwise(name, t.of(a.self), t.of(a.other))


for ours, theirs in (
    ("equal", "eq"),
    ("not_equal", "ne"),
    ("less", "lt"),
    ("less_equal", "le"),
    ("greater", "gt"),
    ("greater_equal", "ge"),
):
    compared(ours, theirs)
compared("logical_and", "logical_and", "bitwise_and", "__and__")
compared("logical_or", "logical_or", "bitwise_or", "__or__")
compared("logical_xor", "logical_xor", "bitwise_xor", "__xor__")


@rule("bitwise_not", becomes="`logical_not`, of Booleans", part=PART)
def bitwise_not(t: Any, a: Any) -> Made:
    return t.graph.logical_not(t.of(a.self)) if a.out.dtype == torch.bool else NotImplemented


@rule("isnan", becomes="`not_equal` of x and itself", part=PART)
def isnan(t: Any, a: Any) -> Made:
    return t.graph.not_equal(t.of(a.self), t.of(a.self))


@rule("isinf", "isposinf", "isneginf", becomes="`equal` of x, or its size, and ∞", part=PART)
def isinf(t: Any, a: Any) -> Made:
    g, x, name = t.graph, t.of(a.self), a.func._schema.name
    if name == "aten::isinf":
        x = g.abs(x)
    return g.equal(x, np.float64(-math.inf if name == "aten::isneginf" else math.inf))


@rule("signbit", becomes="`less` than 0", part=PART)
def signbit(t: Any, a: Any) -> Made:
    return t.graph.less(t.of(a.self), 0)
