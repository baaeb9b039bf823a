import { afterAll, describe, expect, test } from "vitest";
import { sampled } from "../../../spec/sampled.test.kit.ts";
import { Program } from "../execution/index.ts";
import { faultsOfForm } from "../form.ts";
import { prove } from "../prove.ts";
import { z3 } from "../solve/index.ts";
import { laws } from "./index.ts";
import { type Law, obligationsOfLaws, runOn } from "./law.ts";

const solver = z3();
afterAll(() => solver[Symbol.asyncDispose]());

const all = laws();
const quick = all.filter(({ tier }) => tier === "everyday");

/** Draws numbers between the ends of each unknown, the ends first, by a generator of remainders. */
function drawn({ variables }: Law, count: number): readonly (readonly bigint[])[] {
  let state = 12_345n;
  const next = (low: bigint, high: bigint): bigint => {
    state = (state * 6_364_136_223_846_793_005n + 1_442_695_040_888_963_407n) % (1n << 64n);
    return low + ((state * (high - low + 1n)) >> 64n);
  };
  return [
    variables.map(({ low }) => low),
    variables.map(({ high }) => high),
    ...Array.from({ length: count }, () => variables.map(({ low, high }) => next(low, high))),
  ];
}

describe("the laws of posits, quires, codes and formats", () => {
  test("are of different ids and of good form, each with a planted fault", () => {
    const some = obligationsOfLaws(sampled("forms of laws", quick, 12));
    expect(some.flatMap((one) => [...faultsOfForm(one), ...(one.crash ?? [])])).toEqual([]);
    expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
    expect(all.filter(({ planted }) => planted.length === 0)).toEqual([]);
  });

  test("hold of drawn numbers, of which the code as it is read makes what the project's functions make", () => {
    for (const law of all) {
      const program = Program.of(law.modules);
      for (const numbers of drawn(law, 6)) {
        const made = runOn(law, program, numbers);
        const at = (list: readonly bigint[]) => (place?: number) => list[place ?? 0] ?? -1n;
        const real = law.real?.(at(numbers)) ?? made;
        const told = `${law.id} of ${numbers.join(", ")}`;
        expect([told, ...made]).toEqual([told, ...real]);
        const isQuiet = law.hypotheses !== undefined || law.holds(at(numbers), at(made));
        expect([told, isQuiet]).toEqual([told, true]);
      }
    }
  });

  test.each(
    sampled("laws", obligationsOfLaws(sampled("laws", quick, 2)), 2),
  )("$id is proved, and its planted faults are refuted and run", async (one) => {
    const { faults } = await prove(one, solver);
    expect(faults).toEqual([]);
  });

  test("fail with their ids where the code has a fault, or cannot be run", async () => {
    const [law] = all.filter(({ id }) => id === "quires/enter_20_8");
    if (law === undefined) throw new Error("no law");
    const [unread] = obligationsOfLaws([
      { ...law, runs: [(machine) => [machine.call("reference/numerics/quire", "noFunction", [])]] },
    ]);
    expect(unread?.crash).toMatch(/noFunction/);
    const [moved] = obligationsOfLaws([
      { ...law, planted: law.planted.slice(0, 1).map((plant) => ({ ...plant, from: "floor % 3n" })) },
    ]);
    if (moved === undefined) throw new Error("no obligation");
    const record = await prove(moved, solver);
    expect(record.faults.map(({ code, message }) => `${code}: ${message}`)).toEqual([
      expect.stringMatching(/^mutant\/answer: .* in 0 places/),
    ]);
  });
});
