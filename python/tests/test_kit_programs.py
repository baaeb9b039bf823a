"""Tests of how the kit runs programs, with a library of dual numbers. Run them here: `python -m unittest`."""

from __future__ import annotations

import unittest
from typing import Any, Optional, Sequence

import numpy as np
from adjudge.kit.adapter import Arrays
from adjudge.kit.draws import drawn_from, threefry
from adjudge.kit.functional import Functional
from adjudge.kit.programs import MEMORY_STATEMENTS, MOST_TRACED_CALLS, PLAIN_STATEMENTS, TAPE_STATEMENTS, Block, Leaving, Names, Run
from test_kit import LOAD, Dual, Talk, Toy, dual


def linear(function: Any) -> Any:
    """An operator that moves elements alone."""
    return lambda x, **how: Dual(function(x.value, **how), function(x.tangent, **how))


class ToyMemory(Functional):
    pass


class TracingMemory(Functional):
    """Finds out by functions of all arrays in reach what others know beforehand."""

    rolls_loops = True

    def truth(self, value: Dual) -> None:
        return None

    def branch(self, condition: Dual, body: Any, otherwise: Any, arrays: Arrays) -> Arrays:
        # Both are looked at, as who traces looks at both.
        both = [otherwise(arrays), body(arrays)]
        return both[int(condition.value != 0)]

    def turns(self, times: int, turn: Any, arrays: Arrays) -> Arrays:
        turn(np.int64(0), arrays)
        for count in range(times):
            arrays = turn(np.int64(count), arrays)
        return arrays

    def while_holds(self, holds: Any, fuel: int, turn: Any, arrays: Arrays) -> tuple[Arrays, Any]:
        while holds(arrays).value != 0 and fuel > 0:
            arrays, fuel = turn(arrays), fuel - 1
        return arrays, holds(arrays).value != 0

    def cast(self, value: Any, dtype: np.dtype) -> Dual:
        return dual(np.asarray(value, dtype))


class RepeatingMemory(Functional):
    """Runs a checkpoint's body once more, as a sweep does."""

    def checkpoint(self, run: Run, block: Block, names: Names) -> Optional[Leaving]:
        again = run.again(block, names)
        left = run.block(block, Names(names))
        again()
        return left


class ProgramToy(Toy):
    nests = True
    operators = {
        **Toy.operators,
        "full": lambda shape, value, dtype: dual(np.full(shape, value, dtype)),
        "stop_gradient": lambda x: dual(x.value),
        "reshape": linear(lambda x, shape: x.reshape(shape)),
        "sum": linear(lambda x, axes, keepdims: np.sum(x, axes, keepdims=keepdims)),
        "concat": lambda *xs, axis: Dual(*(np.concatenate([getattr(x, part) for x in xs], axis) for part in ("value", "tangent"))),
    }
    statements = (*PLAIN_STATEMENTS, *MEMORY_STATEMENTS, *TAPE_STATEMENTS)

    def __init__(self, memory: Any = ToyMemory) -> None:
        self.memory = memory(self)

    def inner_jvp(self, f: Any, inputs: Arrays, tangents: Arrays) -> Arrays:
        return [dual(tangent) for tangent in self.jvp(f, inputs, tangents)]

    def inner_vjp(self, f: Any, inputs: Arrays, cotangents: Arrays) -> Arrays:
        return [dual(cotangent) for cotangent in self.vjp(f, inputs, cotangents)]


def tensor(*numbers: float, shape: Any = None) -> dict[str, Any]:
    return {"shape": [len(numbers)] if shape is None else shape, "data": [float(x).hex() for x in numbers]}


def let(name: str, op: str, *operands: str, **attributes: Any) -> dict[str, Any]:
    return {"do": "let", "name": name, "op": op, "attributes": attributes, "operands": list(operands)}


def full(name: str, *shape: int, value: float) -> dict[str, Any]:
    return let(name, "full", shape=list(shape), value=value)


def buffer(name: str, value: str) -> dict[str, Any]:
    return {"do": "buffer", "name": name, "from": value}


