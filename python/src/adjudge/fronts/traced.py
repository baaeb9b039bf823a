"""What every front returns, and what the fronts share: trees, lines of source, precision, pruning."""

from __future__ import annotations

import linecache
import os
import sys
from dataclasses import dataclass
from operator import itemgetter
from types import FrameType, TracebackType
from typing import Any, Callable, Iterable, Mapping, Optional, Sequence, Union

from ..graph import Graph, Ref, Refused

# The precisions that a function may compute in.
FLOATING = ("float64", "float32", "float16", "bfloat16")


@dataclass(frozen=True)
class Traced:
    """A function written down as a graph, at the shapes of the arguments that it was traced with."""

    # The inputs are the leaves of the arguments that are floating, in order.
    graph: Graph
    # The leaves of the result that are floating, in order; no two have one id, and none is an input.
    outputs: list[Ref]
    # What the function computes in, one of FLOATING.
    dtype: str
    # It is true where a branch or a loop was decided by the numbers at this point.
    pointwise: bool = False
    # It makes the function's structure from the values of the outputs.
    rebuild: Callable[[Sequence[Any]], Any] = list
    # It makes the function's arguments from the values of the inputs; the other arguments stay as they were.
    arguments: Callable[[Sequence[Any]], list[Any]] = list
    # It makes the values of the outputs from what the function returned.
    flatten: Callable[[Any], list[Any]] = list
    # Arguments of integers for whose numbers alone the graph is made: no others may be drawn for them.
    fixed: frozenset[str] = frozenset()


# ---- Trees of values -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Tree:
    """Nested tuples, lists and dicts: the leaves in order, their paths, and how they are put back."""

    leaves: list[Any]
    # The path of each leaf, such as `[0]["w"]`; it is empty where the tree is a leaf.
    paths: list[str]
    rebuild: Callable[[Sequence[Any]], Any]


def tree_of(value: Any) -> Tree:
    """Takes nested tuples (named ones too), lists and dicts apart; everything else but None is a leaf."""
    leaves: list[Any] = []
    paths: list[str] = []
    put = _taken_apart(value, "", leaves, paths)
    # The function that puts back holds on to no leaf.
    count = len(leaves)

    def rebuild(given: Sequence[Any]) -> Any:
        if len(given) != count:
            raise ValueError(f"{len(given)} values for {count} leaves")
        return put(given)

    return Tree(leaves, paths, rebuild)


def _taken_apart(node: Any, path: str, leaves: list[Any], paths: list[str]) -> Callable[[Sequence[Any]], Any]:
    """Appends the leaves of a node, and returns what makes the node again of all leaves."""
    if node is None:
        return lambda _: None
    kind = type(node)
    if isinstance(node, dict):
        parts = {key: _taken_apart(item, f"{path}[{key!r}]", leaves, paths) for key, item in node.items()}
        if kind is dict:
            return lambda given: {key: part(given) for key, part in parts.items()}
        return lambda given: kind((key, part(given)) for key, part in parts.items())
    if isinstance(node, (tuple, list)):
        items = [_taken_apart(item, f"{path}[{place}]", leaves, paths) for place, item in enumerate(node)]
        if hasattr(kind, "_fields"):
            return lambda given: kind(*(part(given) for part in items))
        return lambda given: kind(part(given) for part in items)
    leaves.append(node)
    paths.append(path)
    return itemgetter(len(leaves) - 1)


def leaf_names(names: Sequence[str], arguments: Sequence[Any]) -> list[str]:
    """Returns a name for each leaf of the arguments: `x`, or `params[0]['w']` where an argument is a tree."""
    if len(names) != len(arguments):
        raise ValueError(f"{len(names)} names for {len(arguments)} arguments")
    return [f"{name}{path}" for name, value in zip(names, arguments) for path in tree_of(value).paths]


# ---- Lines of source -------------------------------------------------------------------------------------

# Frames of these packages are not the user's, unless nothing else is on the way.
LIBRARIES = ("numpy", "scipy", "jax", "jaxlib", "torch", "functorch", "array_api_compat", "autograd", "_pytest", "pluggy")
# NumPy's operators for classes that are not its own stand in a file, which says nothing of who used them.
OPERATORS = os.path.join("numpy", "lib", "mixins.py")
HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep


def call_traced(function: Callable[..., Any], arguments: Sequence[Any]) -> Any:
    """Calls the user's function: `source_line` looks at no frame that is outside of this one."""
    return function(*arguments)


