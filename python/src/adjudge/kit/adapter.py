"""The adapter kit: everything of adjudge's protocol that is the same for every Python engine.

An adapter subclasses `Adapter`, describes itself in a `Description`, maps operator names to functions of its
library, and ends with `serve(MyAdapter)`. The kit does the rest: JSON lines, exact numbers, the handshake,
loaded programs, the order of replies, errors. `docs/protocol.md` defines the protocol.

Needs Python 3.10 and NumPy.
"""

from __future__ import annotations

import base64
import json
import os
import sys
import traceback
from abc import ABC, abstractmethod
from dataclasses import asdict, dataclass, field
from typing import Any, BinaryIO, Callable, Mapping, Optional, Sequence, Union

import numpy as np

PROTOCOL = 1
MODES = ("evaluate", "jvp", "vjp", "backward_dense")
# Posits travel as the float64 numbers that they are, NaR as NaN; an adapter rounds its inputs.
DTYPES = {
    "float64": np.dtype(np.float64),
    "float32": np.dtype(np.float32),
    "float16": np.dtype(np.float16),
    **{name: np.dtype(np.float64) for name in ("posit32", "posit16", "posit8", "bposit32", "bposit16")},
}

# A line has at most so many bytes, in either direction.
MAXIMUM_LINE = 64 * 2**20
# So many tapes may be unreleased at a time, and so many released ones are remembered.
MAXIMUM_TAPES = 64
# A reason or a message has at most so many characters.
MAXIMUM_WORDS = 2**16

# These attributes name an entry of the environment, whose value the operator gets in their place.
ENTRY_ATTRIBUTES = ("name", "indices", "key", "labels")

# These attributes are real numbers, which JSON may write as integers.
REAL_ATTRIBUTES = ("value", "rate", "slope", "alpha", "delta", "epsilon", "correction")

# Any array of the adapter's library.
Array = Any
Arrays = Sequence[Array]

# A graph's meaning: a function from the values of its inputs to those asked for.
Function = Callable[[Arrays], Arrays]

# A function that a user hangs on a value; it is called with the value's cotangent.
Hook = Callable[[Array], None]

# A recorded run: a function from cotangents of the outputs to cotangents of the inputs.
Pullback = Callable[[Arrays], Arrays]


class Unsupported(Exception):
    """An adapter raises this for what its library lacks; the text is the reason, and no accusation."""


class RequestError(Exception):
    """The request itself is wrong; the text says how."""


class Refused(Exception):
    """An adapter raises this where its library refuses a program or a sweep of a tape.

    The text is the reason.
    """


class NotARequest(Exception):
    """A line is no message at all, so there is no id to reply to; the text says how it begins."""


@dataclass(frozen=True)
class Description:
    """What an engine says of itself in the handshake: promises, which are checked."""

    name: str
    version: str
    links: Sequence[str]
    language: str = "Python"
    dtypes: Sequence[str] = ("float64",)
    modes: Sequence[str] = MODES
    # Conventions that differ from the reference's; see docs/protocol.md.
    conventions: Mapping[str, str] = field(default_factory=dict)
    # Errors by operator in ulps, only where the library documents more than the default profile allows.
    accuracy: Mapping[str, float] = field(default_factory=dict)
    # How operators add up, `{"width": "float32"}` or `{"order": "sequential"}`, where that is documented.
    accumulation: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    # What is promised of operators, ranks and extents, where that is not all; what lies outside is not asked:
    # {"softmax": {"axis": {"form": "last"}}, "conv": {"groups": {"among": [1]}}, "every": {"ranks": {"greatest": 4}}}.
    limits: Optional[Mapping[str, Mapping[str, Mapping[str, Any]]]] = None
    # The precision of the values saved for reverse rules, where it is narrower than that of computing.
    saved: Optional[str] = None
    # "accurate" if slopes keep their digits where they decay, as that of tanh does.
    slopes: Optional[str] = None
    # Whether a question has the same answer, to the bit, whenever it is asked; False where sums are in any order.
    repeatable: Optional[bool] = None