def sliced(name: str, of: str, starts: Sequence[Any], sizes: Sequence[int], steps: Sequence[int] = (1,)) -> dict[str, Any]:
    return view(name, of, kind="slice", starts=list(starts), sizes=list(sizes), steps=list(steps))


def view(name: str, of: str, **how: Any) -> dict[str, Any]:
    return {"do": "view", "name": name, "of": of, "how": how}


def write(to: str, value: str) -> dict[str, Any]:
    return {"do": "write", "to": to, "from": value}


def update(to: str, op: str, value: str) -> dict[str, Any]:
    return {"do": "update", "to": to, "op": op, "from": value}


def rebind(name: str, to: str) -> dict[str, Any]:
    return {"do": "rebind", "name": name, "to": to}


class Session:
    """A program that is called with x, and keeps a location s; both are [1, 2] unless told."""

    def __init__(self, *body: dict[str, Any], results: Any = (), others: Any = (), memory: Any = ToyMemory, shape: Any = (2,)) -> None:
        self.talk = Talk(ProgramToy(memory))
        parameters = [{"name": "x", "kind": "value", "shape": list(shape)}]
        main = {"name": "main", "parameters": parameters, "body": list(body), "results": [{"name": name, "shape": list(size)} for name, size in results]}
        state = [{"name": "s", "shape": [2]}]
        source = {"format": "adjudge.program.v1", "state": state, "environment": [], "procedures": [main, *others]}
        self._shape = shape
        self.loaded = self.talk({"kind": "load_program", "program": 1, "dtype": "float64", "source": source})

    def run(self, mode: str = "evaluate", begins: bool = True, **more: Any) -> Any:
        x = tensor(*range(1, 1 + int(np.prod(self._shape))), shape=list(self._shape))
        session = {"state": [tensor(1, 2)], "generator": {"key": [1, 2], "drawn": 0}}
        request = {"parameters": [x], "environment": {}, "received": {}, "tangents": [], "seeds": [], **more}
        return self.talk({"kind": "run", "program": 1, "mode": mode, **request, **({"session": session} if begins else {})})

    def ran(self, part: str, *arguments: Any, **more: Any) -> list[list[float]]:
        reply = self.run(*arguments, **more)
        assert reply["kind"] == "ran", reply
        tensors = [one["value"] if part == "sent" else one for one in reply[part]]
        return [[float.fromhex(x) for x in one["data"]] for one in tensors]


def seeds(*cotangents: Any) -> dict[str, Any]:
    return {"mode": "vjp", "seeds": [{"id": place, "cotangent": one} for place, one in enumerate(cotangents)]}


DOUBLE = {
    "name": "double",
    "parameters": [{"name": "v", "kind": "reference", "shape": [2]}],
    "body": [update("v", "add", "v")],
    "results": [{"name": "v", "shape": [2]}],
}
SQUARE = {
    "name": "square",
    "parameters": [{"name": "v", "kind": "value", "shape": [2]}],
    "body": [let("w", "multiply", "v", "v")],
    "results": [{"name": "w", "shape": [2]}],
}


class Words(unittest.TestCase):
    def test_threefry_has_the_words_of_its_authors(self) -> None:
        def words(key: Any, counter: Any) -> list[int]:
            first, second = (np.array([x], np.uint32) for x in counter)
            return [int(word[0]) for word in threefry(key, first, second)]

        # The known answers of Random123, of 20 rounds.
        self.assertEqual(words((0, 0), (0, 0)), [0x6B200159, 0x99BA4EFE])
        ones = 2**32 - 1
        self.assertEqual(words((ones, ones), (ones, ones)), [0x1CB996FC, 0xBB002BE7])
        self.assertEqual(words((0x13198A2E, 0x03707344), (0x243F6A88, 0x85A308D3)), [0xC4923A9C, 0x483DF7A0])

    def test_a_bernoulli_draw_is_one_from_its_rate_on(self) -> None:
        bits = drawn_from((3, 4), {"kind": "uniform"}, (50,))
        mask = drawn_from((3, 4), {"kind": "bernoulli", "rate": 0.25}, (50,))
        self.assertEqual(mask.tolist(), (bits >= 0.25).astype(float).tolist())
        self.assertEqual(set(mask.tolist()), {0.0, 1.0})


