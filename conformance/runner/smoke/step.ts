import type { OperatorName } from "../../../spec/composites/index.ts";
import type { Reply } from "../../../spec/contract/index.ts";
import { formatShape, isSameShape } from "../../../spec/shapes/index.ts";
import type { DataType, FlatTensor, Mode } from "../../../spec/wire/index.ts";

/** A check of an adapter has one of these outcomes. */
export type Outcome =
  | { readonly kind: "passed" }
  | {
      readonly kind: "failed";
      readonly message: string;
      readonly hint: string;
      /** The answer has the right count and shapes of tensors, and only its numbers are wrong. */
      readonly areNumbersAlone: boolean;
      /** The answer has another count or other shapes of tensors. */
      readonly isMisfit?: true;
    }
  | { readonly kind: "skipped"; readonly reason: string };

/**
 * Returns what failed steps of one cause have in common: what was said, for any operator and any request.
 * Wrong numbers and shapes are told of each step by itself, and have none.
 */
export function causeOf({ subject, outcome }: SmokeStep): string | undefined {
  if (outcome.kind !== "failed" || outcome.areNumbersAlone || outcome.isMisfit === true) return undefined;
  const anyRequest = outcome.message.replaceAll(/\b(request|program|id|pid) \d+/g, "$1 #");
  return subject === undefined
    ? anyRequest
    : anyRequest.replaceAll(new RegExp(`\\b${subject.op}\\b`, "g"), "OP");
}

/** A step checks one thing of an adapter; its name is a sentence or `operator precision mode`. */
export interface SmokeStep {
  readonly name: string;
  /** The step asked this, if it was an operator's example. */
  readonly subject?: Subject;
  readonly outcome: Outcome;
}

/** An operator, in a precision and a mode. */
export interface Subject {
  readonly op: OperatorName;
  readonly dtype: DataType;
  readonly mode: Mode;
  /** The attributes were those of this variant of the example. */
  readonly variant?: string;
}

/**
 * Smoke looks for misunderstandings: a wrong axis, a swapped operand, a lost contribution. The judge looks at
 * rounding, so this is far above any precision's error and far below any misunderstanding's.
 */
const CLOSE = 1e-4;

export const passed: Outcome = { kind: "passed" };

/** Returns the failed outcome. */
export function failed(
  message: string,
  hint: string,
  areNumbersAlone = false,
): Extract<Outcome, { kind: "failed" }> {
  return { kind: "failed", message, hint, areNumbersAlone };
}

/** Compares an answer with what was `expected`; `means` says what the answer is, for the hint. */
export function outcomeOf(
  reply: Reply<readonly FlatTensor[]>,
  expected: readonly FlatTensor[],
  means: string,
  isRight: (answer: number, expected: number) => boolean = isClose,
): Outcome {
  if (reply.kind !== "result") return refusalOutcome(reply, means);
  const misfit = firstMisfit(reply.value, expected);
  if (misfit !== undefined) return { ...failed(misfit, means), isMisfit: true };
  const difference = firstDifference(reply.value, expected, isRight);
  return difference === undefined ? passed : failed(difference, means, true);
}

/** Returns the outcome where there is no answer. */
export function refusalOutcome(reply: Exclude<Reply<never>, { kind: "result" }>, means: string): Outcome {
  switch (reply.kind) {
    case "unsupported":
      return failed(`declined, though promised: ${reply.reason}`, "promise less in hello, or implement it");
    case "error":
      return failed(`answered with an error: ${reply.message}`, means);
    case "crashed":
      return reply.message.startsWith("gave up")
        ? { kind: "skipped", reason: reply.message }
        : failed(reply.message, "the process must survive every request and answer each with one line");
  }
}

/** Tells whether the numbers are the same: −0 and 0 are not, NaN and NaN are. */
export const isSame: (answer: number, expected: number) => boolean = Object.is;

function isClose(answer: number, expected: number): boolean {
  return (
    Object.is(answer, expected) || Math.abs(answer - expected) <= CLOSE * Math.max(1, Math.abs(expected))
  );
}

function firstMisfit(answer: readonly FlatTensor[], expected: readonly FlatTensor[]): string | undefined {
  if (answer.length !== expected.length) return `${answer.length} tensors, where ${expected.length} are due`;
  const position = expected.findIndex(({ shape }, i) => !isSameShape(answer[i]?.shape ?? [], shape));
  const due = expected[position];
  if (due === undefined) return undefined;
  return `tensor ${position} has shape ${formatShape(answer[position]?.shape ?? [])}, not ${formatShape(due.shape)}`;
}

function firstDifference(
  answer: readonly FlatTensor[],
  expected: readonly FlatTensor[],
  isRight: (answer: number, expected: number) => boolean,
): string | undefined {
  for (const [position, { data }] of expected.entries()) {
    const given = answer[position]?.data ?? new Float64Array();
    const wrong = data.findIndex((x, i) => !isRight(given[i] ?? Number.NaN, x));
    if (wrong >= 0) return `tensor ${position} is ${list(given)}, where ${list(data)} is right`;
  }
  return undefined;
}

function list(data: Float64Array): string {
  return `[${Array.from(data, (x) => (Object.is(x, -0) ? "-0" : `${x}`)).join(", ")}]`;
}
