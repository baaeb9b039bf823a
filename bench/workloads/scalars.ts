import { objectiveOf, type Problem, tensor } from "../gradbench/graphs/problem.ts";
import { chainGraph, type FlatGraph, graphOf, wideGraph } from "../scalar_graph.ts";

/** Graphs of scalars are random, or chains in which each node reads the one before. */
type ScalarForm = "wide" | "chain";

/** Such a graph has this many nodes. */
export interface ScalarSizes {
  readonly nodes: number;
  readonly form: ScalarForm;
}

const SEED = 7;

/** Draws the graph as lists, for those who build it node by node. */
export function scalarsOf({ nodes, form }: ScalarSizes): FlatGraph {
  return form === "chain" ? chainGraph(nodes, SEED) : wideGraph(nodes, SEED);
}

/** Draws it as a graph of the specification; each input is a scalar of its own. */
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
