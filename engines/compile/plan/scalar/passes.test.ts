import { describe, expect, test } from "vitest";
import { byteAt, InvariantError, integerAt } from "../../../../spec/index.ts";
import { sampled } from "../../../../spec/sampled.test.kit.ts";
import { javascriptScalars } from "../../javascript/scalar/index.ts";
import { type Comparison, firstDifference, integers, sums } from "./agreement.test.kit.ts";
import { receiversOf } from "./operators.ts";
import { type ScalarPasses, scalarPasses } from "./plan.ts";
import { reverseRunsOf, SUMS } from "./runs.ts";
import { tableFrom } from "./tables.test.kit.ts";

const sound = scalarPasses;

/** Planted faults by name: the planner with one pass exchanged, and the regime that must notice. */
const faults: Readonly<
  Record<string, { regime: Comparison["regime"]; takesRuns: boolean; passes: Partial<ScalarPasses> }>
> = {
  "a node whose second operand is its deepest is put on the level of that operand": {
    regime: "bit_exact",
    takesRuns: true,
    passes: {
      levelsOf(table) {
        const levels = sound.levelsOf(table);
        const of = levels.of.map((level, id) =>
          integerAt(levels.of, integerAt(table.y, id)) === level - 1 ? level - 1 : level,
        );
        return { of, count: levels.count };
      },
    },
  },
  "the last node of all is left out of the order": {
    regime: "bit_exact",
    takesRuns: true,
    passes: {
      sortedByLevel: (...given) => {
        const { slotOf, slots, runs } = sound.sortedByLevel(...given);
        return { slotOf: slotOf.map((slot) => (slot === slots - 1 ? -1 : slot)), slots: slots - 1, runs };
      },
    },
  },
  "levels are sorted from the top": {
    regime: "bit_exact",
    takesRuns: true,
    passes: {
      sortedByLevel: (levels, ...given) =>
        sound.sortedByLevel({ ...levels, of: levels.of.map((level) => levels.count - 1 - level) }, ...given),
    },
  },
  "a choice does not need its condition": {
    regime: "bit_exact",
    takesRuns: false,
    passes: {
      needsOf: (table, output) =>
        sound.needsOf(
          { ...table, x: table.x.map((x, id) => (table.z[id] ? integerAt(table.y, id) : x)) },
          output,
        ),
    },
  },
  "second operands receive nothing": {
    regime: "bit_exact",
    takesRuns: true,
    passes: {
      needsOf(table, output) {
        const needs = sound.needsOf(table, output);
        return { ...needs, receives: needs.receives.map((mask) => mask & ~2) };
      },
    },
  },
  "every input counts as reached": {
    regime: "bit_exact",
    takesRuns: true,
    passes: {
      needsOf: (table, output) => ({
        ...sound.needsOf(table, output),
        isReached: new Uint8Array(table.codes.length).fill(1),
      }),
    },
  },
  "a node that names an operand twice contributes twice": {
    regime: "bit_exact",
    takesRuns: false,
    passes: {
      variantsOf(table, needs) {
        const { list, of } = sound.variantsOf(table, needs);
        return { list: list.map((variant) => ({ ...variant, isFolded: false })), of };
      },
    },
  },
  "contributions are added earliest node first": {
    regime: "bit_exact",
    takesRuns: true,
    passes: {
      stagingOf: (operands, variantOf, variants, slotOf) =>
        sound.stagingOf(operands, variantOf, variants, slotOf.toReversed()),
    },
  },
  "nothing is staged": {
    regime: "bit_exact",
    takesRuns: true,
    passes: {
      stagingOf: ({ x, y, z }) => ({ extra: 0, xBar: x, yBar: y, zBar: z, sums: new Int32Array(0) }),
    },
  },
  "all literals are equal": {
    regime: "fast",
    takesRuns: true,
    passes: {
      merged(table) {
        const { table: lean, first } = sound.merged({ ...table, literals: table.literals.map(() => 0) });
        return { table: { ...lean, literals: table.literals }, first };
      },
    },
  },
  "nodes are equal whose first operands are": {
    regime: "fast",
    takesRuns: true,
    passes: {
      merged(table) {
        const { first } = sound.merged({ ...table, y: table.y.map(() => 0), z: table.z.map(() => 0) });
        const through = (ids: Int32Array): Int32Array => ids.map((id) => integerAt(first, id));
        const isLeaf = (id: number): boolean => byteAt(table.codes, id) < 3;
        const x = table.x.map((id, n) => (isLeaf(n) ? id : integerAt(first, id)));
        return { table: { ...table, x, y: through(table.y), z: through(table.z) }, first };
      },
    },
  },
};

function comparison(regime: Comparison["regime"], takesRuns: boolean, passes: ScalarPasses): Comparison {
  const recipe = regime === "fast" ? integers : sums;
  return { backend: javascriptScalars, precision: "float64", regime, recipe, takesRuns, passes };
}

