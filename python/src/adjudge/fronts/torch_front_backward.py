"""What the backward operators become that PyTorch runs where a function differentiates within itself.

Most are taken apart by PyTorch. The others are derivatives of a small graph, which the rule of the forward
operator writes: the operator `differentiate`.
"""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, Mapping, Optional, Sequence

import torch

from ..graph import Graph, Operand, Ref
from .torch_front_rules import RULES, Made, rule

PART = "Backward operators"


class Inner:
    """Stands for the recorder while a rule writes the inner graph; operands are its inputs."""

    def __init__(self, line: Optional[str]) -> None:
        self.graph = Graph()
        self.graph.line = line

    def of(self, x: Any) -> Operand:
        return x

    def ref(self, x: Any) -> Ref:
        return self.graph.ref(x)


def pulled(
    t: Any,
    forward: Any,
    tensors: Mapping[str, Any],
    others: Mapping[str, Any],
    cotangent: Any,
    wanted: Sequence[str],
) -> list[Ref]:
    """Pulls a cotangent back through a forward operator, to those of its tensors that are wanted."""
    inner = Inner(t.graph.line)
    given = {name: None if x is None else inner.graph.input(name, x.shape) for name, x in tensors.items()}
    name = forward._schema.name.partition("::")[2]
    several = len(forward._schema.returns) > 1
    a = SimpleNamespace(**given, **others, func=forward, out=[cotangent] if several else cotangent)
    made: Any = RULES[name].make(inner, a)  # type: ignore[arg-type]
    value = made[0] if several else made
    document = declared(t, inner.graph)
    operands = [t.of(x) for x in tensors.values() if x is not None]
    places = [name for name, x in tensors.items() if x is not None]
    how = {"graph": document, "mode": "vjp", "of": value.id}
    return [
        t.graph.op("differentiate", *operands, t.of(cotangent), **how, wrt=places.index(each))
        for each in wanted
    ]


def declared(t: Any, inner: Graph) -> dict[str, Any]:
    """Returns an inner graph whose data are entries of the outer one."""
    kinds = {entry["name"]: entry["kind"] for entry in inner.environment}
    renamed = {name: t.graph.entry(value, kinds[name]) for name, value in inner.entries.items()}
    declarations = [entry for entry in t.graph.environment if entry["name"] in renamed.values()]
    nodes = [
        {
            **node,
            "attributes": {
                key: renamed.get(v, v) if isinstance(v, str) else v for key, v in node["attributes"].items()
            },
        }
        for node in inner.nodes
    ]
    return {**inner.to_json(), "environment": declarations, "nodes": nodes}


def spread_out(made: Sequence[Ref], wanted: Sequence[str], names: Sequence[str]) -> list[Optional[Ref]]:
    """Returns the cotangents in the order of an operator's results, None for those that are not wanted."""
    return [made[wanted.index(name)] if name in wanted else None for name in names]


@rule("convolution_backward", becomes="`differentiate` of `conv` or `conv_transpose`", part=PART)
def convolution_backward(t: Any, a: Any) -> Made:
    mask = dict(zip(("input", "weight", "bias"), a.output_mask))
    wanted = [name for name in ("input", "weight") if mask[name]]
    names = ("stride", "padding", "dilation", "transposed", "output_padding", "groups")
    others = {"bias": None, **{name: getattr(a, name) for name in names}}
    forward = torch.ops.aten.convolution.default
    made = pulled(t, forward, {"input": a.input, "weight": a.weight}, others, a.grad_output, wanted)
    axes = [axis for axis in range(a.grad_output.dim()) if axis != 1]
    bias = [t.graph.reduce("sum", t.of(a.grad_output), axes)] if mask["bias"] else []
    return spread_out([*made, *bias], [*wanted, *(["bias"] if bias else [])], ("input", "weight", "bias"))


def backward(name: str, forward: Any, tensor: str, *attributes: str) -> None:
    """Enters the backward of an operator of one tensor."""

    @rule(
        name,
        becomes=f"`differentiate` of what `{forward._schema.name.partition('::')[2]}` becomes",
        part=PART,
    )
    def make(t: Any, a: Any) -> Made:
        others = {each: getattr(a, each) for each in attributes}
        return pulled(t, forward, {tensor: a.self}, others, a.grad_output, [tensor])[0]


aten = torch.ops.aten
for rank in (2, 3):
    pool = getattr(aten, f"max_pool{rank}d_with_indices")
    backward(
        f"max_pool{rank}d_with_indices_backward",
        pool.default,
        "self",
        "kernel_size",
        "stride",
        "padding",
        "dilation",
        "ceil_mode",
    )
    pool = getattr(aten, f"avg_pool{rank}d")
    backward(
        f"avg_pool{rank}d_backward",
        pool.default,
        "self",
        "kernel_size",
        "stride",
        "padding",
        "ceil_mode",
        "count_include_pad",
        "divisor_override",
    )


@rule(
    "_adaptive_avg_pool2d_backward",
    "_adaptive_avg_pool3d_backward",
    becomes="`differentiate` of what `_adaptive_avg_pool2d` becomes",
    part=PART,
)
def adaptive_avg_pool_backward(t: Any, a: Any) -> Made:
    rank = int(a.func._schema.name.partition("pool")[2][0])
    forward = getattr(aten, f"_adaptive_avg_pool{rank}d").default
    return pulled(
        t, forward, {"self": a.self}, {"output_size": a.grad_output.shape[-rank:]}, a.grad_output, ["self"]
    )[0]
