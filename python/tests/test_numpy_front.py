"""What the tracer writes down of each function of NumPy has the function's numbers."""

from __future__ import annotations

from typing import Any, Callable

import numpy as np
import numpy_cases
import numpy_table
import pytest
from adjudge.fronts import numpy_front_array, numpy_front_functions, numpy_front_linalg, numpy_front_ufuncs  # noqa: F401
from adjudge.fronts.numpy_front import trace
from adjudge.fronts.traced import Traced, tree_of
from adjudge.graph import Refused
from graphs import node_lines, numbers, written
from numpy_cases import CASES, INDEXING, point


def function_of(expression: str, names: list[str]) -> Callable[..., Any]:
    """Returns an expression as a function of its arguments."""
    return eval(f"lambda {', '.join(names)}: {expression}", vars(numpy_cases))


def traced(function: Callable[..., Any], *arguments: Any, **options: Any) -> Traced:
    """Traces a function with names for its arguments."""
    return trace(function, arguments, [f"a{place}" for place in range(len(arguments))], **options)


def wrong_ones(functions: list[tuple[str, Callable[..., Any], list[list[Any]]]]) -> list[str]:
    """Traces functions at the first of their points, and says which have other numbers at one."""
    lines, due = [], []
    for _, function, points in functions:
        made = traced(function, *points[0])
        if made.pointwise:
            points = points[:1]
        lines.append(written(made.graph, made.outputs, [[one for one in given if np.asarray(one).dtype.kind == "f"] for given in points]))
        with np.errstate(all="ignore"):
            due.append([np.concatenate([np.ravel(leaf) for leaf in tree_of(function(*given)).leaves]) for given in points])
    wrong = []
    for (name, _, _), said, values in zip(functions, node_lines("values.ts", lines), due):
        if "error" in said:
            wrong.append(f"{name}: {said['error']}")
            continue
        for got, want in zip(said["values"], values):
            row = numbers({"shape": [len(got)], "data": got})
            if row.shape != want.shape or not np.allclose(row, want, rtol=1e-9, atol=1e-9, equal_nan=True):
                wrong.append(f"{name}: {row} and not {want}")
    return wrong


def is_there(name: str) -> bool:
    """Tells whether this version of NumPy has a function; NumPy 2 has more of them."""
    try:
        eval(name, vars(numpy_cases))
    except AttributeError:
        return False
    return True


def cases() -> list[tuple[str, Callable[..., Any], list[list[Any]]]]:
    """Returns each expression with two points."""
    first, second = point(), point()
    known = [given for name, given in CASES.items() if is_there(name)]
    expressions = [one for given in known for one in ((given,) if isinstance(given, str) else given)]
    points = [list(first.values()), list(second.values())]
    return [(one, function_of(one, list(first)), points) for one in (*expressions, *INDEXING)]


def test_every_function_has_the_numbers_of_numpy() -> None:
    assert wrong_ones(cases()) == []


@pytest.mark.slow
def test_a_wrong_rule_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    own = numpy_front_functions.RULES["cumsum"]
    monkeypatch.setitem(numpy_front_functions.RULES, "cumsum", lambda t, a, **more: t.graph.negative(own(t, a, **more)))
    x = np.arange(3.0)
    assert wrong_ones([("cumsum", lambda x: np.cumsum(x, axis=0), [[x]])]) != []


@pytest.mark.slow
def test_a_constant_that_should_not_be_one_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(numpy_front_ufuncs.RULES, "exp", lambda t, x: t.graph.constant(np.exp([1.0, 2.0])))
    assert wrong_ones([("exp", np.exp, [[np.array([1.0, 2.0])], [np.array([3.0, 4.0])]])]) != []


@pytest.mark.slow
def test_a_view_that_is_not_followed_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def function(x: Any) -> Any:
        made = x * 2
        made.T[0] = 1.0
        return made

    x = np.arange(6.0).reshape(2, 3)
    assert wrong_ones([("views", function, [[x]])]) == []
    wrap = numpy_front_array.Tracing.wrap
    monkeypatch.setattr(numpy_front_array.Tracing, "wrap", lambda t, value, ref, given: wrap(t, np.array(value), ref, given))
    with pytest.raises(Refused, match="gives other numbers"):
        wrong_ones([("views", function, [[x]])])


def names_known() -> set[str]:
    """Returns the names of all rules, as NumPy and SciPy call the functions."""
    ufuncs = {*numpy_front_ufuncs.RULES, *numpy_front_ufuncs.PAIRS} - {"fractional"}
    functions = {
        *numpy_front_functions.RULES,
        *numpy_front_functions.WRITTEN,
        *numpy_front_functions.REARRANGING,
        *numpy_front_functions.PICKING,
    }
    from scipy import special

    known = set()
    for name in ufuncs | functions:
        if name == "sliding_window_view":
            known.add("np.lib.stride_tricks.sliding_window_view")
        elif "." in name or hasattr(np, name):
            known.add(f"np.{name}")
        elif hasattr(special, name):
            known.add(f"special.{name}")
    return known


def test_every_rule_has_a_case() -> None:
    aliases = {
        "np.bitwise_invert",
        "np.concat",
        "np.conj",
        "np.pow",
        "np.row_stack",
        "np.trapz",
    }
    assert names_known() - set(CASES) - aliases == set()
    assert len(CASES) >= 120


def test_the_page_lists_the_functions() -> None:
    text = numpy_table.PAGE.read_text(encoding="utf8")
    assert text == numpy_table.page(text), "write it anew: python python/tests/numpy_table.py"
