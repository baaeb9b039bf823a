import { Random } from "fast-check";
import { xoroshiro128plus } from "pure-rand/generator/xoroshiro128plus";
import { describe, expect, test } from "vitest";
import { type Graph, type Tensor, withAccurateSlopes, zip } from "../../../reference/index.ts";
import { type Algebra, graph, type Node, nodeId, present, type Value } from "../../../spec/index.ts";
import type { Case } from "../../case/index.ts";
import {
  caseAt,
  chainProfile,
  compositeProfile,
  scalar20Profile,
  tensorProfile,
} from "../../generate/index.ts";
import { judged, sloppy } from "../erring.test.kit.ts";
import { truthOf, withAccurateSlopesOf } from "../index.ts";
import { referenceStandard, type Standard } from "../standard/index.ts";

/** It asks for the derivatives of a function at these points, each with the tangent and cotangent 1. */
function at(points: readonly number[], write: (x: Value) => void): Case {
  const shape = [points.length];
  const ones = { shape, data: new Float64Array(points.length).fill(1) };
  const asked = graph(({ input }) => write(input("x", shape)));
  const last = asked.inputs.length + asked.nodes.length - 1;
  return {
    graph: asked,
    point: { inputs: [{ shape, data: Float64Array.from(points) }], environment: new Map() },
    tangents: [ones],
    seeds: [{ id: nodeId(last), cotangent: ones }],
  };
}

/** Judges slopes at points, by an engine that declares accurate slopes or nothing. */
function verdicts(
  write: (x: Value) => void,
  points: readonly number[],
  slope: (x: number) => number,
  isDeclared: boolean,
): Set<string> {
  const plain = referenceStandard("float64");
  const question = at(points, write);
  const truth = truthOf(question, isDeclared ? withAccurateSlopesOf(plain) : plain);
  const last = nodeId(question.graph.inputs.length + question.graph.nodes.length - 1);
  return new Set(
    points.flatMap((x, place) =>
      [truth.tangent(last), truth.cotangent(nodeId(0))].map(
        (components) => components[place]?.judge(slope(x)) ?? "",
      ),
    ),
  );
}

const { cosh, exp, tanh } = Math;
const sigmoid = (x: number): number => (x < 0 ? exp(x) / (1 + exp(x)) : 1 / (1 + exp(-x)));
const tail = [4, 9.5, 18, 20, 36.5, 40, 200, 354];

/** Slopes that decay: two honest formulas, and the one that takes the slope from the value. */
const decaying = [
  {
    name: "tanh",
    write: (x: Value) => void x.tanh(),
    points: [...tail, ...tail.map((x) => -x)],
    honest: [(x: number) => cosh(x) ** -2, (x: number) => 1 / cosh(x) / cosh(x)],
    fromValue: (x: number) => 1 - tanh(x) ** 2,
  },
  {
    name: "sigmoid",
    write: (x: Value) => void x.sigmoid(),
    points: tail.slice(2),
    honest: [(x: number) => sigmoid(x) * sigmoid(-x), (x: number) => exp(-x) / (1 + exp(-x)) ** 2],
    fromValue: (x: number) => sigmoid(x) * (1 - sigmoid(x)),
  },
  {
    name: "expm1",
    write: (x: Value) => void x.expm1(),
    points: tail.slice(2).map((x) => -x),
    honest: [exp],
    fromValue: (x: number) => Math.expm1(x) + 1,
  },
  {
    name: "elu",
    write: (x: Value) => void x.elu({ alpha: 1.75 }),
    points: tail.slice(2).map((x) => -x),
    honest: [(x: number) => 1.75 * exp(x)],
    fromValue: (x: number) => 1.75 * Math.expm1(x) + 1.75,
  },
] as const;

/** Nobody takes these slopes from the value. */
const kept: readonly (readonly [name: string, write: (x: Value) => void, at: number])[] = [
  ["softplus", (x) => void x.softplus(), -40],
  ["silu", (x) => void x.silu(), -40],
  ["logaddexp", (x) => void x.logaddexp(x.multiply(0)), -40],
  ["exp", (x) => void x.exp(), -40],
  ["erf", (x) => void x.erf(), 8],
];

