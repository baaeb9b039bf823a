"""Tests the front for JAX: what it makes of arguments, what it refuses, what JAX answers."""

from __future__ import annotations

from typing import Any, Callable, Iterator, NamedTuple

import numpy as np
import pytest

jax = pytest.importorskip("jax")
jax.config.update("jax_enable_x64", True)

import jax.numpy as jnp  # noqa: E402
from jax import lax  # noqa: E402

from adjudge.fronts.jax_front import answers, trace  # noqa: E402
from adjudge.graph import Refused  # noqa: E402
from test_jax_front_kit import Interpreter  # noqa: E402

X = np.array([0.5, -1.25, 2.0])

pytestmark = pytest.mark.sampled(15)


@pytest.fixture(scope="module")
def interpreter() -> Iterator[Interpreter]:
    asked = Interpreter()
    yield asked
    asked.close()


def operators(traced: Any) -> list[str]:
    return [node["op"] for node in traced.graph.nodes]


# ---- Arguments and results -------------------------------------------------------------------------------


class Params(NamedTuple):
    w: Any
    b: Any


def test_leaves_of_arguments_are_named_inputs_and_results_keep_their_structure(interpreter: Interpreter) -> None:
    def function(params: Params, more: dict[str, Any]) -> Any:
        return {"sum": params.w + more["c"], "pair": (params.b * 2, params.w)}

    arguments = [Params(X, X + 1), {"c": 3.0, "none": None}]
    traced = trace(function, arguments, ["params", "more"])
    assert [entry["name"] for entry in traced.graph.inputs] == ["params.w", "params.b", "more['c']"]
    assert [entry["shape"] for entry in traced.graph.inputs] == [[3], [3], []]
    values = interpreter.values(traced, [X, X + 1, 3.0])
    made = traced.rebuild(values)
    np.testing.assert_array_equal(made["sum"], X + 3)
    np.testing.assert_array_equal(made["pair"][1], X)
    again = traced.flatten(function(*traced.arguments([X, X + 1, 3.0])))
    for ours, theirs in zip(values, again):
        np.testing.assert_array_equal(ours, theirs)


def test_the_line_of_each_node_is_the_users() -> None:
    def function(x: Any) -> Any:
        y = jnp.exp(x)  # first
        return jax.nn.softmax(y)  # second

    traced = trace(function, [X], ["x"])
    assert traced.graph.lines[0] is not None and traced.graph.lines[0].endswith("y = jnp.exp(x)  # first")
    assert all(line is not None and line.endswith("return jax.nn.softmax(y)  # second") for line in traced.graph.lines[1:])


def test_lines_of_a_jitted_function_are_its_own_at_each_call() -> None:
    @jax.jit
    def inner(x: Any) -> Any:
        return jnp.sin(x)  # inside

    traced = trace(lambda x: inner(inner(x)), [X], ["x"])
    assert [line and line.endswith("# inside") for line in traced.graph.lines] == [True, True]


def test_lines_of_a_function_of_jax_are_those_of_its_callers() -> None:
    def function(x: Any) -> Any:
        y = jnp.linalg.norm(x)  # once
        return jnp.linalg.norm(x * y)  # twice

    # JAX keeps what it traced of its function at the first call.
    lines = trace(function, [X], ["x"]).graph.lines
    assert {str(line).partition("  # ")[2] for line in lines} == {"once", "twice"}


@pytest.mark.parametrize("dtype", ["float64", "float32", "float16", "bfloat16"])
def test_the_precision_is_that_of_the_arguments(dtype: str, interpreter: Interpreter) -> None:
    x = jnp.asarray(X, dtype)
    # A mean in half precision is added up in single precision, which only makes it better.
    traced = trace(lambda x: jnp.mean(x * 0.1) + 1.5, [x], ["x"])
    assert traced.dtype == dtype
    factor = next(node["attributes"]["value"] for node in traced.graph.nodes if node["op"] == "full")
    assert factor == float(jnp.asarray(0.1, dtype))
    (value,) = interpreter.values(traced, [X])
    (answered,) = answers(lambda x: jnp.mean(x * 0.1) + 1.5, [x]).evaluate([X])
    assert abs(value - answered) <= 2 * float(jnp.finfo(dtype).eps)


