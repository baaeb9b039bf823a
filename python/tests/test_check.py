"""Tests of `check`: what it asks, what it raises, and what it says of a function that cannot be judged."""

from __future__ import annotations

from typing import Any, Callable

import numpy as np
import pytest

from adjudge import CheckError, GradientError, NotJudged, Refused, check, trace, var
from adjudge.checking import Asked, settings, subject_of

Fake = Callable[[str], None]


def expx(x: Any) -> Any:
    return np.exp(x) * x


def slope(arguments: Any, bar: Any) -> Any:
    (x,) = arguments
    return bar * np.exp(x) * (1 + x)


def wrong(arguments: Any, bar: Any) -> Any:
    (x,) = arguments
    return bar * np.exp(x) * (1 + 1.01 * x)


def document(f: Any, *args: Any, **options: Any) -> dict[str, Any]:
    """Returns the question that a check would ask."""
    return subject_of(f, args, Asked(**options)).made().document()


class TestVerdicts:
    def test_a_right_rule_is_reported(self, fake_judge: Fake) -> None:
        report = check(expx, np.arange(3.0), vjp=slope)
        assert (report.kind, report.name, report.ok, report.decided) == ("agrees", "expx", True, 3)

    def test_a_wrong_rule_raises_with_the_witness(self, fake_judge: Fake) -> None:
        with pytest.raises(GradientError, match=r"wrong-gradient\]: expx") as raised:
            check(expx, np.arange(3.0), vjp=wrong)
        report = raised.value.report
        witness = report.witness
        assert report.kind == "disagrees" and not report.ok and witness is not None
        assert (witness.mode, witness.place, witness.element) == ("vjp", 0, (1,))
        assert witness.inputs[0].tolist() == [0, 1, 2] and witness.direction[0].tolist() == [1, 1, 1]
        assert witness.answered == pytest.approx(2.01 * np.e) and witness.expected == pytest.approx(
            2 * np.e, 1e-4
        )
        assert "return np.exp(x) * x" in witness.blame

    def test_other_values_than_the_references_are_told_apart(self, fake_judge: Fake) -> None:
        with pytest.raises(GradientError) as raised:
            check(lambda x: expx(x) * 1.001, np.arange(3.0), vjp=slope, reference=expx)
        assert raised.value.report.kind == "differs"
        assert check(lambda x: x * np.exp(x), np.arange(3.0), vjp=slope, reference=expx).ok

    def test_a_rule_that_raises_elsewhere_is_not_judged(self, fake_judge: Fake) -> None:
        def rule(arguments: Any, bar: Any) -> Any:
            if not (bar == 1).all() or rule.calls > 0:  # type: ignore[attr-defined]
                raise ZeroDivisionError("by hand")
            rule.calls += 1  # type: ignore[attr-defined]
            return slope(arguments, bar)

        rule.calls = 0  # type: ignore[attr-defined]
        with pytest.raises(NotJudged, match="ZeroDivisionError: by hand") as raised:
            check(expx, np.arange(3.0), vjp=rule)
        assert isinstance(raised.value.__cause__, ZeroDivisionError)

    def test_every_report_is_observed(self, fake_judge: Fake, monkeypatch: pytest.MonkeyPatch) -> None:
        seen: list[str] = []
        monkeypatch.setattr(settings, "observers", [lambda report: seen.append(report.kind)])
        check(expx, np.arange(3.0), vjp=slope)
        with pytest.raises(GradientError):
            check(expx, np.arange(3.0), vjp=wrong)
        assert seen == ["agrees", "disagrees"]


