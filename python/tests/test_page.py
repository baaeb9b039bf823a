"""The examples of docs/python.md, each run in one folder: files are written, commands print what is shown."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

PAGE = Path(__file__).resolve().parents[2] / "docs" / "python.md"
BLOCK = re.compile(r"^```(\w+)(?: (\S+))?\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def blocks(page: str) -> list[tuple[str, str, str]]:
    """Returns language, file and text of each block of a page."""
    return [(language, file or "", text) for language, file, text in BLOCK.findall(page)]


def strange(page: str, folder: Path) -> list[tuple[str, str]]:
    """Writes the files of a page and runs its commands; returns those that print something else."""
    found = []
    for language, file, text in blocks(page):
        if file:
            (folder / file).write_text(text, "utf8")
        elif language == "console":
            command, shown = text.removeprefix("$ ").split("\n", 1)
            printed = output(command, folder)
            if not is_printed(printed, shown):
                found.append((command, printed))
    return found


def output(command: str, folder: Path) -> str:
    """Returns what a command prints on both outputs, with this Python and this package."""
    words = [sys.executable if word == "python3" else word for word in command.split()]
    if "pytest" in words:
        # Where the package is installed, pytest finds the plugin itself.
        words += ["-p", "adjudge.pytest_plugin", "-p", "no:cacheprovider", "-W", "ignore"]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "PYTHONWARNINGS": "ignore"}
    ran = subprocess.run(
        words, cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    return ran.stdout


def is_printed(printed: str, shown: str) -> bool:
    """Tells whether what is shown was printed; `…` stands for anything."""
    parts = [re.escape(part) for part in shown.rstrip().split("…")]
    return re.fullmatch(".*".join(parts), printed.rstrip(), re.DOTALL) is not None


@pytest.mark.slow
@pytest.mark.usefixtures("real_judge")
def test_every_example_prints_what_the_page_shows(tmp_path: Path) -> None:
    pytest.importorskip("jax")
    pytest.importorskip("torch")
    page = PAGE.read_text("utf8")
    assert sum(language == "console" for language, _, _ in blocks(page)) == 6
    assert strange(page, tmp_path) == []


def test_the_page_is_short() -> None:
    assert len(PAGE.read_text("utf8").split()) <= 1200


def test_another_output_would_be_noticed(tmp_path: Path) -> None:
    page = "```python a.py\nprint(1 + 1)\n```\n\n```console\n$ python3 a.py\n{}\n```\n"
    assert strange(page.format("2"), tmp_path) == [] and strange(page.format("…"), tmp_path) == []
    assert strange(page.format("3"), tmp_path) == [("python3 a.py", "2\n")]
