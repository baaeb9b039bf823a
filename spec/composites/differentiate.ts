import type { Scope, Value } from "../construction/value.ts";
import { type Graph, GraphError, idCount, type PrimitiveGraph } from "../graph/index.ts";
import type { AttributeSchema, EnvironmentEntry } from "../operators/index.ts";
import {
  at,
  counted,
  formatShape,
  isSameShape,
  type NodeId,
  nodeId,
  quote,
  type Shape,
  type ShapeFault,
} from "../shapes/index.ts";
import type { Composite } from "./composite.ts";

/** The derivative of an inner graph: which graph, of which id, and with respect to which input. */
export interface DifferentiateAttributes {
  /** Its Δ is the outer graph's: each entry it declares is declared there alike. */
  readonly graph: Graph;
  /** `jvp`: a tangent of `of` from one of the input `wrt`. `vjp`: a cotangent of `wrt` from one of `of`. */
  readonly mode: "vjp" | "jvp";
  /** An id of the inner graph. */
  readonly of: NodeId;
  /** An input of the inner graph. */
  readonly wrt: NodeId;
}

const idSchema: AttributeSchema = { type: "integer", minimum: 0, maximum: Number.MAX_SAFE_INTEGER };

/** The most inner graphs within each other. */
export const MAXIMUM_NESTING = 8;

/** x sin x, and its derivative. */
const example: Graph = {
  format: "adjudge.graph.v1",
  inputs: [{ name: "x", shape: [2] }],
  environment: [],
  nodes: [
    { op: "sin", attributes: {}, parents: [nodeId(0)] },
    { op: "multiply", attributes: {}, parents: [nodeId(0), nodeId(1)] },
  ],
};

/**
 * A graph's derivative as a value [SEMANTICS §9.5]. It expands to a derived graph, which is ordinary to an
 * outer derivative, so that it has a level of its own [SEMANTICS §9.6].
 */
export const differentiate: Composite<DifferentiateAttributes> = {
  arity: "some",
  attributes: {
    graph: { $ref: "graph.schema.json" },
    mode: { enum: ["vjp", "jvp"] },
    of: idSchema,
    wrt: idSchema,
  },
  smoothness: "piecewise",
  summary:
    "the derivative of the inner graph at the operands, which are its inputs and then the tangent of `wrt` (jvp) or the cotangent of `of` (vjp)",
  domain: "where the inner graph has a derivative",
  convention: "those of the operators of the inner graph, in the derivative of every order",
  source: "https://docs.jax.dev/en/latest/_autosummary/jax.jvp.html",
  refuse: ({ graph, of, wrt }, operands, environment) =>
    idFault(graph, of, wrt) ?? operandFault(graph, operands) ?? environmentFault(graph, environment),
  example: {
    attributes: { graph: example, mode: "vjp", of: nodeId(2), wrt: nodeId(0) },
    operands: [[2], [2]],
  },
  expand: (scope, attributes, ...operands) => derived(scope, attributes, operands, []),
};

/**
 * Is {@link differentiate} in the dense form of backpropagation [SEMANTICS §4]: cotangents start from zeros
 * at all inner ids. It equals the sparse form but for NaNs of zero times a slope that is infinite or has no
 * value.
 */
export const differentiateDensely: Composite<DifferentiateAttributes> = {
  ...differentiate,
  expand: (scope, attributes, ...operands) => {
    const { graph, mode, of } = attributes;
    const ids = Array.from({ length: idCount(graph) }, (_, id) => nodeId(id));
    const others = mode === "vjp" ? ids.filter((id) => id !== of) : [];
    return derived(scope, attributes, operands, others);
  },
};

/** Returns the derived graph in a scope, where `zeros` are ids of the inner graph with a cotangent of 0. */
function derived(
  scope: Scope,
  { graph, mode, of, wrt }: DifferentiateAttributes,
  operands: readonly Value[],
  zeros: readonly NodeId[],
): Value {
  const { graph: written, results } = scope.derivative(graph, { mode, of: [of, ...zeros], wrt: [wrt] });
  const [wanted, given] = [written.inputs[operands.length - 1], operands.at(-1)];
  const fault = perturbationFault(wanted?.shape ?? [], given?.shape ?? []);
  if (fault !== undefined) throw new GraphError("differentiate", fault);
  const stored = written.inputs.slice(operands.length).map(({ shape }) => scope.full({ shape, value: 0 }));
  return at(inlined(scope, written, [...operands, ...stored]), at(results, 0));
}

/** Writes the nodes of a graph into a scope where its Δ is declared, its inputs being the operands. */
export function inlined(
  scope: Scope,
  { nodes }: PrimitiveGraph,
  operands: readonly Value[],
): readonly Value[] {
  const values = [...operands];
  for (const { op, attributes, parents } of nodes) {
    values.push(
      scope.apply(
        op,
        attributes,
        parents.map((id) => at(values, id)),
      ),
    );
  }
  return values;
}

function idFault({ inputs, nodes }: Graph, of: NodeId, wrt: NodeId): ShapeFault | undefined {
  const count = inputs.length + nodes.length;
  if (of < count && wrt < inputs.length) return undefined;
  return {
    code: "derive/id",
    message:
      wrt < inputs.length
        ? `of is ${of}, and the inner graph has ${counted(count, "id")}.`
        : `wrt is ${wrt}, and the inner graph has ${counted(inputs.length, "input")}.`,
    hint: "ids of the inner graph count its inputs first, then its nodes, from 0",
  };
}

function operandFault({ inputs }: Graph, operands: readonly Shape[]): ShapeFault | undefined {
  if (operands.length !== inputs.length + 1) {
    return {
      code: "graph/arity",
      message: `it has ${counted(operands.length, "parent")}, and the inner graph has ${counted(inputs.length, "input")}.`,
      hint: "give a parent for each input, in order, then the tangent or the cotangent",
    };
  }
  const odd = inputs.find(({ shape }, place) => !isSameShape(shape, operands[place] ?? []));
  if (odd === undefined) return undefined;
  return {
    code: "shape/mismatch",
    message: `the input ${quote(odd.name)} of the inner graph has shape ${formatShape(odd.shape)}, and its operand another.`,
    hint: "an operand has the shape of the input that it stands for",
  };
}

/** A tangent has the input's shape, a cotangent the value's, which only the derivative knows. */
function perturbationFault(wanted: Shape, given: Shape): ShapeFault | undefined {
  if (isSameShape(wanted, given)) return undefined;
  return {
    code: "shape/mismatch",
    message: `the last parent has shape ${formatShape(given)}, and what it stands for ${formatShape(wanted)}.`,
    hint: "with jvp it is a tangent of the input wrt, with vjp a cotangent of the value of",
  };
}

function environmentFault(
  { environment: own }: Graph,
  environment: readonly EnvironmentEntry[],
): ShapeFault | undefined {
  const declared = new Map(environment.map((entry) => [entry.name, entry]));
  const odd = own.find(({ name, kind, shape }) => {
    const outer = declared.get(name);
    return outer === undefined || outer.kind !== kind || !isSameShape(outer.shape, shape);
  });
  if (odd === undefined) return undefined;
  return {
    code: "graph/environment",
    message: `the inner graph declares ${quote(odd.name)}, and the graph around it does not, or otherwise.`,
    hint: "Δ is one for all: declare the entry in both, with the same kind and shape",
  };
}
