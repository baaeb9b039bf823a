import { describe, expect, test } from "vitest";
import { sampled } from "../../../../spec/sampled.test.kit.ts";
import { apply, read, type ScalarFunction } from "../expression.ts";
import type { LoopProgram, MapInstruction } from "../program.ts";
import { specimen } from "../programs.test.kit.ts";
import { deadCode } from "../rewrites/dead_code.ts";
import type { Pass } from "../rewrites/rewritten.ts";
import { anyNumbers, isFoundOut, spoiling, trial } from "../rewrites/trial.test.kit.ts";
import { checkpointed } from "./checkpointed.ts";
import { layOut } from "./layout.ts";
import { recomputing, type Segments } from "./recomputing.ts";

const width = 8;
const bytesOf = (program: LoopProgram): number =>
  layOut(program, { reusesBuffers: true, isInPlace: true, alignment: 2 }).layout.length * width;

/** Does what {@link bytesOf} does, and writes down its answers. */
const recording =
  (answers: number[]) =>
  (program: LoopProgram): number => {
    const bytes = bytesOf(program);
    answers.push(bytes);
    return bytes;
  };

/** Makes a sweep of so many maps of 100 elements, and one back that reads each of their values. */
function sweeps(depth: number): LoopProgram {
  const whole = (value: number) => ({ value, offset: 0, strides: [1], indirections: [] });
  const forward = Array.from(
    { length: depth },
    (_, n): MapInstruction => ({
      kind: "map",
      shape: [100],
      reads: [whole(n)],
      expression: apply("tanh", read(0)),
    }),
  );
  const reverse = Array.from(
    { length: depth },
    (_, n): MapInstruction => ({
      kind: "map",
      shape: [100],
      reads: [whole(depth + n), whole(depth - n)],
      expression: apply("multiply", read(0), apply("subtract", read(1), read(0))),
    }),
  );
  const sources = [{ origin: { kind: "input", position: 0 } as const, shape: [100] }];
  return { sources, indexSources: [], instructions: [...forward, ...reverse], results: [2 * depth] };
}

