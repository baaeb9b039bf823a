import type { NodeId } from "../../spec/shapes/index.ts";
import type { LawName, Mode } from "../../spec/wire/index.ts";

/** What was asked when the answer was wrong: a mode of the engine, a tape, a hook on one, or a law between its own answers. */
export type Probe = Mode | "sweep" | "hook" | LawName;

/** One component of an answer that no honest engine gives. Numbers are in exact text form. */
export interface Finding {
  readonly question: Probe;
  /** The id and element of the first component that is out of bounds. */
  readonly id: NodeId;
  readonly element: number;
  readonly answer: string;
  /** The true value, or for a law the value it must equal. */
  readonly expected: string;
  /** The derived bound on |answer − expected|. */
  readonly bound: string;
}

/** As the answer and the expected value of an answer that has too many tensors or too few. */
export function countText(tensors: number): string {
  return tensors === 1 ? "1 tensor" : `${tensors} tensors`;
}

/** Whether what is wrong with an answer is how many tensors it has: then no component was looked at, and none is to blame. */
export function isMiscount({ answer, expected }: Finding): boolean {
  const count = /^[0-9]+ tensors?$/;
  return count.test(answer) && count.test(expected);
}
