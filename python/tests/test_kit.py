"""Tests of the kit alone, with a library of three operators."""

from __future__ import annotations

import contextlib
import dataclasses
import io
import json
import math
import os
import subprocess
import sys
import unittest
from pathlib import Path
from typing import Any, Union

import numpy as np
from adjudge.kit.adapter import (
    MAXIMUM_LINE,
    Adapter,
    Arrays,
    Description,
    Function,
    NotARequest,
    Session,
    Unsupported,
    format_number,
    parse_number,
    read_tensor,
    serve,
    write_tensor,
)


class Dual:
    """A NumPy array and its tangent: the whole of the toy library."""

    def __init__(self, value: np.ndarray, tangent: np.ndarray) -> None:
        self.value, self.tangent = value, tangent
        self.shape = value.shape

    def __array__(self, dtype: Any = None, copy: Any = None) -> np.ndarray:
        return np.asarray(self.value)

    def __neg__(self) -> Dual:
        return Dual(-self.value, -self.tangent)

    def __add__(self, other: Operand) -> Dual:
        other = dual(other)
        return Dual(self.value + other.value, self.tangent + other.tangent)

    def __mul__(self, other: Operand) -> Dual:
        other = dual(other)
        return Dual(self.value * other.value, self.tangent * other.value + self.value * other.tangent)


Operand = Union[Dual, np.ndarray]


def dual(x: Operand) -> Dual:
    return x if isinstance(x, Dual) else Dual(x, np.zeros_like(x))


class Toy(Adapter):
    """Pulls back by pushing every unit vector forward, which needs no rule but `jvp`."""

    description = Description(name="toy", version="1", links=[], dtypes=["float64", "float32"])
    operators = {
        "constant": lambda name: dual(name),
        "negative": lambda x: -x,
        "add": lambda x, y: x + y,
        "multiply": lambda x, y: x * y,
        "take": lambda x, axis, indices: Dual(
            np.take(x.value, indices, axis), np.take(x.tangent, indices, axis)
        ),
    }

    def array(self, value: np.ndarray) -> Dual:
        return dual(value)

    def jvp(self, f: Function, inputs: Arrays, tangents: Arrays) -> Arrays:
        return [y.tangent for y in f([Dual(x.value, t.value) for x, t in zip(inputs, tangents)])]

    def vjp(self, f: Function, inputs: Arrays, cotangents: Arrays) -> Arrays:
        pulled = [np.zeros_like(x.value) for x in inputs]
        for n, x in enumerate(inputs):
            for i in np.ndindex(x.shape):
                units = [dual(np.zeros_like(other.value)) for other in inputs]
                units[n].value[i] = 1
                outputs = self.jvp(f, inputs, units)
                pulled[n][i] = sum(np.sum(y * c.value) for y, c in zip(outputs, cotangents))
        return pulled


def node(op: str, *parents: int, **attributes: Any) -> dict[str, Any]:
    return {"op": op, "parents": list(parents), "attributes": attributes}


def vector(*numbers: str) -> dict[str, Any]:
    return {"shape": [len(numbers)], "data": list(numbers)}


# c, x·y, x·y + c
GRAPH = {
    "format": "adjudge.graph.v1",
    "inputs": [{"name": "x", "shape": [2]}, {"name": "y", "shape": [2]}],
    "environment": [{"name": "c", "shape": [2], "kind": "real"}],
    "nodes": [node("constant", name="c"), node("multiply", 0, 1), node("add", 3, 2)],
}
POINT = {
    "inputs": [vector("0x1.8p+1", "-0x1p+0"), vector("0x1p+2", "0x1p-1")],
    "environment": {"c": vector("0x1p+0", "0x1p+0")},
}
LOAD = {"kind": "load", "program": 1, "dtype": "float64", "graph": GRAPH}
SEED = {"id": 4, "cotangent": vector("0x1p+0", "0x1.4p+3")}


class Talk:
    """A session with the toy, its complaints kept off the screen."""

    def __init__(self, adapter: Adapter) -> None:
        self._session = Session(adapter)
        self._last = 0

    def __call__(self, request: dict[str, Any]) -> dict[str, Any]:
        self._last += 1
        line = json.dumps({**request, "id": self._last}).encode() + b"\n"
        with contextlib.redirect_stderr(io.StringIO()):
            reply = json.loads(self._session.answer(line))
        assert reply.pop("id") == self._last
        return reply

    def ask(self, kind: str, **more: Any) -> Any:
        """The lists of numbers that a mode answers, or the reply if it is not one of tensors."""
        reply = self({"kind": kind, "program": 1, "point": POINT, **more})
        if reply["kind"] != "tensors":
            return reply
        return [[float.fromhex(x) for x in tensor["data"]] for tensor in reply["tensors"]]


