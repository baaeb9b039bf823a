import { assertNever, at, floatAt, integerAt, type Shape, sizeOf } from "../../../../spec/shapes/index.ts";
import type { Numbers, Precision } from "../executable.ts";
import type { RoutineInstruction } from "../program.ts";
import { headerOf, prepareMinors, runMinors, runMinorTangents, type Work } from "./minors.ts";
import { type Corner, storeSolution, storeSolutionCotangent, storeSolutionTangent } from "./solution.ts";
import { threefryBits } from "./threefry.ts";

export { headerOf, prepareMinors } from "./minors.ts";

/** A routine with its tables and scratch space: computes `out` from whole operands, and allocates nothing. */
export interface BoundRoutine {
  run(operands: readonly Numbers[], out: Numbers, indices: readonly Uint32Array[]): void;
  /** Bytes of tables and scratch space. */
  readonly bytes: number;
}

/**
 * Binds a routine to operands of these shapes. It computes the reference's bits, in either precision. A
 * routine may not run inside itself, because its scratch space is its own.
 */
export function bindRoutine(
  { routine, shape }: RoutineInstruction,
  operandShapes: readonly Shape[],
  precision: Precision,
): BoundRoutine {
  if (routine.kind === "bernoulli") return bernoulli(routine.index, routine.rate, sizeOf(shape));
  const { n } = routine;
  const m = "m" in routine ? routine.m : 0;
  const count = sizeOf(at(operandShapes, 0).slice(0, -2));
  const table = prepareMinors(count, n, m);
  const scratch = new Float64Array(2 * headerOf(table).length);
  const one = ofOneMatrix(routine.kind, { table, scratch, isSingle: precision === "float32" });
  const run: BoundRoutine["run"] = (operands, out) => {
    for (let b = 0; b < count; b++) one(operands, out, b);
  };
  return { run, bytes: table.byteLength + scratch.byteLength };
}

type MatrixRoutine = Exclude<RoutineInstruction["routine"]["kind"], "bernoulli">;

/** Returns what a routine does for matrix number `b` of the batch. */
function ofOneMatrix(
  kind: MatrixRoutine,
  work: Work,
): (operands: readonly Numbers[], out: Numbers, b: number) => void {
  const { n, m, length, determinant, cofactors } = headerOf(work.table);
  const [matrix, sides] = [n * n, n * m];
  const { scratch } = work;
  switch (kind) {
    case "determinant":
      return (operands, out, b) => {
        runMinors(work, at(operands, 0), b * matrix, "determinant");
        out[b] = floatAt(scratch, determinant);
      };
    case "cofactors":
      return (operands, out, b) => {
        runMinors(work, at(operands, 0), b * matrix, "cofactors");
        for (let i = 0; i < matrix; i++) out[b * matrix + i] = floatAt(scratch, cofactors + i);
      };
    case "determinant_tangent":
      return (operands, out, b) => {
        runMinors(work, at(operands, 0), b * matrix, "determinant");
        runMinorTangents(work, at(operands, 1), b * matrix, "determinant");
        out[b] = floatAt(scratch, length + determinant);
      };
    case "solution":
      return (operands, out, b) => {
        const start = b * sides;
        runMinors(work, at(operands, 0), b * matrix, "cofactors");
        storeSolution(work, { numbers: at(operands, 1), at: start }, { numbers: out, at: start });
      };
    case "solution_tangent":
      return (operands, out, b) => {
        const start = b * sides;
        runMinors(work, at(operands, 0), b * matrix, "cofactors");
        runMinorTangents(work, at(operands, 2), b * matrix, "cofactors");
        const corner = (numbers: Numbers): Corner => ({ numbers, at: start });
        storeSolutionTangent(work, corner(at(operands, 1)), corner(at(operands, 3)), corner(out));
      };
    case "solution_cotangent":
      return (operands, out, b) => {
        const start = b * sides;
        runMinors(work, at(operands, 0), b * matrix, "cofactors");
        storeSolutionCotangent(work, { numbers: at(operands, 1), at: start }, { numbers: out, at: start });
      };
    default:
      return assertNever(kind);
  }
}

/** Gives 1 where an element's random number is at least `rate`, else 0. Index source `index` has the key. */
function bernoulli(index: number, rate: number, size: number): BoundRoutine {
  const run: BoundRoutine["run"] = (_operands, out, indices) => {
    const key = at(indices, index);
    const [k0, k1] = [integerAt(key, 0), integerAt(key, 1)];
    for (let i = 0; i < size; i++) out[i] = threefryBits(k0, k1, 0, i) / 2 ** 32 >= rate ? 1 : 0;
  };
  return { run, bytes: 0 };
}
