"""How a function of NumPy is run: arguments, results, branches, integers, precision, the array API."""

from __future__ import annotations

import functools
import types
from typing import Any, NamedTuple

import numpy as np
import pytest
import scipy.special
from adjudge.fronts.numpy_front import trace
from adjudge.fronts.numpy_front_array import Array
from graphs import node_lines, numbers, written

X = np.array([[0.5, -1.25, 2.0], [1.5, 0.25, -0.75]])

pytestmark = pytest.mark.sampled(8)


class Pair(NamedTuple):
    left: Any
    right: Any


def operators(traced: Any) -> list[str]:
    """Lists the operators of a traced function."""
    return [node["op"] for node in traced.graph.nodes]


def test_lines_are_those_of_the_function() -> None:
    def function(x: Any) -> Any:
        y = np.exp(x)
        total = y.sum(axis=0)
        return total * 2

    traced = trace(function, [X], ["x"])
    lines = [(line or "").split(": ", 1)[1] for line in traced.graph.lines]
    assert operators(traced) == ["exp", "sum", "full", "multiply"]
    assert lines == ["y = np.exp(x)", "total = y.sum(axis=0)", "return total * 2", "return total * 2"]


def test_arguments_and_results_may_be_nested() -> None:
    def model(parameters: dict[str, Any], x: Any, scale: float) -> Any:
        hidden = np.tanh(x @ parameters["w"] + parameters["layers"][0])
        return Pair({"loss": hidden.sum() * scale, "none": None}, [hidden])

    parameters = {"w": np.ones((3, 2)), "layers": [np.zeros(2)]}
    traced = trace(model, [parameters, X, 2.0], ["p", "x", "scale"])
    assert [entry["name"] for entry in traced.graph.inputs] == ["p['w']", "p['layers'][0]", "x", "scale"]
    made = traced.rebuild([1.0, 2.0])
    assert made == Pair({"loss": 1.0, "none": None}, [2.0])
    p, x, scale = traced.arguments([np.full((3, 2), 2.0), np.ones(2), X * 2, np.asarray(3.0)])
    assert np.array_equal(p["w"], np.full((3, 2), 2.0)) and np.array_equal(p["layers"][0], np.ones(2))
    assert np.array_equal(x, X * 2) and scale == 3.0 and type(scale) is float
    assert [value.shape for value in traced.flatten(model(p, x, scale))] == [(), (2, 2)]


def test_integers_texts_and_functions_of_python_stay() -> None:
    def function(x: Any, axis: int, kind: str, inner: Any) -> Any:
        return inner(x, axis=axis) if kind == "sum" else x

    traced = trace(function, [X, 1, "sum", np.sum], ["x", "axis", "kind", "inner"])
    assert operators(traced) == ["sum"] and not traced.graph.environment
    assert not traced.pointwise


def test_a_static_argument_is_data() -> None:
    traced = trace(lambda x, w: x @ w, [X, np.ones((3, 2))], ["x", "w"], static=["w"])
    assert [entry["name"] for entry in traced.graph.inputs] == ["x"]
    assert operators(traced) == ["full", "matmul"]


def test_what_no_output_needs_is_left_out() -> None:
    def function(x: Any) -> Any:
        unused = np.sin(x) + np.arange(3.0)
        return np.exp(x) if unused.shape else unused

    traced = trace(function, [X], ["x"])
    assert operators(traced) == ["exp"] and not traced.graph.environment


def test_constants_are_computed_by_numpy() -> None:
    grid = np.linspace(0.0, 1.0, 3)
    traced = trace(lambda x: x * np.exp(grid).cumsum() + np.zeros(3), [X], ["x"])
    assert operators(traced) == ["constant", "broadcast_to", "multiply", "full", "broadcast_to", "add"]
    assert np.array_equal(traced.graph.entries["c0"], np.exp(grid).cumsum())


def test_a_branch_on_numbers_holds_at_this_point() -> None:
    def function(x: Any) -> Any:
        while x.sum() < 10:
            x = x * 2
        return x if x[0, 0] > 0 and int(x[0, 0]) in (2, 4, 8) else -x

    traced = trace(function, [X], ["x"])
    assert traced.pointwise
    assert operators(traced) == ["full", "multiply", "multiply", "multiply"]
    assert not trace(lambda x: x * 2 if x.ndim == 2 and len(x) == 2 else x, [X], ["x"]).pointwise