class Adapter(ABC):
    """A differentiation library as the kit sees it."""

    description: Description

    # The NumPy type of the library's arrays in each of its precisions.
    dtypes: Mapping[str, np.dtype] = DTYPES

    # Functions of the library by operator name, called `operator(*operands, **attributes)`: operands are its
    # arrays, list attributes tuples, real-valued ones floats; `indices`, `labels` and `key` are int64 arrays
    # of NumPy, checked against the axes they index; `constant` gets its value as `name`. An operator with
    # neither operands nor `name` also gets `dtype`, the NumPy type asked for.
    operators: Mapping[str, Callable[..., Array]]

    # Whether `inner_jvp` and `inner_vjp` may be called within a function that is differentiated by any of the
    # four; the kit then offers `differentiate`, nested to any depth.
    nests = False

    # How long a recorded run can be swept, of "once" and "until released"; empty for no tapes.
    lives: Sequence[str] = ()

    # Whether users hang functions on values of a recorded run, which a sweep calls; `hooked` does so.
    hooks = False

    # Whether `f` may return one and the same array in two places, as a reshape to the same shape does. If not,
    # the kit adds −0 to the second, which changes nothing and makes another array of it.
    repeats = True

    # The laws of directions that the library draws, "rademacher" or "gaussian"; forward gradients need one.
    laws: Sequence[str] = ()

    # The library's memory, a `Memory` of `adjudge.kit.programs`; without it no programs are run.
    memory: Optional[Any] = None

    # The statements of programs that the library runs.
    statements: Sequence[str] = ()

    @abstractmethod
    def array(self, value: np.ndarray) -> Array:
        """Returns the library's array of the same shape, elements and precision (`value.dtype`)."""

    def tap(self, value: np.ndarray) -> Array:
        """Makes an input for the cotangent of a value within a graph; override where equal inputs are one."""
        return self.array(value)

    def jvp(self, f: Function, inputs: Arrays, tangents: Arrays) -> Arrays:
        """Returns the tangent of each output of `f` along `tangents`, one for each input.

        An adapter that leaves it out promises no mode `jvp`.
        """
        raise Unsupported("no forward mode")

    def shape(self, value: Array) -> Optional[Sequence[int]]:
        """Returns the shape of a value within `f`; None where a symbolic array has none yet."""
        found = getattr(value, "shape", None)
        try:
            return None if found is None else tuple(int(extent) for extent in found)
        except (TypeError, ValueError):
            return None

    @abstractmethod
    def vjp(self, f: Function, inputs: Arrays, cotangents: Arrays) -> Arrays:
        """Returns the cotangent of each input, from `cotangents`, one for each output of `f`."""

    def evaluate(self, f: Function, inputs: Arrays) -> Arrays:
        """Returns the values of `f`."""
        return f(inputs)

    def inner_jvp(self, f: Function, inputs: Arrays, tangents: Arrays) -> Arrays:
        """Does `jvp` on the library's arrays, within a function; the result can be differentiated again."""
        return self.jvp(f, inputs, tangents)

    def inner_vjp(self, f: Function, inputs: Arrays, cotangents: Arrays) -> Arrays:
        """Does `vjp` on the library's arrays, within a function; the result can be differentiated again."""
        return self.vjp(f, inputs, cotangents)

    def record(self, f: Function, inputs: Arrays, life: str) -> Pullback:
        """Runs `f` as a user does who keeps the run; returns the pullback of cotangents of all outputs.

        The pullback may be called any number of times, whatever `life` says, with cotangents of any shape:
        what it raises is a refusal in the library's words. Forgetting it releases the tape.
        """
        raise Unsupported("no tapes")

    def hooked(self, value: Array, called: Hook) -> Array:
        """Returns a value that replaces `value` for all readers, whose cotangent a sweep passes to `called`.

        Where the library hangs nothing on a value that needs no gradient, it is `value` itself.
        """
        raise Unsupported("no hooks")

    def hooked_node(self, compute: Callable[..., Array], operands: Arrays, weights: Sequence[bool], called: Hook) -> Array:
        """Computes a node's value with a hook; `weights` says which operands are inputs of the graph."""
        return self.hooked(compute(*operands), called)

    def direction(self, law: str, seed: int, shapes: Sequence[Sequence[int]], dtype: np.dtype) -> Arrays:
        """Draws a direction of independent numbers by a law, from the library's own generator."""
        raise Unsupported("no directions are drawn")

    def tidy(self) -> None:
        """Frees what the library keeps of earlier programs; called after one is unloaded."""


# ---- Tensors ---------------------------------------------------------------------------------------------


def read_tensor(message: Mapping[str, Any]) -> np.ndarray:
    """Reads a tensor in either of its two forms as a float64 array."""
    shape = tuple(message["shape"])
    if "base64" in message:
        data = np.frombuffer(base64.b64decode(message["base64"], validate=True), dtype="<f8")
    else:
        data = np.array([parse_number(element) for element in message["data"]], dtype=np.float64)
    if data.size != np.prod(shape, dtype=np.int64):
        raise RequestError(f"a tensor of shape {list(shape)} has {data.size} elements")
    return data.astype(np.float64).reshape(shape)


def parse_number(element: Union[str, int]) -> float:
    """Reads the number of an element of `data`: a JSON integer, or hexadecimal or decimal text."""
    if isinstance(element, str) and "x" in element.lower():
        return float.fromhex(element)
    return float(element)


