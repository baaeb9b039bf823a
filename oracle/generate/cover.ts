import type { OperatorName } from "../../spec/composites/index.ts";

/** A sketch has what the order of a case depends on. */
export interface Sketch {
  readonly index: number;
  /** Each operator of the case is listed once. */
  readonly operators: readonly OperatorName[];
  /** The number of nodes stands for the cost of the case. */
  readonly nodes: number;
}

/** This is the order cases are asked in; the first `covering` of them have every operator that any has. */
export interface CoveringOrder {
  readonly indexes: readonly number[];
  readonly covering: number;
}

/**
 * Orders cases so that every operator is asked early: first those that add the most operators for their size,
 * until none is missing, then the others as they came. Greedy choice needs at most a logarithmic factor more
 * cases than the best order (Chvátal 1979). Law: `indexes` are those of the sketches, each once; the first
 * `covering` have the operators of all. Cost: `sketches.length` × `covering`.
 */
export function coveringOrder(sketches: readonly Sketch[]): CoveringOrder {
  const missing = new Set(sketches.flatMap(({ operators }) => operators));
  const left = new Set(sketches);
  const indexes: number[] = [];
  while (missing.size > 0) {
    const best = mostMissing(left, missing);
    if (best === undefined) break;
    left.delete(best);
    indexes.push(best.index);
    for (const op of best.operators) missing.delete(op);
  }
  return { indexes: [...indexes, ...Array.from(left, ({ index }) => index)], covering: indexes.length };
}

/** Returns the first case that adds the most. The count is squared, else a graph of one node always wins. */
function mostMissing(left: Iterable<Sketch>, missing: ReadonlySet<OperatorName>): Sketch | undefined {
  let best: { readonly sketch: Sketch; readonly worth: number } | undefined;
  for (const sketch of left) {
    const added = sketch.operators.filter((op) => missing.has(op)).length;
    const worth = added ** 2 / sketch.nodes;
    if (added > 0 && (best === undefined || worth > best.worth)) best = { sketch, worth };
  }
  return best?.sketch;
}
