"""Runs programs with memory as users of a library write them: the kit's part behind `load_program` and `run`.

Statements of `docs/programs.md` run one by one, with the adapter's operators and the library's memory. An
adapter chooses how its library remembers: with tensors that are overwritten, whose views see it
(`pytorch_memory.py`), or with arrays that never change (`Functional` of `functional.py`).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, replace
from typing import Any, Callable, Mapping, Optional, Sequence

import numpy as np
from adjudge.kit.adapter import (
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
    modes_of,
    read_indices,
    read_tensor,
    write_tensor,
)
from adjudge.kit.draws import StateDraws, drawn_from

Statement = Mapping[str, Any]
Block = Sequence[Statement]

# These statements need only operators of a library.
PLAIN_STATEMENTS = ("let", "rebind", "if", "for", "while", "break", "call", "return", "draw", "receive", "send", "retain")

MEMORY_STATEMENTS = ("buffer", "view", "write", "update", "write_rows", "write_where", "write_scatter", "index", "release")

# These need a derivative: `detach` and `no_grad` need `stop_gradient`, the last two nested derivatives.
TAPE_STATEMENTS = ("detach", "no_grad", "checkpoint", "differentiate", "differentiate_call")

# Functions with a derivative of their own, and hooks: these need `stop_gradient`, or a `custom` of the memory.
CUSTOM_STATEMENTS = ("custom", "hook")

# Operators whose result may be a view of their operand.
ALIASING = ("stop_gradient", "identity", "reshape", "permute_dims", "broadcast_to", "slice", "split", "diagonal", "pad", "prod", "einsum")

# A run has at most so many statements.
MOST_STEPS = 2**20

# Where it is traced, a procedure that calls itself is written out so deep.
MOST_TRACED_CALLS = 6

# Cotangents of results, by place.
Seeds = Mapping[int, Array]


class ProgramError(Exception):
    """A program cannot be run; the text says why."""


@dataclass(frozen=True)
class Inputs:
    """The arguments of a call: the entry's parameters, and the contents of the persistent locations."""

    parameters: Arrays
    state: Arrays
    # Converts NumPy's array to the library's, in the precision asked for.
    array: Callable[[np.ndarray], Array]


@dataclass
class Left:
    """What a run leaves behind."""

    results: list[Array]
    # The contents of persistent locations; a library that overwrites may still change them.
    state: list[Array]
    sent: list[tuple[str, Array]]
    # The number of the value and its array, for each execution of `retain`.
    retained: list[int]
    kept: list[Array]
    # How often the generator was drawn from, and the drawn numbers if they are the library's own.
    drawn: Any
    told: list[Array]
    # Whether a traced loop has used up its turns while its condition still holds, or a traced place is none.
    exhausted: Any = False
    # Whether a traced procedure calls itself deeper than it was written out.
    too_deep: Any = False


@dataclass
class Made:
    """What a function with a derivative of its own makes."""

    values: Arrays
    # What the derivative gets besides the operands.
    saved: Arrays
    # What the operands that it overwrites are afterwards.
    after: Arrays


class Custom:
    """A function, and another one of the same operands, then of what was saved, which says its derivative."""

    def __init__(self, value: Callable[[Arrays], Made], derivative: Function, marked: Sequence[int], places: Mapping[int, Any], is_traced: bool) -> None:
        # If a library traces what is around, `value` counts draws there, and no function of its own may.
        self.is_traced = is_traced
        self.value = value
        self.derivative = derivative
        # The operands that it overwrites, and the references that it overwrites them through, if it does.
        self.marked = marked
        self.places = places


@dataclass
class Swept:
    """What a run has left, and the cotangents of its sweep."""

    left: Left
    cotangents: Arrays
    retained: Arrays


# ---- Memory ----------------------------------------------------------------------------------------------