def read_indices(value: np.ndarray) -> np.ndarray:
    """Reads an entry of kind `index` as int64."""
    indices = value.astype(np.int64)
    if np.any(indices != value) or np.any(indices < 0):
        raise RequestError("an index is not an integer from 0 up")
    return indices


def check_indices(indices: np.ndarray, limits: Union[int, Sequence[int]]) -> None:
    """Raises `RequestError` for an index beyond its axis, where libraries wrap, clamp or fill silently.

    `limits` is the extent of the axis, or one extent for each entry of the last axis of `indices`.
    """
    if np.any(indices >= np.array(limits)):
        raise RequestError(f"an index is not below {limits}, the extent of its axis")


# The extents that the indices of these operators must be below, from the operand's shape.
INDEXED: Mapping[str, Callable[..., Union[int, Sequence[int]]]] = {
    "take": lambda shape, indices, axis: shape[axis],
    "take_along_axis": lambda shape, indices, axis: shape[axis],
    "gather": lambda shape, indices: shape[: indices.shape[-1]],
    "scatter_add": lambda shape, indices: shape[: indices.shape[-1]],
    "embedding": lambda shape, indices: shape[0],
    "cross_entropy": lambda shape, indices: shape[1],
    "nll": lambda shape, indices: shape[1],
}


def index_limits(
    op: str, indices: np.ndarray, attributes: Mapping[str, Any], shape: Optional[Sequence[int]]
) -> Union[int, Sequence[int]]:
    """Returns what the indices of an operator must be below; `shape` is its operand's, where that is known."""
    if op == "one_hot":
        return attributes["classes"]
    if op in INDEXED and shape is not None:
        return INDEXED[op](shape, indices, **attributes)
    # Words of a key have 32 bits.
    return 2**32


def check_shape(found: Sequence[int], expected: Sequence[int], what: str) -> None:
    """Raises `RequestError` if two shapes differ."""
    if tuple(found) != tuple(expected):
        raise RequestError(f"{what} has shape {list(found)}, not {list(expected)}")


def write_tensor(value: np.ndarray, as_text: bool) -> dict[str, Any]:
    """Writes a tensor in either form. It keeps −0, infinities and subnormals; a NaN's payload may be lost."""
    shape = list(value.shape)
    if as_text:
        return {"shape": shape, "data": [format_number(x) for x in value.astype(np.float64).ravel().tolist()]}
    return {"shape": shape, "base64": base64.b64encode(value.astype("<f8").tobytes()).decode("ascii")}


def is_text(point: Mapping[str, Any]) -> bool:
    """Tells whether the numbers of a point are text, as the reply's then are."""
    return any("data" in tensor for tensor in [*point["inputs"], *point["environment"].values()][:1])


def format_number(x: float) -> str:
    """Writes `x` as C's `%a` does: `float.hex` without trailing zeros."""
    mantissa, point, exponent = x.hex().partition("p")
    return f"{mantissa.rstrip('0').rstrip('.')}{point}{exponent}" if point else mantissa


# ---- Programs --------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Node:
    """An operator bound to the library's function and to its attributes."""

    adapter: Adapter
    op: str
    function: Callable[..., Array]
    parents: tuple[int, ...]
    attributes: Mapping[str, Any]
    # The attribute to fill from the environment, and the entry's name.
    entry: Optional[tuple[str, str]]

    def __call__(self, values: Union[Arrays, Mapping[int, Array]], environment: Mapping[str, Array]) -> Array:
        operands = [values[parent] for parent in self.parents]
        attributes = self.attributes
        if self.entry is not None:
            attribute, name = self.entry
            value = environment[name]
            if attribute != "name":
                shape = self.adapter.shape(operands[0]) if operands else None
                check_indices(value, index_limits(self.op, value, attributes, shape))
            attributes = {**attributes, attribute: value}
        return self.function(*operands, **attributes)


@dataclass(frozen=True)
class Derivative:
    """A `differentiate`: the library's own derivative, within the function that it is part of.

    The inner graph is a function of the input `wrt`; the other operands are captured. A derivative of the
    outer graph differentiates this too.
    """

    adapter: Adapter
    graph: BoundGraph
    mode: str
    of: int
    wrt: int
    parents: tuple[int, ...]

    def __call__(self, values: Union[Arrays, Mapping[int, Array]], environment: Mapping[str, Array]) -> Array:
        *operands, perturbation = [values[parent] for parent in self.parents]

        def inner(arguments: Arrays) -> Arrays:
            inputs = [*operands[: self.wrt], arguments[0], *operands[self.wrt + 1 :]]
            value = self.graph.values(inputs, environment)[self.of]
            shape, found = self.adapter.shape(value), self.adapter.shape(perturbation)
            if self.mode == "vjp" and shape is not None and found is not None:
                check_shape(found, shape, f"the cotangent of id {self.of} of an inner graph")
            return [value]

        differentiated = self.adapter.inner_vjp if self.mode == "vjp" else self.adapter.inner_jvp
        return differentiated(inner, [operands[self.wrt]], [perturbation])[0]