class Numbers(unittest.TestCase):
    def test_a_number_is_written_as_c_writes_it_and_read_back_to_the_bit(self) -> None:
        written = {
            0.0: "0x0p+0",
            3.0: "0x1.8p+1",
            0.1: "0x1.999999999999ap-4",
            5e-324: "0x0.0000000000001p-1022",
            math.inf: "inf",
            -math.inf: "-inf",
        }
        for number, text in written.items():
            self.assertEqual(format_number(number), text)
            self.assertEqual(parse_number(text), number)
        self.assertEqual(format_number(-0.0), "-0x0p+0")
        self.assertEqual(math.copysign(1, parse_number("-0x0p+0")), -1)
        self.assertTrue(math.isnan(parse_number(format_number(math.nan))))

    def test_decimal_text_and_integers_are_not_taken_for_hexadecimal(self) -> None:
        self.assertEqual([parse_number(x) for x in ["10", 10, "-1e3", "0.1", "0XAp0"]], [10, 10, -1000, 0.1, 10])

    def test_both_forms_keep_every_bit_in_every_shape(self) -> None:
        numbers = np.array([0.0, -0.0, np.inf, -np.inf, np.nan, 5e-324, 0.1, -1e300])
        for shape in [(8,), (2, 2, 2), (1, 8)]:
            for as_text in [True, False]:
                value = numbers.reshape(shape)
                again = read_tensor(json.loads(json.dumps(write_tensor(value, as_text))))
                self.assertEqual(again.shape, shape)
                self.assertEqual(again.tobytes(), value.tobytes())
        for shape in [(), (0,), (3, 0)]:
            self.assertEqual(read_tensor(write_tensor(np.zeros(shape), True)).shape, shape)


class Modes(unittest.TestCase):
    def setUp(self) -> None:
        self.talk = Talk(Toy())
        self.assertEqual(self.talk(LOAD), {"kind": "done"})

    def test_evaluate_gives_the_value_of_every_node(self) -> None:
        self.assertEqual(self.talk.ask("evaluate"), [[1, 1], [12, -0.5], [13, 0.5]])

    def test_jvp_gives_the_tangent_of_every_node(self) -> None:
        tangents = [vector("1", "2"), vector("10", "20")]
        self.assertEqual(self.talk.ask("jvp", tangents=tangents), [[0, 0], [34, -19], [34, -19]])

    def test_vjp_gives_the_cotangents_of_the_inputs(self) -> None:
        self.assertEqual(self.talk.ask("vjp", seeds=[SEED]), [[4, 5], [3, -10]])

    def test_backward_dense_gives_the_cotangent_of_every_id_with_its_own_seed(self) -> None:
        seeds = [SEED, {"id": 0, "cotangent": vector("100", "100")}, {"id": 3, "cotangent": vector("1", "0")}]
        wanted = [[108, 105], [6, -10], [1, 10], [2, 10], [1, 10]]
        for _ in range(2):
            self.assertEqual(self.talk.ask("backward_dense", seeds=seeds), wanted)

    def test_what_the_kit_adds_to_every_node_is_made_by_tap(self) -> None:
        made: list[np.ndarray] = []

        class Tapping(Toy):
            def tap(self, value: np.ndarray) -> Dual:
                made.append(value)
                return self.array(value)

        talk = Talk(Tapping())
        talk({**LOAD, "dtype": "float32"})
        talk.ask("evaluate")
        self.assertEqual(made, [])
        self.assertEqual(talk.ask("backward_dense", seeds=[SEED])[:2], [[4, 5], [3, -10]])
        self.assertEqual([(tap.dtype, tap.tolist()) for tap in made], [(np.dtype(np.float32), [-0.0, -0.0])] * 3)
        self.assertTrue(all(np.signbit(tap).all() for tap in made))

    def test_a_forward_gradient_is_the_slope_times_the_direction(self) -> None:
        class Drawing(Toy):
            laws = ("rademacher",)

            def direction(self, law: str, seed: int, shapes: Any, dtype: Any) -> Any:
                return [dual(np.full(shape, float(seed))) for shape in shapes]

        along = {"law": "given", "tangents": [vector("1", "2"), vector("10", "20")]}
        declined = self.talk({"kind": "forward_gradient", "program": 1, "point": POINT, "seeds": [SEED], "along": along})
        self.assertEqual(declined, {"kind": "unsupported", "reason": "no forward gradients"})
        talk = Talk(Drawing())
        self.assertEqual(talk({"kind": "hello", "protocol": 1})["estimates"], ["given", "rademacher"])
        talk(LOAD)
        # The tangents are 34 and −19, the cotangents 1 and 10.
        seeds = [SEED, {"id": 0, "cotangent": vector("0", "3")}]
        slope = 34 - 190 + 3 * 2
        answer = talk.ask("forward_gradient", seeds=seeds, along=along)
        self.assertEqual(answer, [[slope, 2 * slope], [10 * slope, 20 * slope]])
        # Along threes they are 21 and −1.5, and at x 3.
        drawn = talk.ask("forward_gradient", seeds=[SEED], along={"law": "rademacher", "seed": 3})
        self.assertEqual(drawn, [[3 * 6, 3 * 6]] * 2)
        other = talk.ask("forward_gradient", seeds=[SEED], along={"law": "gaussian", "seed": 3})
        self.assertEqual(other, {"kind": "unsupported", "reason": "no directions that are gaussian"})

    def test_without_seeds_every_cotangent_is_zero(self) -> None:
        self.assertEqual(self.talk.ask("vjp", seeds=[]), [[0, 0], [0, 0]])
        self.assertEqual(self.talk.ask("backward_dense", seeds=[]), [[0, 0]] * 5)

    def test_float32_is_what_the_library_computes_in(self) -> None:
        self.talk({"kind": "unload", "program": 1})
        self.talk({**LOAD, "dtype": "float32"})
        point = {**POINT, "inputs": [vector("0.1", "0.1"), vector("3", "3")]}
        product = float(np.float32(0.1) * np.float32(3))
        self.assertEqual(self.talk.ask("evaluate", point=point)[1], [product, product])

    def test_who_asks_in_base64_is_answered_in_base64(self) -> None:
        inputs = [write_tensor(np.array([1.0, 2.0]), as_text=False)] * 2
        point = {"inputs": inputs, "environment": POINT["environment"]}
        reply = self.talk({"kind": "evaluate", "program": 1, "point": point})
        self.assertEqual([list(tensor) for tensor in reply["tensors"]], [["shape", "base64"]] * 3)


