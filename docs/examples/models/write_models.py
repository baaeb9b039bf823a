"""Writes four models of usual shapes as ONNX files, into the folder that is named: mlp, cnn, lstm, attention.

    python docs/examples/models/write_models.py docs/examples/models

Weights are drawn with a seed, as multiples of 1/8, so that a text of them is short.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Sequence

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

VERSION = 20


class Writer:
    """Writes the nodes of one model; a method for each would be longer than ONNX's own names."""

    def __init__(self, seed: int) -> None:
        self.random = np.random.default_rng(seed)
        self.nodes: list[onnx.NodeProto] = []
        self.initializers: list[onnx.TensorProto] = []

    def weights(self, name: str, *shape: int) -> str:
        """Draws weights."""
        numbers = self.random.integers(-8, 9, shape).astype(np.float32) / np.float32(8)
        return self.constant(name, numbers)

    def constant(self, name: str, numbers: np.ndarray) -> str:
        """Stores an array."""
        self.initializers.append(numpy_helper.from_array(numbers, name))
        return name

    def integers(self, name: str, *numbers: int) -> str:
        """Stores a vector of integers."""
        return self.constant(name, np.array(numbers, dtype=np.int64))

    def node(self, op: str, inputs: Sequence[str], output: str, **attributes: object) -> str:
        """Appends a node, and returns its result."""
        self.nodes.append(helper.make_node(op, inputs, [output], name=f"/{output}", **attributes))
        return output

    def model(self, name: str, inputs: dict[str, Sequence[int | str]], output: str) -> onnx.ModelProto:
        """Returns the model."""
        typed = [helper.make_tensor_value_info(one, TensorProto.FLOAT, shape) for one, shape in inputs.items()]
        result = helper.make_tensor_value_info(output, TensorProto.FLOAT, None)
        graph = helper.make_graph(self.nodes, name, typed, [result], self.initializers)
        opset = [helper.make_opsetid("", VERSION)]
        return helper.make_model(graph, opset_imports=opset, ir_version=9, producer_name="write_models")


def mlp() -> onnx.ModelProto:
    """Two layers for a batch of any size, as log-probabilities."""
    w = Writer(1)
    hidden = w.node("Gemm", ["x", w.weights("fc1.weight", 4, 3), w.weights("fc1.bias", 4)], "fc1", transB=1)
    active = w.node("Tanh", [hidden], "act")
    scores = w.node("Gemm", [active, w.weights("fc2.weight", 2, 4), w.weights("fc2.bias", 2)], "fc2", transB=1)
    w.node("LogSoftmax", [scores], "y", axis=1)
    return w.model("mlp", {"x": ["batch", 3]}, "y")


def cnn() -> onnx.ModelProto:
    """A convolution, a normalization with fixed statistics, a pool, and a linear layer."""
    w = Writer(2)
    wide = w.node("Conv", ["x", w.weights("conv.weight", 2, 1, 3, 3), w.weights("conv.bias", 2)], "conv", pads=[1] * 4)
    variance = w.constant("bn.var", np.array([0.5, 2], dtype=np.float32))
    statistics = [w.weights("bn.scale", 2), w.weights("bn.bias", 2), w.weights("bn.mean", 2), variance]
    norm = w.node("BatchNormalization", [wide, *statistics], "bn", epsilon=2**-10)
    active = w.node("Relu", [norm], "act")
    pooled = w.node("MaxPool", [active], "pool", kernel_shape=[2, 2], strides=[2, 2])
    # Exporters reshape so: the batch's extent is looked up, and the rest is one axis.
    batch = w.node("Gather", [w.node("Shape", [pooled], "shape"), w.constant("zero", np.array(0))], "batch")
    rows = w.node("Unsqueeze", [batch, w.integers("front", 0)], "rows")
    flat = w.node("Reshape", [pooled, w.node("Concat", [rows, w.integers("rest", -1)], "to", axis=0)], "flat")
    w.node("Gemm", [flat, w.weights("fc.weight", 2, 8), w.weights("fc.bias", 2)], "y", transB=1)
    return w.model("cnn", {"x": [1, 1, 4, 4]}, "y")


def lstm() -> onnx.ModelProto:
    """A long short-term memory over three steps, of whose last state the sum is taken."""
    w = Writer(3)
    weights = [w.weights("lstm.weight", 1, 8, 2), w.weights("lstm.hidden", 1, 8, 2), w.weights("lstm.bias", 1, 16)]
    outputs = ["", "last"]
    w.nodes.append(helper.make_node("LSTM", ["x", *weights], outputs, name="/lstm", hidden_size=2))
    w.node("ReduceSum", ["last"], "y", keepdims=0)
    return w.model("lstm", {"x": [3, 1, 2]}, "y")


def attention() -> onnx.ModelProto:
    """A block of self-attention with two heads, with what a transformer has around it."""
    w = Writer(4)
    factors = [w.weights("norm.weight", 4), w.weights("norm.bias", 4)]
    norm = w.node("LayerNormalization", ["x", *factors], "norm", axis=-1, epsilon=2**-10)
    heads = w.integers("heads", 3, 2, 2)

    def split(name: str, order: list[int]) -> str:
        wide = w.node("MatMul", [norm, w.weights(f"{name}.weight", 4, 4)], name)
        parts = w.node("Reshape", [wide, heads], f"{name}_parts")
        return w.node("Transpose", [parts], f"{name}_heads", perm=order)

    queries, keys, values = split("q", [1, 0, 2]), split("k", [1, 2, 0]), split("v", [1, 0, 2])
    root = w.node("Sqrt", [w.node("Constant", [], "depth", value_float=2.0)], "root")
    scores = w.node("Div", [w.node("MatMul", [queries, keys], "products"), root], "scores")
    mixed = w.node("MatMul", [w.node("Softmax", [scores], "weights", axis=-1), values], "mixed")
    joined = w.node("Reshape", [w.node("Transpose", [mixed], "rows", perm=[1, 0, 2]), w.integers("to", 3, 4)], "joined")
    projected = w.node("MatMul", [joined, w.weights("out.weight", 4, 4)], "projected")
    w.node("Add", ["x", w.node("Gelu", [projected], "active", approximate="tanh")], "y")
    return w.model("attention", {"x": [3, 4]}, "y")


def main() -> None:
    """Writes all four."""
    folder = Path(sys.argv[1])
    for write in (mlp, cnn, lstm, attention):
        onnx.save(write(), folder / f"{write.__name__}.onnx")


if __name__ == "__main__":
    main()
