"""Programs with memory, run as the users of a library write them: the part of the kit behind `load_program` and `run`.

Every statement of `docs/programs.md` is run one after the other, with the adapter's operators and the library's own
memory. An adapter chooses how its library remembers: `InPlace` for tensors that are overwritten, whose views see it;
`Functional` for arrays that never change, so that a location stands for another array after each write.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from typing import Any, Callable, Mapping, Optional, Sequence

import numpy as np
from adjudge_kit import (
    Adapter,
    Array,
    Arrays,
    Function,
    Node,
    RequestError,
    Unsupported,
    bind,
    check_shape,
    is_text,
    read_indices,
    read_tensor,
    write_tensor,
)

Statement = Mapping[str, Any]
Block = Sequence[Statement]

# The statements that need nothing of a library but its operators.
PLAIN_STATEMENTS = ("let", "rebind", "if", "for", "while", "call", "draw", "receive", "send", "retain")

MEMORY_STATEMENTS = ("buffer", "view", "write", "update", "release")

# Operators whose result may be another view of what they read.
ALIASING = ("stop_gradient", "identity", "reshape", "permute_dims", "broadcast_to", "slice", "split", "diagonal")


class ProgramError(Exception):
    """A program that cannot be run; the text says why."""


@dataclass(frozen=True)
class Inputs:
    """Where a program is called: the entry's parameters, and what the persistent locations hold."""

    parameters: Arrays
    state: Arrays
    # The library's array of NumPy's, in the precision that is asked for.
    array: Callable[[np.ndarray], Array]


@dataclass
class Swept:
    """A run, and what was pulled back."""

    left: Left
    cotangents: Arrays
    retained: Arrays
    run: Run


# ---- Memory ----------------------------------------------------------------------------------------------


class Memory(ABC):
    """How a library remembers. A reference is whatever the memory makes of it."""

    @abstractmethod
    def allocate(self, value: Array) -> Any:
        """A new location that holds a copy of `value`."""

    @abstractmethod
    def view(self, reference: Any, how: Mapping[str, Any]) -> Any:
        """The same location, seen otherwise; a reshape that no strides do is a copy."""

    @abstractmethod
    def read(self, reference: Any) -> Array:
        """What is there, for an operator to read now; it may change when the location does."""

    @abstractmethod
    def write(self, reference: Any, value: Array) -> None:
        """Overwrites what the reference sees."""

    @abstractmethod
    def update(self, reference: Any, op: str, function: Callable[[Array, Array], Array], value: Array) -> None:
        """The same with what an operator makes of what is there and `value`."""

    @abstractmethod
    def detach(self, reference: Any) -> Any:
        """The same location, constant under differentiation."""

    @abstractmethod
    def constant(self, value: Array) -> Array:
        """The same value, constant under differentiation."""

    def copy(self, value: Array) -> Array:
        """A value of its own, which no write reaches."""
        return value

    def no_grad(self) -> AbstractContextManager:
        """Around statements that are not to be remembered."""
        return nullcontext()

    # What `no_grad` leaves to the kit: whether what is bound and written under it is made constant one by one.
    marks_constants = True

    def retained(self, value: Array) -> Array:
        """A value whose cotangent will be asked for."""
        return value

    def checkpoint(self, body: Callable[[], None], state: CheckpointState) -> None:
        """Runs a body whose values need not be kept."""
        body()

    @abstractmethod
    def jvp(self, f: Function, inputs: Arrays, tangents: Arrays) -> Arrays:
        """The tangent of each output of a function that runs statements; also within another one."""

    @abstractmethod
    def vjp(self, f: Function, inputs: Arrays, cotangents: Arrays) -> Arrays:
        """The cotangent of each input of a function that runs statements; also within another one."""

    def truth(self, value: Array) -> bool:
        """Whether a scalar is not 0."""
        return bool(value != 0)

    def numpy(self, value: Array) -> np.ndarray:
        """NumPy's array of the library's."""
        return np.asarray(value)

    # Whose random numbers are drawn.
    own_draws = False

    def draws(self, key: Sequence[int], drawn: int) -> Any:
        """The generator of a session that begins."""
        return StateDraws(key, drawn)

    def sweep(self, run: Callable[[], Run], inputs: Inputs, seeds: Mapping[int, Array]) -> Swept:
        """Runs, and pulls back from results. Here a run leaves no trace: it is run for its values, then for each derivative.

        What `retain` wants of a value is the cotangent of −0 that is added to it when it is made.
        """
        plain = run()
        left = plain.enter(inputs.parameters, inputs.state)
        numbers = sorted(set(left.retained))
        shapes = {number: np.shape(array) for number, array in zip(left.retained, left.kept)}
        taps = [inputs.array(np.full(shapes[number], -0.0)) for number in numbers]
        count = len(inputs.parameters)
        whole = [*inputs.parameters, *inputs.state]

        def seeded(arguments: Arrays) -> Arrays:
            tapped = run()
            tapped.taps = dict(zip(numbers, arguments[len(whole) :]))
            results = tapped.enter(arguments[:count], arguments[count : len(whole)]).results
            return [results[place] for place in seeds]

        pulled = list(self.vjp(seeded, [*whole, *taps], list(seeds.values()))) if seeds and (whole or taps) else None
        cotangents = pulled or [np.zeros(np.shape(array)) for array in (*whole, *taps)]
        at = dict(zip(numbers, cotangents[len(whole) :]))
        return Swept(left, cotangents[: len(whole)], [at[number] for number in left.retained], plain)


