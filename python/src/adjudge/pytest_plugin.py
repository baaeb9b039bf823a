"""The plugin of pytest: how much is asked, a page of what was found, and a line at the end.

It is loaded with pytest where the package is installed, and imports nothing of adjudge until a test does.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Optional

import pytest


# What pytest prints under an error none of whose frames it shows.
HIDDEN = "All traceback entries are hidden"


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("adjudge", "gradients (adjudge)")
    group.addoption(
        "--adjudge-cases", type=int, metavar="N", help="points that each check asks, unless it says (20)"
    )
    group.addoption(
        "--adjudge-seed",
        type=int,
        metavar="N",
        help="the seed that points are drawn by, unless a check says (1)",
    )
    group.addoption("--adjudge-report", metavar="FILE.html", help="write what each check found to a page")


def pytest_configure(config: pytest.Config) -> None:
    plugin = Reporter(config)
    config.pluginmanager.register(plugin, "adjudge-reporter")


class Reporter:
    """Follows the checks of a run."""

    def __init__(self, config: pytest.Config) -> None:
        self._page: Optional[str] = config.getoption("--adjudge-report")
        self._points: Optional[int] = config.getoption("--adjudge-cases")
        self._seed: Optional[int] = config.getoption("--adjudge-seed")
        if self._points is not None and self._points < 1:
            raise pytest.UsageError(f"--adjudge-cases={self._points}: give a number from 1 up")
        self._test = ""
        # Each test with a report of it, a tuple of plain values that workers of pytest-xdist can send.
        self._found: list[dict[str, Any]] = []
        self._config = config

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Any:
        self._test = item.nodeid
        return (yield)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Any:
        from adjudge.checking import settings

        before = len(self._found)
        points, seed = settings.points, settings.seed
        settings.points, settings.seed = self._points or points, seed if self._seed is None else self._seed
        settings.observers.append(self._observe)
        try:
            return (yield)
        finally:
            settings.observers.remove(self._observe)
            settings.points, settings.seed = points, seed
            if len(self._found) > before:
                item.user_properties.append(("adjudge", self._found[before:]))

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self) -> Any:
        report = yield
        # A test that is judged itself has no frame that is worth showing.
        words = str(report.longrepr) if report.longrepr is not None else ""
        if "adjudge.errors." in words and HIDDEN in words:
            report.longrepr = "".join(line for line in words.splitlines(True) if HIDDEN not in line).strip()
        return report

    def _observe(self, report: Any) -> None:
        told = {
            "test": self._test,
            "name": report.name,
            "kind": report.kind,
            "text": str(report),
            "ok": report.ok,
        }
        self._found.append(
            {**told, "points": report.points, "numbers": report.numbers, "decided": report.decided}
        )

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        # What a worker of pytest-xdist found comes with the reports of its tests.
        if hasattr(report, "node") and report.when == "call":
            for name, found in report.user_properties:
                if name == "adjudge" and isinstance(found, list):
                    self._found += found

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        if self._found:
            wrong = sum(not each["ok"] for each in self._found)
            numbers = sum(each["decided"] for each in self._found)
            checks = f"{len(self._found)} check{'s' * (len(self._found) > 1)}"
            terminalreporter.write_line(
                f"adjudge: {checks}, {numbers} numbers decided, {wrong} not right", red=wrong > 0
            )
        if self._page is not None and not hasattr(self._config, "workerinput"):
            from adjudge.page import page_of

            Path(self._page).write_text(page_of(self._found), "utf8")
            terminalreporter.write_line(f"adjudge: the report is {self._page}")