describe("a program with a budget", () => {
  test.each(
    sampled("shares", [0.8, 0.5, 0.25, 0.15], 1),
  )("of %d of what it takes stays within it, whether told where the sweep ends or not", (share) => {
    const program = sweeps(256);
    const budgetBytes = share * bytesOf(program);
    for (const told of [{}, { forward: 256 }]) {
      const { program: cut, report } = checkpointed(program, { budgetBytes, precision: "float64", ...told });
      expect(report.fits).toBe(true);
      expect(report.storedBytes).toBe(bytesOf(program));
      expect(report.peakBytes).toBe(bytesOf(cut));
      expect(report.peakBytes).toBeLessThanOrEqual(budgetBytes);
      expect(report.recomputed).toBe(cut.instructions.length - program.instructions.length);
      // One level of segments computes everything at most once more.
      expect(report.recomputed).toBeLessThan(256);
    }
  });

  test("is met with the least work that was found, or else with the least memory, after some tens of trials", () => {
    const program = sweeps(256);
    const stored = bytesOf(program);
    const outcomeAt = (share: number): readonly number[] => {
      const tried: number[] = [];
      const { report } = checkpointed(program, {
        budgetBytes: share * stored,
        precision: "float64",
        bytesOf: recording(tried),
      });
      if (!report.fits) expect(report.peakBytes).toBe(Math.min(...tried));
      return [report.recomputed, report.peakBytes / 800, tried.length];
    };
    // A row has the instructions computed again, the maps alive and the trials. Each of some 258 maps that is
    // not kept is computed again at least once, so the second to fourth rows are the best possible.
    const outcomes = new Map([
      [0.8, [56, 200, 17]],
      [0.5, [130, 128, 24]],
      [0.37, [163, 93, 24]],
      [0.3, [183, 73, 28]],
      [0.1, [245, 25, 45]],
      [0.01, [2215, 4, 43]],
    ]);
    for (const [share, outcome] of sampled("outcomes", [...outcomes], 1))
      expect([share, outcomeAt(share)]).toEqual([share, outcome]);
  });

  test("that only nested segments meet computes some values several times", () => {
    const program = sweeps(256);
    const { report } = checkpointed(program, { budgetBytes: 0.08 * bytesOf(program), precision: "float64" });
    expect(report.fits).toBe(true);
    expect(report.recomputed).toBeGreaterThan(256);
  });

  test("that nothing meets takes the least, and says so", () => {
    const program = sweeps(64);
    const { program: cut, report } = checkpointed(program, { budgetBytes: width, precision: "float64" });
    expect(report.fits).toBe(false);
    expect(report.peakBytes).toBe(bytesOf(cut));
    expect(report.peakBytes).toBeLessThan(0.25 * report.storedBytes);
    for (let seed = 0; seed < 20; seed++) {
      const tried: number[] = [];
      const some = specimen(seed, { integers: false, instructions: 60 }).program;
      const made = checkpointed(some, {
        budgetBytes: 0,
        precision: "float64",
        bytesOf: recording(tried),
      });
      expect(made.report.peakBytes).toBe(Math.min(...tried));
    }
  });

  test("that is enough stays as it is", () => {
    const program = sweeps(16);
    const made = checkpointed(program, { budgetBytes: bytesOf(program), precision: "float64" });
    expect(made.program).toBe(program);
    expect(made.report).toEqual({
      storedBytes: bytesOf(program),
      peakBytes: bytesOf(program),
      recomputed: 0,
      fits: true,
    });
  });

  test("takes half as much in float32", () => {
    const program = sweeps(16);
    const { report } = checkpointed(program, { budgetBytes: 1e9, precision: "float32" });
    expect(2 * report.storedBytes).toBe(bytesOf(program));
  });
});

test("a copy is made no earlier than a late instruction needs it", () => {
  const of = (name: ScalarFunction, value: number): MapInstruction => ({
    kind: "map",
    shape: [4],
    reads: [{ value, offset: 0, strides: [1], indirections: [] }],
    expression: apply(name, read(0)),
  });
  const sources = [{ origin: { kind: "input", position: 0 } as const, shape: [4] }];
  const instructions = [of("exp", 0), of("sin", 0), of("tan", 1), of("cos", 2)];
  const program = { sources, indexSources: [], instructions, results: [3, 4] };
  const made = recomputing(program, { cut: 2, levels: [[0]], end: 2 });
  expect(made.program.instructions).toEqual([of("exp", 0), of("tan", 1), of("sin", 0), of("cos", 3)]);
});

/** Cuts programs anywhere into segments of any levels; `fired` counts instructions that are added. */
const cutting =
  (cut: number, levels: Segments["levels"]): Pass =>
  (some) => {
    const { program } = deadCode(some);
    const end = Math.floor(cut * program.instructions.length);
    const made = recomputing(program, { cut: end, levels, end });
    return { program: made.program, fired: Math.max(0, made.recomputed) };
  };

describe.each([0.4, 0.7])("recomputing from %d of a program on", (cut) => {
  test.each([
    [[[0]]],
    [[[0, 7, 9]]],
    [
      [
        [0, 6],
        [0, 3, 6, 8],
      ],
    ],
    [[[0], [0, 5], [0, 2, 5, 8]]],
  ])("in segments %j keeps every result of random programs bit for bit, and copies", (levels) => {
    const { fired, faults } = trial(cutting(cut, levels), anyNumbers, 80);
    expect(faults).toEqual([]);
    expect(fired).toBeGreaterThan(30);
  });

  test("is found out where copies read something else", () => {
    const pass = spoiling(cutting(cut, [[0]]), (read) => ({ ...read, value: Math.max(0, read.value - 1) }));
    expect(isFoundOut(pass, anyNumbers)).toBe(true);
  });
});
