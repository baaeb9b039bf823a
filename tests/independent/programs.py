"""An executor of programs with memory over exact rational numbers, with derivatives.

It is written from spec/SEMANTICS.md, docs/operators.md and the schemas alone, to be compared with the
reference, of which it shares no line. It reads a JSON list of questions from standard input, each a program
case with tangents of its inputs, and prints a JSON list of answers. With `--plant NAME` it makes one
mistake, which the comparison has to find; of several names, each has a list of answers.
"""

from __future__ import annotations

import argparse
import json
import sys
from fractions import Fraction
from math import isfinite, prod
from typing import Dict, List, Optional, Sequence, Tuple, Union

from numbers_exact import (
    ONE, ZERO, Dual, NoValue, Number, Traced, cotangents_from, multiply, plain, tangents_along, total,
)
from operators import Environment, Tensor, Unknown, apply, broadcast
from random_bits import bits_of, threefry
from views import Fault, View, transformed, whole

PLANTS = (
    "slice_steps", "unfold_step", "diagonal_offset", "view_copied", "alias_copied", "buffer_shared",
    "write_reads_late",
    "rows_backwards", "mask_inverted", "row_by_position", "no_grad_dropped", "detach_dropped", "donation_kept",
    "release_dropped", "fuel_unlimited", "break_ignored", "draw_uncounted", "level_shared",
    "said_ignored", "derived_twice", "derived_unshared",
)


class Location:
    """Memory: the elements of a tensor, until it is released."""

    def __init__(self, elements: Sequence[Number]) -> None:
        self.elements = list(elements)
        self.is_released = False


class Reference:
    """A view of a location. What is read or written through a detached one is constant."""

    def __init__(self, location: Location, view: View, is_detached: bool) -> None:
        self.location, self.view, self.is_detached = location, view, is_detached


Entity = Union[Tensor, Reference, int]


class Scope:
    """Names of a block, and those of the blocks around it."""

    def __init__(self, outer: Optional["Scope"] = None) -> None:
        self.names: Dict[str, Entity] = {}
        self.outer = outer

    def find(self, name: str) -> Entity:
        if name in self.names:
            return self.names[name]
        assert self.outer is not None, f"a checked program knows {name}"
        return self.outer.find(name)

    def rebind(self, name: str, entity: Entity) -> None:
        if name in self.names or self.outer is None:
            self.names[name] = entity
        else:
            self.outer.rebind(name, entity)


class Break(Exception):
    pass


class Return(Exception):
    def __init__(self, results: List[Tensor]) -> None:
        super().__init__()
        self.results = results


def constant(x: Tensor) -> Tensor:
    """The same numbers, which depend on nothing. Each may be asked for its cotangent."""
    return Tensor(x.shape, tuple(Traced(plain(element)) for element in x.elements))


def renewed(x: Number) -> Number:
    """The number as the element of another value, whose cotangent is its own."""
    if isinstance(x, Dual):
        return x
    return Traced(plain(x), ((x, ONE),) if isinstance(x, Traced) else ())