class BoundGraph:
    """The nodes of a graph, bound to the library's functions."""

    def __init__(self, adapter: Adapter, graph: Mapping[str, Any], dtype: np.dtype) -> None:
        self.adapter = adapter
        self.inputs = [tuple(entry["shape"]) for entry in graph["inputs"]]
        self.nodes = [bind(adapter, node, dtype) for node in graph["nodes"]]
        for position, node in enumerate(self.nodes, len(self.inputs)):
            if not all(0 <= parent < position for parent in node.parents):
                raise RequestError(f"the parents {list(node.parents)} of id {position} are not all before it")

    def values(
        self, inputs: Arrays, environment: Mapping[str, Array], taps: Optional[Arrays] = None
    ) -> list[Array]:
        """Returns the value of every id, inputs first; taps, if any, are added to the nodes' values."""
        values = list(inputs)
        for position, node in enumerate(self.nodes):
            value = node(values, environment)
            values.append(value if taps is None else value + taps[position])
        return values

    def hooked_values(
        self, inputs: Arrays, environment: Mapping[str, Array], hooks: Mapping[int, Hook]
    ) -> list[Array]:
        """Returns the value of every id, inputs first, with hooks on some."""
        values: list[Array] = []
        for position, value in enumerate(inputs):
            values.append(self.adapter.hooked(value, hooks[position]) if position in hooks else value)
        for position, node in enumerate(self.nodes, len(inputs)):
            if position in hooks:
                values.append(self._hooked_node(node, values, environment, hooks[position]))
            else:
                values.append(node(values, environment))
        return values

    def _hooked_node(
        self, node: Union[Node, Derivative], values: Arrays, environment: Mapping[str, Array], called: Hook
    ) -> Array:
        # Each operand is taken once, however often the node names it.
        parents = list(dict.fromkeys(node.parents))

        def compute(*operands: Array) -> Array:
            return node(dict(zip(parents, operands)), environment)

        weights = [parent < len(self.inputs) for parent in parents]
        return self.adapter.hooked_node(compute, [values[parent] for parent in parents], weights, called)


def modes_of(adapter: Adapter) -> list[str]:
    """Returns the modes that an adapter promises: those of its description, without a `jvp` that it lacks."""
    has_jvp = type(adapter).jvp is not Adapter.jvp
    return [mode for mode in adapter.description.modes if mode != "jvp" or has_jvp]


def offered(adapter: Adapter) -> list[str]:
    """Returns the operators of an adapter, those of the kit included."""
    return [*adapter.operators, *(["differentiate"] if adapter.nests else [])]


def bind(adapter: Adapter, node: Mapping[str, Any], dtype: np.dtype) -> Union[Node, Derivative]:
    """Binds a node of a graph's JSON; raises `Unsupported` if the adapter lacks its operator."""
    name = node["op"]
    if name not in offered(adapter):
        raise Unsupported(f"no operator {name}")
    if name == "differentiate" and name not in adapter.operators:
        return bind_derivative(adapter, node, dtype)
    attributes = {key: read_attribute(key, value) for key, value in node["attributes"].items()}
    attribute = next((key for key in ENTRY_ATTRIBUTES if key in attributes), None)
    entry = None if attribute is None else (attribute, attributes.pop(attribute))
    if not node["parents"] and attribute != "name":
        attributes["dtype"] = dtype
    return Node(adapter, name, adapter.operators[name], tuple(node["parents"]), attributes, entry)


def bind_derivative(adapter: Adapter, node: Mapping[str, Any], dtype: np.dtype) -> Derivative:
    """Binds a `differentiate` of a graph's JSON."""
    attributes, parents = node["attributes"], tuple(node["parents"])
    mode, of, wrt = attributes["mode"], attributes["of"], attributes["wrt"]
    graph = BoundGraph(adapter, attributes["graph"], dtype)
    if mode not in modes_of(adapter):
        raise Unsupported(f"no mode {mode}")
    if len(parents) != len(graph.inputs) + 1:
        raise RequestError(f"{len(parents)} parents for the {len(graph.inputs)} inputs of an inner graph")
    if not (0 <= wrt < len(graph.inputs) and 0 <= of < len(graph.inputs) + len(graph.nodes)):
        raise RequestError(f"an inner graph has no id {of}, or no input {wrt}")
    return Derivative(adapter, graph, mode, of, wrt, parents)