class Memories(unittest.TestCase):
    def test_a_value_keeps_what_it_was_when_the_location_is_overwritten(self) -> None:
        body = [buffer("b", "x"), let("y", "reshape", "b", shape=[2]), update("b", "multiply", "b")]
        results = [("y", [2]), ("b", [2])]
        self.assertEqual(Session(*body, results=results).ran("results"), [[1, 2], [1, 4]])

    def test_overlapping_views_are_read_before_they_are_written(self) -> None:
        body = [buffer("b", "x"), sliced("left", "b", [0], [2]), sliced("right", "b", [1], [2]), write("right", "left")]
        self.assertEqual(Session(*body, results=[("b", [3])], shape=(3,)).ran("results"), [[1, 1, 2]])

    def test_views_of_views_share_the_location_and_a_reshape_that_no_strides_do_does_not(self) -> None:
        body = [
            buffer("b", "x"),
            view("turned", "b", kind="permute", axes=[1, 0]),
            view("copied", "turned", kind="reshape", shape=[6]),
            view("row", "b", kind="reshape", shape=[6]),
            sliced("even", "row", [1], [2], [3]),
            view("middle", "turned", kind="diagonal"),
            full("ten", 2, value=10),
            full("hundred", 2, value=100),
            update("even", "add", "ten"),
            update("middle", "add", "hundred"),
            let("none", "full", shape=[6], value=0),
            write("copied", "none"),
        ]
        # Elements 1 and 4 by their steps, 0 and 4 on the diagonal.
        left = Session(*body, results=[("b", [2, 3])], shape=(2, 3)).ran("results")
        self.assertEqual(left, [[101, 12, 3, 4, 115, 6]])

    def test_windows_strides_and_slices_backwards_share_the_location_and_overlap_only_when_read(self) -> None:
        body = [
            buffer("b", "x"),
            view("beside", "b", kind="unfold", axis=1, size=1, step=2),
            view("row", "b", kind="reshape", shape=[6]),
            view("back", "row", kind="strided", start=5, shape=[2], strides=[-3]),
            sliced("last", "b", [1, 2], [1, 2], [1, -2]),
            view("above", "b", kind="diagonal", offset=1, axes=[0, 1]),
            view("over", "row", kind="unfold", axis=0, size=3, step=2),
            update("beside", "multiply", "beside"),
            full("ten", 2, value=10),
            full("hundred", 1, 2, value=100),
            update("back", "add", "ten"),
            update("above", "add", "ten"),
            update("last", "add", "hundred"),
            let("sums", "sum", "over", axes=[1], keepdims=False),
        ]
        session = Session(*body, results=[("b", [2, 3]), ("sums", [2])], shape=(2, 3))
        self.assertEqual(session.ran("results"), [[1, 12, 19, 116, 5, 156], [32, 140]])
        reply = Session(buffer("b", "x"), view("over", "b", kind="unfold", axis=0, size=2, step=1), write("over", "over"), shape=(3,)).run()
        self.assertIn("more than once", reply["message"])

    def test_rows_are_written_one_after_the_other_and_places_are_whole_numbers_within_their_axis(self) -> None:
        def placed(number: float) -> Any:
            body = [
                buffer("b", "x"),
                full("n", value=number),
                {"do": "index", "name": "k", "of": "n"},
                {"do": "write_rows", "to": "b", "rows": ["k", 0, "k"], "op": "multiply", "from": "x"},
                {"do": "write_rows", "to": "b", "rows": [0, 0, 1], "from": "x"},
            ]
            return Session(*body[:4], results=[("b", [3])], shape=(3,)), Session(*body, results=[("b", [3])], shape=(3,))

        self.assertEqual([one.ran("results") for one in placed(2)], [[[2, 2, 9]], [[2, 3, 9]]])
        for number in (3, 0.5, -1):
            self.assertEqual(placed(number)[0].run()["kind"], "error")

    def test_a_view_of_one_number_shares_its_location_however_it_is_seen(self) -> None:
        body = [
            buffer("b", "x"),
            sliced("seen", "b", [], [], []),
            view("row", "seen", kind="reshape", shape=[1]),
            let("ten", "full", shape=[1], value=10),
            update("row", "add", "ten"),
        ]
        self.assertEqual(Session(*body, results=[("seen", [])], shape=()).ran("results"), [[11]])

    def test_a_broadcast_view_is_read_and_never_written(self) -> None:
        seen = [buffer("b", "x"), view("wide", "b", kind="broadcast", shape=[2, 2])]
        total = let("t", "sum", "wide", axes=[0], keepdims=False)
        self.assertEqual(Session(*seen, total, results=[("t", [2])]).ran("results"), [[2, 4]])
        reply = Session(*seen, write("wide", "wide")).run()
        self.assertEqual(reply["kind"], "error")
        self.assertIn("more than once", reply["message"])

    def test_what_was_released_is_neither_read_nor_written(self) -> None:
        for last in (let("y", "negative", "v"), write("v", "x")):
            body = [buffer("b", "x"), sliced("v", "b", [0], [2]), {"do": "release", "of": "b"}, last]
            self.assertIn("released", Session(*body).run()["message"])


