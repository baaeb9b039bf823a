"""Tests of the checks that are called as PyTorch's and JAX's are, and of functions of both."""

from __future__ import annotations

import inspect
import warnings
from typing import Any, Callable

import numpy as np
import pytest

from adjudge import CheckError, GradientError, UnneededTolerance, check, given, stand_ins, var
from adjudge.checking import Asked, subject_of

Fake = Callable[[str], None]


@pytest.fixture(autouse=True)
def nothing_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stand_ins, "_said", False)


class TestTorch:
    torch = pytest.importorskip("torch")

    def function(self, factor: float) -> Any:
        """Returns exp(x) · x by a function with a backward of its own, right where the factor is 1."""
        torch = self.torch

        class Product(torch.autograd.Function):
            @staticmethod
            def forward(ctx: Any, x: Any) -> Any:
                ctx.save_for_backward(x)
                return torch.exp(x) * x

            @staticmethod
            def backward(ctx: Any, bar: Any) -> Any:
                (x,) = ctx.saved_tensors
                return bar * torch.exp(x) * (1 + factor * x)

        return lambda x: Product.apply(x)

    def x(self) -> Any:
        return self.torch.arange(3, dtype=self.torch.float64, requires_grad=True)

    def test_signatures_are_the_originals(self) -> None:
        from torch.autograd import gradcheck, gradgradcheck

        for ours, theirs in ((stand_ins.gradcheck, gradcheck), (stand_ins.gradgradcheck, gradgradcheck)):
            kinds = [
                [(p.name, p.kind) for p in inspect.signature(f).parameters.values()] for f in (ours, theirs)
            ]
            assert kinds[0] == kinds[1]

    def test_it_returns_and_raises_as_the_original(self, fake_judge: Fake) -> None:
        from torch.autograd.gradcheck import GradcheckError

        assert stand_ins.gradcheck(self.function(1), self.x()) is True
        assert stand_ins.gradcheck(self.function(1), (self.x(),), raise_exception=False) is True
        assert stand_ins.gradcheck(self.function(1.1), (self.x(),), raise_exception=False) is False
        with pytest.raises(GradcheckError, match="wrong-gradient"):
            stand_ins.gradcheck(self.function(1.1), (self.x(),))
        with pytest.raises(GradientError, match="wrong-gradient"):
            stand_ins.gradcheck(self.function(1.1), (self.x(),))
        with pytest.raises(ValueError, match="at least one input tensor to require gradient"):
            stand_ins.gradcheck(self.function(1), (self.x().detach(),))

    def test_tolerances_are_said_once_to_be_unneeded(self, fake_judge: Fake) -> None:
        with pytest.warns(UnneededTolerance, match="eps, atol: not needed") as said:
            stand_ins.gradcheck(self.function(1), self.x(), eps=1e-6, atol=1e-4)
        assert said[0].filename == __file__
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            stand_ins.gradcheck(self.function(1), self.x(), eps=1e-6)
            stand_ins.gradcheck(self.function(1), self.x())

    def test_only_what_requires_gradients_is_asked(self) -> None:
        asked = (
            subject_of(self.torch.mul, (self.x().detach(), self.x()), Asked(wrt=[1], modes=("vjp",)))
            .made()
            .document()
        )
        assert (asked["wrt"], asked["modes"]) == ([1], ["evaluate", "vjp"])

    def test_a_mode_that_is_not_there_is_no_silent_pass(self, fake_judge: Fake) -> None:
        with pytest.raises(NotImplementedError):
            stand_ins.gradcheck(self.function(1), self.x(), check_forward_ad=True)
        assert subject_of(self.function(1), (self.x(),), Asked()).made().modes() == ["evaluate", "vjp"]
        assert subject_of(self.torch.exp, (self.x(),), Asked()).made().modes() == ["evaluate", "vjp", "jvp"]

    def test_functions_of_pytorch_are_drawn_for(self, fake_judge: Fake) -> None:
        torch = self.torch
        assert check(self.function(1), var(3, dtype=torch.float64)).ok
        assert (
            subject_of(torch.exp, (var(3, dtype=torch.float32),), Asked()).made().document()["dtype"]
            == "float32"
        )

        @given(x=var(3, low=-1, high=1))
        def test_it(x: Any) -> Any:
            return torch.exp(x) * x

        test_it()

    def test_parameters_of_a_module_are_asked_by_name(self) -> None:
        torch = self.torch
        linear = torch.nn.Linear(3, 2).double()
        asked = subject_of(linear, (self.x(),), Asked(wrt=["weight", "bias"])).made().document()
        names = [entry["name"] for entry in asked["graph"]["inputs"]]
        assert names == ["parameters['weight']", "parameters['bias']", "input"] and asked["wrt"] == [0, 1]

    def test_gradients_of_gradients(self) -> None:
        made = subject_of(self.function(1), (self.x(),), Asked(order=2))
        from dataclasses import replace

        second = replace(made, derive=("vjp",)).made()
        point = {"inputs": [tensor([0.0, 1, 2]), tensor([1.0, 1, 1])], "environment": {}}
        asked = second.document()
        assert asked["derive"] == ["vjp"] and "at" not in asked
        e = np.exp([0.0, 1, 2])
        value = second.answer({"kind": "evaluate", "point": point})
        assert read(value[0]) == pytest.approx(e * [1, 2, 3])
        seeds = [{"id": 0, "cotangent": tensor([1.0, 1, 1])}]
        pulled = second.answer({"kind": "vjp", "point": point, "seeds": seeds})
        # By x the slope is e^x (2 + x), by the cotangent e^x (1 + x).
        assert read(pulled[0]) == pytest.approx(e * [2, 3, 4]) and read(pulled[1]) == pytest.approx(
            e * [1, 2, 3]
        )