/** Returns the first difference, or the message of a read outside the plan. */
function firstTrouble(faulty: Comparison): string | undefined {
  try {
    return firstDifference(faulty, 40);
  } catch (problem) {
    if (problem instanceof InvariantError) return problem.message;
    throw problem;
  }
}

describe("a planner with a planted fault disagrees with the interpreter:", () => {
  test.each(sampled("scalar faults", Object.entries(faults), 4))("%s", (_, { regime, takesRuns, passes }) => {
    expect(firstTrouble(comparison(regime, takesRuns, { ...sound, ...passes }))).toBeTypeOf("string");
    expect(firstDifference(comparison(regime, takesRuns, sound), 40)).toBeUndefined();
  });
});

// Among the ids from 3 on, 9 is wanted: 4 and 10 are dead, and 6 is read where no cotangent returns.
const table = tableFrom(3, [
  ["literal", 2],
  ["less", 0, 0],
  ["multiply", 1, 3],
  ["where", 5, 3, 2],
  ["less", 6, 5],
  ["where", 7, 5, 5],
  ["sin", 8],
  ["less", 0, 0],
]);

test("only what the output reads is live, and only what is handed a cotangent is reached", () => {
  const { isLive, isReached, receives } = sound.needsOf(table, 9);
  expect([...isLive]).toEqual([0, 1, 1, 1, 0, 1, 1, 1, 1, 1, 0]);
  expect([...isReached]).toEqual([0, 1, 0, 0, 0, 1, 0, 0, 1, 1, 0]);
  expect([...receives]).toEqual([0, 0, 0, 0, 0, 1, 0, 0, 6, 1, 0]);
});

test("levels are counted up to the deepest node, which need not be the last; a leaf is on the first", () => {
  const { of, count } = sound.levelsOf(table);
  expect([...of]).toEqual([0, 0, 0, 0, 1, 1, 2, 3, 4, 5, 1]);
  expect(count).toBe(6);
});

test("a choice between a node and itself contributes once", () => {
  const { list, of } = sound.variantsOf(table, sound.needsOf(table, 9));
  expect(list[byteAt(of, 8)]).toEqual({ name: "where", receives: 6, isFolded: true });
});

test("no operator's first and third operand both receive", () => {
  expect([...receiversOf()].filter((mask) => (mask & 5) === 5)).toEqual([]);
});

describe("sorting by level", () => {
  const variants = Uint8Array.of(0, 1, 2, 1, 2, 1, 1, 2, 0);
  const levels = { of: Int32Array.of(0, 1, 1, 1, 2, 1, 2, 2, 0), count: 3 };
  const isLive = Uint8Array.of(0, 1, 1, 1, 1, 1, 1, 0, 1);

  test("is by level, then variant, then id; inputs first, the dead left out, leaves in no run", () => {
    const kind = { name: "add", receives: 3, isFolded: false } as const;
    const list = [{ ...kind, name: undefined }, kind, kind];
    const { slotOf, slots, runs } = sound.sortedByLevel(levels, { list, of: variants }, isLive, 1);
    expect([...slotOf]).toEqual([0, 2, 5, 3, 7, 4, 6, -1, 1]);
    expect(slots).toBe(8);
    expect([...runs]).toEqual([1, 2, 5, 2, 5, 6, 1, 6, 7, 2, 7, 8]);
  });
});

test("three contributions to a slot are staged by falling id, two are not, and what receives nothing makes no run", () => {
  const list = [
    { name: undefined, receives: 0, isFolded: false },
    { name: "sin", receives: 1, isFolded: false },
    { name: "multiply", receives: 2, isFolded: false },
    { name: "where", receives: 6, isFolded: false },
    { name: "multiply", receives: 3, isFolded: true },
    { name: "less", receives: 0, isFolded: false },
  ] as const;
  const operands = {
    x: Int32Array.of(0, 0, 0, 1, 3, 1, 0),
    y: Int32Array.of(0, 0, 0, 0, 1, 1, 1),
    z: new Int32Array(7),
  };
  const variants = { list, of: Uint8Array.of(0, 0, 1, 2, 3, 4, 5) };
  const slotOf = Int32Array.of(0, 1, 3, -1, 2, 4, 5, 6);
  const staging = sound.stagingOf(operands, variants.of, variants, slotOf);
  expect(staging).toEqual({
    extra: 3,
    xBar: Int32Array.of(0, 0, 8, 1, 3, 1, 0),
    yBar: Int32Array.of(0, 0, 0, 9, 1, 1, 1),
    zBar: Int32Array.of(0, 0, 0, 0, 7, 0, 0),
    sums: Int32Array.of(0, 7, 10),
  });
  const runs = Int32Array.from([1, 2, 3, 4, 5].flatMap((variant) => [variant, variant + 1, variant + 2]));
  const reverse = [4, 5, 6, 3, 4, 5, 2, 3, 4, 1, 2, 3, SUMS, 0, 1];
  expect([...reverseRunsOf(runs, staging, variants)]).toEqual(reverse);
});
