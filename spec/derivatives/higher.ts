import type { Graph } from "../graph/index.ts";
import { fail, type Issue, type NodeId, ok, type Result } from "../shapes/index.ts";
import type { Derivative, Derived } from "./derive.ts";

/** Such a function derives a graph once: `derive`, or another way to the same. */
export type DeriveOnce = (
  graph: Graph,
  derivative: Derivative,
  mostNodes: number,
) => Result<Derived, Issue[]>;

/** A derived graph of some order, with words for its results and all its seeds. */
export interface DerivedAgain extends Derived {
  /** Each result is named: `cotangent of x`, `tangent of tangent of 2`. */
  readonly words: readonly string[];
}

/** A derived graph with more nodes is refused: no file of it could be read again. */
const MAXIMUM_NODES = 2 ** 17;

/** The greatest order. */
export const MAXIMUM_ORDER = 8;

/**
 * Returns the derivative of the derivative, a mode for each order. Each later order is of all results of the
 * one before by the same inputs: `vjp` twice, and `vjp` then `jvp`, are Hessian-vector products of a scalar,
 * `jvp` twice is a second derivative along directions. Seeds are those of every order, the first's first.
 * Fails: as `once` does; `derive/id` if a second order is by a computed value; `graph/expansion` beyond
 * {@link MAXIMUM_NODES}.
 */
export function deriveAgain(
  graph: Graph,
  { mode, of, wrt }: Derivative,
  further: readonly Derivative["mode"][],
  once: DeriveOnce,
): Result<DerivedAgain, Issue[]> {
  const computed = wrt.findIndex((id) => id >= graph.inputs.length);
  if (further.length > 0 && computed >= 0) return fail([notAnInput(computed)]);
  const name = (id: NodeId): string => graph.inputs[id]?.name ?? String(id);
  let latest: Derived = { graph: { ...graph, nodes: [] }, seeds: [], results: of };
  let words = of.map(name);
  let current = graph;
  const seeds: NodeId[] = [];
  for (const next of [mode, ...further]) {
    const derived = once(current, { mode: next, of: latest.results, wrt }, MAXIMUM_NODES);
    if (!derived.ok) return derived;
    latest = derived.value;
    current = latest.graph;
    // Inputs come first and keep their ids, so earlier seeds do.
    seeds.push(...latest.seeds);
    words =
      next === "vjp" ? wrt.map((id) => `cotangent of ${name(id)}`) : words.map((of) => `tangent of ${of}`);
  }
  return ok({ graph: latest.graph, results: latest.results, seeds, words });
}

function notAnInput(place: number): Issue {
  return {
    code: "derive/id",
    pointer: `/wrt/${place}`,
    message: "a second derivative is taken with respect to inputs, and this is a computed value.",
    hint: "give ids or names of inputs, or ask for the first order",
  };
}