class TestJax:
    jax = pytest.importorskip("jax")

    def function(self, factor: float) -> Any:
        jax = self.jax

        @jax.custom_vjp
        def product(x: Any) -> Any:
            return jax.numpy.exp(x) * x

        product.defvjp(lambda x: (product(x), x), lambda x, bar: (bar * jax.numpy.exp(x) * (1 + factor * x),))
        return product

    def test_signatures_are_the_originals(self) -> None:
        from jax.test_util import check_grads, check_jvp, check_vjp

        for name, theirs in (
            ("check_grads", check_grads),
            ("check_jvp", check_jvp),
            ("check_vjp", check_vjp),
        ):
            ours = getattr(stand_ins, name)
            kinds = [
                [(p.name, p.kind) for p in inspect.signature(f).parameters.values()] for f in (ours, theirs)
            ]
            assert kinds[0] == kinds[1]

    def test_it_raises_as_the_original(self, fake_judge: Fake) -> None:
        x = self.jax.numpy.arange(3.0)
        assert stand_ins.check_grads(self.function(1), (x,), 1, modes=["rev"]) is None
        with pytest.raises(AssertionError, match="wrong-gradient"):
            stand_ins.check_grads(self.function(1.1), (x,), order=1, modes="rev")
        with pytest.raises(TypeError, match="custom_vjp"):
            stand_ins.check_grads(self.function(1), (x,), 1)
        with pytest.raises(CheckError, match="modes='up'"):
            stand_ins.check_grads(self.function(1), (x,), 1, modes="up")
        with pytest.warns(UnneededTolerance, match="atol, rtol: not needed"):
            stand_ins.check_grads(self.function(1), (x,), 1, "rev", 1e-3, 1e-3)

    def test_every_order_is_asked_in_every_mode(self, monkeypatch: pytest.MonkeyPatch) -> None:
        import adjudge.checking

        asked: list[Any] = []
        answer = {"kind": "agrees", "headline": "", "text": "", "points": 1, "numbers": 1, "decided": 1}

        class Judge:
            def ask(self, question: Any) -> Any:
                asked.append((question.subject.derive, question.modes()))
                return answer, None

        monkeypatch.setattr(adjudge.checking, "judge_for", lambda introduction: Judge())
        stand_ins.check_grads(self.jax.numpy.exp, (self.jax.numpy.arange(3.0),), 2)
        both = ["evaluate", "vjp", "jvp"]
        assert asked == [((), both), (("jvp",), both), (("vjp",), both)]

    def test_a_pullback_and_a_tangent_are_judged(self, fake_judge: Fake) -> None:
        jax, x = self.jax, self.jax.numpy.arange(3.0)
        product = self.function(1)
        plain = lambda y: jax.numpy.exp(y) * y  # noqa: E731
        stand_ins.check_vjp(plain, lambda *args: jax.vjp(product, *args), (x,))
        with pytest.raises(AssertionError, match="wrong-gradient"):
            stand_ins.check_vjp(plain, lambda *args: jax.vjp(self.function(1.1), *args), (x,))
        asked = (
            subject_of(plain, (x,), Asked(jvp=lambda a, dots: jax.jvp(plain, a, dots)[1])).made().document()
        )
        assert asked["modes"] == ["evaluate", "jvp"]
        stand_ins.check_jvp(plain, lambda args, dots: jax.jvp(plain, args, dots), (x,))

    def test_trees_of_jax_are_taken_apart_in_its_order(self, fake_judge: Fake) -> None:
        jnp = self.jax.numpy

        def affine(parameters: Any, x: Any) -> Any:
            return parameters["w"] * x + parameters["b"]

        parameters = {"w": jnp.ones(3) * 2, "b": jnp.ones(3)}
        asked = subject_of(affine, (parameters, jnp.arange(3.0)), Asked()).made().document()
        assert [entry["name"] for entry in asked["graph"]["inputs"]] == [
            "parameters['b']",
            "parameters['w']",
            "x",
        ]
        assert check(affine, parameters, jnp.arange(3.0)).ok

    def test_integers_of_jax_are_drawn(self, fake_judge: Fake) -> None:
        jax = self.jax
        assert check(lambda x, rows: jax.numpy.sum(x) * jax.numpy.exp(x), var(3), var(2, integers=3)).ok


def tensor(values: Any) -> dict[str, Any]:
    from adjudge.subject import tensor

    return tensor(np.asarray(values))


def read(message: Any) -> Any:
    from adjudge.kit.adapter import read_tensor

    return read_tensor(message)
