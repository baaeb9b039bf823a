import { compareRationals, type Rational, rational, rationalFromNumber } from "../../reference/index.ts";
import { InvariantError, type NodeId } from "../../spec/shapes/index.ts";
import { UPWARDS } from "./ball.ts";
import type { Centre } from "./centre.ts";
import { includes, isOpen, type Possible, wordsOf } from "./possible.ts";
import type { Standard } from "./standard.ts";

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
  /** The bound by which {@link judge} decides about an answer: where that takes more digits, it may be sharper. */
  boundFor(answer: number): number;
  /** What is known of the true value without computing more. */
  readonly near: Near;
}

/** A float within `slack` of a true value, and the bound on an honest engine's number; neither is finite where nothing is known. */
export interface Near {
  readonly value: number;
  readonly slack: number;
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

/** `component`, of which `judge` decides in its place. */
export function judgedBy(component: Component, judge: Component["judge"]): Component {
  return {
    judge,
    get expected() {
      return component.expected;
    },
    get allowed() {
      return component.allowed;
    },
    get isOpen() {
      return component.isOpen;
    },
    get bound() {
      return component.bound;
    },
    boundFor: (answer) => component.boundFor(answer),
    get near() {
      return component.near;
    },
  };
}

/** What encloses a true value, and how far an honest engine's number may be from it. */
export interface Estimate<C> {
  readonly centre: C;
  readonly bound: number;
}

/** What is known of the components of one part of a case, the cheapest first. */
export interface Knowledge<C> {
  readonly centre: Centre<C>;
  readonly precision: Precision;
  /** The true value in exact form, or the float where it is only enclosed. */
  text(centre: C): string;
  /** The number that the reference computes in float64, if the centre is that. */
  reference(centre: C): number | undefined;
  /** Whether the reference keeps to the standard itself: then its number is within every bound. */
  readonly isReferenceHonest: boolean;
  /** Whether errors are carried through so many nodes that a bound may be wide for no other reason. */
  isLong(id: NodeId): boolean;
  /** An estimate that may be sharper, where a bound is wide. */
  sharper(id: NodeId, element: number): Estimate<C>;
  /** Rational numbers around the true value of an estimate, each closer than the one before. */
  intervals(of: Estimate<C>, id: NodeId, element: number, isSharp: boolean): Iterable<Interval>;
  /** Where there is no bound, what honest engines may answer. */
  possible(id: NodeId, element: number): Possible;
}

/** An estimate, and a float within `slack` of its true value. */
interface Located<C> extends Estimate<C>, Near {}

/** How an answer is judged, and the bound by which. */
interface Decision {
  readonly judgement: Judgement;
  readonly bound: number;
}

/** A true value with a bound on how far an engine's number may be from it. */
export class BoundedComponent<C> implements Component {
  readonly #knowledge: Knowledge<C>;
  readonly #first: Estimate<C>;
  readonly #id: NodeId;
  readonly #element: number;
  #best: Located<C> | undefined;

  constructor(knowledge: Knowledge<C>, first: Estimate<C>, id: NodeId, element: number) {
    this.#knowledge = knowledge;
    this.#first = first;
    this.#id = id;
    this.#element = element;
  }

  judge(answer: number): Judgement {
    return this.#decided(answer).judgement;
  }

  boundFor(answer: number): number {
    return this.#decided(answer).bound;
  }

  get expected(): string {
    return this.#knowledge.text(this.#known.centre);
  }

  get allowed(): string {
    return this.#hasBound ? this.expected : wordsOf(this.#possible);
  }

  get isOpen(): boolean {
    return !this.#hasBound && isOpen(this.#possible);
  }

  get bound(): number {
    return this.#known.bound;
  }

  get near(): Near {
    return this.#best ?? this.#located(this.#first);
  }

  get #hasBound(): boolean {
    return Number.isFinite(this.#known.bound);
  }

  get #possible(): Possible {
    return this.#knowledge.possible(this.#id, this.#element);
  }

  /** The best that is known without more digits. */
  get #known(): Located<C> {
    this.#best ??= this.#sharpened(this.#located(this.#first));
    return this.#best;
  }

  #located({ centre, bound }: Estimate<C>): Located<C> {
    const { centre: around } = this.#knowledge;
    const { value, slack } = around.ball(centre);
    return { centre, bound, value, slack };
  }

  #sharpened(first: Located<C>): Located<C> {
    const { unitRoundoff } = this.#knowledge.precision;
    const isWorthIt = isWide(first, WIDE * unitRoundoff) || isLost(first);
    if (!isWorthIt || !this.#knowledge.isLong(this.#id)) return first;
    const sharper = this.#knowledge.sharper(this.#id, this.#element);
    return sharper.bound <= first.bound || isLost(first) ? this.#located(sharper) : first;
  }

  #decided(answer: number): Decision {
    const reference = this.#knowledge.reference(this.#first.centre);
    const isReference = reference !== undefined && Object.is(answer, reference);
    const { bound } = this.#first;
    if (isReference && (this.#knowledge.isReferenceHonest || !Number.isFinite(bound)))
      return { judgement: "within", bound };
    if (this.#hasBound) return this.#compared(this.#known, answer);
    return { judgement: judgePossible(this.#possible, answer), bound: Number.NaN };
  }

  #compared(known: Located<C>, answer: number): Decision {
    const { value, slack, bound } = known;
    if (!Number.isFinite(answer)) return { judgement: "outside", bound };
    const distance = Math.abs(answer - value);
    if (distance > (bound + slack) * UPWARDS) return { judgement: "outside", bound };
    const isVague = distance > 0 && this.#isVague(known);
    if (isClearlyWithin(distance, slack, bound))
      return { judgement: isVague ? "undecided" : "within", bound };
    const isSharp = known.centre !== this.#first.centre;
    for (const interval of this.#knowledge.intervals(known, this.#id, this.#element, isSharp)) {
      if (!Number.isFinite(interval.bound)) break;
      const judgement = judgeInterval(interval, answer);
      if (judgement === "within" && isVague) break;
      if (judgement !== undefined) return { judgement, bound: interval.bound };
    }
    return { judgement: "undecided", bound };
  }

  /** Whether roundings have added up so far that an answer within the bound tells nothing. */
  #isVague(known: Located<C>): boolean {
    const { unitRoundoff, smallestNormal } = this.#knowledge.precision;
    const isTooWide = isWide(known, Math.max(TELLING, LEAST_TELLING * unitRoundoff));
    return isTooWide && known.bound > smallestNormal && this.#knowledge.isLong(this.#id);
  }
}

/** What of a precision decides whether a bound is wide. */
type Precision = Pick<Standard, "unitRoundoff"> & { readonly smallestNormal: number };

/** Of so many units of rounding a bound may be less than what it is carried forward as. */
const WIDE = 2 ** 8;

/**
 * Where many roundings have added up to a larger part of the number, an answer within the bound tells nothing; in a
 * precision that has few digits, where they have to so many units of rounding.
 */
const TELLING = 1e-3;
const LEAST_TELLING = 2 ** 6;

/** Whether there is a number, and no bound. */
function isLost({ value, bound }: Located<unknown>): boolean {
  return Number.isFinite(value) && !Number.isFinite(bound);
}

/** Whether the bound is more than this part of the number. */
function isWide({ value, slack, bound }: Located<unknown>, part: number): boolean {
  return bound > part * (Math.abs(value) + slack);
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