class Memory(ABC):
    """How a library remembers. A reference is whatever the memory makes of it."""

    # Whether the library draws its own random numbers.
    own_draws = False

    # Whether loops with a known number of turns are the library's instead of Python's.
    rolls_loops = False

    @abstractmethod
    def allocate(self, value: Array) -> Any:
        """Makes a new location that holds a copy of `value`."""

    @abstractmethod
    def view(self, reference: Any, how: Mapping[str, Any]) -> Any:
        """Makes another view of the location; a reshape that strides cannot express is a copy."""

    @abstractmethod
    def read(self, reference: Any) -> Array:
        """Returns the contents for an operator to read now; they may change when the location does."""

    @abstractmethod
    def write(self, reference: Any, value: Array) -> None:
        """Overwrites what the reference sees."""

    @abstractmethod
    def update(self, reference: Any, op: str, function: Callable[[Array, Array], Array], value: Array) -> None:
        """Overwrites what the reference sees with an operator's result of it and `value`."""

    @abstractmethod
    def detach(self, reference: Any) -> Any:
        """Makes a reference to the location that is constant under differentiation for reads and writes."""

    @abstractmethod
    def constant(self, value: Array) -> Array:
        """Makes the value constant under differentiation."""

    @abstractmethod
    def jvp(self, f: Function, inputs: Arrays, tangents: Arrays) -> Arrays:
        """Returns the tangents of outputs of a function that runs statements, maybe within another one."""

    @abstractmethod
    def vjp(self, f: Function, inputs: Arrays, cotangents: Arrays) -> Arrays:
        """Returns the cotangents of inputs of a function that runs statements, maybe within another one."""

    @abstractmethod
    def sweep(self, run: Callable[[], Run], inputs: Inputs, seeds: Seeds) -> Swept:
        """Runs, and sweeps from the results. Each `run()` begins with the session's draws."""

    def outer_jvp(self, f: Function, inputs: Arrays, tangents: Arrays) -> Arrays:
        """Does `jvp` where nobody differentiates the result again."""
        return self.jvp(f, inputs, tangents)

    def entered(self, run: Run, inputs: Inputs) -> Left:
        """Runs for the values; a library that compiles does so here."""
        return run.enter(inputs.parameters, inputs.state)

    def write_rows(self, reference: Any, rows: Sequence[Any], op: Optional[str], function: Optional[Callable], value: Array) -> bool:
        """Writes or updates rows at once, one after the other, if the library can; else tells that it did not."""
        return False

    def write_where(self, reference: Any, mask: Array, op: Optional[str], function: Optional[Callable], value: Array) -> bool:
        """Writes or updates where a mask is not 0, if the library can in place; else tells that it did not."""
        return False

    def write_scatter(self, reference: Any, mask: Array, op: Optional[str], function: Optional[Callable], row: Array) -> bool:
        """Writes or updates where a mask is not 0 with a row's elements in order, if the library can; else tells so."""
        return False

    def place(self, value: Array) -> Any:
        """Returns the place along an axis that a scalar is."""
        return self.whole(float(self.numpy(value)))

    @staticmethod
    def whole(number: float) -> int:
        """Returns a place as a whole number, which it must be."""
        if not (number.is_integer() and number >= 0):
            raise ProgramError("an index is no whole number from 0")
        return int(number)

    def custom(self, own: Custom, operands: Arrays) -> Made:
        """Runs a function whose derivative another one says.

        By default as users write it where a library has nothing for it: the value, less what is 0 and has the
        derivative.
        """
        made = own.value([self.constant(self.copy(operand)) for operand in operands])
        paths = own.derivative([*operands, *made.saved])
        said = [self.constant(value) - (self.constant(path) - path) for value, path in zip([*made.values, *made.after], paths)]
        return Made(said[: len(made.values)], [], said[len(made.values) :])

    def hook(self, value: Array, derivative: Function) -> Array:
        """Makes the same value, whose cotangent the derivative of a function changes."""
        (path,) = derivative([value])
        return self.constant(value) - (self.constant(path) - path)

    def overwrites(self, reference: Any) -> bool:
        """Tells whether `custom` overwrites what a reference sees itself, where the derivative says so."""
        return False

    def write_constant(self, reference: Any, value: Array) -> None:
        """Overwrites what the reference sees with a constant under differentiation."""
        self.write(reference, self.constant(value))

    def again(self, references: Sequence[Any]) -> list[Any]:
        """Makes locations with copies of what those of the references hold, seen likewise and shared likewise."""
        raise Unsupported("no call with locations within a derivative")

    def is_shared(self, one: Any, other: Any) -> bool:
        """Tells whether two references see one location, where `again` copies it."""
        return False

    def cell(self, reference: Any) -> Any:
        """Returns the cell with the location's `array`, in libraries whose arrays never change."""
        return None

    def copy(self, value: Array) -> Array:
        """Copies a value, so that no write reaches it."""
        return value

    def no_grad(self) -> AbstractContextManager:
        """Surrounds operators whose results are constant under differentiation."""
        return nullcontext()

    def retained(self, value: Array) -> Array:
        """Marks a value whose cotangent will be asked for."""
        return value

    def truth(self, value: Array) -> Optional[bool]:
        """Tells whether a scalar is not 0; None where only a traced function knows."""
        return bool(np.asarray(value) != 0)

    def branch(self, condition: Array, body: Function, otherwise: Function, arrays: Arrays) -> Arrays:
        """Applies one of two functions of all arrays in reach, where `truth` is None."""
        raise Unsupported("no branch that depends on a value which is not known before it runs")

    def turns(self, times: int, turn: Callable[[Any, Arrays], Arrays], arrays: Arrays) -> Arrays:
        """Runs the library's own loop, where `rolls_loops`."""
        raise Unsupported("no loop of the library's own")

    def while_holds(self, holds: Callable[[Arrays], Array], fuel: int, turn: Function, arrays: Arrays) -> tuple[Arrays, Any]:
        """Runs the library's own loop while a scalar is not 0, and tells whether it still is without fuel."""
        raise Unsupported("no loop that depends on a value which is not known before it runs")

    def checkpoint(self, run: Run, block: Block, names: Names) -> Optional[Leaving]:
        """Runs a body whose values need not be kept."""
        return run.block(block, Names(names))

    def cast(self, value: Array, dtype: np.dtype) -> Array:
        """Converts the library's array to a precision."""
        return value.astype(dtype)

    def numpy(self, value: Array) -> np.ndarray:
        """Converts the library's array to NumPy's."""
        return np.asarray(value)

    def draws(self, key: Sequence[int], drawn: int) -> Any:
        """Makes the generator for a new session."""
        return StateDraws(key, drawn)

    def moved(self, draws: Any, drawn: int) -> Any:
        """Makes the generator as a call has left it."""
        return draws.at(drawn)


# ---- Running ---------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Value:
    """A value of the library, with the count of values made before it, by which another run identifies it."""

    array: Array
    number: int


@dataclass(frozen=True)
class Reference:
    """A reference of the memory, with the location's state, which all its references share."""

    at: Any
    place: dict[str, bool]


@dataclass(frozen=True)
class Leaving:
    """What leaves a block before its end: a break, or the results that a procedure returns."""

    results: Optional[list[Value]] = None


Bound = Any  # Value, Reference, or the turn of a counter


class Names:
    """The bindings of names, in a block and in those around it."""

    def __init__(self, outer: Optional[Names] = None) -> None:
        self.own: dict[str, Bound] = {}
        self.outer = outer

    def find(self, name: str) -> Bound:
        return self._holder(name).own[name]

    def rebind(self, name: str, bound: Bound) -> None:
        self._holder(name).own[name] = bound

    def _holder(self, name: str) -> Names:
        names: Optional[Names] = self
        while names is not None:
            if name in names.own:
                return names
            names = names.outer
        raise ProgramError(f"nothing is called {name}")

    def copy(self) -> Names:
        copied = Names(self.outer and self.outer.copy())
        copied.own = dict(self.own)
        return copied

    def all(self) -> Iterator[tuple[dict[str, Bound], str]]:
        """Iterates over all names, with the bindings that hold them."""
        yield from ((self.own, name) for name in self.own)
        if self.outer is not None:
            yield from self.outer.all()


