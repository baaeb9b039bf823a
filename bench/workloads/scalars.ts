import { mersenne } from "pure-rand/generator/mersenne";
import { type Node, nodeId } from "../../spec/index.ts";
import { objectiveOf, type Problem, tensor } from "../gradbench/graphs/problem.ts";

/** Operators of a scalar graph; `sin` and `exp` read their left operand. */
export const scalarOperators = ["add", "multiply", "sin", "exp"] as const;

/** A graph of scalars as lists: ids count the inputs first; the last node is what is differentiated. */
export interface ScalarGraph {
  readonly name: string;
  readonly inputs: Float64Array;
  /** For each node the place of its operator in {@link scalarOperators}, and its operands' ids. */
  readonly operators: Uint8Array;
  readonly left: Int32Array;
  readonly right: Int32Array;
}

/** A graph under construction, with a bound on each value's magnitude, so that nothing overflows. */
interface Growing {
  readonly bounds: Float64Array;
  readonly graph: ScalarGraph;
  size: number;
}

/** Magnitudes up to which sums and products, and exponentials, are taken; beyond, the sine is. */
const MOST = 16;
const MOST_EXPONENT = 2;

/** How many inputs a random graph has. */
const INPUTS = 64;

/**
 * A random graph of about a hundred levels. Each node reads the oldest value that nobody has read, so that none is dead;
 * a binary one reads a second among the latest four levels. Four in ten are sums, four products, one each sines and
 * exponentials, where magnitudes stay bounded. The first level reads the inputs; sums of what is left are the last.
 */
export function randomScalars(nodes: number): ScalarGraph {
  const width = Math.max(8, Math.floor(nodes / 100));
  const growing = begun(`scalars n=${nodes}`, nodes, INPUTS);
  const generator = mersenne(nodes);
  const below = (limit: number): number => (generator.next() >>> 0) % limit;
  const { graph, bounds } = growing;
  for (let place = 0; place < INPUTS; place++) {
    graph.inputs[place] = below(2 ** 20) / 2 ** 19 - 1;
    bounds[place] = 1;
  }
  let unread = INPUTS;
  while (growing.size < nodes - (width - 1)) {
    const ids = INPUTS + growing.size;
    const left = growing.size < width ? growing.size % INPUTS : unread++;
    append(growing, below(10), left, ids - 1 - below(Math.min(ids, 4 * width)));
  }
  while (growing.size < nodes) {
    push(growing, 0, unread, unread + 1, 0);
    unread += 2;
  }
  return graph;
}

/** A chain: each node reads the one before, by turns a sine, an exponential, a product and a sum with an input. */
export function chain(nodes: number): ScalarGraph {
  const growing = begun(`chain n=${nodes}`, nodes, 2);
  growing.graph.inputs.set([0.5, 0.25]);
  for (let place = 0; place < nodes; place++) {
    const before = place === 0 ? 0 : place + 1;
    const turn = place % 4;
    push(growing, [2, 3, 1, 0][turn] ?? 0, before, turn === 2 ? 0 : turn === 3 ? 1 : before, 0);
  }
  return growing.graph;
}

function begun(name: string, nodes: number, inputs: number): Growing {
  return {
    bounds: new Float64Array(inputs + nodes),
    graph: {
      name,
      inputs: new Float64Array(inputs),
      operators: new Uint8Array(nodes),
      left: new Int32Array(nodes),
      right: new Int32Array(nodes),
    },
    size: 0,
  };
}

/** Appends the operator that was drawn, or a sine where its value might be too large. */
function append(growing: Growing, drawn: number, left: number, right: number): void {
  const [x = 0, y = 0] = [growing.bounds[left], growing.bounds[right]];
  if (drawn < 4 && x + y <= MOST) push(growing, 0, left, right, x + y);
  else if (drawn >= 4 && drawn < 8 && x * y <= MOST) push(growing, 1, left, right, x * y);
  else if (drawn === 9 && x <= MOST_EXPONENT) push(growing, 3, left, left, Math.exp(x));
  else push(growing, 2, left, left, 1);
}

function push(growing: Growing, operator: number, left: number, right: number, bound: number): void {
  const { graph, bounds, size } = growing;
  graph.operators[size] = operator;
  graph.left[size] = left;
  graph.right[size] = right;
  bounds[graph.inputs.length + size] = bound;
  growing.size = size + 1;
}

/** The same as a graph of the specification, its inputs scalars. */
export function scalarProblem({ name, inputs, operators, left, right }: ScalarGraph): Problem {
  const nodes = Array.from(operators, (operator, place): Node => {
    const op = scalarOperators[operator] ?? "add";
    const x = nodeId(left[place] ?? 0);
    return { op, attributes: {}, parents: operator < 2 ? [x, nodeId(right[place] ?? 0)] : [x] };
  });
  const graph = {
    format: "adjudge.graph.v1",
    inputs: Array.from(inputs, (_, place) => ({ name: `x${place}`, shape: [] })),
    environment: [],
    nodes,
  } as const;
  return {
    name,
    graph,
    point: { inputs: Array.from(inputs, (x) => tensor([], [x])), environment: new Map() },
    outputs: [objectiveOf(graph)],
  };
}