class Control(unittest.TestCase):
    def test_a_loop_counts_and_a_call_by_reference_writes_the_callers_location(self) -> None:
        turn = [sliced("one", "s", ["i"], [1]), view("scalar", "one", kind="reshape", shape=[]), update("scalar", "multiply", "i")]
        body = [
            {"do": "call", "names": ["r"], "procedure": "double", "operands": ["s"]},
            {"do": "for", "counter": "i", "times": 2, "body": turn},
        ]
        for memory in (ToyMemory, TracingMemory):
            session = Session(*body, results=[("r", [2])], others=[DOUBLE], memory=memory)
            self.assertEqual(session.ran("results"), [[2, 4]])
            self.assertEqual(session.ran("state"), [[0, 4]])

    def test_a_loop_ends_with_an_error_where_its_fuel_does(self) -> None:
        body = [full("n", value=3), full("less", value=-1), {"do": "while", "condition": "n", "fuel": 2, "body": [let("m", "add", "n", "less"), rebind("n", "m")]}]
        for memory in (ToyMemory, TracingMemory):
            self.assertIn("its condition still holds", Session(*body, memory=memory).run()["message"])
            body[2]["fuel"] = 3
            self.assertEqual(Session(*body, results=[("n", [])], memory=memory).ran("results"), [[0]])
            body[2]["fuel"] = 2

    def test_a_traced_branch_leaves_what_the_taken_one_has_rebound_written_and_drawn(self) -> None:
        def branch(*body: dict[str, Any], value: float) -> list[dict[str, Any]]:
            draw = {"do": "draw", "name": "u", "from": {"kind": "uniform"}, "shape": [2]}
            taken = [rebind("y", "x"), update("s", "multiply", "x"), draw]
            return [full("c", value=value), full("y", 2, value=7), {"do": "if", "condition": "c", "body": taken, "otherwise": []}, *body]

        for value, left, state, drawn in ((1, [1, 2], [1, 4], 1), (0, [7, 7], [1, 2], 0)):
            for memory in (ToyMemory, TracingMemory):
                session = Session(*branch(value=value), results=[("y", [2])], memory=memory)
                self.assertEqual((session.ran("results"), session.ran("state")), ([left], [state]))
                self.assertEqual(session.run()["drawn"], drawn)

    def test_a_traced_body_that_nobody_can_trace_is_unsupported(self) -> None:
        outside = {"do": "send", "channel": "out", "from": "x"}
        bodies = [[outside], [{"do": "retain", "of": "x"}], [rebind("a", "b")]]
        for body in bodies:
            statement = {"do": "if", "condition": "n", "body": body, "otherwise": []}
            session = Session(full("n", value=1), buffer("a", "x"), buffer("b", "x"), statement, memory=TracingMemory)
            self.assertEqual(session.run()["kind"], "unsupported")

    def test_a_traced_procedure_calls_itself_as_deep_as_it_is_written_out(self) -> None:
        operands = ["m", "v"]
        inner = [full("less", value=-1), let("m", "add", "n", "less"), {"do": "call", "names": [], "procedure": "twice", "operands": operands}, update("v", "add", "v")]
        parameters = [{"name": "n", "kind": "value", "shape": []}, {"name": "v", "kind": "reference", "shape": [2]}]
        twice = {"name": "twice", "parameters": parameters, "body": [{"do": "if", "condition": "n", "body": inner, "otherwise": []}], "results": []}
        for depth in (0, 1, MOST_TRACED_CALLS - 1, MOST_TRACED_CALLS):
            call = [full("n", value=depth), {"do": "call", "names": [], "procedure": "twice", "operands": ["n", "s"]}]
            self.assertEqual(Session(*call, others=[twice]).ran("state"), [[2**depth, 2 * 2**depth]])
            traced = Session(*call, others=[twice], memory=TracingMemory)
            if depth < MOST_TRACED_CALLS:
                self.assertEqual(traced.ran("state"), [[2**depth, 2 * 2**depth]])
            else:
                self.assertIn("calls itself", traced.run()["reason"])

    def test_a_break_ends_the_loop_around_and_a_return_the_procedure_out_of_a_checkpoint_too(self) -> None:
        leaves = {"do": "if", "condition": "i", "body": [{"do": "break"}], "otherwise": []}
        inner = {"do": "checkpoint", "body": [update("s", "add", "x"), leaves]}
        loop = {"do": "for", "counter": "i", "times": 5, "body": [inner]}
        back = {"do": "return", "operands": ["x"]}
        body = [loop, {"do": "for", "counter": "k", "times": 2, "body": [{"do": "no_grad", "body": [back]}]}, update("s", "add", "x")]
        for memory in (ToyMemory, RepeatingMemory):
            session = Session(*body[:1], body[2], results=[("s", [2])], memory=memory)
            # The body that is run once more adds once more, in both turns.
            turns = 4 if memory is RepeatingMemory else 2
            self.assertEqual(session.ran("results"), [[2 + turns, 4 + 2 * turns]])
            session = Session(*body, results=[("s", [2])], memory=memory)
            self.assertEqual((session.ran("results"), session.ran("state")), ([[1, 2]], [[1 + turns, 2 + 2 * turns]]))
        reply = Session(full("i", value=1), {**loop, "counter": "j"}, memory=TracingMemory).run()
        self.assertEqual((reply["kind"], reply["reason"][:11]), ("unsupported", "no break or"))


    def test_a_location_that_is_given_away_is_read_and_written_by_who_got_it_alone(self) -> None:
        donated = [{"name": "v", "kind": "donated", "shape": [2]}]
        taking = {**DOUBLE, "parameters": donated}
        give = {"do": "call", "names": ["r"], "procedure": "double", "operands": ["b"]}
        body = [buffer("b", "x"), sliced("first", "b", [0], [1]), give]
        self.assertEqual(Session(*body, others=[taking], results=[("r", [2])]).ran("results"), [[2, 4]])
        for again in (let("y", "negative", "first"), write("b", "x"), {**give, "names": ["q"]}):
            self.assertIn("released", Session(*body, again, others=[taking]).run()["message"])


