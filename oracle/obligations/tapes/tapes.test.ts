import { afterAll, describe, expect, test } from "vitest";
import { sampled } from "../../../spec/sampled.test.kit.ts";
import { faultsOfForm } from "../form.ts";
import { askedOf, prove } from "../prove.ts";
import { z3 } from "../solve/index.ts";
import { tapeSystemObligations } from "./index.ts";
import { type Faults, isSwept, type Part, sweep } from "./schedules.ts";

const solver = z3();
afterAll(() => solver[Symbol.asyncDispose]());

describe("what is said of tape systems is proved, and every fault shows when it is run", () => {
  test.each(sampled("tape systems", tapeSystemObligations(), 2))("$id", async (obligation) => {
    expect(faultsOfForm(obligation)).toEqual([]);
    const record = await prove(obligation, solver);
    expect(record.faults).toEqual([]);
    for (const { reply } of askedOf(record)) expect((reply.spent ?? 0) * 3).toBeLessThan(obligation.rlimit);
  });
});

/** Lists all parts of at most seven steps, with at most two waiting, any cut, and a free slot or more. */
const parts: readonly Part[] = [0, 1, 2].flatMap((slot) =>
  [0, 1, 2].flatMap((gap) =>
    [2, 3, 4, 5, 6, 7].flatMap((length) =>
      [1, 2, 3].flatMap((free) =>
        Array.from({ length: length - 1 }, (_, before) => {
          const from = slot === 0 ? 0 : slot + gap;
          return { from, to: from + length, slot, slots: slot + 1 + free, cut: before + 1 };
        }),
      ),
    ),
  ),
);

describe("the chain that the obligations' mutants are run on", () => {
  test("is swept wherever it is cut, the last step first, each at its own state", () => {
    expect(parts.length).toBeGreaterThan(500);
    expect(parts.filter((part) => !isSwept(sweep(part)))).toEqual([]);
  });

  test.each<readonly [string, Faults]>([
    ["puts states over a part's own beginning", { into: (slot) => slot - 1 }],
    ["restores from the slot above", { restored: (slot) => slot + 1 }],
    ["ends the left part a step too early", { leftEnd: (between) => between - 1 }],
    ["puts states into a slot that there is not", { into: (slot) => slot + 9 }],
    ["never goes forward", { cut: () => 0 }],
    ["goes to the end", { cut: (length) => length }],
  ])("is not swept by one that %s", (_, faults) => {
    expect(parts.filter((part) => isSwept(sweep(part, faults)))).toEqual([]);
  });
});
