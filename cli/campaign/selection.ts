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
 * Finds the first `cases` indexes of random questions whose graph is selected; fewer if a hundred times as
 * many have no more. An index names the same question as without a selection. Each is found when it is taken,
 * at a cost of 0.4 ms a graph that is looked at.
 */
export function* selectedIndexes(
  selection: Selection,
  cases: number,
  offered: readonly OperatorName[],
  graphAt: (index: number) => Graph,
): Generator<number, undefined> {
  const isWhole = isAll(selection);
  const isOffered =
    selection.operators.length === 0 || selection.operators.some((op) => offered.includes(op));
  if (!isOffered) return;
  let found = 0;
  for (let index = 0; found < cases && index < DRAWN_FOR_EACH * cases; index++) {
    if (!isWhole && !isSelected(selection, graphAt(index))) continue;
    found += 1;
    yield index;
  }
}
