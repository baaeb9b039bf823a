import { describe, expect, test } from "vitest";
import { type FlatTensor, type Graph, graph, nodeId, present, type Value } from "../../spec/index.ts";
import type { Case } from "../case.ts";
import { type Component, referenceStandard, truthOf } from "./index.ts";

const { NaN: NAN, POSITIVE_INFINITY: INF } = Number;

/** What may be wrong at such points: one number of each kind, and numbers far from all others. */
const candidates: readonly number[] = [NAN, INF, -INF, 0, 1, -1, 3, 1e9, -1e9];

/** `write` of vectors, at a point, along a tangent, with the cotangent 2 everywhere. */
function truthAt(
  write: (...operands: readonly [Value, Value, Value]) => Value,
  inputs: readonly (readonly number[])[],
  tangents: readonly (readonly number[])[],
): (part: "value" | "tangent" | "cotangent", id: number, element?: number) => Component {
  const flat = (data: readonly number[]): FlatTensor => ({
    shape: [data.length],
    data: Float64Array.from(data),
  });
  let shape: readonly number[] = [];
  const program: Graph = graph(({ input }) => {
    const [x, y, z] = inputs.map(({ length }, place) => input(`x${place}`, [length]));
    const [first, second] = [present(x, "x"), present(y, "y")];
    shape = write(first, second, z ?? first).shape;
  });
  const count = shape.reduce((size, extent) => size * extent, 1);
  const question: Case = {
    graph: program,
    point: { inputs: inputs.map(flat), environment: new Map() },
    tangents: tangents.map(flat),
    seeds: [
      {
        id: nodeId(inputs.length + program.nodes.length - 1),
        cotangent: { shape, data: new Float64Array(count).fill(2) },
      },
    ],
  };
  const truth = truthOf(question, referenceStandard("float64"));
  return (part, id, element = 0) => present(truth[part](nodeId(id))[element], "a component");
}

function allowed(component: Component, among: readonly number[] = candidates): readonly number[] {
  return among.filter((answer) => component.judge(answer) !== "outside");
}

describe("a divergence", () => {
  const at = (
    x: readonly number[],
    y: readonly number[],
    tangents: readonly (readonly number[])[] = [
      [1, 1],
      [1, 1],
    ],
  ) => truthAt((one, other) => one.kl_div(other), [x, y], tangents);
  const rest = (0.5 * (Math.log(0.5) + 2)) / 2;

  test.each([NAN, INF, -INF])("from 0 where x is %d is that of the others, or NaN", (x) => {
    expect(allowed(at([x, -2], [0, 0.5])("value", 2), [...candidates, rest])).toEqual([NAN, rest]);
    expect(allowed(at([x, -2], [-0, 0.5])("value", 2), [...candidates, rest])).toEqual([NAN, rest]);
  });

  test.each([
    [
      [-1, -2],
      [0, 0.5],
    ],
    [
      [-1, -2],
      [0.25, 0.5],
    ],
  ])("of numbers has one value: from %j to %j", (x, y) => {
    expect(allowed(at(x, y)("value", 2))).toEqual([]);
  });

  test("to 0 has by y the slope −∞, 0 or NaN, and by x the slope 0", () => {
    const found = at([-1, -2], [0, 0.5]);
    expect(allowed(found("cotangent", 1))).toEqual([NAN, -INF, 0]);
    expect(allowed(found("cotangent", 0))).toEqual([0]);
    expect(allowed(found("cotangent", 1, 1))).toEqual([]);
  });

  test("to 0 has the infinite tangent of the other sign, NaN, or that of the others", () => {
    const others = (-0.5 + (Math.log(0.5) + 1 + 2)) / 2;
    const found = (yDot: number) =>
      at(
        [-1, -2],
        [0, 0.5],
        [
          [1, 1],
          [yDot, 1],
        ],
      )("tangent", 2);
    expect(allowed(found(3), [...candidates, others])).toEqual([NAN, -INF, others]);
    expect(allowed(found(-3), [...candidates, others])).toEqual([NAN, INF, others]);
    expect(allowed(found(0), [...candidates, others])).toEqual([NAN, others]);
  });

  test("to a negative number is NaN, or leaves it out, and its slope is no larger than its parts", () => {
    const found = at([-1, -2], [-1, 0.5]);
    expect(allowed(found("value", 2), [...candidates, rest])).toEqual([NAN, rest]);
    expect(allowed(found("cotangent", 1))).toEqual([NAN, 0, 1, -1]);
    expect(allowed(found("tangent", 2))).toEqual([NAN, 0, 1]);
  });
});

