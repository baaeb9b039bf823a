import { compareRationals, type Rational, rational, rationalFromNumber } from "../../reference/index.ts";
import { formatFloat64, InvariantError, type NodeId } from "../../spec/index.ts";
import { type Ball, UPWARDS } from "./ball.ts";
import { approximateRational, exactCentre } from "./centre.ts";

/** Whether an honest engine may give an answer. */
export type Judgement = "within" | "outside" | "undecided";

/** What is true of one component of an answer, for any engine that keeps to a standard. */
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
export class ExactComponent implements Component {
  readonly #truth: Rational;
  readonly bound: number;

  constructor(truth: Rational, bound: number) {
    this.#truth = truth;
    this.bound = bound;
  }

  judge(answer: number): Judgement {
    const [truth, bound] = [this.#truth, this.bound];
    if (!Number.isFinite(bound) || truth.denominator === 0n) return "undecided";
    // Most answers are far inside; only the others need exact arithmetic.
    const distance = Math.abs(answer - approximateRational(truth));
    if (isClearlyWithin(distance, exactCentre.slack(truth), bound)) return "within";
    return judgeInterval({ low: truth, high: truth, bound }, answer) ?? "undecided";
  }

  get expected(): string {
    return rational.format(this.#truth);
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

  constructor(reference: Ball, bound: number, intervals: Intervals, id: NodeId, element: number) {
    this.#reference = reference;
    this.bound = bound;
    this.#intervals = intervals;
    this.#id = id;
    this.#element = element;
  }

  judge(answer: number): Judgement {
    const { bound } = this;
    const { value, slack } = this.#reference;
    // Without a bound there is nothing to be more exact about.
    if (!Number.isFinite(bound)) return Object.is(answer, value) ? "within" : "undecided";
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