def test_floats_of_python_take_the_precision_of_arrays() -> None:
    assert trace(lambda x, a: x * a, [X.astype(np.float32), 0.5], ["x", "a"]).dtype == "float32"


def test_integers_of_python_and_static_arguments_stay_as_they_are() -> None:
    traced = trace(lambda x, n, f: f(x)[:n], [X, 2, jnp.sin], ["x", "n", "f"], static=["f"])
    assert operators(traced) == ["sin", "slice"] and not traced.graph.environment


def test_integers_stay_data_where_the_graph_can_say_so(interpreter: Interpreter) -> None:
    labels, logits = np.array([2, 0]), np.arange(8.0).reshape(2, 4) / 4

    def loss(logits: Any, labels: Any) -> Any:
        return -jnp.take_along_axis(jax.nn.log_softmax(logits), labels[:, None], 1).mean()

    traced = trace(loss, [logits, labels], ["logits", "labels"])
    assert traced.graph.environment == [{"name": "labels", "shape": [2], "kind": "index"}]
    assert not traced.fixed and not traced.pointwise
    other = np.array([1, 3])
    (drawn,) = interpreter.values(traced, [logits], {"labels": other})
    (answered,) = answers(loss, [logits, labels], ["logits", "labels"]).evaluate([logits], {"labels": other})
    assert abs(drawn - answered) < 1e-14


@pytest.mark.parametrize(
    "function",
    [
        lambda x, i: x[i],
        lambda x, i: jnp.take(x, i, axis=0) * 2,
        lambda x, i: jax.nn.one_hot(i, 3) @ x,
        lambda x, i: x[:, 0] * i[:3].reshape(-1)[0],
        lambda x, i: jnp.where(i[..., None] > 1, 1.0, x[0]),
        lambda x, i: (i[..., None] == np.array([2, 1, 0])).astype(float) @ x,
        lambda x, i: x[i % 3] if i.ndim > 1 else x[jnp.arange(3), i],
    ],
)
@pytest.mark.parametrize("shape", [(3,), (2, 2)])
def test_other_integers_may_be_drawn_unless_the_graph_is_fixed(function: Any, shape: Any, interpreter: Interpreter) -> None:
    x, random = np.arange(9.0).reshape(3, 3) ** 2, np.random.default_rng(4)
    given = random.integers(0, 3, shape)
    traced = trace(function, [x, given], ["x", "i"])
    for _ in range(5):
        drawn = given if traced.fixed else random.integers(0, 3, shape)
        entries = {name: drawn.reshape(value.shape) for name, value in traced.graph.entries.items() if name == "i"}
        assert traced.fixed or entries
        (value,) = interpreter.values(traced, [x], entries)
        np.testing.assert_array_equal(value, function(jnp.asarray(x), jnp.asarray(drawn)))


def test_a_choice_that_only_looks_like_an_index_from_the_end_is_not_taken_for_it() -> None:
    # None is 0 here, and others may be: the index is no longer the argument.
    traced = trace(lambda x, i: x[jnp.where(i == 0, 1, i)], [X, np.array([1, 2])], ["x", "i"])
    assert traced.fixed == {"i"} and "i" not in traced.graph.entries


def test_an_argument_that_is_used_in_two_ways_is_fixed(interpreter: Interpreter) -> None:
    def function(x: Any, i: Any) -> Any:
        return x[i] * i

    traced = trace(function, [X, np.array([1, 2])], ["x", "i"])
    assert traced.fixed == {"i"}
    np.testing.assert_array_equal(interpreter.values(traced, [X])[0], [-1.25, 4.0])


def test_random_numbers_of_a_key_are_constants() -> None:
    def function(x: Any, key: Any) -> Any:
        return x * jax.random.normal(key, (3,))

    for key in (jax.random.key(1), jax.random.PRNGKey(1)):
        traced = trace(function, [X, key], ["x", "key"])
        assert operators(traced) == ["constant", "multiply"]


def test_index_arithmetic_vanishes() -> None:
    traced = trace(lambda x: x[jnp.arange(3)[::-1] % 2], [X], ["x"])
    assert operators(traced) == ["take"]


def test_an_infinite_neutral_element_leaves_no_node() -> None:
    assert "maximum" not in operators(trace(jax.nn.softmax, [X], ["x"]))
    assert "constant" not in operators(trace(jax.nn.logsumexp, [X], ["x"]))