def rebound_in(block: Block) -> frozenset[str]:
    """Returns the names that a block, or a block within it, rebinds."""
    inner = (rebound_in(statement.get(part, ())) for statement in block for part in ("body", "otherwise"))
    return frozenset(statement["name"] for statement in block if statement["do"] == "rebind").union(*inner)


def named_in(block: Block) -> frozenset[str]:
    """Returns the names that a block, or a block within it, reads or writes."""
    inner = (named_in(statement.get(part, ())) for statement in block for part in ("body", "otherwise"))
    own = (statement.get(part, ()) for statement in block for part in ("of", "to", "from", "mask", "condition", "operands", "along"))
    named = (name for part in own for name in ((part,) if isinstance(part, str) else part if isinstance(part, list) else ()))
    return frozenset(name for name in named if isinstance(name, str)).union(*inner)


def escapes(block: Block, within_loop: bool = False) -> bool:
    """Tells whether a break or a return in a block leaves it."""
    return any(
        statement["do"] == "return"
        or (statement["do"] == "break" and not within_loop)
        or any(escapes(statement.get(part, ()), within_loop or statement["do"] in ("for", "while")) for part in ("body", "otherwise"))
        for statement in block
    )


class Run:
    """One run of a program: statement by statement, on the library's arrays."""

    def __init__(self, program: Any, environment: Mapping[str, Array], received: Mapping[str, Arrays], draws: Any) -> None:
        self.program = program
        self.environment = environment
        self.received = received
        self.draws = draws
        self._memory: Memory = program.memory
        self._taken: dict[str, int] = {}
        self._count = 0
        self._steps = 0
        # Derivatives and recomputations count no values, and recomputations draw nothing new.
        self._quiet = 0
        self._repeating = 0
        # These are the count of traced bodies around, which may run often or never, and the calls around.
        self._traced = 0
        self._calling: list[str] = []
        self._constant = False
        self._sent: list[tuple[str, Array]] = []
        self._retained: list[int] = []
        self._kept: list[Array] = []
        self._exhausted: Any = False
        self._too_deep: Any = False
        # Taps to add by a value's number, and the values to retain.
        self.taps: Mapping[int, Array] = {}
        self.wanted: frozenset[int] = frozenset()

    def enter(self, parameters: Arrays, state: Arrays) -> Left:
        """Runs the entry."""
        names = Names()
        places = [self._located(array) for array in state]
        names.own.update(zip((location["name"] for location in self.program.state), places))
        for alias in self.program.aliases:
            self._do_view(alias, names)
        values = [self._made(parameter) for parameter in parameters]
        results = self._procedure(self.program.entry, values, Names(names))
        return Left(
            results=[value.array for value in results],
            state=[self._memory.read(reference.at) for reference in places],
            sent=self._sent,
            retained=self._retained,
            kept=self._kept,
            drawn=self.draws.drawn,
            told=self.draws.told,
            exhausted=self._exhausted,
            too_deep=self._too_deep,
        )

    def block(self, block: Block, names: Names) -> Optional[Leaving]:
        """Runs statements, until one leaves the block."""
        for statement in block:
            self._steps += 1
            if self._steps > MOST_STEPS:
                raise ProgramError(f"the run has executed {MOST_STEPS} statements, and that is the most")
            left = getattr(self, "_do_" + statement["do"])(statement, names)
            if isinstance(left, Leaving):
                return left
        return None

    def again(self, block: Block, names: Names) -> Callable[[], None]:
        """Makes a rerun of a body for recomputation: on the names of now, without lasting effects."""
        names, taken = names.copy(), dict(self._taken)

        def recomputation() -> None:
            self._quiet, self._repeating = self._quiet + 1, self._repeating + 1
            before, self._taken = self._taken, dict(taken)
            sent = len(self._sent)
            try:
                self.block(block, Names(names))
            finally:
                self._quiet, self._repeating = self._quiet - 1, self._repeating - 1
                self._taken = before
                del self._sent[sent:]

        return recomputation

    def closed(self, block: Block, names: Names, besides: Block = ()) -> tuple[list[Array], Function, Callable[[Arrays], None]]:
        """Makes a block a function of arrays: the count of draws, and all arrays in reach.

        Returns the arrays of now, the function from such arrays to those afterwards, and what puts arrays in
        place. A value that `block` or `besides` rebinds in a traced body loses its number.
        """
        if escapes(block) or escapes(besides):
            raise Unsupported("no break or return out of a body that the library runs as a function")
        slots = [(own, name) for own, name in names.all() if isinstance(own[name], Value)]
        references = [(own, name, own[name]) for own, name in names.all() if isinstance(own[name], Reference)]
        cells = list({id(cell): cell for cell in (self._memory.cell(one.at) for _, _, one in references)}.values())
        rebound = rebound_in((*block, *besides)) if self._traced else frozenset()
        channels: list[str] = []
        numbers: dict[int, int] = {}

        def standing() -> list[Array]:
            drawn = self.draws.drawn
            counted = [np.uint32(drawn) if isinstance(drawn, int) else drawn, self._exhausted, self._too_deep]
            return [*counted, *(own[name].array for own, name in slots), *(cell.array for cell in cells)]

        def put(arrays: Arrays) -> None:
            self.draws.drawn, self._exhausted, self._too_deep, *held = arrays
            for place, ((own, name), array) in enumerate(zip(slots, held)):
                number = -1 if name in rebound else numbers.get(place, own[name].number)
                own[name] = Value(array, number)
            for cell, array in zip(cells, held[len(slots) :]):
                cell.array = array
            self._sent.extend(zip(channels, held[len(slots) + len(cells) :]))

        def function(arrays: Arrays) -> list[Array]:
            before, bound = standing(), [own[name] for own, name in slots]
            taken, sent = self._taken, len(self._sent)
            put(arrays[: len(before)])
            self._taken = dict(taken)
            try:
                self.block(block, Names(names))
                if any(own[name] is not one for own, name, one in references):
                    raise Unsupported("a body that is traced lets a name stand for another location")
                channels[:] = [channel for channel, _ in self._sent[sent:]]
                numbers.update((place, own[name].number) for place, (own, name) in enumerate(slots))
                return [*standing(), *(array for _, array in self._sent[sent:])]
            finally:
                taken = self._taken
                del self._sent[sent:]
                self.draws.drawn, self._exhausted, self._too_deep, *held = before
                for (own, name), value in zip(slots, bound):
                    own[name] = value
                for cell, array in zip(cells, held[len(slots) :]):
                    cell.array = array

        return standing(), function, put

    @contextmanager
    def _tracing(self) -> Iterator[None]:
        self._traced += 1
        try:
            yield
        finally:
            self._traced -= 1

    def _procedure(self, procedure: Mapping[str, Any], operands: Sequence[Bound], names: Names) -> list[Value]:
        for parameter, operand in zip(procedure["parameters"], operands):
            names.own[parameter["name"]] = operand
        left = self.block(procedure["body"], names)
        if left is not None and left.results is not None:
            return left.results
        return [self._copied(result["name"], names) for result in procedure["results"]]

    def _located(self, value: Array) -> Reference:
        return Reference(self._memory.allocate(value), {"released": False})

    def _made(self, array: Array) -> Value:
        """Makes a new value."""
        if self._quiet or self._traced:
            return Value(array, -1)
        number = self._count
        self._count += 1
        if number in self.taps:
            array = array + self.taps[number]
        elif number in self.wanted:
            array = self._memory.retained(array)
        return Value(array, number)

    def _marked(self, array: Array) -> Array:
        return self._memory.constant(array) if self._constant else array

    def _bind(self, name: str, array: Array, names: Names) -> None:
        names.own[name] = self._made(self._marked(array))

    def _read(self, name: str, names: Names) -> Array:
        """Returns an operand; for a location, its contents now."""
        bound = names.find(name)
        if isinstance(bound, Value):
            return bound.array
        if isinstance(bound, Reference):
            return self._memory.read(self._target(name, names))
        return self.program.precise(np.float64(bound) if isinstance(bound, int) else bound)

    def _copied(self, name: str, names: Names) -> Value:
        """Copies a value so that no write reaches it."""
        bound = names.find(name)
        return bound if isinstance(bound, Value) else self._made(self._memory.copy(self._read(name, names)))

    def _applied(self) -> AbstractContextManager:
        return self._memory.no_grad() if self._constant else nullcontext()

    def _target(self, name: str, names: Names) -> Any:
        reference = names.find(name)
        if reference.place["released"]:
            raise ProgramError(f"{name} sees a location that was released")
        return reference.at

    def _number(self, index: Any, names: Names) -> Any:
        return index if isinstance(index, int) else names.find(index)

    def _do_let(self, statement: Statement, names: Names) -> None:
        operands = [self._read(name, names) for name in statement["operands"]]
        with self._applied():
            result = self.program.node(statement)(operands, self.environment)
            if statement["op"] in ALIASING:
                result = self._memory.copy(result)
        self._bind(statement["name"], result, names)

    def _do_rebind(self, statement: Statement, names: Names) -> None:
        bound = names.find(statement["to"])
        is_turn = not isinstance(bound, (Value, Reference))
        names.rebind(statement["name"], self._made(self._read(statement["to"], names)) if is_turn else bound)

    def _do_buffer(self, statement: Statement, names: Names) -> None:
        names.own[statement["name"]] = self._located(self._marked(self._read(statement["from"], names)))

    def _do_view(self, statement: Statement, names: Names) -> None:
        reference, how = names.find(statement["of"]), statement["how"]
        if how["kind"] == "slice":
            how = {**how, "starts": [self._number(start, names) for start in how["starts"]]}
            self._look_within(reference.at, how)
        elif how["kind"] == "strided":
            how = {**how, "start": self._number(how["start"], names)}
        names.own[statement["name"]] = Reference(self._memory.view(reference.at, how), reference.place)

    def _do_write(self, statement: Statement, names: Names) -> None:
        value = self._read(statement["from"], names)
        write = self._memory.write_constant if self._constant else self._memory.write
        write(self._target(statement["to"], names), value)

    def _do_update(self, statement: Statement, names: Names) -> None:
        function = self.program.function(statement["op"])
        value, target = self._read(statement["from"], names), self._target(statement["to"], names)
        self._update_at(target, statement["op"], function, value)

    def _update_at(self, target: Any, op: str, function: Callable, value: Array) -> None:
        if not self._constant:
            return self._memory.update(target, op, function, value)
        # The result is all constant, and so is what was there.
        with self._applied():
            written = function(self._memory.read(target), value)
        return self._memory.write_constant(target, written)

    def _do_write_rows(self, statement: Statement, names: Names) -> None:
        op = statement.get("op")
        function = self.program.function(op) if op else None
        rows = [self._number(row, names) for row in statement["rows"]]
        # All of the value is read before the first row changes.
        value, target = self._memory.copy(self._read(statement["from"], names)), self._target(statement["to"], names)
        if not self._constant and self._memory.write_rows(target, rows, op, function, value):
            return
        _, *rest = np.shape(value)
        given = self._memory.allocate(value)

        def row_at(place: Any) -> dict[str, Any]:
            return {"kind": "slice", "starts": [place] + [0] * len(rest), "sizes": [1, *rest], "steps": [1] * (1 + len(rest))}

        for place, row in enumerate(rows):
            self._look_within(target, row_at(row))
            one, part = self._memory.view(target, row_at(row)), self._memory.read(self._memory.view(given, row_at(place)))
            if function is None:
                (self._memory.write_constant if self._constant else self._memory.write)(one, part)
            else:
                self._update_at(one, op, function, part)

    def _do_write_where(self, statement: Statement, names: Names) -> None:
        mask, value = self._read(statement["mask"], names), self._read(statement["from"], names)
        target, op = self._target(statement["to"], names), statement.get("op")
        function = self.program.function(op) if op else None
        if self._constant or not self._memory.write_where(target, mask, op, function, value):
            self._write_masked(target, mask, function, value)

    def _write_masked(self, target: Any, mask: Array, function: Optional[Callable], value: Array) -> None:
        with self._applied():
            old, where = self._memory.read(target), self.program.function("where")
            written = self.program.filled(value, np.shape(old))
            if function is not None:
                # An operand of 1 beside the mask has a finite derivative, whatever stands there.
                written = function(old, where(mask, written, self.program.array(np.ones(np.shape(old)))))
            written = where(mask, written, old)
        (self._memory.write_constant if self._constant else self._memory.write)(target, written)

    def _do_write_scatter(self, statement: Statement, names: Names) -> None:
        mask, row = self._read(statement["mask"], names), self._read(statement["from"], names)
        target, op = self._target(statement["to"], names), statement.get("op")
        function = self.program.function(op) if op else None
        if not self._constant and self._memory.write_scatter(target, mask, op, function, row):
            return
        with self._applied():
            taken = self._in_order(mask, row)
        self._write_masked(target, mask, function, taken)

    def _in_order(self, mask: Array, row: Array) -> Array:
        """Takes the next element of a row for each place where a mask is not 0, and the first elsewhere."""
        ones, zeros = (self.program.array(np.full(np.shape(mask), number)) for number in (1.0, 0.0))
        marked, given = self._memory.allocate(self.program.function("where")(mask, ones, zeros)), self._memory.allocate(row)
        taken, count = self._memory.allocate(zeros), self.program.array(np.zeros(()))
        axes = [1] * len(np.shape(mask))
        for place in np.ndindex(*np.shape(mask)):
            here = {"kind": "slice", "starts": list(place), "sizes": axes, "steps": axes}
            is_marked = self._memory.read(self._memory.view(self._memory.view(marked, here), {"kind": "reshape", "shape": []}))
            next_one = {"kind": "slice", "starts": [self._memory.place(is_marked * count)], "sizes": [1], "steps": [1]}
            self._look_within(given, next_one)
            element = self._memory.view(self._memory.view(given, next_one), {"kind": "reshape", "shape": axes})
            self._memory.write(self._memory.view(taken, here), self._memory.read(element))
            count = count + is_marked
        return self._memory.read(taken)

    def _do_index(self, statement: Statement, names: Names) -> None:
        value = self._read(statement["of"], names)
        place = names.own[statement["name"]] = self._memory.place(value)
        if not isinstance(place, int):
            self._exhausted = self._exhausted | (self.program.precise(place) != value) | (place < 0)

    def _look_within(self, reference: Any, how: Mapping[str, Any]) -> None:
        """Notes whether a slice leaves its axis where only a traced function knows: a library may cut it off."""
        if all(isinstance(start, int) for start in how["starts"]):
            return
        shape = np.shape(self._memory.read(reference))
        for start, size, step, extent in zip(how["starts"], how["sizes"], how["steps"], shape):
            last = start + max(0, size - 1) * step
            if size > 0 and not isinstance(start, int):
                self._exhausted = self._exhausted | (start >= extent) | (last >= extent) | (last < 0)

    def _do_detach(self, statement: Statement, names: Names) -> None:
        bound = names.find(statement["of"])
        if isinstance(bound, Reference):
            names.own[statement["name"]] = Reference(self._memory.detach(bound.at), bound.place)
        else:
            names.own[statement["name"]] = self._made(self._memory.constant(self._read(statement["of"], names)))

    def _do_if(self, statement: Statement, names: Names) -> Optional[Leaving]:
        condition = self._read(statement["condition"], names)
        holds = self._memory.truth(condition)
        if holds is not None:
            return self.block(statement["body" if holds else "otherwise"], Names(names))
        with self._tracing():
            arrays, body, put = self.closed(statement["body"], names, statement["otherwise"])
            _, otherwise, _ = self.closed(statement["otherwise"], names)
            return put(self._memory.branch(condition, body, otherwise, arrays))

    def _do_for(self, statement: Statement, names: Names) -> Optional[Leaving]:
        if self._memory.rolls_loops and not escapes(statement["body"]):
            return self._rolled(statement, names)
        for turn in range(statement["times"]):
            inner = Names(names)
            inner.own[statement["counter"]] = turn
            left = self.block(statement["body"], inner)
            if left is not None:
                return left if left.results is not None else None
        return None

    def _rolled(self, statement: Statement, names: Names) -> None:
        with self._tracing():
            # The counter is bound in a scope of its own, where the body's function finds it.
            around = Names(names)
            arrays, body, put = self.closed(statement["body"], around)

            def turn(count: Any, arrays: Arrays) -> Arrays:
                around.own[statement["counter"]] = count
                return body(arrays)

            put(self._memory.turns(statement["times"], turn, arrays))

    def _do_while(self, statement: Statement, names: Names) -> Optional[Leaving]:
        turns = 0
        while True:
            holds = self._memory.truth(self._read(statement["condition"], names))
            if holds is None:
                return self._rolled_while(statement, names, statement["fuel"] - turns)
            if not holds:
                return None
            if turns >= statement["fuel"]:
                raise ProgramError(f"the loop has had its {turns} turns, and its condition still holds")
            turns += 1
            left = self.block(statement["body"], Names(names))
            if left is not None:
                return left if left.results is not None else None

    def _rolled_while(self, statement: Statement, names: Names, fuel: int) -> None:
        with self._tracing():
            arrays, body, put = self.closed(statement["body"], names)

            def holds(arrays: Arrays) -> Array:
                before = self.closed((), names)[0]
                put(arrays)
                condition = self._read(statement["condition"], names)
                put(before)
                return condition

            left, exhausted = self._memory.while_holds(holds, fuel, body, arrays)
            put(left)
            self._exhausted = self._exhausted | exhausted

    def _do_break(self, _statement: Statement, _names: Names) -> Leaving:
        return Leaving()

    def _do_return(self, statement: Statement, names: Names) -> Leaving:
        return Leaving([self._copied(name, names) for name in statement["operands"]])

    def _do_call(self, statement: Statement, names: Names) -> None:
        name = statement["procedure"]
        procedure = self.program.procedure(name)
        if self._traced and self._calling.count(name) >= MOST_TRACED_CALLS:
            # Whoever traces both branches never ends, so that only a run tells whether it comes here.
            self._too_deep = True
            arrays = [self.program.array(np.full(result["shape"], np.nan)) for result in procedure["results"]]
            return names.own.update(zip(statement["names"], map(self._made, arrays)))
        pairs = zip(procedure["parameters"], statement["operands"])
        operands = [self._argument(parameter["kind"], operand, names) for parameter, operand in pairs]
        self._calling.append(name)
        results = self._procedure(procedure, operands, Names())
        self._calling.pop()
        names.own.update(zip(statement["names"], results))

    def _argument(self, kind: str, name: str, names: Names) -> Bound:
        """Returns what a procedure gets: a copy, the caller's location, or one that the caller has no more."""
        if kind == "value":
            return self._copied(name, names)
        if kind == "reference":
            return names.find(name)
        moved = Reference(self._target(name, names), {"released": False})
        names.find(name).place["released"] = True
        return moved

    def _do_custom(self, statement: Statement, names: Names) -> None:
        own, operands = self._custom(statement, names)
        made = self._memory.custom(own, operands)
        names.own.update((name, self._made(self._marked(value))) for name, value in zip(statement["names"], made.values))
        for place, array in zip(own.marked, made.after):
            if place not in own.places:
                write = self._memory.write_constant if self._constant else self._memory.write
                write(self._target(statement["operands"][place], names), array)

    def _custom(self, statement: Statement, names: Names) -> tuple[Custom, Arrays]:
        """Makes functions of arrays of two procedures, and reads their operands: copies, or in place."""
        procedure, derivative = (self.program.procedure(statement[part]) for part in ("procedure", "derivative"))
        named = statement["names"]
        kinds = [parameter["kind"] for parameter in procedure["parameters"]]
        marked = [place for place, kind in enumerate(kinds) if kind == "reference"]
        targets = {place: self._target(statement["operands"][place], names) for place in marked}
        all_places = {place: at for place, at in targets.items() if not self._constant and self._memory.overwrites(at)}
        places = all_places if len(all_places) == len(marked) else {}
        drawn, told = self.draws.drawn, len(self.draws.told)

        def value(arrays: Arrays) -> Made:
            # A library may call this function twice.
            self.draws.drawn = drawn
            del self.draws.told[told:]
            bound = [
                Reference(places[i], {"released": False}) if i in places else self._located(array) if kind == "reference" else Value(array, -1)
                for i, (kind, array) in enumerate(zip(kinds, arrays))
            ]
            results = self._within(procedure, bound, True)
            return Made(results[: len(named)], results[len(named) :], [self._memory.read(bound[i].at) for i in marked])

        def said(arrays: Arrays) -> Arrays:
            pairs = zip(derivative["parameters"], arrays)
            bound = [self._located(array) if parameter["kind"] == "reference" else Value(array, -1) for parameter, array in pairs]
            return self._within(derivative, bound, False)

        operands = [
            self._read(name, names) if parameter["kind"] == "reference" or place in places else self._copied(name, names).array
            for place, (name, parameter) in enumerate(zip(statement["operands"], derivative["parameters"]))
        ]
        return Custom(value, said, marked, places, not isinstance(drawn, int)), operands

    def _within(self, procedure: Mapping[str, Any], bound: Sequence[Bound], is_constant: bool) -> list[Array]:
        """Runs a procedure none of whose values is counted."""
        constant, self._constant = self._constant, is_constant
        self._quiet += 1
        try:
            return [result.array for result in self._procedure(procedure, bound, Names())]
        finally:
            self._quiet -= 1
            self._constant = constant

    def _do_hook(self, statement: Statement, names: Names) -> None:
        derivative = self.program.procedure(statement["derivative"])
        value = self._copied(statement["of"], names).array

        def said(arrays: Arrays) -> Arrays:
            return self._within(derivative, [Value(arrays[0], -1)], False)

        self._bind(statement["name"], self._memory.hook(value, said), names)

    def _do_draw(self, statement: Statement, names: Names) -> None:
        key = statement.get("key")
        shape, kind = tuple(statement["shape"]), statement["from"]
        if key is not None:
            drawn = drawn_from([self._number(word, names) for word in key], kind, shape)
        else:
            drawn = self.draws.next(kind, shape, self._repeating > 0)
        self._bind(statement["name"], self.program.precise(drawn), names)

    def _do_receive(self, statement: Statement, names: Names) -> None:
        self._tell_outside(statement)
        channel = statement["channel"]
        count = self._taken.get(channel, 0)
        self._taken[channel] = count + 1
        tensors = self.received.get(channel, ())
        if count >= len(tensors):
            raise ProgramError(f"nothing more comes on the channel {channel}")
        self._bind(statement["name"], tensors[count], names)

    def _do_send(self, statement: Statement, names: Names) -> None:
        self._tell_outside(statement)
        self._sent.append((statement["channel"], self._memory.copy(self._read(statement["from"], names))))

    def _tell_outside(self, statement: Statement) -> None:
        if self._traced:
            raise Unsupported(f"{statement['do']} in a body that is traced: nobody knows how often it runs")

    def _do_no_grad(self, statement: Statement, names: Names) -> Optional[Leaving]:
        before, self._constant = self._constant, True
        left = self.block(statement["body"], Names(names))
        self._constant = before
        return left

    def _do_checkpoint(self, statement: Statement, names: Names) -> Optional[Leaving]:
        return self._memory.checkpoint(self, statement["body"], names)

    def _do_retain(self, statement: Statement, names: Names) -> None:
        if self._quiet:
            return
        self._tell_outside(statement)
        value = names.find(statement["of"])
        if value.number < 0:
            raise Unsupported("retain of a value that a traced body has made")
        self._retained.append(value.number)
        self._kept.append(value.array)

    def _do_release(self, statement: Statement, names: Names) -> None:
        names.find(statement["of"]).place["released"] = True

    def _do_differentiate(self, statement: Statement, names: Names) -> None:
        procedure = self.program.procedure(statement["procedure"])
        *operands, along = [self._memory.copy(self._read(name, names)) for name in statement["operands"]]
        wrt, of = statement["wrt"], statement["of"]
        drawn, told = self.draws.drawn, len(self.draws.told)

        def inner(arguments: Arrays) -> Arrays:
            # A library may call this function twice.
            self.draws.drawn = drawn
            del self.draws.told[told:]
            values = [Value(array, -1) for array in (*operands[:wrt], arguments[0], *operands[wrt + 1 :])]
            self._quiet += 1
            # `no_grad` around a derivative does not reach into it.
            constant, self._constant = self._constant, False
            sent = len(self._sent)
            try:
                results = self._procedure(procedure, values, Names())
            finally:
                self._quiet -= 1
                self._constant = constant
            if len(self._sent) > sent:
                raise ProgramError("something is sent from within a procedure that is differentiated")
            return [results[of].array]

        derive = self._memory.vjp if statement["mode"] == "vjp" else self._memory.jvp
        self._bind(statement["name"], derive(inner, [operands[wrt]], [along])[0], names)


    def _do_differentiate_call(self, statement: Statement, names: Names) -> None:
        procedure = self.program.procedure(statement["procedure"])
        operands, of, wrt = statement["operands"], statement["of"], statement["wrt"]
        lent = {
            place: self._target(operands[place], names)
            for place, parameter in enumerate(procedure["parameters"])
            if parameter["kind"] != "value"
        }
        if any(self._memory.is_shared(lent[one], lent[other]) for one in wrt for other in wrt if one < other and {one, other} <= {*lent}):
            raise Unsupported("a call is differentiated by two views of one location")
        given = {place: self._memory.copy(self._read(name, names)) for place, name in enumerate(operands) if place not in lent}
        moved = [self._memory.copy(self._read(operands[place], names)) for place in wrt]
        along = [self._memory.copy(self._read(name, names)) for name in statement["along"]]
        rewind, taken, sent = self.draws.mark(), dict(self._taken), len(self._sent)
        around = self._constant, self._exhausted

        def begin() -> None:
            # The call happens behind its derivative, and draws and receives the same.
            rewind()
            self._taken = dict(taken)
            del self._sent[sent:]
            self._constant, self._exhausted = around

        def inner(arguments: Arrays) -> Arrays:
            begin()
            seen = dict(zip(lent, self._memory.again(list(lent.values()))))
            values = {**given, **{place: array for place, array in zip(wrt, arguments) if place not in lent}}
            for place, array in zip(wrt, arguments):
                if place in lent:
                    self._memory.write(seen[place], array)
            bound = [
                Reference(seen[place], {"released": False}) if place in lent else Value(values[place], -1)
                for place in range(len(operands))
            ]
            self._quiet += 1
            # `no_grad` around a derivative does not reach into it.
            self._constant = False
            try:
                results = [value.array for value in self._procedure(procedure, bound, Names())]
            finally:
                self._quiet -= 1
            count = len(results)
            return [results[place] if place < count else self._memory.copy(self._memory.read(seen[place - count])) for place in of]

        derive = self._memory.vjp if statement["mode"] == "vjp" else self._memory.jvp
        derivatives = derive(inner, moved, along)
        begin()
        self._do_call(statement, names)
        for name, derivative in zip(statement["derivatives"], derivatives):
            self._bind(name, derivative, names)


