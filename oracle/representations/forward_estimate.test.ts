import { describe, expect, test } from "vitest";
import { backpropSparse, evaluate, interpret, rational, type Tensor, tensor } from "../../reference/index.ts";
import {
  at,
  type Derived,
  expand,
  type Graph,
  graph,
  type NodeId,
  nodeId,
  type PrimitiveGraph,
  type PrimitiveNode,
  present,
} from "../../spec/index.ts";
import { forwardEstimate } from "./forward_estimate.ts";

const subjects: Readonly<Record<string, Graph>> = {
  "a product": graph(({ input }) => {
    const [x, y] = [input("x", [2]), input("y", [])];
    x.multiply(x)
      .multiply(y)
      .sum({ axes: [0], keepdims: false });
  }),
  "several elements": graph(({ input }) => {
    const w = input("x", [2, 2]);
    w.matmul(w).multiply(w);
  }),
};

const field = present(rational.levels.field, "a field");

/** Evaluates a graph of primitives at some inputs, over the rational numbers. */
function valuesOf(of: PrimitiveGraph, inputs: readonly (readonly number[])[]) {
  const meaning = interpret(of, rational);
  if (!meaning.ok) throw new Error(JSON.stringify(meaning.error));
  const given = of.inputs.map(({ shape }, place) =>
    tensor(shape, (position) => field.literal(present(at(inputs, place)[position], "a number"))),
  );
  return { meaning: meaning.value, given, values: evaluate(meaning.value, given, new Map()) };
}

const texts = ({ data }: Tensor<Parameters<typeof rational.format>[0]>): string[] =>
  Array.from(data, (x) => rational.format(x));

/** Lists all directions of ±1 with so many numbers. */
function directions(count: number): number[][] {
  return Array.from({ length: 2 ** count }, (_, code) =>
    Array.from({ length: count }, (_, bit) => ((code >> bit) % 2 === 0 ? 1 : -1)),
  );
}

/** Compares the mean of an estimate over all directions with the gradient in reverse. */
function isUnbiased(subject: Graph, changed: (derived: Derived) => Derived): boolean {
  const wrt = subject.inputs.map((_, id) => nodeId(id));
  const last = nodeId(subject.inputs.length + subject.nodes.length - 1);
  const derived = forwardEstimate(subject, [last], wrt, 1_000);
  const { graph: estimate, results } = changed(
    present(derived.ok ? derived.value : undefined, "an estimate"),
  );
  let drawn = 0;
  const point = subject.inputs.map(({ shape }) =>
    Array.from({ length: shape.reduce((size, extent) => size * extent, 1) }, () => 3 + drawn++ / 4),
  );
  const sizes = point.map((numbers) => numbers.length);
  const total = sizes.reduce((sum, size) => sum + size, 0);
  const all = directions(total);
  const share = field.literal(1 / all.length);
  const means = results.map((id) => {
    const estimates = all.map((v) => {
      const parts = sizes.map((size, place) => {
        const from = sizes.slice(0, place).reduce((sum, one) => sum + one, 0);
        return v.slice(from, from + size);
      });
      return at(valuesOf(estimate, [...point, ...parts]).values, id);
    });
    return estimates.reduce((sum, one) => ({
      shape: sum.shape,
      data: Array.from(sum.data, (x, i) => field.add(x, at(Array.from(one.data), i))),
    }));
  });
  const { meaning, given, values } = valuesOf(expand(subject).graph, point);
  const ones = tensor(at(values, values.length - 1).shape, () => field.one);
  const output: NodeId = nodeId(values.length - 1);
  const cotangents = backpropSparse(field, meaning, given, new Map(), new Map([[output, ones]]));
  return wrt.every((id, place) => {
    const mean = at(means, place);
    const scaled = { ...mean, data: Array.from(mean.data, (x) => field.multiply(x, share)) };
    return texts(scaled).join() === texts(present(cotangents.get(id), "a cotangent")).join();
  });
}

describe("the forward gradient as a graph", () => {
  test.each(
    Object.entries(subjects),
  )("of %s has the gradient for its mean over all directions of ±1", (_, subject) => {
    expect(isUnbiased(subject, (derived) => derived)).toBe(true);
  });

  test.each(Object.entries(subjects))("of %s is biased if a planted one forgets a factor", (_, subject) => {
    const planted = (derived: Derived): Derived => ({
      ...derived,
      graph: {
        ...derived.graph,
        nodes: derived.graph.nodes.map((node, index): PrimitiveNode => {
          const isLast = derived.graph.inputs.length + index === derived.results[0];
          return isLast && node.op === "multiply"
            ? { ...node, parents: [at(node.parents, 0), at(node.parents, 0)] }
            : node;
        }),
      },
    });
    expect(isUnbiased(subject, planted)).toBe(false);
  });
});
