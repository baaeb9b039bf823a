import type { OperatorName } from "../../spec/operators/index.ts";

/** A case as far as its place in an order goes. */
export interface Sketch {
  readonly index: number;
  /** Each once. */
  readonly operators: readonly OperatorName[];
  /** How many nodes it has: about what it costs. */
  readonly nodes: number;
}

/** Cases in the order they are asked in, and how many of the first of them have every operator that any has. */
export interface CoveringOrder {
  readonly indexes: readonly number[];
  readonly covering: number;
}

/**
 * The cases in an order in which every operator that any of them has is asked early: first those that add the most
 * operators for their size, until none is missing, then the others as they came. Greedy, so at most a logarithm more than the
 * fewest that do (Chvátal 1979). Law: `indexes` are those of the sketches, each once; the first `covering` have the operators of
 * all. Cost: sketches times covering.
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

/** The first case that adds the most; squared, for else a graph of one node is always the best bargain. */
function mostMissing(left: Iterable<Sketch>, missing: ReadonlySet<OperatorName>): Sketch | undefined {
  let best: { readonly sketch: Sketch; readonly worth: number } | undefined;
  for (const sketch of left) {
    const added = sketch.operators.filter((op) => missing.has(op)).length;
    const worth = added ** 2 / sketch.nodes;
    if (added > 0 && (best === undefined || worth > best.worth)) best = { sketch, worth };
  }
  return best?.sketch;
}
