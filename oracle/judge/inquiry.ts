import type { OperatorName } from "../../spec/composites/index.ts";
import type { Engine } from "../../spec/contract/index.ts";
import { type Node, nodeAt } from "../../spec/graph/index.ts";
import { at, type NodeId } from "../../spec/shapes/index.ts";
import type { DataType } from "../../spec/wire/index.ts";
import type { Case, ReferenceRun } from "../case/index.ts";
import { ask, type Finding, type Law, type Outcome } from "../hearing/index.ts";
import { idealCotangents } from "../shrink/index.ts";
import { isolate } from "./excerpt.ts";

/** A wrong answer is looked into by asking the engine parts of the case, with the reference's numbers. */
export interface Inquiry {
  readonly engine: Engine;
  readonly question: Case;
  readonly dtype: DataType;
  readonly finding: Finding;
  readonly run: ReferenceRun;
}

/** A part of a case was judged; `open` if it was not answered, or could not be decided. */
export type Judged = "right" | "wrong" | "open";

/** Says how the part was judged that had this outcome. */
export function judgedOf({ kind }: Outcome): Judged {
  if (kind === "agrees") return "right";
  return kind === "differs" ? "wrong" : "open";
}

/** Asks a part of a case; for a wrong tangent only tangents count. */
export async function judged(
  { engine, dtype, finding }: Inquiry,
  part: Case,
  laws: readonly Law[],
): Promise<Judged> {
  const outcome = await ask(engine, part, dtype, laws);
  const isOther = outcome.kind === "differs" && outcome.finding.question !== "jvp";
  return finding.question === "jvp" && isOther ? "open" : judgedOf(outcome);
}

/** Tells whether operators other than a node's are wrong in its place, so that it is not the node's fault. */
export async function areStrangersWrong(
  inquiry: Inquiry,
  node: Node,
  laws: readonly Law[],
): Promise<boolean> {
  const { question, run } = inquiry;
  const [operand] = node.parents;
  if (operand === undefined) return false;
  const cotangent = idealCotangents(at(run.values, operand).shape);
  for (const op of (["sin", "tanh", "exp"] as const).filter((other) => other !== node.op)) {
    const stranger = { node: { op, attributes: {}, parents: [operand] }, cotangent };
    if ((await judged(inquiry, isolate(question, run, stranger).question, laws)) !== "wrong") return false;
  }
  return true;
}

/** Is said where no node is wrong alone, and none was left open. */
export const EVERY_NODE = "every node is right alone";

/** Says of parts that were judged alone how many are right, where none is wrong. */
export function toldAlone(right: number, all: number): string {
  if (all === 0) return "no node hands a derivative on";
  if (right === all) return EVERY_NODE;
  if (right === 0) return "no node could be judged alone";
  return `${right} of ${all} nodes are right alone, and no other could be judged so`;
}

/** Returns the operator of a node; `undefined` for an input. */
export function opOf({ graph }: Case, id: NodeId): OperatorName | undefined {
  return nodeAt(graph, id)?.op;
}

/** Names an id: `node 3 (add)`, `input 0`. */
export function nameOf(id: NodeId, op: OperatorName | undefined): string {
  return op === undefined ? `input ${id}` : `node ${id} (${op})`;
}
