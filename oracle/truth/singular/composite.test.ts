import { describe, expect, test } from "vitest";
import {
  type DataType,
  type FlatTensor,
  type Graph,
  graph,
  nodeId,
  present,
  type Value,
} from "../../../spec/index.ts";
import type { Case } from "../../case/index.ts";
import { type Component, referenceStandard, truthOf } from "../index.ts";

const { NaN: NAN, POSITIVE_INFINITY: INF } = Number;

/** These may be wrong at such points: one number of each kind, and numbers far from all others. */
const candidates: readonly number[] = [NAN, INF, -INF, 0, 1, -1, 3, 1e9, -1e9];

/** Returns `write` of vectors, at a point, along a tangent, with the cotangent 2 everywhere. */
function truthAt(
  write: (...operands: readonly [Value, Value, Value]) => Value,
  inputs: readonly (readonly number[])[],
  tangents: readonly (readonly number[])[],
  dtype: DataType = "float64",
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
  const truth = truthOf(question, referenceStandard(dtype));
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

  test("of 0 and 0 is 0 where both are one number, too", () => {
    const one = truthAt((x) => x.copysign(x), [[0], [3]], [[1], [1]]);
    expect(allowed(one("value", 2))).toEqual([0]);
    expect(allowed(one("tangent", 2))).toEqual([0, 1, -1]);
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
    for (const found of [at([0.1, 0.1, 0.1]), at([3, 3, 3])]) {
      expect(allowed(found("cotangent", 0))).toEqual(candidates);
      expect(allowed(found("tangent", last))).toEqual(candidates);
      // What they are multiplied by and added to is judged: 2 for each of three, and the root of their
      // number.
      const sum = channels === 1 ? 6 : 2;
      expect(allowed(found("cotangent", 2), [...candidates, sum])).toEqual([sum]);
      expect(allowed(found("value", last), [1e9, -1e9])).toEqual([]);
    }
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

describe("equal elements, without ε, whose mean and mean square are exact in every algorithm", () => {
  const at = (x: readonly number[], dtype: DataType = "float64") => {
    const each = (value: number): number[] => x.map(() => value);
    const write = (one: Value, scale: Value, offset: Value): Value =>
      one.layer_norm(scale, offset, { axes: [0], epsilon: 0 });
    return truthAt(write, [x, each(2), each(1)], [x.map((_, i) => i + 1), each(0.5), each(0.25)], dtype);
  };

  test.each([
    [[3, 3]],
    [[3, 3, 3, 3]],
    [[-1.5, -1.5]],
    [[1234567, 1234567]],
  ])("have slopes that are infinite, NaN or left out: %j", (x) => {
    expect(allowed(at(x)("cotangent", 0))).toEqual([NAN, INF, -INF, 0]);
    expect(allowed(at(x)("tangent", 3), [NAN, INF, 1e9, -1e9])).toEqual([NAN, INF]);
  });

  test.each<[string, readonly number[], DataType]>([
    ["so often that a mean of fewer is rounded", [3, 3, 3], "float64"],
    ["of more digits than their square may have", [0.1, 0.1], "float64"],
    ["of more digits than their square may have", [1234567, 1234567], "float32"],
    ["whose squares are subnormal", [2 ** -600, 2 ** -600], "float64"],
    ["whose squares overflow", [2 ** 600, 2 ** 600], "float64"],
    ["that differ", [3, 3.5], "float32"],
  ])("are none %s", (_what, x, dtype) => {
    const isRegular = x[0] !== x[1];
    expect(allowed(at(x, dtype)("cotangent", 0)).length).toBe(isRegular ? 1 : candidates.length);
  });
});

describe("batch_norm_eval without ε at a variance of 0", () => {
  /** Three elements of two channels, of which the first has the variance 0. */
  const x = [1, 5, 4, -1, 2, 7];
  const at = (scale = 2, variance = 0, epsilon = 0, seed = 2) => {
    const shapes = [[3, 2], [2], [2], [2], [2]];
    const points = [x, [scale, 3], [1, 10], [2, 1], [variance, 4]];
    const flat = (shape: readonly number[], data: readonly number[]): FlatTensor => ({
      shape,
      data: Float64Array.from(data),
    });
    const program = graph(({ input }) => {
      const [one, ...others] = shapes.map((shape, place) => input(`x${place}`, shape));
      const [factor, offset, mean, spread] = others;
      if (!one || !factor || !offset || !mean || !spread) throw new Error("five operands");
      one.batch_norm_eval(factor, offset, mean, spread, { axis: 1, epsilon });
    });
    const question: Case = {
      graph: program,
      point: { inputs: shapes.map((shape, i) => flat(shape, points[i] ?? [])), environment: new Map() },
      tangents: shapes.map((shape, i) =>
        flat(
          shape,
          (points[i] ?? []).map(() => 1),
        ),
      ),
      seeds: [
        {
          id: nodeId(5),
          cotangent: flat(
            [3, 2],
            x.map(() => seed),
          ),
        },
      ],
    };
    const truth = truthOf(question, referenceStandard("float64"));
    return (part: "value" | "tangent" | "cotangent", id: number, element = 0) =>
      present(truth[part](nodeId(id))[element], "a component");
  };

  test("is the infinity of (x − m) γ, or NaN, and NaN where x is the mean", () => {
    expect([0, 2, 4].map((element) => allowed(at()("value", 5, element)))).toEqual([
      [NAN, -INF],
      [NAN, INF],
      [NAN],
    ]);
    expect(allowed(at(-2)("value", 5, 2))).toEqual([NAN, -INF]);
    expect(allowed(at(0)("value", 5, 2))).toEqual([NAN]);
    // The sign of a zero may be lost before a root.
    expect(allowed(at(2, -0)("value", 5, 2))).toEqual([NAN, INF, -INF]);
  });

  test("has slopes that are infinite, NaN or left out, but for the offset's", () => {
    for (const operand of [0, 1, 3, 4])
      expect(allowed(at()("cotangent", operand))).toEqual([NAN, INF, -INF, 0]);
    expect(allowed(at()("cotangent", 2), [...candidates, 6])).toEqual([6]);
    expect(allowed(at()("tangent", 5))).toEqual([NAN, INF, -INF, 1]);
  });

  test("accuses neither who divides nor who multiplies x and the mean by γ/σ", () => {
    for (const scale of [2, -2, 0]) {
      for (const seed of [2, 0]) {
        const found = at(scale, 0, 0, seed);
        const rows = [0, 2, 4].map((element) => [element, present(x[element], "x")] as const);
        const a = scale / 0;
        for (const [element, one] of rows) {
          const along = ((1 - 1) / 0) * scale + ((one - 2) / 0) * 1 + 1;
          const slope = ((one - 2) * scale * 1) / (2 * 0);
          for (const answer of [((one - 2) / 0) * scale + 1, one * a + (1 - 2 * a)])
            expect(found("value", 5, element).judge(answer)).not.toBe("outside");
          for (const answer of [along, along - slope, 0 * a - slope])
            expect(found("tangent", 5, element).judge(answer)).not.toBe("outside");
          for (const answer of [(seed * scale) / 0, seed * a])
            expect(found("cotangent", 0, element).judge(answer)).not.toBe("outside");
        }
        const sum = (of: (one: number) => number): number => rows.reduce((all, [, one]) => all + of(one), 0);
        for (const [operand, answers] of [
          [1, [sum((one) => (seed * (one - 2)) / 0), sum((one) => seed * (one - 2)) / 0]],
          [3, [-sum(() => seed * a), -sum(() => seed) * a]],
          [
            4,
            [
              (-0.5 * sum((one) => seed * scale * (one - 2))) / 0,
              sum((one) => -seed * (one - 2) * a * Infinity),
            ],
          ],
        ] as const) {
          for (const answer of answers) expect(found("cotangent", operand).judge(answer)).not.toBe("outside");
        }
      }
    }
  });

  test("leaves the other channel its one answer", () => {
    const others = [...candidates, 16];
    expect(allowed(at()("value", 5, 1), others)).toEqual([16]);
    expect(allowed(at()("cotangent", 0, 1))).toEqual([3]);
    for (const operand of [1, 3, 4])
      expect(allowed(at()("cotangent", operand, 1), [NAN, INF, 1e9])).toEqual([]);
    expect(allowed(at()("tangent", 5, 1), [NAN, INF, 1e9])).toEqual([]);
  });

  test("is infinite in its channel, wherever the axis of channels stands, and finite in the others", () => {
    const shape = [2, 3, 2];
    for (const axis of [0, 1, 2]) {
      const channels = present(shape[axis], "an extent");
      for (let pole = 0; pole < channels; pole++) {
        const each = (at: (channel: number) => number): FlatTensor => ({
          shape: [channels],
          data: Float64Array.from({ length: channels }, (_, channel) => at(channel)),
        });
        const all = { shape, data: new Float64Array(12).fill(2) };
        const means = each((channel) => (channel === pole ? 1 : 2));
        const inputs = [
          all,
          each(() => 3),
          each(() => 5),
          means,
          each((channel) => (channel === pole ? 0 : 4)),
        ];
        const program = graph(({ input }) => {
          const [x, a, b, c, d] = inputs.map((flat, place) => input(`x${place}`, flat.shape));
          if (!x || !a || !b || !c || !d) throw new Error("five operands");
          x.batch_norm_eval(a, b, c, d, { axis, epsilon: 0 });
        });
        const point = { inputs, environment: new Map() };
        const question = { graph: program, point, tangents: inputs, seeds: [] };
        const stride = shape.slice(axis + 1).reduce((size, extent) => size * extent, 1);
        for (const [place, component] of truthOf(question, referenceStandard("float64"))
          .value(nodeId(5))
          .entries()) {
          const isPole = Math.floor(place / stride) % channels === pole;
          expect(allowed(component, [...candidates, 5])).toEqual(isPole ? [NAN, INF] : [5]);
        }
      }
    }
  });

  test("has one answer with ε, or at another variance", () => {
    for (const found of [at(2, 0, 0.25), at(2, 0.25)]) {
      expect(allowed(found("value", 5), [...candidates, -3])).toEqual([-3]);
      expect(allowed(found("cotangent", 4), [NAN, INF, -INF, 0, 1e9])).toEqual([]);
    }
  });
});

describe("a matrix with a column of zeros", () => {
  const matrix = { shape: [2, 2], data: Float64Array.of(0, 2, 0, 3) };
  const at = (op: "solve" | "inv", data: readonly number[], dtype: DataType = "float64") => {
    const program = graph(({ input }) => {
      const a = input("a", [2, 2]);
      const b = input("b", [2, 1]);
      if (op === "solve") a.solve(b);
      else a.inv();
    });
    const sides = { shape: [2, 1], data: Float64Array.of(1, 4) };
    const a = { shape: [2, 2], data: Float64Array.from(data) };
    const question: Case = {
      graph: program,
      point: { inputs: [a, sides], environment: new Map() },
      tangents: [matrix, sides],
      seeds: [],
    };
    const value = truthOf(question, referenceStandard(dtype)).value(nodeId(2));
    return value.map((component) => allowed(component));
  };
  const byZero = [NAN, INF, -INF];

  test("divides the unknown of that column by 0 in every elimination, and may do anything to the others", () => {
    expect(at("solve", [0, 2, 0, 3])).toEqual([byZero, candidates]);
    expect(at("solve", [2, 0, 3, -0])).toEqual([candidates, byZero]);
    expect(at("solve", [0, 0, 0, 0], "float32")).toEqual([byZero, byZero]);
    expect(at("inv", [0, 2, 0, 3])).toEqual([byZero, byZero, candidates, candidates]);
  });

  test("is the only one of which that is known: a pivot that should be 0 may be a rounding error", () => {
    expect(at("solve", [1, 2, 2, 4])).toEqual([candidates, candidates]);
    expect(at("solve", [0, 0, 2, 3])).toEqual([candidates, candidates]);
    expect(at("solve", [1, 2, 3, 4]).flat()).not.toContain(NAN);
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