class Run:
    """One call of a program's entry. Owns the generator, the world, and what is sent and retained."""

    def __init__(self, program: dict, environment: Environment, generator: dict, received: dict,
                 faults: set) -> None:
        self.procedures = {procedure["name"]: procedure for procedure in program["procedures"]}
        self.environment = environment
        self.key, self.drawn = tuple(generator["key"]), generator["drawn"]
        self.received = {channel: list(tensors) for channel, tensors in received.items()}
        self.faults = faults
        self.sent: List[Tuple[str, Tensor]] = []
        self.retained: List[Tensor] = []
        self.is_constant = False
        # One is of the run's own derivative; each differentiate and differentiate_call around adds one.
        self.levels = 1
        self.may_send = True

    # What is read and written

    def read(self, entity: Entity) -> Tensor:
        if isinstance(entity, int):
            return Tensor((), (Fraction(entity),))
        if isinstance(entity, Tensor):
            return entity
        if entity.location.is_released:
            raise Fault("program/released")
        seen = Tensor(entity.view.shape, tuple(entity.location.elements[p] for p in entity.view.places))
        return constant(seen) if entity.is_detached else seen

    def write(self, reference: Reference, value: Tensor) -> None:
        location, places = reference.location, reference.view.places
        if location.is_released:
            raise Fault("program/released")
        if len(set(places)) < len(places):
            raise Fault("program/write")
        written = constant(value) if self.is_constant or reference.is_detached else value
        for place, element in zip(places, written.elements):
            location.elements[place] = element

    def computed(self, value: Tensor) -> Tensor:
        """A value that is made at this moment: under no_grad a constant, else it has its own cotangent."""
        if self.is_constant:
            return constant(value)
        return Tensor(value.shape, tuple(map(renewed, value.elements)))

    def place(self, scope: Scope, index: Union[int, str]) -> int:
        if isinstance(index, int):
            return index
        found = scope.find(index)
        assert isinstance(found, int), f"{index} is a place"
        return found

    # Statements

    def block(self, statements: Sequence[dict], scope: Scope) -> None:
        for statement in statements:
            getattr(self, "do_" + statement["do"])(statement, scope)

    def do_let(self, s: dict, scope: Scope) -> None:
        operands = [self.read(scope.find(name)) for name in s["operands"]]
        scope.names[s["name"]] = self.computed(apply(s["op"], self.environment, s["attributes"], operands))

    def do_rebind(self, s: dict, scope: Scope) -> None:
        scope.rebind(s["name"], scope.find(s["to"]))

    def do_buffer(self, s: dict, scope: Scope) -> None:
        source = scope.find(s["from"])
        if "buffer_shared" in self.faults and isinstance(source, Reference):
            scope.names[s["name"]] = source
            return
        scope.names[s["name"]] = self.copied(self.read(source))

    def copied(self, value: Tensor) -> Reference:
        held = constant(value) if self.is_constant else value
        return Reference(Location(held.elements), whole(held.shape), False)

    def do_view(self, s: dict, scope: Scope) -> None:
        of = scope.find(s["of"])
        assert isinstance(of, Reference), "a view is of a reference"
        view = transformed(of.view, s["how"], lambda index: self.place(scope, index), self.faults)
        if view is None:
            seen = self.copied(Tensor(tuple(s["how"]["shape"]), self.read(of).elements))
        elif "view_copied" in self.faults and s["how"]["kind"] == "reshape":
            seen = self.copied(Tensor(view.shape, self.read(of).elements))
        else:
            seen = Reference(of.location, view, of.is_detached)
        scope.names[s["name"]] = seen

    def target(self, scope: Scope, name: str) -> Reference:
        found = scope.find(name)
        assert isinstance(found, Reference), f"{name} is a reference"
        return found

    def do_write(self, s: dict, scope: Scope) -> None:
        to, source = self.target(scope, s["to"]), scope.find(s["from"])
        if "write_reads_late" in self.faults and isinstance(source, Reference):
            for place, origin in zip(to.view.places, source.view.places):
                self.write(Reference(to.location, View((), (place,)), to.is_detached),
                           self.read(Reference(source.location, View((), (origin,)), source.is_detached)))
            return
        self.write(to, self.read(source))

    def do_update(self, s: dict, scope: Scope) -> None:
        to = self.target(scope, s["to"])
        self.write(to, apply(s["op"], {}, {}, [self.read(to), self.read(scope.find(s["from"]))]))

    def do_write_rows(self, s: dict, scope: Scope) -> None:
        to, value = self.target(scope, s["to"]), self.read(scope.find(s["from"]))
        rows = list(enumerate(self.place(scope, row) for row in s["rows"]))
        for given, row in reversed(rows) if "rows_backwards" in self.faults else rows:
            if row >= to.view.shape[0]:
                raise Fault("program/index")
            rest = to.view.shape[1:]
            size = prod(rest)
            seen = View(rest, to.view.places[row * size:(row + 1) * size])
            target = Reference(to.location, seen, to.is_detached)
            own = Tensor(rest, value.elements[given * size:(given + 1) * size])
            self.write(target, apply(s["op"], {}, {}, [self.read(target), own]) if "op" in s else own)

    def do_write_where(self, s: dict, scope: Scope) -> None:
        to, mask, value = (self.read(scope.find(s[part])) for part in ("to", "mask", "from"))
        wide = value if value.shape == to.shape else broadcast(value, to.shape)
        if "op" in s:
            # No place where the mask is 0 is computed.
            scalars = zip(mask.elements, to.elements, wide.elements)
            wide = Tensor(to.shape, tuple(
                apply(s["op"], {}, {}, [Tensor((), (old,)), Tensor((), (new,))]).elements[0]
                if plain(of) != 0 else old for of, old, new in scalars))
        pair = [to, wide] if "mask_inverted" in self.faults else [wide, to]
        self.write(self.target(scope, s["to"]), apply("where", {}, {}, [mask, *pair]))

    def do_write_scatter(self, s: dict, scope: Scope) -> None:
        to, mask, row = (self.read(scope.find(s[part])) for part in ("to", "mask", "from"))
        written, count = list(to.elements), 0
        for place, of in enumerate(mask.elements):
            if plain(of) == 0:
                continue
            taken = place if "row_by_position" in self.faults else count
            if taken >= len(row.elements):
                raise Fault("program/index")
            pair = [Tensor((), (written[place],)), Tensor((), (row.elements[taken],))]
            written[place] = (apply(s["op"], {}, {}, pair) if "op" in s else pair[1]).elements[0]
            count += 1
        self.write(self.target(scope, s["to"]), Tensor(to.shape, tuple(written)))

    def do_index(self, s: dict, scope: Scope) -> None:
        (scalar,) = map(plain, self.read(scope.find(s["of"])).elements)
        if scalar.denominator != 1 or scalar < 0:
            raise Fault("program/index")
        scope.names[s["name"]] = int(scalar)

    def do_detach(self, s: dict, scope: Scope) -> None:
        of = scope.find(s["of"])
        if "detach_dropped" in self.faults:
            scope.names[s["name"]] = of
        elif isinstance(of, Reference):
            scope.names[s["name"]] = Reference(of.location, of.view, True)
        else:
            scope.names[s["name"]] = constant(self.read(of))

    def holds(self, scope: Scope, condition: str) -> bool:
        return plain(self.read(scope.find(condition)).elements[0]) != 0

    def do_if(self, s: dict, scope: Scope) -> None:
        self.block(s["body" if self.holds(scope, s["condition"]) else "otherwise"], Scope(scope))

    def do_for(self, s: dict, scope: Scope) -> None:
        for turn in range(s["times"]):
            inner = Scope(scope)
            inner.names[s["counter"]] = turn
            try:
                self.block(s["body"], inner)
            except Break:
                return

    def do_while(self, s: dict, scope: Scope) -> None:
        fuel = s["fuel"]
        while self.holds(scope, s["condition"]):
            if fuel == 0 and "fuel_unlimited" not in self.faults:
                raise Fault("program/fuel")
            fuel -= 1
            try:
                self.block(s["body"], Scope(scope))
            except Break:
                return

    def do_break(self, _s: dict, _scope: Scope) -> None:
        if "break_ignored" not in self.faults:
            raise Break()

    def do_return(self, s: dict, scope: Scope) -> None:
        raise Return([self.read(scope.find(name)) for name in s["operands"]])

    def do_call(self, s: dict, scope: Scope) -> None:
        procedure = self.procedures[s["procedure"]]
        passed = self.all_passed(procedure, [scope.find(name) for name in s["operands"]])
        for name, result in zip(s["names"], self.body(procedure, passed)):
            scope.names[name] = result

    def all_passed(self, procedure: dict, given: Sequence[Entity]) -> Scope:
        """The names that a procedure begins with, where it is called with these."""
        passed = Scope()
        for parameter, entity in zip(procedure["parameters"], given):
            passed.names[parameter["name"]] = self.passed(parameter["kind"], entity)
        return passed

    def do_custom(self, s: dict, scope: Scope) -> None:
        """The procedure runs on constants; the derivative, beside it, on what the operands were before."""
        procedure, derivative = self.procedures[s["procedure"]], self.procedures[s["derivative"]]
        given = [scope.find(name) for name in s["operands"]]
        marked = [entity for entity, parameter in zip(given, procedure["parameters"])
                  if parameter["kind"] == "reference" and isinstance(entity, Reference)]
        earlier = [self.read(entity) for entity in given]
        passed = Scope()
        for parameter, entity in zip(procedure["parameters"], given):
            is_seen = parameter["kind"] == "reference" and isinstance(entity, Reference)
            passed.names[parameter["name"]] = (Reference(entity.location, entity.view, True) if is_seen
                                               else constant(self.read(entity)))
        values = self.body(procedure, passed)
        saved = values[len(s["names"]):]
        beside = Scope()
        for parameter, value in zip(derivative["parameters"], [*earlier, *saved]):
            held = Reference(Location(value.elements), whole(value.shape), False)
            beside.names[parameter["name"]] = held if parameter["kind"] == "reference" else value
        paths = self.body(derivative, beside)
        for name, value, path in zip(s["names"], values, paths):
            scope.names[name] = self.computed(self.said(value, path))
        for entity, path in zip(marked, paths[len(s["names"]):]):
            self.write(entity, self.said(self.read(entity), path))

    def do_hook(self, s: dict, scope: Scope) -> None:
        value = self.read(scope.find(s["of"]))
        derivative, beside = self.procedures[s["derivative"]], Scope()
        beside.names[derivative["parameters"][0]["name"]] = value
        scope.names[s["name"]] = self.computed(self.said(value, self.body(derivative, beside)[0]))

    def said(self, value: Tensor, path: Tensor) -> Tensor:
        """The numbers of one tensor, which depend on what those of another one depend on."""
        if "said_ignored" in self.faults:
            return value

        def one(x: Number, y: Number) -> Number:
            if isinstance(y, Dual):
                return Dual(y.level, one(x, y.value), y.partials)
            return Traced(plain(x), ((y, ONE),)) if isinstance(y, Traced) else plain(x)

        return Tensor(value.shape, tuple(map(one, value.elements, path.elements)))

    def passed(self, kind: str, entity: Entity) -> Entity:
        if kind == "value":
            return self.read(entity)
        assert isinstance(entity, Reference), "a location is passed"
        if kind == "reference":
            return entity
        given = entity.location
        if given.is_released:
            raise Fault("program/released")
        own = Location(given.elements)
        given.is_released = "donation_kept" not in self.faults
        return Reference(own, entity.view, entity.is_detached)

    def body(self, procedure: dict, scope: Scope) -> List[Tensor]:
        try:
            self.block(procedure["body"], scope)
        except Return as end:
            return end.results
        return [self.read(scope.find(result["name"])) for result in procedure["results"]]

    def do_draw(self, s: dict, scope: Scope) -> None:
        if "key" in s:
            one, other = (self.place(scope, word) for word in s["key"])
            key = (one, other)
        else:
            key = threefry(self.key, (0, self.drawn))
            self.drawn += 0 if "draw_uncounted" in self.faults else 1
        shares = [Fraction(word, 2**32) for word in bits_of(key, prod(s["shape"]))]
        if s["from"]["kind"] == "bernoulli":
            rate = Fraction(s["from"]["rate"])
            shares = [ONE if share >= rate else ZERO for share in shares]
        scope.names[s["name"]] = constant(Tensor(tuple(s["shape"]), tuple(shares)))

    def do_receive(self, s: dict, scope: Scope) -> None:
        waiting = self.received.get(s["channel"], [])
        if not waiting or list(waiting[0].shape) != s["shape"]:
            raise Fault("program/world")
        scope.names[s["name"]] = constant(waiting.pop(0))

    def do_send(self, s: dict, scope: Scope) -> None:
        if not self.may_send:
            raise Fault("program/effect")
        self.sent.append((s["channel"], self.read(scope.find(s["from"]))))

    def do_no_grad(self, s: dict, scope: Scope) -> None:
        self.within(s, scope, self.is_constant or "no_grad_dropped" not in self.faults)

    def do_checkpoint(self, s: dict, scope: Scope) -> None:
        self.within(s, scope, self.is_constant)

    def within(self, s: dict, scope: Scope, is_constant: bool) -> None:
        before, self.is_constant = self.is_constant, is_constant
        try:
            self.block(s["body"], Scope(scope))
        finally:
            self.is_constant = before

    def do_retain(self, s: dict, scope: Scope) -> None:
        if self.levels == 1:
            self.retained.append(self.read(scope.find(s["of"])))

    def do_release(self, s: dict, scope: Scope) -> None:
        location = self.target(scope, s["of"]).location
        location.is_released = location.is_released or "release_dropped" not in self.faults

    def do_differentiate(self, s: dict, scope: Scope) -> None:
        """Operands are those of the procedure, then the seed. Nothing is sent from within."""
        procedure = self.procedures[s["procedure"]]
        *given, seed = (self.read(scope.find(name)) for name in s["operands"])
        before, self.may_send = self.may_send, False
        (answer,) = self.derivatives(procedure, self.all_passed(procedure, given),
                                     s["mode"], [s["of"]], [s["wrt"]], [seed])
        self.may_send = before
        scope.names[s["name"]] = self.computed(answer)

    def do_differentiate_call(self, s: dict, scope: Scope) -> None:
        """The run is differentiated on copies, whose effects are undone; then the call happens."""
        procedure, given = self.procedures[s["procedure"]], [scope.find(name) for name in s["operands"]]
        along = [self.read(scope.find(name)) for name in s["along"]]
        drawn, count_sent = self.drawn, len(self.sent)
        received = {channel: list(waiting) for channel, waiting in self.received.items()}
        answers = self.derivatives(procedure, self.all_passed(procedure, self.as_copies(given)),
                                   s["mode"], s["of"], s["wrt"], along)
        self.drawn, self.received = drawn, received
        del self.sent[count_sent:]
        if "derived_twice" in self.faults:
            self.do_call(s, Scope(scope))
        self.do_call(s, scope)
        scope.names.update(zip(s["derivatives"], map(self.computed, answers)))

    def as_copies(self, given: Sequence[Entity]) -> List[Entity]:
        """The same, but references see copies of their locations; those that share one share its copy."""
        copies: Dict[int, Location] = {}

        def copied(i: int, entity: Entity) -> Entity:
            if not isinstance(entity, Reference):
                return entity
            of = entity.location
            own = copies.setdefault(i if "derived_unshared" in self.faults else id(of), Location(of.elements))
            own.is_released = of.is_released
            return Reference(own, entity.view, entity.is_detached)

        return [copied(i, entity) for i, entity in enumerate(given)]

    def derivatives(self, procedure: dict, passed: Scope, mode: str, of: Sequence[int],
                    wrt: Sequence[int], along: Sequence[Tensor]) -> List[Tensor]:
        """The derivatives of a run, at a level of its own. A no_grad around does not reach within."""
        parameters = [passed.find(parameter["name"]) for parameter in procedure["parameters"]]
        level = 2 if "level_shared" in self.faults else self.levels + 1
        before = self.is_constant, self.levels
        self.is_constant, self.levels = False, level
        sides = [self.read(parameters[i]).shape for i in wrt]
        varied: List[range] = []
        for i, shape in zip(wrt, sides):
            first = varied[-1].stop if varied else 0
            varied.append(range(first, first + prod(shape)))
            self.vary(passed, procedure["parameters"][i]["name"], varied[-1], level)
        results = self.body(procedure, passed)
        left = [results[i] if i < len(results) else self.read(parameters[i - len(results)]) for i in of]
        self.is_constant, self.levels = before

        def partial(element: Number, place: int) -> Number:
            of_level = isinstance(element, Dual) and element.level == level
            return element.partials.get(place, ZERO) if of_level else ZERO

        pulled = [y for x in left for y in x.elements]
        pushed = [place for places in varied for place in places]
        given = [element for x in along for element in x.elements]
        if mode == "vjp":
            return [Tensor(shape, tuple(total(multiply(c, partial(y, place)) for c, y in zip(given, pulled))
                                        for place in places)) for shape, places in zip(sides, varied)]
        return [Tensor(x.shape, tuple(total(multiply(t, partial(y, place)) for t, place in zip(given, pushed))
                                      for y in x.elements)) for x in left]

    def vary(self, passed: Scope, name: str, places: range, level: int) -> None:
        """Numbers the elements that a parameter is, or sees, as those that a level varies."""
        entity = passed.find(name)
        seen = [Dual(level, x, {place: ONE}) for place, x in zip(places, self.read(entity).elements)]
        if not isinstance(entity, Reference):
            passed.names[name] = Tensor(self.read(entity).shape, tuple(seen))
            return
        for at, x in zip(entity.view.places, seen):
            held = entity.location.elements[at]
            if isinstance(held, Dual) and held.level == level:
                raise Fault("program/write")
            entity.location.elements[at] = x


