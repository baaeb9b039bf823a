import { compareRationals, type Rational, rational, rationalFromNumber } from "../../reference/index.ts";
import { formatFloat64, InvariantError } from "../../spec/index.ts";
import { type Ball, UPWARDS } from "./ball.ts";
import { approximateRational, exactCentre } from "./centre.ts";

/** Whether an honest engine may give an answer. */
export type Judgement = "within" | "outside" | "undecided";

/** What is true of one component of an answer, for any engine that keeps to a profile. */
export interface Component {
  /** `undecided` where no bound is known and the answers differ, or where the truth is too close to call. */
  judge(answer: number): Judgement;
  /** The true value in exact form, or the reference's where it is only enclosed. */
  readonly expected: string;
  /** The bound on |answer − truth|; not finite where nothing is known. */
  readonly bound: number;
}

/** Between which rational numbers a true value lies, and how far from it an honest engine may be. */
export interface Interval {
  readonly low: Rational;
  readonly high: Rational;
  readonly bound: number;
}

/** A true value that is known exactly. */
export function exactComponent(truth: Rational, bound: number): Component {
  const near = approximateRational(truth);
  const slack = exactCentre.slack(truth);
  return {
    judge: (answer) => {
      if (!Number.isFinite(bound) || truth.denominator === 0n) return "undecided";
      // Most answers are far inside; only the others need exact arithmetic.
      if (isClearlyWithin(Math.abs(answer - near), slack, bound)) return "within";
      return judgeInterval({ low: truth, high: truth, bound }, answer) ?? "undecided";
    },
    get expected() {
      return rational.format(truth);
    },
    bound,
  };
}

/**
 * A true value next to the reference's. Where the reference's own error leaves open whether the answer is within
 * the bound, `intervals` are asked, one after the other, until one decides.
 */
export function floatComponent(
  { value, slack }: Ball,
  bound: number,
  intervals: () => Iterable<Interval | undefined>,
): Component {
  return {
    judge: (answer) => {
      const distance = Math.abs(answer - value);
      if (isClearlyWithin(distance, slack, bound)) return "within";
      if (distance > (bound + slack) * UPWARDS) return "outside";
      for (const interval of intervals()) {
        // Without a bound there is nothing to be more exact about.
        if (interval === undefined || !Number.isFinite(interval.bound)) break;
        const judgement = judgeInterval(interval, answer);
        if (judgement !== undefined) return judgement;
      }
      return Object.is(answer, value) ? "within" : "undecided";
    },
    get expected() {
      return formatFloat64(value);
    },
    bound,
  };
}

/** `distance + slack ≤ bound`, for certain. The two are often the same number, and the distance 0. */
function isClearlyWithin(distance: number, slack: number, bound: number): boolean {
  return distance * UPWARDS <= bound - slack;
}

const { field } = rational.levels;
if (field === undefined) throw new InvariantError("the rational numbers are a field");
const { add, negative } = field;

/** Decided exactly: within the bound of all that the truth can be, outside that of any, or neither. */
function judgeInterval({ low, high, bound }: Interval, answer: number): Judgement | undefined {
  if (!Number.isFinite(answer)) return "outside";
  const [x, reach] = [rationalFromNumber(answer), rationalFromNumber(bound)];
  const isAbove = (a: Rational, b: Rational): boolean => compareRationals(a, b) === 1;
  if (isAbove(x, add(high, reach)) || isAbove(low, add(x, reach))) return "outside";
  return isAbove(x, add(low, reach)) || isAbove(add(high, negative(reach)), x) ? undefined : "within";
}