def read_attribute(name: str, value: Any) -> Any:
    """Returns an attribute as operators get it: nested lists become tuples, and real numbers floats."""
    if isinstance(value, list):
        return tuple(read_attribute(name, element) for element in value)
    return float(value) if name in REAL_ATTRIBUTES else value


@dataclass(frozen=True)
class Point:
    """The arguments of a program, as the library's arrays."""

    inputs: Arrays
    environment: Mapping[str, Array]


class Program:
    """A loaded graph. Every mode calls the library once, on the graph's function."""

    def __init__(self, adapter: Adapter, graph: Mapping[str, Any], dtype: str) -> None:
        if dtype not in adapter.description.dtypes:
            raise Unsupported(f"no precision {dtype}")
        self._adapter = adapter
        self._dtype = adapter.dtypes[dtype]
        self._entries = graph["environment"]
        self._graph = BoundGraph(adapter, graph, self._dtype)
        self._inputs, self._nodes = self._graph.inputs, self._graph.nodes
        self._taps: Optional[list[Array]] = None
        self._shapes: list[Sequence[int]] = []

    def evaluate(self, request: Mapping[str, Any]) -> list[np.ndarray]:
        """Returns the value of every node."""
        point = self._point(request)

        def nodes(inputs: Arrays) -> Arrays:
            return self._graph.values(inputs, point.environment)[len(self._inputs) :]

        return self._answer(self._adapter.evaluate(nodes, point.inputs))

    def jvp(self, request: Mapping[str, Any]) -> list[np.ndarray]:
        """Returns the tangent of every node."""
        point = self._point(request)
        tangents = self._one_for_each_input(request["tangents"])

        def nodes(inputs: Arrays) -> Arrays:
            return self._graph.values(inputs, point.environment)[len(self._inputs) :]

        if not self._inputs or not self._nodes:
            return [np.zeros_like(value) for value in self._answer(self._adapter.evaluate(nodes, point.inputs))]
        return self._answer(self._adapter.jvp(nodes, point.inputs, tangents))

    def forward_gradient(self, request: Mapping[str, Any]) -> list[np.ndarray]:
        """Returns the seeded sum's slope along a direction, times the direction."""
        point, along = self._point(request), request["along"]
        if along["law"] == "given":
            direction = self._one_for_each_input(along["tangents"])
        elif along["law"] in self._adapter.laws:
            direction = self._adapter.direction(along["law"], along["seed"], self._inputs, self._dtype)
        else:
            raise Unsupported(f"no directions that are {along['law']}")

        def nodes(inputs: Arrays) -> Arrays:
            return self._graph.values(inputs, point.environment)[len(self._inputs) :]

        pushed = self._adapter.jvp(nodes, point.inputs, direction) if self._inputs and self._nodes else []
        tangents = [*self._answer(direction), *self._answer(pushed)]
        slope = np.zeros((), self._dtype)
        for seed in request["seeds"]:
            cotangent = read_tensor(seed["cotangent"]).astype(self._dtype)
            check_shape(cotangent.shape, np.shape(tangents[seed["id"]]), f"the cotangent of {seed['id']}")
            slope = slope + np.sum(cotangent * tangents[seed["id"]], dtype=self._dtype)
        return [(slope * v).astype(self._dtype) for v in tangents[: len(self._inputs)]]

    def vjp(self, request: Mapping[str, Any]) -> list[np.ndarray]:
        """Returns the cotangent of every input."""
        point = self._point(request)
        return self._pull_back(self._graph.values, point.inputs, self._inputs, point.environment, request["seeds"])

    def backward_dense(self, request: Mapping[str, Any]) -> list[np.ndarray]:
        """Returns the cotangent of every id, its own seed included.

        A library returns cotangents of inputs only. So each node's value gets an input added, a *tap*, whose
        cotangent is that of the value. A tap is −0, which changes no float that it is added to, not even the
        sign of a zero.
        """
        point = self._point(request)
        count = len(self._inputs)
        if self._taps is None:
            # The nodes' shapes are the same at every point, and the library's own shape rules give them.
            values = self.evaluate(request)
            self._shapes = [*self._inputs, *(value.shape for value in values)]
            self._taps = [self._adapter.tap(np.full(value.shape, -0.0, self._dtype)) for value in values]

        def tapped(inputs: Arrays, environment: Mapping[str, Array]) -> list[Array]:
            return self._graph.values(inputs[:count], environment, inputs[count:])

        arguments = [*point.inputs, *self._taps]
        return self._pull_back(tapped, arguments, self._shapes, point.environment, request["seeds"])

    def record(self, request: Mapping[str, Any]) -> KeptTape:
        """Records a run at a point, to be swept from seeds at some ids."""
        if request["life"] not in self._adapter.lives:
            raise Unsupported(f"no tape that can be swept {request['life']}")
        point, ids, hung = self._point(request), request["of"], request.get("hooks", [])
        for name, positions in (("of", ids), ("hooks", hung)):
            for place, position in enumerate(positions):
                if not 0 <= position < len(self._inputs) + len(self._nodes):
                    hint = "Hint: ids count the inputs first, from 0"
                    raise RequestError(f"at /{name}/{place}: the graph has no id {position}. {hint}")
        if hung and not self._adapter.hooks:
            raise Unsupported("no hooks")
        shapes: list[Sequence[int]] = []
        calls: list[tuple[int, np.ndarray]] = []
        hooks = {position: self._noting(calls, position) for position in hung}

        def seeded(arguments: Arrays) -> Arrays:
            everything = self._graph.hooked_values(arguments, point.environment, hooks)
            shapes[:] = [tuple(everything[position].shape) for position in ids]
            return [everything[position] for position in ids]

        pull_back = self._adapter.record(seeded, point.inputs, request["life"])

        def sweep(seeds: Sequence[Mapping[str, Any]]) -> list[np.ndarray]:
            given = {seed["id"]: read_tensor(seed["cotangent"]) for seed in seeds}
            if len(given) < len(seeds):
                raise RequestError(f"an id is seeded twice: {[seed['id'] for seed in seeds]}")
            foreign = [position for position in given if position not in ids]
            if foreign:
                # The library has nothing that such a seed could be passed to.
                raise Refused(f"at /seeds: the tape was not recorded for a seed at id {foreign[0]}. Hint: it was for {ids}")
            cotangents = [given.get(position, np.zeros(shape)) for position, shape in zip(ids, shapes)]
            if not self._inputs:
                return []
            try:
                pulled = pull_back([self._array(cotangent) for cotangent in cotangents])
            except (Unsupported, Refused):
                raise
            except Exception as error:
                raise Refused(f"{type(error).__name__}: {error}") from error
            return self._answer(pulled)

        return KeptTape(request["program"], sweep, is_text(request["point"]), calls if hung else None)

    def _noting(self, calls: list[tuple[int, np.ndarray]], position: int) -> Hook:
        """Makes a hook that records its calls, with copies of their cotangents."""
        return lambda cotangent: calls.append((position, self._answer([cotangent])[0].copy()))

    def _pull_back(
        self,
        values: Callable[[Arrays, Mapping[str, Array]], list[Array]],
        inputs: Arrays,
        shapes: Sequence[Sequence[int]],
        environment: Mapping[str, Array],
        seeds: Sequence[Mapping[str, Any]],
    ) -> list[np.ndarray]:
        """Returns the cotangents of `inputs`, which have these shapes, for seeds among `values`."""
        ids = [seed["id"] for seed in seeds]
        if any(not 0 <= position < len(self._inputs) + len(self._nodes) for position in ids):
            raise RequestError(f"a seed's id is none of the graph's: {ids}")
        if len(set(ids)) < len(ids):
            raise RequestError(f"an id is seeded twice: {ids}")
        if not ids or not inputs:
            return [np.zeros(shape, self._dtype) for shape in shapes]
        read = [read_tensor(seed["cotangent"]) for seed in seeds]
        cotangents = [self._array(cotangent) for cotangent in read]

        def seeded(arguments: Arrays) -> Arrays:
            everything = values(arguments, environment)
            # A library may silently broadcast a cotangent of another shape.
            for position, given in zip(ids, read):
                shape = self._adapter.shape(everything[position])
                if shape is not None:
                    check_shape(given.shape, shape, f"the cotangent of id {position}")
            outputs = [everything[position] for position in ids]
            return outputs if self._adapter.repeats else self._apart(outputs, read)

        return self._answer(self._adapter.vjp(seeded, inputs, cotangents))

    def _apart(self, outputs: Arrays, like: Sequence[np.ndarray]) -> list[Array]:
        """Returns the outputs, of which those that stood before become other arrays of the same value."""
        apart: list[Array] = []
        for output, cotangent in zip(outputs, like):
            is_known = any(output is other for other in apart)
            apart.append(output + self._array(np.full(cotangent.shape, -0.0)) if is_known else output)
        return apart

    def _point(self, request: Mapping[str, Any]) -> Point:
        point = request["point"]
        environment = {}
        for entry in self._entries:
            name = entry["name"]
            value = read_tensor(point["environment"][name])
            check_shape(value.shape, entry["shape"], f"the environment's {name}")
            environment[name] = read_indices(value) if entry["kind"] == "index" else self._array(value)
        return Point(self._one_for_each_input(point["inputs"]), environment)

    def _one_for_each_input(self, messages: Sequence[Mapping[str, Any]]) -> list[Array]:
        if len(messages) != len(self._inputs):
            raise RequestError(f"{len(messages)} tensors for {len(self._inputs)} inputs")
        tensors = [read_tensor(message) for message in messages]
        for position, (tensor, shape) in enumerate(zip(tensors, self._inputs)):
            check_shape(tensor.shape, shape, f"the tensor of input {position}")
        return [self._array(tensor) for tensor in tensors]

    def _array(self, value: np.ndarray) -> Array:
        return self._adapter.array(value.astype(self._dtype))

    def _answer(self, arrays: Arrays) -> list[np.ndarray]:
        """Converts to NumPy's arrays; another precision than that asked for breaks a promise."""
        answer = [np.asarray(array) for array in arrays]
        for array in answer:
            if array.dtype != self._dtype:
                raise TypeError(f"the library answers in {array.dtype} where {self._dtype} was asked for")
        return answer