def test_an_index_that_numbers_decide_holds_at_this_point() -> None:
    assert trace(lambda x: x[np.argmax(x[:, 0])], [X], ["x"]).pointwise
    assert trace(lambda x: np.sort(x.ravel())[np.argsort(x.ravel())], [X], ["x"]).pointwise
    assert not trace(lambda x: np.sort(x), [X], ["x"]).pointwise


def cross_entropy(x: Any, labels: Any) -> Any:
    return -np.mean(scipy.special.log_softmax(x, axis=1)[np.arange(len(x)), labels])


def test_labels_are_data_that_can_be_drawn() -> None:
    labels = np.array([2, 0])
    for function in (
        cross_entropy,
        lambda x, labels: np.take(x, labels, axis=1),
        lambda x, labels: x.T[labels],
        lambda x, labels: np.take_along_axis(x, labels[:, None], 1),
    ):
        traced = trace(function, [X, labels], ["x", "labels"])
        assert traced.graph.environment == [{"name": "labels", "shape": [2], "kind": "index"}]
        assert not traced.fixed and not traced.pointwise
        # Other labels are another value of the entry.
        line = written(traced.graph, traced.outputs, [[X]])
        line["environment"]["labels"]["data"] = ["0x0p+0", "0x1p+0"]
        (said,) = node_lines("values.ts", [line])
        want = np.ravel(function(X, np.array([0, 1])))
        assert np.allclose(numbers({"shape": [want.size], "data": said["values"][0]}), want)


def test_integers_that_are_computed_with_are_numbers() -> None:
    traced = trace(lambda x, counts: x * counts[:, None] + (counts > 1).sum(), [X, np.array([1, 2])], ["x", "counts"])
    assert traced.graph.environment[0] == {"name": "counts", "shape": [2], "kind": "real"}
    assert not traced.fixed
    mask = trace(lambda x, mask: np.where(mask, x, 0), [X, X > 0], ["x", "mask"])
    assert mask.graph.environment == [{"name": "mask", "shape": [2, 3], "kind": "real"}] and not mask.fixed


def test_integers_that_decide_more_are_fixed() -> None:
    labels = np.array([1, 0])
    assert trace(lambda x, n: x[n + 1], [X.T, labels], ["x", "n"]).fixed == {"n"}
    assert trace(lambda x, n: x if n[0] > 0 else -x, [X, labels], ["x", "n"]).fixed == {"n"}
    assert trace(lambda x, n: x[n] * n[:, None], [X, labels], ["x", "n"]).fixed == {"n"}
    assert trace(lambda x, n: np.eye(3)[n] * x, [X, labels], ["x", "n"]).fixed == {"n"}
    assert not trace(lambda x, n: x if n[0] > 0 else -x, [X, labels], ["x", "n"]).pointwise


@pytest.mark.parametrize("dtype", [np.float32, np.float16])
def test_a_precision_stays(dtype: Any) -> None:
    traced = trace(lambda x: np.exp(x) * 0.1 + np.ones(3, dtype), [X.astype(dtype)], ["x"])
    assert traced.dtype == np.dtype(dtype).name
    # A float of Python takes the precision of the array.
    assert traced.graph.nodes[1]["attributes"]["value"] == float(dtype(0.1))
    (given,) = traced.arguments([X])
    assert given.dtype == dtype


def test_floats_of_python_take_the_precision_of_the_arrays() -> None:
    traced = trace(lambda x, a: x * a, [X.astype(np.float32), 2.0], ["x", "a"])
    assert traced.dtype == "float32"
    assert trace(lambda a: a * a, [2.0], ["a"]).dtype == "float64"


