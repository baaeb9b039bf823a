import { describe, expect, test } from "vitest";
import { checkGraph, expand, type Graph, nodeId } from "../../spec/index.ts";
import { exampleOf } from "../../spec/text/example.test.kit.ts";
import { float64 } from "../algebras/float.ts";
import { rational } from "../algebras/rational.ts";
import { entry } from "../context.ts";
import { noEnvironment, scalar } from "../hand.test.kit.ts";
import { evaluate } from "../sweep.ts";
import type { Tensor } from "../tensor.ts";
import { type Leveling, soundLeveling } from "./levels.ts";
import { nested, nestedSubject } from "./nested.ts";
import { levelMutants } from "./planted/index.ts";
import { subjectOf } from "./subject.ts";

const levels = graphIn("levels");

function graphIn(name: string): Graph {
  const read = checkGraph(exampleOf(name).json);
  return read.ok ? read.value : expect.unreachable(JSON.stringify(read.error));
}

/** The value of the last id, and the cotangents of the inputs from a seed of 1 there. */
function answered(graph: Graph, x: readonly Tensor<number>[], leveling?: Leveling): readonly number[] {
  const subject = nestedSubject(graph, float64, {}, leveling);
  if (!subject.ok) return expect.unreachable(JSON.stringify(subject.error));
  const values = evaluate(subject.value.data, x, noEnvironment);
  const last = nodeId(values.length - 1);
  const tape = nested.record(subject.value, { x, environment: noEnvironment });
  const swept = tape.ok
    ? tape.value.backward(new Map([[last, scalar(1)]]))
    : expect.unreachable("it records");
  const bars = swept.ok ? swept.value.slice(0, x.length) : expect.unreachable("it sweeps");
  return [entry(values, last), ...bars].flatMap(({ data }) => [...data]);
}

/** Computes the same of the graph with its derivatives written out, on the nested tape without levels. */
function writtenOut(graph: Graph, x: readonly Tensor<number>[]): readonly number[] {
  const { graph: expanded, ids } = expand(graph);
  const subject = subjectOf(expanded, float64);
  if (!subject.ok) return expect.unreachable(JSON.stringify(subject.error));
  const values = evaluate(subject.value.data, x, noEnvironment);
  const last = ids.at(-1) ?? nodeId(0);
  const tape = nested.record(subject.value, { x, environment: noEnvironment });
  const swept = tape.ok
    ? tape.value.backward(new Map([[last, scalar(1)]]))
    : expect.unreachable("it records");
  const bars = swept.ok ? swept.value.slice(0, x.length) : expect.unreachable("it sweeps");
  return [entry(values, last), ...bars].flatMap(({ data }) => [...data]);
}

/** Returns d/dx of a graph of x whose result is its last id, as a graph of x and a cotangent. */
function derivativeOf(graph: Graph, mode: "vjp" | "jvp"): Graph {
  return {
    format: "adjudge.graph.v1",
    inputs: [...graph.inputs, { name: "seed", shape: [] }],
    environment: [],
    nodes: [
      {
        op: "differentiate",
        attributes: { graph, mode, of: nodeId(graph.inputs.length + graph.nodes.length - 1), wrt: nodeId(0) },
        parents: [...graph.inputs, "seed"].map((_, id) => nodeId(id)),
      },
    ],
  };
}

/** x sin x + exp(tanh x) */
const curve: Graph = {
  format: "adjudge.graph.v1",
  inputs: [{ name: "x", shape: [] }],
  environment: [],
  nodes: [
    { op: "sin", attributes: {}, parents: [nodeId(0)] },
    { op: "multiply", attributes: {}, parents: [nodeId(0), nodeId(1)] },
    { op: "tanh", attributes: {}, parents: [nodeId(0)] },
    { op: "exp", attributes: {}, parents: [nodeId(3)] },
    { op: "add", attributes: {}, parents: [nodeId(2), nodeId(4)] },
  ],
};

describe("a nested tape", () => {
  test("says that d/dx (x · d/dy (x + y)) is 1", () => {
    expect(answered(levels, [scalar(3), scalar(1)])[0]).toBe(1);
  });

  test("says 2 where levels are merged", () => {
    const leveling = levelMutants.find(({ name }) => name === "levels-merged")?.leveling();
    expect(answered(levels, [scalar(3), scalar(1)], leveling)[0]).toBe(2);
  });

  const towers = (["vjp", "jvp"] as const).flatMap((first) =>
    (["vjp", "jvp"] as const).map((second) => [first, second] as const),
  );

  test.each(
    towers,
  )("agrees with the graph written out about derivatives of the third order, %s of %s", (first, second) => {
    const tower = derivativeOf(derivativeOf(curve, first), second);
    for (const x of [0.5, -1.25, 3]) {
      const point = [scalar(x), scalar(1.5), scalar(-0.75)];
      const [found, owed] = [answered(tower, point), writtenOut(tower, point)];
      expect(found).toHaveLength(4);
      for (const [i, value] of found.entries()) expect(value).toBeCloseTo(owed[i] ?? Number.NaN, 10);
    }
  });

  test.each(levelMutants)("that $says is told by the graph written out", ({ leveling }) => {
    const tower = derivativeOf(derivativeOf(curve, "vjp"), "vjp");
    const questions = [
      [levels, [scalar(3), scalar(1)]],
      [tower, [scalar(0.5), scalar(1.5), scalar(-0.75)]],
    ] as const;
    const told = questions.some(([graph, point]) => {
      const owed = writtenOut(graph, point);
      return answered(graph, point, leveling()).some(
        (value, i) => !(Math.abs(value - (owed[i] ?? 0)) < 1e-6),
      );
    });
    expect(told).toBe(true);
    expect(
      questions.some(([graph, point]) =>
        answered(graph, point, soundLeveling).some(
          (value, i) => !(Math.abs(value - (writtenOut(graph, point)[i] ?? 0)) < 1e-6),
        ),
      ),
    ).toBe(false);
  });

  test("has tangents of its derivatives by dual numbers", () => {
    const subject = nestedSubject(derivativeOf(curve, "vjp"), float64);
    const node = subject.ok ? subject.value.data.nodes[0] : undefined;
    const x = [scalar(0.5), scalar(1)];
    const tangent = node?.jvp(x, [scalar(1), scalar(0)], noEnvironment).data[0];
    expect(tangent).toBeCloseTo(answered(derivativeOf(curve, "vjp"), x)[1] ?? Number.NaN, 12);
  });

  test("takes derivatives over exact numbers, and refuses other composites", () => {
    expect(nestedSubject(levels, rational).ok).toBe(true);
    const soft: Graph = {
      ...curve,
      inputs: [{ name: "x", shape: [2] }],
      nodes: [{ op: "softmax", attributes: { axis: 0 }, parents: [nodeId(0)] }],
    };
    const refused = nestedSubject(soft, float64);
    expect(refused.ok ? [] : refused.error.map(({ code }) => code)).toEqual(["tape/composite"]);
  });
});
