"""A call of a function of PyTorch: which leaves of its arguments are inputs, and which are data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Callable, Optional, Sequence

import numpy as np
import torch

from ..graph import Refused
from .torch_front_recorder import dtype_name
from .traced import leaf_names, only_dtype, tree_of


def as_tensor(leaf: Any) -> Any:
    """Returns numbers of NumPy as a tensor, and everything else as it is."""
    if isinstance(leaf, (np.ndarray, np.generic)):
        return torch.from_numpy(np.array(leaf))
    return leaf


@dataclass(frozen=True)
class Call:
    """A function with its arguments: which leaves are inputs or data, and the parameters asked for."""

    function: Callable[..., Any]
    rebuild: Callable[[Sequence[Any]], Any]
    # The leaves with their names, tensors detached.
    leaves: list[Any]
    names: list[str]
    inputs: list[int]
    # Those inputs whose derivatives are asked.
    wanted: list[int]
    data: list[int]
    parameters: list[tuple[str, torch.Tensor]]
    dtype: torch.dtype


def call_of(
    function: Callable[..., Any],
    arguments: Sequence[Any],
    names: Sequence[str],
    static: Sequence[str],
    wrt: Sequence[str],
) -> Call:
    """Sorts the leaves of the arguments."""
    tree = tree_of(list(arguments))
    labels = leaf_names(names, arguments)
    fixed = [
        place
        for name, argument in zip(names, arguments)
        for place in [name in static] * len(tree_of(argument).leaves)
    ]
    leaves = [leaf if is_fixed else as_tensor(leaf) for leaf, is_fixed in zip(tree.leaves, fixed)]
    is_open = [isinstance(leaf, torch.Tensor) and not is_fixed for leaf, is_fixed in zip(leaves, fixed)]
    for leaf, label, is_tensor in zip(leaves, labels, is_open):
        if is_tensor and (leaf.layout != torch.strided or leaf.device.type != "cpu"):
            raise Refused(
                f"the argument {label} is no dense tensor on the CPU", hint="give x.to_dense(), or x.cpu()"
            )
    inputs = [
        place
        for place, leaf in enumerate(leaves)
        if is_open[place] and (leaf.dtype.is_floating_point or leaf.dtype.is_complex)
    ]
    data = [place for place in range(len(leaves)) if is_open[place] and place not in inputs]
    parameters = parameters_of(function, [name for name in wrt if name not in labels and name not in names])
    asked = [place for place in inputs if labels[place] in wrt or owner_of(labels[place], names) in wrt]
    kinds = [dtype_name(leaves[place].dtype) for place in inputs] + [
        dtype_name(x.dtype) for _, x in parameters
    ]
    dtype = getattr(torch, only_dtype(kinds))
    leaves = [
        leaf.detach().clone() if place in inputs or place in data else leaf
        for place, leaf in enumerate(leaves)
    ]
    return Call(function, tree.rebuild, leaves, labels, inputs, asked or inputs, data, parameters, dtype)


def owner_of(label: str, names: Sequence[str]) -> Optional[str]:
    """Returns the argument that a leaf is part of."""
    return next((name for name in names if label.startswith(f"{name}[")), None)


def parameters_of(function: Any, wrt: Sequence[str]) -> list[tuple[str, torch.Tensor]]:
    """Returns the parameters of a module that are asked for, by name; `*` stands for all of them."""
    owned = dict(function.named_parameters()) if isinstance(function, torch.nn.Module) else {}
    for wanted in wrt:
        if wanted != "*" and wanted not in owned:
            known = ", ".join(owned) or "none, since it is no torch.nn.Module"
            raise Refused(f"the function has no parameter {wanted!r}", hint=f"its parameters are {known}")
    return [(name, x) for name, x in owned.items() if name in wrt or "*" in wrt]


def with_inputs(call: Call, inputs: Sequence[Any]) -> list[Any]:
    """Returns the leaves with other inputs."""
    leaves = list(call.leaves)
    for place, value in zip(call.inputs, inputs):
        leaves[place] = value
    return leaves
