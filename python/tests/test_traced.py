"""Tests what the fronts share."""

from __future__ import annotations

import sys
from collections import namedtuple

import numpy as np
import pytest
from adjudge.fronts.traced import call_traced, finished, leaf_names, only_dtype, source_line, tree_of
from adjudge.graph import Graph, Refused

Pair = namedtuple("Pair", ["left", "right"])


def test_a_tree_is_put_back_as_it_was() -> None:
    value = {"w": [1, (2, None)], "pair": Pair(3, 4)}
    tree = tree_of(value)
    assert tree.leaves == [1, 2, 3, 4]
    assert tree.paths == ["['w'][0]", "['w'][1][0]", "['pair'][0]", "['pair'][1]"]
    assert tree.rebuild([10, 20, 30, 40]) == {"w": [10, (20, None)], "pair": Pair(30, 40)}
    assert isinstance(tree.rebuild([1, 2, 3, 4])["pair"], Pair)
    with pytest.raises(ValueError, match="3 values for 4 leaves"):
        tree.rebuild([1, 2, 3])


def test_leaves_are_named_by_argument_and_path() -> None:
    assert leaf_names(["x", "p"], [1.0, {"w": (2.0, 3.0)}]) == ["x", "p['w'][0]", "p['w'][1]"]


def test_the_line_is_the_users() -> None:
    def function(x: int) -> str:
        return source_line(sys._getframe()) or ""  # this line

    said = call_traced(function, [1])
    assert "test_traced.py:" in said and said.endswith('return source_line(sys._getframe()) or ""  # this line')


def test_the_line_of_an_error_is_the_innermost_of_the_user() -> None:
    try:
        np.linalg.inv(np.zeros((2, 2)))  # raises
    except np.linalg.LinAlgError as error:
        said = source_line(error.__traceback__) or ""
    assert said.endswith("np.linalg.inv(np.zeros((2, 2)))  # raises")


def test_nothing_outside_of_the_call_is_the_users() -> None:
    assert call_traced(lambda frame: source_line(frame), [None]) is not None
    # A function of a library is the fallback; the test's own frame stays outside.
    said = call_traced(np.apply_along_axis, [lambda _: 0, 0, np.zeros(1)])
    assert said is not None


def test_one_precision_is_found_and_others_are_refused() -> None:
    assert only_dtype(["int64", "float32", "bool", "float32"]) == "float32"
    with pytest.raises(Refused, match="mixes float32 and float64"):
        only_dtype(["float32", "float64"])
    with pytest.raises(Refused, match="complex128"):
        only_dtype(["complex128"])
    with pytest.raises(Refused, match="no argument is floating"):
        only_dtype(["int64"])


def test_what_no_output_needs_is_left_out() -> None:
    graph = Graph()
    x = graph.input("x", [2])
    graph.exp(graph.add(x, np.array([3.0, 4.0])))
    y = graph.multiply(x, np.array([1.0, 2.0]))
    kept, outputs = finished(graph, [y, x, y])
    assert [node["op"] for node in kept.nodes] == ["constant", "multiply", "identity", "identity"]
    assert [entry["name"] for entry in kept.environment] == ["c1"]
    assert len({output.id for output in outputs}) == 3 and min(output.id for output in outputs) >= 1
