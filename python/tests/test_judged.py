"""Tests with the judge itself: right rules and wrong ones, of NumPy, JAX and PyTorch."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from adjudge import GradientError, NotJudged, check, gradgradcheck, var
from adjudge.checking import Asked, run

pytestmark = [pytest.mark.usefixtures("real_judge"), pytest.mark.sampled(5)]


def cross_entropy(logits: Any, labels: Any) -> Any:
    shifted = logits - logits.max(-1, keepdims=True)
    rows = np.log(np.exp(shifted).sum(-1)) - np.take_along_axis(shifted, labels[:, None], -1)[:, 0]
    return rows.mean()


def pulled(arguments: Any, bar: Any, factor: float = 1.0) -> Any:
    logits, labels = arguments
    weights = np.exp(logits - logits.max(-1, keepdims=True))
    weights /= weights.sum(-1, keepdims=True)
    hot = np.eye(logits.shape[-1])[labels]
    return bar * (weights - factor * hot) / len(labels)


LOGITS, LABELS = var((3, 4), low=-5, high=5), var(3, integers=4)


def test_a_right_rule_of_numpy_agrees() -> None:
    report = check(cross_entropy, LOGITS, LABELS, vjp=pulled)
    assert report.ok and report.points == 20 and report.decided == report.numbers > 200


@pytest.mark.parametrize("size", [1e-2, 1e-4, 1e-7])
def test_a_wrong_rule_of_numpy_is_found_with_its_size(size: float) -> None:
    with pytest.raises(GradientError) as raised:
        check(
            cross_entropy,
            LOGITS,
            LABELS,
            vjp=lambda arguments, bar: pulled(arguments, bar, 1 + size),
            points=5,
        )
    witness = raised.value.report.witness
    assert witness is not None and witness.mode == "vjp" and set(witness.data) >= {"labels"}
    assert isinstance(witness.answered, float) and isinstance(witness.expected, float)
    assert witness.answered != witness.expected and "want" in str(raised.value)


def test_a_witness_has_the_case_that_its_text_tells() -> None:
    def halves(x: Any, w: Any) -> Any:
        return (x * w).sum(), x - w

    def pulled_wrongly(arguments: Any, bars: Any) -> Any:
        x, w = arguments
        return bars[0] * w + bars[1], 2 * bars[0] * x - bars[1]

    def pushed_wrongly(arguments: Any, dots: Any) -> Any:
        (x, w), (dx, dw) = arguments, dots
        return (dx * w + x * dw).sum(), dx + dw

    given = (var(3, low=1, high=2), var(3, low=1, high=2))
    witnesses = {}
    for mode, rule in (("vjp", pulled_wrongly), ("jvp", pushed_wrongly)):
        with pytest.raises(GradientError) as raised:
            check(halves, *given, name="halves", **{mode: rule})
        witnesses[mode] = witness = raised.value.report.witness
        assert witness is not None and (witness.mode, witness.place) == (mode, 1)
        assert witness.blame.split()[0] in str(raised.value) and 0 < witness.allowed < 1e-9
    # The answer of the rule at the witness's case has the number that is accused; the text has it too.
    pulled, pushed = witnesses["vjp"], witnesses["jvp"]
    assert [bar.shape for bar in pulled.direction] == [(), pulled.inputs[0].shape]
    answer = pulled_wrongly(pulled.inputs, pulled.direction)[1]
    assert answer[pulled.element] == pulled.answered != pulled.expected
    assert [dot.shape for dot in pushed.direction] == [x.shape for x in pushed.inputs]
    answer = pushed_wrongly(pushed.inputs, pushed.direction)[1]
    assert answer[pushed.element] == pushed.answered != pushed.expected
    with pytest.raises(GradientError) as raised:
        check(lambda x: x * 2, np.arange(3.0), vjp=lambda a, bar: bar, reference=lambda x: x * 3)
    witness = raised.value.report.witness
    assert witness is not None and (witness.mode, witness.direction) == ("evaluate", [])
    assert witness.expected == 1.5 * witness.answered


def test_another_value_than_the_references_is_told() -> None:
    with pytest.raises(GradientError) as raised:
        check(
            lambda x: np.exp(x) * (1 + 1e-9),
            np.arange(3.0),
            vjp=lambda a, bar: bar * np.exp(a[0]),
            reference=np.exp,
        )
    assert raised.value.report.kind == "differs"


def test_a_rule_that_breaks_is_not_judged() -> None:
    def broken(arguments: Any, bar: Any) -> Any:
        if abs(arguments[0]).max() > 2.5:
            raise OverflowError("too large")
        return bar * np.exp(arguments[0])

    with pytest.raises(NotJudged, match="OverflowError: too large") as raised:
        check(np.exp, np.arange(3.0), vjp=broken, domain={"x": var(low=-9, high=9)}, name="exp", points=50)
    assert isinstance(raised.value.__cause__, OverflowError)


def test_rules_of_jax_are_judged() -> None:
    jax = pytest.importorskip("jax")
    jnp = jax.numpy

    def of(factor: float) -> Any:
        @jax.custom_vjp
        def softplus(x: Any) -> Any:
            return jnp.logaddexp(x, 0.0)

        softplus.defvjp(lambda x: (softplus(x), x), lambda x, bar: (factor * bar * jax.nn.sigmoid(x),))
        return softplus

    assert check(of(1), var((2, 3), low=-4, high=4)).ok
    with pytest.raises(GradientError, match="softplus"):
        check(of(1 + 1e-4), var((2, 3), low=-4, high=4))
    assert check(jnp.sin, jnp.arange(3.0), order=3).ok
    # Integers that are drawn are told to both sides.
    rows = var(3, integers=4)
    assert check(lambda x, k: jax.nn.log_softmax(x)[jnp.arange(3), k].sum(), LOGITS, rows).ok


def test_rules_of_pytorch_are_judged() -> None:
    torch = pytest.importorskip("torch")

    def of(factor: float) -> Any:
        class Square(torch.autograd.Function):
            @staticmethod
            def forward(ctx: Any, x: Any) -> Any:
                ctx.save_for_backward(x)
                return x * x

            @staticmethod
            def backward(ctx: Any, bar: Any) -> Any:
                (x,) = ctx.saved_tensors
                return 2 * factor * bar * x

        return lambda x: Square.apply(x)

    x = var((2, 3), dtype=torch.float64)
    assert check(of(1), x).ok and check(of(1), x, order=2).ok
    with pytest.raises(GradientError, match="wrong"):
        check(of(1 + 1e-7), x)
    assert check(torch.nn.Linear(3, 2), var((2, 3), dtype=torch.float32), wrt=["weight", "bias"]).ok
    labels = var(3, integers=4, dtype=torch.int64)
    assert check(torch.nn.functional.cross_entropy, var((3, 4), dtype=torch.float64), labels).ok


@pytest.mark.slow
def test_only_inputs_in_wrt_need_a_gradient() -> None:
    torch = pytest.importorskip("torch")
    F = torch.nn.functional
    # PyTorch raises where the weights of the classes, or these targets, require a gradient.
    x, weight = var((3, 4), low=-5, high=5, dtype=torch.float64), torch.rand(4, dtype=torch.float64) + 0.5
    assert check(F.cross_entropy, x, torch.tensor([0, 1, 3]), weight, wrt=0, order=3, points=4).ok
    targets = torch.tensor([[1.0, -1, 1, -1]] * 3, dtype=torch.float64)
    domain = {"target": var(low=-1, high=1)}
    assert check(F.soft_margin_loss, x, targets, wrt=0, domain=domain, order=2, points=4).ok


@pytest.mark.slow
def test_forward_mode_over_reverse_mode_of_pytorch_is_judged() -> None:
    torch = pytest.importorskip("torch")
    x, w = (torch.linspace(start, 2, 3, dtype=torch.float64) for start in (-2, 1))
    function = lambda x, w: x * x * torch.exp(w)  # noqa: E731
    assert gradgradcheck(torch.sin, x.clone().requires_grad_(), check_fwd_over_rev=True)
    assert gradgradcheck(function, (x.clone().requires_grad_(), w), check_fwd_over_rev=True)


@pytest.mark.slow
@pytest.mark.parametrize("wrt", [None, 0, 1])
def test_every_order_and_mode_of_jax_is_judged_by_some_arguments(wrt: Any) -> None:
    jax = pytest.importorskip("jax")
    x, w = jax.numpy.arange(3.0), jax.numpy.arange(3.0) / 2
    function = lambda x, w: x * x * jax.numpy.exp(w)  # noqa: E731
    modes = ("jvp", "vjp")
    report = run(function, (x, w), Asked(order=3, points=2, wrt=wrt, modes=modes, derives=modes))
    assert report.ok and len(report.further) == 6


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["key", "PRNGKey"])
def test_a_key_of_jax_is_data(kind: str) -> None:
    jax = pytest.importorskip("jax")

    def of(factor: float) -> Any:
        @jax.custom_vjp
        def cube(x: Any) -> Any:
            return x**3

        cube.defvjp(lambda x: (cube(x), x), lambda x, bar: (3 * factor * bar * x**2,))
        return lambda x, key: jax.numpy.where(jax.random.bernoulli(key, 0.5, x.shape), cube(x), 0)

    key = getattr(jax.random, kind)(0)
    assert check(of(1), var(5, low=1, high=2), key).ok
    with pytest.raises(GradientError, match="wrong"):
        check(of(1.01), var(5, low=1, high=2), key)


@pytest.mark.slow
def test_gradients_that_are_one_value_are_judged() -> None:
    jax, torch = pytest.importorskip("jax"), pytest.importorskip("torch")

    def of(second: float) -> Any:
        @jax.custom_vjp
        def plus(x: Any, y: Any) -> Any:
            return x + y

        plus.defvjp(lambda x, y: (plus(x, y), None), lambda _, bar: (bar, second * bar))
        return plus

    assert check(of(1), jax.numpy.arange(3.0), jax.numpy.ones(3), order=2, points=3).ok
    assert check(torch.add, torch.ones(3), torch.arange(3.0), order=3, points=3).ok
    # Only the second of the two equal gradients is wrong.
    with pytest.raises(GradientError, match="other-values"):
        run(of(1.5), (jax.numpy.arange(3.0), jax.numpy.ones(3)), Asked(order=2, points=3, first=False))
