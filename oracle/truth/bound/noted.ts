import type { BinaryName, UnaryName } from "../../../spec/operators/index.ts";
import { type Ball, balls, type Centre, UPWARDS } from "../centre/index.ts";
import type { Standard } from "../standard/index.ts";
import type { History, Influence } from "./history.ts";
import { type Bounded, type Origin, radius, roundingOf, sizeOf } from "./radius.ts";
import type { Slopes } from "./secants.ts";

const UNCHANGED: Ball = { value: 1, slack: 0 };

/**
 * A number whose error is a larger part of it than this, or more units of rounding, is sharpened at once,
 * since its readers' slopes are known no better than it is. Others are sharpened when that is asked for.
 */
const WIDE = 2 ** -36;
const WIDE_UNITS = 2 ** 8;

/** These functions note the operations of an algebra of bounds in a history. */
export interface Noted<C> {
  /** Notes a sum whose additions are pending: it is sharpened when they are done. */
  sum(sum: Bounded<C>, p: Bounded<C>, q: Bounded<C>): Bounded<C>;
  /** Notes the result of one operation on `p` and, if it has two operands, `q`. */
  result(result: Bounded<C>, operation: Operation, p: Bounded<C>, q?: Bounded<C>): Bounded<C>;
}

/** The errors of an operation depend on this. */
export interface Operation {
  /** An engine rounds by so many units of `u`. */
  readonly units: number;
  /** The centre's rounding depends on the elementary function that it is, if it is one. */
  readonly name?: UnaryName | BinaryName;
  /** Returns the slopes by both operands, of true numbers in `x`, `y` and an engine's in `xHat`, `yHat`. */
  slopes(x: Ball, y: Ball, xHat: Ball, yHat: Ball): Slopes;
}

/** This collects how an operation's result deviates. */
class Deviations<C> {
  readonly influences: Influence[] = [];
  /** An engine's result and the centre's err by so much, without what earlier steps did. */
  own = 0;
  drift = 0;
  readonly #centre: Centre<C>;

  constructor(centre: Centre<C>) {
    this.#centre = centre;
  }

  /** Takes an operand in, which is off by at most `reach`, by the slope that the result has by it. */
  add({ origin, error, centre: c }: Bounded<C>, slope: Ball, reach: number): void {
    const size = (Math.abs(slope.value) + slope.slack) * UPWARDS;
    if (origin === undefined) {
      // What is exact adds no error, however steep the slope.
      if (reach > 0) this.own += size * reach * UPWARDS;
      this.drift += size * this.#centre.slack(c) * UPWARDS;
      return;
    }
    // The pending additions of the operand are rounded by this reader alone.
    if (reach !== error) this.own += size * (reach - error) * UPWARDS;
    const { step } = origin;
    const by = signed(origin, slope);
    const place = this.influences.findIndex((other) => other.step === step);
    const before = this.influences[place];
    if (before === undefined) this.influences.push({ step, slope: by, size });
    else {
      const both = balls.add(before.slope, by);
      this.influences[place] = { step, slope: both, size: (before.size + size) * UPWARDS };
    }
  }

  get isKnown(): boolean {
    const areKnown = this.influences.every(({ slope }) => Number.isFinite(slope.value + slope.slack));
    return areKnown && Number.isFinite(this.own);
  }

  appendTo(history: History): Origin {
    const step = history.append(this.own * UPWARDS, this.drift * UPWARDS, this.influences);
    return { history, step, isNegated: false };
  }
}

/** Returns functions that note operations in `history`. Cost: some more operations each. */
export function notedIn<C>(history: History, centre: Centre<C>, standard: Standard): Noted<C> {
  return {
    sum: (sum, p, q) => {
      if (sum.error === 0 || !Number.isFinite(sum.error)) return sum;
      const deviations = new Deviations(centre);
      deviations.add(p, UNCHANGED, p.error);
      deviations.add(q, UNCHANGED, q.error);
      deviations.drift += centre.drift(sum.centre);
      return deviations.isKnown ? { ...sum, origin: deviations.appendTo(history) } : sum;
    },
    result: (result, { units, name, slopes }, p, q) => {
      if (result.error === 0 || !Number.isFinite(result.error)) return result;
      const [dp, dq] = [radius(centre, standard, p), q === undefined ? 0 : radius(centre, standard, q)];
      const deviations = new Deviations(centre);
      const [x, y] = [ballOf(centre, p), q === undefined ? UNCHANGED : ballOf(centre, q)];
      if (dp + dq + x.slack + y.slack > 0) {
        const [byP, byQ] = slopes(x, y, widened(x, dp), widened(y, dq));
        if (dp + x.slack > 0) deviations.add(p, byP, dp);
        if (q !== undefined && dq + y.slack > 0) deviations.add(q, byQ, dq);
      }
      const size = (sizeOf(centre, result.centre) + result.error) * UPWARDS;
      deviations.own += roundingOf(standard, size, units);
      deviations.drift += centre.drift(result.centre, name);
      if (!deviations.isKnown) return result;
      const noted = { ...result, origin: deviations.appendTo(history) };
      return isWide(centre, standard, noted) ? sharpened(centre, noted) : noted;
    },
  };
}