class Refusals(unittest.TestCase):
    def setUp(self) -> None:
        self.talk = Talk(Toy())
        self.talk(LOAD)

    def assert_error(self, reply: dict[str, Any], pattern: str) -> None:
        self.assertEqual(reply["kind"], "error")
        self.assertRegex(reply["message"], pattern)
        self.assertEqual(self.talk.ask("evaluate")[2], [13, 0.5])

    def test_what_does_not_fit_is_an_error_and_the_session_goes_on(self) -> None:
        ask = self.talk.ask
        short = vector("1")
        inputs = POINT["inputs"]
        wrong = {
            "1 tensors for 2 inputs": ask("evaluate", point={**POINT, "inputs": inputs[:1]}),
            r"input 1 has shape \[1\], not \[2\]": ask("evaluate", point={**POINT, "inputs": [inputs[0], short]}),
            "KeyError: 'c'": ask("evaluate", point={**POINT, "environment": {}}),
            r"environment's c has shape \[1\]": ask("evaluate", point={**POINT, "environment": {"c": short}}),
            r"shape \[2\] has 1 elements": ask(
                "evaluate", point={**POINT, "inputs": [inputs[0], {"shape": [2], "data": ["1"]}]}
            ),
            "0 tensors for 2 inputs": ask("jvp", tangents=[]),
            "seed's id": ask("vjp", seeds=[{**SEED, "id": 5}]),
            r"the cotangent of id 4 has shape \[1\]": ask("vjp", seeds=[{"id": 4, "cotangent": short}]),
            "seeded twice": ask("backward_dense", seeds=[SEED, SEED]),
            "program 2 is not loaded": ask("evaluate", program=2),
            "program 1 is loaded already": self.talk(LOAD),
            "no such kind of request: evalute": ask("evalute"),
        }
        for pattern, reply in wrong.items():
            with self.subTest(pattern):
                self.assert_error(reply, pattern)

    def test_parents_that_are_not_before_their_node_are_an_error(self) -> None:
        for parent in [1, 2, -1]:
            graph = {**GRAPH, "inputs": GRAPH["inputs"][:1], "nodes": [node("negative", parent)]}
            self.assert_error(self.talk({**LOAD, "program": 2, "graph": graph}), "not all before it")

    def test_an_index_that_is_none_of_the_axis_is_an_error(self) -> None:
        entry = {"name": "i", "shape": [1], "kind": "index"}
        graph = {**GRAPH, "environment": [entry], "nodes": [node("take", 0, axis=0, indices="i")]}
        self.talk({**LOAD, "program": 2, "graph": graph})
        for index in ["2", "-1", "0.5", "nan", "inf"]:
            with self.subTest(index):
                point = {**POINT, "environment": {"i": vector(index)}}
                self.assert_error(self.talk.ask("evaluate", program=2, point=point), "index")
        point = {**POINT, "environment": {"i": vector("1")}}
        self.assertEqual(self.talk.ask("evaluate", program=2, point=point), [[-1]])

    def test_the_indices_of_every_operator_are_below_what_they_index(self) -> None:
        cases = [
            ("take_along_axis", {"axis": 1, "indices": "i"}, [[1, 1], [0, 4]], 4),
            ("gather", {"indices": "i"}, [[1, 4]], 4),
            ("embedding", {"indices": "i"}, [2], 2),
            ("nll", {"labels": "i"}, [3, 4], 4),
            ("one_hot", {"classes": 5, "indices": "i"}, [5], 5),
            ("bernoulli_mask", {"key": "i"}, [0, 2**32], 2**32),
        ]
        toy = Toy()
        toy.operators = {op: lambda *operands, **attributes: dual(np.zeros(1)) for op, *_ in cases}
        for op, attributes, indices, limit in cases:
            with self.subTest(op):
                entry = {"name": "i", "shape": list(np.shape(indices)), "kind": "index"}
                parents = [] if op in ("one_hot", "bernoulli_mask") else [0]
                graph = {"inputs": [{"name": "x", "shape": [2, 4]}], "environment": [entry]}
                talk = Talk(toy)
                talk({**LOAD, "graph": {**graph, "nodes": [node(op, *parents, **attributes)]}})
                for shift, kind in [(0, "error"), (-1, "tensors")]:
                    value = np.array(indices) + np.where(np.array(indices) == limit, shift, 0)
                    point = {
                        "inputs": [write_tensor(np.zeros((2, 4)), True)],
                        "environment": {"i": write_tensor(value, True)},
                    }
                    self.assertEqual(talk({"kind": "evaluate", "program": 1, "point": point})["kind"], kind)

    def test_an_operator_of_nothing_is_told_the_precision_and_real_attributes_are_floats(self) -> None:
        seen: list[dict[str, Any]] = []

        def full(**attributes: Any) -> Dual:
            seen.append(attributes)
            return dual(np.full(attributes["shape"], attributes["value"], attributes["dtype"]))

        toy = Toy()
        toy.operators = {"full": full}
        talk = Talk(toy)
        graph = {"inputs": [], "environment": [], "nodes": [node("full", shape=[2, 1], value=3)]}
        talk({**LOAD, "dtype": "float32", "graph": graph})
        talk({"kind": "evaluate", "program": 1, "point": {"inputs": [], "environment": {}}})
        self.assertEqual(seen, [{"shape": (2, 1), "value": 3.0, "dtype": np.dtype(np.float32)}])
        self.assertIs(type(seen[0]["value"]), float)

    def test_posits_travel_as_the_numbers_that_they_are(self) -> None:
        seen: list[dict[str, Any]] = []

        def full(**attributes: Any) -> Dual:
            seen.append(attributes)
            return dual(np.full(attributes["shape"], attributes["value"], attributes["dtype"]))

        toy = Toy()
        toy.operators = {"full": full}
        toy.description = dataclasses.replace(toy.description, dtypes=("posit16",))
        talk = Talk(toy)
        graph = {"inputs": [], "environment": [], "nodes": [node("full", shape=[1], value=0.5)]}
        talk({**LOAD, "dtype": "posit16", "graph": graph})
        reply = talk({"kind": "evaluate", "program": 1, "point": {"inputs": [], "environment": {}}})
        self.assertEqual((reply["kind"], seen[0]["dtype"]), ("tensors", np.dtype(np.float64)))
        self.assertEqual(talk({**LOAD, "program": 2, "graph": graph})["kind"], "unsupported")

    def test_what_the_library_does_not_have_is_unsupported(self) -> None:
        erf = {**GRAPH, "nodes": [node("erf", 0)]}
        for change, reason in [({"graph": erf}, "no operator erf"), ({"dtype": "bfloat16"}, "no precision bfloat16")]:
            reply = self.talk({**LOAD, "program": 2, **change})
            self.assertEqual(reply, {"kind": "unsupported", "reason": reason})

    def test_an_adapter_may_say_unsupported_wherever_it_is_called(self) -> None:
        def refuse(*_: Any) -> Any:
            raise Unsupported("not at rank 1")

        toy = Toy()
        toy.vjp = refuse  # type: ignore[method-assign]
        talk = Talk(toy)
        talk(LOAD)
        self.assertEqual(talk.ask("vjp", seeds=[SEED]), {"kind": "unsupported", "reason": "not at rank 1"})

    def test_a_library_that_answers_in_another_precision_breaks_its_promise(self) -> None:
        toy = Toy()
        toy.operators = {**toy.operators, "add": lambda x, y: (x + y).value.astype(np.float32)}
        talk = Talk(toy)
        talk(LOAD)
        reply = talk.ask("evaluate")
        self.assertEqual(reply["kind"], "error")
        self.assertIn("answers in float32 where float64 was asked for", reply["message"])

    def test_without_a_jvp_of_its_own_an_adapter_promises_no_mode_jvp(self) -> None:
        class Reverse(Adapter):
            description = Toy.description
            operators = Toy.operators

            def array(self, value: np.ndarray) -> Dual:
                return dual(value)

            def vjp(self, f: Function, inputs: Arrays, cotangents: Arrays) -> Arrays:
                return Toy().vjp(f, inputs, cotangents)

        talk = Talk(Reverse())
        self.assertEqual(talk({"kind": "hello", "protocol": 1})["modes"], ["evaluate", "vjp", "backward_dense"])
        talk(LOAD)
        self.assertEqual(talk.ask("vjp", seeds=[SEED]), [[4, 5], [3, -10]])
        tangents = [vector("1", "2"), vector("10", "20")]
        self.assertEqual(talk.ask("jvp", tangents=tangents), {"kind": "unsupported", "reason": "no mode jvp"})

    def test_a_mode_that_is_not_promised_is_unsupported(self) -> None:
        toy = Toy()
        toy.description = Description(name="toy", version="1", links=[], modes=["evaluate"])
        talk = Talk(toy)
        talk(LOAD)
        self.assertEqual(talk.ask("vjp", seeds=[SEED]), {"kind": "unsupported", "reason": "no mode vjp"})


