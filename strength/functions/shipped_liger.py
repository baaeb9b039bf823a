"""Liger-Kernel's functions: kernels of Triton with a backward each, run by Triton's interpreter on the CPU.

The kernels are the ones that a GPU runs, one program after the other in NumPy. Each is held against plain code
of PyTorch, in float32, which is what they compute in.
"""

from __future__ import annotations

import os
from typing import Any, Callable, Iterator

from adjudge import var

Asked = tuple[str, Callable[..., Any], tuple[Any, ...], dict[str, Any]]


def interpreted() -> None:
    """Has Triton interpret kernels, and hand them numbers of Python as the compiler does, as float32."""
    os.environ["TRITON_INTERPRET"] = "1"
    import numpy as np
    import triton.language as tl
    from triton.runtime import interpreter
    from liger_kernel import ops

    plain = interpreter._implicit_cvt

    def of_numpy(function: Callable[..., Any]) -> Callable[..., Any]:
        return lambda x: tl.tensor(interpreter.TensorHandle(function(x.handle.data), x.handle.dtype), x.type)

    def converted(x: Any) -> Any:
        if isinstance(x, float):
            return tl.tensor(interpreter.TensorHandle(np.array([x], dtype=np.float32), tl.float32), tl.float32)
        return plain(x)

    interpreter._implicit_cvt = converted
    # The interpreter has no functions of CUDA's library.
    for name, module in list(vars(ops).items()):
        for key, function in (("rsqrt", of_numpy(lambda x: 1 / np.sqrt(x))), ("tanh", of_numpy(np.tanh))):
            if hasattr(module, key):
                setattr(module, key, function)


