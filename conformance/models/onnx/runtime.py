"""Asks Python's onnx and onnxruntime about models: the tests run it where both are installed.

    runtime.py cases FOLDER     writes onnx's own tests of operators: NAME.onnx, and NAME.json with the numbers
    runtime.py run FOLDER       runs each NAME.onnx on the inputs in NAME.json, and writes NAME.out.json
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import onnx


def tensor(array: Any) -> dict[str, Any]:
    """Returns a tensor as JSON; numbers are texts, which keep infinities and NaN."""
    flat = np.asarray(array).astype(np.float64).ravel().tolist()
    return {"shape": list(np.asarray(array).shape), "data": [repr(float(x)) for x in flat]}


def array(json_tensor: dict[str, Any], dtype: Any) -> np.ndarray:
    """Returns a tensor of JSON as an array."""
    with np.errstate(over="ignore"):
        numbers = np.array([float(x) for x in json_tensor["data"]]).astype(dtype)
    return numbers.reshape(json_tensor["shape"])


def lifted(model: onnx.ModelProto, least: int = 17) -> onnx.ModelProto:
    """Says a later version of the operators, if the model's mean the same in it."""
    for opset in model.opset_import:
        if opset.domain != "" or opset.version >= least:
            continue
        changed = [
            node.op_type
            for node in model.graph.node
            if onnx.defs.has(node.op_type)
            and onnx.defs.get_schema(node.op_type, least).since_version > opset.version
        ]
        if not changed:
            opset.version = least
    return model


def cases(folder: Path) -> None:
    """Writes onnx's own tests of single operators whose inputs and outputs are tensors of numbers."""
    from onnx.backend.test.case.node import collect_testcases

    for case in collect_testcases(None):
        if case.kind != "node" or not case.data_sets:
            continue
        inputs, outputs = case.data_sets[0]
        graph = case.model.graph
        try:
            numbers = {
                "op": graph.node[0].op_type,
                "inputs": {info.name: tensor(x) for info, x in zip(graph.input, inputs)},
                "outputs": [tensor(x) for x in outputs],
            }
        except (TypeError, ValueError):  # Sequences, optional values and texts are no tensors of numbers.
            continue
        onnx.save(lifted(case.model), folder / f"{case.name}.onnx")
        (folder / f"{case.name}.json").write_text(json.dumps(numbers))


def run(folder: Path) -> None:
    """Runs models; what the runtime has no implementation for is told as such."""
    import onnxruntime

    onnxruntime.set_default_logger_severity(4)
    options = onnxruntime.SessionOptions()
    # A model is asked as it is written, not as an optimiser rewrites it.
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.intra_op_num_threads = 1
    types = {"tensor(float)": np.float32, "tensor(double)": np.float64, "tensor(int64)": np.int64}
    for path in sorted(folder.glob("*.onnx")):
        given = json.loads(path.with_suffix(".json").read_text())["inputs"]
        told: dict[str, Any]
        try:
            session = onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
            feed = {x.name: array(given[x.name], types[x.type]) for x in session.get_inputs()}
            told = {"outputs": [tensor(x) for x in session.run(None, feed)]}
        except Exception as problem:  # The runtime's exceptions share no class but this one.
            kind = "lacks" if "NOT_IMPLEMENTED" in str(problem) else "fails"
            told = {kind: str(problem)}
        path.with_suffix(".out.json").write_text(json.dumps(told))


def main() -> None:
    """Does what the words of the command line say."""
    command, folder = sys.argv[1], Path(sys.argv[2])
    {"cases": cases, "run": run}[command](folder)


if __name__ == "__main__":
    main()