/** Returns a sum when its additions are done: `settled`, whose only own error is theirs. */
export function settledSum<C>(
  centre: Centre<C>,
  standard: Standard,
  settled: Bounded<C>,
  sum: Bounded<C>,
): Bounded<C> {
  if (sum.origin === undefined) return settled;
  const deviations = new Deviations(centre);
  deviations.add(sum, UNCHANGED, settled.error);
  if (!deviations.isKnown) return settled;
  const noted = { ...settled, origin: deviations.appendTo(sum.origin.history) };
  return isWide(centre, standard, noted) ? sharpened(centre, noted) : noted;
}

/** Returns the origin of a number that has so much error more than `x`, if `x` has one. */
export function loosenedOrigin<C>({ origin }: Bounded<C>, extra: number): Pick<Bounded<C>, "origin"> {
  if (origin === undefined || !Number.isFinite(extra)) return {};
  const { history } = origin;
  const step = history.append(extra, 0, [{ step: origin.step, slope: signed(origin, UNCHANGED), size: 1 }]);
  return { origin: { history, step, isNegated: false } };
}

/** Returns the origin of `−x`, if `x` has one: the same step, with the other sign. */
export function negatedOrigin<C>({ origin }: Bounded<C>): Pick<Bounded<C>, "origin"> {
  return origin === undefined ? {} : { origin: { ...origin, isNegated: !origin.isNegated } };
}

/**
 * Tells whether two numbers are one in every engine, with signs changed an even number of times. A number
 * without a bound may be NaN, which equals nothing.
 */
export function isCopy<C>(p: Bounded<C>, q: Bounded<C>): boolean {
  // The additions of a sum are done anew for each reader.
  if (p.terms > 1 || q.terms > 1 || !Number.isFinite(p.error)) return false;
  if (p === q || (p.negationOf !== undefined && p.negationOf === q.negationOf)) return true;
  const [a, b] = [p.origin, q.origin];
  if (a === undefined || b === undefined) return false;
  return a.history === b.history && a.step === b.step && a.isNegated === b.isNegated;
}

/** Returns `x`, with what its history knows better of it. Cost: that of {@link History.deviation}. */
export function sharpened<C>(centre: Centre<C>, x: Bounded<C>): Bounded<C> {
  if (x.origin === undefined || !Number.isFinite(x.error)) return x;
  const deviation = x.origin.history.deviation(x.origin.step);
  const closer = centre.closer(x.centre, deviation.centre);
  const error = Math.min(x.error, deviation.engine);
  const magnitude = x.terms > 1 ? x.magnitude : (sizeOf(centre, closer) + error) * UPWARDS;
  return { ...x, centre: closer, error, magnitude };
}

function isWide<C>(centre: Centre<C>, { unitRoundoff }: Standard, { error, centre: c }: Bounded<C>): boolean {
  return error > Math.max(WIDE, WIDE_UNITS * unitRoundoff) * sizeOf(centre, c);
}

/** Returns the slope by an origin's step, of what has this slope by the number. */
function signed({ isNegated }: Origin, slope: Ball): Ball {
  return isNegated ? { value: -slope.value, slack: slope.slack } : slope;
}

/** Returns what encloses the true value, as a ball of float64s. */
function ballOf<C>(centre: Centre<C>, { centre: c }: Bounded<C>): Ball {
  return centre.ball(c);
}

function widened({ value, slack }: Ball, by: number): Ball {
  return { value, slack: (slack + by) * UPWARDS };
}
