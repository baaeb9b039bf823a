import { afterAll, describe, expect, test } from "vitest";
import { faultsOfCollection } from "./collection.ts";
import { loadedAll, made, madeAll } from "./made.ts";
import type { Obligation } from "./obligation.ts";
import { dead, largerIsAbove, lent, stepStays, wrongGoal } from "./obligations.test.kit.ts";
import { type Entry, type RunOrders, runObligations } from "./run.ts";
import { showTotals } from "./show.ts";
import type { Solver } from "./solve/solver.ts";
import { z3 } from "./solve/z3.ts";

const solver = z3();
afterAll(() => solver[Symbol.asyncDispose]());

function run(obligations: readonly Obligation[], more: Partial<RunOrders> = {}): Promise<readonly Entry[]> {
  return runObligations({
    obligations,
    makeSolver: () => lent(solver),
    lanes: 1,
    seeds: 1,
    timeout: undefined,
    second: undefined,
    isAll: true,
    onEntry: () => {},
    ...more,
  });
}

/** Makes a second solver that agrees, says the opposite, or says nothing. */
function second(say: "agree" | "contradict" | "nothing"): Solver {
  return {
    name: "second",
    ask: async ({ script }) => {
      const isUnsat = (script.expected === "unsat") === (say === "agree");
      const decided = isUnsat
        ? ({ kind: "proved", core: [] } as const)
        : ({ kind: "refuted", model: new Map() } as const);
      return {
        answer: say === "nothing" ? { kind: "timeout" } : decided,
        milliseconds: 0,
        spent: undefined,
      };
    },
    [Symbol.asyncDispose]: async () => {},
  };
}

function codesOf({ faults }: Entry): readonly string[] {
  return faults.map(({ code }) => code);
}

