"""Tests of the plugin: options, the line at the end, the page, and what a failing test shows."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path
from typing import Callable

import pytest

from adjudge.page import page_of

Fake = Callable[[str], None]

SUITE = """
import numpy as np
from adjudge import check, settings_of_checks

def right(arguments, bar):
    return 2 * bar * arguments[0]

def wrong(arguments, bar):
    return 3 * bar * arguments[0]

def square(x):
    return x * x

def test_right():
    check(square, np.arange(3.0), vjp=right)
    print(settings_of_checks())

def test_wrong():
    check(square, np.arange(3.0), vjp=wrong, name="<wrong>")
"""

pytestmark = pytest.mark.sampled(3)


@pytest.fixture
def suite(pytester: pytest.Pytester, fake_judge: Fake) -> pytest.Pytester:
    text = SUITE.replace(", settings_of_checks", "\nfrom adjudge.checking import settings")
    pytester.makepyfile(text.replace("settings_of_checks()", "settings.points, settings.seed"))
    return pytester


def run(suite: pytest.Pytester, *options: str) -> pytest.RunResult:
    loaded = suite.plugins or ["adjudge.pytest_plugin"]
    return suite.runpytest(
        "-p", "no:cacheprovider", *[word for name in loaded for word in ("-p", str(name))], *options
    )


def test_a_failing_check_shows_the_judges_text_and_not_our_frames(suite: pytest.Pytester) -> None:
    result = run(suite)
    result.assert_outcomes(passed=1, failed=1)
    text = result.stdout.str()
    result.stdout.fnmatch_lines(["E*wrong-gradient]: <wrong>*", "E*dL/dx: got 3.0, want 2.0*"])
    result.stdout.fnmatch_lines(["adjudge: 2 checks, 6 numbers decided, 1 not right"])
    assert not re.search(r"^(src/|.*/)?adjudge/\w+\.py:\d+", text, re.MULTILINE), text
    assert "def judged" not in text and "def run(" not in text


def test_a_test_that_is_judged_itself_shows_the_text_alone(suite: pytest.Pytester) -> None:
    suite.makepyfile(
        """
        from adjudge import given, var

        @given(x=var(3), vjp=lambda arguments, bar: bar)
        def test_square(x):
            return x * x
        """
    )
    result = run(suite)
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["E*wrong-gradient]: test_square*"])
    result.stdout.no_fnmatch_line("*hidden*")


def test_options_say_how_much_is_asked(suite: pytest.Pytester) -> None:
    result = run(suite, "--adjudge-cases=7", "--adjudge-seed=11", "-k", "right", "-s")
    result.assert_outcomes(passed=1, deselected=1)
    result.stdout.fnmatch_lines(["*7 11*", "adjudge: 1 check, 3 numbers decided, 0 not right"])
    refused = run(suite, "--adjudge-cases=0")
    assert refused.ret == pytest.ExitCode.USAGE_ERROR


def test_each_test_has_a_line(suite: pytest.Pytester) -> None:
    result = run(suite, "-v", "-k", "right or wrong")
    result.stdout.fnmatch_lines(["*::test_right PASSED*", "*::test_wrong FAILED*"])


def test_a_page_has_every_check(suite: pytest.Pytester) -> None:
    result = run(suite, "--adjudge-report=found.html")
    result.stdout.fnmatch_lines(["adjudge: the report is found.html"])
    page = (Path(suite.path) / "found.html").read_text("utf8")
    assert "<title>adjudge: 2 checks, 1 not right</title>" in page
    # What is wrong comes first, and texts are no markup.
    assert page.index("&lt;wrong&gt;") < page.index("square") and "<wrong>" not in page
    assert "dL/dx: got 3.0" in page and page.count("<tr><td>") == 2


def test_an_empty_page_says_so() -> None:
    assert "adjudge: 0 checks, 0 not right" in page_of([])


@pytest.mark.slow
def test_workers_of_xdist_have_judges_of_their_own_and_one_page(
    suite: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("xdist")
    # Processes of their own have no fixture, and start the judge of the tests by this.
    fake = str(Path(__file__).with_name("fake_judge.py"))
    suite.makepyfile(
        fake=f"import sys\nfrom adjudge import node\nnode.command = lambda: [sys.executable, {fake!r}]\n"
    )
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(suite.path), *sys.path]))
    result = suite.runpytest_subprocess(
        "-p",
        "no:cacheprovider",
        "-p",
        "adjudge.pytest_plugin",
        "-n2",
        "--adjudge-report=found.html",
        "-p",
        "fake",
    )
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(["adjudge: 2 checks, 6 numbers decided, 1 not right"])
    page = (Path(suite.path) / "found.html").read_text("utf8")
    assert page.count("<tr><td>") == 2