def test_a_rule_of_ones_own_is_not_looked_at() -> None:
    @jax.custom_vjp
    def wrong(x: Any) -> Any:
        return jnp.sin(x)

    wrong.defvjp(lambda x: (jnp.sin(x), x), lambda x, g: (g * 3,))
    assert operators(trace(wrong, [X], ["x"])) == ["sin"]
    (pulled,) = answers(wrong, [X]).vjp([X], [np.ones(3)])
    np.testing.assert_array_equal(pulled, [3, 3, 3])


def test_a_branch_at_the_point_is_said_to_be_one() -> None:
    def function(x: Any) -> Any:
        return lax.cond(x[0] > 0, jnp.sin, jnp.cos, x)

    traced = trace(function, [X], ["x"])
    assert traced.pointwise and operators(traced) == ["sin"]
    assert operators(trace(function, [-X], ["x"])) == ["cos"]
    # A branch that data decides is no choice at the point.
    known = trace(lambda x, c: lax.cond(c, jnp.sin, jnp.cos, x), [X, np.array(False)], ["x", "c"])
    assert not known.pointwise and known.fixed == {"c"} and operators(known) == ["cos"]


def test_a_count_of_many_steps_is_written_down(interpreter: Interpreter) -> None:
    def function(x: Any) -> Any:
        return x.sum() * lax.scan(lambda count, y: (count + (y > 0), None), 0, x)[0]

    x = np.cos(np.arange(400.0))
    traced = trace(function, [x], ["x"])
    assert not traced.pointwise
    np.testing.assert_allclose(interpreter.values(traced, [x])[0], function(jnp.asarray(x)), rtol=1e-12)


# ---- What is refused -------------------------------------------------------------------------------------


def stored(x: Any) -> Any:
    kept.append(x)
    return x * kept[0]


kept: list[Any] = []


@pytest.mark.parametrize(
    ("function", "what"),
    [
        (lambda x: jnp.fft.fft(x).real, "complex numbers"),
        (lambda x: lax.lgamma(x), "lgamma: there is no operator for it"),
        (lambda x: jnp.linalg.svd(x[:, None] * x)[1], "svd: there is no operator for it"),
        (lambda x: jnp.nextafter(x, 3.0), "nextafter: it is a function of floats"),
        (lambda x: jax.pure_callback(np.sin, x, x), "pure_callback: it calls Python"),
        (lambda x: [jax.debug.print("{}", x), x * 2][1], "side effect"),
        (lambda x: x[x > 0], "a shape depends on the data"),
        (lambda x: x * 2 if x[0] > 0 else x, "a branch of Python"),
        (lambda x: np.sin(np.asarray(x)), "numbers of an input go to NumPy"),
        (lambda x: x[int(x[0])], "numbers of an input are read"),
        (lambda x: jnp.argmax(x), "the function returns numbers of type int"),
        (lambda x: x > 0, "the function returns numbers of type bool"),
        (lambda x: x.astype(jnp.float32), "returns float32"),
        (lambda x: x.astype(jnp.float32).astype(jnp.float64), "float64 are rounded to float32"),
        (lambda x: None, "the function returns nothing"),
        (lambda x: "text", "returns something else than arrays"),
        (lambda x: lax.fori_loop(0, 5000, lambda i, c: jnp.sin(c), x), "more than 4096 nodes"),
        (lambda x: lax.while_loop(lambda c: c[0] < 9, lambda c: c, x * 0), "more than 10000 turns"),
        (lambda x: x.at[jnp.array([0, 0])].set(x[:2]), "an element is set more than once"),
        (lambda x: lax.linalg.cholesky(x[:, None] * x, symmetrize_input=False), "need not be symmetric"),
        (lambda x: lax.psum(x, "i"), "unbound axis name"),
    ],
)
def test_what_cannot_be_said_is_refused(function: Callable[..., Any], what: str) -> None:
    with pytest.raises((Refused, NameError), match=what) as refused:
        trace(function, [X], ["x"])
    if isinstance(refused.value, Refused):
        assert refused.value.hint is not None
        assert refused.value.line is None or "test_jax_front.py" in refused.value.line


def test_the_line_of_what_is_refused_is_told() -> None:
    with pytest.raises(Refused, match="test_jax_front.py") as refused:
        trace(lambda x: jnp.exp(x) + lax.lgamma(x), [X], ["x"])
    assert refused.value.line is not None and "lax.lgamma(x)" in refused.value.line


