import { compareRationals, type Rational, rational, rationalFromNumber } from "../../reference/index.ts";
import type { FlatTensor } from "../../spec/wire/index.ts";
import type { Component } from "../truth/index.ts";

/** A pairing is the exact dot product of answers with given numbers, and how far the answers may be off. */
export interface Pairing {
  readonly value: Rational;
  readonly slack: Rational;
}

const field = rational.levels.field;

/** Nothing is paired yet. */
export const noPairing: Pairing = { value: rational.additive.zero, slack: rational.additive.zero };

/**
 * Adds `Σ answerᵢ · givenᵢ`, exactly, with a slack of `Σ boundᵢ · |givenᵢ|`. If an answer or a
 * bound that meets a nonzero `givenᵢ` is not finite, nothing can be said.
 */
export function pair(
  total: Pairing,
  answer: FlatTensor,
  given: FlatTensor,
  truth: readonly Component[],
): Pairing {
  if (field === undefined) return total;
  let { value, slack } = total;
  for (const [element, x] of answer.data.entries()) {
    const g = given.data[element] ?? 0;
    if (g === 0) continue;
    const product = field.multiply(rationalFromNumber(x), rationalFromNumber(g));
    const room = field.multiply(
      rationalFromNumber(truth[element]?.bound ?? 0),
      rationalFromNumber(Math.abs(g)),
    );
    value = field.add(value, product);
    slack = field.add(slack, room);
  }
  return { value, slack };
}

/** Tells whether two pairings of the same thing can be equal; `undefined` where one is not finite. */
export function canBeEqual(a: Pairing, b: Pairing): boolean | undefined {
  if (field === undefined) return undefined;
  const difference = field.add(a.value, field.negative(b.value));
  const size = difference.numerator < 0n ? field.negative(difference) : difference;
  const order = compareRationals(size, field.add(a.slack, b.slack));
  return order === undefined ? undefined : order <= 0;
}
