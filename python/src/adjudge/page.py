"""A page of what some checks found, in one file that loads nothing."""

from __future__ import annotations

from html import escape
from typing import Any, Mapping, Sequence

STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; color: #222; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; padding: 0.25rem 0.75rem 0.25rem 0; border-bottom: 1px solid #ddd; vertical-align: top; }
td.number { text-align: right; font-variant-numeric: tabular-nums; }
.right { color: #05680b; }
.wrong { color: #a80000; font-weight: 600; }
pre { background: #f6f6f6; padding: 0.75rem; overflow-x: auto; }
@media (prefers-color-scheme: dark) {
  body { background: #161616; color: #ddd; }
  th, td { border-color: #444; }
  pre { background: #222; }
  .right { color: #7ed083; }
  .wrong { color: #ff8a80; }
}
"""


def page_of(found: Sequence[Mapping[str, Any]]) -> str:
    """Writes a table of all checks, and the judge's text on those that are not right, which come first."""
    ordered = sorted(found, key=lambda each: each["ok"])
    wrong = [each for each in ordered if not each["ok"]]
    head = f"{len(found)} check{'s' * (len(found) != 1)}, {len(wrong)} not right"
    rows = "\n".join(_row(number, each) for number, each in enumerate(ordered, 1))
    details = "\n".join(_detail(number, each) for number, each in enumerate(wrong, 1))
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>adjudge: {head}</title>
<style>{STYLE}</style>
</head>
<body>
<main>
<h1>adjudge: {head}</h1>
<table>
<thead><tr><th scope="col">function</th><th scope="col">verdict</th><th scope="col">points</th>
<th scope="col">numbers decided</th><th scope="col">test</th></tr></thead>
<tbody>
{rows}
</tbody>
</table>
{details}
</main>
</body>
</html>
"""


def _row(number: int, each: Mapping[str, Any]) -> str:
    name = escape(each["name"])
    shown = name if each["ok"] else f'<a href="#check-{number}">{name}</a>'
    kind = "right" if each["ok"] else "wrong"
    return (
        f'<tr><td>{shown}</td><td class="{kind}">{escape(each["kind"])}</td><td class="number">{each["points"]}</td>'
        f'<td class="number">{each["decided"]} of {each["numbers"]}</td><td>{escape(each["test"])}</td></tr>'
    )


def _detail(number: int, each: Mapping[str, Any]) -> str:
    return f'<h2 id="check-{number}">{escape(each["name"])}</h2>\n<pre>{escape(each["text"])}</pre>'