@dataclass
class KeptTape:
    """A tape by number: its graph, its sweep, and the form of its numbers."""

    program: int
    # None once it is released, since releasing a tape forgets what it keeps.
    sweep: Optional[Callable[[Sequence[Mapping[str, Any]]], list[np.ndarray]]]
    as_text: bool
    # The hooks' calls since the last reply; None where the tape has no hooks.
    calls: Optional[list[tuple[int, np.ndarray]]] = None

    def called(self) -> list[dict[str, Any]]:
        """Returns the calls for a reply, and forgets them."""
        told = [{"id": number, "cotangent": write_tensor(array, self.as_text)} for number, array in self.calls or []]
        if self.calls is not None:
            self.calls.clear()
        return told


# ---- The session -----------------------------------------------------------------------------------------


class Session:
    """One engine's side of a conversation: a request in, a reply out, whatever goes wrong."""

    def __init__(self, adapter: Adapter) -> None:
        self._adapter = adapter
        # Each is a loaded graph, or a LoadedProgram of `adjudge.kit.programs`.
        self._programs: dict[int, Any] = {}
        self._tapes: dict[int, KeptTape] = {}

    def answer(self, line: bytes) -> bytes:
        """Answers one line by one line. Raises `NotARequest` if there is no id to reply to."""
        request = parse_request(line)
        number = request["id"]
        try:
            reply = encode({"id": number, **self._dispatch(request)})
            if len(reply) > MAXIMUM_LINE:
                raise Unsupported(f"the reply has {len(reply)} bytes, a line may have {MAXIMUM_LINE}")
            return reply
        except (Unsupported, Refused) as reason:
            kind = "refused" if isinstance(reason, Refused) else "unsupported"
            return encode({"id": number, "kind": kind, "reason": str(reason)[:MAXIMUM_WORDS]})
        except Exception as error:
            traceback.print_exc()
            words = f"{type(error).__name__}: {error}"
            return encode({"id": number, "kind": "error", "message": words[:MAXIMUM_WORDS]})

    def _dispatch(self, request: Mapping[str, Any]) -> dict[str, Any]:
        kind = request.get("kind")
        if kind == "hello":
            return self._hello(request)
        if kind == "load":
            number = request["program"]
            if number in self._programs:
                raise RequestError(f"program {number} is loaded already")
            self._programs[number] = Program(self._adapter, request["graph"], request["dtype"])
            return {"kind": "done"}
        if kind == "load_program":
            return self._load_program(request)
        if kind in ("sweep", "release"):
            return self._sweep_or_release(request)
        if kind not in (*MODES, "forward_gradient", "run", "record", "unload"):
            raise RequestError(f"no such kind of request: {kind}")
        if request["program"] not in self._programs:
            raise RequestError(f"program {request['program']} is not loaded")
        if kind == "unload":
            del self._programs[request["program"]]
            self._tapes = {n: tape for n, tape in self._tapes.items() if tape.program != request["program"]}
            self._adapter.tidy()
            return {"kind": "done"}
        program = self._programs[request["program"]]
        if isinstance(program, Program) == (kind == "run"):
            raise RequestError(f"program {request['program']} was not loaded for {kind}")
        if kind == "run":
            return program.run(request)
        if kind == "record":
            return self._record(program, request)
        if kind == "forward_gradient" and not self._adapter.laws:
            raise Unsupported("no forward gradients")
        if kind in MODES and kind not in modes_of(self._adapter):
            raise Unsupported(f"no mode {kind}")
        answer = getattr(program, kind)(request)
        as_text = is_text(request["point"])
        return {"kind": "tensors", "tensors": [write_tensor(array, as_text) for array in answer]}

    def _record(self, program: Program, request: Mapping[str, Any]) -> dict[str, Any]:
        number = request["tape"]
        open_tapes = [n for n, tape in self._tapes.items() if tape.sweep is not None]
        if number in open_tapes:
            raise RequestError(f"tape/twice at /tape: tape {number} is recorded already. Hint: release it first")
        if len(open_tapes) >= MAXIMUM_TAPES:
            raise Unsupported(f"{len(open_tapes)} tapes are not released, the most that there may be")
        tape = program.record(request)
        self._tapes.pop(number, None)
        self._tapes[number] = tape
        return {"kind": "done"}

    def _sweep_or_release(self, request: Mapping[str, Any]) -> dict[str, Any]:
        number = request["tape"]
        if number not in self._tapes:
            raise RequestError(f"tape/unknown at /tape: there is no tape {number}. Hint: record it first")
        tape = self._tapes[number]
        if request["kind"] == "sweep":
            if tape.sweep is None:
                raise Unsupported("the library releases no tape: one that is forgotten cannot be swept")
            tape.called()
            try:
                answer = tape.sweep(request["seeds"])
            except Refused as reason:
                calls = tape.called()
                reply = {"kind": "refused", "reason": str(reason)[:MAXIMUM_WORDS]}
                return {**reply, "calls": calls} if calls else reply
            reply = {"kind": "tensors", "tensors": [write_tensor(array, tape.as_text) for array in answer]}
            return reply if tape.calls is None else {**reply, "calls": tape.called()}
        tape.sweep = None
        for old in [n for n, tape in self._tapes.items() if tape.sweep is None][:-MAXIMUM_TAPES]:
            del self._tapes[old]
        return {"kind": "done"}

    def _load_program(self, request: Mapping[str, Any]) -> dict[str, Any]:
        # That file imports this one.
        from adjudge.kit.programs import LoadedProgram

        if self._adapter.memory is None:
            raise Unsupported("no programs")
        number = request["program"]
        if number in self._programs:
            raise RequestError(f"program {number} is loaded already")
        self._programs[number] = LoadedProgram(self._adapter, request["source"], request["dtype"])
        return {"kind": "done"}

    def _hello(self, request: Mapping[str, Any]) -> dict[str, Any]:
        if request["protocol"] != PROTOCOL:
            raise RequestError(f"this engine speaks protocol {PROTOCOL}, not {request['protocol']}")
        adapter = self._adapter
        said = {key: value for key, value in asdict(adapter.description).items() if value is not None}
        reply = {"kind": "hello", "protocol": PROTOCOL, **said, "operators": offered(adapter), "modes": modes_of(adapter)}
        if adapter.lives:
            reply["tapes"] = {"lives": list(adapter.lives), "releases": False}
            if adapter.hooks:
                reply["tapes"]["hooks"] = True
        if adapter.laws:
            reply["estimates"] = ["given", *adapter.laws]
        if adapter.memory is None:
            return reply
        draws = "own" if adapter.memory.own_draws else "state"
        return {**reply, "statements": list(adapter.statements), "aliases": True, "draws": draws}


