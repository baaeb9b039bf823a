import type { OperatorName } from "../../spec/composites/index.ts";
import { type Graph, operatorsWithin } from "../../spec/graph/index.ts";

/** A selection asks cases that have one of some operators, inner graphs included, and none of others. */
export interface Selection {
  /** If empty, cases with any operators are asked. */
  readonly operators: readonly OperatorName[];
  readonly excluded: readonly OperatorName[];
}

export const everything: Selection = { operators: [], excluded: [] };

/** Tells whether no case is left out. */
export function isAll({ operators, excluded }: Selection): boolean {
  return operators.length + excluded.length === 0;
}

/** Tells whether a graph is selected. */
export function isSelected({ operators, excluded }: Selection, graph: Graph): boolean {
  const own = new Set(operatorsWithin(graph));
  return (
    (operators.length === 0 || operators.some((op) => own.has(op))) && !excluded.some((op) => own.has(op))
  );
}

/** At most this many cases are drawn for each one wanted: one in a hundred has any given operator. */
const DRAWN_FOR_EACH = 100;

/**
 * Returns the first `cases` indexes of random questions whose graph is selected; fewer if a hundred times as
 * many have no more. An index names the same question as without a selection. Cost: 0.4 ms a graph.
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
