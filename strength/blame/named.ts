import { type Engine, mutants } from "../../engines/index.ts";
import type { Case } from "../../oracle/case/case.ts";
import { searchedCase } from "../../oracle/generate/index.ts";
import { ask } from "../../oracle/hearing/ask.ts";
import { judge } from "../../oracle/judge/judge.ts";
import { laws } from "../../oracle/laws/index.ts";
import { oneOf, randomAt } from "../../oracle/random/index.ts";
import type { OperatorName } from "../../spec/index.ts";
import { type PairFault, pairFaultEngine } from "./pair_fault.ts";

/** At least this share of planted operators is named. */
export const LEAST_SHARE = 0.98;

/** A fault was planted at one operator, and this one was named. */
export interface Named {
  readonly fault: string;
  /** This case of the random search told it. */
  readonly index: number;
  readonly planted: OperatorName;
  readonly blamed: OperatorName | undefined;
  readonly sentence: string;
}

/** Judges a case; `undefined` where the engine is not wrong about it. */
async function named(
  engine: Engine,
  question: Case,
  planted: Omit<Named, "blamed" | "sentence">,
): Promise<Named | undefined> {
  if ((await ask(engine, question, "float64", laws)).kind !== "differs") return undefined;
  const verdict = await judge(engine, question, { dtype: "float64" });
  if (verdict.kind !== "disagrees") return undefined;
  const { op, sentence } = verdict.witness.blame;
  return { ...planted, blamed: op, sentence };
}

/** Yields whom the judge names for each mutant of one operator, on those of the cases that tell it. */
export async function* namedMutants(seed: number, indexes: readonly number[]): AsyncGenerator<Named> {
  for (const mutant of mutants) {
    const { name: fault, operator: planted } = mutant;
    if (planted === undefined) continue;
    for (const index of indexes) {
      const found = await named(mutant.engine(), searchedCase(seed, index), { fault, index, planted });
      if (found !== undefined) yield found;
    }
  }
}

const places = (["forward", "reverse"] as const).flatMap((direction) =>
  (["read", "reader"] as const).map((wrong) => ({ direction, wrong })),
);

/**
 * Plants four faults in case `index`, each at a pair of operators in it: either of the two is wrong where
 * they meet, forward or in reverse. Yields whom the judge names where the case tells the fault.
 */
export async function* namedPairs(seed: number, index: number): AsyncGenerator<Named> {
  const question = searchedCase(seed, index);
  const random = randomAt(seed, index);
  const [pair, ...others] = pairsOf(question);
  if (pair === undefined) return;
  for (const place of places) {
    const fault = { ...oneOf(random, [pair, ...others]), ...place };
    const planted = fault[fault.wrong];
    const name = `${fault.read} → ${fault.reader}: ${fault.wrong}, ${fault.direction}`;
    const found = await named(pairFaultEngine(fault), question, { fault: name, index, planted });
    if (found !== undefined) yield found;
  }
}

/** Lists the pairs of two operators of which a node of the second reads one of the first. */
function pairsOf({ graph: { inputs, nodes } }: Case): readonly Pick<PairFault, "read" | "reader">[] {
  return nodes.flatMap(({ op: reader, parents }) =>
    parents.flatMap((parent) => {
      const read = nodes[parent - inputs.length]?.op;
      return read === undefined || read === reader ? [] : [{ read, reader }];
    }),
  );
}