describe("a slope that decays", () => {
  test.each(decaying)("may be accurate, whatever is declared: $name", ({ write, points, honest }) => {
    for (const slope of honest)
      for (const isDeclared of [true, false])
        expect([...verdicts(write, points, slope, isDeclared)]).toEqual(["within"]);
  });

  test.each(decaying)("may be taken from the value, unless accurate slopes are declared: $name", ({
    write,
    points,
    fromValue,
  }) => {
    expect([...verdicts(write, points, fromValue, false)]).toEqual(["within"]);
    expect([...verdicts(write, points, fromValue, true)]).toEqual(["outside"]);
  });

  test.each(kept)("is not lost by any formula, and 0 is told of everybody: %s", (_, write, x) => {
    for (const isDeclared of [true, false])
      expect([...verdicts(write, [x], () => 0, isDeclared)]).toEqual(["outside"]);
  });
});

/** Counts the judgements on random cases with such slopes of an engine that errs by all it may. */
function counted(
  standard: Standard,
  engine: (algebra: Algebra<number, boolean>) => Parameters<typeof judged>[3],
): { readonly within: number; readonly outside: number } {
  const algebra = sloppy(standard, new Random(xoroshiro128plus(7)), 1);
  const counts = { within: 0, outside: 0 };
  for (const [profile, cases] of [
    [tensorProfile, 150],
    [compositeProfile, 150],
    [scalar20Profile, 60],
    [chainProfile, 12],
  ] as const) {
    for (let index = 0; index < cases; index++) {
      const question = caseAt(profile, 11, index);
      if (!question.graph.nodes.some(decays)) continue;
      const { within, outside } = judged(question, standard, algebra, engine(algebra));
      counts.within += within;
      counts.outside += outside;
    }
  }
  return counts;
}

function decays({ op }: Node): boolean {
  return ["tanh", "gelu", "sigmoid", "expm1", "elu", "lstm_cell", "gru_cell", "elman_cell"].includes(op);
}

/** Takes the slope of `expm1` from its value, and rounds once more than it needs to. */
function takenFromValue(meaning: Graph<number>, { levels }: Algebra<number, boolean>): Graph<number> {
  const { real } = levels;
  if (real === undefined) throw new Error("floats are reals");
  const scaled = (y: Tensor<number>, by: Tensor<number>): Tensor<number> =>
    zip(y, by, (value, c) => real.multiply(c, real.add(value, real.one)));
  const nodes = meaning.nodes.map((node): Graph<number>["nodes"][number] =>
    node.name !== "expm1"
      ? node
      : {
          ...node,
          jvp: (context, tangents, environment) =>
            scaled(node.forward(context, environment), present(tangents[node.reads[0] ?? 0], "a tangent")),
          vjp: (context, environment, c) =>
            new Map([[node.reads[0] ?? nodeId(0), scaled(node.forward(context, environment), c)]]),
        },
  );
  return { ...meaning, nodes };
}

describe.each([
  "float64",
  "float32",
] as const)("is never outside, though it errs by all it may, in %s", (dtype) => {
  test.each([
    [
      "an engine that declares accurate slopes",
      withAccurateSlopesOf(referenceStandard(dtype)),
      (algebra: Algebra<number, boolean>): Parameters<typeof judged>[3] =>
        (expanded, meaning) =>
          withAccurateSlopes(expanded.graph, meaning, algebra),
    ],
    [
      "one that declares nothing and has them",
      referenceStandard(dtype),
      (algebra: Algebra<number, boolean>): Parameters<typeof judged>[3] =>
        (expanded, meaning) =>
          withAccurateSlopes(expanded.graph, meaning, algebra),
    ],
    [
      "one that takes slopes from values",
      referenceStandard(dtype),
      (algebra: Algebra<number, boolean>): Parameters<typeof judged>[3] =>
        (_, meaning) =>
          takenFromValue(meaning, algebra),
    ],
  ] as const)("%s", (_, standard, engine) => {
    const { within, outside } = counted(standard, engine);
    expect(outside).toBe(0);
    expect(within).toBeGreaterThan(1000);
  });
});
