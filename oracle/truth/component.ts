import { compareRationals, type Rational, rational, rationalFromNumber } from "../../reference/index.ts";
import { formatFloat64, InvariantError, type NodeId } from "../../spec/index.ts";
import { type Ball, UPWARDS } from "./ball.ts";
import { approximateRational, exactCentre } from "./centre.ts";
import { includes, isOpen, type Possible, wordsOf } from "./possible.ts";

/** Whether an honest engine may give an answer. */
export type Judgement = "within" | "outside" | "undecided";

/** What is true of one component of an answer, for any engine that keeps to a standard. */
export interface Component {
  /**
   * `undecided` where no bound is known and IEEE 754 or the published conventions leave the answer open too, or where the
   * truth is too close to call.
   */
  judge(answer: number): Judgement;
  /** The true value in exact form, or the reference's where it is only enclosed. */
  readonly expected: string;
  /** The same, but where there is no bound, all that an honest engine may answer. */
  readonly allowed: string;
  /** Whether more than one answer is right and there is no bound on them. */
  readonly isOpen: boolean;
  /** The bound on |answer − truth|; not finite where nothing is known. */
  readonly bound: number;
}

/** Between which rational numbers a true value lies, and how far from it an honest engine may be. */
export interface Interval {
  readonly low: Rational;
  readonly high: Rational;
  readonly bound: number;
}

/** Where there is no bound: outside what honest engines may answer, within it where that is one answer, or undecided. */
function judgePossible(set: Possible, answer: number): Judgement {
  if (!includes(set, answer)) return "outside";
  return isOpen(set) ? "undecided" : "within";
}

/** A true value that is known exactly. `possible` is what honest engines may answer where there is no bound. */
export class ExactComponent implements Component {
  readonly #truth: Rational;
  readonly bound: number;
  readonly #possible: () => Possible;

  constructor(truth: Rational, bound: number, possible: () => Possible) {
    this.#truth = truth;
    this.bound = bound;
    this.#possible = possible;
  }

  judge(answer: number): Judgement {
    const [truth, bound] = [this.#truth, this.bound];
    if (!Number.isFinite(bound) || truth.denominator === 0n) return judgePossible(this.#possible(), answer);
    // Most answers are far inside; only the others need exact arithmetic.
    const distance = Math.abs(answer - approximateRational(truth));
    if (isClearlyWithin(distance, exactCentre.slack(truth), bound)) return "within";
    return judgeInterval({ low: truth, high: truth, bound }, answer) ?? "undecided";
  }

  get expected(): string {
    return rational.format(this.#truth);
  }

  get allowed(): string {
    return Number.isFinite(this.bound) ? this.expected : wordsOf(this.#possible());
  }

  get isOpen(): boolean {
    return !Number.isFinite(this.bound) && isOpen(this.#possible());
  }
}

/** Intervals around the true values of a case. */
export interface Intervals {
  /** Around one of them, each narrower than the one before. */
  at(id: NodeId, element: number): Iterable<Interval>;
}

/**
 * A true value next to the reference's. Where the reference's own error leaves open whether the answer is within
 * the bound, the intervals are asked, one after the other, until one decides.
 */
export class FloatComponent implements Component {
  readonly #reference: Ball;
  readonly bound: number;
  readonly #intervals: Intervals;
  readonly #id: NodeId;
  readonly #element: number;
  readonly #possible: () => Possible;

  constructor(
    reference: Ball,
    bound: number,
    intervals: Intervals,
    id: NodeId,
    element: number,
    possible: () => Possible,
  ) {
    this.#reference = reference;
    this.bound = bound;
    this.#intervals = intervals;
    this.#id = id;
    this.#element = element;
    this.#possible = possible;
  }

  judge(answer: number): Judgement {
    const { bound } = this;
    const { value, slack } = this.#reference;
    // Without a bound there is nothing to be more exact about.
    if (!Number.isFinite(bound))
      return Object.is(answer, value) ? "within" : judgePossible(this.#possible(), answer);
    const distance = Math.abs(answer - value);
    if (isClearlyWithin(distance, slack, bound)) return "within";
    if (distance > (bound + slack) * UPWARDS) return "outside";
    for (const interval of this.#intervals.at(this.#id, this.#element)) {
      if (!Number.isFinite(interval.bound)) break;
      const judgement = judgeInterval(interval, answer);
      if (judgement !== undefined) return judgement;
    }
    return "undecided";
  }

  get expected(): string {
    return formatFloat64(this.#reference.value);
  }

  get allowed(): string {
    return Number.isFinite(this.bound) ? this.expected : wordsOf(this.#possible());
  }

  get isOpen(): boolean {
    return !Number.isFinite(this.bound) && isOpen(this.#possible());
  }
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