class TestQuestions:
    def test_arrays_are_asked_first_and_drawn_near(self) -> None:
        asked = document(expx, np.arange(3.0), vjp=slope, points=7, seed=9, digits=6)
        assert (asked["points"], asked["seed"], asked["digits"], asked["modes"]) == (
            7,
            9,
            6,
            ["evaluate", "vjp"],
        )
        assert asked["domain"]["inputs"] == [{"like": asked["at"][0]["inputs"][0]}]
        assert asked["wrt"] == [0] and asked["dtype"] == "float64" and asked["resizes"] is True
        assert (
            len(asked["sources"]) == len(asked["graph"]["nodes"]) and "np.exp(x) * x" in asked["sources"][0]
        )

    def test_a_var_is_drawn_as_it_says(self) -> None:
        asked = document(expx, var(3, low=-1, high=2, special=["ends"]), vjp=slope)
        assert (
            asked["domain"]["inputs"] == [{"low": -1.0, "high": 2.0, "special": ["ends"]}]
            and "at" not in asked
        )
        for given, said in (({"positive": True}, "positive"), ({"values": "probabilities"}, "probabilities")):
            assert document(expx, var((2, 3), **given), vjp=slope)["domain"]["inputs"] == [{"values": said}]

    def test_a_domain_is_given_by_name(self) -> None:
        asked = document(
            lambda x, w: x * w,
            np.ones(3),
            np.ones(3),
            vjp=lambda a, bar: (bar * a[1], bar * a[0]),
            domain={"w": var(low=0)},
        )
        assert asked["domain"]["inputs"][1] == {"low": 0.0}
        with pytest.raises(CheckError, match="domain has v, and lambda at .* has x"):
            document(lambda x: x * 1.0, np.ones(3), vjp=lambda a, bar: bar, domain={"v": var()})

    def test_integers_are_data_that_is_drawn(self, fake_judge: Fake) -> None:
        def picked(x: Any, rows: Any) -> Any:
            return x[rows]

        seen = set()

        def scattered(arguments: Any, bar: Any) -> Any:
            x, rows = arguments
            seen.update(rows.tolist())
            found = np.zeros_like(x)
            np.add.at(found, rows, bar)
            return found

        asked = document(picked, var(4), var(2, integers=4), vjp=scattered)
        assert asked["domain"]["environment"] == {"rows": {"integers": 4}} and "rows" in asked["environment"]

    def test_only_what_is_asked_is_differentiated(self) -> None:
        def scaled(x: Any, w: Any) -> Any:
            return x * w

        for chosen in ("w", 1, -1, ["w"]):
            asked = document(
                scaled, np.ones(3), np.ones(3), vjp=lambda given, bar: bar * given[0], wrt=chosen
            )
            assert asked["wrt"] == [1]
        for unknown in ("v", 2, True):
            with pytest.raises(
                CheckError, match="is no argument of scaled\n  hint: they are x, w, or 0 to 1"
            ):
                document(scaled, np.ones(3), np.ones(3), vjp=lambda given, bar: bar, wrt=unknown)

    def test_what_is_no_array_is_part_of_the_function(self) -> None:
        def summed(x: Any, axis: int, how: str) -> Any:
            return x.sum(axis) if how == "sum" else x

        asked = document(
            summed, np.ones((2, 3)), 1, "sum", vjp=lambda given, bar: np.repeat(bar[:, None], 3, 1)
        )
        assert [entry["name"] for entry in asked["graph"]["inputs"]] == ["x"]

    def test_single_precision_is_asked_in_it(self, fake_judge: Fake) -> None:
        assert document(expx, np.ones(3, np.float32), vjp=slope)["dtype"] == "float32"
        assert check(expx, np.ones(3, np.float32), vjp=slope).ok

    def test_a_tangent_is_asked_where_it_is_given(self) -> None:
        def pushed(arguments: Any, dots: Any) -> Any:
            return dots[0] * np.exp(arguments[0]) * (1 + arguments[0])

        assert document(expx, np.ones(3), jvp=pushed)["modes"] == ["evaluate", "jvp"]
        assert document(expx, np.ones(3), vjp=slope, jvp=pushed)["modes"] == ["evaluate", "vjp", "jvp"]

    def test_trees_are_taken_apart(self, fake_judge: Fake) -> None:
        def affine(parameters: Any, x: Any) -> Any:
            return {"y": parameters["w"] * x + parameters["b"]}

        def pulled(arguments: Any, bar: Any) -> Any:
            parameters, x = arguments
            return {"w": bar["y"] * x, "b": bar["y"]}, bar["y"] * parameters["w"]

        parameters = {"w": np.ones(3) * 2, "b": np.ones(3)}
        assert check(affine, parameters, np.ones(3), vjp=pulled).ok
        # The one argument is a tree, and so is what is returned.
        assert check(
            affine, parameters, np.ones(3), vjp=lambda a, bar: pulled(a, bar)[0], wrt="parameters"
        ).ok

    def test_a_graph_is_traced(self) -> None:
        graph = trace(expx, var(3))
        assert graph["format"] == "adjudge.graph.v1" and [node["op"] for node in graph["nodes"]] == [
            "exp",
            "multiply",
        ]


