import { type OperatorName, operatorNames } from "../../spec/composites/index.ts";
import type { Case } from "../case/index.ts";
import { isReadable } from "./ranks.ts";

/** A pair is one operator that reads another's result, written `softmax → matmul`. */
export type PairName = `${OperatorName} → ${OperatorName}`;

/** A derivative reads and gives whatever its inner graph does. */
const ordinary: readonly OperatorName[] = operatorNames.filter((op) => op !== "differentiate");

/** Lists every pair of these operators for which there are shapes and attributes that fit. */
export function readablePairs(operators: readonly OperatorName[] = ordinary): readonly PairName[] {
  return operators.flatMap((read) =>
    operators.flatMap((reader): PairName[] => (isReadable(read, reader) ? [`${read} → ${reader}`] : [])),
  );
}

/** Lists the pairs of a case: for each node that reads another, the two operators. Inputs do not count. */
export function pairsIn({ graph: { inputs, nodes } }: Case): readonly PairName[] {
  return nodes.flatMap(({ op, parents }) =>
    parents.flatMap((parent): PairName[] => {
      const read = nodes[parent - inputs.length];
      return read === undefined ? [] : [`${read.op} → ${op}`];
    }),
  );
}

/** Collects all pairs that occur in some of the cases. */
export function pairsOf(questions: Iterable<Case>): ReadonlySet<PairName> {
  const seen = new Set<PairName>();
  for (const question of questions) for (const pair of pairsIn(question)) seen.add(pair);
  return seen;
}
