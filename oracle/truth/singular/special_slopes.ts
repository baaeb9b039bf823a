import { type PrimitiveName, unaryFunctions } from "../../../spec/operators/index.ts";
import { between, type FloatSet, floatSet, mayBe, ofKinds, only, union } from "../sets/float_set.ts";
import type { Operations } from "./composite.ts";

/** A term of a derivative is what comes along or back times a slope, by the operand at `position`. */
export interface Term {
  readonly op: PrimitiveName;
  readonly c: FloatSet;
  readonly operands: readonly FloatSet[];
  readonly position: number;
  /** Returns the term by the reference's formula. */
  formula(): FloatSet | undefined;
}

const specials = ["nan", "inf", "-inf", "far", "-far"] as const;
const zeros: FloatSet = ofKinds("0", "-0");
const nan: FloatSet = ofKinds("nan");

function mayBeSpecial(p: FloatSet): boolean {
  return mayBe(p, ...specials);
}

/** Tells whether all of a set are NaN, infinite or beyond the range. */
function isSpecial({ pieces }: FloatSet): boolean {
  return pieces.length > 0 && pieces.every(({ kind }) => kind !== "-" && kind !== "+" && !kind.endsWith("0"));
}

/**
 * Returns what honest engines hand on where what comes, or an operand, is NaN or infinite: IEEE 754's product
 * for operators whose slope is an operand, the choice that was made, and else what the formula has. Another
 * formula has NaN of infinities that meet in it, and a zero that is left out, or masked, meets none.
 */
export function specialTerm(a: Operations, term: Term): FloatSet | undefined {
  const { op, c, operands, position } = term;
  switch (op) {
    case "multiply":
      return product(a, c, operands[1 - position] ?? operands[0]);
    case "maximum":
    case "relu":
    case "where":
      return choice(a, term);
    case "pow":
      return mayBe(operands[1] ?? zeros, "0", "-0") ? undefined : ofSmooth(term, ofKinds("inf", "-inf"));
    case "hypot":
      return ofSmooth(term, upTo(c));
    case "divide":
    case "atan2":
      return ofSmooth(term);
    default:
      return Object.hasOwn(unaryFunctions, op) ? ofSmooth(term) : undefined;
  }
}

/** Returns c times another operand; a zero may be left out. */
function product(a: Operations, c: FloatSet, other: FloatSet | undefined): FloatSet | undefined {
  if (other === undefined) return undefined;
  const isLeftOut = mayBe(c, "0", "-0") && mayBeSpecial(other);
  return isLeftOut ? union(a.multiply(c, other), zeros) : a.multiply(c, other);
}

/** Returns every number that is no larger than c. */
function upTo({ up, down }: FloatSet): FloatSet {
  return floatSet(between(-Math.max(up, down), Math.max(up, down)));
}

function ofSmooth({ c, operands, formula }: Term, ...more: readonly FloatSet[]): FloatSet | undefined {
  if (!isSpecial(c) && !operands.some(isSpecial)) return undefined;
  const found = formula();
  if (found === undefined) return undefined;
  const isLeftOut = mayBe(c, "0", "-0") || operands.some(mayBeSpecial);
  return union(found, nan, ...(isLeftOut ? [zeros] : []), ...more);
}

/** Returns c for what is chosen and 0 for the other; where NaN decides, or a tie may, either or a share. */
function choice(a: Operations, { op, c, operands: [first = zeros, ...rest], position }: Term): FloatSet {
  // A share of an infinity that goes to neither is NaN.
  const either = union(c, zeros, a.multiply(c, only(0.5)), ...(mayBeSpecial(c) ? [nan] : []));
  if (op === "where") {
    if (position === 0) return zeros;
    if (mayBe(first, "nan")) return union(either, nan);
    const [mayBeTrue, mayBeFalse] = [mayBe(first, ...nonzero), mayBe(first, "0", "-0")];
    if (mayBeTrue && mayBeFalse) return either;
    return mayBeTrue === (position === 1) ? c : zeros;
  }
  const [x, y] = [first, op === "relu" ? zeros : (rest[0] ?? zeros)];
  if (mayBe(x, "nan") || mayBe(y, "nan")) return union(either, nan);
  if (leastOf(x) > greatestOf(y)) return position === 0 ? c : zeros;
  if (leastOf(y) > greatestOf(x)) return position === 1 ? c : zeros;
  return either;
}

const nonzero = ["-inf", "-far", "-", "+", "far", "inf"] as const;

function leastOf({ pieces }: FloatSet): number {
  return Math.min(...pieces.map(({ low }) => low));
}

function greatestOf({ pieces }: FloatSet): number {
  return Math.max(...pieces.map(({ high }) => high));
}
