import { describe, expect, test } from "vitest";
import { differences, type Kind, resultsOf, specimen } from "../programs.test.kit.ts";
import { commonSubexpressions } from "./common_subexpressions.ts";
import { deadCode } from "./dead_code.ts";
import { foldFusion } from "./fold_fusion.ts";
import { mapFusion } from "./map_fusion.ts";
import type { Pass } from "./rewritten.ts";
import { units } from "./units.ts";
import { viewComposition } from "./view_composition.ts";

const kinds: readonly Kind[] = [4, 12, 40].map((instructions) => ({ integers: false, instructions }));

/** How often a pass fires on random programs, and where it changes a result. */
function trial(pass: Pass, seeds: number): { readonly fired: number; readonly faults: readonly string[] } {
  const faults: string[] = [];
  let fired = 0;
  for (let seed = 0; seed < seeds; seed++)
    for (const kind of kinds) {
      const one = specimen(seed, kind);
      const after = pass(one.program);
      fired += after.fired;
      const wrong = differences(resultsOf(one, one.program), resultsOf(one, after.program));
      if (wrong[0] !== undefined) faults.push(`seed ${seed}, ${kind.instructions} instructions: ${wrong[0]}`);
    }
  return { fired, faults };
}

const passes: Readonly<Record<string, Pass>> = {
  deadCode,
  commonSubexpressions,
  viewComposition,
  mapFusion,
  foldFusion,
  units,
};

describe.each(Object.entries(passes))("%s", (_, pass) => {
  test("keeps every result of random programs bit for bit, and fires", () => {
    const { fired, faults } = trial(pass, 200);
    expect(faults).toEqual([]);
    expect(fired).toBeGreaterThan(100);
  });
});
