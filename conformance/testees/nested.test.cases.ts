import { type Graph, type Node, type NodeOf, nodeId } from "../../spec/index.ts";
import { type HandComputed, node, question, scalar, seed } from "./asking.test.kit.ts";

type Mode = NodeOf<"differentiate">["attributes"]["mode"];

const one = node("full", { shape: [], value: 1 });

/** Makes a graph of scalars. */
function inner(inputs: number, ...nodes: readonly Node[]): Graph {
  return {
    format: "adjudge.graph.v1",
    inputs: Array.from({ length: inputs }, (_, i) => ({ name: `y${i}`, shape: [] })),
    environment: [],
    nodes,
  };
}

/** Makes a node with the derivative of the last id of a graph. */
function derivative(mode: Mode, graph: Graph, wrt: number, ...parents: readonly number[]): Node {
  const of = nodeId(graph.inputs.length + graph.nodes.length - 1);
  return node("differentiate", { graph, mode, of, wrt: nodeId(wrt) }, ...parents);
}

/** Makes a question at x = 3, which asks for the derivative of the last id. */
function atThree(
  title: string,
  nodes: readonly Node[],
  values: readonly number[],
  slope: number,
): HandComputed {
  return {
    title,
    ...question([scalar(3)], nodes),
    seeds: [seed(nodes.length, scalar(1))],
    values: values.map(scalar),
    pulled: [scalar(slope)],
  };
}

const product = inner(2, node("multiply", {}, 0, 1));
const cube = inner(1, node("multiply", {}, 0, 0), node("multiply", {}, 1, 0));
const names = { jvp: "forward", vjp: "reverse" } as const;
const modes = ["jvp", "vjp"] as const;

/** These are three nested derivatives of x³: two in the graph, and the one that is asked. */
const thirdDerivatives = modes.flatMap((second) =>
  modes.map((first) => {
    const once = inner(2, derivative(first, cube, 0, 0, 1));
    return atThree(
      `takes the third derivative of a cube: reverse over ${names[second]} over ${names[first]}`,
      [one, derivative(second, once, 0, 0, 1, 1)],
      [1, 18],
      6,
    );
  }),
);

/** These nested derivatives were worked out by hand; each shows a mistake that levels allow. */
export const nestedByHand: readonly HandComputed[] = [
  ...thirdDerivatives,
  // Here x · d/dy (x + y) = x.
  atThree(
    "does not take an outer perturbation for its own",
    [one, derivative("jvp", inner(2, node("add", {}, 0, 1)), 1, 0, 1, 1), node("multiply", {}, 0, 2)],
    [1, 1, 3],
    1,
  ),
  // Here d/dy (stop(y) · y) = stop(y), of which nothing comes out at any level.
  atThree(
    "stops a gradient at every level",
    [one, derivative("vjp", inner(1, node("stop_gradient", {}, 0), node("multiply", {}, 0, 1)), 0, 0, 1)],
    [1, 3],
    0,
  ),
  // The input that is asked for is not read, so that its derivative is 0 at every level.
  atThree(
    "has a zero where nothing depends on what is varied",
    [one, derivative("vjp", inner(2, node("negative", {}, 0)), 1, 0, 1, 1)],
    [1, 0],
    0,
  ),
];

/** d/dy (x · y) at y = x is x: the captured operand does not vary, though it is the same value. */
export const capturedItself: readonly HandComputed[] = modes.map((mode) =>
  atThree(
    `keeps what is captured apart from what is varied where both are one value, ${names[mode]}`,
    [one, derivative(mode, product, 1, 0, 0, 1)],
    [1, 3],
    1,
  ),
);
