import { at, fail, type Issue, ok, type Result } from "../../../spec/shapes/index.ts";
import { codeLimits, pack } from "./packing.ts";
import type { CodeRounding } from "./rounding.ts";
import { codeBits, groupSizeOf, type StorageType } from "./storage_type.ts";
import { decode, encode, type Grid, type Stored } from "./stored.ts";

/**
 * Returns the tensor in another format. Values go to `float32` and codes to `int32`; `sym` of one group and
 * `asym` become `sym_int32` on their grid; integers become codes on the unit grid; all else is kept anew,
 * even in the same type. Fails: `storage/misfit` if an integer does not fit the bits, and as `encode`.
 */
export function convert(stored: Stored, type: StorageType, rounding: CodeRounding): Result<Stored, Issue[]> {
  const { type: from, codes, grids } = stored;
  if (type.kind === "int32")
    return ok({ type, codes: from.kind === "float32" ? truncated(codes) : codes, grids: [] });
  const [grid] = grids;
  if (type.kind === "sym_int32" && grids.length === 1 && grid !== undefined) {
    if (from.kind === "sym") return ok({ type: { ...type, bits: from.bits }, codes, grids });
    if (from.kind === "asym") {
      const around = codes.map((code) => code - grid.zero);
      return ok({ type: { ...type, bits: from.bits + 1 }, codes: around, grids: [{ ...grid, zero: 0 }] });
    }
  }
  const isCoded = type.kind === "sym" || type.kind === "sym_int32" || type.kind === "bfp";
  if (from.kind === "int32" && isCoded) {
    const packed = pack(codes, codeBits(type), true);
    if (!packed.ok) return packed;
    const groups = Math.ceil(codes.length / groupSizeOf(type, codes.length));
    return ok({ type, codes, grids: Array.from({ length: groups }, () => ({ scale: 1, zero: 0 })) });
  }
  return encode(type, decode(stored), rounding);
}

const truncated = (numbers: readonly number[]): number[] => numbers.map((x) => Math.trunc(x) + 0);

/**
 * Checks codes on grids that somebody else wrote. Fails: `storage/scale` for one that is no positive float32,
 * `storage/zero`, `storage/grids` where their number is not that of the groups, `storage/misfit`.
 */
export function checkStored({ type, codes, grids }: Stored): Result<Stored, Issue[]> {
  if (type.kind === "float32") return ok({ type, codes, grids });
  const groups = type.kind === "int32" ? 0 : Math.ceil(codes.length / groupSizeOf(type, codes.length));
  if (grids.length !== groups) return fail([wrongGrids(grids.length, groups)]);
  const issues = grids.flatMap((grid, n) => gridIssues(type, grid, n));
  if (issues.length > 0) return fail(issues);
  const isSigned = type.kind !== "asym";
  const packed = pack(codes, type.kind === "int32" ? 32 : codeBits(type), isSigned);
  return packed.ok ? ok({ type, codes, grids }) : packed;
}

function gridIssues(type: StorageType, { scale, zero }: Grid, place: number): Issue[] {
  const isScale = scale > 0 && Number.isFinite(scale) && Math.fround(scale) === scale;
  const highest = type.kind === "asym" ? at(codeLimits(type.bits, false), 1) : 0;
  const isZero = Number.isInteger(zero) && zero >= 0 && zero <= highest;
  return [...(isScale ? [] : [badScale(scale, place)]), ...(isZero ? [] : [badZero(zero, highest, place)])];
}

function badScale(scale: number, place: number): Issue {
  return {
    code: "storage/scale",
    pointer: `/grids/${place}/scale`,
    message: `${scale} is no positive, finite float32.`,
    hint: "a tensor of zeros has the scale 1",
  };
}

function badZero(zero: number, highest: number, place: number): Issue {
  return {
    code: "storage/zero",
    pointer: `/grids/${place}/zero`,
    message: `${zero} is not an integer from 0 to ${highest}.`,
    hint: "the zero point is the code of 0, and only asym has one",
  };
}

function wrongGrids(given: number, groups: number): Issue {
  return {
    code: "storage/grids",
    pointer: "/grids",
    message: `there are ${given} grids for ${groups} groups.`,
    hint: "every group of elements has one",
  };
}
