import { operatorNames } from "../composites/index.ts";
import { Construction, type Meaning, unwrap } from "../construction/construction.ts";
import type { Scope, Value } from "../construction/value.ts";
import { derivativeOf, shapeOfNode } from "../expansion/index.ts";
import { entriesNamedBy, type Graph, GraphError } from "../graph/index.ts";
import type { EnvironmentEntry } from "../operators/index.ts";
import { type Shape, wellFormedShape } from "../shapes/index.ts";

/** A graph is written with these: inputs, entries of Δ, and every operator as a function. */
export interface Builder extends Scope {
  /** Declares the next input. Inputs come before everything else. */
  input(name: string, shape?: Shape): Value;
  /** Declares a real entry of Δ, and returns it as the value of a `constant` node. */
  parameter(name: string, shape?: Shape): Value;
  /** Declares an index entry of Δ, and returns its name, for attributes of operators that take indices. */
  indices(name: string, shape: Shape): string;
}

/**
 * Writes a graph: `graph(({ input }) => { const x = input("x", [3]); x.multiply(x).sum({ axes: [0], keepdims:
 * false }); })`. Every call appends a node; what `write` returns is ignored. Loops in `write` are unrolled.
 * Throws {@link GraphError} where an operator does not fit its operands, with what to do about it.
 */
export function graph(write: (builder: Builder) => unknown): Graph {
  const construction = new Construction(appending);
  const declare = (kind: EnvironmentEntry["kind"], name: string, shape: Shape): void => {
    refuseName(construction, name);
    construction.environment.set(name, { name, shape: unwrap(name, wellFormedShape(shape)), kind });
  };
  const { scope } = construction;
  // Own properties: who writes a graph may take some by name and keep the rest together.
  const functions = Object.fromEntries(operatorNames.map((op) => [op, scope[op]]));
  const builder: Builder = Object.assign(Object.create(null), functions, {
    apply: scope.apply,
    derivative: scope.derivative,
    entry: scope.entry,
    input: (name: string, shape: Shape = []) => {
      refuseName(construction, name);
      if (construction.nodes.length > 0) throw new GraphError(name, lateInput);
      return construction.input(name, unwrap(name, wellFormedShape(shape)));
    },
    parameter: (name: string, shape: Shape = []) => {
      declare("real", name, shape);
      return scope.constant({ name });
    },
    indices: (name: string, shape: Shape) => {
      declare("index", name, shape);
      return name;
    },
  });
  write(builder);
  const { inputs, environment, nodes } = construction;
  return { format: "adjudge.graph.v1", inputs, environment: [...environment.values()], nodes };
}

/** Composites stay nodes; their expansion only tells their shape. */
const appending: Meaning = {
  append: (construction, node) => {
    const environment = entriesNamedBy(node, construction.environment);
    const shape = unwrap(node.op, shapeOfNode(node, construction.shapes, environment));
    return construction.push(node, unwrap(node.op, wellFormedShape(shape)));
  },
  derivative: (graph, derivative) => derivativeOf(graph, derivative),
};

function refuseName({ inputs, environment }: Construction, name: string): void {
  if (!environment.has(name) && inputs.every((input) => input.name !== name)) return;
  throw new GraphError(name, {
    code: "graph/name-twice",
    message: "the name is taken by an earlier entry.",
    hint: "names are unique across inputs and environment",
  });
}

const lateInput = {
  code: "graph/input-order",
  message: "an input comes after a computed value.",
  hint: "declare all inputs first: their ids come first",
};
