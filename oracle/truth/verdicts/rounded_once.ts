import { dyadicOf, notReal, roundToPosit } from "../../../reference/index.ts";
import { isFloatType, type PositFormat, positFormats } from "../../../spec/wire/index.ts";
import { lazily } from "../lazily.ts";
import type { Standard } from "../standard/index.ts";
import { type Component, type Interval, type Judgement, judgedBy } from "./component.ts";

/**
 * Returns `component` as the true value of a posit rounded once: every other number is outside, as far as the
 * intervals decide where it is rounded to. An exact value's interval is that value, which may have no bound.
 */
export function roundedOnce(
  component: Component,
  { dtype }: Standard,
  intervals: () => Iterable<Interval>,
): Component {
  if (isFloatType(dtype)) return component;
  const format = positFormats[dtype];
  const only = lazily(() => {
    for (const { low, high } of intervals()) {
      const code = roundToPosit(format, low);
      if (code === roundToPosit(format, high)) return numberOf(format, code);
    }
    return undefined;
  });
  const judge = (answer: number): Judgement => {
    const one = only();
    if (one === undefined) return component.judge(answer);
    return answer === one || (Number.isNaN(answer) && Number.isNaN(one)) ? "within" : "outside";
  };
  return judgedBy(component, judge, {
    allowed: () => String(only() ?? component.allowed),
    isOpen: () => only() === undefined && component.isOpen,
  });
}

function numberOf(format: PositFormat, code: bigint): number {
  if (code === notReal(format)) return Number.NaN;
  const { significand, exponent } = dyadicOf(format, code);
  return Number(significand) * 2 ** exponent;
}
