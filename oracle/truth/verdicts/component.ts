import { compareRationals, type Rational, rational, rationalFromNumber } from "../../../reference/index.ts";
import { InvariantError, type NodeId } from "../../../spec/shapes/index.ts";
import { type Centre, UPWARDS } from "../centre/index.ts";
import { type FloatSet, includes, isOpen, wordsOf } from "../sets/float_set.ts";
import type { Standard } from "../standard/index.ts";

/** A judgement tells whether an honest engine may give an answer. */
export type Judgement = "within" | "outside" | "undecided";

/** A component is what is true of one number of an answer, for any engine that keeps to a standard. */
export interface Component {
  /**
   * Judges an answer. It is `undecided` where there is no bound and IEEE 754 and the published conventions
   * leave the answer open, or where the truth is too close to call.
   */
  judge(answer: number): Judgement;
  /** It is the true value in exact form, or the reference's where it is only enclosed. */
  readonly expected: string;
  /** It is the same, but where there is no bound, all that an honest engine may answer. */
  readonly allowed: string;
  /** It tells whether more than one answer is right and there is no bound on them. */
  readonly isOpen: boolean;
  /** It is the bound on |answer − truth|; not finite where nothing is known. */
  readonly bound: number;
  /** Returns the bound by which {@link judge} decides, which may be sharper where that takes more digits. */
  boundFor(answer: number): number;
  /** It is what is known of the true value without computing more. */
  readonly near: Near;
}

/** A float is within `slack` of a true value, `bound` is an engine's; neither is finite if unknown. */
export interface Near {
  readonly value: number;
  readonly slack: number;
  readonly bound: number;
}

/** A true value lies between these rational numbers, and an honest engine is within `bound` of it. */
export interface Interval {
  readonly low: Rational;
  readonly high: Rational;
  readonly bound: number;
}

/** Judges an answer without a bound: outside the set, the only one in it, or one of several. */
function judgePossible(set: FloatSet, answer: number): Judgement {
  if (!includes(set, answer)) return "outside";
  return isOpen(set) ? "undecided" : "within";
}

/** A component may tell this in another way than the one that it is made of. */
interface ToldOtherwise {
  readonly allowed?: () => string;
  readonly isOpen?: () => boolean;
  readonly boundFor?: Component["boundFor"];
}

/** Returns a component that judges, and tells what is allowed and open, in another way. */
export function judgedBy(
  component: Component,
  judge: Component["judge"],
  told: ToldOtherwise = {},
): Component {
  return new JudgedOtherwise(component, judge, told);
}

class JudgedOtherwise implements Component {
  readonly #own: Component;
  readonly #told: ToldOtherwise;
  readonly judge: Component["judge"];

  constructor(own: Component, judge: Component["judge"], told: ToldOtherwise) {
    this.#own = own;
    this.#told = told;
    this.judge = judge;
  }

  get expected(): string {
    return this.#own.expected;
  }

  get allowed(): string {
    return this.#told.allowed?.() ?? this.#own.allowed;
  }

  get isOpen(): boolean {
    return this.#told.isOpen?.() ?? this.#own.isOpen;
  }

  get bound(): number {
    return this.#own.bound;
  }

  boundFor(answer: number): number {
    const { boundFor } = this.#told;
    return boundFor === undefined ? this.#own.boundFor(answer) : boundFor(answer);
  }

  get near(): Near {
    return this.#own.near;
  }
}

/** Returns a component that is judged by the answers that are left, where more than one was allowed. */
export function componentAfter(component: Component, answers: () => FloatSet): Component {
  // A bound that is sharpened is one already, and most are there.
  if (Number.isFinite(component.near.bound)) return component;
  const judge: Component["judge"] = (answer) => {
    const judged = component.judge(answer);
    const isOpenHere = judged === "undecided" && !Number.isFinite(component.bound);
    return isOpenHere ? judgePossible(answers(), answer) : judged;
  };
  return judgedBy(component, judge, {
    allowed: () => (Number.isFinite(component.bound) ? component.allowed : wordsOf(answers())),
    isOpen: () => component.isOpen && isOpen(answers()),
  });
}

/** An estimate encloses a true value and bounds an honest engine's distance from it. */
export interface Estimate<C> {
  readonly centre: C;
  readonly bound: number;
}

