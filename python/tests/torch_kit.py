"""What the tests of PyTorch's front use: the truth in a process of Node, and functions held against it."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any, Callable, Optional, Sequence

import numpy as np

from adjudge.fronts import torch_front
from adjudge.fronts.traced import Traced

ROOT = Path(__file__).resolve().parents[2]


def node() -> Optional[str]:
    """Returns a Node that runs TypeScript: the project's own, or the one on the path."""
    own = ROOT / "node_modules" / ".bin" / "node"
    return str(own) if own.exists() else shutil.which("node")


class Truth:
    """The reference's truth about graphs, asked in another process."""

    def __init__(self) -> None:
        command = [node() or "node", str(ROOT / "python" / "tests" / "torch_truth.ts")]
        environment = {**os.environ, "NODE_NO_WARNINGS": "1"}
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment
        )

    def ask(self, question: Any) -> Any:
        """Returns the reply to one line."""
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.write(json.dumps(question) + "\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        if not line:
            raise RuntimeError("the process of the reference has ended")
        return json.loads(line)

    def close(self) -> None:
        """Ends the process."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait()


def text(x: Any) -> str:
    """Writes a number as the protocol does."""
    number = float(x)
    if number != number:
        return "nan"
    if number in (float("inf"), float("-inf")):
        return "inf" if number > 0 else "-inf"
    return repr(number)


def tensor(x: Any) -> dict[str, Any]:
    """Writes an array as the protocol does."""
    array = np.asarray(x, dtype=np.float64)
    return {"shape": list(array.shape), "data": [text(n) for n in array.reshape(-1)]}


def javascript(x: Any) -> list[Any]:
    """Writes numbers so that JavaScript reads them."""
    words = {"nan": "NaN", "inf": "Infinity", "-inf": "-Infinity"}
    return [words.get(text(n), float(n)) for n in np.asarray(x, dtype=np.float64).reshape(-1)]


def case_of(traced: Traced, inputs: Sequence[Any], cotangents: Sequence[Any] = ()) -> dict[str, Any]:
    """Returns a traced function at a point as `adjudge.case.v1`."""
    graph = traced.graph
    return {
        "format": "adjudge.case.v1",
        "graph": graph.to_json(),
        "point": {
            "inputs": [tensor(x) for x in inputs],
            "environment": {k: tensor(v) for k, v in graph.entries.items()},
        },
        "tangents": [tensor(np.zeros_like(x)) for x in inputs],
        "seeds": [{"id": y.id, "cotangent": tensor(c)} for y, c in zip(traced.outputs, cotangents)],
    }


def held(
    truth: Truth,
    function: Callable[..., Any],
    arguments: Sequence[Any],
    wrt: Sequence[str] = (),
) -> tuple[Traced, dict[str, Any]]:
    """Traces a function, and judges the values and cotangents that PyTorch answers by the graph's truth."""
    names = [f"x{place}" for place in range(len(arguments))]
    traced = torch_front.trace(function, arguments, names, wrt=wrt)
    own = torch_front.answers(function, arguments, names, wrt=wrt)
    random = np.random.default_rng(7)
    inputs = own.point
    values = own.evaluate(inputs)
    cotangents = [random.integers(1, 5, size=y.shape) / 2 for y in values]
    pulled = own.vjp(inputs, cotangents)
    asked = {
        "case": case_of(traced, inputs, cotangents),
        "dtype": traced.dtype,
        "value": {y.id: javascript(v) for y, v in zip(traced.outputs, values)},
        "cotangent": {place: javascript(pulled[place]) for place in own.wanted},
    }
    return traced, truth.ask(asked)
