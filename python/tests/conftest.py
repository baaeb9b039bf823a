"""Fixtures of the tests: a judge of their own, or the real one where Node and the commands are there."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Callable, Iterator

import pytest

# Pytester forgets modules that its runs import first, so that all are imported before.
from adjudge import checking, client, decorator, node  # noqa: F401
from adjudge.errors import JudgeError

pytest_plugins = ["pytester"]


@pytest.fixture
def fake_judge(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str], None]]:
    """Has checks ask `fake_judge.py`, and returns what tells it to behave in some way."""
    client.close()
    command = [sys.executable, str(Path(__file__).with_name("fake_judge.py"))]
    monkeypatch.setattr(node, "command", lambda: command)
    monkeypatch.setenv("FAKE_JUDGE", "")
    yield lambda mode: monkeypatch.setenv("FAKE_JUDGE", mode)
    client.close()


@pytest.fixture
def real_judge() -> Iterator[None]:
    """Skips a test where there is no Node for the judge."""
    try:
        node.command()
    except JudgeError as error:
        pytest.skip(str(error))
    yield
    client.close()
