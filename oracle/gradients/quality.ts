import { shapesOf } from "../../spec/expansion/index.ts";
import type { Graph } from "../../spec/graph/index.ts";
import { at, type NodeId, sizeOf } from "../../spec/shapes/index.ts";
import type { Mode } from "../diagnosis/coeffects/index.ts";

/** Counts the numbers of a gradient. */
export function elementsOf(graph: Graph, wrt: readonly NodeId[]): number {
  const shapes = shapesOf(graph);
  return wrt.reduce((sum, id) => sum + sizeOf(at(shapes, id)), 0);
}

/** A mode gives a gradient that is so good, or none, for this reason. */
export interface Quality {
  readonly isGiven: boolean;
  readonly quality: string;
}

/**
 * Says how good the gradient by some ids is in a mode. Forward it is the mean of (∇f · v) v over the
 * directions, independent and of entries ±1: without bias, and of variance (d − 1) ‖∇f‖² / k, if it has d
 * numbers [Baydin et al., Gradients without Backpropagation (2022);
 * `reference/forward_gradient/formulas.ts`].
 */
export function qualityOf(graph: Graph, wrt: readonly NodeId[], mode: Mode): Quality {
  if (mode.kind !== "forward") return { isGiven: true, quality: "exact but for rounding" };
  if (mode.tangents === 0) return { isGiven: false, quality: "none: without a direction there is no slope" };
  if (wrt.some((id) => id >= graph.inputs.length))
    return { isGiven: false, quality: "none: only inputs are moved along a direction" };
  const [most, k] = [elementsOf(graph, wrt) - 1, mode.tangents];
  if (most < 1) return { isGiven: true, quality: "exact but for rounding, having one number" };
  const factor = most % k === 0 ? (most === k ? "" : `${most / k} `) : `${most}/${k} `;
  return { isGiven: true, quality: `unbiased, of variance ${factor}‖∇f‖², along ±1` };
}
