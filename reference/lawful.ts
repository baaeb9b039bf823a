import type { PrimitiveName } from "../spec/operators/index.ts";
import { fail, type Issue, ok, type Result } from "../spec/shapes/index.ts";
import type { GraphData, NodeData } from "./graph.ts";
import { type Discharge, discharged } from "./operators/index.ts";

/**
 * Why a node's `vjp` may count as the adjoint of its `jvp`: its operator is built in, and its obligations are
 * proved for rules of this hash. A running program cannot check the hash against the sources; a test does.
 */
export interface Adjointness {
  readonly operator: PrimitiveName;
  readonly rules: string;
}

/** Returns an operator's evidence in a record of discharge; `undefined` if obligations are unproved. */
export function adjointnessOf(
  operator: PrimitiveName,
  record: Readonly<Partial<Record<PrimitiveName, Discharge>>> = discharged,
): Adjointness | undefined {
  const discharge = record[operator];
  return discharge === undefined ? undefined : { operator, rules: discharge.rules };
}

/** A node with the local law [SEMANTICS §2.5]: `dot(jvp(ctx, dctx, Δ), c) = dot(dctx, vjp(ctx, Δ, c))`. */
export interface Node<S> extends NodeData<S> {
  readonly adjointness: Adjointness;
}

/**
 * Graph data where every node carries the local law. Law (soundness [SEMANTICS §3.5]), over a commutative
 * semiring: `dot(jvpCtx(g, x, dx, Δ), seed) = dot(dx, backpropCtx(g, x, Δ, seed))`.
 * It is graph data as it stands: forgetting the law (`toData`) is a widening of the type.
 */
export interface Graph<S> extends GraphData<S> {
  readonly nodes: readonly Node<S>[];
}

function isLawful<S>(node: NodeData<S>): node is Node<S> {
  return "adjointness" in node;
}

/** Returns `data` as a {@link Graph} if every node has the law. Fails: `graph/law`, at each that has not. */
export function lawful<S>(data: GraphData<S>): Result<Graph<S>, Issue[]> {
  const nodes = data.nodes.filter(isLawful);
  if (nodes.length === data.nodes.length) return ok({ inputs: data.inputs, nodes });
  return fail(
    data.nodes.flatMap((node, index) =>
      isLawful(node)
        ? []
        : [
            {
              code: "graph/law",
              pointer: `/nodes/${index}`,
              message: `the node ${node.name} carries no evidence of adjointness.`,
              hint: "use it as graph data, or build it from operators of the table",
            },
          ],
    ),
  );
}
