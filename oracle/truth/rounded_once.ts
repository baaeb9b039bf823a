import { dyadicOf, notReal, roundToPosit } from "../../reference/index.ts";
import { isFloatType, positWidths } from "../../spec/wire/index.ts";
import type { Component, Interval, Judgement } from "./component.ts";
import { lazily } from "./lazily.ts";
import type { Standard } from "./standard.ts";

/**
 * `component`, of which it is known besides that it is the true value rounded once: then every other number is outside, as far as the intervals around that
 * value decide where it is rounded to. `intervals` of an exact value are that value, which may have no bound, or be none.
 */
export function roundedOnce(
  component: Component,
  { dtype }: Standard,
  intervals: () => Iterable<Interval>,
): Component {
  if (isFloatType(dtype)) return component;
  const width = positWidths[dtype];
  const only = lazily(() => {
    for (const { low, high } of intervals()) {
      const code = roundToPosit(width, low);
      if (code === roundToPosit(width, high)) return numberOf(width, code);
    }
    return undefined;
  });
  const judge = (answer: number): Judgement => {
    const one = only();
    if (one === undefined) return component.judge(answer);
    return answer === one || (Number.isNaN(answer) && Number.isNaN(one)) ? "within" : "outside";
  };
  return {
    judge,
    get expected() {
      return component.expected;
    },
    get allowed() {
      return String(only() ?? component.allowed);
    },
    get isOpen() {
      return only() === undefined && component.isOpen;
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

function numberOf(width: number, code: bigint): number {
  if (code === notReal(width)) return Number.NaN;
  const { significand, exponent } = dyadicOf(width, code);
  return Number(significand) * 2 ** exponent;
}
