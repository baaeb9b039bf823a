import type { Context } from "../../../reference/index.ts";
import type { Application } from "../../../spec/expansion/index.ts";
import { present } from "../../../spec/shapes/index.ts";
import type { PrimitiveCase } from "../../case/index.ts";
import { anything, type FloatSet, isOnly, mayBe, ofKinds, only, union } from "../sets/float_set.ts";
import type { Standard } from "../standard/index.ts";
import {
  areNumbers,
  filled,
  isOfOne,
  isZero,
  type Operations,
  operandsOf,
  pairsOf,
  type SingularComposite,
  sizeOfSet,
  upTo,
} from "./composite.ts";

const zeros = ofKinds("0", "-0");
const nan = ofKinds("nan");
const infinities = ofKinds("inf", "-inf");

/**
 * Returns the `kl_div` of a case, the mean of y (ln y − x), where y has an element of 0 or below, or x one
 * that is no number. At y = 0 a term is 0 by definition, and NaN as `xlogy(y, y) − y x` (PyTorch) where x is
 * NaN or infinite; the slope by y is −∞, 0 if the term is masked, NaN if the logarithm meets a 0. Below 0 a
 * term is NaN, or 0 of a mask.
 */
export function divergencesOf(
  question: PrimitiveCase,
  a: Operations,
  { unitRoundoff }: Standard,
): readonly SingularComposite[] {
  return pairsOf(question, "kl_div")
    .filter((application) => !isOfOne(application))
    .map((application) => divergence(application, a, unitRoundoff));
}

function divergence(application: Application, a: Operations, unitRoundoff: number): SingularComposite {
  const mean = (terms: readonly FloatSet[]): FloatSet =>
    a.divide(
      terms.reduce((sum, each) => a.add(sum, each), a.zero),
      only(terms.length),
    );
  const root = (context: Context<FloatSet>) => present(context[application.value], "a divergence");
  return {
    application,
    value: (context) => ({
      shape: [],
      data: [mean(operandsOf(application, context).map(([x, y]) => term(a, x, y)))],
    }),
    tangent: (context, tangents) => {
      const along = operandsOf(application, tangents);
      const terms = operandsOf(application, context).map(([x, y], position) => {
        const [xDot, yDot] = along[position] ?? [anything, anything];
        return tangentTerm(a, unitRoundoff, { x, y, xDot, yDot });
      });
      return filled(root(context), [terms.includes(anything) ? anything : mean(terms)]);
    },
    cotangents: (context, { data: [c = anything] }) => {
      const pairs = operandsOf(application, context);
      const [, y] = application.node.parents;
      const share = a.divide(c, only(pairs.length));
      const bars = pairs.map(([x, at]) => (areNumbers(share) ? slopeByY(a, share, x, at) : anything));
      const id = present(y, "an operand");
      return new Map([[id, filled(present(context[id], "y"), bars)]]);
    },
  };
}

/** Returns y (ln y − x), also as y ln y − y x. */
function term(a: Operations, x: FloatSet, y: FloatSet): FloatSet {
  const masked = areNumbers(x) ? zeros : union(zeros, nan);
  if (isZero(y)) return masked;
  const logarithm = a.log(y);
  const formulas = union(
    a.multiply(y, a.add(logarithm, a.negative(x))),
    a.add(a.multiply(y, logarithm), a.negative(a.multiply(y, x))),
  );
  return isOnly(y, "+", "far", "inf") ? formulas : union(formulas, masked);
}

interface Along {
  readonly x: FloatSet;
  readonly y: FloatSet;
  readonly xDot: FloatSet;
  readonly yDot: FloatSet;
}

/** Returns (ln y + 1 − x) ẏ − y ẋ. */
function tangentTerm(a: Operations, unitRoundoff: number, { x, y, xDot, yDot }: Along): FloatSet {
  if (![xDot, yDot].every(areNumbers)) return anything;
  if (isZero(y)) return slopeByY(a, yDot, x, y);
  if (!areNumbers(x) || !areNumbers(y)) return anything;
  if (isOnly(y, "-")) {
    const size = slopeSize(x, y) * sizeOfSet(yDot) + sizeOfSet(y) * sizeOfSet(xDot);
    return Number.isFinite(size) ? union(upTo(size * ABOUT), nan) : anything;
  }
  if (!isOnly(y, "+")) return anything;
  const slope = a.add(a.add(a.log(y), a.one), a.negative(x));
  const total = a.add(a.multiply(slope, yDot), a.negative(a.multiply(y, xDot)));
  const size = slopeSize(x, y) * sizeOfSet(yDot) + sizeOfSet(y) * sizeOfSet(xDot);
  return Number.isFinite(size) ? a.add(total, upTo(ROUNDINGS * unitRoundoff * size)) : anything;
}

/** This covers the roundings of a tangent's term in any of its forms, by the size of its parts. */
const ROUNDINGS = 32;

const ABOUT = 1 + 2 ** -6;

/** Returns |ln |y|| + 1 + |x|, where y is on one side of 0. */
function slopeSize(x: FloatSet, y: FloatSet): number {
  const logarithms = y.pieces.flatMap(({ low, high }) => [low, high].map((end) => Math.log(Math.abs(end))));
  return Math.max(...logarithms.map(Math.abs)) + 1 + sizeOfSet(x);
}

/** Returns c (ln y + 1 − x), where y is 0 or below. */
function slopeByY(a: Operations, c: FloatSet, x: FloatSet, y: FloatSet): FloatSet {
  const isNumber = !mayBe(x, "nan", "inf", "-inf");
  if (isZero(y)) {
    return union(a.negative(a.divide(c, ofKinds("0"))), zeros, nan, ...(isNumber ? [] : [infinities]));
  }
  if (!areNumbers(x) || !isOnly(y, "-")) return anything;
  const size = slopeSize(x, y) * sizeOfSet(c);
  return Number.isFinite(size) ? union(upTo(size * ABOUT), nan) : anything;
}
