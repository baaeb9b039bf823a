"""The walk over a jaxpr: known numbers are folded, calls are inlined, all else is left to rules."""

from __future__ import annotations

from collections import ChainMap
from typing import Any, Callable, Mapping, Optional, Sequence

import jax.numpy as jnp
import numpy as np
from jax.extend.core import ClosedJaxpr, Jaxpr, JaxprEqn, Literal

from ..graph import Operand, Ref, Refused
from .jax_front_folding import evaluated, follow, is_exact
from .jax_front_graph import Tidy
from .jax_front_library import INLINED, LIBRARY, function_of_library, is_written, line_of
from .jax_front_values import NOTHING, NotSaid, Step, Value, known, real

# A graph with more nodes than this is refused: unrolled loops grow fast, and each case takes as long.
MOST_NODES = 4096

# So many integers and truth values may wait for each other until one of them is asked for.
MOST_WAITING = 20

# A rule writes one result of an equation: `rule(writer, params, *operands)`.
Rule = Callable[..., Any]

# What each precision may be converted to and back without losing a digit of it.
WIDER = {
    "float64": ("float64",),
    "float32": ("float32", "float64"),
    "float16": ("float16", "float32", "float64"),
    "bfloat16": ("bfloat16", "float32", "float64"),
}

# What draws random numbers without a key.
STATEFUL = frozenset(["rng_uniform"])


