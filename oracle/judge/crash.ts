import { Exhausted, floats } from "../../reference/index.ts";
import type { Engine } from "../../spec/contract/index.ts";
import { nodeId } from "../../spec/shapes/index.ts";
import type { DataType } from "../../spec/wire/index.ts";
import { type Case, runReference } from "../case/index.ts";
import { ask, ERROR_PREFIX } from "../hearing/index.ts";
import { nodeAlone } from "./excerpt.ts";

/** A verdict or an outcome is told by these. */
export interface Told {
  readonly kind: string;
  readonly message?: string;
}

/** Tells whether an engine did not answer in time, so that asking it again would take as long. */
export function hasHung(message: string): boolean {
  return message.includes("did not answer within");
}

/** Tells whether an engine broke down over what it was asked; one that is not started again was not asked. */
export function isBreakdown({ kind, message = "" }: Told): boolean {
  return kind === "crashed" && !message.startsWith(ERROR_PREFIX) && !message.startsWith("gave up");
}

/**
 * Returns the question that an engine broke down over as it is told: one node of it, with the reference's
 * numbers, if the engine breaks down over that too, else the question itself. Cost: a question for each node
 * until one breaks the engine, so a new process at most; nothing where it hung.
 */
export async function caseOfCrash(
  engine: Engine,
  question: Case,
  dtype: DataType,
  message: string,
): Promise<Case> {
  if (hasHung(message) || question.graph.nodes.length === 1) return question;
  try {
    const run = runReference(question, floats[dtype]);
    for (const position of question.graph.nodes.keys()) {
      const alone = nodeAlone(question, nodeId(question.graph.inputs.length + position), run);
      if (isBreakdown(await ask(engine, alone, dtype, []))) return alone;
    }
  } catch (thrown) {
    // The time may be over meanwhile; the crash stands.
    if (!(thrown instanceof Exhausted)) throw thrown;
  }
  return question;
}