def written_at(filename: str, number: int) -> str:
    """Returns a line of source as `file.py:12: y = np.exp(x)`."""
    inside = os.path.relpath(filename) if not filename.startswith("<") else filename
    shown = os.path.basename(filename) if inside.startswith("..") else inside
    text = linecache.getline(filename, number).strip()
    return f"{shown}:{number}: {text}" if text else f"{shown}:{number}"


def is_of_library(filename: str) -> bool:
    """Tells whether a file is part of a library that the fronts know, or of this one."""
    return filename.startswith(HERE) or any(f"{os.sep}site-packages{os.sep}{name}{os.sep}" in filename for name in LIBRARIES)


def first_of_user(places: Iterable[tuple[str, int]]) -> Optional[str]:
    """Returns the first place (file, line) that is the user's, else the first of a library."""
    fallback: Optional[str] = None
    for filename, number in places:
        if filename.startswith(HERE) or filename.endswith(OPERATORS) or (filename.startswith("<") and not linecache.getline(filename, number)):
            continue
        if not is_of_library(filename):
            return written_at(filename, number)
        fallback = fallback or written_at(filename, number)
    return fallback


def source_line(where: Union[FrameType, TracebackType, None] = None) -> Optional[str]:
    """Returns the user's line that is running, or the innermost one of a frame or of a traceback."""
    if isinstance(where, TracebackType):
        met: list[tuple[str, int]] = []
        while where is not None:
            met.append((where.tb_frame.f_code.co_filename, where.tb_lineno))
            where = where.tb_next
        return first_of_user(reversed(met))
    return first_of_user(_outwards(where or sys._getframe(1)))


def _outwards(frame: Optional[FrameType]) -> Iterable[tuple[str, int]]:
    while frame is not None and frame.f_code is not call_traced.__code__:
        yield frame.f_code.co_filename, frame.f_lineno
        frame = frame.f_back


# ---- Precision -------------------------------------------------------------------------------------------


def only_dtype(names: Iterable[str], line: Optional[str] = None) -> str:
    """Returns the one floating precision among names of dtypes; refuses complex numbers and a mixture."""
    met = list(dict.fromkeys(name for name in names if "float" in name or "complex" in name))
    for name in met:
        if name not in FLOATING:
            hint = "give real and imaginary parts as arguments" if "complex" in name else f"compute in {FLOATING[0]} or {FLOATING[1]}"
            raise Refused(f"numbers of type {name} are not judged", line, hint)
    if len(met) > 1:
        raise Refused(f"the function mixes {' and '.join(met)}", line, "give all floating arguments and constants in one precision")
    if not met:
        raise Refused("no argument is floating, so nothing can be differentiated", line, "give at least one argument of floats")
    return met[0]


# ---- The result ------------------------------------------------------------------------------------------


def finished(graph: Graph, outputs: Sequence[Ref]) -> tuple[Graph, list[Ref]]:
    """Returns the graph without what no output needs, and its outputs, each a node of its own.

    An output that is an input, or the same node as another one, becomes an `identity` of it.
    """
    own: list[Ref] = []
    for output in outputs:
        while output.id < len(graph.inputs) or any(output.id == other.id for other in own):
            output = graph.op("identity", output)
        own.append(output)
    first = len(graph.inputs)
    needed = {output.id for output in own}
    for place in range(len(graph.nodes) - 1, -1, -1):
        if place + first in needed:
            needed.update(graph.nodes[place]["parents"])
    kept = Graph()
    kept.inputs = [dict(entry) for entry in graph.inputs]
    moved: dict[int, Ref] = {}
    for place, entry in enumerate(kept.inputs):
        moved[place] = kept._ref(entry["shape"])
    used = {value for place in needed if place >= first for value in entries_named(graph.nodes[place - first], graph.entries)}
    for entry in graph.environment:
        if entry["name"] in used:
            kept.environment.append(entry)
            kept.entries[entry["name"]] = graph.entries[entry["name"]]
    for place, node in enumerate(graph.nodes):
        if place + first in needed:
            kept.line = graph.lines[place]
            moved[place + first] = kept.op(node["op"], *(moved[parent] for parent in node["parents"]), **node["attributes"])
    kept.line = None
    return kept, [moved[output.id] for output in own]


def entries_named(node: Mapping[str, Any], entries: Mapping[str, Any]) -> list[str]:
    """Returns the entries of the environment that a node's attributes name, those of an inner graph included."""
    if node["op"] == "differentiate":
        return [entry["name"] for entry in node["attributes"]["graph"]["environment"]]
    texts = [value for key, value in node["attributes"].items() if key not in ("mode", "equation") and isinstance(value, str)]
    return [text for text in texts if text in entries]