class Writer:
    """It writes a jaxpr down as nodes of a graph."""

    def __init__(self, dtype: str, rules: Mapping[str, Rule], refused: Mapping[str, str]) -> None:
        self.graph = Tidy()
        self.dtype = dtype
        self.rules, self.refused = rules, refused
        self.pointwise = False
        # Integer arguments that a part of the graph took as they are, as constants.
        self.frozen: set[str] = set()
        # The kind of entry that each integer argument has become, and its numbers.
        self.kinds: dict[str, str] = {}
        self.given: dict[str, np.ndarray] = {}
        # The line of the call of JAX's own function that is being written down.
        self.pinned: Optional[str] = None
        # The primitive that a rule writes.
        self.primitive = ""

    # ---- Values as operands ----------------------------------------------------------------------------

    def ref(self, value: Value) -> Ref:
        """Returns a value as one of the graph."""
        if value.written is None:
            value.written = self._said(value)
        return value.written

    def _said(self, value: Value) -> Ref:
        # What depends on arguments that are constants elsewhere is a constant too.
        if value.write is None or value.known and value.data & self.frozen:
            return self._constant(value)
        here = self.graph.line
        try:
            made = value.write()
        except NotSaid:
            made = self._constant(value)
        self.graph.line = here
        return self._constant(value) if value.known and value.data & self.frozen else made

    def _constant(self, value: Value) -> Ref:
        return self.graph.constant(real(self.now(value)))

    def now(self, value: Value) -> np.ndarray:
        """Returns the numbers of a value, those at this point if they depend on the inputs."""
        self.frozen |= value.data
        if not value.known:
            self.pointwise = True
            self._run(value)
        return value.number

    def _run(self, value: Value) -> None:
        stack = [value]
        while stack:
            top = stack[-1]
            if top.number is not None:
                stack.pop()
                continue
            assert top.step is not None
            step, place = top.step
            missing = [operand for operand in step.operands if operand.number is None]
            if missing:
                stack.extend(missing)
                continue
            step.run()
            top.number = step.results[place]
            stack.pop()

    def operand(self, value: Value) -> Operand:
        """Returns a value as an operand of an elementwise operator: numbers stay numbers, to be broadcast."""
        numbers = self.constant(value) if value.written is None else None
        return self.ref(value) if numbers is None else numbers

    def constant(self, value: Value) -> Optional[np.ndarray]:
        """Returns the numbers of a value that depends on nothing and was not rounded, and None of others."""
        return real(value.number) if value.known and not value.data and not value.rounded else None

    def entry(self, label: str, kind: str) -> str:
        """Returns the entry that an integer argument is, of this kind; indices stand in one row."""
        if self.kinds.setdefault(label, kind) != kind or label in self.frozen:
            raise NotSaid
        if label not in self.graph.entries:
            given = self.given[label]
            self.graph.entry(given.reshape(-1) if kind == "index" else given, kind, label)
        return label

    # ---- Jaxprs ------------------------------------------------------------------------------------------

    def run(
        self, jaxpr: Jaxpr, consts: Sequence[Value], operands: Sequence[Value], needed: Sequence[bool]
    ) -> list[Value]:
        """Writes a jaxpr down and returns its results; what no needed result asks for is left out."""
        values: dict[Any, Value] = dict(zip(jaxpr.constvars, consts))
        values.update(zip(jaxpr.invars, operands))
        alive = {var for var, wanted in zip(jaxpr.outvars, needed) if wanted and not isinstance(var, Literal)}
        wanted_of: dict[int, list[bool]] = {}
        for place in range(len(jaxpr.eqns) - 1, -1, -1):
            equation = jaxpr.eqns[place]
            wanted = [var in alive for var in equation.outvars]
            if any(wanted) or equation.effects:
                wanted_of[place] = wanted
                alive.update(var for var in asked_by(equation) if not isinstance(var, Literal))
        for place, equation in enumerate(jaxpr.eqns):
            if place not in wanted_of:
                continue
            given = [read(values, var) for var in equation.invars]
            for var, made in zip(equation.outvars, self.equation(equation, given, wanted_of[place])):
                values[var] = made
        return [read(values, var) if wanted else NOTHING for var, wanted in zip(jaxpr.outvars, needed)]

    def inline(self, closed: ClosedJaxpr, operands: Sequence[Value], needed: Sequence[bool]) -> list[Value]:
        """Writes a called function down. Lines of one that belongs to JAX are the caller's."""
        before = self.pinned
        if self.pinned is None and LIBRARY in str(getattr(closed.jaxpr.debug_info, "func_src_info", "")):
            self.pinned = self.graph.line
        made = self.run(closed.jaxpr, [known(const) for const in closed.consts], operands, needed)
        self.pinned = before
        return made

    def equation(self, equation: JaxprEqn, operands: Sequence[Value], needed: Sequence[bool]) -> list[Value]:
        """Writes one equation down."""
        name = equation.primitive.name
        self.graph.line = self.pinned or line_of(equation) or self.graph.line
        if name in STATEFUL:
            hint = "use jax.random with a key that is an argument or a constant"
            raise self.refusal(f"{name} draws random numbers without a key", hint)
        if name in INLINED:
            return self._called(equation, operands, needed)
        if equation.effects:
            raise self.refusal(f"{name} has a side effect", "leave it out of the function that is judged")
        if name == "platform_index":
            places = equation.params["platforms"]
            return [known(np.int32(next(place for place, names in enumerate(places) if names is None)))]
        step = Step(evaluated(equation), operands)
        # A linear system is folded by its own rule: its factors may be left out.
        if all(operand.known for operand in operands) and name != "custom_linear_solve":
            return self._folded(equation, operands, step)
        self._check(equation, needed)
        rule = self.rules.get(name)
        line = self.graph.line
        if rule is not None and hasattr(rule, "walks"):
            made = stepped(rule(self, equation, operands, needed), step)
        else:
            made = [self._result(rule, equation, operands, step, place, wanted) for place, wanted in enumerate(needed)]
        if len(self.graph.nodes) > MOST_NODES:
            self.graph.line = line
            hint = "trace it with smaller arguments or fewer steps"
            raise self.refusal(f"the function takes more than {MOST_NODES} nodes, with its loops unrolled", hint)
        return made

    def refusal(self, what: str, hint: str) -> Refused:
        """Returns what refuses the line that is being written down."""
        return Refused(what, self.graph.line, hint)

    def _called(self, equation: JaxprEqn, operands: Sequence[Value], needed: Sequence[bool]) -> list[Value]:
        """Writes a call down: inlined, unless it is a function of JAX with a rule as a whole."""
        name, step = equation.primitive.name, Step(evaluated(equation), operands)
        closed = INLINED[name](equation.params)
        given = operands[len(operands) - len(closed.jaxpr.invars) :]
        if all(operand.known and not operand.data for operand in operands) and not equation.effects:
            # Floats may be rounded within, and are then written down.
            if not any(is_float(var.aval) for var in equation.outvars):
                return self._folded(equation, operands, step)
        called = f"{name} of {function_of_library(closed)}"
        recognised = self.rules.get(called)
        if recognised is None or not is_written(called, closed):
            return self.inline(closed, given, needed)
        return stepped(recognised(self, closed, given, needed), step)

    def _check(self, equation: JaxprEqn, needed: Sequence[bool]) -> None:
        """Refuses an equation of unknown numbers that no graph can say."""
        name = equation.primitive.name
        if name in self.refused and any(needed):
            what, _, hint = self.refused[name].partition(" | ")
            raise self.refusal(f"{name}: {what}", hint)
        for var, wanted in zip(equation.outvars, needed):
            dtype = getattr(var.aval, "dtype", np.dtype(bool))
            if jnp.issubdtype(dtype, jnp.complexfloating):
                hint = "write real and imaginary parts as floats, or give reference="
                raise self.refusal(f"{name} makes complex numbers", hint)
            if not is_float(var.aval) or not wanted:
                continue
            if name not in self.rules:
                hint = "give a plain version as reference=, or use what docs/python-fronts.md lists"
                raise self.refusal(f"there is no operator for the primitive {name}", hint)
            if dtype.name not in WIDER[self.dtype]:
                hint = "compute in one precision: a rounding on the way is no part of the function"
                raise self.refusal(f"numbers of {self.dtype} are rounded to {dtype.name}", hint)

    def _result(
        self, rule: Optional[Rule], equation: JaxprEqn, operands: Sequence[Value], step: Step, place: int, wanted: bool
    ) -> Value:
        """Returns one result of an equation; floats are written at once, all else when it is asked for."""
        aval: Any = equation.outvars[place].aval
        write = self._written(rule, equation, operands, place)
        value = Value(aval.shape, aval.dtype, write=write, step=(step, place), data=data_of(operands))
        if is_float(aval) and wanted:
            try:
                value.written = write()
            except NotSaid:
                what = f"{equation.primitive.name} cannot be said of these operands"
                raise self.refusal(what, "give a plain version as reference=") from None
            assert value.written.shape == value.shape, f"{equation.primitive.name}: {value.written.shape}, not {value.shape}"
        elif not is_float(aval):
            # A count that a long loop makes is written as it goes, so that no writing is nested too deep.
            value.waits = 1 + max((operand.waits for operand in operands), default=0)
            if value.waits > MOST_WAITING:
                self.ref(value)
                value.waits = 0
        return value

    def _written(
        self, rule: Optional[Rule], equation: JaxprEqn, operands: Sequence[Value], place: int
    ) -> Callable[[], Ref]:
        """Returns what writes result `place` of an equation, as a part of the line that is written now."""
        line = self.graph.line

        def write() -> Ref:
            if rule is None:
                raise NotSaid
            before, self.graph.line = self.graph.line, line
            self.primitive = equation.primitive.name
            try:
                return rule(self, ChainMap({"": place}, equation.params), *operands)
            finally:
                self.graph.line = before

        return write

    def _folded(self, equation: JaxprEqn, operands: Sequence[Value], step: Step) -> list[Value]:
        """Evaluates an equation of known numbers; what depends on data can still be written down."""
        step.run()
        name, data = equation.primitive.name, data_of(operands)
        rule = self.rules.get(name)
        made = []
        for place, number in enumerate(step.results):
            value = known(number)
            value.data = data
            value.opaque = value.floating and (rule is None or any(operand.opaque for operand in operands))
            value.rounded = value.floating and not value.opaque and not is_exact(name, operands, number)
            if value.rounded:
                value.origin = (name, operands)
            if (data or value.rounded) and not hasattr(rule, "walks"):
                value.write = self._written(rule, equation, operands, place)
            made.append(value)
        if data:
            follow(equation, operands, made[0])
        return made


