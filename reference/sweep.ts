import { type Additive, at, type NodeId, nodeId } from "../spec/shapes/index.ts";
import { type Context, entry, type SparseContext } from "./context.ts";
import type { Environment } from "./environment.ts";
import { type GraphData, pullBack } from "./graph.ts";
import { addTensors, sumTensors, type Tensor, zeros } from "./tensor.ts";

/*
 * The functions of `definition.ts` as loops for graphs of any size, linear in nodes and edges, and the sparse
 * form. Tests hold them equal to the definition, to the bit over floats, on graphs of operators and on nodes
 * that keep no law (`sweep.test.ts`, `tests/theorems.test.ts`, which also tell wrong loops from it). Lean
 * proves, for every graph, what the one loop does that is not the definition unrolled: see {@link
 * backpropAllCtx}.
 */

/** Returns the context of all values. Law: `evaluate` of the definition. */
export function evaluate<S>(graph: GraphData<S>, x: Context<S>, environment: Environment<S>): Context<S> {
  const context = [...x];
  for (const node of graph.nodes) context.push(node.forward(context, environment));
  return context;
}

/** Returns the context of all tangents along `dx`. Law: `jvpCtx` of the definition. */
export function jvpCtx<S>(
  graph: GraphData<S>,
  x: Context<S>,
  dx: Context<S>,
  environment: Environment<S>,
): Context<S> {
  const context = [...x];
  const tangents = [...dx];
  for (const node of graph.nodes) {
    const tangent = node.jvp(context, tangents, environment);
    context.push(node.forward(context, environment));
    tangents.push(tangent);
  }
  return tangents;
}

/**
 * Returns the cotangents of `Γ`. Law: `backpropCtx` of the definition, since that is the beginning of its
 * `backpropAllCtx` (`backpropCtx_eq_inputs` in Lean's `Theorems/Seed.lean`).
 */
export function backpropCtx<S>(
  algebra: Additive<S>,
  graph: GraphData<S>,
  x: Context<S>,
  environment: Environment<S>,
  seed: Context<S>,
): Context<S> {
  return backpropAllCtx(algebra, graph, x, environment, seed).slice(0, x.length);
}

/**
 * The cotangents of `Γ ++ ss`, inputs and intermediates: the dense form.
 *
 * The definition adds to a slot once for each later node: what the node lists for it, or else a zero. This
 * loop adds what is listed and, if a zero was left out, one zero when the slot's turn comes. It may wherever
 *
 *     x + 0 + y = x + y + 0    a zero may wait until the rest is added,
 *     x + 0 + 0 = x + 0        and then one does for many.
 *
 * Where 0 is neutral, both hold. Over floats −0 + 0 is +0, but they hold too: x + 0 is x for every other x
 * (all NaNs being one), so it is never −0, and the second holds. Of the first, both sides are x + y if
 * neither x nor x + y is −0. Rounded to nearest, x + y is −0 only if both are: then both sides are +0. If x
 * alone is −0, both are y. Dual numbers are pairs of such. An `Additive` owes no law: over terms that nothing
 * simplifies this is another term than the definition's.
 *
 * An algebra that has sums of its own is not asked for these: {@link cotangentsSummed}.
 *
 * Law: `backpropAllCtx` of the definition wherever the two hold. Lean has it of a model of this loop that
 * owes zeros (`backpropLate_eq_backpropAllCtx`, `Theorems/Shortcut.lean`), and both equations of the signs of
 * zero (`SignedZero.late`, `SignedZero.idempotent`, `Refutations/Laws.lean`).
 */
export function backpropAllCtx<S>(
  algebra: Additive<S>,
  graph: GraphData<S>,
  x: Context<S>,
  environment: Environment<S>,
  seed: Context<S>,
): Context<S> {
  const context = evaluate(graph, x, environment);
  if (algebra.sum !== undefined) {
    const seeds = new Map(seed.map((c, id) => [nodeId(id), c] as const));
    const summed = cotangentsSummed(algebra, graph, context, environment, seeds);
    return seed.map((c, id) => summed.get(nodeId(id)) ?? c);
  }
  const cotangents = [...seed];
  const listed = context.map(() => 0);
  for (let id = context.length - 1; id >= 0; id--) {
    const laterNodes = Math.min(context.length - 1 - id, graph.nodes.length);
    const slot = entry(cotangents, id);
    const c = at(listed, id) < laterNodes ? addTensors(algebra, slot, zeros(algebra, slot.shape)) : slot;
    cotangents[id] = c;
    for (const [parent, xBar] of pullBack(graph, context, environment, id, c)) {
      cotangents[parent] = addTensors(algebra, entry(cotangents, parent), xBar);
      listed[parent] = at(listed, parent) + 1;
    }
  }
  return cotangents;
}

/**
 * Returns the sparse form: only ids that received a cotangent are visited, and only they have an entry in the
 * result.
 * Law: agrees with {@link backpropAllCtx} on those ids when every `vjp` maps zero to zero; over floats up to
 * the sign of a zero, since no zero is ever added here. Cost: linear in the nodes and edges visited.
 */
export function backpropSparse<S>(
  algebra: Additive<S>,
  graph: GraphData<S>,
  x: Context<S>,
  environment: Environment<S>,
  seed: SparseContext<S>,
): SparseContext<S> {
  const context = evaluate(graph, x, environment);
  if (algebra.sum !== undefined) return cotangentsSummed(algebra, graph, context, environment, seed);
  const cotangents = new Map(seed);
  for (let id = context.length - 1; id >= 0; id--) {
    const c = cotangents.get(nodeId(id));
    if (c === undefined) continue;
    pullBack(graph, context, environment, id, c).forEach((xBar, parent) => {
      const slot = cotangents.get(parent);
      cotangents.set(parent, slot === undefined ? xBar : addTensors(algebra, slot, xBar));
    });
  }
  return cotangents;
}

/**
 * Computes either form over an algebra with sums of its own: a slot's terms wait for its turn and are summed
 * as one.
 * Law: if that sum ignores the order of its terms, no cotangent depends on the order of a value's readers.
 */
function cotangentsSummed<S>(
  algebra: Additive<S>,
  graph: GraphData<S>,
  context: Context<S>,
  environment: Environment<S>,
  seed: SparseContext<S>,
): SparseContext<S> {
  const terms = new Map<NodeId, Tensor<S>[]>();
  seed.forEach((c, id) => {
    terms.set(id, [c]);
  });
  const cotangents = new Map<NodeId, Tensor<S>>();
  for (let id = context.length - 1; id >= 0; id--) {
    const own = terms.get(nodeId(id));
    if (own === undefined) continue;
    const c = sumTensors(algebra, own);
    cotangents.set(nodeId(id), c);
    pullBack(graph, context, environment, id, c).forEach((xBar, parent) => {
      const others = terms.get(parent);
      if (others === undefined) terms.set(parent, [xBar]);
      else others.push(xBar);
    });
  }
  return cotangents;
}
