import { describe, expect, it, test } from "vitest";
import {
  type AttributesOf,
  type NodeOf,
  nodeId,
  type OperatorName,
  type Result,
  type TraceJson,
  type Graph as WrittenGraph,
} from "../spec/index.ts";
import { boolean } from "./algebras/boolean.ts";
import { dual } from "./algebras/dual.ts";
import { float64 } from "./algebras/float.ts";
import { integer } from "./algebras/integer.ts";
import { rational } from "./algebras/rational.ts";
import { type RunTexts, traceOf } from "./trace.ts";

function node<K extends OperatorName>(op: K, attributes: AttributesOf[K], ...parents: number[]): NodeOf<K> {
  return { op, attributes, parents: parents.map(nodeId) };
}

/** Γ = (x, y): x · w, taken at i, times y. */
const program: WrittenGraph = {
  format: "adjudge.graph.v1",
  inputs: [
    { name: "x", shape: [2] },
    { name: "y", shape: [3] },
  ],
  environment: [
    { name: "w", kind: "real", shape: [2] },
    { name: "a/b", kind: "index", shape: [3] },
  ],
  nodes: [
    node("constant", { name: "w" }),
    node("multiply", {}, 0, 2),
    node("take", { axis: 0, indices: "a/b" }, 3),
    node("multiply", {}, 4, 1),
  ],
};

const texts: RunTexts = {
  inputs: [
    ["3", "5"],
    ["7", " -1 ", "2"],
  ],
  environment: new Map([
    ["w", ["2", "10"]],
    ["a/b", ["1", "0", "1"]],
  ]),
  seeds: new Map([[5, ["1", "1", "1"]]]),
};

const withInputs = (...inputs: readonly (readonly string[])[]): RunTexts => ({ ...texts, inputs });
const withIndices = (...indices: readonly string[]): RunTexts => ({
  ...texts,
  environment: new Map([...texts.environment, ["a/b", indices]]),
});

/** Returns the trace, or its issues as `code pointer`. */
function outcome(
  result: Result<TraceJson, readonly { code: string; pointer: string }[]>,
): TraceJson | string[] {
  return result.ok ? result.value : result.error.map(({ code, pointer }) => `${code} ${pointer}`);
}

const vector = (...data: readonly string[]): { shape: number[]; data: readonly string[] } => ({
  shape: [data.length],
  data,
});

describe("a trace", () => {
  it("records the run computed by hand, as texts", () => {
    expect(outcome(traceOf(program, integer, texts, "dense"))).toEqual({
      format: "adjudge.trace.v1",
      algebra: "integer",
      graph: program,
      point: {
        inputs: [vector("3", "5"), vector("7", "-1", "2")],
        environment: { w: vector("2", "10"), "a/b": vector("1", "0", "1") },
      },
      seeds: [{ id: 5, cotangent: vector("1", "1", "1") }],
      form: "dense",
      values: [
        vector("3", "5"),
        vector("7", "-1", "2"),
        vector("2", "10"),
        vector("6", "50"),
        vector("50", "6", "50"),
        vector("350", "-6", "100"),
      ],
      cotangents: [
        vector("-2", "90"),
        vector("50", "6", "50"),
        vector("-3", "45"),
        vector("-1", "9"),
        vector("7", "-1", "2"),
        vector("1", "1", "1"),
      ],
    });
  });

  it("in the sparse form has zeros where nothing arrives, and a −0 that the dense form loses", () => {
    const { environment } = texts;
    const seeds = new Map([
      [1, ["-0", "1", "2"]],
      [3, ["1", "1"]],
    ]);
    const cotangentsIn = (form: "dense" | "sparse"): unknown => {
      const trace = traceOf(program, float64, { ...texts, environment, seeds }, form);
      return trace.ok && [trace.value.form, trace.value.cotangents[1]?.data, trace.value.cotangents[5]?.data];
    };
    const zeros = ["0x0p+0", "0x0p+0", "0x0p+0"];
    expect(cotangentsIn("sparse")).toEqual(["sparse", ["-0x0p+0", "0x1p+0", "0x1p+1"], zeros]);
    expect(cotangentsIn("dense")).toEqual(["dense", ["0x0p+0", "0x1p+0", "0x1p+1"], zeros]);
  });

  it("over dual numbers carries tangents", () => {
    const tangent = withInputs(["(3;1)", "5"], ["7", "-1", "2"]);
    const trace = traceOf(program, dual(rational), tangent, "dense");
    expect(trace.ok && trace.value.values[5]?.data).toEqual(["(350;0)", "(-6;-2)", "(100;0)"]);
  });

  it("reads indices as whole numbers in any notation, whatever the algebra", () => {
    const plain = traceOf(program, rational, texts, "dense");
    const hexadecimal = traceOf(program, rational, withIndices("0x1p+0", "-0x0p+0", "1.0"), "dense");
    expect(hexadecimal).toEqual(plain);
  });

  it("over the Boolean algebra reads numbers as patterns, and indices still as numbers", () => {
    const trace = traceOf(program, boolean, withInputs(["0", "5"], ["7", "-1", "0"]), "dense");
    expect(trace.ok && trace.value.values[5]?.data).toEqual(["true", "false", "false"]);
    expect(trace.ok && trace.value.point.environment["a/b"]).toEqual(vector("1", "0", "1"));
  });
});

