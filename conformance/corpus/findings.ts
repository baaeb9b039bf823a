import type { OperatorName } from "../../spec/operators/index.ts";
import type { DataType } from "../../spec/wire/index.ts";
import type { FindingText } from "./finding_text.ts";
import { findingsOfGo } from "./findings_go.ts";
import { findingsOfJavaScript } from "./findings_javascript.ts";
import { findingsOfNesting } from "./findings_nested.ts";
import { findingsOfPython } from "./findings_python.ts";
import { findingsOfRust } from "./findings_rust.ts";

/** Makes a case that applies one elementwise operator to a vector. */
function values(
  name: string,
  op: OperatorName,
  dtype: DataType,
  note: string,
  ...operands: readonly (readonly number[])[]
): FindingText {
  const size = operands[0]?.length ?? 0;
  return {
    name,
    clause: "7.3",
    note,
    engine: "jaxjs",
    dtype,
    verdict: "disagrees",
    blames: op,
    inputs: Object.fromEntries(operands.map((x, i) => [`x${i}`, [[size], x] as const])),
    nodes: [[op, operands.map((_, i) => i)]],
    seeds: { [operands.length]: [[size], Array.from({ length: size }, (_, i) => i + 1)] },
  };
}

/** Divides by a denominator so small that its square underflows, though the derivative does not. */
function quotient(engine: FindingText["engine"], dtype: DataType, x: number, y: number): FindingText {
  return {
    name: `${engine}_divide_cotangent_overflows`,
    clause: "7.3",
    note: "the denominator's cotangent is computed through y², which underflows where the result is finite",
    engine,
    dtype,
    verdict: "disagrees",
    blames: "divide",
    inputs: { x: [[2], [x, 1]], y: [[2], [y, 2]] },
    nodes: "divide 0 1",
    seeds: { 2: [[2], [1, 3]] },
  };
}

/** Asks for √relu(x) at a negative x. */
function rootOfRelu(engine: FindingText["engine"], dtype: DataType): FindingText {
  return {
    name: `${engine}_relu_passes_nan`,
    clause: "6.4",
    note: "√relu(x) is constant where x < 0; the mask 0 · ∞ makes its gradient NaN",
    engine,
    dtype,
    verdict: "disagrees",
    blames: "relu",
    inputs: { x: [[], [-1]] },
    nodes: "relu 0; sqrt 1",
  };
}

const float64Grade = "a float64 function computed with a float32 polynomial";

/** Lists every finding that the judge reproduces. */
export const findings: readonly FindingText[] = [
  {
    name: "jaxjs_cotangents_shifted",
    clause: "3.2",
    note: "a result that does not depend on the inputs, before one that does: its cotangent is pulled back through the other",
    engine: "jaxjs",
    dtype: "float64",
    verdict: "disagrees",
    inputs: { x: [[1], [3]] },
    nodes: "stop_gradient 0; add 0 0",
    seeds: { 1: [[1], [100]], 2: [[1], [1]] },
  },
  {
    name: "jaxjs_result_of_a_result",
    clause: "3.2",
    note: "two results, one computed from the other: vjp throws",
    engine: "jaxjs",
    dtype: "float64",
    verdict: "crashed",
    inputs: { x: [[2], [1, 2]] },
    nodes: "negative 0; multiply 1 1",
    seeds: { 1: [[2], [3, 5]], 2: [[2], [7, 11]] },
  },
  values(
    "jaxjs_divide",
    "divide",
    "float64",
    "a quotient is the product with a rounded reciprocal: 49/49 is not 1",
    [49, 3],
    [49, 2.5],
  ),
  values("jaxjs_exp_float64", "exp", "float64", float64Grade, [1, 100]),
  values("jaxjs_log_float64", "log", "float64", float64Grade, [2, 3]),
  values("jaxjs_sin_float64", "sin", "float64", float64Grade, [0.5, 100]),
  values("jaxjs_cos_float64", "cos", "float64", float64Grade, [0.5, 100]),
  values("jaxjs_tanh_float64", "tanh", "float64", float64Grade, [0.5, 2]),
  values(
    "jaxjs_log_near_one",
    "log",
    "float32",
    "the series is cut where it has not converged: 12 % off at 0.9999",
    [1 - 2 ** -13, 1.875],
  ),
  values(
    "jaxjs_sin_large",
    "sin",
    "float32",
    "the argument is reduced with one rounded constant",
    [1000, 12345],
  ),
  values(
    "jaxjs_cos_large",
    "cos",
    "float32",
    "the argument is reduced with one rounded constant",
    [11, 12345],
  ),
  {
    ...values(
      "jaxjs_exp_overflows_early",
      "exp",
      "float32",
      "infinite where the result is a finite float32",
      [88.5, 1],
    ),
    tangents: [[[2], [0.5, 0.25]]],
    seeds: { 1: [[2], [0.5, 3]] },
  },
  values("jaxjs_tanh_cancels", "tanh", "float32", "(e⁻²ˣ − 1)/(e⁻²ˣ + 1) loses every digit near 0", [
    2 ** -27,
    1,
  ]),
  {
    ...quotient("jaxjs", "float32", 2 ** -100, 2 ** -66),
    note: "the denominator's cotangent is computed through (1/y)², which overflows where the result does not",
  },
  {
    name: "tfjs_broadcast_to_empty",
    clause: "1.1",
    note: "an axis of extent 1 broadcast to extent 0 keeps its element",
    engine: "tfjs",
    dtype: "float32",
    verdict: "disagrees",
    blames: "broadcast_to",
    inputs: { x: [[1], [7]] },
    nodes: "broadcast_to 0 shape=[0]",
  },
  quotient("tfjs", "float32", 2 ** -100, 2 ** -80),
  quotient("jax", "float32", 2 ** -100, 2 ** -80),
  quotient("autograd", "float64", 2 ** -600, 2 ** -560),
  rootOfRelu("tfjs", "float32"),
  rootOfRelu("autograd", "float64"),
  {
    name: "jax_maximum_passes_nan",
    clause: "6.4",
    note: "the operand that maximum did not choose gets NaN from an infinite cotangent",
    engine: "jax",
    dtype: "float32",
    verdict: "disagrees",
    blames: "maximum",
    inputs: { x: [[], [-1]], y: [[], [0]] },
    nodes: "maximum 0 1; sqrt 2",
  },
  {
    name: "autograd_broadcast_drops",
    clause: "1.1",
    note: "an axis of extent 1 broadcast to extent 0: the empty cotangent swallows what other readers send",
    engine: "autograd",
    dtype: "float64",
    verdict: "disagrees",
    inputs: { x: [[1], [3]] },
    nodes: "add 0 0; broadcast_to 1 shape=[0]",
    seeds: { 1: [[1], [3]], 2: [[0], []] },
  },
  {
    name: "tfjs_where_passes_nan",
    clause: "6.4",
    note: "the operand that where did not choose gets NaN from an infinite cotangent",
    engine: "tfjs",
    dtype: "float32",
    verdict: "disagrees",
    blames: "where",
    inputs: { c: [[], [1]], x: [[], [0]], y: [[], [3]] },
    nodes: "where 0 1 2; sqrt 3",
  },
  ...findingsOfJavaScript,
  ...findingsOfPython,
  ...findingsOfNesting,
  quotient("candle", "float64", 2 ** -600, 2 ** -560),
  rootOfRelu("candle", "float64"),
  ...findingsOfRust,
  ...findingsOfGo,
];