@pytest.mark.skipif(not hasattr(np.ndarray, "__array_namespace__"), reason="NumPy 2.1 has the standard's namespace")
def test_the_array_api_is_followed() -> None:
    def layer(x: Any) -> Any:
        xp = x.__array_namespace__(api_version="2023.12")
        assert xp.__array_api_version__ >= "2023.12"
        centred = x - xp.mean(x, axis=-1, keepdims=True)
        spread = xp.std(x, axis=-1, keepdims=True, correction=1)
        flat = xp.reshape(xp.permute_dims(centred / spread, (1, 0)), (-1,))
        joined = xp.concat([flat, xp.asarray([1.0, 2.0]), xp.flip(xp.sort(flat))])
        return xp.astype(xp.cumulative_sum(joined), xp.float64), xp.vecdot(x, x), xp.linalg.vector_norm(x), xp.clip(x, 0, None)

    traced = trace(layer, [X], ["x"])
    (said,) = node_lines("values.ts", [written(traced.graph, traced.outputs, [[X]])])
    norm = (X - X.mean(1, keepdims=True)) / X.std(1, ddof=1, keepdims=True)
    flat = norm.T.reshape(-1)
    cumulative = np.cumsum([*flat, 1.0, 2.0, *np.sort(flat)[::-1]])
    want = [*cumulative, *(X * X).sum(1), np.linalg.norm(X), *np.clip(X, 0, None).ravel()]
    assert np.allclose(numbers({"shape": [len(want)], "data": said["values"][0]}), want)


def test_a_traced_array_says_that_it_is_an_array() -> None:
    def function(x: Any) -> Any:
        assert isinstance(x, np.ndarray) and type(x) is Array or type(x) is np.ndarray
        assert x.dtype == np.float64 and x.shape == (2, 3) and x.T.shape == (3, 2) and len(x) == 2
        return np.asarray(x, dtype=float) * np.asanyarray(x)

    assert operators(trace(function, [X], ["x"])) == ["multiply"]


def test_scipy_functions_are_operators_whatever_their_name() -> None:
    from scipy.special import logsumexp as own
    from scipy.special import softmax

    traced = trace(lambda x: own(x, axis=1).sum() + softmax(x, axis=1), [X], ["x"])
    assert operators(traced) == ["logsumexp", "sum", "softmax", "broadcast_to", "add"]
    assert np.allclose(own(np.zeros(2)), np.log(2.0))


def test_a_loop_that_fills_an_array_is_a_stack_of_its_values() -> None:
    def function(v: Any) -> Any:
        made = np.zeros(3)
        for place in range(3):
            made[place] = np.exp(v[place])
        return made

    traced = trace(function, [X[0]], ["v"])
    assert operators(traced).count("concat") == 1 and "take" not in operators(traced)


def test_an_argument_in_fortran_order_is_followed() -> None:
    given = np.asfortranarray(X)

    def function(x: Any) -> Any:
        made = x.copy(order="K")
        made.T[1, 0] = 5.0
        return made * x.ravel(order="F")[3]

    traced = trace(function, [given], ["x"])
    (said,) = node_lines("values.ts", [written(traced.graph, traced.outputs, [[X * 3]])])
    want = function(np.asfortranarray(X * 3))
    assert np.allclose(numbers({"shape": [2, 3], "data": said["values"][0]}), want)


def test_a_generator_with_a_seed_is_data() -> None:
    def function(x: Any) -> Any:
        drawn = np.random.RandomState(3).rand(3) + np.random.default_rng(1).normal(size=3)
        return x * drawn

    assert operators(trace(function, [X], ["x"])) == ["constant", "broadcast_to", "multiply"]


def test_arrays_are_made_wherever_the_users_code_is() -> None:
    module = types.ModuleType("mine")
    exec("from numpy import zeros\nimport numpy\ndef filled(x):\n    made = zeros(3)\n    made[:] = x\n    return made", vars(module))
    inside = np

    class Layer:
        def __call__(self, x: Any) -> Any:
            return module.filled(x[0]) + inside.asarray([x[1, 0], 1.0, 2.0])

    layer = Layer()
    traced = trace(layer, [X], ["x"])
    assert operators(traced)[-1] == "add"
    assert operators(trace(functools.partial(lambda n, x: layer(x) * n, 2.0), [X], ["x"]))[-1] == "multiply"
    assert type(module.filled(np.ones(3))) is np.ndarray and inside is np and vars(module)["numpy"] is np
    assert type(np.zeros(2)) is np.ndarray
