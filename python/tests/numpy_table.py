"""Writes the list of functions into docs/python-fronts.md, if it is run."""

from __future__ import annotations

import textwrap
from pathlib import Path

from numpy_cases import GROUPS

PAGE = Path(__file__).parent.parent.parent / "docs" / "python-fronts.md"
START, END = "<!-- numpy: functions -->\n", "<!-- end of functions -->\n"


def listed() -> str:
    """Returns a paragraph for each group, with the names that have a case."""
    made = []
    for group, cases in GROUPS.items():
        names = ", ".join(f"`{name.removeprefix('np.').removeprefix('special.')}`" for name in cases)
        made.append("\n".join(textwrap.wrap(f"**{group}** ({len(cases)}): {names}.", 100, break_on_hyphens=False)))
    return "\n\n".join(made)


def page(text: str) -> str:
    """Returns the page with the list in its place."""
    before, rest = text.split(START)
    return f"{before}{START}\n{listed()}\n\n{END}{rest.split(END)[1]}"


if __name__ == "__main__":
    PAGE.write_text(page(PAGE.read_text(encoding="utf8")), encoding="utf8")
