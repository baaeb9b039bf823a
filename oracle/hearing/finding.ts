import type { NodeId } from "../../spec/shapes/index.ts";
import type { LawName, Mode } from "../../spec/wire/index.ts";

/** A probe is what was asked when the answer was wrong: a mode, a tape, a hook on one, or a law. */
export type Probe = Mode | "sweep" | "hook" | LawName;

/** A finding is a component of an answer that no honest engine gives. Numbers are in exact text form. */
export interface Finding {
  readonly question: Probe;
  /** This is the id and element of the first component out of bounds. */
  readonly id: NodeId;
  readonly element: number;
  /** The number of the call, where the case has calls. */
  readonly call?: number;
  readonly answer: string;
  /** This is the true value, or for a law the value it must equal. */
  readonly expected: string;
  /** This is the derived bound on |answer − expected|. */
  readonly bound: string;
}

/** Writes the count of tensors, as answer and expected value of an answer with too many or too few. */
export function countText(tensors: number): string {
  return tensors === 1 ? "1 tensor" : `${tensors} tensors`;
}

/** Writes what stands in an argument that an engine has overwritten, as the answer of a finding. */
export function writtenText(found: string, argument: string): string {
  return `${found} written into ${argument}`;
}

/**
 * Tells whether no component of an answer is to blame: it has the wrong count of tensors, or the engine has
 * overwritten its arguments.
 */
export function isOfNoNode({ answer, expected }: Pick<Finding, "answer" | "expected">): boolean {
  const count = /^[0-9]+ tensors?$/;
  return isOverwritten({ answer }) || (count.test(answer) && count.test(expected));
}

/** Tells whether the engine has overwritten an argument. */
export function isOverwritten({ answer }: Pick<Finding, "answer">): boolean {
  return / written into the /.test(answer);
}
