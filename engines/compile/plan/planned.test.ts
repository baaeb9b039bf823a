import { describe, expect, test } from "vitest";
import type { Precision } from "./executable.ts";
import { apply, read } from "./expression.ts";
import { overlapsOf } from "./memory/overlaps.test.kit.ts";
import { type PlanOptions, plan, soundPasses } from "./planned.ts";
import type { LoopProgram, MapInstruction, Read } from "./program.ts";
import { specimen } from "./programs.test.kit.ts";
import { allows, type RewriteName, rewrites } from "./rewrite.ts";
import { anyNumbers, integers, isFoundOut, trial } from "./rewrites/trial.test.kit.ts";

const exact: PlanOptions = { regime: "bit_exact", precision: "float64" };
const fast: PlanOptions = { regime: "fast", precision: "float64" };
const planning = (options: PlanOptions) => (program: Parameters<typeof plan>[0]) => {
  const planned = plan(program, options);
  const fired = Object.values(planned.report.fired).reduce((sum, times) => sum + times, 0);
  return { program: planned.program, fired };
};

describe("a plan", () => {
  test("in the bit-exact regime keeps the results of random programs bit for bit", () => {
    expect(trial(planning(exact), anyNumbers).faults).toEqual([]);
  });

  test("in the fast regime keeps them where sums have no order", () => {
    expect(trial(planning(fast), integers).faults).toEqual([]);
  });

  test("within a budget keeps them bit for bit", () => {
    expect(trial(planning({ ...exact, budgetBytes: 200 }), anyNumbers, 60).faults).toEqual([]);
  });

  test("that fuses a sweep into one loop does not if a budget has no room for what the loop reads", () => {
    const program = cosines(16);
    const usual = plan(program, fast);
    const planned = plan(program, { ...fast, budgetBytes: usual.report.arenaBytes / 2 });
    expect(usual.report.instructions.after).toBeLessThan(20);
    expect(planned.report.checkpointing?.fits).toBe(true);
    expect(planned.report.arenaBytes).toBeLessThanOrEqual(usual.report.arenaBytes / 2);
    expect(planned.report.arenaBytes).toBe(planned.report.checkpointing?.peakBytes);
  });

  test("that takes +0 for the unit of sums is found out", () => {
    const passes = { ...soundPasses, units: soundPasses.zeros };
    expect(isFoundOut(planning({ ...exact, passes }), anyNumbers)).toBe(true);
  });

  test("uses no rewrite that its regime forbids or that is switched off, and each of the others somewhere", () => {
    const without = new Set<RewriteName>(["common_subexpressions", "in_place"]);
    const used = (options: PlanOptions): ReadonlySet<string> => {
      const names = new Set<string>();
      for (let seed = 0; seed < 80; seed++)
        for (const name of Object.keys(
          plan(specimen(seed, { integers: true, instructions: 40 }).program, options).report.fired,
        ))
          names.add(name);
      return names;
    };
    const all = [...used({ ...fast, budgetBytes: 300 })];
    expect(all.toSorted()).toEqual(
      [
        "accumulation_in_place",
        "buffer_reuse",
        "checkpointing",
        "common_subexpressions",
        "dead_code",
        "fold_fusion",
        "in_place",
        "map_fusion",
        "units",
        "view_composition",
        "zeros",
      ].toSorted(),
    );
    const some = used({ ...exact, without });
    expect([...some].filter((name) => [...without].some((other) => other === name))).toEqual([]);
    const forbidden = Object.keys(rewrites).filter((name) => all.includes(name) && !some.has(name));
    expect(forbidden.toSorted()).toEqual([
      "accumulation_in_place",
      "checkpointing",
      "common_subexpressions",
      "in_place",
      "zeros",
    ]);
    expect(allows("bit_exact", "zeros")).toBe(false);
  });

  test.each<Precision>([
    "float64",
    "float32",
  ])("lays out %s on multiples of 16 bytes, and no value over another", (precision) => {
    const width = precision === "float64" ? 8 : 4;
    for (let seed = 0; seed < 60; seed++) {
      const { program } = specimen(seed, { integers: false, instructions: 40 });
      const planned = plan(program, { regime: "fast", precision });
      expect(overlapsOf(planned.program, planned.layout, 16 / width)).toEqual([]);
      expect(planned.report.arenaBytes).toBe(planned.layout.length * width);
      expect(planned.report.instructions).toEqual({
        before: program.instructions.length,
        after: planned.program.instructions.length,
      });
    }
  });

  test("of a plan changes nothing more", () => {
    for (let seed = 0; seed < 60; seed++) {
      const { program } = plan(specimen(seed, { integers: false, instructions: 30 }).program, fast);
      expect(plan(program, fast).program).toEqual(program);
    }
  });
});

/** Makes the gradient of a chain of sines of four numbers: the product of all their cosines. */
function cosines(depth: number): LoopProgram {
  const whole = (value: number): Read => ({ value, offset: 0, strides: [1], indirections: [] });
  const forward = Array.from(
    { length: depth },
    (_, n): MapInstruction => ({
      kind: "map",
      shape: [4],
      reads: [whole(n)],
      expression: apply("sin", read(0)),
    }),
  );
  const reverse = Array.from(
    { length: depth },
    (_, n): MapInstruction => ({
      kind: "map",
      shape: [4],
      reads: [whole(depth + n), whole(depth - n)],
      expression: apply("multiply", read(0), apply("cos", read(1))),
    }),
  );
  const sources = [{ origin: { kind: "input", position: 0 } as const, shape: [4] }];
  return { sources, indexSources: [], instructions: [...forward, ...reverse], results: [2 * depth] };
}
