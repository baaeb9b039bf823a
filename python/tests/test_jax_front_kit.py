"""A graph's values and cotangents by adjudge's own interpreter, for the tests of the front for JAX."""

from __future__ import annotations

import base64
import json
import os
import subprocess
from typing import Any, Mapping, Optional, Sequence

import numpy as np

from adjudge.fronts.traced import Traced

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
NODE = os.path.join(ROOT, "node_modules", ".bin", "node")


def encoded(value: Any) -> dict[str, Any]:
    """Returns an array as the protocol has it."""
    data = np.asarray(value, dtype=np.float64)
    return {"shape": list(data.shape), "base64": base64.b64encode(np.ascontiguousarray(data).tobytes()).decode()}


def decoded(tensor: Mapping[str, Any]) -> np.ndarray:
    """Returns an array from the protocol."""
    return np.frombuffer(base64.b64decode(tensor["base64"]), dtype=np.float64).reshape(tensor["shape"])


class Interpreter:
    """It asks adjudge's interpreter, which runs in a process of its own, in float64."""

    def __init__(self) -> None:
        command = [NODE, os.path.join(ROOT, "conformance", "testees", "interpreter.ts")]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.count = 0

    def ask(self, **request: Any) -> dict[str, Any]:
        """Sends a request and returns its reply; a reply that is an error is raised."""
        self.count += 1
        assert self.process.stdin is not None and self.process.stdout is not None
        self.process.stdin.write(json.dumps({"id": self.count, **request}) + "\n")
        self.process.stdin.flush()
        reply = json.loads(self.process.stdout.readline())
        if reply["kind"] in ("error", "unsupported"):
            raise AssertionError(reply.get("message") or reply.get("reason"))
        return reply

    def load(self, graph: Any) -> int:
        """Loads a graph and returns its number."""
        self.count += 1
        program = self.count
        self.ask(kind="load", program=program, dtype="float64", graph=graph.to_json())
        return program

    def point(self, graph: Any, inputs: Sequence[Any], environment: Optional[Mapping[str, Any]] = None) -> dict[str, Any]:
        """Returns a point of a graph, with the numbers of its environment."""
        entries = {**graph.entries, **(environment or {})}
        return {"inputs": [encoded(x) for x in inputs], "environment": {name: encoded(value) for name, value in entries.items()}}

    def values(self, traced: Traced, inputs: Sequence[Any], environment: Optional[Mapping[str, Any]] = None) -> list[np.ndarray]:
        """Returns the values of the outputs."""
        program = self.load(traced.graph)
        reply = self.ask(kind="evaluate", program=program, point=self.point(traced.graph, inputs, environment))
        first = len(traced.graph.inputs)
        return [decoded(reply["tensors"][output.id - first]) for output in traced.outputs]

    def cotangents(self, traced: Traced, inputs: Sequence[Any], cotangents: Sequence[Any]) -> list[np.ndarray]:
        """Returns the cotangents of the inputs."""
        program = self.load(traced.graph)
        seeds = [{"id": output.id, "cotangent": encoded(value)} for output, value in zip(traced.outputs, cotangents)]
        reply = self.ask(kind="vjp", program=program, point=self.point(traced.graph, inputs), seeds=seeds)
        return [decoded(tensor) for tensor in reply["tensors"]]

    def tangents(self, traced: Traced, inputs: Sequence[Any], tangents: Sequence[Any]) -> list[np.ndarray]:
        """Returns the tangents of the outputs."""
        program, point = self.load(traced.graph), self.point(traced.graph, inputs)
        reply = self.ask(kind="jvp", program=program, point=point, tangents=[encoded(value) for value in tangents])
        first = len(traced.graph.inputs)
        return [decoded(reply["tensors"][output.id - first]) for output in traced.outputs]

    def close(self) -> None:
        """Ends the process."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.wait()
