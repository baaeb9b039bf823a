import type { GridName } from "../../../spec/wire/index.ts";
import { halfAway } from "./rounding.ts";
import { decode, encode } from "./stored.ts";

/** Bounds of a tensor's elements: `low[i] ≤ x[i] ≤ high[i]`; not finite if unknown. */
export interface ElementRanges {
  readonly low: readonly number[];
  readonly high: readonly number[];
}

/** The type of codes with one scale for a tensor that a name stands for: its kind and its bits. */
export interface GridType {
  readonly kind: "sym" | "asym";
  readonly bits: number;
}

/** The type that a name stands for. */
export const gridTypes: Readonly<Record<GridName, GridType>> = {
  sym4: { kind: "sym", bits: 4 },
  sym8: { kind: "sym", bits: 8 },
  sym12: { kind: "sym", bits: 12 },
  sym16: { kind: "sym", bits: 16 },
  asym4: { kind: "asym", bits: 4 },
  asym8: { kind: "asym", bits: 8 },
  asym12: { kind: "asym", bits: 12 },
  asym16: { kind: "asym", bits: 16 },
};

/** Covers the roundings of the handful of operations that compute a loss. */
const UPWARDS = 1 + 2 ** -48;

/** Below it a float32 scale is subnormal, and what is that small is kept as nothing. */
const LEAST_SCALE = 2 ** -126;

/** Half a step, and what float32 makes of a number, of the scale and of their quotient. */
const halfStep = (scale: number, codes: number): number => scale * (1 + 2 ** -22) * (0.5 + codes * 2 ** -22);

/**
 * Bounds, for each element, how far keeping it as a code moves it, in whichever of these tensors it is; the
 * bound is infinite if there is none. For a known tensor it is exact; else half a step of the widest grid,
 * and next to nothing for a single element, which ends its grid. Law: if `low ≤ x ≤ high`,
 * `|decode(encode(x))ᵢ − xᵢ| ≤ lossesᵢ`.
 */
export function gridLosses({ kind, bits }: GridType, { low, high }: ElementRanges): readonly number[] {
  if (low.every((x, i) => x === high[i])) {
    const stored = encode({ kind, bits }, low, halfAway);
    if (!stored.ok) return low.map(() => Number.POSITIVE_INFINITY);
    return decode(stored.value).map((x, i) => Math.abs(x - (low[i] ?? Number.NaN)) * UPWARDS);
  }
  const codes = kind === "sym" ? 2 ** (bits - 1) - 1 : 2 ** bits - 1;
  const span = kind === "sym" ? greatestSize(low, high) : spanOf(low, high);
  // A tensor may fill less of the range: its step is smaller then, but for what underflows.
  const scale = scaleOf(span, codes);
  // A single element is the end of its grid, so all that moves it are the roundings of float32.
  const step = low.length === 1 ? scale * codes * 2 ** -22 : halfStep(scale, codes);
  const loss = step + (span === 0 ? 0 : LEAST_SCALE * codes);
  // Zero is a code of every grid, if there is one.
  return low.map((x, i) => (x === 0 && high[i] === 0 && Number.isFinite(loss) ? 0 : loss));
}

function greatestSize(low: readonly number[], high: readonly number[]): number {
  const sizes = [...low, ...high].map(Math.abs);
  return sizes.every(Number.isFinite) ? sizes.reduce((a, b) => Math.max(a, b), 0) : Number.POSITIVE_INFINITY;
}

/** Returns the width from the least number to the greatest, 0 among them. */
function spanOf(low: readonly number[], high: readonly number[]): number {
  if (![...low, ...high].every(Number.isFinite)) return Number.POSITIVE_INFINITY;
  return high.reduce((a, b) => Math.max(a, b), 0) - low.reduce((a, b) => Math.min(a, b), 0);
}

/** Returns the scale of a step, if it is a number that float32 holds: with nothing to hold it is none. */
function scaleOf(span: number, codes: number): number {
  if (span === 0) return 0;
  return span < 2 ** 127 ? Math.max(span / codes, LEAST_SCALE) : Number.POSITIVE_INFINITY;
}
