import { checkGraph } from "../spec/documents/index.ts";
import { entriesNamedBy, type Graph, isPrimitiveGraph, type PrimitiveNode } from "../spec/graph/index.ts";
import type { EnvironmentEntry } from "../spec/operators/index.ts";
import {
  type Algebra,
  at,
  fail,
  InvariantError,
  type Issue,
  nodeId,
  ok,
  type Result,
} from "../spec/shapes/index.ts";
import { compile } from "./compile.ts";
import type { Environment, EnvironmentValue } from "./environment.ts";
import { interpret } from "./interpret.ts";
import { addOperation, noSuchId, type TapeNode } from "./tape.ts";

/**
 * Computes an operation on values of a tape and appends its node in place; returns its id. So a running
 * program writes its own tape. The node requires a gradient if one of its parents does. Law: node by node, a
 * graph becomes the tape that {@link compile} makes of it. Fails: `tape/id`, `algebra/missing`,
 * `graph/undischarged`, and as the graph of this node does ({@link checkGraph}, `validate`).
 */
export function applyOnTape<S, B>(
  algebra: Algebra<S, B>,
  tape: TapeNode<S>[],
  node: PrimitiveNode,
  environment: Environment<S> = new Map(),
): Result<number, Issue[]> {
  const { parents } = node;
  const missing = parents.find((parent) => tape[parent] === undefined);
  if (missing !== undefined) return fail([noSuchId(missing, tape.length)]);
  const made = alone(
    algebra,
    node,
    parents.map((parent) => at(tape, parent)),
    environment,
  );
  if (!made.ok) return made;
  return ok(addOperation(tape, { name: node.op, ...made.value, parents }));
}

/** The node of an operation on these operands, its contributions going to the ids on the tape. */
function alone<S, B>(
  algebra: Algebra<S, B>,
  node: PrimitiveNode,
  operands: readonly TapeNode<S>[],
  environment: Environment<S>,
): Result<Pick<TapeNode<S>, "value" | "backward">, Issue[]> {
  const declared = new Map([...environment].map(([name, value]) => [name, declarationOf(name, value)]));
  // An id that is named at two places is one operand.
  const distinct = [...new Set(node.parents)];
  const inputs = distinct.map((id) => at(operands, node.parents.indexOf(id)).value);
  const graph: Graph = {
    format: "adjudge.graph.v1",
    inputs: inputs.map(({ shape }, place) => ({ name: `operand ${place}`, shape })),
    environment: entriesNamedBy(node, declared),
    nodes: [{ ...node, parents: node.parents.map((id) => nodeId(distinct.indexOf(id))) }],
  };
  const checked = checkGraph(graph);
  if (!checked.ok) return checked;
  if (!isPrimitiveGraph(checked.value)) throw new InvariantError(`${node.op} is no primitive`);
  const meaning = interpret(checked.value, algebra);
  if (!meaning.ok) return meaning;
  const compiled = compile(algebra.additive, meaning.value, inputs, environment, "sparse");
  if (!compiled.ok) return fail([compiled.error]);
  const { value, backward } = at(compiled.value.tape, inputs.length);
  return ok({
    value,
    backward: (upstream) => {
      const bars = backward(upstream);
      if (!bars.ok) return bars;
      return ok(bars.value.map(({ parent, cotangent }) => ({ parent: at(distinct, parent), cotangent })));
    },
  });
}

function declarationOf<S>(name: string, value: EnvironmentValue<S>): EnvironmentEntry {
  return { name, kind: value.kind, shape: value.kind === "real" ? value.tensor.shape : value.shape };
}
