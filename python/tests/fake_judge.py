"""A judge for tests of the client: it speaks the protocol, and holds a function to an interpreter of graphs.

`fake_judge.py judge --stdio` reads what it should do from FAKE_JUDGE: nothing, or `die` before its verdict,
`garbage` in place of a request, `protocol` another one, or `resize` and `at`, which ask the question again.
"""

from __future__ import annotations

import base64
import itertools
import json
import os
import sys
from typing import Any

import numpy as np

MODE = os.environ.get("FAKE_JUDGE", "")
NUMBERS = itertools.count(1)


def ask(**request: Any) -> dict[str, Any]:
    number = next(NUMBERS)
    print(json.dumps({"id": number, **request}), flush=True)
    line = sys.stdin.readline()
    if not line:
        sys.exit(0)
    reply = json.loads(line)
    assert reply["id"] == number, reply
    return reply


def read(message: dict[str, Any]) -> np.ndarray:
    return np.frombuffer(base64.b64decode(message["base64"]), "<f8").reshape(message["shape"])


def written(value: Any) -> dict[str, Any]:
    array = np.asarray(value, dtype="<f8")
    return {"shape": list(array.shape), "base64": base64.b64encode(array.tobytes()).decode()}


OPERATORS = {
    "full": lambda shape, value: np.full(shape, value),
    "constant": lambda name: name,
    "multiply": np.multiply,
    "add": np.add,
    "exp": np.exp,
    "sin": np.sin,
    "sum": lambda x, axes, keepdims: x.sum(tuple(axes), keepdims=keepdims),
    "broadcast_to": np.broadcast_to,
    "identity": lambda x: x,
}


def values(question: dict[str, Any], inputs: list[np.ndarray]) -> list[np.ndarray]:
    found = list(inputs)
    for node in question["graph"]["nodes"]:
        attributes = dict(node["attributes"])
        if node["op"] == "constant":
            attributes["name"] = read(question["environment"][attributes["name"]])
        found.append(OPERATORS[node["op"]](*(found[parent] for parent in node["parents"]), **attributes))
    return [found[number] for number in question["outputs"]]


def judged(question: dict[str, Any], number: int) -> dict[str, Any]:
    """Compares values exactly, nearly, and cotangents with differences."""
    point = question.get("at", [None])[0]
    if point is None:
        generator = np.random.default_rng(question["seed"])
        point = {
            "inputs": [
                written(generator.uniform(1, 2, entry["shape"])) for entry in question["graph"]["inputs"]
            ],
            "environment": question["environment"],
        }
    inputs = [read(tensor) for tensor in point["inputs"]]
    reply = ask(kind="evaluate", program=number, point=point)
    if reply["kind"] != "tensors":
        return {"kind": "crashed", "headline": "it broke", "text": f"it answered {reply}"}
    right = values(question, inputs)
    tally = {"points": 1, "numbers": sum(y.size for y in right), "decided": sum(y.size for y in right)}
    for place, (y, answer) in enumerate(zip(right, map(read, reply["tensors"]))):
        if y.shape != answer.shape or not np.allclose(y, answer, rtol=1e-6):
            return {
                "kind": "differs",
                "headline": "the values differ",
                "text": f"value {place} differs",
                **tally,
            }
    if "vjp" in question["modes"]:
        seeds = [
            {"id": number, "cotangent": written(np.ones_like(y))}
            for number, y in zip(question["outputs"], right)
        ]
        reply = ask(kind="vjp", program=number, point=point, seeds=seeds)
        if reply["kind"] != "tensors":
            return {"kind": "crashed", "headline": "it broke", "text": f"it answered {reply}", **tally}
        for place in question["wrt"]:
            answer = read(reply["tensors"][place])
            for element in np.ndindex(inputs[place].shape):
                moved = [x.copy() for x in inputs]
                moved[place][element] += 1e-6
                slope = sum((a - b).sum() for a, b in zip(values(question, moved), right)) / 1e-6
                if abs(slope - answer[element]) > 1e-3 * (1 + abs(slope)):
                    witness = {"point": point, "seeds": seeds, "tangents": [], "mode": "vjp", "place": place}
                    numbers = {"answered": float(answer[element]), "expected": slope, "allowed": 1e-9}
                    witness |= {name: float(x).hex() for name, x in numbers.items()}
                    line = next(line for line in question["sources"] if line)
                    witness |= {"element": list(element), "blame": f"what {line} hands back"}
                    text = f"error[wrong-gradient]: {question['name']}\n  dL/dx: got {answer[element]}, want {slope}"
                    return {
                        "kind": "disagrees",
                        "headline": "wrong",
                        "text": text,
                        "witness": witness,
                        **tally,
                    }
    return {
        "kind": "agrees",
        "headline": "it agrees",
        "text": f"{question['name']} agrees with the truth",
        **tally,
    }


def main() -> None:
    assert sys.argv[1:] == ["judge", "--stdio"], sys.argv
    hello = ask(kind="hello", protocol=2 if MODE == "protocol" else 1)
    assert hello["brings"] is True and hello["language"] == "Python", hello
    if MODE == "garbage":
        print("what?", flush=True)
    for number in itertools.count(1, 100):
        reply = ask(kind="bring", program=number)
        if reply["kind"] == "done":
            return
        question = reply["question"]
        if MODE == "die":
            print("TypeError: x is not a function", file=sys.stderr)
            sys.exit(70)
        if MODE == "resize" and question["resizes"]:
            again = ask(
                kind="bring",
                program=number + 1,
                like=number,
                shapes=[[2] * len(e["shape"]) for e in question["graph"]["inputs"]],
            )
            print(json.dumps(again), file=sys.stderr)
            if again["kind"] == "question":
                question, asked = again["question"], number + 1
                question.pop("at", None)
            else:
                asked = number
            verdict = judged(question, asked)
        elif question.get("pointwise"):
            environment = dict(question["environment"])
            for name, domain in question["domain"]["environment"].items():
                top = domain["integers"] - 1
                environment[name] = written(np.full(environment[name]["shape"], top))
            point = {
                "inputs": [written(np.full(e["shape"], 1.5)) for e in question["graph"]["inputs"]],
                "environment": environment,
            }
            again = ask(kind="bring", program=number + 1, like=number, at=point)
            assert again["kind"] == "question", again
            again["question"]["at"] = [point]
            verdict = judged(again["question"], number + 1)
        else:
            verdict = judged(question, number)
        verdict["text"] += f"\njudge {os.getpid()}"
        ask(kind="verdict", program=number, verdict=verdict)


main()
