import { at, fail, type Issue, ok, type Result } from "../../../spec/shapes/index.ts";
import { codeLimits, packedBytes } from "./packing.ts";
import { type CodeRounding, rounded } from "./rounding.ts";
import {
  codeBits,
  exponentBias,
  greatestOf,
  groupSizeOf,
  type ScaledType,
  type StorageType,
} from "./storage_type.ts";

/** Codes of a group stand for (code − zero) · scale. */
export interface Grid {
  /** A positive float32. */
  readonly scale: number;
  readonly zero: number;
}

/** A tensor's elements as they are kept. */
export interface Stored {
  readonly type: StorageType;
  /** Codes come in storage order; for `float32` they are the numbers. */
  readonly codes: readonly number[];
  /** Each group has its grid. */
  readonly grids: readonly Grid[];
}

const unit: Grid = { scale: 1, zero: 0 };

/** Below this a float32 scale is subnormal and loses digits, so the tensor is kept as zeros. */
const LEAST_SCALE = 2 ** -126;

const fround = Math.fround;

/**
 * Keeps float32 numbers in a format, on a fresh grid, of which the greatest size fills the codes.
 * Law: what {@link decode} gives is finite, and at most `scale · (1/2 + codes · 2⁻²³)` away, half a step and
 * the roundings of float32; a whole step of a stochastic rounding, or beside the greatest float32. Fails:
 * `storage/finite`; `storage/range` where float32 holds no scale, since `asym` spans more. Cost: linear.
 */
export function encode(
  type: StorageType,
  values: ArrayLike<number>,
  rounding: CodeRounding,
): Result<Stored, Issue[]> {
  const numbers = Array.from(values, fround);
  const bad = numbers.findIndex((x) => !Number.isFinite(x));
  if (bad >= 0 && type.kind !== "float32") return fail([notFinite(bad, at(numbers, bad))]);
  if (type.kind === "float32") return ok({ type, codes: numbers, grids: [] });
  if (type.kind === "int32") return encodeIntegers(type, numbers);
  const size = groupSizeOf(type, numbers.length);
  const groups = Array.from({ length: Math.ceil(numbers.length / size) }, (_, n) =>
    numbers.slice(n * size, (n + 1) * size),
  );
  const grids = groups.map((group) => gridOf(type, group));
  const wide = grids.findIndex((grid) => grid?.scale === Number.POSITIVE_INFINITY);
  if (wide >= 0) return fail([tooWide(wide * size)]);
  const codes = groups.flatMap((group, n) => {
    const grid = grids[n];
    return group.map((x) => (grid === undefined ? 0 : codeOf(type, x, grid, rounding)));
  });
  return ok({ type, codes, grids: grids.map((grid) => grid ?? unit) });
}

/** C's conversion drops what is behind the point. */
function encodeIntegers(type: StorageType, numbers: readonly number[]): Result<Stored, Issue[]> {
  const codes = numbers.map((x) => Math.trunc(x) + 0);
  const [least, greatest] = codeLimits(32, true);
  const bad = codes.findIndex((code) => code < least || code > greatest);
  return bad < 0 ? ok({ type, codes, grids: [] }) : fail([notFinite(bad, at(numbers, bad))]);
}

/** Returns the grid that a group's numbers fill, if there is anything to fill it. */
function gridOf(type: ScaledType, numbers: readonly number[]): Grid | undefined {
  const least = numbers.reduce((a, b) => Math.min(a, b), 0);
  const most = numbers.reduce((a, b) => Math.max(a, b), 0);
  const greatest = greatestOf(type);
  switch (type.kind) {
    case "sym_int32":
    case "sym": {
      const scale = fround(Math.max(most, -least) / fround(greatest));
      return scale < LEAST_SCALE ? undefined : { scale, zero: 0 };
    }
    case "asym": {
      const scale = fround(fround(most - least) / greatest);
      if (scale < LEAST_SCALE) return undefined;
      return { scale, zero: clamped(rounded(fround(-least / scale), { kind: "half_away" }), 0, greatest) };
    }
    case "bfp": {
      const bias = exponentBias(type.exponentBits);
      const highest = Math.min(2 ** type.exponentBits - 1 - bias, 127);
      const size = Math.max(most, -least);
      if (size === 0) return undefined;
      return { scale: 2 ** clamped(exponentOf(size, greatest), -bias, highest), zero: 0 };
    }
  }
}

/** The smallest exponent e with size/2ᵉ ≤ greatest. */
function exponentOf(size: number, greatest: number): number {
  const guess = Math.ceil(Math.log2(size / greatest));
  // Where the quotient is a power of two the logarithm may be off by a place: look at its neighbours.
  for (const exponent of [guess - 1, guess]) if (size <= greatest * 2 ** exponent) return exponent;
  return guess + 1;
}

/** Returns the nearest code that there is and whose value float32 holds: the last steps may lie beyond. */
function codeOf(type: ScaledType, x: number, grid: Grid, rounding: CodeRounding): number {
  const [least, greatest] = codeLimits(codeBits(type), type.kind !== "asym");
  const lowest = type.kind === "bfp" ? -greatest : least;
  let code = clamped(rounded(fround(x / grid.scale), rounding) + grid.zero, lowest, greatest);
  while (!Number.isFinite(numberOf(code, grid))) code -= Math.sign(code - grid.zero);
  return code;
}

function numberOf(code: number, { scale, zero }: Grid): number {
  return fround(fround(code - zero) * scale) + 0;
}

const clamped = (x: number, least: number, most: number): number => Math.min(Math.max(x, least), most);

/** Returns the numbers that codes stand for, in float32. */
export function decode({ type, codes, grids }: Stored): number[] {
  if (grids.length === 0) return codes.map(fround);
  const size = groupSizeOf(type, codes.length);
  return codes.map((code, place) => numberOf(code, at(grids, Math.floor(place / size))));
}

/** Zeros on the unit grid: the state before the first gradient and after each reset. */
export function zeros(type: StorageType, count: number): Stored {
  const hasGrids = type.kind !== "float32" && type.kind !== "int32";
  return {
    type,
    codes: Array.from({ length: count }, () => 0),
    grids: hasGrids ? Array.from({ length: Math.ceil(count / groupSizeOf(type, count)) }, () => unit) : [],
  };
}

/** Counts the stored bytes: codes, 4 for a scale, 2 for a zero point, 1 for a block's exponent. */
export function bytesOf({ type, codes, grids }: Stored): number {
  const beside = type.kind === "asym" ? 6 : type.kind === "bfp" ? 1 : 4;
  const bits = type.kind === "sym_int32" ? 32 : codeBits(type);
  return packedBytes(codes.length, bits) + beside * grids.length;
}

function notFinite(place: number, x: number): Issue {
  return {
    code: "storage/finite",
    pointer: `/${place}`,
    message: `${x} has no code.`,
    hint: "codes stand for finite numbers; float32 keeps the others",
  };
}

function tooWide(place: number): Issue {
  return {
    code: "storage/range",
    pointer: `/${place}`,
    message: "the numbers from the least to the greatest span more than float32 holds, so no scale does.",
    hint: "sym and bfp keep numbers of either sign up to the greatest float32",
  };
}
