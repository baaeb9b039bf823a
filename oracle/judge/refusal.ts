import { floats } from "../../reference/index.ts";
import type { OperatorName } from "../../spec/composites/index.ts";
import { answerIn, type Engine } from "../../spec/contract/index.ts";
import { beyondLimits } from "../../spec/promises/index.ts";
import { nodeId } from "../../spec/shapes/index.ts";
import type { DataType, Mode } from "../../spec/wire/index.ts";
import { type Case, runReference } from "../case/index.ts";
import { operatorsOf } from "../hearing/index.ts";
import { nodeAlone } from "./excerpt.ts";
import { withoutNumbers } from "./judge.ts";

/** A case of which the engine promises every operator was declined: by the engine, or by the judge. */
export interface Refusal {
  /** It declines these alone too; if there are none, it declines only their company. */
  readonly operators: readonly OperatorName[];
  /** It declines the case in these; if there are none, it was not asked. */
  readonly modes: readonly Mode[];
}

/** The judge declined a case that takes too much, and nobody is charged with it. */
export const ofTheJudge: Refusal = { operators: [], modes: [] };

/** For one reason an operator is asked alone, and a case again, so often; then what was found holds. */
const ASKED_ALONE = 3;

/** This was found of one reason for declining. */
interface Reason {
  readonly modes: Set<Mode>;
  times: number;
  /** Each operator was granted alone so often, infinitely often if it was declined. */
  readonly alone: Map<OperatorName, number>;
}

/**
 * Charges the cases that an engine declines. A case is declined whole, though perhaps for one node only, so
 * its operators are asked alone, with the reference's operands. It is charged to those that are declined so,
 * or else to their company. An operator that was declined alone for a reason is charged with every case
 * declined for it. `undefined` where something in the case was never promised. Cost: for each reason, every
 * operator at most three times.
 */
export function refusals(
  engine: Engine,
  dtype: DataType,
): (question: Case, reason: string) => Promise<Refusal | undefined> {
  const { operators: offered, modes: all } = engine.describe();
  const reasons = new Map<string, Reason>();
  return async (question, text) => {
    const here = operatorsOf(question);
    if (!here.every((op) => offered.includes(op))) return undefined;
    if (beyondLimits(engine.describe(), question.graph) !== undefined) return undefined;
    const reason = reasons.get(withoutNumbers(text)) ?? { modes: new Set(), times: 0, alone: new Map() };
    reasons.set(withoutNumbers(text), reason);
    if (reason.times < ASKED_ALONE) {
      for (const mode of await declinedModes(engine, question, dtype)) reason.modes.add(mode);
      reason.times += 1;
    }
    // If it is granted when it is asked again, it was declined all the same.
    const modes = reason.modes.size > 0 ? [...reason.modes] : all;
    await askAlone(engine, question, dtype, { ...reason, modes: new Set(modes) });
    return { operators: here.filter((op) => reason.alone.get(op) === Number.POSITIVE_INFINITY), modes };
  };
}

/** Finds the modes in which an engine declines a case; all if it does not take the graph. */
async function declinedModes(engine: Engine, question: Case, dtype: DataType): Promise<readonly Mode[]> {
  const { modes } = engine.describe();
  const loaded = await engine.load(question.graph, dtype);
  if (loaded.kind === "unsupported") return modes;
  if (loaded.kind !== "result") return [];
  const declined: Mode[] = [];
  for (const mode of modes) {
    if ((await answerIn(loaded.value, mode, question)).kind === "unsupported") declined.push(mode);
  }
  await loaded.value.unload();
  return declined;
}

/** Asks each operator that is not known well enough alone, and notes whether a mode declines it. */
async function askAlone(
  engine: Engine,
  question: Case,
  dtype: DataType,
  { modes, alone }: Reason,
): Promise<void> {
  const times = (op: OperatorName): number => alone.get(op) ?? 0;
  if (operatorsOf(question).every((op) => times(op) >= ASKED_ALONE)) return;
  const run = runReference(question, floats[dtype]);
  for (const [position, { op }] of question.graph.nodes.entries()) {
    if (times(op) >= ASKED_ALONE) continue;
    const id = nodeId(question.graph.inputs.length + position);
    const declined = await declinedModes(engine, nodeAlone(question, id, run), dtype);
    alone.set(op, declined.some((mode) => modes.has(mode)) ? Number.POSITIVE_INFINITY : times(op) + 1);
  }
}