class Derivatives(unittest.TestCase):
    def test_no_grad_does_not_reach_into_a_derivative_within_it(self) -> None:
        asked = {"do": "differentiate", "name": "g", "procedure": "square", "mode": "jvp", "of": 0, "wrt": 0, "operands": ["x", "x"]}
        body = [{"do": "no_grad", "body": [asked, write("s", "g")]}]
        session = Session(*body, others=[SQUARE], results=[("s", [2])])
        self.assertEqual(session.ran("results"), [[2, 8]])
        self.assertEqual(session.ran("derivative", **seeds(tensor(5, 7))), [[0, 0], [0, 0]])

    def test_what_is_detached_or_written_under_no_grad_is_constant(self) -> None:
        one = sliced("one", "b", [0], [1])
        detached = [buffer("b", "x"), {"do": "detach", "name": "d", "of": "b"}, sliced("one", "d", [0], [1]), update("one", "add", "one")]
        quiet = [buffer("b", "x"), one, {"do": "no_grad", "body": [update("one", "add", "one")]}]
        for body in (detached, quiet):
            session = Session(*body, results=[("b", [2])])
            self.assertEqual(session.ran("results"), [[2, 2]])
            self.assertEqual(session.ran("derivative", **seeds(tensor(5, 7))), [[0, 7], [0, 0]])

    def test_cotangents_go_through_writes_and_come_to_the_contents_before(self) -> None:
        body = [sliced("one", "s", [0], [1]), update("one", "multiply", "one"), let("y", "multiply", "s", "x")]
        session = Session(*body, results=[("y", [2])])
        # y = (s₀² x₀, s₁ x₁) at (1, 2), (1, 2).
        self.assertEqual(session.ran("derivative", **seeds(tensor(1, 10))), [[1, 20], [2, 20]])
        self.assertEqual(session.ran("state", **seeds(tensor(1, 10))), [[1, 2]])

    def test_tangents_are_those_of_results_and_of_what_is_left(self) -> None:
        body = [let("y", "multiply", "s", "x"), update("s", "multiply", "s")]
        session = Session(*body, results=[("y", [2])])
        self.assertEqual(session.ran("derivative", "jvp", tangents=[tensor(1, 0), tensor(0, 1)]), [[1, 2], [0, 4]])

    def test_retain_tells_the_cotangent_of_all_uses_at_each_execution(self) -> None:
        turn = [let("z", "multiply", "x", "x"), let("w", "add", "z", "z"), {"do": "retain", "of": "z"}, update("b", "add", "w")]
        body = [buffer("b", "x"), {"do": "for", "counter": "i", "times": 2, "body": turn}]
        session = Session(*body, results=[("b", [2])])
        self.assertEqual(session.ran("retained", **seeds(tensor(1, 3))), [[2, 6], [2, 6]])
        self.assertEqual(session.ran("retained"), [])

    def test_a_procedure_is_differentiated(self) -> None:
        for mode in ("vjp", "jvp"):
            operator = {"do": "differentiate", "name": "g", "procedure": "square", "mode": mode, "of": 0, "wrt": 0, "operands": ["x", "s"]}
            self.assertEqual(Session(operator, results=[("g", [2])], others=[SQUARE]).ran("results"), [[2, 8]])

    def test_a_call_is_differentiated_and_happens_once(self) -> None:
        # The location s = (1, 2) is doubled: y = 2s, and so is what it leaves.
        asked = {"names": ["y"], "derivatives": ["g"], "procedure": "double", "of": [0, 1], "wrt": [0], "operands": ["s"]}
        for mode, along, found in (("vjp", ["x", "x"], [[4, 8]]), ("jvp", ["x"], [[2, 4], [2, 4]])):
            names = ["g", "h"][: len(found)]
            call = {"do": "differentiate_call", **asked, "mode": mode, "derivatives": names, "along": along}
            session = Session(call, others=[DOUBLE], results=[("y", [2]), *((name, [2]) for name in names)])
            self.assertEqual(session.ran("results"), [[2, 4], *found])
            self.assertEqual(session.ran("state"), [[2, 4]])

    def test_a_call_that_is_differentiated_draws_receives_and_sends_once(self) -> None:
        body = [
            {"do": "draw", "name": "m", "from": {"kind": "uniform"}, "shape": [2]},
            {"do": "receive", "name": "w", "channel": "in", "shape": [2]},
            {"do": "send", "channel": "out", "from": "w"},
            let("z", "multiply", "v", "w"),
        ]
        noisy = {"name": "noisy", "parameters": [{"name": "v", "kind": "value", "shape": [2]}], "body": body, "results": [{"name": "z", "shape": [2]}]}
        asked = {"names": ["y"], "derivatives": ["g"], "procedure": "noisy", "mode": "vjp", "of": [0], "wrt": [0], "operands": ["x"], "along": ["x"]}
        session = Session({"do": "differentiate_call", **asked}, others=[noisy], results=[("y", [2]), ("g", [2])])
        received = {"received": {"in": [tensor(5, 7), tensor(0, 0)]}}
        self.assertEqual(session.ran("results", **received), [[5, 14], [5, 14]])
        self.assertEqual(session.ran("sent", **received), [[5, 7]])
        self.assertEqual(session.run(**received)["drawn"], 1)

    def test_a_body_that_is_run_once_more_counts_and_tells_nothing(self) -> None:
        inner = [
            let("z", "multiply", "x", "x"),
            {"do": "retain", "of": "z"},
            {"do": "send", "channel": "out", "from": "z"},
            {"do": "receive", "name": "w", "channel": "in", "shape": [2]},
            rebind("y", "w"),
        ]
        body = [full("y", 2, value=0), {"do": "checkpoint", "body": inner}]
        session = Session(*body, results=[("y", [2])], memory=RepeatingMemory)
        reply = {"received": {"in": [tensor(5, 6)]}}
        self.assertEqual(session.ran("sent", **reply), [[1, 4]])
        self.assertEqual(session.ran("results", **reply), [[5, 6]])