# Questions and answers

def tensor_of(json_tensor: dict) -> Tensor:
    """The tensor that JSON denotes; its numbers are float64, nearest to decimals [SEMANTICS 8.1 to 8.4]."""

    def number(element: Union[int, str]) -> Fraction:
        is_hexadecimal = isinstance(element, str) and "0x" in element.lower()
        near = float.fromhex(element) if is_hexadecimal else float(element)
        if not isfinite(near):
            raise NoValue()
        return Fraction(near)

    return Tensor(tuple(json_tensor["shape"]), tuple(map(number, json_tensor["data"])))


def texts(numbers: Sequence[Number]) -> List[str]:
    return [str(plain(number)) for number in numbers]


def executed(question: dict, faults: set) -> dict:
    case = question["case"]
    program = case["program"]
    entry = program["procedures"][0]
    environment = {name: tensor_of(tensor) for name, tensor in case["environment"].items()}
    received = {channel: list(map(tensor_of, tensors)) for channel, tensors in case["received"].items()}
    run = Run(program, environment, case["generator"], received, faults)
    inputs = [constant(tensor_of(tensor)) for tensor in case["parameters"] + case["state"]]
    scope = Scope()
    stored: List[Reference] = []
    for i, declared in enumerate(entry["parameters"] + program["state"]):
        is_value = i < len(entry["parameters"]) and declared["kind"] == "value"
        own = Reference(Location(inputs[i].elements), whole(inputs[i].shape), False)
        scope.names[declared["name"]] = inputs[i] if is_value else own
        if i >= len(entry["parameters"]):
            stored.append(own)
    for alias in program.get("aliases", []):
        run.do_view(alias, scope)
        if "alias_copied" in faults:
            scope.names[alias["name"]] = run.copied(run.read(scope.find(alias["name"])))
    results = run.body(entry, scope)
    state = [run.read(reference) for reference in stored]
    left = [*results, *state, *(value for _, value in run.sent)]

    seeds = [(element, plain(seed))
             for one in case["seeds"]
             for element, seed in zip(results[one["id"]].elements, tensor_of(one["cotangent"]).elements)]
    cotangents = cotangents_from(seeds)
    along = {id(element): plain(tangent)
             for x, given in zip(inputs, question["tangents"])
             for element, tangent in zip(x.elements, tensor_of(given).elements)}

    def pulled(x: Tensor) -> List[str]:
        return texts([cotangents.get(id(element), ZERO) for element in x.elements])

    return {
        "results": [texts(x.elements) for x in results],
        "state": [texts(x.elements) for x in state],
        "sent": [[channel, *texts(x.elements)] for channel, x in run.sent],
        "drawn": run.drawn,
        "cotangents": [pulled(x) for x in inputs],
        "retained": [pulled(x) for x in run.retained],
        "tangents": [texts(tangents_along(list(x.elements), along)) for x in left],
    }


def answered(question: dict, faults: set) -> dict:
    try:
        return executed(question, faults)
    except Fault as fault:
        return {"error": str(fault)}
    except (Unknown, NoValue) as reason:
        return {"uncounted": f"{type(reason).__name__} {reason}".strip()}
    except (AssertionError, AttributeError, IndexError, KeyError, ValueError, RecursionError) as crash:
        return {"crash": f"{type(crash).__name__}: {crash}"}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--plant", action="append", default=[], choices=PLANTS)
    parser.add_argument("--plants", action="store_true", help="print the names of all mistakes")
    options = parser.parse_args()
    if options.plants:
        json.dump(PLANTS, sys.stdout)
        return
    plants = options.plant
    sys.setrecursionlimit(20_000)
    # Programs that square in loops have numbers of any length; Python before 3.10.7 knows no limit.
    if hasattr(sys, "set_int_max_str_digits"):
        sys.set_int_max_str_digits(0)
    questions = json.load(sys.stdin)
    if plants:
        planted = {plant: [answered(question, {plant}) for question in questions] for plant in plants}
        json.dump(planted, sys.stdout)
    else:
        json.dump([answered(question, set()) for question in questions], sys.stdout)


if __name__ == "__main__":
    main()
