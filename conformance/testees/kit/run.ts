import { type OperatorName, operators } from "../../../spec/composites/index.ts";
import type { Node, NodeOf } from "../../../spec/graph/index.ts";
import { acceptsCount } from "../../../spec/operators/index.ts";
import { InvariantError, present } from "../../../spec/shapes/index.ts";
import type { OperandsOf } from "./arities.ts";
import { type EagerLibrary, type IndexEntry, type Run, Unsupported } from "./library.ts";
import { differentiated } from "./nested.ts";
import { nullaryPrimitives, numbersOf } from "./nullary.ts";

/**
 * Runs the nodes in order in the library, and returns the values of `ids`. A tap is added to its node's value
 * before any use, so that its cotangent is the node's. Consumes its arguments if the library has ownership.
 */
export function runGraph<T>(library: EagerLibrary<T>, run: Run<T>): T[] {
  const { graph, inputsAndTaps } = run;
  const inputCount = graph.inputs.length;
  const values = inputsAndTaps.slice(0, inputCount);
  for (const [position, node] of graph.nodes.entries()) {
    const value = nodeValue(library, run, node, values);
    const tap = inputsAndTaps[inputCount + position];
    values.push(tap === undefined ? value : applyOperator(library, run, "add", {}, [value, tap]));
  }
  const results = run.ids.map((id) => share(library, present(values[id], `the value of ${id}`)));
  for (const value of values) library.ownership?.release(value);
  return results;
}

/**
 * Returns the value of a node: by the library's function of that name, or else by the kit from other
 * functions. It does not consume the values.
 */
export function nodeValue<T>(
  library: EagerLibrary<T>,
  run: Omit<Run<T>, "inputsAndTaps" | "ids">,
  node: Node,
  values: readonly T[],
): T {
  const { graph, environment, dtype } = run;
  if (isMadeByKit(library, node.op)) return library.tensor(numbersOf(node, graph, environment, dtype), dtype);
  const operands = node.parents.map((id) => share(library, present(values[id], `the value of ${id}`)));
  return node.op === "differentiate" && library.operators.differentiate === undefined
    ? differentiated(library, run, node, operands, runGraph)
    : applyNode(library, run, node, operands);
}

/** An operator reads these besides its operands. */
type Surroundings<T> = Pick<Run<T>, "environment" | "dtype">;

function isMadeByKit<T>(library: EagerLibrary<T>, op: OperatorName): boolean {
  return library.operators[op] === undefined && nullaryPrimitives.includes(op);
}

function applyNode<T, K extends OperatorName>(
  library: EagerLibrary<T>,
  run: Surroundings<T>,
  node: NodeOf<K>,
  operands: readonly T[],
): T {
  return applyOperator(library, run, node.op, node.attributes, operands);
}

function applyOperator<T, K extends OperatorName>(
  library: EagerLibrary<T>,
  { environment, dtype }: Surroundings<T>,
  op: K,
  attributes: NodeOf<K>["attributes"],
  operands: readonly T[],
): T {
  const rule = library.operators[op];
  if (rule === undefined) throw new Unsupported(`no operator ${op}`);
  if (!hasArity(op, operands)) throw new InvariantError(`${op} of ${operands.length} operands`);
  const indices = (name: string): IndexEntry => {
    const { shape, data } = present(environment.get(name), `environment ${name}`);
    return { shape, data: Int32Array.from(data) };
  };
  return rule(attributes, operands, indices, dtype);
}

/** Says whether there are as many operands as `op` takes; a well-formed graph has no others. */
function hasArity<T, K extends OperatorName>(
  op: K,
  operands: readonly T[],
): operands is readonly T[] & OperandsOf<T, K> {
  const { arity } = operators[op];
  return acceptsCount(arity, operands.length);
}

/** Makes a second claim on the tensor, in libraries that count them. */
export function share<T>(library: EagerLibrary<T>, tensor: T): T {
  return library.ownership === undefined ? tensor : library.ownership.share(tensor);
}