class Sessions(unittest.TestCase):
    def test_a_call_finds_what_the_last_one_left_and_draws_on(self) -> None:
        body = [update("s", "add", "x"), {"do": "draw", "name": "u", "from": {"kind": "uniform"}, "shape": [2]}]
        session = Session(*body, results=[("u", [2])])
        first, state = session.ran("results"), session.ran("state")
        self.assertEqual(state, [[2, 4]])
        second = session.run(begins=False)
        self.assertEqual(second["drawn"], 2)
        self.assertNotEqual([float.fromhex(x) for x in second["results"][0]["data"]], first[0])
        self.assertEqual(session.ran("state", begins=False), [[4, 8]])
        self.assertEqual(session.ran("results"), first)

    def test_a_call_that_fails_leaves_the_session_as_it_was(self) -> None:
        body = [update("s", "add", "x"), {"do": "receive", "name": "w", "channel": "in", "shape": [2]}]
        session = Session(*body)
        self.assertEqual(session.run(begins=False)["kind"], "error")
        self.assertEqual(session.ran("state", received={"in": [tensor(0, 0)]}), [[2, 4]])
        self.assertIn("nothing more comes", session.run(begins=False)["message"])
        self.assertEqual(session.ran("state", begins=False, received={"in": [tensor(0, 0)]}), [[3, 6]])

    def test_what_is_not_there_is_declined_when_the_program_is_loaded(self) -> None:
        self.assertEqual(Session(let("y", "cosh", "x")).loaded, {"kind": "unsupported", "reason": "no operator cosh"})
        self.assertEqual(Session({"do": "if", "condition": "x", "body": [let("y", "cosh", "x")], "otherwise": []}).loaded["kind"], "unsupported")
        self.assertEqual(Talk(Toy())({"kind": "load_program", "program": 1, "dtype": "float64", "source": {}})["kind"], "unsupported")

    def test_graphs_and_programs_are_told_from_each_other(self) -> None:
        talk = Session().talk
        point = {"inputs": [], "environment": {}}
        self.assertEqual(talk({"kind": "evaluate", "program": 1, "point": point})["kind"], "error")
        self.assertEqual(talk({**LOAD, "program": 2}), {"kind": "done"})
        self.assertEqual(talk({"kind": "run", "program": 2, "mode": "evaluate"})["kind"], "error")

    def test_hello_promises_statements_where_there_is_a_memory(self) -> None:
        hello = {"kind": "hello", "protocol": 1}
        self.assertNotIn("statements", Talk(Toy())(hello))
        reply = Talk(ProgramToy())(hello)
        self.assertEqual((len(reply["statements"]), reply["draws"]), (26, "state"))


if __name__ == "__main__":
    unittest.main()