describe("a run", () => {
  test("stops in a family at its first failing obligation, and goes on in others", async () => {
    const other: Obligation = { ...largerIsAbove, id: "other/larger" };
    const entries = await run([stepStays, wrongGoal, largerIsAbove, other], { isAll: false });
    expect(entries.map(({ obligation }) => obligation.id)).toEqual([
      "kit/step",
      wrongGoal.id,
      "other/larger",
    ]);
  });

  test("fails an obligation whose code threw, with its id, and asks no solver", async () => {
    const thrown = made("kit/thrown", () => {
      throw new RangeError("no element 3");
    });
    const [several] = madeAll("kit/several", () => {
      throw new RangeError("no value 2");
    });
    expect(several?.id).toBe("kit/several");
    const unasked: Solver = {
      name: "nobody",
      ask: () => Promise.reject(new Error("it was asked")),
      [Symbol.asyncDispose]: async () => {},
    };
    const [entry] = await run([thrown], { makeSolver: () => unasked, second: unasked });
    expect(entry?.obligation.id).toBe("kit/thrown");
    expect(entry?.faults).toEqual([
      { code: "crash", message: "the code that it is about threw: RangeError: no element 3" },
    ]);
  });

  test("fails a family whose code throws while it is loaded, with its id", async () => {
    const [unloaded, ...others] = await loadedAll("kit/made", async () => {
      throw new RangeError("no table");
    });
    expect(others).toEqual([]);
    expect([unloaded?.id, unloaded?.crash]).toEqual(["kit/made", "RangeError: no table"]);
    expect(await loadedAll("kit/made", async () => () => [stepStays])).toEqual([stepStays]);
  });

  test("has an entry for each obligation, in their order, however many lanes", async () => {
    const heard: string[] = [];
    const entries = await run([stepStays, dead, largerIsAbove], {
      lanes: 2,
      onEntry: ({ obligation }) => heard.push(obligation.id),
    });
    expect(entries.map(({ obligation }) => obligation.id)).toEqual(["kit/step", "kit/dead", "kit/larger"]);
    expect(entries.map(codesOf)).toEqual([[], ["core/dead"], []]);
    expect(heard.toSorted()).toEqual(["kit/dead", "kit/larger", "kit/step"]);
    expect(showTotals(entries, 0)).toContain("3 obligations: 2 proved, 1 not.");
  });

  test("fails what rests on what fails, however far away", async () => {
    const wrong = { ...wrongGoal, id: "kit/larger" };
    const far = { ...largerIsAbove, id: "kit/far", dependsOn: ["kit/step"] };
    const entries = await run([far, stepStays, wrong]);
    expect(entries.map(codesOf)).toEqual([["depends"], ["depends"], ["goal"]]);
  });

  test("notices a seed that changes an answer", async () => {
    const fickle = (): Solver => ({
      ...lent(solver),
      ask: (query) =>
        query.seed === 3
          ? Promise.resolve({ answer: { kind: "timeout" }, milliseconds: 0, spent: undefined })
          : solver.ask(query),
    });
    expect((await run([largerIsAbove], { seeds: 3, makeSolver: fickle })).map(codesOf)).toEqual([[]]);
    const entries = await run([largerIsAbove], { seeds: 4, makeSolver: fickle });
    expect(showTotals(entries, 0)).toMatch(
      /^4 seeds: 0 obligations with the same answers, 1 without; no question spent more than 1 % of its budget \(kit\/larger/m,
    );
    expect(entries.map(codesOf)).toEqual([["seed"]]);
    expect(entries[0]?.faults[0]?.message).toMatch(
      /^seed 0 and seed 3 differ: kit\/larger \(proved after \d+ steps; timeout after \? steps\); kit\/larger\.mutant/,
    );
  });

  test("fails if a second solver disagrees, and not if it has no answer", async () => {
    const outcomes = async (solver: Solver): Promise<unknown> =>
      (await run([largerIsAbove], { second: solver })).map((entry) => [
        codesOf(entry),
        entry.replays.map(({ outcome }) => outcome),
      ]);
    const [silent] = await run([largerIsAbove], { second: second("nothing") });
    expect(silent === undefined ? "" : showTotals([silent], 0)).toContain(
      "2 scripts replayed: 0 agree, 0 disagree, 2 without an answer: kit/larger 1, kit/larger.mutant.smaller 1. 1 more assert nothing, which is no agreement.",
    );
    const [contradicted] = await run([largerIsAbove], { second: second("contradict") });
    expect(contradicted === undefined ? "" : showTotals([contradicted], 0)).toContain(
      "3 scripts replayed: 0 agree, 3 disagree, 0 without an answer. 0 more",
    );
    expect(await outcomes(second("agree"))).toEqual([[[], ["agrees", "agrees", "agrees"]]]);
    expect(await outcomes(second("nothing"))).toEqual([[[], ["no answer", "no answer", "no answer"]]]);
    expect(await outcomes(second("contradict"))).toEqual([
      [
        ["second", "second", "second"],
        ["disagrees", "disagrees", "disagrees"],
      ],
    ]);
  });
});

describe("a collection of obligations", () => {
  test("is refused for ids that two have, for what is not there, and for circles", () => {
    expect(faultsOfCollection([largerIsAbove, stepStays])).toEqual([]);
    expect(faultsOfCollection([largerIsAbove, largerIsAbove])).toContain(
      "two obligations are called kit/larger",
    );
    expect(faultsOfCollection([stepStays])).toEqual(["kit/step rests on kit/larger, which is not there"]);
    expect(faultsOfCollection([stepStays], false)).toHaveLength(1);
    const elsewhere = { ...stepStays, dependsOn: ["other/larger"] };
    expect([faultsOfCollection([elsewhere]).length, faultsOfCollection([elsewhere], false)]).toEqual([1, []]);
    expect(faultsOfCollection([{ ...largerIsAbove, dependsOn: ["kit/step"] }, stepStays])).toEqual([
      "kit/larger rests on itself, directly or through others",
      "kit/step rests on itself, directly or through others",
    ]);
  });
});
