"""Functions of PyTorch that a graph has as one operator, though the dispatcher sees the operators they call.

Einstein sums, cells of recurrent networks and some others are taken apart above the dispatcher. They run as
ever; then their results are written down again as the operator that they are, and what was written before
vanishes, unless something else reads it. A graph so has a node where the user has a call.
"""

from __future__ import annotations

from typing import Any, Callable, Mapping, Optional, Sequence

import torch
import torch.nn.functional as F
from torch.utils._python_dispatch import _disable_current_modes

from ..graph import Ref
from .einsum import einsum, explicit
from .torch_front_recorder import Recorder, results

# It gets what the function returned and its arguments. It returns a value for each result, or None where the
# arguments are such that no operator is the same.
Whole = Callable[..., Optional[list[Ref]]]

WHOLE: dict[Any, Whole] = {}


def whole(*functions: Any) -> Callable[[Whole], Whole]:
    """Enters what functions of PyTorch are as a whole."""

    def enter(make: Whole) -> Whole:
        WHOLE.update(dict.fromkeys(functions, make))
        return make

    return enter


def rewritten(recorder: Recorder, func: Any, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
    """Calls a function, and writes its results down as one operator, if it is one."""
    out = func(*args, **kwargs)
    make = WHOLE.get(func)
    # Within a transformation of torch.func tensors stand for others, whose values are not at hand.
    if make is None or torch._C._functorch.peek_interpreter_stack() is not None:
        return out
    with torch._C.DisableTorchFunction(), _disable_current_modes():
        made = results(out)
        if recorder.is_fresh(made, [*results(list(args)), *results(list(kwargs.values()))]):
            values = make(recorder, out, *args, **kwargs)
            for tensor, value in zip(made, values or []):
                recorder.replace(tensor, value)
    return out


@whole(torch.einsum)
def einstein(t: Recorder, out: Any, equation: str, *given: Any) -> list[Ref]:
    """PyTorch has put letters where the equation was given by lists of numbers."""
    operands = list(given)
    if len(operands) == 1 and isinstance(operands[0], (list, tuple)):
        operands = list(operands[0])
    return [einsum(t.graph, explicit(equation, [x.dim() for x in operands]), [t.ref(x) for x in operands])]


@whole(torch.linalg.vecdot)
def vecdot(
    t: Recorder, out: Any, x: torch.Tensor, y: torch.Tensor, dim: int = -1, **_: Any
) -> Optional[list[Ref]]:
    if x.shape != y.shape:
        return None
    return [t.graph.op("vecdot", t.of(x), t.of(y), axis=dim % x.dim())]


@whole(F.kl_div)
def kl_div(
    t: Recorder,
    out: Any,
    input: torch.Tensor,
    target: torch.Tensor,
    size_average: Any = None,
    reduce: Any = None,
    reduction: str = "mean",
    log_target: bool = False,
) -> Optional[list[Ref]]:
    """It is PyTorch's mean over all elements, of numbers of one shape."""
    is_mean = reduction == "mean" and size_average is None and reduce is None
    if not is_mean or log_target or input.shape != target.shape or not input.numel():
        return None
    return [t.graph.op("kl_div", t.of(input), t.of(target))]


@whole(F.scaled_dot_product_attention)
def attention(
    t: Recorder,
    out: Any,
    query: torch.Tensor,
    key: torch.Tensor,
    value: torch.Tensor,
    attn_mask: Optional[torch.Tensor] = None,
    dropout_p: float = 0.0,
    is_causal: bool = False,
    scale: Optional[float] = None,
    enable_gqa: bool = False,
) -> Optional[list[Ref]]:
    """A row that is hidden whole has the result 0 in PyTorch, and NaN in a graph."""
    batch = query.shape[:-2]
    if scale is not None or dropout_p or key.shape[:-2] != batch or value.shape[:-2] != batch:
        return None
    mask = []
    if attn_mask is not None:
        if not attn_mask.dtype.is_floating_point or bool(attn_mask.isneginf().all(-1).any()):
            return None
        mask = [t.graph.broadcast_to(t.of(attn_mask), (*query.shape[:-1], key.shape[-2]))]
    refs = [t.of(query), t.of(key), t.of(value)]
    return [t.graph.op("scaled_dot_product_attention", *refs, *mask, causal=bool(is_causal))]


# ---- Recurrent cells -------------------------------------------------------------------------------------


def bias_of(t: Recorder, b_ih: Optional[torch.Tensor], b_hh: Optional[torch.Tensor], count: int) -> Ref:
    """Returns the sum of both biases, of which either may be zeros or lacking."""
    given = [x for x in (b_ih, b_hh) if x is not None and (t.is_tracked(x) or bool(x.any()))]
    if not given:
        return t.graph.full((count,), 0)
    return t.graph.ref(t.graph.add(t.of(given[0]), t.of(given[1])) if len(given) == 2 else t.of(given[0]))


@whole(torch.rnn_tanh_cell)
def elman_cell(
    t: Recorder, out: Any, input: Any, hx: Any, w_ih: Any, w_hh: Any, b_ih: Any = None, b_hh: Any = None
) -> list[Ref]:
    bias = bias_of(t, b_ih, b_hh, w_ih.shape[0])
    return [t.graph.op("elman_cell", t.of(input), t.of(hx), t.of(w_ih), t.of(w_hh), bias)]


@whole(torch.lstm_cell)
def lstm_cell(
    t: Recorder, out: Any, input: Any, hx: Any, w_ih: Any, w_hh: Any, b_ih: Any = None, b_hh: Any = None
) -> list[Ref]:
    operands = [*map(t.ref, (input, *hx, w_ih, w_hh)), bias_of(t, b_ih, b_hh, w_ih.shape[0])]
    return [t.graph.op("lstm_cell", *operands, output=output) for output in ("hidden", "cell")]


@whole(torch.gru_cell)
def gru_cell(
    t: Recorder, out: Any, input: Any, hx: Any, w_ih: Any, w_hh: Any, b_ih: Any = None, b_hh: Any = None
) -> list[Ref]:
    biases = [t.graph.full(w_ih.shape[:1], 0) if x is None else t.of(x) for x in (b_ih, b_hh)]
    return [t.graph.op("gru_cell", t.of(input), t.of(hx), t.of(w_ih), t.of(w_hh), *biases)]
