import { mersenne } from "pure-rand/generator/mersenne";
import { objectiveOf, type Problem, tensor } from "../gradbench/graphs/problem.ts";
import { chainGraph, type FlatGraph, graphOf } from "../scalar_graph.ts";

/** Graphs of scalars: random ones of about a hundred levels, and chains in which each node reads the one before. */
export type ScalarForm = "wide" | "chain";

/** Such a graph of so many nodes. */
export interface ScalarSizes {
  readonly nodes: number;
  readonly form: ScalarForm;
}

/** The graph as lists, for those who build it node by node. */
export function scalarsOf({ nodes, form }: ScalarSizes): FlatGraph {
  return form === "chain" ? chainGraph(nodes, 7) : wideGraph(nodes);
}

/** The same as a graph of the specification; each input is a scalar of its own. */
export function scalars(sizes: ScalarSizes): Problem {
  const flat = scalarsOf(sizes);
  const graph = graphOf(flat);
  return {
    name: `${sizes.form} n=${sizes.nodes}`,
    graph,
    point: { inputs: Array.from(flat.point, (x) => tensor([], [x])), environment: new Map() },
    outputs: [objectiveOf(graph)],
  };
}

/** A graph that grows, with a bound on each id's magnitude, so that neither values nor derivatives get out of hand. */
interface Growing {
  readonly graph: FlatGraph;
  readonly bounds: Float64Array;
  size: number;
}

const INPUTS = 64;

/** Magnitudes up to which sums and products, and exponentials, are taken; beyond, the sine is. */
const MOST = 16;
const MOST_EXPONENT = 2;

/** Codes of `FlatGraph`. */
const [ADD, MULTIPLY, SIN, EXP] = [0, 1, 2, 3];

/**
 * Each node reads the oldest value that nobody has read, so that none is dead; a binary one reads a second among the
 * latest four levels. Four in ten are sums, four products, one each sines and exponentials, where magnitudes allow. The first
 * level reads the inputs; the sums of what is left, in pairs, are the last. Levels are a hundredth of the graph wide.
 * It is made so that a rounding is not amplified by more than some 10⁴, and answers can be compared.
 */
function wideGraph(nodes: number): FlatGraph {
  const width = Math.max(8, Math.floor(nodes / 100));
  const generator = mersenne(nodes);
  const below = (limit: number): number => (generator.next() >>> 0) % limit;
  const growing: Growing = {
    graph: {
      codes: new Int32Array(nodes),
      x: new Int32Array(nodes),
      y: new Int32Array(nodes),
      point: Float64Array.from({ length: INPUTS }, () => below(2 ** 20) / 2 ** 19 - 1),
    },
    bounds: new Float64Array(INPUTS + nodes).fill(1, 0, INPUTS),
    size: 0,
  };
  let unread = INPUTS;
  while (growing.size < nodes - (width - 1)) {
    const ids = INPUTS + growing.size;
    const first = growing.size < width ? growing.size % INPUTS : unread++;
    draw(growing, below(10), first, ids - 1 - below(Math.min(ids, 4 * width)));
  }
  for (; growing.size < nodes; unread += 2) push(growing, ADD, unread, unread + 1, 0);
  return growing.graph;
}

/** Appends what was drawn, or a sine where its value might be too large. */
function draw(growing: Growing, drawn: number, first: number, second: number): void {
  const [a = 0, b = 0] = [growing.bounds[first], growing.bounds[second]];
  if (drawn < 4 && a + b <= MOST) push(growing, ADD, first, second, a + b);
  else if (drawn >= 4 && drawn < 8 && a * b <= MOST) push(growing, MULTIPLY, first, second, a * b);
  else if (drawn === 9 && a <= MOST_EXPONENT) push(growing, EXP, first, 0, Math.exp(a));
  else push(growing, SIN, first, 0, 1);
}

function push(
  growing: Growing,
  code: number | undefined,
  first: number,
  second: number,
  bound: number,
): void {
  const { graph, bounds, size } = growing;
  graph.codes[size] = code ?? 0;
  graph.x[size] = first;
  graph.y[size] = second;
  bounds[INPUTS + size] = bound;
  growing.size = size + 1;
}
