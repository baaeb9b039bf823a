import type { Additive } from "../spec/shapes/index.ts";
import { add, type Context, dense, snoc, unsnoc } from "./context.ts";
import type { Environment } from "./environment.ts";
import { contextShapes, type GraphData, viewOf } from "./graph.ts";

/*
 * SEMANTICS §3.2 as it stands there, function by function beside `lean-export/lean/Adjudge/Graph.lean`.
 * Scalars need only `+` and `0`, and no law. What a node's `vjp` does not list is zero, and each zero is
 * added; what it lists beyond the earlier ids is lost. This file is for reading and comparing: `evaluate`
 * copies its context at each node (quadratic), the others evaluate again what comes before (cubic), and below
 * 10,000 nodes their recursion ends the stack (a RangeError). `sweep.ts` has them for graphs of any size.
 */

/** Returns `eval`, the context of all values. */
export function evaluate<S>(graph: GraphData<S>, x: Context<S>, environment: Environment<S>): Context<S> {
  const view = viewOf(graph);
  if (view.kind === "nil") return x;
  const { g, node } = view;
  const ctx = evaluate(g, x, environment);
  return snoc(ctx, node.forward(ctx, environment));
}

/** Returns the context of all tangents along `dx`. */
export function jvpCtx<S>(
  graph: GraphData<S>,
  x: Context<S>,
  dx: Context<S>,
  environment: Environment<S>,
): Context<S> {
  const view = viewOf(graph);
  if (view.kind === "nil") return dx;
  const { g, node } = view;
  const dctx = jvpCtx(g, x, dx, environment);
  return snoc(dctx, node.jvp(evaluate(g, x, environment), dctx, environment));
}

/** Returns the cotangents of `Γ`. */
export function backpropCtx<S>(
  algebra: Additive<S>,
  graph: GraphData<S>,
  x: Context<S>,
  environment: Environment<S>,
  seed: Context<S>,
): Context<S> {
  const view = viewOf(graph);
  if (view.kind === "nil") return seed;
  const { g, node } = view;
  const [init, c] = unsnoc(seed);
  const bars = dense(algebra, contextShapes(g), node.vjp(evaluate(g, x, environment), environment, c));
  return backpropCtx(algebra, g, x, environment, add(algebra, init, bars));
}

/** The cotangents of `Γ ++ ss`, inputs and intermediates. */
export function backpropAllCtx<S>(
  algebra: Additive<S>,
  graph: GraphData<S>,
  x: Context<S>,
  environment: Environment<S>,
  seed: Context<S>,
): Context<S> {
  const view = viewOf(graph);
  if (view.kind === "nil") return seed;
  const { g, node } = view;
  const [init, c] = unsnoc(seed);
  const bars = dense(algebra, contextShapes(g), node.vjp(evaluate(g, x, environment), environment, c));
  return snoc(backpropAllCtx(algebra, g, x, environment, add(algebra, init, bars)), c);
}
