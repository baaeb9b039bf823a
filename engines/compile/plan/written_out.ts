import type { OperatorName } from "../../../spec/composites/index.ts";
import { expandUnless } from "../../../spec/expansion/index.ts";
import type { Graph } from "../../../spec/graph/index.ts";
import { InvariantError, type NodeId } from "../../../spec/shapes/index.ts";
import { isLoweredGraph, type LoweredGraph, wholeNames } from "./lower/index.ts";
import { allows, type Regime } from "./rewrite.ts";

/** A graph that can be lowered. */
export interface Written {
  readonly graph: LoweredGraph;
  /** The ids, by id of the graph that was given. */
  readonly ids: readonly NodeId[];
  readonly output: NodeId;
}

/** Expands the composites that an engine has no formula for. Throws `RangeError` if there is no such id. */
export function writtenOut(graph: Graph, regime: Regime, output: number | undefined): Written {
  const isKept = (op: OperatorName): boolean =>
    allows(regime, "whole_composites") && wholeNames.some((name) => name === op);
  const { graph: expanded, ids } = expandUnless(graph, isKept);
  if (!isLoweredGraph(expanded)) throw new InvariantError("a composite is left in an expansion");
  const id = output ?? ids.length - 1;
  const place = ids[id];
  if (place === undefined) throw new RangeError(`no id ${id} to compute; the last one is ${ids.length - 1}.`);
  return { graph: expanded, ids, output: place };
}
