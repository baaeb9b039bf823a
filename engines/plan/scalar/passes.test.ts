import { describe, expect, test } from "vitest";
import { byteAt, InvariantError, integerAt } from "../../../spec/browser.ts";
import { javascriptScalars } from "../../javascript/scalar/index.ts";
import { type Comparison, firstDifference, integers, sums } from "./agreement.test.kit.ts";
import { type ScalarPasses, scalarPasses } from "./plan.ts";

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

/** The first difference, or what a read says that a plan sends nowhere. */
function firstTrouble(faulty: Comparison): string | undefined {
  try {
    return firstDifference(faulty, 40);
  } catch (problem) {
    if (problem instanceof InvariantError) return problem.message;
    throw problem;
  }
}

describe("a planner with a planted fault disagrees with the interpreter:", () => {
  test.each(Object.entries(faults))("%s", (_, { regime, takesRuns, passes }) => {
    expect(firstTrouble(comparison(regime, takesRuns, { ...sound, ...passes }))).toBeTypeOf("string");
    expect(firstDifference(comparison(regime, takesRuns, sound), 40)).toBeUndefined();
  });
});

describe("sorting by level", () => {
  const variants = Uint8Array.of(0, 1, 2, 1, 2, 1, 1, 2);
  const levels = { of: Int32Array.of(0, 1, 1, 1, 2, 1, 2, 2), count: 3 };
  const isLive = Uint8Array.of(0, 1, 1, 1, 1, 1, 1, 0);

  test("is by level, then variant, then id; inputs first, the dead left out", () => {
    const kind = { name: "add", receives: 3, isFolded: false } as const;
    const list = [{ ...kind, name: undefined }, kind, kind];
    const { slotOf, slots, runs } = sound.sortedByLevel(levels, { list, of: variants }, isLive, 1);
    expect([...slotOf]).toEqual([0, 1, 4, 2, 6, 3, 5, -1]);
    expect(slots).toBe(7);
    expect([...runs]).toEqual([1, 1, 4, 2, 4, 5, 1, 5, 6, 2, 6, 7]);
  });
});
