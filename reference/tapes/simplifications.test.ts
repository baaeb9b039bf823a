import { describe, expect, test } from "vitest";
import { type Algebra, graph, isPrimitiveGraph, nodeId, type PrimitiveGraph } from "../../spec/index.ts";
import { float64 } from "../algebras/float.ts";
import { rational } from "../algebras/rational.ts";
import { dense } from "../context.ts";
import { isSameContext, noEnvironment, scalar } from "../hand.test.kit.ts";
import { backpropAllCtx } from "../sweep.ts";
import { prunedTape } from "./pruned.ts";
import { type Property, propertiesOfFields, propertiesOfFloats, simplifications } from "./simplifications.ts";
import { subjectOf } from "./subject.ts";
import type { RunTape } from "./system.ts";

function primitive(build: Parameters<typeof graph>[0]): PrimitiveGraph {
  const built = graph(build);
  return isPrimitiveGraph(built) ? built : expect.unreachable("only primitives are used");
}

/** A graph of one input that has the node in question last. */
const specimens: readonly (readonly [needs: Property, specimen: PrimitiveGraph])[] = [
  ["none", primitive(({ input }) => input("x", []).reshape({ shape: [] }))],
  ["one is neutral", primitive(({ input, full }) => input("x", []).multiply(full({ shape: [], value: 1 })))],
  [
    "zero annihilates",
    primitive(({ input, full }) => input("x", []).multiply(full({ shape: [], value: 0 }))),
  ],
  [
    "negation is inverse",
    primitive(({ input }) => {
      const x = input("x", []);
      return x.subtract(x);
    }),
  ],
  [
    "multiplication associates",
    primitive(({ input, full }) =>
      input("x", [])
        .multiply(full({ shape: [], value: 0.1 }))
        .multiply(full({ shape: [], value: 0.1 })),
    ),
  ],
];

interface Swept<S> {
  readonly tape: RunTape<S>;
  /** Is true if the input's cotangent is that of the reference. */
  readonly isRight: boolean;
}

/** Sweeps a pruned tape that takes these properties for granted, at x from a seed at the last id. */
function swept<S, B>(
  algebra: Algebra<S, B>,
  specimen: PrimitiveGraph,
  properties: readonly Property[],
  [x, c]: readonly [S, S],
): Swept<S> {
  const subject = subjectOf(specimen, algebra);
  if (!subject.ok) return expect.unreachable(JSON.stringify(subject.error));
  const last = nodeId(subject.value.shapes.length - 1);
  const seed = new Map([[last, scalar(c)]]);
  const point = { x: [scalar(x)], environment: noEnvironment };
  const tape = prunedTape(properties).record(subject.value, point, [last]);
  if (!tape.ok) return expect.unreachable("it records");
  const answered = tape.value.backward(seed);
  const { additive, data, shapes } = subject.value;
  const owed = backpropAllCtx(additive, data, point.x, noEnvironment, dense(additive, shapes, seed));
  return {
    tape: tape.value,
    isRight: answered.ok && isSameContext(algebra, answered.value, owed.slice(0, 1)),
  };
}

const exact = (x: number): ReturnType<typeof rational.parse> & NonNullable<unknown> =>
  rational.parse(String(x)) ?? expect.unreachable("a number");

describe("a simplification", () => {
  test("stands in the table for each property, and has a specimen", () => {
    expect(simplifications.map(({ needs }) => needs)).toEqual(specimens.map(([needs]) => needs));
  });

  test.each(specimens)("that needs that %s keeps nothing, and is right over the rationals", (_, specimen) => {
    const { tape, isRight } = swept(rational, specimen, propertiesOfFields, [exact(3), exact(7)]);
    expect([isRight, tape.measure().savedElements]).toEqual([true, 0]);
  });

  test.each(
    specimens,
  )("that needs that %s is used where that is granted, and not else", (needs, specimen) => {
    const others = propertiesOfFields.filter((property) => property !== needs);
    const { tape, isRight } = swept(rational, specimen, others, [exact(3), exact(7)]);
    expect(isRight).toBe(true);
    // A copy and a difference read no value anyway.
    if (needs !== "none" && needs !== "negation is inverse")
      expect(tape.measure().savedElements).toBeGreaterThan(0);
  });

  /** Cotangents of floats for which the simplification is no simplification. */
  const counterexamples: readonly (readonly [Property, x: number, c: number])[] = [
    ["zero annihilates", 3, Number.POSITIVE_INFINITY],
    ["negation is inverse", 3, Number.NaN],
    ["negation is inverse", 3, Number.POSITIVE_INFINITY],
    ["multiplication associates", 3, 5],
  ];

  test.each(
    counterexamples,
  )("that needs that %s is wrong over floats: x = %d, cotangent %d", (needs, x, c) => {
    const [, specimen] = specimens.find(([property]) => property === needs) ?? expect.unreachable();
    expect(swept(float64, specimen, propertiesOfFields, [x, c]).isRight).toBe(false);
    expect(swept(float64, specimen, propertiesOfFloats, [x, c]).isRight).toBe(true);
  });

  test.each(
    specimens.filter(([needs]) => propertiesOfFloats.includes(needs)),
  )("that needs that %s is right over floats to the bit", (_, specimen) => {
    for (const c of [1, 0, 0.1, -1e308, Number.POSITIVE_INFINITY, Number.NaN, 2 ** -1074])
      expect([c, swept(float64, specimen, propertiesOfFloats, [3, c]).isRight]).toEqual([c, true]);
  });
});

describe("a dead value", () => {
  /** x + x is asked for; 1 / x stands beside it, under the id before. */
  const beside = primitive(({ input, full }) => {
    const x = input("x", []);
    full({ shape: [], value: 1 }).divide(x);
    return x.add(x);
  });

  test("is pruned over the rationals without a trace, and over floats at 0 the pruned tape alone has a number", () => {
    expect(swept(rational, beside, propertiesOfFields, [exact(2), exact(5)]).isRight).toBe(true);
    expect(swept(float64, beside, propertiesOfFloats, [2, 5]).isRight).toBe(true);
    expect(swept(float64, beside, propertiesOfFloats, [0, 5]).isRight).toBe(false);
  });
});
