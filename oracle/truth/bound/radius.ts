import { binadeOf, formats, type Taper } from "../../../spec/wire/index.ts";
import { type Ball, type Centre, UNDERFLOWS, UPWARDS } from "../centre/index.ts";
import type { Standard } from "../standard/index.ts";
import type { History } from "./history.ts";

/**
 * A bounded number is a true value with a bound around it: every engine that keeps to the standard computes a
 * number within {@link radius} of the value that `centre` encloses. Its number is a sum, in any order, of
 * `terms` numbers of total size `magnitude`, known up to `error`, whose additions are still to be rounded. A
 * radius that is not finite means that nothing is known.
 */
export interface Bounded<C> {
  readonly centre: C;
  readonly error: number;
  readonly magnitude: number;
  readonly terms: number;
  /**
   * Every term is a multiple of this power of two, if every honest engine holds the terms and their partial
   * sums exactly: none has more digits than the precision. Else it is 0.
   */
  readonly grain: number;
  /**
   * It is the true value rounded once, from operands that every honest engine has exactly: one number alone
   * is right. This is told where precision tapers off, since half of what neighbours are apart says little
   * there.
   */
  readonly isRoundedOnce?: true;
  /** It is this number with the other sign, in every engine. */
  readonly negationOf?: Bounded<C>;
  /** Every honest engine has the infinity of this sign here; then there is no `error`. */
  readonly infinity?: 1 | -1;
  /** Its `error` is noted in this step of a history. */
  readonly origin?: Origin;
}

/**
 * An origin is the step of a history whose number this is, or the negative of it: an engine's number deviates
 * as much. Additions that are pending are no part of it.
 */
export interface Origin {
  readonly history: History;
  readonly step: number;
  readonly isNegated: boolean;
}

/** Tells whether anything is known of how far an honest engine's number may be. */
export function hasBound({ error }: Bounded<unknown>): boolean {
  return Number.isFinite(error);
}

/** Tells whether an honest engine's number is known up to a bound, or as an infinity. */
export function isKnown(x: Bounded<unknown>): boolean {
  return hasBound(x) || x.infinity !== undefined;
}

/**
 * Returns the bound on |engine − truth|. Each term passes through at most n − 1 additions, in any order. The
 * last one rounds the sum itself; the others cost `γ_{n−2} = (n−2)u / (1 − (n−2)u)` of the total size
 * (Higham, "Accuracy and Stability of Numerical Algorithms", §4.2).
 */
export function radius<C>(centre: Centre<C>, standard: Standard, x: Bounded<C>): number {
  const { error, magnitude, terms, grain } = x;
  if (terms < 2 || grain > 0) return error;
  if (terms === 2 && error === 0 && isHeld(standard, centre.ball(x.centre))) return 0;
  const u = standard.unitRoundoff;
  const others = (terms - 2) * u;
  if (others >= 1) return Number.NaN;
  const flushed = standard.flushesSubnormals ? (terms - 1) * standard.underflow : 0;
  if (standard.taper !== undefined)
    return taperedRadius(standard, standard.taper, x, sizeOf(centre, x.centre));
  const before = error + (others / (1 - others)) * magnitude + flushed;
  // Both parts are rounded up, or the sum may fall short of a power of two that the engine's reaches.
  return (before + u * binadeOf(sizeOf(centre, x.centre) + before * UPWARDS)) * UPWARDS;
}

/**
 * Returns the {@link radius} where rounding moves a number by what its size says: each of the n − 2 additions
 * before the last counts as if it were of the greatest partial sum. There is no bound where that may be
 * beyond the range.
 */
function taperedRadius(
  { largest }: Standard,
  { errorUpTo }: Taper,
  { error, magnitude, terms }: Bounded<unknown>,
  size: number,
): number {
  const greatest = greatestSum(errorUpTo, magnitude, terms);
  if (!(greatest <= largest)) return Number.NaN;
  const before = error + (terms - 2) * errorUpTo(greatest);
  return (before + errorUpTo(Math.min(greatest, (size + before) * UPWARDS))) * UPWARDS;
}

/** Returns at least the size of each rounded partial sum; NaN if that is not found soon. */
export function greatestSum(errorUpTo: Taper["errorUpTo"], magnitude: number, terms: number): number {
  let greatest = magnitude;
  for (let round = 0; round < 8; round++) {
    const next = (magnitude + (terms - 1) * errorUpTo(greatest)) * UPWARDS;
    if (next <= greatest) return greatest;
    greatest = next;
  }
  return Number.NaN;
}

/** Tells whether a number is one of the precision for certain: then correct rounding leaves it as it is. */
export function isHeld(standard: Standard, { value: x, slack }: Ball): boolean {
  if (slack !== 0) return false;
  const isFlushed = standard.flushesSubnormals && Math.abs(x) < standard.underflow;
  return formats[standard.dtype].round(x) === x && !isFlushed;
}

/** Returns at least the size of the true value. */
export function sizeOf<C>(centre: Centre<C>, c: C): number {
  return sizeOfBall(centre.ball(c));
}

/** Returns at least the size of every number of a ball. */
export function sizeOfBall({ value, slack }: Ball): number {
  return (Math.abs(value) + slack) * UPWARDS;
}

/** Returns the rounding error of a number of at most this size. */
export function roundingOf(
  { unitRoundoff, underflow, taper }: Standard,
  size: number,
  units: number,
): number {
  if (taper !== undefined) return units * taper.errorUpTo(size);
  return units * unitRoundoff * binadeOf(size) + underflow + UNDERFLOWS;
}