/** This is what is known of the components of one part of a case, the cheapest first. */
export interface Knowledge<C> {
  readonly centre: Centre<C>;
  readonly precision: Precision;
  /** Returns the true value in exact form, or the float where it is only enclosed. */
  text(centre: C): string;
  /** Returns the number that the reference computes in float64, if the centre is that. */
  reference(centre: C): number | undefined;
  /** It tells whether the reference keeps to the standard: then its number is within every bound. */
  readonly isReferenceHonest: boolean;
  /** Tells whether a bound may be wide because errors are carried through many nodes. */
  isLong(id: NodeId): boolean;
  /** Returns an estimate that may be sharper, where a bound is wide. */
  sharper(id: NodeId, element: number): Estimate<C>;
  /** Returns rational numbers around an estimate's true value, each closer than the one before. */
  intervals(of: Estimate<C>, id: NodeId, element: number, isSharp: boolean): Iterable<Interval>;
  /** Returns what honest engines may answer where there is no bound. */
  answers(id: NodeId, element: number): FloatSet;
}

/** A located estimate has a float within `slack` of its true value. */
interface Located<C> extends Estimate<C>, Near {}

/** A decision is a judgement and the bound by which it was made. */
interface Decision {
  readonly judgement: Judgement;
  readonly bound: number;
}

/** This is a true value with a bound on how far an engine's number may be from it. */
export class BoundedComponent<C> implements Component {
  readonly #knowledge: Knowledge<C>;
  readonly #first: Estimate<C>;
  readonly #id: NodeId;
  readonly #element: number;
  #here: Located<C> | undefined;
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
    return this.#hasBound ? this.expected : wordsOf(this.#answers);
  }

  get isOpen(): boolean {
    return !this.#hasBound && isOpen(this.#answers);
  }

  get bound(): number {
    return this.#known.bound;
  }

  get near(): Near {
    return this.#best ?? this.#atFirst;
  }

  get #hasBound(): boolean {
    return Number.isFinite(this.#known.bound);
  }

  get #answers(): FloatSet {
    return this.#knowledge.answers(this.#id, this.#element);
  }

  /** Returns the best that is known without more digits. */
  get #known(): Located<C> {
    this.#best ??= this.#sharpened(this.#atFirst);
    return this.#best;
  }

  get #atFirst(): Located<C> {
    this.#here ??= this.#located(this.#first);
    return this.#here;
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
    if (isReference && this.#knowledge.isReferenceHonest && Number.isFinite(bound))
      return { judgement: "within", bound };
    if (this.#hasBound) return this.#compared(this.#known, answer);
    const possible = judgePossible(this.#answers, answer);
    return {
      judgement: isReference && possible === "undecided" ? "within" : possible,
      bound: Number.NaN,
    };
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

  /** Tells whether roundings have added up so far that an answer within the bound proves nothing. */
  #isVague(known: Located<C>): boolean {
    const { unitRoundoff, smallestNormal } = this.#knowledge.precision;
    const isTooWide = isWide(known, Math.max(TELLING, LEAST_TELLING * unitRoundoff));
    return isTooWide && known.bound > smallestNormal && this.#knowledge.isLong(this.#id);
  }
}

/** This part of a precision decides whether a bound is wide. */
type Precision = Pick<Standard, "unitRoundoff"> & { readonly smallestNormal: number };

/** A bound of more units of rounding than these may be sharpened. */
const WIDE = 2 ** 8;

/**
 * An answer within the bound proves nothing where roundings have added up to a larger part of the number than
 * this, and to more units of rounding, which counts in a precision of few digits.
 */
const TELLING = 1e-3;
const LEAST_TELLING = 2 ** 6;

/** Tells whether there is a number, and no bound. */
function isLost({ value, bound }: Located<unknown>): boolean {
  return Number.isFinite(value) && !Number.isFinite(bound);
}

/** Tells whether the bound is more than this part of the number. */
function isWide({ value, slack, bound }: Located<unknown>, part: number): boolean {
  return bound > part * (Math.abs(value) + slack);
}

/** Tells whether `distance + slack ≤ bound` for certain; the last two are often equal, and the first 0. */
function isClearlyWithin(distance: number, slack: number, bound: number): boolean {
  return distance * UPWARDS <= bound - slack;
}

const { field } = rational.levels;
if (field === undefined) throw new InvariantError("the rational numbers are a field");
const { add, negative } = field;

/** Judges exactly: within the bound of all that the truth can be, outside that of any, or neither. */
function judgeInterval({ low, high, bound }: Interval, answer: number): Judgement | undefined {
  if (!Number.isFinite(answer)) return "outside";
  const [x, reach] = [rationalFromNumber(answer), rationalFromNumber(bound)];
  const isAbove = (a: Rational, b: Rational): boolean => compareRationals(a, b) === 1;
  if (isAbove(x, add(high, reach)) || isAbove(low, add(x, reach))) return "outside";
  return isAbove(x, add(low, reach)) || isAbove(add(high, negative(reach)), x) ? undefined : "within";
}
