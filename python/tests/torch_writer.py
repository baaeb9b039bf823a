"""Writes graphs as functions of PyTorch, with the calls of our adapter, and reads them back."""

from __future__ import annotations

import linecache
import sys
from pathlib import Path
from typing import Any, Callable, Mapping

import numpy as np
import torch

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "conformance" / "testees" / "python"))

from pytorch_adapter import PyTorchAdapter  # noqa: E402

# The adapters' kit, wherever they have it from.
kit = sys.modules[PyTorchAdapter.__mro__[1].__module__]
Unsupported, read_tensor = kit.Unsupported, kit.read_tensor


def lacking(graph: Mapping[str, Any]) -> set[str]:
    """Returns the operators of a graph that PyTorch has no function for."""
    # A derivative by its running statistics is refused by PyTorch, and its dropout draws other bits.
    return {node["op"] for node in graph["nodes"]} - set(PyTorchAdapter.operators)


def lifted(graph: Mapping[str, Any]) -> list[int]:
    """Returns the ids of constants of which other constants are computed.

    PyTorch computes these in float64 while the function runs, so a traced graph would have rounded numbers.
    They are handed over as arguments, so that the graphs can be compared exactly.
    """
    first = len(graph["inputs"])
    constant = [False] * first
    for node in graph["nodes"]:
        constant.append(all(constant[parent] for parent in node["parents"]))
    bare = {first + place for place, node in enumerate(graph["nodes"]) if not node["parents"]}
    used = {
        parent
        for place, node in enumerate(graph["nodes"], first)
        if constant[place]
        for parent in node["parents"]
    }
    # `constant` nodes that read one entry are one constant.
    return sorted(bare & used)


def source(graph: Mapping[str, Any], outputs: list[int]) -> str:
    """Returns a graph as the text of a function, a line for each node; constants are arguments if need be."""
    count, given = len(graph["inputs"]), lifted(graph)
    parameters = [f"v{place}" for place in [*range(count), *given]]
    lines = [f"def function({', '.join(parameters)}):"]
    for place, node in enumerate(graph["nodes"], count):
        if place not in given:
            lines.append(f"    v{place} = {call(node)}")
    lines.append(f"    return [{', '.join(f'v{place}' for place in outputs)}]")
    return "\n".join(lines) + "\n"


def call(node: Mapping[str, Any]) -> str:
    """Returns the call of a node's function."""
    attributes = {key: kit.read_attribute(key, value) for key, value in node["attributes"].items()}
    parts = [f"v{parent}" for parent in node["parents"]]
    entry = next((key for key in kit.ENTRY_ATTRIBUTES if key in attributes), None)
    for key, value in attributes.items():
        parts.append(f"{key}=data[{value!r}]" if key == entry else f"{key}={value!r}")
    if not node["parents"] and entry != "name":
        parts.append("dtype=float64")
    return f"{node['op']}({', '.join(parts)})"


def written(drawn: Mapping[str, Any], number: int) -> tuple[Callable[..., Any], list[np.ndarray]]:
    """Returns a drawn graph as a function of tensors with lines, and the constants to give as arguments."""
    data: dict[str, Any] = {}
    for entry in drawn["graph"]["environment"]:
        value = read_tensor(drawn["environment"][entry["name"]])
        data[entry["name"]] = (
            value.astype(np.int64) if entry["kind"] == "index" else torch.from_numpy(np.array(value))
        )
    text, name = source(drawn["graph"], drawn["outputs"]), f"<graph {number}>"
    space: dict[str, Any] = {**PyTorchAdapter.operators, "data": data, "float64": np.dtype(np.float64)}
    linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
    exec(compile(text, name, "exec"), space)
    first = len(drawn["graph"]["inputs"])
    constants = [
        eval(call(drawn["graph"]["nodes"][place - first]), space) for place in lifted(drawn["graph"])
    ]
    return space["function"], [np.array(x) for x in constants]


def with_constants(
    graph: Mapping[str, Any], environment: Mapping[str, Any], constants: list[Any]
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Returns a graph whose last inputs are constants instead, with its environment; ids stay as they are."""
    first = len(graph["inputs"]) - len(constants)
    entries = [
        {"name": f"given{place}", "shape": x["shape"], "kind": "real"} for place, x in enumerate(constants)
    ]
    nodes = [{"op": "constant", "attributes": {"name": entry["name"]}, "parents": []} for entry in entries]
    made = {
        **graph,
        "inputs": graph["inputs"][:first],
        "environment": [*graph["environment"], *entries],
        "nodes": [*nodes, *graph["nodes"]],
    }
    return made, {**environment, **{entry["name"]: x for entry, x in zip(entries, constants)}}
