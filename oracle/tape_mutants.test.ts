import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { lawlessGraphs } from "../reference/lawless.test.kit.ts";
import {
  float64,
  integer,
  rational,
  subjectOf,
  type TapeSystem,
  tapeMutants,
  tapeSystems,
} from "../reference/package.ts";
import { faultOf, lawless, type Recorded } from "../reference/tapes/law.test.kit.ts";
import { type Algebra, checkGraph, formatFloat64, nodeId, present } from "../spec/index.ts";
import type { Case } from "./case/index.ts";
import { posed, succeeded } from "./derivatives.test.kit.ts";
import { caseAt, exactProfile, tensorProfile } from "./generate/index.ts";

const SEED = 1812;

/** At these doubles a wrong order or a forgotten zero shows. */
const telling: readonly number[] = [0, -0, 1, -1, 0.1, 1 / 3, 3, -5, 2 ** 53, 1e308];

const doubles = fc.array(fc.constantFrom(...telling), { minLength: 7, maxLength: 7 });
const integers = fc.array(fc.integer({ min: -9, max: 9 }), { minLength: 7, maxLength: 7 });
const graphs = fc.sample(fc.tuple(lawlessGraphs, doubles, integers), { seed: SEED, numRuns: 200 });

/** Divides by a zero of either sign: the cotangents are infinities with the signs that were kept. */
function dividedByZeros(): Case {
  const [ones, zeros] = [
    { shape: [2], data: Float64Array.of(1, 1) },
    { shape: [2], data: Float64Array.of(0, -0) },
  ];
  const graph = checkGraph({
    format: "adjudge.graph.v1",
    inputs: [
      { name: "x", shape: [2] },
      { name: "y", shape: [2] },
    ],
    environment: [],
    nodes: [{ op: "divide", attributes: {}, parents: [0, 1] }],
  });
  return {
    graph: succeeded(graph),
    point: { inputs: [ones, zeros], environment: new Map() },
    tangents: [ones, ones],
    seeds: [{ id: nodeId(2), cotangent: ones }],
  };
}

function subjectIn<S, B>(algebra: Algebra<S, B>, question: Case): Recorded<S> {
  const { graph, x, environment, seeds } = posed(algebra, question);
  return { subject: succeeded(subjectOf(graph, algebra)), point: { x, environment }, seed: seeds };
}

function lawlessIn<S, B>(algebra: Algebra<S, B>, index: number, numbers: readonly number[]): Recorded<S> {
  const [recipe] = present(graphs[index], "a graph");
  const [first, ...rest] = numbers.map((x) =>
    present(algebra.parse(formatFloat64(x)) ?? algebra.parse(String(x)), "a number"),
  );
  return lawless(algebra, recipe, [present(first, "a number"), ...rest], 1 + (index % 3));
}

/** Returns a case over doubles; the first divides by both zeros, which random ones seldom do. */
function doublesAt(n: number): Case {
  return n === 0 ? dividedByZeros() : caseAt(tensorProfile, SEED, n - 1);
}

/** Finds after how many graphs a law or manners tell a system apart, and which; a throw tells too. */
function toldAfter(
  system: TapeSystem,
  life: TapeSystem["life"] = system.life,
  count: number = graphs.length,
): readonly [count: number, how: string] | undefined {
  const asked = [
    (n: number) => faultOf(rational, system, subjectIn(rational, caseAt(exactProfile, SEED, n)), life),
    ...(system.claim === "bits"
      ? [
          (n: number) =>
            faultOf(float64, system, lawlessIn(float64, n, present(graphs[n], "a graph")[1]), life),
          (n: number) =>
            faultOf(integer, system, lawlessIn(integer, n, present(graphs[n], "a graph")[2]), life),
          (n: number) => faultOf(float64, system, subjectIn(float64, doublesAt(n)), life),
        ]
      : []),
  ];
  for (let n = 0; n < count; n++) {
    for (const ask of asked) {
      const how = caught(() => ask(n));
      if (how !== undefined) return [n + 1, how];
    }
  }
  return undefined;
}

function caught(ask: () => string | undefined): string | undefined {
  try {
    return ask();
  } catch (problem) {
    return String(problem);
  }
}

describe("the law of tapes and their manners", () => {
  test.each(tapeMutants)("tell that $name $says", ({ of, system }) => {
    const base = present(
      tapeSystems.find(({ name }) => name === of),
      "the system that has the fault",
    );
    expect(toldAfter(system, base.life)).toBeDefined();
  });

  test.each(tapeSystems)("have nothing against the $name tape", (system) => {
    expect(toldAfter(system, system.life, 50)).toBeUndefined();
  });

  test("are asked of at least forty mutants, each of another name and of a system of the table", () => {
    expect(new Set(tapeMutants.map(({ name }) => name)).size).toBe(tapeMutants.length);
    expect(tapeMutants.length).toBeGreaterThanOrEqual(40);
    const names = new Set(tapeSystems.map(({ name }) => name));
    expect(tapeMutants.filter(({ of }) => !names.has(of))).toEqual([]);
  });
});