def of_liger() -> Iterator[Asked]:
    interpreted()
    import torch
    import torch.nn.functional as F
    from liger_kernel import ops

    def tensor(*shape: int, **how: Any) -> Any:
        return var(shape, dtype=torch.float32, **how)

    def labels(count: int, classes: int) -> Any:
        return var((count,), integers=classes, dtype=torch.int64)

    def rms(x: Any, w: Any, offset: float = 0.0) -> Any:
        return x * torch.rsqrt(x.square().mean(-1, keepdim=True) + 1e-6) * (w + offset)

    x, w, b = tensor(3, 5), tensor(5), tensor(5)
    norm, function = ops.rms_norm.LigerRMSNormFunction, Callable[..., Any]
    for mode, offset in (("llama", 0.0), ("gemma", 1.0), ("none", 0.0)):
        theirs: function = lambda x, w, m=mode, o=offset: norm.apply(x, w, 1e-6, o, m, False)
        yield f"rms_norm, {mode}", theirs, (x, w), {"reference": lambda x, w, o=offset: rms(x, w, o)}
    added: function = lambda x, r, w: ops.fused_add_rms_norm.LigerFusedAddRMSNormFunction.apply(x, r, w, 1e-6, 0.0, "llama", False)
    yield "fused_add_rms_norm", added, (x, x, w), {"reference": lambda x, r, w: (rms(x + r, w), x + r)}
    layer: function = lambda x, w, b: ops.layer_norm.LigerLayerNormFunction.apply(x, w, b, 1e-5)
    yield "layer_norm", layer, (x, w, b), {"reference": lambda x, w, b: F.layer_norm(x, (5,), w, b, 1e-5)}
    group: function = lambda x, w, b: ops.group_norm.LigerGroupNormFunction.apply(x, w, b, 4, 2, 1e-5)
    yield "group_norm", group, (tensor(2, 4, 3), tensor(4), tensor(4)), {"reference": lambda x, w, b: F.group_norm(x, 2, w, b, 1e-5)}

    def poly(x: Any, w: Any, b: Any) -> Any:
        parts = [(x**n) * torch.rsqrt((x**n).square().mean(-1, keepdim=True) + 1e-6) for n in (3, 2, 1)]
        return w[0] * parts[0] + w[1] * parts[1] + w[2] * parts[2] + b

    polynomial: function = lambda x, w, b: ops.poly_norm.LigerPolyNormFunction.apply(x, w, b, 1e-6, False)
    yield "poly_norm", polynomial, (x, tensor(3), tensor()), {"reference": poly}
    yield "swiglu", lambda a, b: ops.swiglu.LigerSiLUMulFunction.apply(a, b), (x, x), {"reference": lambda a, b: F.silu(a) * b}
    gated: function = lambda y: ops.swiglu.LigerFusedGateUpSiLUMulFunction.apply(y, False)
    yield "swiglu, fused", gated, (tensor(3, 8),), {"reference": lambda y: F.silu(y[:, :4]) * y[:, 4:]}
    gelu: function = lambda a, b: F.gelu(a, approximate="tanh") * b
    yield "geglu", lambda a, b: ops.geglu.LigerGELUMulFunction.apply(a, b), (x, x), {"reference": gelu}
    yield "relu_squared", ops.relu_squared.LigerReLUSquaredFunction.apply, (x,), {"reference": lambda x: F.relu(x).square()}
    yield "softmax", ops.softmax.LigerSoftmaxFunction.apply, (x,), {"reference": lambda x: torch.softmax(x, -1)}

    def sparsemax(x: Any) -> Any:
        ordered = torch.sort(x, dim=-1, descending=True).values
        sums, ranks = ordered.cumsum(-1), torch.arange(1, 6, dtype=x.dtype)
        count = (1 + ranks * ordered > sums).sum(-1, keepdim=True)
        return F.relu(x - (sums.gather(-1, count - 1) - 1) / count)

    yield "sparsemax", lambda x: ops.sparsemax.LigerSparsemaxFunction.apply(x, -1), (x,), {"reference": sparsemax}

    def turned(x: Any, cos: Any, sin: Any) -> Any:
        half = x.shape[-1] // 2
        return x * cos + torch.cat([-x[..., half:], x[..., :half]], -1) * sin

    angles = torch.arange(3.0)[:, None] * torch.tensor([1.0, 0.01])
    cos, sin = (torch.cat([f(angles), f(angles)], -1)[None] for f in (torch.cos, torch.sin))
    rope: function = lambda q, k: ops.rope.LigerRopeFunction.apply(q.clone(), k.clone(), cos, sin)
    yield "rope", rope, (tensor(1, 2, 3, 4), tensor(1, 1, 3, 4)), {"reference": lambda q, k: (turned(q, cos, sin), turned(k, cos, sin))}

    logits, classes = tensor(3, 4), labels(3, 4)
    cross = ops.cross_entropy.LigerCrossEntropyFunction

    def entropy(x: Any, y: Any, smoothing: float = 0.0, cap: float = 0.0, z: float = 0.0, reduction: str = "mean") -> Any:
        x = cap * torch.tanh(x / cap) if cap else x
        loss = F.cross_entropy(x, y, label_smoothing=smoothing, reduction=reduction)
        return loss + z * torch.logsumexp(x, -1).square().mean() if z else loss

    for name, smoothing, cap, z, reduction in (
        ("", 0.0, 0.0, 0.0, "mean"),
        (", sum", 0.0, 0.0, 0.0, "sum"),
        (", none", 0.0, 0.0, 0.0, "none"),
        (", smoothed", 0.1, 0.0, 0.0, "mean"),
        (", capped", 0.0, 3.0, 0.0, "mean"),
        (", z loss", 0.0, 0.0, 0.1, "mean"),
        (", smoothed, capped, z loss", 0.1, 3.0, 0.1, "mean"),
    ):
        asked: function = lambda x, y, s=smoothing, c=cap, q=z, r=reduction: cross.apply(x.clone(), y, None, -100, q, s, r, c or None)[0]
        plain: function = lambda x, y, s=smoothing, c=cap, q=z, r=reduction: entropy(x, y, s, c, q, r)
        yield f"cross_entropy{name}", asked, (logits, classes), {"reference": plain}
    weights = torch.tensor([0.5, 2.0, 1.0, 0.25])
    heavy: function = lambda x, y: cross.apply(x.clone(), y, weights, -100, 0.0, 0.1, "mean", None)[0]
    yield "cross_entropy, weights", heavy, (logits, classes), {"reference": lambda x, y: F.cross_entropy(x, y, weights, label_smoothing=0.1)}
    fused = ops.fused_linear_cross_entropy.LigerFusedLinearCrossEntropyFunction
    linear: function = lambda x, w, y, b: fused.apply(x, w, y, b)[0]
    plain_linear: function = lambda x, w, y, b: F.cross_entropy(x @ w.T + b, y)
    yield "fused_linear_cross_entropy", linear, (tensor(3, 2), tensor(4, 2), classes, tensor(4)), {"reference": plain_linear}

    def divergence(x: Any, y: Any, beta: float) -> Any:
        p, q = x.exp(), y.exp()
        if beta == 0:
            return F.kl_div(x, y, reduction="sum", log_target=True) / x.shape[0]
        if beta == 1:
            return F.kl_div(y, x, reduction="sum", log_target=True) / x.shape[0]
        middle = torch.log(beta * q + (1 - beta) * p)
        return (beta * q * (y - middle) + (1 - beta) * p * (x - middle)).sum() / x.shape[0]

    for beta in (0.0, 0.1, 0.5, 1.0):
        jsd: function = lambda x, y, b=beta: ops.jsd.LigerJSDFunction.apply(torch.log_softmax(x, -1), torch.log_softmax(y, -1), None, b)
        same: function = lambda x, y, b=beta: divergence(torch.log_softmax(x, -1), torch.log_softmax(y, -1), b)
        yield f"jsd, β {beta:g}", jsd, (logits, logits), {"reference": same, "wrt": 0}
    for reduction in ("batchmean", "sum", "mean", "none"):
        # Targets below 1e-10 count as 1e-10 within the logarithm.
        kl: function = lambda x, y, r=reduction: ops.kl_div.LigerKLDivLossFunction.apply(x, torch.softmax(y, -1), r)
        other: function = lambda x, y, r=reduction: reduced(torch.softmax(y, -1) * (torch.softmax(y, -1).clamp(min=1e-10).log() - x), r)
        yield f"kl_div, {reduction}", kl, (logits, logits), {"reference": other, "wrt": 0}
        tvd: function = lambda p, q, r=reduction: ops.tvd.LigerTVDLossFunction.apply(torch.softmax(p, -1), torch.softmax(q, -1), None, r)
        total: function = lambda p, q, r=reduction: variation(torch.softmax(p, -1), torch.softmax(q, -1), r)
        yield f"tvd, {reduction}", tvd, (logits, logits), {"reference": total, "wrt": 0}


def variation(p: Any, q: Any, reduction: str) -> Any:
    return reduced((p - q).abs() / 2, reduction)


def reduced(loss: Any, reduction: str) -> Any:
    total = loss.sum()
    return {"none": loss, "sum": total, "mean": total / loss.numel(), "batchmean": total / len(loss)}[reduction]