# ---- A loaded program ------------------------------------------------------------------------------------


class LoadedProgram:
    """A program, bound to an adapter's operators and memory, and the session of its calls."""

    def __init__(self, adapter: Adapter, source: Mapping[str, Any], dtype: str) -> None:
        if dtype not in adapter.description.dtypes:
            raise Unsupported(f"no precision {dtype}")
        self._adapter = adapter
        self.dtype = adapter.dtypes[dtype]
        self.memory: Memory = adapter.memory
        self.source = source
        self.state = source["state"]
        self.aliases = source.get("aliases", ())
        self.entry = source["procedures"][0]
        self._procedures = {procedure["name"]: procedure for procedure in source["procedures"]}
        self._nodes: dict[int, Node] = {}
        self._updates: dict[str, Node] = {}
        # The contents of persistent locations and the generator, once the session has begun.
        self._held: Optional[tuple[list[np.ndarray], Any]] = None
        self.retains = False
        # How each view of the program sees.
        self.views: list[Mapping[str, Any]] = [alias["how"] for alias in self.aliases]
        for procedure in source["procedures"]:
            self._look_at(procedure["body"])

    def _look_at(self, block: Block) -> None:
        """Binds every operator, so that loading declines what the adapter lacks."""
        for statement in block:
            kind = statement["do"]
            if kind not in self._adapter.statements:
                raise Unsupported(f"no statement {kind}")
            self.retains |= kind == "retain"
            if kind == "view":
                self.views.append(statement["how"])
            if kind == "let":
                parents = list(range(len(statement["operands"])))
                self._nodes[id(statement)] = bind(self._adapter, {**statement, "parents": parents}, self.dtype)
            if kind != "let" and "op" in statement:
                self._operator(statement["op"])
            if kind in ("write_where", "write_scatter"):
                self._operator("where")
            for inner in ("body", "otherwise"):
                self._look_at(statement.get(inner, ()))

    def _operator(self, op: str) -> Node:
        if op not in self._updates:
            parents = [0, 1, 2] if op == "where" else [0, 1]
            self._updates[op] = bind(self._adapter, {"op": op, "attributes": {}, "parents": parents}, self.dtype)
        return self._updates[op]

    def node(self, statement: Statement) -> Node:
        return self._nodes[id(statement)]

    def function(self, op: str) -> Callable[..., Array]:
        return lambda *operands: self._operator(op)(list(operands), {})

    def filled(self, value: Array, shape: Sequence[int]) -> Array:
        """Returns a scalar in another shape, and anything else as it is."""
        if len(np.shape(value)) == len(shape):
            return value
        node = {"op": "broadcast_to", "attributes": {"shape": list(shape)}, "parents": [0]}
        return bind(self._adapter, node, self.dtype)([value], {})

    def procedure(self, name: str) -> Mapping[str, Any]:
        return self._procedures[name]

    def array(self, value: np.ndarray) -> Array:
        return self._adapter.array(np.asarray(value).astype(self.dtype))

    def precise(self, value: Any) -> Array:
        """Converts an array of NumPy or of the library to the library's, in the precision asked for."""
        return self.array(value) if isinstance(value, (np.ndarray, np.generic)) else self.memory.cast(value, self.dtype)

    def run(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """Answers a call. A call that fails leaves the session as it was."""
        held, draws = self._begun(request)
        parameters = self._tensors(request["parameters"], self.entry["parameters"], "a parameter")
        inputs = Inputs([self.array(x) for x in parameters], [self.array(x) for x in held], self.array)
        environment = self._environment(request["environment"])
        received = {
            channel: [self.array(read_tensor(tensor)) for tensor in tensors]
            for channel, tensors in request["received"].items()
        }
        # Every run of this call begins with the same draws.
        left, derivative, retained = self._asked(
            request, lambda: Run(self, environment, received, draws.copy()), inputs
        )
        if bool(left.too_deep):
            raise Unsupported(f"a procedure that calls itself more than {MOST_TRACED_CALLS} deep, where it is traced")
        if bool(left.exhausted):
            raise ProgramError("a loop has had its turns, and its condition still holds, or a place leaves its axis")
        drawn, state, told = int(left.drawn), self._answer(left.state), self._answer(left.told)
        parts = {"results": left.results, "derivative": derivative, "retained": retained}
        as_text = is_text({"inputs": [*request["parameters"], *request.get("session", {}).get("state", ())], "environment": request["environment"]})
        written = {part: [write_tensor(array, as_text) for array in self._answer(arrays)] for part, arrays in parts.items()}
        sent = self._answer([array for _, array in left.sent])
        self._held = state, self.memory.moved(draws, drawn)
        return {
            "kind": "ran",
            **written,
            "state": [write_tensor(array, as_text) for array in state],
            "sent": [{"channel": channel, "value": write_tensor(array, as_text)} for (channel, _), array in zip(left.sent, sent)],
            "drawn": drawn,
            **({"draws": [write_tensor(array, as_text) for array in told]} if told else {}),
        }

    def _begun(self, request: Mapping[str, Any]) -> tuple[list[np.ndarray], Any]:
        """Returns the contents of persistent locations before the call, and the generator."""
        session = request.get("session")
        if session is not None:
            generator = session["generator"]
            draws = self.memory.draws(generator["key"], generator["drawn"])
            return self._tensors(session["state"], self.state, "a location"), draws
        if self._held is None:
            raise RequestError("the session has not begun")
        return self._held

    def _asked(self, request: Mapping[str, Any], run: Callable[[], Run], inputs: Inputs) -> tuple[Left, Arrays, Arrays]:
        mode = request["mode"]
        if mode not in modes_of(self._adapter):
            raise Unsupported(f"no mode {mode}")
        if mode == "evaluate":
            return self.memory.entered(run(), inputs), [], []
        if mode == "jvp":
            tangents = self._tensors(request["tangents"], [*self.entry["parameters"], *self.state], "a tangent")
            return self._pushed(run, inputs, [self.array(x) for x in tangents])
        seeds = {seed["id"]: self.array(read_tensor(seed["cotangent"])) for seed in request["seeds"]}
        for place, cotangent in seeds.items():
            check_shape(np.shape(cotangent), self.entry["results"][place]["shape"], f"the cotangent of result {place}")
        swept = self.memory.sweep(run, inputs, seeds)
        return swept.left, swept.cotangents, swept.retained

    def _pushed(self, run: Callable[[], Run], inputs: Inputs, tangents: Arrays) -> tuple[Left, Arrays, Arrays]:
        """Returns tangents of results and of the locations' contents, and a run for the values."""
        count = len(inputs.parameters)
        left = self.memory.entered(run(), inputs)
        # The contents are copied before anything else runs, since their memory may be reused.
        left.state = [self.memory.copy(array) for array in left.state]

        def outputs(arguments: Arrays) -> Arrays:
            pushed = self.memory.entered(run(), replace(inputs, parameters=arguments[:count], state=arguments[count:]))
            return [*pushed.results, *pushed.state]

        if not tangents:
            return left, [np.zeros(np.shape(array)) for array in (*left.results, *left.state)], []
        if not (left.results or left.state):
            return left, [], []
        return left, self.memory.outer_jvp(outputs, [*inputs.parameters, *inputs.state], tangents), []

    def _tensors(self, messages: Sequence[Any], declared: Sequence[Mapping[str, Any]], what: str) -> list[np.ndarray]:
        if len(messages) != len(declared):
            raise RequestError(f"{len(messages)} tensors, where {len(declared)} are declared")
        tensors = [read_tensor(message) for message in messages]
        for tensor, entry in zip(tensors, declared):
            check_shape(tensor.shape, entry["shape"], f"{what} {entry['name']}")
        return tensors

    def _environment(self, messages: Mapping[str, Any]) -> dict[str, Array]:
        environment = {}
        for entry in self.source["environment"]:
            value = read_tensor(messages[entry["name"]])
            check_shape(value.shape, entry["shape"], f"the environment's {entry['name']}")
            environment[entry["name"]] = read_indices(value) if entry["kind"] == "index" else self.array(value)
        return environment

    def _answer(self, arrays: Arrays) -> list[np.ndarray]:
        return [self.memory.numpy(array).astype(self.dtype) for array in arrays]
