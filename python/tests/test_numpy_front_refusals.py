"""What cannot be said as a graph is refused with the line and what to do, and nothing else is."""

from __future__ import annotations

import dataclasses
import math
import random
from typing import Any, Callable

import numpy as np
import pytest
from adjudge.fronts.numpy_front import trace
from adjudge.graph import Refused

X = np.array([[0.5, -1.25, 2.0], [1.5, 0.25, -0.75]])
KEPT: list[Any] = []
GENERATOR = np.random.default_rng(5)


@dataclasses.dataclass
class Result:
    value: Any


def keeping(x: Any) -> Any:
    KEPT.append(x * 2)
    return x


def counting(x: Any) -> Any:
    KEPT.append(0)
    return x * len(KEPT)


def looping(x: Any) -> Any:
    total = 0.0
    for row in x:
        total = total + math.exp(row[0])
    return total


def printing(x: Any) -> Any:
    y = np.exp(x)
    print("value", y)
    return y


def writing_into_its_argument(x: Any) -> Any:
    x += 1
    return x


def writing_outside(x: Any) -> Any:
    made = np.linspace(0.0, 1.0, 3)
    made[0] = x[0, 0]
    return made


# Each has a function, a piece of what is said, a piece of the line, and a piece of the hint.
REFUSED: dict[str, tuple[Callable[..., Any], str, str, str]] = {
    "a mask of traced truths": (lambda x: x[x > 0], "which elements there are", "x[x > 0]", "np.where"),
    "nonzero": (lambda x: np.nonzero(x)[0] * 1.0, "how many results nonzero has", "np.nonzero", "np.where"),
    "where of a condition alone": (lambda x: x[np.where(x > 0)], "how many results nonzero has", "np.where(x > 0)", "np.where"),
    "unique": (lambda x: np.unique(x), "how many results unique has", "np.unique", "np.where"),
    "values for a mask": (lambda x: np.putmask(x + 0, x > 0, x[0, :2]) or x, "putmask", "np.putmask", "np.where"),
    "float()": (lambda x: x * float(x[0, 0]), "float(…) takes a number out", "float(x[0, 0])", "leave float(…)"),
    "math.exp": (looping, "float(…) takes a number out", "math.exp(row[0])", "NumPy's functions in place of math's"),
    "print": (printing, "printed", 'print("value", y)', "leave the printing out"),
    "a text": (lambda x: x * len(f"{x[0, 0]:.3f}"), "printed or written as a text", ".3f", "leave the printing out"),
    "its argument written": (writing_into_its_argument, "writes into an array that it was given", "x += 1", "x = x + 1"),
    "an array from outside": (writing_outside, "takes a number out of a traced array", "made[0] = x[0, 0]", "np.zeros"),
    "a value that is kept": (keeping, "kept beyond the call", "KEPT.append(x * 2)", "return the value"),
    "a count outside": (counting, "gives other numbers when it is called again", "", "as an argument"),
    "random numbers": (lambda x: x * np.random.rand(), "draws random numbers", "np.random.rand()", "default_rng(seed)"),
    "a new generator": (lambda x: x * np.random.default_rng().normal(), "draws random numbers", "default_rng()", "default_rng(seed)"),
    "Python's generator": (lambda x: x * random.random(), "draws random numbers", "random.random()", "default_rng(seed)"),
    "a generator outside": (lambda x: x * GENERATOR.normal(), "gives other numbers", "", "random numbers too"),
    "complex numbers": (lambda x: np.abs(x * 1j), "complex numbers", "x * 1j", "real and imaginary"),
    "a Fourier transform": (lambda x: np.fft.rfft(x).real, "numpy.fft.rfft gives complex", "np.fft.rfft", "np.cos"),
    "singular values": (lambda x: np.linalg.svd(x)[1], "numpy.linalg.svd has no place", "np.linalg.svd", "python-fronts.md"),
    "a spectral norm": (lambda x: np.linalg.norm(x, 2), "singular values", "np.linalg.norm", "fro"),
    "interpolation": (lambda x: np.interp(x, [0.0, 1.0], [0.0, 2.0]), "np.interp has no place", "np.interp", "reference="),
    "vectorize": (lambda x: np.vectorize(lambda one: one * 2)(x), "numbers of a traced array", "np.vectorize", "NumPy's functions"),
    "another precision": (lambda x: x.astype(np.float32), "mixes float64 and float32", "astype(np.float32)", "float64"),
    "an integer returned": (lambda x: np.argmax(x), "int64, not floating", "", "return floats alone"),
    "truths returned": (lambda x: {"a": x, "b": x > 0}, "result['b'] is of type bool", "", "return floats alone"),
    "a text returned": (lambda x: (x, "text"), "result[1] is a str", "", "return arrays of floats"),
    "another structure": (lambda x: Result(x), "the result is a Result", "", "in tuples, lists or dicts"),
    "nothing returned": (lambda x: None, "returns no number", "", "return what is to be differentiated"),
    "nine rows": (lambda x: np.linalg.inv(np.eye(9) * x[0, 0]), "at most 8", "np.linalg.inv", "smaller matrices"),
    "where= without out=": (lambda x: np.add(x, x, where=x > 0), "without out=", "np.add", "np.where"),
    "a reduction of another ufunc": (lambda x: np.subtract.reduce(x), "subtract.reduce", "np.subtract.reduce", "loop"),
    "integers of 8 bits": (lambda x: (x > 0).astype(np.int8) * np.int8(100) * x, "int8 numbers", "np.int8", "floats"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_it_is_refused_with_line_and_hint(name: str) -> None:
    function, what, line, hint = REFUSED[name]
    KEPT.clear()
    with pytest.raises(Refused) as caught:
        trace(function, [X], ["x"])
    said = caught.value
    assert what in said.what
    assert hint in (said.hint or "")
    if line:
        assert said.line is not None and line in said.line
        assert "test_numpy_front_refusals.py:" in said.line
    assert str(said).count("hint: ") == 1


def test_arguments_that_are_not_numbers_are_refused() -> None:
    with pytest.raises(Refused, match="the argument x is complex"):
        trace(lambda x: x, [X + 1j], ["x"])
    with pytest.raises(Refused, match="mixes float64 and float32"):
        trace(lambda x, y: x + y, [X, X.astype(np.float32)], ["x", "y"])
    with pytest.raises(Refused, match="no argument is floating"):
        trace(lambda n: n * 2.0, [np.arange(3)], ["n"])
    with pytest.raises(Refused, match="the argument x is an array of object"):
        trace(lambda x: x, [np.array([None])], ["x"])


def test_another_precision_within_numpy_is_refused() -> None:
    for function in (np.vander, lambda v: np.quantile(v, [0.5])):
        with pytest.raises(Refused, match="mixes float32 and float64"):
            trace(function, [X[0].astype(np.float32)], ["v"])


def test_an_error_of_the_function_is_its_own() -> None:
    with pytest.raises(ValueError, match="could not be broadcast"):
        trace(lambda x: x + np.ones(2), [X], ["x"])
    with pytest.raises(np.linalg.LinAlgError, match="Singular matrix"):
        trace(lambda x: np.linalg.inv(x), [np.zeros((2, 2))], ["x"])


def test_numpy_is_as_it_was_after_a_run_that_fails() -> None:
    before = {name: getattr(np, name) for name in ("array", "asarray", "zeros", "full")}
    with pytest.raises(Refused):
        trace(lambda x: np.linalg.svd(x), [X], ["x"])
    assert all(getattr(np, name) is function for name, function in before.items())
    assert type(np.zeros(2)) is np.ndarray