ONE, TWO = np.ones(3), np.ones((2, 3))


def product(x: Any, w: Any) -> Any:
    return x * w


class TestBadInput:
    """Each is told with the line and what to do."""

    @pytest.mark.parametrize(
        ("rule", "words"),
        [
            (lambda a, bar: bar, "vjp returns one gradient, and 2 are asked: x, w"),
            (lambda a, bar: (bar,), "vjp returns 1 gradient, and 2 are asked"),
            (lambda a, bar: (bar, bar, bar), "vjp returns 3 gradients, and 2 are asked"),
            (
                lambda a, bar: (bar.sum(), bar),
                r"the gradient of x in shape \[\], and \[3\] is due\n .*\n  hint: sum over",
            ),
            (lambda a, bar: (bar, bar[:2]), r"the gradient of w in shape \[2\]"),
            (
                lambda a, bar: (bar, bar.astype(np.float32)),
                "the gradient of w in float32, and the function computes in float64",
            ),
            (lambda a, bar: (bar, bar.astype(int)), "the gradient of w in int64"),
            (lambda a, bar: (bar, bar + 1j), "the gradient of w in complex128"),
            (lambda a, bar: (bar, None), "vjp returns None for w, whose gradient is asked"),
            (lambda a, bar: (bar, "no"), "vjp returns str as the gradient of w\n"),
            (lambda a, bar: (bar, [bar, bar]), "vjp returns 2 arrays for w, which has 1 of floats"),
        ],
    )
    def test_a_rule_of_another_structure(self, rule: Any, words: str) -> None:
        with pytest.raises(CheckError, match=words) as raised:
            document(product, ONE, ONE, vjp=rule)
        assert "test_check.py:" in str(raised.value) and "hint: " in str(raised.value)

    def test_a_tangent_of_another_structure(self) -> None:
        for rule, words in (
            (lambda a, dots: (dots[0], dots[0]), "jvp returns 2 arrays where the primal has 1"),
            (lambda a, dots: dots[0][:2], r"jvp returns shape \[2\] where the primal has \[3\]"),
        ):
            with pytest.raises(CheckError, match=words):
                document(product, ONE, ONE, jvp=rule)

    def test_a_rule_that_raises(self) -> None:
        def rule(arguments: Any, bar: Any) -> Any:
            return bar @ TWO

        with pytest.raises(
            CheckError, match="vjp raises ValueError.*\n  at .*test_check.py:.*: return bar @ TWO"
        ):
            document(product, ONE, ONE, vjp=rule)

    def test_a_function_that_raises(self) -> None:
        def broken(x: Any) -> Any:
            return x @ TWO

        with pytest.raises(
            CheckError, match="broken raises ValueError .*\n  at .*test_check.py:.*: return x @ TWO\n  hint: "
        ) as raised:
            document(broken, ONE, vjp=slope)
        assert isinstance(raised.value.__cause__, ValueError)

    def test_no_function(self) -> None:
        with pytest.raises(CheckError, match="check wants a function, not ndarray"):
            check(ONE, ONE)  # type: ignore[arg-type]

    def test_no_rule(self) -> None:
        with pytest.raises(
            CheckError,
            match="expx computes with NumPy, which differentiates nothing.*\n  at .*\n  hint: give its rule",
        ):
            check(expx, ONE)

    def test_no_floats(self) -> None:
        with pytest.raises(CheckError, match="is given no array of floats"):
            document(lambda n: n * 1.5, np.arange(3), vjp=slope)
        with pytest.raises(CheckError, match="returns no array of floats"):
            document(lambda x: x > 0, ONE, vjp=slope)

    def test_complex_numbers(self) -> None:
        with pytest.raises(CheckError, match="returns complex128"):
            document(lambda x: x * 1j, ONE, vjp=slope)
        with pytest.raises(Refused, match="complex"):
            document(lambda z: np.abs(z), ONE * 1j, vjp=slope)

    def test_another_structure(self) -> None:
        with pytest.raises(CheckError, match="returns str\n"):
            document(lambda x: (x, "text"), ONE, vjp=slope)

    def test_an_argument_that_is_changed(self) -> None:
        def halved(x: Any) -> Any:
            x *= 0.5
            return x

        with pytest.raises(
            CheckError, match="halved changes its arguments\n  at .*: def halved.*\n  hint: work on a copy"
        ):
            document(halved, np.arange(3.0), vjp=slope)

    def test_random_numbers_and_state(self) -> None:
        def noisy(x: Any) -> Any:
            return x + np.random.random(3)

        with pytest.raises(
            CheckError,
            match="noisy answers otherwise when it is called again.*\n .*\n  hint: give random numbers",
        ):
            document(noisy, ONE, vjp=slope)

    def test_shapes_that_depend_on_the_data(self) -> None:
        with pytest.raises(Refused, match="test_check.py:"):
            document(lambda x: x[x > 0.5], np.arange(3.0), vjp=slope)

    def test_options(self) -> None:
        for options, words in (
            ({"points": 0}, "points=0\n  hint: give an integer from 1 up"),
            ({"order": 4}, "order=4"),
            ({"order": 2}, "has no derivatives of derivatives, since NumPy has none"),
        ):
            with pytest.raises(CheckError, match=words):
                check(expx, ONE, vjp=slope, **options)  # type: ignore[arg-type]


