import type { Derived } from "../../spec/derivatives/index.ts";
import { derive } from "../../spec/expansion/index.ts";
import type { Graph } from "../../spec/graph/index.ts";
import { at, type Issue, type NodeId, ok, type Result, sizeOf } from "../../spec/shapes/index.ts";
import { nameOfId, namesInExpansion } from "../case/index.ts";
import type { Box, Boxed } from "./box.ts";
import { forwardEstimate } from "./forward_estimate.ts";
import { steadyExpansion } from "./steady.ts";

/** A derivative may have at most this many nodes. */
const MOST_NODES = 20_000;

/** These results are asked about, and gradients with respect to these, over a box. */
export interface RunsAsked {
  readonly of: readonly NodeId[];
  readonly wrt: readonly NodeId[];
  readonly box: Box;
}

/** A run is a graph of primitives with its results, and names for its values. */
export interface Run {
  readonly name: string;
  readonly boxed: Boxed;
  readonly results: readonly NodeId[];
  readonly names: (id: NodeId) => string;
}

/**
 * Writes the graph, its gradient with cotangents of ones, and a forward gradient along directions between −1
 * and 1, as far as they are asked about, each of {@link steadyExpansion}. Fails: as {@link derive} does.
 */
export function runsOf(original: Graph, { of, wrt, box }: RunsAsked): Result<readonly Run[], Issue[]> {
  const expansion = steadyExpansion(original);
  const { graph, ids } = expansion;
  const plain = (all: readonly NodeId[]): NodeId[] => all.map((id) => at(ids, id));
  const asked = { of: plain(of), wrt: plain(wrt), box };
  const forward: Run = {
    name: "the graph",
    boxed: { graph, box },
    results: asked.of,
    names: namesInExpansion(original, expansion),
  };
  const gradient = asked.wrt.length === 0 ? undefined : gradientRun(graph, asked);
  if (gradient?.ok === false) return gradient;
  const estimate = hasEstimate(graph, asked) ? estimateRun(graph, asked) : undefined;
  if (estimate?.ok === false) return estimate;
  return ok([forward, gradient?.value ?? [], estimate?.value ?? []].flat());
}

function gradientRun(original: Graph, { of, wrt, box }: RunsAsked): Result<Run, Issue[]> {
  const derived = derive(original, { mode: "vjp", of, wrt }, MOST_NODES);
  return derived.ok ? ok(derivedRun("its gradient", derived.value, box, 1)) : derived;
}

/** Tells whether a gradient can be estimated forward: along directions of inputs. */
function hasEstimate({ inputs }: Graph, { of, wrt }: RunsAsked): boolean {
  return of.length > 0 && wrt.length > 0 && wrt.every((id) => id < inputs.length);
}

function estimateRun(original: Graph, { of, wrt, box }: RunsAsked): Result<Run, Issue[]> {
  const derived = forwardEstimate(original, of, wrt, MOST_NODES);
  return derived.ok ? ok(derivedRun("a forward gradient", derived.value, box, -1)) : derived;
}

/** Makes a run of a derived graph, each of whose seeds lies between `least` and 1. */
function derivedRun(name: string, { graph, results, seeds }: Derived, box: Box, least: number): Run {
  const ranges = seeds.map((id) => {
    const high = Array.from({ length: sizeOf(at(graph.inputs, id).shape) }, () => 1);
    return { low: high.map(() => least), high };
  });
  return {
    name,
    boxed: { graph, box: { ...box, inputs: [...box.inputs, ...ranges] } },
    results,
    names: (id) => nameOfId(graph, id),
  };
}
