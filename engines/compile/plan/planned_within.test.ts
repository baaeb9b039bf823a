import { describe, expect, test } from "vitest";
import { at } from "../../../spec/index.ts";
import { apply, read } from "./expression.ts";
import { overlapsOf } from "./memory/overlaps.test.kit.ts";
import { type Passes, type Planned, type PlanOptions, plan, planWithin, soundPasses } from "./planned.ts";
import type { LoopProgram, MapInstruction, Read } from "./program.ts";
import { differences, resultsOf, type Specimen, specimen } from "./programs.test.kit.ts";
import { withOperands } from "./rewrites/bodies.ts";

const exact: PlanOptions = { regime: "bit_exact", precision: "float64" };

const whole = (value: number): Read => ({ value, offset: 0, strides: [1], indirections: [] });

/** Makes a chain of maps of 20 elements, and one back for each, which reads its value. */
function chain(depth: number): Specimen {
  const forward = Array.from(
    { length: depth },
    (_, n): MapInstruction => ({
      kind: "map",
      shape: [20],
      reads: [whole(n)],
      expression: apply("sin", read(0)),
    }),
  );
  // The reads are reversed, so that no pass fuses the maps.
  const reverse = Array.from(
    { length: depth },
    (_, n): MapInstruction => ({
      kind: "map",
      shape: [20],
      reads: [{ ...whole(depth + n), offset: 19, strides: [-1] }, whole(depth - n)],
      expression: apply("multiply", read(0), apply("cos", read(1))),
    }),
  );
  const sources = [{ origin: { kind: "input", position: 0 } as const, shape: [20] }];
  return {
    program: { sources, indexSources: [], instructions: [...forward, ...reverse], results: [2 * depth] },
    sources: [Float64Array.from({ length: 20 }, (_, i) => i / 7 - 1)],
    indices: [],
  };
}

/** Says what a plan within a budget does wrong, if anything. */
function faultOf(one: Specimen, planned: Planned, budgetBytes: number): string | undefined {
  const { program, layout } = planned;
  if (8 * layout.length > budgetBytes) return `${8 * layout.length} bytes of ${budgetBytes}`;
  const [fault] = [
    ...overlapsOf(program, layout),
    ...differences(resultsOf(one, one.program), resultsOf(one, program)),
  ];
  return fault;
}

/** Yields programs whose sweeps keep much, and random ones. */
function specimens(): readonly Specimen[] {
  const random = Array.from({ length: 25 }, (_, seed) =>
    specimen(seed, { integers: false, instructions: 40 }),
  );
  return [chain(6), chain(24), chain(60), ...random];
}

describe("a plan within a budget", () => {
  test("takes no more, and has the bits of the plan without one; or says the least budget, within which there is one", () => {
    let [met, refused] = [0, 0];
    for (const [place, one] of specimens().entries()) {
      const stored = plan(one.program, exact).report.arenaBytes;
      for (const share of [1, 0.6, 0.3, 0.1]) {
        const budgetBytes = Math.floor(share * stored);
        const planned = planWithin(one.program, { ...exact, budgetBytes });
        if (planned.ok) {
          met += 1;
          expect([place, share, faultOf(one, planned.value, budgetBytes)]).toEqual([place, share, undefined]);
          continue;
        }
        refused += 1;
        expect(planned.error.code).toBe("plan/budget");
        const least = Number(/take (\d+) bytes/.exec(planned.error.message)?.[1]);
        expect(least).toBeGreaterThan(budgetBytes);
        const again = planWithin(one.program, { ...exact, budgetBytes: least });
        if (!again.ok) return expect.unreachable(again.error.message);
        expect([place, faultOf(one, again.value, least)]).toEqual([place, undefined]);
      }
    }
    expect(met).toBeGreaterThan(30);
    expect(refused).toBeGreaterThan(20);
  });

  test("is not believed to be met: a pass that leaves the program as it is and says that it fits is refused", () => {
    const { program } = chain(24);
    const checkpointing: Passes["checkpointing"] = (some, { budgetBytes }) => ({
      program: some,
      report: { storedBytes: budgetBytes, peakBytes: budgetBytes, recomputed: 0, fits: true },
    });
    const budgetBytes = plan(program, exact).report.arenaBytes / 2;
    const planned = planWithin(program, {
      ...exact,
      budgetBytes,
      passes: { ...soundPasses, checkpointing },
    });
    expect(planned.ok ? "met" : planned.error.code).toBe("plan/budget");
  });

  test("is told from one by which any value is computed again from the snapshot before", () => {
    const one = chain(24);
    const budgetBytes = plan(one.program, exact).report.arenaBytes / 3;
    const planned = planWithin(one.program, { ...exact, budgetBytes });
    if (!planned.ok) return expect.unreachable(planned.error.message);
    const { program } = planned.value;
    const again = copiesOf(program);
    expect(again.length).toBeGreaterThan(10);
    for (const n of again) {
      const instructions = program.instructions.with(
        n,
        withOperands(at(program.instructions, n), (value) => (value === 0 ? 1 : value - 1)),
      );
      const wrong = { ...planned.value, program: { ...program, instructions } };
      expect([n, faultOf(one, wrong, budgetBytes) === undefined]).toEqual([n, false]);
    }
  });

  test("is told from one with a layout that is larger than the budget", () => {
    const one = chain(24);
    const planned = plan(one.program, exact);
    expect(faultOf(one, planned, planned.report.arenaBytes - 1)).toMatch(/bytes of/);
  });

  test("does less work on a chain than segments of equal lengths do", () => {
    // The plan adds fewer than the 91 instructions that segments need; 16 maps of 60 fit.
    const { program } = chain(60);
    const planned = planWithin(program, { ...exact, budgetBytes: 16 * 160 });
    expect(planned.ok && planned.value.report.checkpointing?.recomputed).toBeLessThan(91);
  });
});

/** Returns the sines that compute again what an earlier one has computed: those after the chain's own. */
function copiesOf(program: LoopProgram): readonly number[] {
  const sines = program.instructions.flatMap((instruction, n) =>
    instruction.kind === "map" && instruction.reads.length === 1 ? [n] : [],
  );
  return sines.slice(24);
}