@pytest.mark.parametrize(
    ("arguments", "what"),
    [
        ([X, X.astype(np.float32)], "mixes float64 and float32"),
        ([X, X + 1j], "complex128"),
        ([X, "text"], "the argument y is a str"),
        ([np.arange(3), np.arange(3)], "no argument is floating"),
    ],
)
def test_arguments_that_cannot_be_judged_are_refused(arguments: Any, what: str) -> None:
    with pytest.raises(Refused, match=what):
        trace(lambda x, y: x, arguments, ["x", "y"])


def test_what_no_result_needs_is_not_refused() -> None:
    traced = trace(lambda x: (lax.lgamma(x), jnp.sin(x))[1], [X], ["x"])
    assert operators(traced) == ["sin"]


def test_an_error_of_the_function_passes_through() -> None:
    def function(x: Any) -> Any:
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        trace(function, [X], ["x"])
    with pytest.raises(KeyError, match="mine"):
        answers(function, [X]).vjp([X], [X])


# ---- What JAX answers ------------------------------------------------------------------------------------


def test_answers_are_those_of_jax() -> None:
    asked = answers(lambda x, y: (jnp.sin(x) * y, x + y), [X, X])
    values = asked.evaluate([X, X + 1])
    np.testing.assert_allclose(values[0], np.sin(X) * (X + 1), rtol=1e-15)
    pulled = asked.vjp([X, X + 1], [np.ones(3), np.zeros(3)])
    np.testing.assert_allclose(pulled[0], np.cos(X) * (X + 1), rtol=1e-15)
    pushed = asked.jvp([X, X + 1], [np.ones(3), np.zeros(3)])
    np.testing.assert_allclose(pushed[1], np.ones(3), rtol=1e-15)


def test_derivatives_are_functions_too() -> None:
    point = [X, np.array([1.0, 2.0, 3.0])]
    pulled = answers(lambda x: x**3, [X], derive=["vjp"])
    np.testing.assert_allclose(pulled.evaluate(point)[0], 3 * X**2 * point[1], rtol=1e-14)
    second = pulled.vjp(point, [np.ones(3)])
    np.testing.assert_allclose(second[0], 6 * X * point[1], rtol=1e-14)
    np.testing.assert_allclose(second[1], 3 * X**2, rtol=1e-14)
    twice = answers(lambda x: x**3, [X], derive=["vjp", "vjp"])
    np.testing.assert_allclose(twice.evaluate([*point, np.ones(3)])[0], 6 * X * point[1], rtol=1e-14)
    pushed = answers(lambda x, y: x * y, [X, X], derive=["jvp"])
    np.testing.assert_allclose(pushed.evaluate([X, X, np.ones(3), np.zeros(3)])[0], X, rtol=1e-14)
    partly = answers(lambda x, y: x * y, [X, X], derive=["vjp"], wrt=[1])
    assert len(partly.evaluate([X, X, np.ones(3)])) == 1


# ---- Functions of JAX as a whole -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("function", "operator"),
    [(jax.nn.relu, "relu"), (jnp.logaddexp, "logaddexp"), (jnp.hypot, "hypot"), (jnp.remainder, "remainder"), (jnp.log2, "log2")],
)
def test_a_function_that_is_an_operator_is_one_node(function: Any, operator: str) -> None:
    one = [X] if function in (jax.nn.relu, jnp.log2) else [X, X + 1]
    assert operators(trace(function, one, ["x", "y"][: len(one)])) == [operator]
    assert operators(trace(jax.vmap(function), one, ["x", "y"][: len(one)])) == [operator]


def test_a_derivative_that_goes_by_the_name_of_a_function_is_not_taken_for_it(interpreter: Interpreter) -> None:
    y = X + 3

    def tangents(x: Any, y: Any) -> Any:
        slope = jax.linearize(lambda x: jnp.remainder(x, y) + jnp.hypot(x, y), x)[1]
        return slope(y) + jax.grad(lambda x: jnp.sum(jnp.remainder(y, x)))(x)

    traced = trace(tangents, [X, y], ["x", "y"])
    (value,) = interpreter.values(traced, [X, y])
    np.testing.assert_allclose(value, tangents(jnp.asarray(X), jnp.asarray(y)), rtol=1e-12)