describe("a run fails", () => {
  const failure = (run: RunTexts): TraceJson | string[] => outcome(traceOf(program, integer, run, "dense"));

  test("where an input has too few numbers or too many, or none is given", () => {
    expect(failure(withInputs(["3"], ["7", "-1", "2", "4"]))).toEqual([
      "run/count /inputs/0",
      "run/count /inputs/1",
    ]);
    expect(failure(withInputs(["3", "5"]))).toEqual(["run/count /inputs/1"]);
  });

  test("where a text is no number of the algebra", () => {
    expect(failure(withInputs(["3", "1/2"], ["7", "x", "2"]))).toEqual([
      "run/number /inputs/0",
      "run/number /inputs/1",
    ]);
  });

  test("where an entry of Δ has the wrong count, real or index, with the name escaped", () => {
    const short = new Map([
      ["w", ["2"]],
      ["a/b", ["1", "0"]],
    ]);
    expect(failure({ ...texts, environment: short })).toEqual([
      "run/count /environment/w",
      "run/count /environment/a~1b",
    ]);
    expect(failure({ ...texts, environment: new Map() })).toEqual([
      "run/count /environment/w",
      "run/count /environment/a~1b",
    ]);
  });

  test("where an index is not a whole number, or is beyond the axis", () => {
    for (const bad of ["one", "0.5", "1/2", "nan", "undefined"]) {
      expect([bad, failure(withIndices("1", bad, "0"))]).toEqual([bad, ["run/number /environment/a~1b"]]);
    }
    expect(failure(withIndices("1", "2", "0"))).toEqual(["take/index /nodes/2"]);
    expect(failure(withIndices("1", "0", "-1"))).toEqual(["take/index /nodes/2"]);
  });

  test("where a seed has no id, the wrong count or no number", () => {
    const seeded = (id: number, ...numbers: string[]): RunTexts => ({
      ...texts,
      seeds: new Map([[id, numbers]]),
    });
    expect(failure(seeded(6, "1"))).toEqual(["run/seed /seeds/6"]);
    expect(failure(seeded(-1, "1"))).toEqual(["run/seed /seeds/-1"]);
    expect(failure(seeded(5, "1"))).toEqual(["run/count /seeds/5"]);
    expect(failure(seeded(0, "1", "y"))).toEqual(["run/number /seeds/0"]);
  });

  test("where an operator needs what the algebra is not, and says so beside the rest", () => {
    const quotient: WrittenGraph = { ...program, nodes: [...program.nodes, node("divide", {}, 5, 1)] };
    expect(outcome(traceOf(quotient, integer, withInputs(["3"], ["7", "-1", "2"]), "dense"))).toEqual([
      "algebra/missing /nodes/4/op",
      "run/count /inputs/0",
    ]);
  });
});
