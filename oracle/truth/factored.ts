import type { Scope, Value } from "../../spec/builder/index.ts";
import type { Application } from "../../spec/composites/index.ts";
import { type DerivativesOf, type Derived, derivatives, derive } from "../../spec/derivatives/index.ts";
import type { Graph } from "../../spec/graph/index.ts";
import type { PrimitiveName } from "../../spec/operators/index.ts";
import { nodeId } from "../../spec/shapes/index.ts";
import { type Inside, isComputedWhole, type PrimitiveProgram } from "../case/index.ts";

/** The last two axes exchanged. */
function transposed(a: Value): Value {
  const { length: rank } = a.shape;
  return a.permute_dims({ axes: [...Array(rank - 2).keys(), rank - 1, rank - 2] });
}

/** A number for each matrix of a stack, at every entry of the matrix. */
function spread(c: Value, a: Value): Value {
  return c.reshape({ shape: [...c.shape, 1, 1] }).broadcast_to({ shape: a.shape });
}

/** The identity, for each matrix of a stack. */
function identities(scope: Scope, a: Value): Value {
  const order = a.shape.at(-1) ?? 0;
  const shape = [order, order];
  const isDiagonal = scope.iota({ shape, axis: 0 }).equal(scope.iota({ shape, axis: 1 }));
  return isDiagonal.broadcast_to({ shape: a.shape });
}

/**
 * The rules of the language, but of a determinant c · det A · A⁻ᵀ and det A · tr(A⁻¹ Ȧ), as libraries have them that factor A: where ours are minors, which are
 * polynomials, and vanish where so many rows and columns are left out that none is left. Singular matrices have none of these.
 * Source: Giles, "An extended collection of matrix derivative results", 2008, §2.2.4.
 */
const byFactorisation: DerivativesOf<PrimitiveName> = {
  ...derivatives,
  det: {
    cotangents: ({ scope, operands, value }, c) => [
      () => {
        const [a = value] = operands;
        const inverse = transposed(a).solve(identities(scope, a));
        return spread(c.multiply(value), a).multiply(inverse);
      },
    ],
    tangent: ({ scope, operands, value }, [da]) => {
      const [a = value] = operands;
      if (da === undefined) return undefined;
      const rank = a.shape.length;
      const moved = a.solve(da).multiply(identities(scope, a));
      return moved.sum({ axes: [rank - 2, rank - 1], keepdims: false }).multiply(value);
    },
  },
};

/** As many nodes as a derivative has in the language at most: one that would have more is judged without this way. */
const MOST_NODES = 2 ** 14;

/** A program whose inputs are the operands of a derivative, and the id of its value there. */
export interface Factored {
  readonly program: PrimitiveProgram;
  readonly result: Derived["results"][number];
}

/** What was found of nodes that are still there: each part of a truth, and each precision of it, asks for the same ones. */
const knownFactored = new WeakMap<Application, { readonly factored: Factored | undefined }>();

/**
 * A derivative of an inner graph, written with derivatives of determinants by factorisation; `undefined` of other composites, of graphs
 * without determinants, and where it would be too large. Cost: linear in what the derivative stands for, once.
 */
export function factoredOf(application: Application): Factored | undefined {
  const known = knownFactored.get(application) ?? { factored: factored(application) };
  knownFactored.set(application, known);
  return known.factored;
}

function factored({ node }: Application): Factored | undefined {
  if (node.op !== "differentiate" || !hasDeterminant(node.attributes.graph)) return undefined;
  const { graph: inner, mode, of, wrt } = node.attributes;
  const derived = derive(inner, { mode, of: [of], wrt: [wrt] }, MOST_NODES, byFactorisation);
  if (!derived.ok) return undefined;
  const { graph, results } = derived.value;
  const [result = nodeId(0)] = results;
  const first = nodeId(graph.inputs.length);
  const end = first + graph.nodes.length;
  const parents = graph.inputs.map((_, place) => nodeId(place));
  const application: Application = { node: { ...node, parents }, first, end, value: result };
  const inside: Inside | undefined = isComputedWhole(node)
    ? { composite: node.op, isLast: false, applications: [application], isWithin: (id) => id >= first }
    : undefined;
  const insides = graph.nodes.map((_, place) => inside && { ...inside, isLast: first + place === result });
  return { program: { graph, insides, applications: [application] }, result };
}

/** Whether a determinant is taken in a graph, or in one within it. */
function hasDeterminant(graph: Graph): boolean {
  return graph.nodes.some(
    (node) => node.op === "det" || (node.op === "differentiate" && hasDeterminant(node.attributes.graph)),
  );
}
