import { Random } from "fast-check";
import { xoroshiro128plus } from "pure-rand/generator/xoroshiro128plus";
import { describe, expect, test } from "vitest";
import { type Graph, map } from "../../../reference/index.ts";
import { referenceConventions } from "../../../spec/contract/index.ts";
import { type OrderedReal, present } from "../../../spec/index.ts";
import type { PrimitiveCase } from "../../case/index.ts";
import { type CaseProfile, caseAt, edgesProfile, scalar20Profile } from "../../generate/index.ts";
import { algebraOf, type Counts, judged, sloppy } from "../erring.test.kit.ts";
import { type Standard, standardOf } from "../standard/standard.ts";

/** Draws graphs of scalars and of tensors in which most inputs are zeros of either sign, and ±1. */
const zerosOften = { numbers: [0, -0, 1, -1], few: 4, every: 1, areUniform: false };
const profiles: readonly CaseProfile[] = [
  { ...scalar20Profile, nodes: [2, 8], replacements: zerosOften },
  { ...edgesProfile, replacements: zerosOften },
  scalar20Profile,
  edgesProfile,
];

function standardWith(zeros: "signed" | "unsigned", dtype: "float64" | "float32" = "float64"): Standard {
  return standardOf({ conventions: { ...referenceConventions, zeros }, accuracy: {} }, dtype);
}

type Operations = OrderedReal<number, boolean>;

/** Floats that are right, but for what `wrong` has in an operation's place. */
function floats(standard: Standard, wrong: (right: Operations) => Partial<Operations> = () => ({})) {
  const right = sloppy(standard, new Random(xoroshiro128plus(1)), 0).levels.orderedReal;
  const operations = present(right, "the elementary functions");
  return algebraOf({ ...operations, ...wrong(operations) });
}

/** Returns an operation whose zeros are all +0, as those of numbers that have no −0 are. */
function signless<T extends readonly number[]>(f: (...operands: T) => number): (...operands: T) => number {
  return (...operands) => f(...operands) + 0;
}

/** An engine over such numbers: what it is given has no −0 either. `wrong` stands in an operation's place. */
function withoutMinusZero(
  standard: Standard,
  wrong: (right: Operations) => Partial<Operations> = () => ({}),
) {
  return floats(standard, (right) => {
    const { literal, negative, add, multiply, divide, floor, atan2, pow, sqrt } = {
      ...right,
      ...wrong(right),
    };
    return {
      literal: signless(literal),
      negative: signless(negative),
      add: signless(add),
      multiply: signless(multiply),
      divide: signless(divide),
      floor: signless(floor),
      atan2: signless(atan2),
      pow: signless(pow),
      sqrt: signless(sqrt),
    };
  });
}

/** Makes every computed zero among the values one of a sign drawn at random; +0 passed on stays. */
function withZerosOfEitherSign(): (question: PrimitiveCase, graph: Graph<number>) => Graph<number> {
  const random = new Random(xoroshiro128plus(3));
  const passing = ["constant", "stop_gradient", "where", "sqrt", "broadcast_to", "reshape", "permute_dims"];
  const moving = ["concat", "take", "slice", "pad", "take_along_axis", "gather"];
  const drawn = (x: number): number => (x === 0 && random.nextInt(0, 1) === 0 ? -0 : x + 0);
  return (question, graph) => ({
    ...graph,
    nodes: graph.nodes.map((node, index) => {
      const isPassed = [...passing, ...moving].includes(present(question.graph.nodes[index], "a node").op);
      return {
        ...node,
        forward: (context, environment) =>
          map(node.forward(context, environment), (x) => (isPassed && !Object.is(x, -0) ? x : drawn(x))),
      };
    }),
  });
}

/** Judges the first cases of the profile; tells of the cases with an answer outside. */
function counted(
  profile: CaseProfile,
  standard: Standard,
  [algebra, engine]: readonly [ReturnType<typeof floats>, ReturnType<typeof withZerosOfEitherSign>?],
  cases = 500,
): Counts {
  const total = { within: 0, outside: 0, undecided: 0 };
  for (let index = 0; index < cases; index++) {
    const counts = judged(caseAt(profile, 11, index), standard, algebra, engine);
    for (const kind of ["within", "outside", "undecided"] as const) total[kind] += counts[kind];
  }
  return total;
}

const ways = {
  "has no −0": (standard: Standard) => [withoutMinusZero(standard)] as const,
  "has computed zeros of either sign": (standard: Standard) =>
    [floats(standard), withZerosOfEitherSign()] as const,
};

describe.each(Object.entries(ways))("an engine that %s", (_, way) => {
  test.each(["float64", "float32"] as const)("is not outside if it declares so (%s)", (dtype) => {
    const standard = standardWith("unsigned", dtype);
    for (const profile of profiles) {
      const { within, outside, undecided } = counted(profile, standard, way(standard));
      expect([profile.name, outside]).toEqual([profile.name, 0]);
      expect(undecided).toBeLessThan(0.04 * within);
    }
  });

  test("is outside if it declares that its zeros have signs", () => {
    const standard = standardWith("signed");
    for (const profile of profiles)
      expect(counted(profile, standard, way(standard), 200).outside).toBeGreaterThan(0);
  });
});

describe("an engine that declares no signs of zeros", () => {
  test.each<[string, (right: Operations) => Partial<Operations>]>([
    ["the angle of zeros", ({ atan2 }) => ({ atan2: (y, x) => (y === 0 && x === 0 ? 1 : atan2(y, x)) })],
    ["the angle of 0 and −1", ({ atan2 }) => ({ atan2: (y, x) => (y === 0 && x < 0 ? 0 : atan2(y, x)) })],
    ["a quotient by 0", ({ divide }) => ({ divide: (x, y) => (y === 0 ? Number.MAX_VALUE : divide(x, y)) })],
    ["a power of 0", ({ pow }) => ({ pow: (x, y) => (x === 0 && y < 0 ? 0 : pow(x, y)) })],
    ["a product with 0", ({ multiply }) => ({ multiply: (x, y) => (y === 0 ? 5e-324 : multiply(x, y)) })],
  ])("is outside still where it is wrong in %s", (_, wrong) => {
    const standard = standardWith("unsigned");
    const engine = [withoutMinusZero(standard, wrong)] as const;
    expect(counted(present(profiles[0], "a profile"), standard, engine).outside).toBeGreaterThan(0);
  });
});
