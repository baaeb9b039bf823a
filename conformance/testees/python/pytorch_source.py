"""A program as the Python function that a user of PyTorch would write: what `torch.compile` compiles.

For `a = buffer(x); update a[0] *= x[0]` it is

    def main(told, sent, received, environment, x_0):
        a_1 = x_0.clone()
        v_2 = a_1[0:1:1]
        ...

Each procedure becomes one function, and another where it is called under `no_grad`. Conditions are Python's,
at which `torch.compile` breaks its graphs.
"""

from __future__ import annotations

import linecache
from dataclasses import dataclass
from typing import Any, Callable, Mapping, Optional

import numpy as np
import pytorch_device
import torch
from adjudge.kit.adapter import Unsupported
from adjudge.kit.draws import drawn_from
from adjudge.kit.programs import (
    ALIASING,
    Block,
    LoadedProgram,
    ProgramError,
    Statement,
    escapes,
    named_in,
    rebound_in,
)
from pytorch_device import tensor_of
from pytorch_memory import IN_PLACE, TYPES, check_once, each_row_written, forwards, seen_otherwise, strided, within
from torch.utils.checkpoint import checkpoint

# Every function gets these besides its own parameters.
AROUND = "told, sent, received, environment"


@dataclass(frozen=True)
class Known:
    """The Python text for a program's name, and its kind: a value, reference, detached or counter.

    PyTorch has no view that goes backwards: along the axes `flipped`, what is read or written is flipped.
    """

    written: str
    kind: str
    flipped: tuple[int, ...] = ()


class Scope:
    """The names of a block, and of those around it."""

    def __init__(self, outer: Optional[Scope] = None) -> None:
        self.own: dict[str, Known] = {}
        self._outer = outer

    def find(self, name: str) -> Optional[Known]:
        return self.own.get(name) or (self._outer and self._outer.find(name))