describe("a copied sign", () => {
  const at = (x: number, y: number) => truthAt((one, other) => one.copysign(other), [[x], [y]], [[1], [5]]);

  test("of a zero is either", () => {
    for (const y of [0, -0]) {
      expect(allowed(at(3, y)("value", 2), [...candidates, -3])).toEqual([3, -3]);
      expect(allowed(at(3, y)("tangent", 2))).toEqual([1, -1]);
      expect(allowed(at(3, y)("cotangent", 0), [...candidates, 2, -2])).toEqual([2, -2]);
      expect(allowed(at(3, y)("cotangent", 1))).toEqual([0]);
    }
  });

  test("at 0, of a zero, has any slope between", () => {
    expect(allowed(at(0, 0)("value", 2))).toEqual([0]);
    expect(allowed(at(0, 0)("tangent", 2))).toEqual([0, 1, -1]);
    expect(allowed(at(0, 0)("cotangent", 0), [...candidates, 2, -2])).toEqual([0, 1, -1, 2, -2]);
  });

  test("of an infinity is its sign", () => {
    expect(allowed(at(3, -INF)("value", 2), [...candidates, -3])).toEqual([-3]);
    expect(allowed(at(3, INF)("tangent", 2))).toEqual([1]);
    expect(allowed(at(3, INF)("cotangent", 0), [...candidates, 2, -2])).toEqual([2]);
  });

  test("of a NaN is either, or NaN", () => {
    expect(allowed(at(3, NAN)("value", 2), [...candidates, -3])).toEqual([NAN, 3, -3]);
    expect(allowed(at(3, NAN)("cotangent", 0), [...candidates, 2, -2])).toEqual([NAN, 2, -2]);
  });

  test("goes to infinities, and not to NaN, whose slopes are up to 1 or NaN", () => {
    expect(allowed(at(INF, -2)("value", 2))).toEqual([-INF]);
    expect(allowed(at(NAN, -2)("value", 2))).toEqual([NAN]);
    expect(allowed(at(INF, 2)("cotangent", 0), [...candidates, 2, -2])).toEqual([NAN, 0, 1, -1, 2, -2]);
  });

  test("has one slope elsewhere", () => {
    expect(allowed(at(3, -2)("cotangent", 0), [...candidates, -2])).toEqual([-2]);
    expect(allowed(at(3, -2)("tangent", 2))).toEqual([-1]);
  });
});

/** A normalisation of three elements, in how many channels, and the id of its value. */
const normalizations: readonly (readonly [
  string,
  (x: Value, scale: Value, offset: Value) => Value,
  number,
  number,
])[] = [
  ["layer_norm", (x, scale, offset) => x.layer_norm(scale, offset, { axes: [0], epsilon: 0 }), 3, 3],
  [
    "batch_norm_train",
    (x, scale, offset) =>
      x.reshape({ shape: [3, 1] }).batch_norm_train(scale, offset, { axis: 1, epsilon: 0 }),
    1,
    4,
  ],
  [
    "group_norm",
    (x, scale, offset) => x.reshape({ shape: [1, 3] }).group_norm(scale, offset, { groups: 1, epsilon: 0 }),
    3,
    4,
  ],
];

describe.each(normalizations)("%s of equal elements, without ε", (_name, write, channels, last) => {
  const at = (x: readonly number[]) => {
    const each = (value: number): number[] => Array.from({ length: channels }, () => value);
    return truthAt(write, [x, each(2), each(1)], [[1, -2, 4], each(0.5), each(0.25)]);
  };

  test("has slopes that are infinite, NaN or left out where they are zeros", () => {
    const found = at([0, 0, 0]);
    expect(allowed(found("cotangent", 0))).toEqual([NAN, INF, -INF, 0]);
    expect(allowed(found("tangent", last), [1e9, -1e9])).toEqual([]);
  });

  test("may have any slope where the root may be of a rounding error", () => {
    expect(allowed(at([0.1, 0.1, 0.1])("cotangent", 0))).toEqual(candidates);
  });

  test.each([0, 0.1])("has a bounded slope by the scale, infinite or NaN: of %d", (x) => {
    expect(allowed(at([x, x, x])("cotangent", 1))).toEqual([NAN, INF, -INF, 0, 1, -1, 3]);
  });

  test("has no such slopes beside them", () => {
    const found = at([0, 1, 3]);
    expect(allowed(found("cotangent", 0), [NAN, INF, -INF, 1e9])).toEqual([]);
    expect(allowed(found("cotangent", 1), [NAN, INF, -INF, 1e9])).toEqual([]);
    expect(allowed(found("tangent", last), [NAN, INF, -INF, 1e9])).toEqual([]);
  });
});

test("one element less itself has a variance of 0 in every algorithm", () => {
  const one = truthAt(
    (x, scale, offset) => x.layer_norm(scale, offset, { axes: [0], epsilon: 0 }),
    [[0.1], [2], [1]],
    [[1], [0.5], [0.25]],
  );
  expect(allowed(one("cotangent", 0))).toEqual([NAN, INF, -INF, 0]);
});

test.each([
  ["solve", (a: Value, b: Value) => a.reshape({ shape: [1, 1] }).solve(b.reshape({ shape: [1, 1] })), 4],
  ["inv", (a: Value) => a.reshape({ shape: [1, 1] }).inv(), 3],
] as const)("%s of one entry is a quotient, infinite or NaN by 0", (_name, write, id) => {
  const at = (a: number) => truthAt(write, [[a], [3]], [[1], [1]])("value", nodeId(id));
  expect(allowed(at(0))).toEqual([NAN, INF, -INF]);
  expect(allowed(at(-0))).toEqual([NAN, INF, -INF]);
  expect(allowed(at(1), [NAN, INF, 1e9])).toEqual([]);
});
