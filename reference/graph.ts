import { InvariantError, type NodeId, type Shape, type ShapeFault } from "../spec/shapes/index.ts";
import type { Context, SparseContext } from "./context.ts";
import type { Environment } from "./environment.ts";
import type { Tensor } from "./tensor.ts";

/**
 * A node appended to a context of type `Γ ++ ss`: three functions of the whole context and of Δ, on which no
 * law is asked [SEMANTICS §2.2]. The context they get may go on beyond the node's own id, since a sweep and a
 * tape keep one for all nodes; what they may look at is `reads`.
 */
export interface NodeData<S> {
  /** The name is for people: it is the operator's. */
  readonly name: string;
  /** `τ`, the shape of the value. */
  readonly shape: Shape;
  /** The earlier ids its functions depend on; `vjp` lists no others. */
  readonly reads: readonly NodeId[];
  forward(context: Context<S>, environment: Environment<S>): Tensor<S>;
  jvp(context: Context<S>, tangents: Context<S>, environment: Environment<S>): Tensor<S>;
  /** Returns one entry for every earlier id; those not listed are zero. */
  vjp(context: Context<S>, environment: Environment<S>, cotangent: Tensor<S>): SparseContext<S>;
  /** Checks a precondition on the data [SEMANTICS §2.4], before `forward` in checked execution. */
  validate?(context: Context<S>, environment: Environment<S>): ShapeFault | undefined;
}

/** `nil`, or `snoc(g, node)`: the shapes of `Γ`, and the nodes in evaluation order. */
export interface GraphData<S> {
  readonly inputs: readonly Shape[];
  readonly nodes: readonly NodeData<S>[];
}

/** Returns the graph without nodes. */
export function nil<S>(inputs: readonly Shape[]): GraphData<S> {
  return { inputs, nodes: [] };
}

/** Returns the graph with one node more. */
export function snocNode<S>(graph: GraphData<S>, node: NodeData<S>): GraphData<S> {
  return { inputs: graph.inputs, nodes: [...graph.nodes, node] };
}

/** A graph is `nil`, or `snoc(g, node)`. */
export type GraphView<S> =
  | { readonly kind: "nil" }
  | { readonly kind: "snoc"; readonly g: GraphData<S>; readonly node: NodeData<S> };

/** Takes the last node off, if there is one. Cost: linear in the nodes. */
export function viewOf<S>({ inputs, nodes }: GraphData<S>): GraphView<S> {
  const node = nodes.at(-1);
  return node === undefined
    ? { kind: "nil" }
    : { kind: "snoc", g: { inputs, nodes: nodes.slice(0, -1) }, node };
}

/** Returns the type of the whole context: the shapes of `Γ ++ ss`. */
export function contextShapes<S>(graph: GraphData<S>): Shape[] {
  return [...graph.inputs, ...graph.nodes.map(({ shape }) => shape)];
}

/**
 * Returns `vjp` of the node at `id`; nothing for an input [SEMANTICS §2.3]. Throws {@link InvariantError} if
 * it contributes to an id that is not earlier [SEMANTICS §4.8].
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