class Source:
    """The text of a program, and the names that it uses of this module."""

    def __init__(self, program: LoadedProgram, breaks: int = 0) -> None:
        self._program = program
        # After so many statements comes a call that `torch.compile` does not look into; never if 0.
        self._breaks = breaks
        self._statements = 0
        self._lines: list[str] = []
        self._depth = 0
        self._count = 0
        # The variables that are computed places.
        self._computed: set[str] = set()
        # A variable that refers to a location, and all that may refer to it too; those given away are gone.
        self._together: dict[str, set[str]] = {}
        self._gone: set[str] = set()
        # Variables whose locations others refer to as well, outside of the function.
        self._lent: set[str] = set()
        # Variables that are made in the blocks of loops and branches around the statement.
        self._inside: list[set[str]] = []
        # Windows may overlap, and a procedure that is given some may write through them.
        self._may_overlap = any(how["kind"] in ("unfold", "strided") for how in program.views)
        # Procedures still to be written, each plain or constant, and those already written.
        self._wanted: list[tuple[Mapping[str, Any], bool, str]] = []
        self._written: dict[tuple[str, bool], str] = {}
        self._is_checkpointed = False
        # Within some compiled functions PyTorch forgets the default device.
        self._there = "" if pytorch_device.here is None else f", device={pytorch_device.here!r}"
        self.space: dict[str, Any] = {
            "torch": torch,
            "checkpoint": checkpoint,
            "seen_otherwise": seen_otherwise,
            "strided": strided,
            "check_once": check_once,
            "place": program.memory.place,
            "within": within,
            "each_row_written": each_row_written,
            "keyed": torch.compiler.disable(keyed),
            "ProgramError": ProgramError,
            "dtype": TYPES[program.dtype],
        }

    def text(self) -> str:
        """Returns the functions, the entry's last."""
        entry = self._program.entry
        # Only the entry sees the persistent locations.
        names = [known["name"] for known in (*self._program.state, *self._program.aliases)]
        self._function("main", entry, names, False)
        while self._wanted:
            procedure, is_constant, name = self._wanted.pop()
            self._function(name, procedure, [], is_constant)
        return "\n".join(self._lines) + "\n"

    def _function(self, name: str, procedure: Mapping[str, Any], locations: list[str], is_constant: bool) -> None:
        scope = Scope()
        for location in locations:
            scope.own[location] = Known(self._fresh(), "reference")
            self._lent.add(scope.own[location].written)
        # The entry is called with a tensor for each name, some of which share memory.
        for alias in self._program.aliases if locations else ():
            self._joined(scope.own[alias["name"]].written, scope.own[alias["of"]].written)
        for parameter in procedure["parameters"]:
            kind = "value" if parameter["kind"] == "value" else "reference"
            scope.own[parameter["name"]] = Known(self._fresh(), kind)
            if parameter["kind"] == "reference":
                self._lent.add(scope.own[parameter["name"]].written)
        parameters = ", ".join([AROUND, *(known.written for known in scope.own.values())])
        self._line(f"def {name}({parameters}):")
        self._depth += 1
        self._block(procedure["body"], scope, is_constant)
        self._return([result["name"] for result in procedure["results"]], scope)
        self._depth -= 1

    def _return(self, names: list[str], scope: Scope) -> None:
        results = [self._copied(name, scope) for name in names]
        self._line(f"return ({''.join(result + ', ' for result in results)})")

    def _line(self, text: str) -> None:
        self._lines.append("    " * self._depth + text)

    def _fresh(self) -> str:
        self._count += 1
        return f"v{self._count}"

    def _named(self, value: Any) -> str:
        """Names a value that Python's text cannot denote."""
        name = f"c{len(self.space)}"
        self.space[name] = value
        return name

    def _bound(self, name: str, kind: str, scope: Scope) -> str:
        scope.own[name] = Known(self._fresh(), kind)
        for made in self._inside:
            made.add(scope.own[name].written)
        return scope.own[name].written

    def _joined(self, one: str, other: str) -> None:
        """Says that two variables may refer to one location."""
        together = self._together.get(one, {one}) | self._together.get(other, {other})
        for variable in together:
            self._together[variable] = together

    def _given_away(self, known: Known) -> None:
        """Says that nothing refers any more to the location that a variable does."""
        together = self._together.get(known.written, {known.written})
        if self._lent & together or any(not together <= made for made in self._inside):
            raise Unsupported("a location that is given away in a block or function, and was made before it")
        self._gone |= together

    def _known(self, name: str, scope: Scope) -> Known:
        known = scope.find(name)
        if known is None:
            raise ProgramError(f"nothing is called {name}")
        if known.written in self._gone:
            raise Unsupported("a location that is named after it was given away: Python's other names for it stay")
        return known

    def _read(self, name: str, scope: Scope) -> str:
        known = self._known(name, scope)
        if known.kind == "counter":
            return f"torch.tensor(float({known.written}), dtype=dtype{self._there})"
        seen = f"{known.written}.detach()" if known.kind == "detached" else known.written
        if known.flipped:
            return f"torch.flip({seen}, {known.flipped})"
        is_copy = known.kind != "value" and self._program.memory.reads_copies
        return f"{seen}.clone()" if is_copy else seen

    def _copied(self, name: str, scope: Scope) -> str:
        """Copies a value so that no write reaches it."""
        read = self._read(name, scope)
        return f"{read}.clone()" if self._known(name, scope).kind in ("reference", "detached") else read

    def _block(self, block: Block, scope: Scope, is_constant: bool) -> None:
        before = len(self._lines)
        for statement in block:
            getattr(self, "_do_" + statement["do"])(statement, scope, is_constant)
            self._statements += 1
            if self._breaks and self._statements % self._breaks == 0 and not self._is_checkpointed:
                self._line("torch._dynamo.graph_break()")
        if len(self._lines) == before:
            self._line("pass")

    def _inner(self, block: Block, scope: Scope, is_constant: bool) -> None:
        self._depth += 1
        self._inside.append(set())
        self._block(block, scope, is_constant)
        self._inside.pop()
        self._depth -= 1

    def _assign(self, name: str, value: str, scope: Scope, is_constant: bool) -> None:
        """Assigns a value; under `no_grad` a constant one."""
        if is_constant:
            self._line("with torch.no_grad():")
            self._depth += 1
        self._line(f"{self._bound(name, 'value', scope)} = {value}")
        self._depth -= is_constant

    def _do_let(self, statement: Statement, scope: Scope, is_constant: bool) -> None:
        node, op = self._program.node(statement), statement["op"]
        operands = [self._read(name, scope) for name in statement["operands"]]
        if node.entry is not None:
            applied = f"{self._named(node)}([{', '.join(operands)}], environment)"
        elif op == "full":
            shape, value = tuple(node.attributes["shape"]), self._named(node.attributes["value"])
            applied = f"torch.full({shape}, {value}, dtype=dtype{self._there})"
        else:
            attributes = [f"{key}={value!r}" for key, value in node.attributes.items() if key != "dtype"]
            attributes += [f"dtype={self._named(value)}" for key, value in node.attributes.items() if key == "dtype"]
            self.space[f"{op}_"] = node.function
            applied = f"{op}_({', '.join([*operands, *attributes])})"
        self._assign(statement["name"], f"{applied}.clone()" if op in ALIASING else applied, scope, is_constant)

    def _do_rebind(self, statement: Statement, scope: Scope, _: bool) -> None:
        before, after = self._known(statement["name"], scope), self._known(statement["to"], scope)
        if before.kind != after.kind and after.kind != "counter":
            raise Unsupported("a reference stands for one that was detached, or the other way round")
        if before.flipped != after.flipped:
            raise Unsupported("a reference stands for one that goes backwards, or the other way round")
        if "value" not in (before.kind, after.kind):
            self._joined(before.written, after.written)
        read = self._read(statement["to"], scope) if after.kind == "counter" else after.written
        self._line(f"{before.written} = {read}")

    def _do_buffer(self, statement: Statement, scope: Scope, is_constant: bool) -> None:
        read = self._read(statement["from"], scope)
        copied = f"{read}.detach().clone()" if is_constant else f"{read}.clone()"
        self._line(f"{self._bound(statement['name'], 'reference', scope)} = {copied}")

    def _do_view(self, statement: Statement, scope: Scope, _: bool) -> None:
        known, how = self._known(statement["of"], scope), statement["how"]
        if known.flipped:
            raise Unsupported("a view of what goes backwards")
        flipped: tuple[int, ...] = ()
        seen = f"seen_otherwise({known.written}, {self._named(how)})"
        if how["kind"] == "slice":
            flipped = tuple(axis for axis, step in enumerate(how["steps"]) if step < 0)
            seen = f"{known.written}[{self._slices(how, known, scope)}]" if how["starts"] else known.written
        elif how["kind"] == "strided":
            start = self._index(how["start"], scope)
            seen = f"strided({known.written}, {start}, {tuple(how['shape'])}, {tuple(forwards(how['strides']))})"
        bound = self._bound(statement["name"], known.kind, scope)
        scope.own[statement["name"]] = Known(bound, known.kind, flipped)
        self._joined(bound, known.written)
        self._line(f"{bound} = {seen}")

    def _index(self, index: Any, scope: Scope) -> Any:
        """Returns a place along an axis, or the name of a counter."""
        return index if isinstance(index, int) else self._known(index, scope).written

    def _slices(self, how: Mapping[str, Any], of: Known, scope: Scope) -> str:
        starts = [self._index(start, scope) for start in how["starts"]]
        if any(start in self._computed for start in starts):
            given = ", ".join(map(str, starts))
            self._line(f"within({of.written}, ({given},), {tuple(how['sizes'])}, {tuple(how['steps'])})")
            forwards(how["steps"])
        parts = zip(starts, how["sizes"], how["steps"])
        return ", ".join(
            f"{start}:{start} + {size * step}:{step}"
            if step > 0
            else f"{start} - {(1 - size) * step}:{start} + 1:{-step}"
            for start, size, step in parts
        )

    def _do_write(self, statement: Statement, scope: Scope, is_constant: bool) -> None:
        target = self._known(statement["to"], scope)
        self._changed(target, "copy_", self._given(statement, scope), is_constant)

    def _do_update(self, statement: Statement, scope: Scope, is_constant: bool) -> None:
        target, op, given = self._known(statement["to"], scope), statement["op"], self._given(statement, scope)
        if op in IN_PLACE and not is_constant and target.kind == "reference":
            return self._changed(target, IN_PLACE[op], given, False)
        self.space[f"{op}_"] = self._program.function(op)
        return self._changed(target, "copy_", f"{op}_({self._read(statement['to'], scope)}, {given})", is_constant)

    def _do_write_rows(self, statement: Statement, scope: Scope, is_constant: bool) -> None:
        target, op = self._known(statement["to"], scope), statement.get("op")
        if target.flipped:
            raise Unsupported("rows of what goes backwards")
        rows = ", ".join(str(self._index(row, scope)) for row in statement["rows"])
        function = self._named(self._program.function(op) if op else None)
        given = self._copied(statement["from"], scope)
        is_detached = is_constant or target.kind == "detached"
        written = f"{target.written}, [{rows}], {op!r}, {function}, {given}"
        self._line(f"each_row_written({written}{', is_constant=True' if is_detached else ''})")

    def _do_write_where(self, statement: Statement, scope: Scope, is_constant: bool) -> None:
        self._write_masked(statement, self._read(statement["from"], scope), scope, is_constant)

    def _do_write_scatter(self, statement: Statement, scope: Scope, is_constant: bool) -> None:
        target, chosen = self._known(statement["to"], scope), f"{self._read(statement['mask'], scope)} != 0"
        row = self._copied(statement["from"], scope)
        if "op" in statement or is_constant or target.kind == "detached" or target.flipped:
            taken = f"torch.zeros_like({self._read(statement['to'], scope)}).masked_scatter({chosen}, {row})"
            return self._write_masked(statement, taken, scope, is_constant)
        # Compiled, this one goes through a broadcast too, where others are refused.
        self._line(f"check_once({target.written})")
        self._line(f"{target.written}.masked_scatter_({chosen}, {row})")

    def _write_masked(self, statement: Statement, given: str, scope: Scope, is_constant: bool) -> None:
        target, mask = self._known(statement["to"], scope), self._read(statement["mask"], scope)
        old, op = self._read(statement["to"], scope), statement.get("op")
        if op is not None:
            self.space[f"{op}_"] = self._program.function(op)
            # An operand of 1 beside the mask has a finite derivative, whatever stands there.
            given = f"{op}_({old}, torch.where({mask} != 0, {given}, 1.0))"
        self._changed(target, "copy_", f"torch.where({mask} != 0, {given}, {old})", is_constant)

    def _do_index(self, statement: Statement, scope: Scope, _: bool) -> None:
        read = self._read(statement["of"], scope)
        name = self._bound(statement["name"], "counter", scope)
        self._computed.add(name)
        self._line(f"{name} = place({read})")

    def _given(self, statement: Statement, scope: Scope) -> str:
        """Returns the written value, copied where it may share the location's memory."""
        is_same = statement["to"] == statement["from"]
        return self._read(statement["from"], scope) if is_same else self._copied(statement["from"], scope)

    def _changed(self, target: Known, method: str, value: str, is_constant: bool) -> None:
        is_detached = is_constant or target.kind == "detached"
        if self._may_overlap:
            self._line(f"check_once({target.written})")
        given = f"torch.flip({value}, {target.flipped})" if target.flipped else value
        self._line(f"{target.written}.{method}({given}{'.detach()' if is_detached else ''})")

    def _do_detach(self, statement: Statement, scope: Scope, _: bool) -> None:
        known = self._known(statement["of"], scope)
        if known.kind in ("reference", "detached"):
            scope.own[statement["name"]] = Known(known.written, "detached", known.flipped)
        else:
            self._line(f"{self._bound(statement['name'], 'value', scope)} = {self._read(statement['of'], scope)}.detach()")

    def _do_if(self, statement: Statement, scope: Scope, is_constant: bool) -> None:
        self._line(f"if {self._read(statement['condition'], scope)} != 0:")
        self._inner(statement["body"], Scope(scope), is_constant)
        if statement["otherwise"]:
            self._line("else:")
            self._inner(statement["otherwise"], Scope(scope), is_constant)

    def _do_for(self, statement: Statement, scope: Scope, is_constant: bool) -> None:
        inner = Scope(scope)
        self._line(f"for {self._bound(statement['counter'], 'counter', inner)} in range({statement['times']}):")
        self._inner(statement["body"], inner, is_constant)

    def _do_while(self, statement: Statement, scope: Scope, is_constant: bool) -> None:
        turns = self._fresh()
        self._line(f"{turns} = 0")
        self._line(f"while {self._read(statement['condition'], scope)} != 0:")
        self._depth += 1
        self._line(f"if {turns} >= {statement['fuel']}:")
        self._line("    raise ProgramError('the loop has had its turns, and its condition still holds')")
        self._line(f"{turns} += 1")
        self._depth -= 1
        self._inner(statement["body"], Scope(scope), is_constant)

    def _do_break(self, _statement: Statement, _scope: Scope, _: bool) -> None:
        self._line("break")

    def _do_return(self, statement: Statement, scope: Scope, _: bool) -> None:
        self._return(statement["operands"], scope)

    def _do_call(self, statement: Statement, scope: Scope, is_constant: bool) -> None:
        procedure = self._program.procedure(statement["procedure"])
        operands = []
        for parameter, name in zip(procedure["parameters"], statement["operands"]):
            known = self._known(name, scope)
            is_reference = parameter["kind"] != "value"
            if is_reference and known.kind == "detached":
                raise Unsupported("a procedure that writes through a reference which was detached")
            if is_reference and known.flipped:
                raise Unsupported("a procedure that is given what goes backwards")
            operands.append(known.written if is_reference else self._copied(name, scope))
        for parameter, name in zip(procedure["parameters"], statement["operands"]):
            if parameter["kind"] == "donated":
                self._given_away(self._known(name, scope))
        called = f"{self._called(procedure, is_constant)}({', '.join([AROUND, *operands])})"
        names = [self._bound(name, "value", scope) for name in statement["names"]]
        self._line(f"{''.join(name + ', ' for name in names)}= {called}" if names else called)

    def _called(self, procedure: Mapping[str, Any], is_constant: bool) -> str:
        key = (procedure["name"], is_constant)
        if key not in self._written:
            self._written[key] = f"p{len(self._written)}"
            self._wanted.append((procedure, is_constant, self._written[key]))
        return self._written[key]

    def _do_draw(self, statement: Statement, scope: Scope, _: bool) -> None:
        shape, kind, key = tuple(statement["shape"]), statement["from"], statement.get("key")
        name = self._bound(statement["name"], "value", scope)
        if key is not None:
            words = [self._index(word, scope) for word in key]
            return self._line(f"{name} = keyed(({words[0]}, {words[1]}), {self._named(kind)}, {shape}, dtype)")
        drawn = f"torch.rand({shape}, dtype=torch.float64{self._there})"
        if kind["kind"] == "bernoulli":
            drawn = f"torch.bernoulli(torch.full({shape}, {1 - kind['rate']!r}, dtype=torch.float64{self._there}))"
        self._line(f"{name} = {drawn}.to(dtype)")
        return self._line(f"told.append({name})")

    def _do_receive(self, statement: Statement, scope: Scope, _: bool) -> None:
        self._line(f"{self._bound(statement['name'], 'value', scope)} = received[{statement['channel']!r}].pop(0)")

    def _do_send(self, statement: Statement, scope: Scope, _: bool) -> None:
        self._line(f"sent.append(({statement['channel']!r}, {self._copied(statement['from'], scope)}))")

    def _do_no_grad(self, statement: Statement, scope: Scope, _: bool) -> None:
        self._line("if True:")
        self._inner(statement["body"], Scope(scope), True)

    def _do_checkpoint(self, statement: Statement, scope: Scope, is_constant: bool) -> None:
        """Writes a function of the names that the body reads, which returns rebound names.

        It has its own draws and its own world, since PyTorch calls it again: what it tells and sends is returned,
        and it takes from a copy of what is to be received.
        """
        body, function, more, copied = statement["body"], self._fresh(), self._fresh(), "{c: list(r) for c, r in received.items()}"
        if escapes(body):
            raise Unsupported("a function under torch.utils.checkpoint that leaves its caller")
        named = {known.written: None for name in sorted(named_in(body)) if (known := scope.find(name)) is not None}
        rebound = [known.written for name in sorted(rebound_in(body)) if (known := scope.find(name)) is not None]
        before, self._is_checkpointed = self._is_checkpointed, True
        self._line(f"def {function}({', '.join([*named, 'received'])}):")
        self._depth += 1
        self._line(f"told, sent, received = [], [], {copied}")
        self._block(body, Scope(scope), is_constant)
        self._line(f"return ({''.join(name + ', ' for name in rebound)}told, sent, received)")
        self._depth -= 1
        self._is_checkpointed = before
        left = "".join(name + ", " for name in rebound) + f"{more}_told, {more}_sent, {more}_left"
        self._line(f"{left} = checkpoint({', '.join([function, *named, copied])}, use_reentrant=False)")
        self._line(f"told.extend({more}_told)")
        self._line(f"sent.extend({more}_sent)")
        self._line(f"received.update({more}_left)")

    def _do_release(self, statement: Statement, scope: Scope, _: bool) -> None:
        self._line(f"{self._known(statement['of'], scope).written} = None")

    def _do_differentiate(self, statement: Statement, scope: Scope, is_constant: bool) -> None:
        procedure = self._program.procedure(statement["procedure"])
        *operands, along = [self._copied(name, scope) for name in statement["operands"]]
        # As `torch.func` has it, `no_grad` around a derivative does not reach into it.
        called = self._called(procedure, False)
        given = [*operands[: statement["wrt"]], "u", *operands[statement["wrt"] + 1 :]]
        function = f"lambda u: {called}({', '.join([AROUND, *given])})[{statement['of']}]"
        operand = operands[statement["wrt"]]
        derived = f"torch.func.vjp({function}, {operand})[1]({along})[0]"
        if statement["mode"] == "jvp":
            derived = f"torch.func.jvp({function}, ({operand},), ({along},))[1]"
        self._assign(statement["name"], derived, scope, is_constant)


def keyed(key: tuple[int, int], kind: Mapping[str, Any], shape: tuple[int, ...], dtype: torch.dtype) -> torch.Tensor:
    """Returns what a key of its own draws."""
    return tensor_of(np.asarray(drawn_from(key, kind, shape))).to(dtype)


def function_of(program: LoadedProgram, breaks: int = 0) -> Callable[..., Any]:
    """Compiles the entry to a function of its surroundings, state and parameters, with `__source__`."""
    source = Source(program, breaks)
    text = source.text()
    name = f"<program {id(program)}>"
    # Whoever traces the function looks up its lines.
    linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
    exec(compile(text, name, "exec"), source.space)
    main = source.space["main"]
    main.__source__ = text
    return main
