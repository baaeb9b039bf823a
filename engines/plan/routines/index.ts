import { assertNever, present, type Shape, sizeOf } from "../../../spec/core.ts";
import type { Numbers, Precision } from "../executable.ts";
import type { RoutineInstruction } from "../program.ts";
import { headerOf, prepareMinors, runMinors, runMinorTangents, type Work } from "./minors.ts";
import { storeSolution, storeSolutionCotangent, storeSolutionTangent } from "./solution.ts";
import { threefryBits } from "./threefry.ts";

/** A routine with its tables and its scratch space: computes `out` from whole operands. Allocates nothing. */
export interface BoundRoutine {
  run(operands: readonly Numbers[], out: Numbers, indices: readonly Uint32Array[]): void;
  /** What tables and scratch space hold. */
  readonly bytes: number;
}

/**
 * The routine of an instruction, for operands of these shapes: to the bit what the reference computes, in either precision. One
 * routine may not run inside itself, for its scratch space is its own.
 */
export function bindRoutine(
  { routine, shape }: RoutineInstruction,
  operandShapes: readonly Shape[],
  precision: Precision,
): BoundRoutine {
  if (routine.kind === "bernoulli") return bernoulli(routine.index, routine.rate, sizeOf(shape));
  const { n } = routine;
  const m = "m" in routine ? routine.m : 0;
  const count = sizeOf((operandShapes[0] ?? []).slice(0, -2));
  const table = prepareMinors(count, n, m);
  const scratch = new Float64Array(2 * headerOf(table).length);
  const one = ofOneMatrix(routine.kind, { table, scratch, isSingle: precision === "float32" });
  const run: BoundRoutine["run"] = (operands, out) => {
    for (let b = 0; b < count; b++) one(operands, out, b);
  };
  return { run, bytes: table.byteLength + scratch.byteLength };
}

type MatrixRoutine = Exclude<RoutineInstruction["routine"]["kind"], "bernoulli">;

/** What a routine does for the matrix of number `b` of the batch. */
function ofOneMatrix(
  kind: MatrixRoutine,
  work: Work,
): (operands: readonly Numbers[], out: Numbers, b: number) => void {
  const { n, m, length, determinant, cofactors } = headerOf(work.table);
  const [matrix, sides] = [n * n, n * m];
  const { scratch } = work;
  const operand = (operands: readonly Numbers[], position: number): Numbers =>
    present(operands[position], `operand ${position} of ${kind}`);
  switch (kind) {
    case "determinant":
      return (operands, out, b) => {
        runMinors(work, operand(operands, 0), b * matrix, "determinant");
        out[b] = scratch[determinant] ?? 0;
      };
    case "cofactors":
      return (operands, out, b) => {
        runMinors(work, operand(operands, 0), b * matrix, "cofactors");
        for (let i = 0; i < matrix; i++) out[b * matrix + i] = scratch[cofactors + i] ?? 0;
      };
    case "determinant_tangent":
      return (operands, out, b) => {
        runMinors(work, operand(operands, 0), b * matrix, "determinant");
        runMinorTangents(work, operand(operands, 1), b * matrix, "determinant");
        out[b] = scratch[length + determinant] ?? 0;
      };
    case "solution":
      return (operands, out, b) => {
        const at = b * sides;
        runMinors(work, operand(operands, 0), b * matrix, "cofactors");
        storeSolution(work, { numbers: operand(operands, 1), at }, { numbers: out, at });
      };
    case "solution_tangent":
      return (operands, out, b) => {
        const at = b * sides;
        runMinors(work, operand(operands, 0), b * matrix, "cofactors");
        runMinorTangents(work, operand(operands, 2), b * matrix, "cofactors");
        const [side, sideDot] = [operand(operands, 1), operand(operands, 3)];
        storeSolutionTangent(work, { numbers: side, at }, { numbers: sideDot, at }, { numbers: out, at });
      };
    case "solution_cotangent":
      return (operands, out, b) => {
        const at = b * sides;
        runMinors(work, operand(operands, 0), b * matrix, "cofactors");
        storeSolutionCotangent(work, { numbers: operand(operands, 1), at }, { numbers: out, at });
      };
    default:
      return assertNever(kind);
  }
}

/** 1 where the random number of an element's position is at least `rate`, else 0; the key is the first two words of an index source. */
function bernoulli(index: number, rate: number, size: number): BoundRoutine {
  const run: BoundRoutine["run"] = (_operands, out, indices) => {
    const [k0 = 0, k1 = 0] = present(indices[index], `index source ${index}`);
    for (let i = 0; i < size; i++) out[i] = threefryBits(k0, k1, 0, i) / 2 ** 32 >= rate ? 1 : 0;
  };
  return { run, bytes: 0 };
}