class Symbol:
    """A symbolic array, which has no shape and no numbers until it is run on the values of the inputs."""

    def __init__(self, run: Any) -> None:
        self.run = run

    def __neg__(self) -> Symbol:
        return Symbol(lambda values: -self.run(values))

    def __add__(self, other: Any) -> Symbol:
        return Symbol(lambda values: self.run(values) + symbol(other).run(values))

    def __mul__(self, other: Any) -> Symbol:
        return Symbol(lambda values: self.run(values) * symbol(other).run(values))


def symbol(x: Any) -> Symbol:
    return x if isinstance(x, Symbol) else Symbol(lambda _: x)


class Symbolic(Toy):
    """Builds expressions first, as CasADi and PyTensor do, and runs them in every mode."""

    operators = {
        "constant": lambda name: symbol(name),
        "negative": lambda x: -x,
        "add": lambda x, y: x + y,
        "multiply": lambda x, y: x * y,
        "take": lambda x, axis, indices: Symbol(lambda values: Toy.operators["take"](x.run(values), axis, indices)),
        # A reshape to the shape that an array has is that array.
        "identity": lambda x: x,
    }

    def evaluate(self, f: Function, inputs: Arrays) -> Arrays:
        arguments = [Symbol(lambda values, place=place: values[place]) for place in range(len(inputs))]
        return [symbol(output).run(inputs) for output in f(arguments)]

    def jvp(self, f: Function, inputs: Arrays, tangents: Arrays) -> Arrays:
        return Toy().jvp(lambda values: self.evaluate(f, values), inputs, tangents)

    def vjp(self, f: Function, inputs: Arrays, cotangents: Arrays) -> Arrays:
        return Toy().vjp(lambda values: self.evaluate(f, values), inputs, cotangents)