class CheckpointState(ABC):
    """What a checkpoint's body reads and leaves, for libraries that run it as a function of arrays."""

    @abstractmethod
    def arrays(self) -> list[Array]:
        """All that the body may read."""

    @abstractmethod
    def install(self, arrays: Arrays) -> None:
        """Puts other arrays in the place of these."""

    @abstractmethod
    def again(self) -> Callable[[], None]:
        """The body once more, as recomputation runs it: what it binds, counts and tells is forgotten."""


@dataclass
class Cell:
    """A location of arrays that never change: it stands for another one after each write."""

    flat: Array


@dataclass(frozen=True)
class Seen:
    """A location, and the position of each element that a reference sees."""

    cell: Cell
    positions: np.ndarray
    is_detached: bool = False
    # Where the elements would lie if the positions were a view of memory: what decides whether a reshape is one.
    layout: Optional[np.ndarray] = None


class Functional(Memory):
    """Memory of a library whose arrays never change."""

    def __init__(self, adapter: Adapter) -> None:
        self._adapter = adapter
        self._operators = adapter.operators

    def put(self, flat: Array, positions: np.ndarray, values: Array) -> Array:
        """`flat` with other elements at some positions, by picking from both in one row."""
        sources = np.arange(np.shape(flat)[0])
        sources[positions] = sources.size + np.arange(positions.size)
        return self._operators["take"](self._operators["concat"](flat, values, axis=0), axis=0, indices=sources)

    def _row(self, value: Array) -> Array:
        return self._operators["reshape"](value, shape=(int(np.prod(np.shape(value), dtype=np.int64)),))

    def allocate(self, value: Array) -> Seen:
        shape = np.shape(value)
        positions = np.arange(int(np.prod(shape, dtype=np.int64))).reshape(shape)
        return Seen(Cell(self._row(value)), positions, layout=positions)

    def view(self, reference: Seen, how: Mapping[str, Any]) -> Seen:
        layout = reference.layout
        if how["kind"] == "reshape":
            # NumPy has views where strides do it; it copies elsewhere, and so do we.
            seen = layout.reshape(how["shape"])
            if not np.shares_memory(seen, layout) and seen.size > 0:
                return self.allocate(self._operators["reshape"](self.read(reference), shape=tuple(how["shape"])))
        else:
            seen = seen_otherwise(layout, how)
        return Seen(reference.cell, seen, reference.is_detached, seen)

    def read(self, reference: Seen) -> Array:
        taken = self._operators["take"](reference.cell.flat, axis=0, indices=reference.positions.reshape(-1))
        value = self._operators["reshape"](taken, shape=reference.positions.shape)
        return self.constant(value) if reference.is_detached else value

    def write(self, reference: Seen, value: Array) -> None:
        written = self.constant(value) if reference.is_detached else value
        positions = reference.positions.reshape(-1)
        if np.unique(positions).size < positions.size:
            raise ProgramError("a write through a view that sees an element more than once")
        reference.cell.flat = self.put(reference.cell.flat, positions, self._row(written))

    def update(self, reference: Seen, op: str, function: Callable[[Array, Array], Array], value: Array) -> None:
        self.write(reference, function(self.read(reference), value))

    def detach(self, reference: Seen) -> Seen:
        return Seen(reference.cell, reference.positions, True, reference.layout)

    def constant(self, value: Array) -> Array:
        return self._operators["stop_gradient"](value)

    def jvp(self, f: Function, inputs: Arrays, tangents: Arrays) -> Arrays:
        return self._adapter.inner_jvp(f, inputs, tangents)

    def vjp(self, f: Function, inputs: Arrays, cotangents: Arrays) -> Arrays:
        return self._adapter.inner_vjp(f, inputs, cotangents)


