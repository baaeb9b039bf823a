import type { Outcome } from "../hearing/index.ts";

/** A part of a case was judged; `open` if it was not answered, or could not be decided. */
export type Judged = "right" | "wrong" | "open";

/** Says how the part was judged that had this outcome. */
export function judgedOf({ kind }: Outcome): Judged {
  if (kind === "agrees") return "right";
  return kind === "differs" ? "wrong" : "open";
}

/** Says of parts that were judged alone how many are right, where none is wrong. */
export function toldAlone(right: number, all: number): string {
  if (all === 0) return "no node hands a derivative on";
  if (right === all) return "every node is right alone";
  if (right === 0) return "no node could be judged alone";
  return `${right} of ${all} nodes are right alone, and no other could be judged so`;
}
