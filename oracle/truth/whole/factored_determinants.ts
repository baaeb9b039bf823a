import type { Scope, Value } from "../../../spec/builder/index.ts";
import { type DerivativesOf, type Derived, derivatives } from "../../../spec/derivatives/index.ts";
import { type Application, derive } from "../../../spec/expansion/index.ts";
import type { Graph } from "../../../spec/graph/index.ts";
import type { PrimitiveName } from "../../../spec/operators/index.ts";
import { nodeId } from "../../../spec/shapes/index.ts";
import { type Inside, isComputedWhole, type PrimitiveProgram } from "../../case/index.ts";
import { transposed } from "./matrix_formulas.ts";

/** Spreads a number for each matrix of a stack to every entry of the matrix. */
function spread(c: Value, a: Value): Value {
  return c.reshape({ shape: [...c.shape, 1, 1] }).broadcast_to({ shape: a.shape });
}

/** Returns the identity, for each matrix of a stack. */
function identities(scope: Scope, a: Value): Value {
  const order = a.shape.at(-1) ?? 0;
  const shape = [order, order];
  const isDiagonal = scope.iota({ shape, axis: 0 }).equal(scope.iota({ shape, axis: 1 }));
  return isDiagonal.broadcast_to({ shape: a.shape });
}

/**
 * These are the rules of the language, but for a determinant c · det A · A⁻ᵀ and det A · tr(A⁻¹ Ȧ), as of
 * libraries that factor A. The language has minors: polynomials, which vanish where no row is left. A
 * singular matrix has none of these. Source: Giles, "An extended collection of matrix derivative results",
 * 2008, §2.2.4.
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

/** A derivative with more nodes than the language allows is judged without this form. */
const MOST_NODES = 2 ** 14;

/** This is a program whose inputs are the operands of a derivative, and the id of its value there. */
export interface FactoredDerivative {
  readonly program: PrimitiveProgram;
  readonly result: Derived["results"][number];
}

/** Each part of a truth, and each precision of it, asks for the same derivatives. */
const knownFactored = new WeakMap<Application, { readonly factored: FactoredDerivative | undefined }>();

/**
 * Returns a derivative of an inner graph, written with factorisations for determinants; `undefined` of other
 * composites, without determinants, and where it is too large. Cost: linear in the derivative, once.
 */
export function byFactors(application: Application): FactoredDerivative | undefined {
  const known = knownFactored.get(application) ?? { factored: factored(application) };
  knownFactored.set(application, known);
  return known.factored;
}

function factored({ node }: Application): FactoredDerivative | undefined {
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

/** Tells whether a determinant is taken in a graph, or in one within it. */
function hasDeterminant(graph: Graph): boolean {
  return graph.nodes.some(
    (node) => node.op === "det" || (node.op === "differentiate" && hasDeterminant(node.attributes.graph)),
  );
}