class TestVar:
    @pytest.mark.parametrize(
        ("arguments", "words"),
        [
            ({"shape": (-1,)}, r"\[-1\] is no shape"),
            ({"values": "even"}, "there are no values 'even'\n  hint: they are one of positive"),
            ({"special": ["odd"]}, "there are no special values 'odd'"),
            ({"low": 1, "high": 0}, "low=1 is above high=0"),
            ({"low": float("nan")}, "low=nan is no end of a box"),
            ({"integers": 0}, "integers=0 leaves nothing to draw"),
            ({"integers": 3, "low": 1}, "integers have no other domain"),
            ({"values": "sorted", "positive": True}, "two domains"),
            ({"shape": (2, 3), "values": "spd"}, "is no shape of symmetric matrices"),
            ({"values": "probabilities"}, "a single number has no axis"),
        ],
    )
    def test_what_makes_no_sense_is_told(self, arguments: Any, words: str) -> None:
        with pytest.raises(CheckError, match=words):
            var(**arguments)

    def test_examples_are_of_the_domain(self) -> None:
        generator = np.random.default_rng(1)
        for _ in range(100):
            assert (var(5, low=-1, high=-0.5).example(generator) <= -0.5).all()
            assert (var(5, positive=True).example(generator) > 0).all()
            assert var((2, 5), values="probabilities").example(generator).sum(-1) == pytest.approx(1)
            assert (np.diff(var(5, values="sorted").example(generator)) >= 0).all()
            assert (np.linalg.eigvalsh(var((3, 3), values="spd").example(generator)) > 0).all()
            whole = var(5, integers=3).example(generator)
            assert whole.dtype == np.int64 and ((whole >= 0) & (whole < 3)).all()


def test_bfloat16_is_rounded_once() -> None:
    from adjudge.libraries import to_odd

    # Rounded to float32 first, the number would be a tie, which goes to the even neighbour below.
    value = np.array(
        [1 + 2.0**-8 + 2.0**-40, -(1 + 2.0**-8 + 2.0**-40), 1 + 2.0**-8, np.inf, np.nan, 1e300, 0.0, 1e-320]
    )
    odd = to_odd(value)
    assert (odd[:2] != value[:2].astype(np.float32)).all() and odd[2] == value[2]
    assert np.isinf(odd[3]) and np.isnan(odd[4]) and odd[6] == 0
    bits = odd[[5, 7]].view(np.uint32)
    assert bits.tolist() == [0x7F7FFFFF | 1, 1]
