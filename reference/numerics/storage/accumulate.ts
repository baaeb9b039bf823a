import { at, fail, type Issue, ok, type Result } from "../../../spec/shapes/index.ts";
import { codeLimits } from "./packing.ts";
import { type CodeRounding, rounded } from "./rounding.ts";
import { codeBits, groupSizeOf, type StorageType } from "./storage_type.ts";
import { decode, encode, type Stored } from "./stored.ts";

/**
 * The mode says how a sum over micro-batches is kept, after es-ude/OnDeviceTraining's discussion 218:
 * - `dynamic` (A): both are decoded, added in float32, and kept on a fresh grid. It errs half a step each
 * time.
 * - `fixed` (B): the summand is brought to the grid, and codes are added. It loses less than half a step.
 * - `float` (C): a float32 beside, kept in the format only at the end.
 */
export type AccumulationMode = "dynamic" | "fixed" | "float";

/** Returns the sum of tensors in a format. Fails: as `encode`; `storage/overflow` where codes end. */
export function accumulate(
  start: Stored,
  increments: readonly (readonly number[])[],
  mode: AccumulationMode,
  rounding: CodeRounding,
): Result<Stored, Issue[]> {
  if (mode === "float") {
    const sum = increments.reduce<readonly number[]>(
      (total, increment) => plus(total, increment),
      decode(start),
    );
    return encode(start.type, sum, rounding);
  }
  let sum: Result<Stored, Issue[]> = ok(start);
  for (const increment of increments) {
    if (!sum.ok) return sum;
    sum =
      mode === "dynamic"
        ? encode(sum.value.type, plus(decode(sum.value), increment), rounding)
        : addedOnGrid(sum.value, increment, rounding);
  }
  return sum;
}

const plus = (x: readonly number[], y: readonly number[]): number[] =>
  x.map((one, i) => Math.fround(one + Math.fround(at(y, i))));

function addedOnGrid(
  stored: Stored,
  increment: readonly number[],
  rounding: CodeRounding,
): Result<Stored, Issue[]> {
  const { type, grids } = stored;
  const size = groupSizeOf(type, stored.codes.length);
  const limits = limitsOf(type);
  const codes: number[] = [];
  for (const [place, code] of stored.codes.entries()) {
    const scale = grids[Math.floor(place / size)]?.scale ?? 1;
    const next = code + rounded(Math.fround(Math.fround(at(increment, place)) / scale), rounding);
    if (!(next >= limits[0] && next <= limits[1])) return fail([overflow(place, next, limits)]);
    codes.push(next);
  }
  return ok({ ...stored, codes });
}

function limitsOf(type: StorageType): readonly [number, number] {
  return codeLimits(type.kind === "sym_int32" ? 32 : codeBits(type), type.kind !== "asym");
}

function overflow(place: number, code: number, [least, greatest]: readonly [number, number]): Issue {
  return {
    code: "storage/overflow",
    pointer: `/${place}`,
    message: `the sum's code would be ${code}, and codes are from ${least} to ${greatest}.`,
    hint: "add up on a fresh grid (dynamic), or on one whose scale is as great as the sum needs",
  };
}
