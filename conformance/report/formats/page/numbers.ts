import { MOST_DIGITS, type Witness } from "../../../../oracle/hearing/index.ts";
import { approximateRational } from "../../../../oracle/truth/centre/index.ts";
import { type Rational, rationalOf } from "../../../../reference/index.ts";
import { visible } from "../../../../spec/shapes/index.ts";
import type { WitnessJson } from "../../../../spec/wire/index.ts";
import { finiteNumber, showExact } from "../../show.ts";
import { wrongNumber } from "../../witness_lines.ts";
import type { PageNumbers } from "./browser/data.ts";

/** An answer, what was expected, and the error allowed: as in a witness, in exact text. */
export type Answered = Pick<WitnessJson, "answer" | "expected" | "bound">;

/** Returns a witness's numbers, and where the answer lies. */
export function numbersOf(witness: Witness): PageNumbers {
  const { got, want, place, off } = wrongNumber(witness, false);
  const exact = wrongNumber(witness, true);
  const distance = boundsAway(witness);
  return {
    place: visible(place),
    got: visible(got),
    want: visible(want),
    ...(off === undefined ? {} : { off }),
    exact: { got: visible(exact.got), want: visible(exact.want) },
    sentence: sentenceOf(witness, distance),
    ...(distance === undefined || !Number.isFinite(distance) ? {} : { distance }),
  };
}

function sentenceOf({ answer }: Answered, distance: number | undefined): string {
  if (distance === undefined)
    return `No number lies where ${visible(showExact(answer))} does: there is no distance to tell.`;
  if (!Number.isFinite(distance)) return "The bound is 0: nothing but the expected number is right.";
  const side = distance < 0 ? "below" : "above";
  const times = Math.abs(distance);
  const told = times < 1e6 ? Number(times.toPrecision(3)) : times.toExponential(1);
  return `The answer is ${told} times the bound ${side} what is expected.`;
}

/**
 * Returns (answer − expected) / bound, certified within −1 … 1: exact, then rounded once. Infinite where the
 * bound is 0; `undefined` where one of the three is no finite number.
 */
export function boundsAway({ answer, expected, bound }: Answered): number | undefined {
  const difference = differenceOf(answer, expected);
  const allowed = finiteNumber(bound);
  if (difference === undefined || allowed === undefined) return undefined;
  if (allowed.numerator === 0n) return difference.numerator < 0n ? -Infinity : Infinity;
  return approximateRational(
    rationalOf(difference.numerator * allowed.denominator, difference.denominator * allowed.numerator),
  );
}

/** Returns how many decimal digits are right, 0 to {@link MOST_DIGITS}; 0 where there is no number. */
export function rightDigits({ answer, expected }: Answered): number {
  const [distance, truth] = [differenceOf(answer, expected), finiteNumber(expected)];
  if (distance === undefined || truth === undefined) return 0;
  if (distance.numerator === 0n) return MOST_DIGITS;
  if (truth.numerator === 0n) return 0;
  const ratio = approximateRational(
    rationalOf(distance.numerator * truth.denominator, distance.denominator * truth.numerator),
  );
  return Math.min(Math.max(-Math.log10(Math.abs(ratio)), 0), MOST_DIGITS);
}

function differenceOf(answer: string, expected: string): Rational | undefined {
  const [x, y] = [finiteNumber(answer), finiteNumber(expected)];
  if (x === undefined || y === undefined) return undefined;
  return rationalOf(x.numerator * y.denominator - y.numerator * x.denominator, x.denominator * y.denominator);
}
