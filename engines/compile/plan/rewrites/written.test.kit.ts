import { expect } from "vitest";
import { sizeOf } from "../../../../spec/index.ts";
import type { Expression } from "../expression.ts";
import type {
  FoldInstruction,
  Indirection,
  Instruction,
  LoopProgram,
  MapInstruction,
  Read,
} from "../program.ts";
import { differences, resultsOf, type Specimen } from "../programs.test.kit.ts";
import type { Pass, Rewritten } from "./rewritten.ts";

/** Makes a program by hand, for cases in which a pass must not fire: random programs seldom meet them. */
export function program(
  sources: readonly (readonly number[])[],
  instructions: readonly Instruction[],
  ...results: readonly number[]
): LoopProgram {
  return {
    sources: sources.map((shape, position) => ({ origin: { kind: "input", position }, shape })),
    indexSources: ["index", "other"].map((name) => ({ name, size: 6 })),
    instructions,
    results: results.length > 0 ? results : [sources.length + instructions.length - 1],
  };
}

/** Makes a read of a value. */
export function from(
  value: number,
  strides: readonly number[],
  offset = 0,
  indirections: readonly Indirection[] = [],
): Read {
  return { value, offset, strides, indirections };
}

/** Makes a map over `shape`. */
export function map(
  shape: readonly number[],
  expression: Expression,
  ...reads: readonly Read[]
): MapInstruction {
  return { kind: "map", shape, reads, expression };
}

/** Makes a sum over `over` for each index of `shape`. */
export function sum(
  shape: readonly number[],
  over: readonly number[],
  expression: Expression,
  ...reads: readonly Read[]
): FoldInstruction {
  return { kind: "fold", operation: "add", shape, over, reads, expression };
}

/** Applies a pass to a program, and demands that its results stay the same to the bit on some numbers. */
export function rewrittenBy(pass: Pass, before: LoopProgram): Rewritten {
  const after = pass(before);
  const specimen = specimenOf(before);
  expect(differences(resultsOf(specimen, before), resultsOf(specimen, after.program))).toEqual([]);
  return after;
}

/** Demands that a pass finds nothing to do in a program. */
export function expectUntouched(pass: Pass, before: LoopProgram): void {
  const { program: after, fired } = rewrittenBy(pass, before);
  expect(fired).toBe(0);
  expect(after).toBe(before);
}

/** Makes sources without equal elements, and indices without equal neighbours. */
function specimenOf(before: LoopProgram): Specimen {
  return {
    program: before,
    sources: before.sources.map(({ shape }, n) =>
      Float64Array.from({ length: sizeOf(shape) }, (_, i) => 1.5 * n + (i + 1) / 7),
    ),
    indices: [Uint32Array.of(0, 1, 0, 1, 1, 0), Uint32Array.of(1, 0, 1, 1, 0, 1)],
  };
}
