import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  evaluate,
  interpret,
  map,
  mapEnvironment,
  type Rational,
  rational,
  rationalFromNumber,
} from "../../reference/package.ts";
import {
  checkCase,
  encodeCase,
  expand,
  type FlatTensor,
  present,
  shapesOf,
  sizeOf,
} from "../../spec/index.ts";
import { sampled } from "../../spec/sampled.test.kit.ts";
import type { Case } from "../case/case.ts";
import { floatEnvironment, unflatten } from "../case/reference_run.ts";
import { valuesOf } from "../case/valuation.ts";
import { measure } from "../shrink/shrink.ts";
import { caseArbitrary } from "./arbitrary.ts";
import { campaign } from "./campaign.ts";
import { edgesProfile, exactProfile, profiles, tensorProfile } from "./profile.ts";

const seed = 20_260;

/** The longest motif of networks may add this many nodes to a graph that is almost done. */
const longestMotif = 12;

function tensorsOf({ graph, point, tangents, seeds }: Case) {
  const cotangents = seeds.map(({ cotangent }) => cotangent);
  const reals = graph.environment.filter(({ kind }) => kind === "real");
  const entries = reals.map(({ name }) => present(point.environment.get(name), "an entry's value"));
  return { ofPoint: [...point.inputs, ...entries], seeds: [...tangents, ...cotangents] };
}

/** Tells whether none of the numbers is ±1, and no two are of one size. */
function areGeneric(tensors: readonly FlatTensor[]): boolean {
  const sizes = tensors.flatMap(({ data }) => [...data].map(Math.abs));
  // A zero takes the place of a number, so all draws of 128 that are not zero differ.
  const first = sizes.slice(0, 128).filter((x) => x !== 0);
  return !sizes.includes(1) && new Set(first).size === first.length;
}

/** Computes every element of every value over the rationals. */
function exactElements(question: Case): readonly Rational[] {
  const graph = interpret(expand(question.graph).graph, rational);
  if (!graph.ok) throw new Error("an operator that rationals do not have");
  const inputs = question.point.inputs.map((x) => map(unflatten(x), rationalFromNumber));
  const environment = mapEnvironment(floatEnvironment(question), rationalFromNumber);
  return evaluate(graph.value, inputs, environment).flatMap(({ data }) => data);
}

describe.each(sampled("profiles", [...profiles.values()], 5))("a case of the profile $name", (profile) => {
  const count = profile.isChain || ["long", "lengths"].includes(profile.name) ? 30 : 300;
  const cases = [...campaign(profile, seed, count)];

  test("is well-formed", () => {
    for (const question of cases) expect(checkCase(encodeCase(question))).toMatchObject({ ok: true });
  });

  test("stays within the profile's bounds and operators", () => {
    for (const { graph } of cases) {
      const shapes = shapesOf(graph);
      const isFinished = profile.plants === "motifs";
      expect(graph.nodes.length).toBeLessThanOrEqual(profile.nodes[1] + (isFinished ? longestMotif : 0));
      // What a case costs, or whose turn it is, may end it sooner.
      const inTurn = profile.plants === "readers" || profile.plants === "turns";
      const isEnded = profile.maximumPrimitives !== undefined || inTurn;
      expect(graph.nodes.length).toBeGreaterThanOrEqual(isEnded ? 1 : profile.nodes[0]);
      expect(graph.inputs.length).toBeLessThanOrEqual(profile.inputs[1]);
      expect(Math.max(...shapes.map(sizeOf))).toBeLessThanOrEqual(profile.maximumElements);
      expect(Math.max(...shapes.map(({ length }) => length))).toBeLessThanOrEqual(profile.maximumRank);
      expect(graph.nodes.filter(({ op }) => !profile.operators.includes(op))).toEqual([]);
    }
  });

  const isAtEdges = profile.replacements !== undefined || profile.plants === "readers";

  test.skipIf(isAtEdges)("is the same in every precision down to float16", () => {
    const tensors = cases.map(tensorsOf);
    const finite = tensors.flatMap(({ ofPoint, seeds }) =>
      profile.seeds === "generic" ? [...ofPoint, ...seeds] : ofPoint,
    );
    const numbers = finite.flatMap(({ data }) => [...data]);
    // float16 holds eleven bits: every multiple of ⅛ below 2⁸.
    expect(numbers.filter((x) => !Number.isInteger(8 * x) || Math.abs(x) >= 256)).toEqual([]);
  });

  test("has generic tangents and cotangents as a rule: none is ±1, and those of one case differ", () => {
    const generic = cases.filter((question) => areGeneric(tensorsOf(question).seeds));
    expect(generic.length).toBeGreaterThanOrEqual(profile.seeds === "generic" ? count : 0.8 * count);
  });

  test.skipIf(isAtEdges)("has moderate values, nine times in ten", () => {
    const isModerate = (question: Case): boolean =>
      valuesOf(question).every(({ data }) => data.every((x) => Math.abs(x) <= 2 ** 20));
    expect(cases.filter(isModerate).length).toBeGreaterThan(0.85 * count);
  });
});

test("half of the numbers of a point at the edges are replacements, and each replacement occurs", () => {
  const numbers = [...campaign(edgesProfile, seed, 500)].flatMap(({ point }) =>
    point.inputs.flatMap(({ data }) => [...data]),
  );
  const { numbers: replacements = [] } = edgesProfile.replacements ?? {};
  const counts = replacements.map((x) => numbers.filter((y) => Object.is(x, y)).length);
  expect(Math.min(...counts)).toBeGreaterThan(0);
  const share = numbers.filter((x) => replacements.some((y) => Object.is(x, y))).length / numbers.length;
  // Some drawn numbers equal replacements by chance: 0, −0, 1 and −1.
  expect([share > 0.5, share < 0.7]).toEqual([true, true]);
});

test("an exact case's values are short fractions", () => {
  const digits = [...campaign(exactProfile, seed, 500)]
    .flatMap(exactElements)
    .map(({ numerator, denominator }) => `${numerator}${denominator}`.length);
  // Sixteen factors of five bits over as many again are 160 bits: 50 digits, and a sum's carries.
  expect(Math.max(...digits)).toBeLessThan(64);
});

describe("the arbitrary", () => {
  test("replays from its seed", () => {
    const draw = (): readonly Case[] => fc.sample(caseArbitrary(tensorProfile), { seed, numRuns: 50 });
    expect(draw()).toEqual(draw());
  });

  test("shrinks a failing property to one node", () => {
    const readsTwice = ({ graph }: Case): boolean =>
      graph.nodes.some(({ op, parents }) => op === "multiply" && parents[0] === parents[1]);
    const property = fc.property(caseArbitrary(tensorProfile), (question) => !readsTwice(question));
    const outcome = fc.check(property, { seed, numRuns: 1000 });
    const [smallest] = outcome.counterexample ?? [];
    expect(outcome.failed).toBe(true);
    expect(smallest?.graph.nodes).toEqual([{ op: "multiply", attributes: {}, parents: [0, 0] }]);
    expect(smallest === undefined ? [] : measure(smallest).slice(2, 6)).toEqual([1, 1, 0, 1]);
  });

  test("shrinks an example that it did not draw, and nothing that is no case", () => {
    const [example] = campaign(tensorProfile, seed, 1);
    const arbitrary = caseArbitrary(tensorProfile);
    expect(arbitrary.canShrinkWithoutContext(example)).toBe(true);
    expect([undefined, 3, {}, { graph: {} }].some((x) => arbitrary.canShrinkWithoutContext(x))).toBe(false);
  });
});
