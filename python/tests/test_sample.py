"""Tests which tests are run where a sample is asked for."""

from __future__ import annotations

import pytest
from conftest import pytest_collection_modifyitems

TESTS = """
import pytest

@pytest.mark.sampled(3)
@pytest.mark.parametrize("n", range(20))
def test_many(n): pass

@pytest.mark.slow
def test_slow(): pass

def test_fast(): pass
"""


@pytest.fixture
def sample(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch):
    def draw(seed: str) -> list[str]:
        monkeypatch.setenv("ADJUDGE_TEST_SEED", seed)
        items = list(pytester.getitems(TESTS))
        pytest_collection_modifyitems(items[0].config, items)
        return [item.name for item in items]

    return draw


def test_a_sample_is_drawn_by_its_seed(sample) -> None:
    drawn = [sample(seed) for seed in ("a", "a", "b")]
    assert drawn[0] == drawn[1] != drawn[2]
    for names in drawn:
        assert len(names) == 4 and "test_fast" in names and "test_slow" not in names


def test_all_are_run_by_default(sample) -> None:
    assert len(sample("all")) == 22
