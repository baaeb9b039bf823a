"""Tests of `given`: under pytest, under unittest, and what it says of a test that makes no sense."""

from __future__ import annotations

import unittest
from typing import Any, Callable

import numpy as np
import pytest

from adjudge import CheckError, GradientError, check, given, var

Fake = Callable[[str], None]


def slope(arguments: Any, bar: Any) -> Any:
    return bar * np.exp(arguments[0])


def test_a_test_that_returns_something_is_judged(fake_judge: Fake) -> None:
    @given(x=var((2, 2), low=-1, high=1), vjp=slope)
    def exponential(x: Any) -> Any:
        return np.exp(x)

    exponential()

    @given(x=var(2), vjp=lambda arguments, bar: bar)
    def wrong(x: Any) -> Any:
        return np.exp(x)

    with pytest.raises(GradientError, match="wrong-gradient]: wrong\n"):
        wrong()


def test_a_test_that_asks_itself_has_its_arguments_drawn(fake_judge: Fake) -> None:
    seen: list[Any] = []

    @given(x=var(2, low=-1, high=1), points=3, seed=5)
    def exponential(x: Any) -> None:
        report = check(np.exp, x, vjp=slope)
        seen.append(report)

    exponential()
    assert [report.kind for report in seen] == ["agrees"]


def test_what_is_drawn_is_asked_of_the_judge(monkeypatch: pytest.MonkeyPatch) -> None:
    import adjudge.checking

    asked: list[dict[str, Any]] = []

    class Told(Exception):
        pass

    class Judge:
        def ask(self, question: Any) -> Any:
            asked.append(question.document())
            raise Told

    monkeypatch.setattr(adjudge.checking, "judge_for", lambda introduction: Judge())

    @given(x=var(2, low=-1, high=1), points=3, seed=5)
    def exponential(x: Any) -> None:
        check(np.exp, x, vjp=slope)

    with pytest.raises(Told):
        exponential()
    assert (asked[0]["points"], asked[0]["seed"], asked[0]["domain"]["inputs"]) == (
        3,
        5,
        [{"low": -1.0, "high": 1.0}],
    )


def test_fixtures_and_parameters_are_left_to_pytest(pytester: pytest.Pytester, fake_judge: Fake) -> None:
    pytester.makepyfile(
        """
        import numpy as np
        import pytest
        from adjudge import given, var

        @pytest.fixture
        def factor():
            return 3.0

        @pytest.mark.parametrize("power", [1, 2])
        @given(x=var(2), vjp=lambda arguments, bar: bar * 3.0)
        def test_scaled(x, factor, power):
            return x * factor if power == 1 else None or x * factor

        class TestMethods:
            @given(x=var(2), vjp=lambda arguments, bar: bar * 3.0)
            def test_scaled(self, x):
                return x * 3.0
        """
    )
    pytester.runpytest("-p", "no:cacheprovider").assert_outcomes(passed=3)


def test_methods_of_unittest_are_judged(fake_judge: Fake) -> None:
    class Methods(unittest.TestCase):
        """`given` decorates methods of unittest, whose `self` it hands on."""

        factor = 3.0

        @given(x=var(2))
        def scaled(self, x: Any) -> None:
            self.assertEqual(x.shape, (2,))
            self.seen.append(x)
            check(lambda y: y * self.factor, x, vjp=lambda arguments, bar: bar * self.factor)

        def runTest(self) -> None:
            self.seen: list[Any] = []
            self.scaled()

    case = Methods()
    result = unittest.TestResult()
    case.run(result)
    assert result.wasSuccessful() and result.testsRun == 1 and len(case.seen) == 1


def test_what_makes_no_sense_is_told(fake_judge: Fake) -> None:
    with pytest.raises(CheckError, match="given: nothing is drawn"):
        given()
    with pytest.raises(CheckError, match="given: y is no var, and no option of check\n  hint: give var"):
        given(x=var(), y=3)
    with pytest.raises(CheckError, match="given: named has no argument y; it has x\n  at .*test_given.py"):

        @given(y=var())
        def named(x: Any) -> None: ...

    @given(x=var())
    def nothing(x: Any) -> None: ...

    with pytest.raises(
        CheckError, match="nothing returns nothing and checks nothing\n .*\n  hint: return the value"
    ):
        nothing()
