import { describe, expect, test } from "vitest";
import { runReference } from "../../oracle/case/reference_run.ts";
import { float64 } from "../../reference/package.ts";
import {
  type Builder,
  type CompositeRows,
  composites,
  expandUnless,
  type FlatTensor,
  graph,
  nodeId,
  present,
  shapesOf,
  type Value,
} from "../../spec/index.ts";
import { unguardedKl } from "./loss_claims.test.kit.ts";
import { wrongRows } from "./wrong_networks.test.kit.ts";

/** Floats in, floats out: an input that holds an infinity where nothing should look at it. */
interface Blind {
  readonly title: string;
  readonly write: (builder: Builder) => unknown;
  readonly inputs: readonly (readonly number[])[];
  readonly environment?: Readonly<Record<string, readonly number[]>>;
  /** The cotangent of the last input, where all of the result have 1. */
  readonly expected: readonly number[];
  /** An expansion that looks at it. */
  readonly wrong: Partial<CompositeRows>;
}

interface Answers {
  readonly cotangents: readonly (readonly number[])[];
  readonly value: readonly number[];
}

/** The wrong loss chooses by a product with 0 and 1. */
const weightedNll: CompositeRows["nll"] = {
  ...composites.nll,
  expand(scope, { labels }, x: Value) {
    const shape = [x.shape[1] ?? 1, x.shape[1] ?? 1];
    const identity = scope.iota({ shape, axis: 0 }).equal(scope.iota({ shape, axis: 1 }));
    const chosen = identity.take({ axis: 0, indices: labels }).multiply(x);
    return chosen.sum({ axes: [0, 1], keepdims: false }).divide(-(x.shape[0] ?? 1));
  },
};

/** The right value, but the exponents of the future are not guarded. */
const unguarded: CompositeRows["scaled_dot_product_attention"] = {
  ...composites.scaled_dot_product_attention,
  expand(scope, _attributes, q: Value, k: Value, v: Value, ...masks) {
    const [mask = q] = masks;
    const scores = q.matmul(k.permute_dims({ axes: [1, 0] })).add(mask);
    const { shape } = scores;
    const hidden = scope.iota({ shape, axis: 0 }).less(scope.iota({ shape, axis: 1 }));
    const powers = hidden.where(0, scores.exp());
    return powers.divide(powers.sum({ axes: [1], keepdims: true })).matmul(v);
  },
};

const { POSITIVE_INFINITY: infinity } = Number;

const blinds: readonly Blind[] = [
  {
    title: "what is at no label",
    write: ({ input, indices }) => input("x", [1, 3]).nll({ labels: indices("labels", [1]) }),
    inputs: [[-infinity, -2, -infinity]],
    environment: { labels: [1] },
    expected: [0, -1, 0],
    wrong: { nll: weightedNll },
  },
  {
    title: "what is dropped",
    write: ({ input, indices }) => input("x", [2]).dropout({ key: indices("key", [2]), rate: 1 }),
    inputs: [[infinity, -infinity]],
    environment: { key: [1, 2] },
    expected: [0, 0],
    wrong: { dropout: wrongRows.dropout },
  },
  {
    title: "the logarithm of a probability that is 0 on both sides",
    write: ({ input }) => {
      const y = input("y", [2]);
      input("x", [2]).kl_div(y);
    },
    inputs: [
      [0, 1],
      [-infinity, -2],
    ],
    expected: [0, -0.5],
    wrong: { kl_div: unguardedKl },
  },
  {
    title: "the scores of the future",
    write: ({ input }) => {
      const [q, k, v, mask] = [
        input("q", [2, 1]),
        input("k", [2, 1]),
        input("v", [2, 1]),
        input("mask", [2, 2]),
      ];
      q.scaled_dot_product_attention(k, v, mask, { causal: true });
    },
    inputs: [
      [0, 0],
      [0, 0],
      [2, 6],
      [0, infinity, 0, 0],
    ],
    expected: [0, 0, -1, 1],
    wrong: { scaled_dot_product_attention: unguarded },
  },
];

/** The cotangents of all inputs, and the value. */
function answersOf({ write, inputs, environment = {} }: Blind, rows: CompositeRows): Answers {
  const { graph: program } = expandUnless(graph(write), () => false, rows);
  const shapes = shapesOf(program);
  const flat = (shape: readonly number[], data: ArrayLike<number>): FlatTensor => ({
    shape,
    data: Float64Array.from(data),
  });
  const points = inputs.map((data, id) => flat(shapes[id] ?? [], data));
  const entries = program.environment.map(
    ({ name, shape }) => [name, flat(shape, present(environment[name], name))] as const,
  );
  const last = nodeId(shapes.length - 1);
  const shape = shapes[last] ?? [];
  const run = runReference(
    {
      graph: program,
      point: { inputs: points, environment: new Map(entries) },
      tangents: points,
      seeds: [
        { id: last, cotangent: flat(shape, new Array<number>(shape.reduce((a, b) => a * b, 1)).fill(1)) },
      ],
    },
    float64,
  );
  return {
    cotangents: inputs.map((_, id) => [...present(run.cotangents.get(nodeId(id)), "cotangent").data]),
    value: [...present(run.values[last], "value").data],
  };
}

describe("an infinity does nothing in", () => {
  test.each(blinds)("$title", (blind) => {
    const { cotangents, value } = answersOf(blind, composites);
    expect(cotangents.at(-1)?.map((x) => x + 0)).toEqual(blind.expected);
    expect([...cotangents.flat(), ...value].every(Number.isFinite)).toBe(true);
  });

  test.each(blinds)("$title, but not if the expansion looks at it", (blind) => {
    const rows = { ...composites, ...blind.wrong };
    const { cotangents, value } = answersOf(blind, rows);
    expect([...cotangents.flat(), ...value].some(Number.isNaN)).toBe(true);
  });
});
