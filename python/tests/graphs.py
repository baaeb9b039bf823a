"""What the tests of the fronts ask of the judge's modules: values, random graphs, whether two are one."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any, Iterable, Mapping, Sequence

import numpy as np
from adjudge.graph import Graph, Ref

HERE = Path(__file__).parent
ROOT = HERE.parent.parent


def node_lines(script: str, lines: Iterable[Any] = (), *arguments: str) -> list[Any]:
    """Runs a script of this folder with Node, and returns the lines that it writes."""
    bundled = ROOT / "node_modules" / ".bin" / "node"
    node = os.environ.get("ADJUDGE_NODE") or (str(bundled) if bundled.exists() else shutil.which("node"))
    assert node is not None, "Node is not installed"
    text = "".join(json.dumps(line) + "\n" for line in lines)
    done = subprocess.run([node, str(HERE / script), *arguments], input=text, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def tensor_json(value: Any) -> dict[str, Any]:
    """Returns numbers as the judge reads them, in a form that is exact."""
    data = np.asarray(value, dtype=np.float64)
    return {"shape": list(data.shape), "data": [_exact(float(x)) for x in data.reshape(-1)]}


def _exact(x: float) -> str:
    if x != x:
        return "nan"
    return x.hex() if abs(x) != float("inf") else ("inf" if x > 0 else "-inf")


def numbers(tensor: Mapping[str, Any]) -> np.ndarray:
    """Returns a tensor of the judge as an array."""
    data = [float.fromhex(x) if isinstance(x, str) else float(x) for x in tensor["data"]]
    return np.array(data, dtype=np.float64).reshape(tensor["shape"])


def written(graph: Graph, outputs: Sequence[Ref], points: Sequence[Sequence[Any]] = ()) -> dict[str, Any]:
    """Returns a traced function as the scripts read it."""
    return {
        "graph": graph.to_json(),
        "outputs": [output.id for output in outputs],
        "environment": {name: tensor_json(value) for name, value in graph.entries.items()},
        "points": [[tensor_json(value) for value in point] for point in points],
    }
