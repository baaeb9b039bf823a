"""Fixtures of the tests: a judge of their own, or the real one where Node and the commands are there.

`ADJUDGE_TEST_SEED` asks for a sample, drawn by it: tests marked `slow` are left out, and of those marked
`sampled(count)` so many are run. Without it, or where it is `all`, every test is.
"""

from __future__ import annotations

import hashlib
import os
import sys
from pathlib import Path
from typing import Callable, Iterator

import pytest

# Pytester forgets modules that its runs import first, so that all are imported before.
from adjudge import checking, client, decorator, node  # noqa: F401
from adjudge.errors import JudgeError

pytest_plugins = ["pytester"]


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "slow: it is left out of a sample")
    config.addinivalue_line("markers", "sampled(count): so many of these tests are in a sample")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leaves the tests that are in the sample."""
    seed = os.environ.get("ADJUDGE_TEST_SEED", "all")
    if seed == "all":
        return
    kept = in_sample(items, seed)
    config.hook.pytest_deselected(items=[item for item in items if item not in kept])
    items[:] = [item for item in items if item in kept]


def in_sample(items: list[pytest.Item], seed: str) -> set[pytest.Item]:
    """Draws the sample: each worker of pytest-xdist draws the same."""
    kept = {item for item in items if item.get_closest_marker("slow") is None}
    groups: dict[int, list[pytest.Item]] = {}
    for item in items:
        mark = item.get_closest_marker("sampled")
        if mark is not None and item in kept:
            groups.setdefault(id(mark), []).append(item)
    for group in groups.values():
        mark = group[0].get_closest_marker("sampled")
        ranked = sorted(group, key=lambda item: hashlib.sha256(f"{seed} {item.nodeid}".encode()).digest())
        kept -= set(ranked[mark.args[0] if mark else 0 :])
    return kept


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