def stepped(made: Sequence[Value], step: Step) -> list[Value]:
    """Returns the results of a step, which computes the numbers of those that have no step of their own."""
    for place, value in enumerate(made):
        value.step = value.step or (step, place)
    return list(made)


def data_of(operands: Sequence[Value]) -> frozenset[str]:
    """Returns the integer arguments that operands depend on."""
    none: frozenset[str] = frozenset()
    return none.union(*(operand.data for operand in operands))


def is_float(aval: Any) -> bool:
    """Tells whether the values of a variable are floats."""
    return bool(jnp.issubdtype(getattr(aval, "dtype", np.dtype(bool)), jnp.floating))


def read(values: Mapping[Any, Value], var: Any) -> Value:
    """Returns the value of a variable or of a literal; of one that is not needed, anything."""
    if not isinstance(var, Literal):
        return values.get(var, NOTHING)
    aval: Any = var.aval
    return known(var.val if hasattr(var.val, "shape") else np.asarray(var.val, aval.dtype))


def asked_by(equation: JaxprEqn) -> list[Any]:
    """Returns the variables that an equation is written down from: not the factors of a linear system."""
    if equation.primitive.name != "custom_linear_solve":
        return list(equation.invars)
    lengths = equation.params["const_lengths"]
    return [*equation.invars[: lengths.matvec], *equation.invars[sum(lengths) :]]
