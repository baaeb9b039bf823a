import { type Graph, operatorsWithin } from "../../spec/graph/index.ts";
import type { OperatorName } from "../../spec/operators/index.ts";

/** Which of all cases are asked: those that have one of some operators, in an inner graph too, and none of others. */
export interface Selection {
  /** Empty: whatever they have. */
  readonly operators: readonly OperatorName[];
  readonly excluded: readonly OperatorName[];
}

/** All cases. */
export const everything: Selection = { operators: [], excluded: [] };

/** Whether no case is left out. */
export function isAll({ operators, excluded }: Selection): boolean {
  return operators.length + excluded.length === 0;
}

/** Whether a graph is one of those. */
export function isSelected({ operators, excluded }: Selection, graph: Graph): boolean {
  const own = new Set(operatorsWithin(graph));
  return (
    (operators.length === 0 || operators.some((op) => own.has(op))) && !excluded.some((op) => own.has(op))
  );
}

/** For each case that is wanted so many are drawn at most. The mix has every operator in one of a hundred cases. */
const DRAWN_FOR_EACH = 100;

/**
 * The indexes of the first so many random questions whose graph is selected; fewer where a hundred times as many have no more. Each is the same as without
 * a selection, so it is replayed by the same line. Cost: nothing where all are; else some 0.4 ms for each that is looked at.
 */
export function selectedIndexes(
  selection: Selection,
  cases: number,
  offered: readonly OperatorName[],
  graphAt: (index: number) => Graph,
): number[] {
  if (isAll(selection)) return Array.from({ length: cases }, (_, index) => index);
  const isOffered =
    selection.operators.length === 0 || selection.operators.some((op) => offered.includes(op));
  if (!isOffered) return [];
  const found: number[] = [];
  for (let index = 0; found.length < cases && index < DRAWN_FOR_EACH * cases; index++)
    if (isSelected(selection, graphAt(index))) found.push(index);
  return found;
}
