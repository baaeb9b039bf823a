import type { OperatorName } from "../../spec/composites/index.ts";
import { floatAt, nodeId } from "../../spec/shapes/index.ts";
import { type FlatTensor, formatFloat64, type Mode } from "../../spec/wire/index.ts";
import {
  type Component,
  type Part,
  slopesTakenFromValue,
  truthOf,
  withAccurateSlopesOf,
} from "../truth/index.ts";
import type { Hearing } from "./hearing.ts";

/** So many numbers of an answer agree without a right digit; the first of them is told. */
export interface ImpreciseNumbers {
  readonly numbers: number;
  readonly first: { readonly mode: Mode; readonly answer: string; readonly expected: string };
}

/** Numbers without a right digit count for each operator whose slope may have been taken from its value. */
export type Imprecise = ReadonlyMap<OperatorName, ImpreciseNumbers>;

const none: Imprecise = new Map();

/** A relative error of this much leaves no digit. */
const NO_DIGIT = 0.1;

/**
 * Finds the numbers of an answer that agrees of which no digit is right, and which an engine that declares
 * accurate slopes may not answer. An engine that declares them has none. Cost: a look at each number, and
 * where a digit is not certain, the truth for accurate slopes.
 */
export function impreciseIn(
  { question, standard, truth }: Pick<Hearing, "question" | "standard" | "truth">,
  mode: Mode,
  part: Part,
  first: number,
  answer: readonly FlatTensor[],
): Imprecise {
  if (standard.slopes === "accurate" || part === "value") return none;
  const operators = slopesTakenFromValue(question.graph);
  if (operators.size === 0) return none;
  let numbers = 0;
  let told: ImpreciseNumbers["first"] | undefined;
  for (const [place, { data }] of answer.entries()) {
    const id = nodeId(first + place);
    for (const [element, { near }] of truth[part](id).entries()) {
      const given = floatAt(data, element);
      if (hasDigit(near, given)) continue;
      const accurate = truthOf(question, withAccurateSlopesOf(standard))[part](id)[element];
      if (accurate === undefined || !isWithoutDigit(accurate, given)) continue;
      numbers += 1;
      told ??= { mode, answer: formatFloat64(given), expected: accurate.expected };
    }
  }
  return new Map(told === undefined ? [] : [...operators].map((op) => [op, { numbers, first: told }]));
}

/** Tells whether an answer certainly has a right digit, or nothing is known of its error. */
function hasDigit({ value, slack, bound }: Component["near"], answer: number): boolean {
  if (!Number.isFinite(bound)) return true;
  return Math.abs(answer - value) + slack <= NO_DIGIT * (Math.abs(value) - slack);
}

/** Tells whether an answer certainly has no right digit, and accurate slopes lead to another. */
function isWithoutDigit(accurate: Component, answer: number): boolean {
  if (accurate.judge(answer) !== "outside") return false;
  const { value, slack } = accurate.near;
  return Math.abs(answer - value) - slack > NO_DIGIT * (Math.abs(value) + slack);
}
