import {
  type Additive,
  InvariantError,
  type NodeId,
  nodeId,
  type Shape,
  type ShapeFault,
} from "../spec/index.ts";
import { type Context, entry, type SparseContext } from "./context.ts";
import type { Environment } from "./environment.ts";
import { addTensors, type Tensor, zeros } from "./tensor.ts";

/**
 * A node appended to a context of type `Γ ++ ss`: three functions of the whole context and of Δ, on which no
 * law is asked [SEMANTICS §2]. The context they get may go on beyond the node's own id, since a sweep and a
 * tape keep one for all nodes; what they may look at is `reads`.
 */
export interface NodeData<S> {
  /** For people: the operator. */
  readonly name: string;
  /** `τ`, the shape of the value. */
  readonly shape: Shape;
  /** The earlier ids its functions depend on; `vjp` lists no others. */
  readonly reads: readonly NodeId[];
  forward(context: Context<S>, environment: Environment<S>): Tensor<S>;
  jvp(context: Context<S>, tangents: Context<S>, environment: Environment<S>): Tensor<S>;
  /** One entry for every earlier id; those not listed are zero. */
  vjp(context: Context<S>, environment: Environment<S>, cotangent: Tensor<S>): SparseContext<S>;
  /** A precondition on the data, checked before `forward` in checked execution. */
  validate?(context: Context<S>, environment: Environment<S>): ShapeFault | undefined;
}

/** `nil`, or `snoc(g, node)`: the shapes of `Γ`, and the nodes in evaluation order. */
export interface GraphData<S> {
  readonly inputs: readonly Shape[];
  readonly nodes: readonly NodeData<S>[];
}

/** The graph without nodes. */
export function nil<S>(inputs: readonly Shape[]): GraphData<S> {
  return { inputs, nodes: [] };
}

/** The graph with one node more. */
export function snocNode<S>(graph: GraphData<S>, node: NodeData<S>): GraphData<S> {
  return { inputs: graph.inputs, nodes: [...graph.nodes, node] };
}

/** The type of the whole context: the shapes of `Γ ++ ss`. */
export function contextShapes<S>(graph: GraphData<S>): Shape[] {
  return [...graph.inputs, ...graph.nodes.map(({ shape }) => shape)];
}

/**
 * The context of all values, `Γ ++ ss`.
 * `eval(nil, x, Δ) = x`; `eval(snoc(g, node), x, Δ) = snoc(ctx, node.forward(ctx, Δ))` with `ctx = eval(g, x, Δ)`.
 */
export function evaluate<S>(graph: GraphData<S>, x: Context<S>, environment: Environment<S>): Context<S> {
  const context = [...x];
  for (const node of graph.nodes) context.push(node.forward(context, environment));
  return context;
}

/**
 * The context of all tangents along `dx`.
 * `jvpCtx(nil, …) = dx`; `jvpCtx(snoc(g, node), …) = snoc(dctx, node.jvp(ctx, dctx, Δ))`.
 */
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
 * The cotangents of `Γ ++ ss`: what reaches each id from a seed on every id (the dense form).
 * `backpropAllCtx(nil, x, Δ, seed) = seed`; and for `snoc(g, node)`, with `(seedPrev, c) = unsnoc(seed)`,
 * `snoc(backpropAllCtx(g, x, Δ, add(seedPrev, node.vjp(ctx, Δ, c))), c)`.
 *
 * Every earlier id gets an entry of `vjp` added, most of them zero. Adding zero twice is adding it once, in
 * every algebra here (over floats it turns −0 into +0 and does nothing else), and so is adding it last; so a
 * slot that some later node does not read gets one zero when its turn comes. Cost: linear in nodes and
 * edges; no recursion.
 */
export function backpropAllCtx<S>(
  algebra: Additive<S>,
  graph: GraphData<S>,
  x: Context<S>,
  environment: Environment<S>,
  seed: Context<S>,
): Context<S> {
  const context = evaluate(graph, x, environment);
  const cotangents = [...seed];
  const readers = new Array<number>(context.length).fill(0);
  for (let id = context.length - 1; id >= 0; id--) {
    const laterNodes = Math.min(context.length - 1 - id, graph.nodes.length);
    const slot = entry(cotangents, id);
    const c = laterNodes > (readers[id] ?? 0) ? addTensors(algebra, slot, zeros(algebra, slot.shape)) : slot;
    cotangents[id] = c;
    for (const [parent, xBar] of pullBack(graph, context, environment, id, c)) {
      cotangents[parent] = addTensors(algebra, entry(cotangents, parent), xBar);
      readers[parent] = (readers[parent] ?? 0) + 1;
    }
  }
  return cotangents;
}

/**
 * The cotangents of `Γ` alone.
 * `backpropCtx(nil, x, Δ, seed) = seed`; `backpropCtx(snoc(g, node), …) = backpropCtx(g, x, Δ, add(seedPrev,
 * node.vjp(ctx, Δ, c)))`.
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
 * The sparse form: only ids that received a cotangent are visited, and only they have an entry in the result.
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
  const cotangents = new Map(seed);
  for (let id = context.length - 1; id >= 0; id--) {
    const c = cotangents.get(nodeId(id));
    if (c === undefined) continue;
    for (const [parent, xBar] of pullBack(graph, context, environment, id, c)) {
      const slot = cotangents.get(parent);
      cotangents.set(parent, slot === undefined ? xBar : addTensors(algebra, slot, xBar));
    }
  }
  return cotangents;
}

/**
 * `vjp` of the node at `id`; nothing for an input. Throws {@link InvariantError} if it contributes to an id that
 * is not earlier.
 */
export function pullBack<S>(
  graph: GraphData<S>,
  context: Context<S>,
  environment: Environment<S>,
  id: number,
  c: Tensor<S>,
): SparseContext<S> {
  const node = graph.nodes[id - graph.inputs.length];
  if (node === undefined) return new Map<NodeId, Tensor<S>>();
  const contributions = node.vjp(context, environment, c);
  for (const parent of contributions.keys()) {
    if (parent >= id)
      throw new InvariantError(`the node at ${id} contributes to ${parent}, which is not earlier`);
  }
  return contributions;
}