class Unrepeating(Symbolic):
    """Takes no output twice, as PaddlePaddle."""

    repeats = False

    def vjp(self, f: Function, inputs: Arrays, cotangents: Arrays) -> Arrays:
        def checked(values: Arrays) -> Arrays:
            outputs = f(values)
            if len({id(output) for output in outputs}) < len(outputs):
                raise ValueError("an output stands twice")
            return outputs

        return super().vjp(checked, inputs, cotangents)


class Symbols(unittest.TestCase):
    def test_arrays_without_shapes_are_asked_in_every_mode(self) -> None:
        talk, plain = Talk(Symbolic()), Talk(Toy())
        for one in (talk, plain):
            self.assertEqual(one(LOAD), {"kind": "done"})
        tangents = [vector("1", "2"), vector("10", "20")]
        seeds = [SEED, {"id": 0, "cotangent": vector("2", "3")}]
        for kind, more in (
            ("evaluate", {}),
            ("jvp", {"tangents": tangents}),
            ("vjp", {"seeds": seeds}),
            ("backward_dense", {"seeds": seeds}),
            ("vjp", {"seeds": []}),
            ("backward_dense", {"seeds": []}),
        ):
            self.assertEqual(talk.ask(kind, **more), plain.ask(kind, **more))

    def test_indices_into_an_array_without_a_shape_are_left_to_the_library(self) -> None:
        entry = {"name": "i", "shape": [1], "kind": "index"}
        graph = {**GRAPH, "environment": [entry], "nodes": [node("take", 0, axis=0, indices="i")]}
        talk = Talk(Symbolic())
        talk({**LOAD, "graph": graph})
        point = {**POINT, "environment": {"i": vector("1")}}
        self.assertEqual(talk.ask("evaluate", point=point), [[-1]])

    def test_one_array_at_two_seeds_becomes_two_where_the_library_needs_it(self) -> None:
        graph = {**GRAPH, "nodes": [node("multiply", 0, 1), node("identity", 2), node("identity", 2)]}
        seeds = [{"id": place, "cotangent": vector("1", f"{place}")} for place in (2, 3, 4)]
        for adapter in (Symbolic(), Unrepeating()):
            talk = Talk(adapter)
            talk({**LOAD, "graph": graph})
            self.assertEqual(talk.ask("vjp", seeds=seeds), [[12, 4.5], [9, -9]])
            dense = talk.ask("backward_dense", seeds=seeds)
            self.assertEqual(dense, [[12, 4.5], [9, -9], [3, 9], [1, 3], [1, 4]])
        refusing = Unrepeating()
        refusing.repeats = True
        talk = Talk(refusing)
        talk({**LOAD, "graph": graph})
        self.assertIn("an output stands twice", talk.ask("vjp", seeds=seeds)["message"])


class Nester(Toy):
    """The toy, as one whose derivatives are arrays of its own like any others."""

    nests = True

    def jvp(self, f: Function, inputs: Arrays, tangents: Arrays) -> Arrays:
        return [dual(tangent) for tangent in super().jvp(f, inputs, tangents)]

    def vjp(self, f: Function, inputs: Arrays, cotangents: Arrays) -> Arrays:
        pulled = [np.zeros(x.shape) for x in inputs]
        for n, i in ((n, i) for n, x in enumerate(inputs) for i in np.ndindex(x.shape)):
            units = [dual(np.zeros(x.shape)) for x in inputs]
            units[n].value[i] = 1
            pushed = super().jvp(f, inputs, units)
            pulled[n][i] = sum(np.sum(y * c.value) for y, c in zip(pushed, cotangents))
        return [dual(cotangent) for cotangent in pulled]


# x · x · y + c, whose derivative by x is 2 x y.
INNER = {
    **GRAPH,
    "nodes": [node("multiply", 0, 0), node("multiply", 2, 1), node("constant", name="c"), node("add", 3, 4)],
}


def nested(*parents: int, **attributes: Any) -> dict[str, Any]:
    """A graph that is the derivative of `INNER`, with the attributes that are given instead."""
    attributes = {"graph": INNER, "mode": "vjp", "of": 5, "wrt": 0, **attributes}
    return {**GRAPH, "nodes": [node("differentiate", *parents, **attributes)]}