def parse_request(line: bytes) -> dict[str, Any]:
    """Reads the JSON object of a line, with a positive integer id; raises `NotARequest` for anything else."""
    try:
        request = json.loads(line)
    except (ValueError, RecursionError):
        request = None
    if not isinstance(request, dict) or type(request.get("id")) is not int or request["id"] < 1:
        raise NotARequest(line[:200].decode("utf-8", "replace").rstrip())
    return request


def encode(message: Mapping[str, Any]) -> bytes:
    """Writes one line of JSON."""
    return json.dumps(message, separators=(",", ":"), allow_nan=False).encode("ascii") + b"\n"


def claim_stdout() -> BinaryIO:
    """Claims standard output for replies: all else that prints, in Python or C, goes to standard error."""
    sys.stdout.flush()
    replies = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    return replies


def serve(make_adapter: Callable[[], Adapter]) -> None:
    """Answers requests from standard input until it ends.

    `make_adapter` is called once standard output is claimed, so that a library may print while it is imported
    there. A line that is no request ends the process with code 1, since nobody could tell what later lines
    belong to.
    """
    replies = claim_stdout()
    try:
        # Infinities and NaNs are answers like any other, so they need no warning.
        with np.errstate(all="ignore"):
            session = Session(make_adapter())
            # A longer line comes in pieces, of which the first is no request.
            for line in iter(lambda: sys.stdin.buffer.readline(MAXIMUM_LINE + 1), b""):
                replies.write(session.answer(line))
                replies.flush()
    except NotARequest as beginning:
        sys.exit(f"not a request: {beginning}")
    except KeyboardInterrupt:
        pass
    except BrokenPipeError:
        # Nobody reads any more, and Python's last flush must not complain about it.
        os.dup2(os.open(os.devnull, os.O_WRONLY), replies.fileno())
