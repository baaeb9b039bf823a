"""Random graphs are written as NumPy code and traced back: the same functions, at most twice as long."""

from __future__ import annotations

import linecache
import os
from typing import Any, Callable

import numpy as np
import pytest
import scipy.special
from adjudge.fronts.numpy_front import trace
from graphs import node_lines, numbers, tensor_json, written
from numpy_writer import Writer, is_rounded_before

SEED = 36


def function_of(drawn: dict[str, Any], number: int) -> tuple[Callable[..., Any], str]:
    """Writes a graph as a function of NumPy; returns it and its source."""
    environment = {name: numbers(tensor) for name, tensor in drawn["environment"].items()}
    source = Writer(drawn["graph"], environment).source(drawn["outputs"])
    filename = f"<graph {number}>"
    linecache.cache[filename] = (len(source), None, source.splitlines(True), filename)
    names: dict[str, Any] = {"np": np, "special": scipy.special, "data": environment}
    exec(compile(source, filename, "exec"), names)
    return names["function"], source


def arguments_of(drawn: dict[str, Any]) -> list[np.ndarray]:
    """Returns the inputs at the first point, and the real data, which would else be constants."""
    real = [entry["name"] for entry in drawn["graph"]["environment"] if entry["kind"] == "real"]
    return [*map(numbers, drawn["points"][0]), *(numbers(drawn["environment"][name]) for name in real)]


def sample(count: int) -> list[tuple[dict[str, Any], Callable[..., Any], str]]:
    """Draws so many graphs that NumPy computes: it raises at singular matrices and at maxima of nothing."""
    made: list[tuple[dict[str, Any], Callable[..., Any], str]] = []
    for number, drawn in enumerate(node_lines("draw_graphs.ts", [], str(SEED), str(count + count // 2))):
        function, source = function_of(drawn, number)
        with np.errstate(all="ignore"):
            try:
                function(*arguments_of(drawn))
            except ValueError as error:
                if isinstance(error, np.linalg.LinAlgError) or "zero-size array" in str(error):
                    continue
                raise
        made.append((drawn, function, source))
    assert len(made) >= count
    return made[:count]


def pair_of(drawn: dict[str, Any], function: Callable[..., Any]) -> dict[str, Any]:
    """Returns a graph and what the tracer writes down of its NumPy code, to be compared."""
    arguments = arguments_of(drawn)
    traced = trace(function, arguments, [f"x{place}" for place in range(len(arguments))])
    assert not traced.pointwise
    back = written(traced.graph, traced.outputs)
    reals = [tensor_json(value) for value in arguments[len(drawn["points"][0]) :]]
    back["points"] = [[*point, *reals] for point in drawn["points"]]
    return {"a": drawn, "b": back, "tolerance": 1e-9 if is_rounded_before(drawn["graph"]) else 0}


def check_sample(count: int) -> None:
    """Checks so many graphs, and that hardly a number is left open."""
    drawn = sample(count)
    pairs = []
    for one, function, source in drawn:
        pairs.append(pair_of(one, function))
    compared, undecided = 0, 0
    for (_, _, source), same in zip(drawn, node_lines("same_graph.ts", pairs)):
        assert same["equal"], f"{same['why']}\n{source}"
        first, second = same["primitives"]
        assert second <= 2 * first, f"{second} primitives for {first}\n{source}"
        compared += same["numbers"]
        undecided += same["undecided"]
    assert compared > 10 * count and undecided <= 0.02 * compared


def test_graphs_come_back_as_the_functions_that_they_are() -> None:
    # Three hundred take a minute: ADJUDGE_GRAPHS=300.
    check_sample(int(os.environ.get("ADJUDGE_GRAPHS", "50")))


@pytest.mark.slow
def test_another_function_is_found() -> None:
    def moved(function: Callable[..., Any]) -> Callable[..., Any]:
        return lambda *given: [value + 2.0**-40 for value in function(*given)]

    pairs = [pair_of(drawn, moved(function)) for drawn, function, _ in sample(10)]
    said = node_lines("same_graph.ts", [{**pair, "tolerance": 0} for pair in pairs])
    # A graph without a finite number has none that is moved.
    assert sum(not same["equal"] for same in said) >= 8