class Nesting(unittest.TestCase):
    def answer(self, graph: dict[str, Any], adapter: Adapter) -> Any:
        talk = Talk(adapter)
        reply = talk({**LOAD, "graph": graph})
        return reply if reply["kind"] != "done" else talk.ask("evaluate")

    def test_a_derivative_is_the_librarys_own_with_the_other_operands_captured(self) -> None:
        # x is [3, −1], y is [4, 1/2]: 2 x y times the perturbation, which is y.
        for mode in ("jvp", "vjp"):
            self.assertEqual(self.answer(nested(0, 1, 1, mode=mode), Nester()), [[96.0, -0.5]])
        # By y it is x².
        self.assertEqual(self.answer(nested(0, 1, 1, wrt=1), Nester()), [[36.0, 0.5]])

    def test_only_who_nests_offers_it(self) -> None:
        self.assertEqual(Talk(Toy())({"kind": "hello", "protocol": 1})["operators"], list(Toy.operators))
        operators = Talk(Nester())({"kind": "hello", "protocol": 1})["operators"]
        self.assertEqual(operators, [*Toy.operators, "differentiate"])
        refused = self.answer(nested(0, 1, 1), Toy())
        self.assertEqual(refused, {"kind": "unsupported", "reason": "no operator differentiate"})

    def test_an_operator_or_a_mode_that_is_missing_within_is_unsupported_by_name(self) -> None:
        without = {**INNER, "nodes": [node("sin", 0)]}
        refused = self.answer(nested(0, 1, 1, graph=without, of=2), Nester())
        self.assertEqual(refused, {"kind": "unsupported", "reason": "no operator sin"})

        class Forward(Nester):
            description = Description(name="toy", version="1", links=[], modes=["evaluate", "jvp"])

        refused = self.answer(nested(0, 1, 1), Forward())
        self.assertEqual(refused, {"kind": "unsupported", "reason": "no mode vjp"})

    def test_what_does_not_fit_the_inner_graph_is_an_error(self) -> None:
        backwards = {**INNER, "nodes": [node("negative", 2)]}
        scalar = {**INNER, "inputs": [{"name": "x", "shape": [2]}], "nodes": [node("take", 0, axis=0, indices="i")]}
        scalar = {**scalar, "environment": [{"name": "i", "shape": [1], "kind": "index"}]}
        for graph, words in (
            (nested(0, 1), "2 parents for the 2 inputs"),
            (nested(0, 1, 1, of=6), "no id 6"),
            (nested(0, 1, 1, wrt=2), "no input 2"),
            (nested(0, 1, 1, graph=backwards, of=2), "are not all before it"),
        ):
            reply = self.answer(graph, Nester())
            self.assertEqual(reply["kind"], "error")
            self.assertIn(words, reply["message"])
        talk = Talk(Nester())
        talk({**LOAD, "graph": {**nested(0, 0, graph=scalar, of=1), "environment": scalar["environment"]}})
        point = {**POINT, "environment": {"i": vector("0")}}
        reply = talk({"kind": "evaluate", "program": 1, "point": point})
        self.assertEqual(reply["kind"], "error")
        self.assertIn("the cotangent of id 1 of an inner graph has shape [2], not [1]", reply["message"])


class Sessions(unittest.TestCase):
    def test_the_handshake_says_what_the_description_says(self) -> None:
        reply = Talk(Toy())({"kind": "hello", "protocol": 1})
        self.assertEqual(reply["kind"], "hello")
        self.assertEqual(reply["name"], "toy")
        self.assertEqual(reply["operators"], ["constant", "negative", "add", "multiply", "take"])
        self.assertEqual(reply["modes"], ["evaluate", "jvp", "vjp", "backward_dense"])
        self.assertNotIn("limits", reply)
        self.assertEqual(Talk(Toy())({"kind": "hello", "protocol": 2})["kind"], "error")
        partial = Toy()
        partial.description = dataclasses.replace(Toy.description, limits={"take": {"axis": {"form": "last"}}})
        limits = Talk(partial)({"kind": "hello", "protocol": 1})["limits"]
        self.assertEqual(limits, {"take": {"axis": {"form": "last"}}})

    def test_a_line_without_an_id_is_no_request(self) -> None:
        session = Session(Toy())
        for line in [b"", b"{", b"[]", b"1", b'{"id":0}', b'{"id":true}', b'{"id":"1"}', b"\xff", b"[" * 10**5]:
            with self.subTest(line[:10]), self.assertRaises(NotARequest):
                session.answer(line + b"\n")

    def test_programs_are_forgotten_when_they_are_unloaded(self) -> None:
        talk = Talk(Toy())
        for _ in range(2):
            self.assertEqual(talk(LOAD), {"kind": "done"})
            self.assertEqual(talk({"kind": "unload", "program": 1}), {"kind": "done"})
        self.assertEqual(talk({"kind": "unload", "program": 1})["kind"], "error")


class Processes(unittest.TestCase):
    """`serve`, in a process of its own: this file, with an argument."""

    def run_toy(self, text: bytes) -> subprocess.CompletedProcess:
        command = [sys.executable, str(Path(__file__).resolve()), "serve"]
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
        return subprocess.run(command, input=text, capture_output=True, timeout=60, env=environment)

    def test_standard_output_is_for_replies_alone(self) -> None:
        run = self.run_toy(b'{"id":1,"kind":"hello","protocol":1}\n')
        self.assertEqual(run.returncode, 0)
        self.assertEqual([json.loads(line)["id"] for line in run.stdout.splitlines()], [1])
        for banner in [b"printed", b"written to descriptor 1"]:
            self.assertIn(banner, run.stderr)

    def test_it_stops_at_a_line_that_is_no_request_and_says_which(self) -> None:
        run = self.run_toy(b'{"id":1,"kind":"hello","protocol":1}\nhello?\n{"id":2,"kind":"hello","protocol":1}\n')
        self.assertEqual(run.returncode, 1)
        self.assertEqual(len(run.stdout.splitlines()), 1)
        self.assertIn(b"not a request: hello?", run.stderr)

    def test_a_line_over_the_limit_is_no_request(self) -> None:
        run = self.run_toy(b'{"id":1,"kind":"' + b"x" * MAXIMUM_LINE + b'"}\n')
        self.assertEqual((run.returncode, run.stdout), (1, b""))


