import type { Additive } from "../spec/index.ts";
import { add, type Context, dense, snoc, unsnoc } from "./context.ts";
import type { Environment } from "./environment.ts";
import { contextShapes, type GraphData, type NodeData } from "./graph.ts";

/*
 * The definitions of SEMANTICS §3 as they stand there: recursive, quadratic, every entry of every `vjp` added,
 * zeros included. The loops of the reference are tested against these.
 */

/** `g = snoc(g', node)`; `undefined` of `nil`. */
function split<S>(graph: GraphData<S>): { previous: GraphData<S>; node: NodeData<S> } | undefined {
  const node = graph.nodes.at(-1);
  return node && { previous: { inputs: graph.inputs, nodes: graph.nodes.slice(0, -1) }, node };
}

/** `eval` of the definition. */
export function evalLiteral<S>(g: GraphData<S>, x: Context<S>, environment: Environment<S>): Context<S> {
  const parts = split(g);
  if (parts === undefined) return x;
  const ctx = evalLiteral(parts.previous, x, environment);
  return snoc(ctx, parts.node.forward(ctx, environment));
}

/** `jvpCtx` of the definition. */
export function jvpLiteral<S>(
  g: GraphData<S>,
  x: Context<S>,
  dx: Context<S>,
  environment: Environment<S>,
): Context<S> {
  const parts = split(g);
  if (parts === undefined) return dx;
  const ctx = evalLiteral(parts.previous, x, environment);
  const dctx = jvpLiteral(parts.previous, x, dx, environment);
  return snoc(dctx, parts.node.jvp(ctx, dctx, environment));
}

/** `add(seedPrev, node.vjp(ctx, Δ, c))`, and `c`. */
function step<S>(
  algebra: Additive<S>,
  { previous, node }: { previous: GraphData<S>; node: NodeData<S> },
  x: Context<S>,
  environment: Environment<S>,
  seed: Context<S>,
) {
  const [seedPrev, c] = unsnoc(seed);
  const ctx = evalLiteral(previous, x, environment);
  const pulledBack = dense(algebra, contextShapes(previous), node.vjp(ctx, environment, c));
  return { c, seed: add(algebra, seedPrev, pulledBack) };
}

/** `backpropCtx` of the definition. */
export function backpropLiteral<S>(
  algebra: Additive<S>,
  g: GraphData<S>,
  x: Context<S>,
  environment: Environment<S>,
  seed: Context<S>,
): Context<S> {
  const parts = split(g);
  if (parts === undefined) return seed;
  const pulled = step(algebra, parts, x, environment, seed);
  return backpropLiteral(algebra, parts.previous, x, environment, pulled.seed);
}

/** `backpropAllCtx` of the definition. */
export function backpropAllLiteral<S>(
  algebra: Additive<S>,
  g: GraphData<S>,
  x: Context<S>,
  environment: Environment<S>,
  seed: Context<S>,
): Context<S> {
  const parts = split(g);
  if (parts === undefined) return seed;
  const pulled = step(algebra, parts, x, environment, seed);
  return snoc(backpropAllLiteral(algebra, parts.previous, x, environment, pulled.seed), pulled.c);
}
