import type { Reply } from "../../../engines/index.ts";
import { type FlatTensor, formatShape, isSameShape } from "../../../spec/index.ts";

/** What a check of an adapter came to. */
export type Outcome =
  | { readonly kind: "passed" }
  | { readonly kind: "failed"; readonly message: string; readonly hint: string }
  | { readonly kind: "skipped"; readonly reason: string };

/** One check of an adapter: what should be so, as a sentence or as `operator precision mode`, and whether it is. */
export interface SmokeStep {
  readonly name: string;
  readonly outcome: Outcome;
}

/**
 * Smoke looks for misunderstandings: a wrong axis, a swapped operand, a lost contribution. Rounding is the judge's
 * business, so this is no tolerance of ours but far above any precision's error and far below any misunderstanding's.
 */
const CLOSE = 1e-4;

export const passed: Outcome = { kind: "passed" };

/** The failed outcome. */
export function failed(message: string, hint: string): Outcome {
  return { kind: "failed", message, hint };
}

/** The outcome of an answer that should have been `expected`; `means` says what the answer is, for the hint. */
export function outcomeOf(
  reply: Reply<readonly FlatTensor[]>,
  expected: readonly FlatTensor[],
  means: string,
  isRight: (answer: number, expected: number) => boolean = isClose,
): Outcome {
  if (reply.kind !== "result") return refusalOutcome(reply, means);
  const difference = firstDifference(reply.value, expected, isRight);
  return difference === undefined ? passed : failed(difference, means);
}

/** The outcome where there is no answer. */
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

/** Whether the numbers are the same: −0 and 0 are not, NaN and NaN are. */
export const isSame: (answer: number, expected: number) => boolean = Object.is;

function isClose(answer: number, expected: number): boolean {
  return (
    Object.is(answer, expected) || Math.abs(answer - expected) <= CLOSE * Math.max(1, Math.abs(expected))
  );
}

function firstDifference(
  answer: readonly FlatTensor[],
  expected: readonly FlatTensor[],
  isRight: (answer: number, expected: number) => boolean,
): string | undefined {
  if (answer.length !== expected.length) return `${answer.length} tensors, where ${expected.length} are due`;
  for (const [position, { shape, data }] of expected.entries()) {
    const given = answer[position];
    if (given === undefined || !isSameShape(given.shape, shape)) {
      return `tensor ${position} has shape ${formatShape(given?.shape ?? [])}, not ${formatShape(shape)}`;
    }
    const wrong = data.findIndex((x, i) => !isRight(given.data[i] ?? Number.NaN, x));
    if (wrong >= 0) return `tensor ${position} is ${list(given.data)}, where ${list(data)} is right`;
  }
  return undefined;
}

function list(data: Float64Array): string {
  return `[${Array.from(data, (x) => (Object.is(x, -0) ? "-0" : `${x}`)).join(", ")}]`;
}