def noisy_toy() -> Adapter:
    print("printed")
    os.write(1, b"written to descriptor 1\n")
    return Toy()


class Keeping(Toy):
    """The toy, whose users keep runs: a run is the function and its inputs, read once."""

    lives = ("once", "until released")

    def record(self, f: Function, inputs: Arrays, life: str) -> Any:
        kept = [Dual(x.value.copy(), x.tangent) for x in inputs]
        shapes = [y.shape for y in f(kept)]
        swept = [0]

        def pull_back(cotangents: Arrays) -> Arrays:
            if life == "once" and swept[0] > 0:
                raise RuntimeError("swept already")
            if [c.shape for c in cotangents] != shapes:
                raise ValueError("another shape")
            pulled = self.vjp(f, kept, cotangents)
            swept[0] += 1
            return pulled

        return pull_back


class Watching(Keeping):
    """The toy with hooks: each is called with what its sweep gives, the last one first."""

    hooks = True

    def __init__(self) -> None:
        self.hung: list[Any] = []

    def hooked(self, value: Any, called: Any) -> Any:
        self.hung.append(called)
        return value

    def hooked_node(self, compute: Any, operands: Arrays, weights: Any, called: Any) -> Any:
        assert len(operands) == len(weights) == 2 and all(weights)
        return self.hooked(compute(*operands), called)

    def record(self, f: Function, inputs: Arrays, life: str) -> Any:
        self.hung.clear()
        pull_back = super().record(f, inputs, life)
        hung = list(self.hung)

        def watched(cotangents: Arrays) -> Arrays:
            for called in reversed(hung):
                called(cotangents[0])
            return pull_back(cotangents)

        return watched