def seen_otherwise(array: Any, how: Mapping[str, Any]) -> Any:
    """A view of an array of NumPy's kind; not for reshapes."""
    kind = how["kind"]
    if kind == "slice":
        parts = zip(how["starts"], how["sizes"], how["steps"])
        return array[tuple(slice(start, start + (size - 1) * step + 1 if size else start, step) for start, size, step in parts)]
    if kind == "permute":
        return array.transpose(how["axes"])
    if kind == "diagonal":
        # The first two axes become one, which NumPy puts last.
        return np.moveaxis(np.diagonal(array, 0, 0, 1), -1, 0)
    return np.broadcast_to(array, how["shape"])


# ---- Random numbers --------------------------------------------------------------------------------------


def threefry(key: Sequence[int], first: np.ndarray, second: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Threefry-2x32-20 of counters (Salmon et al., 2011), as two arrays of words of 32 bits."""
    words = np.array([key[0], key[1], key[0] ^ key[1] ^ 0x1BD11BDA], np.uint32)
    rotations = (13, 15, 26, 6, 17, 29, 16, 24)
    x, y = first.astype(np.uint32) + words[0], second.astype(np.uint32) + words[1]
    for turn in range(20):
        x = x + y
        bits = np.uint32(rotations[turn % 8])
        y = ((y << bits) | (y >> (np.uint32(32) - bits))) ^ x
        if turn % 4 == 3:
            count = (turn + 1) // 4
            x, y = x + words[count % 3], y + words[(count + 1) % 3] + np.uint32(count)
    return x, y


def uniform(key: Sequence[int], shape: Sequence[int]) -> np.ndarray:
    """Multiples of 2⁻³² from 0 to below 1, as the state's generator draws them."""
    count = int(np.prod(shape, dtype=np.int64))
    first, second = threefry(key, np.zeros(count), np.arange(count))
    # Of a scalar, NumPy would make a number.
    return np.asarray((first ^ second).astype(np.float64).reshape(tuple(shape)) / 2**32)


def nth_key(key: Sequence[int], drawn: int) -> tuple[int, int]:
    """The key of a generator's draw."""
    first, second = threefry(key, np.zeros(1), np.array([drawn]))
    return int(first[0]), int(second[0])


# ---- Running ---------------------------------------------------------------------------------------------


@dataclass
class Value:
    """A value of the library, and how many were made before it: by that number it is known again in another run."""

    array: Array
    number: int


@dataclass(frozen=True)
class Reference:
    """A reference of the memory, and the location's fate, which all its references share."""

    at: Any
    place: dict[str, bool]


Bound = Any  # Value, Reference, or the turn of a counter


class Names:
    """What names stand for, in a block and in those around it."""

    def __init__(self, outer: Optional[Names] = None) -> None:
        self.own: dict[str, Bound] = {}
        self.outer = outer

    def find(self, name: str) -> Bound:
        names: Optional[Names] = self
        while names is not None:
            if name in names.own:
                return names.own[name]
            names = names.outer
        raise ProgramError(f"nothing is called {name}")

    def rebind(self, name: str, bound: Bound) -> None:
        names: Optional[Names] = self
        while names is not None and name not in names.own:
            names = names.outer
        (names or self).own[name] = bound

    def copy(self) -> Names:
        copied = Names(self.outer and self.outer.copy())
        copied.own = dict(self.own)
        return copied


@dataclass
class Left:
    """What a run leaves behind."""

    results: list[Array]
    sent: list[tuple[str, Array]]
    retained: list[int]
    # The arrays that were retained, in the order of the executions.
    kept: list[Array]


class Run:
    """One run of a program: statement by statement, on the library's arrays."""

    def __init__(self, program: Any, environment: Mapping[str, Array], received: Mapping[str, Arrays], draws: Any) -> None:
        self._program = program
        self._memory: Memory = program.memory
        self._environment = environment
        self._received = received
        self._taken: dict[str, int] = {}
        self._draws = draws
        self._count = 0
        # In a derivative or a recomputation nothing is counted and nothing is told.
        self._quiet = 0
        self._constant = False
        self.sent: list[tuple[str, Array]] = []
        self.retained: list[int] = []
        self.kept: list[Array] = []
        self.steps = 0
        self._places: list[Reference] = []
        # By number, what is added to a value when it is made; and which values will be retained.
        self.taps: Mapping[int, Array] = {}
        self.wanted: frozenset[int] = frozenset()

    def enter(self, parameters: Arrays, state: Arrays) -> Left:
        entry, names = self._program.entry, Names()
        places = []
        for location, array in zip(self._program.state, state):
            reference = Reference(self._memory.allocate(array), {"released": False})
            places.append(reference)
            names.own[location["name"]] = reference
        values = [self._made(parameter) for parameter in parameters]
        results = self._procedure(entry, values, Names(names))
        self._places = places
        return Left([value.array for value in results], self.sent, self.retained, self.kept)

    def state(self) -> list[Array]:
        """What the persistent locations hold now."""
        return [self._memory.copy(self._memory.read(reference.at)) for reference in self._places]

    def _procedure(self, procedure: Mapping[str, Any], operands: Sequence[Bound], names: Names) -> list[Value]:
        for parameter, operand in zip(procedure["parameters"], operands):
            names.own[parameter["name"]] = operand
        self._block(procedure["body"], names)
        return [self._copied(result["name"], names) for result in procedure["results"]]

    def _block(self, block: Block, names: Names) -> None:
        for statement in block:
            self.steps += 1
            if self.steps > 2**20:
                raise ProgramError("the run has executed 1048576 statements, and that is the most")
            getattr(self, "_do_" + statement["do"])(statement, names)

    def _made(self, array: Array) -> Value:
        """A value that is new."""
        if self._quiet:
            return Value(array, -1)
        number = self._count
        self._count += 1
        if number in self.taps:
            array = array + self.taps[number]
        elif number in self.wanted:
            array = self._memory.retained(array)
        return Value(array, number)

    def _bind(self, name: str, array: Array, names: Names) -> None:
        is_marked = self._constant and self._memory.marks_constants
        names.own[name] = self._made(self._memory.constant(array) if is_marked else array)

    def _read(self, name: str, names: Names) -> Array:
        """An operand; of a location it is what is there now."""
        bound = names.find(name)
        if isinstance(bound, Value):
            return bound.array
        if isinstance(bound, Reference):
            if bound.place["released"]:
                raise ProgramError(f"{name} sees a location that was released")
            return self._memory.read(bound.at)
        return self._program.array(np.float64(bound))

    def _copied(self, name: str, names: Names) -> Value:
        """A value that no write reaches."""
        bound = names.find(name)
        return bound if isinstance(bound, Value) else self._made(self._memory.copy(self._read(name, names)))

    def _holds(self, name: str, names: Names) -> bool:
        return self._program.truth(self._read(name, names))

    def _number(self, index: Any, names: Names) -> int:
        return index if isinstance(index, int) else names.find(index)

    def _do_let(self, statement: Statement, names: Names) -> None:
        operands = [self._read(name, names) for name in statement["operands"]]
        result = self._program.node(statement)(operands, self._environment)
        if statement["op"] in ALIASING:
            result = self._memory.copy(result)
        self._bind(statement["name"], result, names)

    def _do_rebind(self, statement: Statement, names: Names) -> None:
        bound = names.find(statement["to"])
        is_turn = not isinstance(bound, (Value, Reference))
        names.rebind(statement["name"], self._made(self._read(statement["to"], names)) if is_turn else bound)

    def _do_buffer(self, statement: Statement, names: Names) -> None:
        value = self._memory.copy(self._read(statement["from"], names))
        if self._constant and self._memory.marks_constants:
            value = self._memory.constant(value)
        names.own[statement["name"]] = Reference(self._memory.allocate(value), {"released": False})

    def _do_view(self, statement: Statement, names: Names) -> None:
        reference, how = names.find(statement["of"]), statement["how"]
        if how["kind"] == "slice":
            how = {**how, "starts": [self._number(start, names) for start in how["starts"]]}
        names.own[statement["name"]] = Reference(self._memory.view(reference.at, how), reference.place)

    def _target(self, name: str, names: Names) -> Any:
        reference = names.find(name)
        if reference.place["released"]:
            raise ProgramError(f"{name} sees a location that was released")
        return reference.at

    def _do_write(self, statement: Statement, names: Names) -> None:
        value = self._read(statement["from"], names)
        if self._constant and self._memory.marks_constants:
            value = self._memory.constant(value)
        self._memory.write(self._target(statement["to"], names), value)

    def _do_update(self, statement: Statement, names: Names) -> None:
        function = self._program.function(statement["op"])
        value, target = self._read(statement["from"], names), self._target(statement["to"], names)
        if self._constant and self._memory.marks_constants:
            # All of it is constant, what was there too.
            self._memory.write(target, self._memory.constant(function(self._memory.read(target), value)))
        else:
            self._memory.update(target, statement["op"], function, value)

    def _do_detach(self, statement: Statement, names: Names) -> None:
        bound = names.find(statement["of"])
        if isinstance(bound, Reference):
            names.own[statement["name"]] = Reference(self._memory.detach(bound.at), bound.place)
        else:
            names.own[statement["name"]] = self._made(self._memory.constant(self._read(statement["of"], names)))

    def _do_if(self, statement: Statement, names: Names) -> None:
        holds = self._holds(statement["condition"], names)
        self._block(statement["body" if holds else "otherwise"], Names(names))

    def _do_for(self, statement: Statement, names: Names) -> None:
        for turn in range(statement["times"]):
            inner = Names(names)
            inner.own[statement["counter"]] = turn
            self._block(statement["body"], inner)

    def _do_while(self, statement: Statement, names: Names) -> None:
        turns = 0
        while self._holds(statement["condition"], names):
            if turns >= statement["fuel"]:
                raise ProgramError(f"the loop has had its {turns} turns, and its condition still holds")
            turns += 1
            self._block(statement["body"], Names(names))

    def _do_call(self, statement: Statement, names: Names) -> None:
        procedure = self._program.procedure(statement["procedure"])
        operands = [
            names.find(name) if parameter["kind"] == "reference" else self._copied(name, names)
            for parameter, name in zip(procedure["parameters"], statement["operands"])
        ]
        results = self._procedure(procedure, operands, Names())
        names.own.update(zip(statement["names"], results))

    def _do_draw(self, statement: Statement, names: Names) -> None:
        key = statement.get("key")
        shape, kind = tuple(statement["shape"]), statement["from"]
        if key is not None:
            drawn = drawn_from([self._number(word, names) for word in key], kind, shape)
        else:
            drawn = self._draws.next(kind, shape, self._quiet > 0)
        self._bind(statement["name"], self._program.array(drawn) if isinstance(drawn, np.ndarray) else drawn, names)

    def _do_receive(self, statement: Statement, names: Names) -> None:
        channel = statement["channel"]
        count = self._taken.get(channel, 0)
        self._taken[channel] = count + 1
        tensors = self._received.get(channel, ())
        if count >= len(tensors):
            raise ProgramError(f"nothing more comes on the channel {channel}")
        self._bind(statement["name"], tensors[count], names)

    def _do_send(self, statement: Statement, names: Names) -> None:
        self.sent.append((statement["channel"], self._memory.copy(self._read(statement["from"], names))))

    def _do_no_grad(self, statement: Statement, names: Names) -> None:
        before, self._constant = self._constant, True
        try:
            with self._memory.no_grad():
                self._block(statement["body"], Names(names))
        finally:
            self._constant = before

    def _do_checkpoint(self, statement: Statement, names: Names) -> None:
        run = self

        class State(CheckpointState):
            def arrays(self) -> list[Array]:
                return [holder.array if isinstance(holder, Value) else holder.flat for holder in run._holders(names)]

            def install(self, arrays: Arrays) -> None:
                for holder, array in zip(run._holders(names), arrays):
                    setattr(holder, "array" if isinstance(holder, Value) else "flat", array)

            def again(self) -> Callable[[], None]:
                # The names as they are before the body; the memory is whatever it has become.
                return run._recomputation(statement["body"], names.copy())

        self._memory.checkpoint(lambda: self._block(statement["body"], Names(names)), State())

    def _recomputation(self, body: Block, names: Names) -> Callable[[], None]:
        def again() -> None:
            self._quiet += 1
            taken = dict(self._taken)
            try:
                self._block(body, Names(names))
            finally:
                self._quiet -= 1
                self._taken = taken

        return again

    def _holders(self, names: Optional[Names]) -> list[Any]:
        """Where the arrays stand that can be read: values and locations, each once."""
        found: dict[int, Any] = {}
        while names is not None:
            for bound in names.own.values():
                holder = bound if isinstance(bound, Value) else getattr(getattr(bound, "at", None), "cell", None)
                if holder is not None:
                    found[id(holder)] = holder
            names = names.outer
        return list(found.values())

    def _do_retain(self, statement: Statement, names: Names) -> None:
        if not self._quiet:
            value = names.find(statement["of"])
            self.retained.append(value.number)
            self.kept.append(value.array)

    def _do_release(self, statement: Statement, names: Names) -> None:
        names.find(statement["of"]).place["released"] = True

    def _do_differentiate(self, statement: Statement, names: Names) -> None:
        procedure = self._program.procedure(statement["procedure"])
        *operands, along = [self._memory.copy(self._read(name, names)) for name in statement["operands"]]
        wrt, of = statement["wrt"], statement["of"]

        def inner(arguments: Arrays) -> Arrays:
            values = [Value(array, -1) for array in (*operands[:wrt], arguments[0], *operands[wrt + 1 :])]
            self._quiet += 1
            sent = len(self.sent)
            try:
                results = self._procedure(procedure, values, Names())
            finally:
                self._quiet -= 1
            if len(self.sent) > sent:
                raise ProgramError("something is sent from within a procedure that is differentiated")
            return [results[of].array]

        derived = self._program.differentiated(statement["mode"], inner, operands[wrt], along)
        self._bind(statement["name"], derived, names)


def drawn_from(key: Sequence[int], kind: Mapping[str, Any], shape: Sequence[int]) -> np.ndarray:
    """What a key gives: by a Bernoulli distribution 0 below the rate, and 1 from it on."""
    bits = uniform(key, shape)
    return np.asarray(bits >= kind["rate"]).astype(np.float64) if kind["kind"] == "bernoulli" else bits


class StateDraws:
    """The state's generator."""

    def __init__(self, key: Sequence[int], drawn: int) -> None:
        self._key = key
        self.drawn = drawn
        # Everybody can compute what this generator draws.
        self.told: list[Array] = []

    def copy(self) -> StateDraws:
        return StateDraws(self._key, self.drawn)

    def next(self, kind: Mapping[str, Any], shape: Sequence[int], is_again: bool) -> np.ndarray:
        if is_again:
            raise ProgramError("a draw within a recomputation: the library's checkpoint must keep it")
        self.drawn += 1
        return drawn_from(nth_key(self._key, self.drawn - 1), kind, shape)


# ---- A loaded program ------------------------------------------------------------------------------------


class LoadedProgram:
    """A program, bound to an adapter's operators and memory, and the session of its calls."""

    def __init__(self, adapter: Adapter, source: Mapping[str, Any], dtype: str) -> None:
        if dtype not in adapter.description.dtypes:
            raise Unsupported(f"no precision {dtype}")
        self._adapter = adapter
        self._dtype = adapter.dtypes[dtype]
        self.memory: Memory = adapter.memory
        self._source = source
        self.state = source["state"]
        self.entry = source["procedures"][0]
        self._procedures = {procedure["name"]: procedure for procedure in source["procedures"]}
        self._nodes: dict[int, Node] = {}
        self._updates: dict[str, Node] = {}
        self._held: Optional[list[np.ndarray]] = None
        self._draws: Any = None
        for procedure in source["procedures"]:
            self._look_at(procedure["body"])

    def _look_at(self, block: Block) -> None:
        """Binds every operator, so that what the adapter has not is declined when the program is loaded."""
        for statement in block:
            if statement["do"] not in self._adapter.statements:
                raise Unsupported(f"no statement {statement['do']}")
            if statement["do"] == "let":
                parents = list(range(len(statement["operands"])))
                self._nodes[id(statement)] = bind(self._adapter, {**statement, "parents": parents}, self._dtype)
            if statement["do"] == "update":
                self._update(statement["op"])
            for inner in ("body", "otherwise"):
                self._look_at(statement.get(inner, ()))

    def _update(self, op: str) -> Node:
        if op not in self._updates:
            self._updates[op] = bind(self._adapter, {"op": op, "attributes": {}, "parents": [0, 1]}, self._dtype)
        return self._updates[op]

    def node(self, statement: Statement) -> Node:
        return self._nodes[id(statement)]

    def function(self, op: str) -> Callable[[Array, Array], Array]:
        return lambda x, y: self._update(op)([x, y], {})

    def procedure(self, name: str) -> Mapping[str, Any]:
        return self._procedures[name]

    def array(self, value: np.ndarray) -> Array:
        return self._adapter.array(np.asarray(value).astype(self._dtype))

    def truth(self, value: Array) -> bool:
        return self.memory.truth(value)

    def differentiated(self, mode: str, f: Function, operand: Array, along: Array) -> Array:
        derive = self.memory.vjp if mode == "vjp" else self.memory.jvp
        return derive(f, [operand], [along])[0]

    def run(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """The reply to a call. A call that fails leaves the session as it was."""
        session = request.get("session")
        if session is not None:
            held = self._tensors(session["state"], self.state, "a location")
            generator = session["generator"]
            draws = self.memory.draws(generator["key"], generator["drawn"])
        elif self._held is None:
            raise RequestError("the session has not begun")
        else:
            held, draws = self._held, self._draws.copy()
        parameters = self._tensors(request["parameters"], self.entry["parameters"], "a parameter")
        inputs = Inputs([self.array(x) for x in parameters], [self.array(x) for x in held], self.array)
        environment = self._environment(request["environment"])
        received = {
            channel: [self.array(read_tensor(tensor)) for tensor in tensors]
            for channel, tensors in request["received"].items()
        }
        begun: list[Any] = []

        def run() -> Run:
            # Every run of this call begins with the same draws.
            own = draws.copy()
            begun.append(own)
            return Run(self, environment, received, own)

        derivative, retained, left, last = self._asked(request, run, inputs)
        state = self._answer(last.state())
        reply = {
            "results": self._answer(left.results),
            "state": state,
            "derivative": self._answer(derivative),
            "retained": self._answer(retained),
        }
        as_text = is_text({"inputs": [*request["parameters"], *(session or {}).get("state", ())], "environment": request["environment"]})
        sent = self._answer([array for _, array in left.sent])
        self._held, self._draws = state, begun[0]
        told = self._answer(begun[0].told)
        return {
            "kind": "ran",
            **{part: [write_tensor(array, as_text) for array in arrays] for part, arrays in reply.items()},
            "sent": [
                {"channel": channel, "value": write_tensor(array, as_text)}
                for (channel, _), array in zip(left.sent, sent)
            ],
            "drawn": begun[0].drawn,
            **({"draws": [write_tensor(array, as_text) for array in told]} if told else {}),
        }

    def _asked(self, request: Mapping[str, Any], run: Callable[[], Run], inputs: Inputs) -> tuple[Arrays, Arrays, Left, Run]:
        mode = request["mode"]
        if mode not in self._adapter.description.modes:
            raise Unsupported(f"no mode {mode}")
        if mode == "evaluate":
            plain = run()
            return [], [], plain.enter(inputs.parameters, inputs.state), plain
        if mode == "jvp":
            tangents = self._tensors(request["tangents"], [*self.entry["parameters"], *self.state], "a tangent")
            return self._pushed(run, inputs, [self.array(x) for x in tangents])
        seeds = {seed["id"]: self.array(read_tensor(seed["cotangent"])) for seed in request["seeds"]}
        for place, cotangent in seeds.items():
            check_shape(np.shape(cotangent), self.entry["results"][place]["shape"], f"the cotangent of result {place}")
        swept = self.memory.sweep(run, inputs, seeds)
        return swept.cotangents, swept.retained, swept.left, swept.run

    def _pushed(self, run: Callable[[], Run], inputs: Inputs, tangents: Arrays) -> tuple[Arrays, Arrays, Left, Run]:
        """The tangents of results and of what the locations hold, and a run for the values."""
        plain, count = run(), len(inputs.parameters)
        left = plain.enter(inputs.parameters, inputs.state)

        def outputs(arguments: Arrays) -> Arrays:
            pushed = run()
            results = pushed.enter(arguments[:count], arguments[count:]).results
            return [*results, *pushed.state()]

        if not (inputs.parameters or inputs.state):
            zeros = [np.zeros(np.shape(array)) for array in (*left.results, *plain.state())]
            return [self.array(array) for array in zeros], [], left, plain
        if not (left.results or self.state):
            return [], [], left, plain
        return self.memory.jvp(outputs, [*inputs.parameters, *inputs.state], tangents), [], left, plain

    def _tensors(self, messages: Sequence[Any], declared: Sequence[Mapping[str, Any]], what: str) -> list[np.ndarray]:
        if len(messages) != len(declared):
            raise RequestError(f"{len(messages)} tensors, where {len(declared)} are declared")
        tensors = [read_tensor(message) if isinstance(message, Mapping) else message for message in messages]
        for tensor, entry in zip(tensors, declared):
            check_shape(tensor.shape, entry["shape"], f"{what} {entry['name']}")
        return tensors

    def _environment(self, messages: Mapping[str, Any]) -> dict[str, Array]:
        environment = {}
        for entry in self._source["environment"]:
            value = read_tensor(messages[entry["name"]])
            check_shape(value.shape, entry["shape"], f"the environment's {entry['name']}")
            environment[entry["name"]] = read_indices(value) if entry["kind"] == "index" else self.array(value)
        return environment

    def _answer(self, arrays: Arrays) -> list[np.ndarray]:
        return [self.memory.numpy(array).astype(self._dtype) for array in arrays]
