"""Tests that docs/python-fronts.md has JAX's primitives and functions; writes the functions there, if it is run."""

from __future__ import annotations

import gc
import re
import textwrap
from pathlib import Path

import pytest

jax = pytest.importorskip("jax")

import jax.experimental.pallas  # noqa: E402, F401  It declares a primitive.
import jax.extend.core  # noqa: E402

from adjudge.fronts.jax_front import REFUSED, RULES  # noqa: E402
from adjudge.fronts.jax_front_library import FUNCTIONS, INLINED  # noqa: E402
from test_jax_front_functions import CASES  # noqa: E402

PAGE = Path(__file__).parent.parent.parent / "docs" / "python-fronts.md"
START, END = "<!-- jax: functions -->\n", "<!-- end of jax functions -->\n"

GROUPS = {
    "jax.nn": "jax.nn.",
    "jax.scipy": "jax.scipy.",
    "jax.numpy": "jax.numpy.",
    "optax": "optax.",
    "Other of JAX": ("jax.", ".at", "an index"),
    "Layers, written as flax writes them": "",
}


def listed() -> str:
    """Returns a paragraph for each group of functions that has cases."""
    left, made = [case.name for case in CASES], []
    for group, start in GROUPS.items():
        names = [name for name in left if name.startswith(start)]
        left = [name for name in left if name not in names]
        shown = "; ".join(name if start == "" or not isinstance(start, str) else name.removeprefix(start) for name in names)
        made.append("\n".join(textwrap.wrap(f"**{group}** ({len(names)}): {shown}.", 100, break_on_hyphens=False)))
    return "\n\n".join(made)


def page(text: str) -> str:
    """Returns the page with the list in its place."""
    before, rest = text.split(START)
    return f"{before}{START}\n{listed()}\n\n{END}{rest.split(END)[1]}"


def told(section: str) -> set[str]:
    """Returns the names in the first column of a table of the page."""
    text = PAGE.read_text(encoding="utf8").split(f"<!-- jax: {section} -->")[1].split("<!-- end of")[0]
    rows = [line.split("|")[1] for line in text.splitlines() if line.startswith("| `")]
    return {name for row in rows for name in re.findall(r"`([^`]+)`", row)}


def test_the_page_has_the_primitives_that_have_a_rule() -> None:
    ruled = {name for name in RULES if " of " not in name} | set(INLINED)
    assert told("primitives") == ruled
    assert len(ruled) >= 60
    assert {name for name in RULES if " of " in name} == set(FUNCTIONS)


def test_the_page_has_the_primitives_that_are_refused() -> None:
    assert told("refused") == set(REFUSED)
    assert not set(REFUSED) & set(RULES)


def test_each_of_them_is_a_primitive_of_jax() -> None:
    known = {thing.name for thing in gc.get_objects() if isinstance(thing, jax.extend.core.Primitive)}
    assert {name for name in (*RULES, *INLINED, *REFUSED) if " of " not in name} <= known


def test_the_page_has_the_functions_that_are_traced() -> None:
    text = PAGE.read_text(encoding="utf8")
    assert text == page(text), "run python/tests/test_jax_front_table.py"
    assert len(CASES) >= 40


if __name__ == "__main__":
    PAGE.write_text(page(PAGE.read_text(encoding="utf8")), encoding="utf8")