class Tapes(unittest.TestCase):
    """What is recorded, swept and released, by number."""

    def setUp(self) -> None:
        self.session = Session(Keeping())
        self.number = 0
        self.ask(kind="load", program=1, dtype="float64", graph=PRODUCT)

    def ask(self, **request: Any) -> dict[str, Any]:
        self.number += 1
        reply = json.loads(self.session.answer(json.dumps({"id": self.number, **request}).encode()))
        self.assertEqual(reply.pop("id"), self.number)
        return reply

    def record(self, tape: int = 5, life: str = "until released", of: Any = (2,), x: str = "0x1p+1") -> dict[str, Any]:
        point = {"inputs": [vector(x), vector("0x1.4p+2")], "environment": {}}
        return self.ask(kind="record", program=1, tape=tape, point=point, life=life, of=list(of))

    def sweep(self, *numbers: str, tape: int = 5, at: int = 2) -> dict[str, Any]:
        return self.ask(kind="sweep", tape=tape, seeds=[{"id": at, "cotangent": vector(*numbers)}])

    def answer(self, *numbers: str) -> dict[str, Any]:
        return {"kind": "tensors", "tensors": [vector(number) for number in numbers]}

    def test_sweeps_as_often_as_one_likes_each_from_its_own_seeds(self) -> None:
        self.assertEqual(self.record(), {"kind": "done"})
        self.assertEqual(self.sweep("0x1p+0"), self.answer("0x1.4p+2", "0x1p+1"))
        self.assertEqual(self.sweep("0x1p+1"), self.answer("0x1.4p+3", "0x1p+2"))
        self.assertEqual(self.sweep("0x1p+0"), self.answer("0x1.4p+2", "0x1p+1"))

    def test_keeps_two_tapes_apart(self) -> None:
        self.record()
        self.record(tape=6, x="0x1p+2")
        self.assertEqual(self.sweep("0x1p+0"), self.answer("0x1.4p+2", "0x1p+1"))
        self.assertEqual(self.sweep("0x1p+0", tape=6), self.answer("0x1.4p+2", "0x1p+2"))

    def test_starts_at_zero_where_no_seed_is(self) -> None:
        self.record(of=(0, 2))
        self.assertEqual(self.sweep("0x1p+0", at=0), self.answer("0x1p+0", "0x0p+0"))

    def test_refuses_in_the_words_of_the_library(self) -> None:
        self.record(life="once")
        self.assertEqual(self.sweep("0x1p+0", "0x1p+0"), {"kind": "refused", "reason": "ValueError: another shape"})
        self.assertEqual(self.sweep("0x1p+0"), self.answer("0x1.4p+2", "0x1p+1"))
        self.assertEqual(self.sweep("0x1p+0"), {"kind": "refused", "reason": "RuntimeError: swept already"})

    def test_refuses_a_seed_that_cannot_be_handed_on(self) -> None:
        self.record()
        reply = self.sweep("0x1p+0", at=1)
        self.assertEqual(reply["kind"], "refused")
        self.assertIn("Hint: it was for [2]", reply["reason"])

    def test_forgets_what_is_released(self) -> None:
        self.record()
        self.assertEqual(self.ask(kind="release", tape=5), {"kind": "done"})
        self.assertEqual(self.sweep("0x1p+0")["kind"], "unsupported")
        self.assertEqual(self.record(), {"kind": "done"})
        self.assertEqual(self.sweep("0x1p+0")["kind"], "tensors")

    def test_answers_mistakes_with_an_error_that_has_a_place_and_a_hint(self) -> None:
        for reply in (self.sweep("0x1p+0"), self.ask(kind="release", tape=5)):
            self.assertRegex(reply["message"], "tape/unknown at /tape: there is no tape 5. Hint: record it first")
        self.record()
        self.assertRegex(self.record()["message"], "tape/twice at /tape.*Hint: release it first")
        self.assertRegex(self.record(tape=7, of=(2, 9))["message"], "at /of/1: the graph has no id 9. Hint")
        twice = self.ask(kind="sweep", tape=5, seeds=[{"id": 2, "cotangent": vector("0x1p+0")}] * 2)
        self.assertRegex(twice["message"], "seeded twice")

    def test_ends_the_tapes_of_a_graph_that_is_unloaded(self) -> None:
        self.record()
        self.ask(kind="unload", program=1)
        self.assertEqual(self.sweep("0x1p+0")["kind"], "error")

    def test_has_sixty_four_tapes_at_one_time(self) -> None:
        replies = [self.record(tape=n)["kind"] for n in range(65)]
        self.assertEqual(replies, ["done"] * 64 + ["unsupported"])
        for n in range(64):
            self.ask(kind="release", tape=n)
        for n in range(100, 110):
            self.assertEqual(self.record(tape=n), {"kind": "done"})
            self.ask(kind="release", tape=n)
        self.assertEqual(self.sweep("0x1p+0", tape=0)["kind"], "error")
        self.assertEqual(self.sweep("0x1p+0", tape=109)["kind"], "unsupported")

    def test_promises_the_lives_that_the_adapter_has(self) -> None:
        hello = self.ask(kind="hello", protocol=1)
        self.assertEqual(hello["tapes"], {"lives": ["once", "until released"], "releases": False})
        bare = json.loads(Session(Toy()).answer(b'{"id":1,"kind":"hello","protocol":1}'))
        self.assertNotIn("tapes", bare)
        self.assertNotIn("saved", bare)
        self.assertNotIn("repeatable", bare)

    def test_tells_the_calls_of_hooks_of_each_sweep(self) -> None:
        self.session = Session(Watching())
        self.assertTrue(self.ask(kind="hello", protocol=1)["tapes"]["hooks"])
        self.ask(kind="load", program=1, dtype="float64", graph=PRODUCT)
        point = {"inputs": [vector("0x1p+1"), vector("0x1.4p+2")], "environment": {}}
        asked = {"kind": "record", "program": 1, "tape": 5, "point": point, "life": "until released", "of": [2]}
        self.assertEqual(self.ask(**asked, hooks=[0, 2]), {"kind": "done"})

        def calls(number: str) -> list[dict[str, Any]]:
            return [{"id": position, "cotangent": vector(number)} for position in (2, 0)]

        for number in ("0x1p+0", "0x1.8p+1"):
            self.assertEqual(self.sweep(number)["calls"], calls(number))
        wrong = self.sweep("0x1p+0", "0x1p+0")
        self.assertEqual((wrong["kind"], [call["id"] for call in wrong["calls"]]), ("refused", [2, 0]))
        self.assertEqual(self.sweep("0x1p+0")["calls"], calls("0x1p+0"))
        self.assertRegex(self.ask(**{**asked, "tape": 6}, hooks=[3])["message"], "at /hooks/0: the graph has no id 3")
        self.session = Session(Keeping())
        self.ask(kind="load", program=1, dtype="float64", graph=PRODUCT)
        self.assertEqual(self.ask(**asked, hooks=[2]), {"kind": "unsupported", "reason": "no hooks"})

    def test_says_how_values_are_kept_and_repeated(self) -> None:
        adapter = Keeping()
        adapter.description = Description(name="toy", version="1", links=[], saved="float16", repeatable=False)
        hello = json.loads(Session(adapter).answer(b'{"id":1,"kind":"hello","protocol":1}'))
        self.assertEqual((hello["saved"], hello["repeatable"]), ("float16", False))

    def test_says_that_slopes_are_accurate(self) -> None:
        adapter = Toy()
        self.assertNotIn("slopes", json.loads(Session(adapter).answer(b'{"id":1,"kind":"hello","protocol":1}')))
        adapter.description = Description(name="toy", version="1", links=[], slopes="accurate")
        hello = json.loads(Session(adapter).answer(b'{"id":1,"kind":"hello","protocol":1}'))
        self.assertEqual(hello["slopes"], "accurate")

    def test_declines_what_it_has_not(self) -> None:
        session = Session(Toy())
        load = {"id": 1, "kind": "load", "program": 1, "dtype": "float64", "graph": PRODUCT}
        session.answer(json.dumps(load).encode())
        point = {"inputs": [vector("0x1p+1"), vector("0x1p+1")], "environment": {}}
        record = {"id": 2, "kind": "record", "program": 1, "tape": 5, "point": point, "life": "once", "of": [2]}
        reply = json.loads(session.answer(json.dumps(record).encode()))
        self.assertEqual(reply, {"id": 2, "kind": "unsupported", "reason": "no tape that can be swept once"})


PRODUCT = {
    "format": "adjudge.graph.v1",
    "inputs": [{"name": "x", "shape": [1]}, {"name": "y", "shape": [1]}],
    "environment": [],
    "nodes": [node("multiply", 0, 1)],
}


if __name__ == "__main__":
    if sys.argv[1:] == ["serve"]:
        serve(noisy_toy)
    else:
        unittest.main()
