import { approximateRational, type Case } from "../../oracle/index.ts";
import { rational } from "../../reference/index.ts";
import {
  type FlatTensor,
  formatShape,
  type Graph,
  type Node,
  type NodeId,
  parseFloat64,
  shapesOf,
} from "../../spec/index.ts";

/**
 * A case as lines that people read: a line per input and node, `2 = multiply(0, 1)`, with the numbers that go in.
 */
export function showCase({ graph, point, seeds }: Case): string[] {
  const inputs = graph.inputs.map(
    ({ name, shape }, id) => `${id} = input ${name} ${formatShape(shape)} = ${showTensor(point.inputs[id])}`,
  );
  const environment = graph.environment.map(
    ({ name, kind }) => `Δ ${name} (${kind}) = ${showTensor(point.environment.get(name))}`,
  );
  const nodes = graph.nodes.map((node, index) => `${graph.inputs.length + index} = ${showNode(node)}`);
  const cotangents = seeds.map(({ id, cotangent }) => `cotangent of ${id} = ${showTensor(cotangent)}`);
  return [...inputs, ...environment, ...nodes, ...cotangents];
}

/** A graph as lines that people read: `2 = multiply(0, 1) : [3]`. */
export function showGraph(graph: Graph): string[] {
  const shapes = shapesOf(graph);
  const inputs = graph.inputs.map(({ name, shape }, id) => `${id} = input ${name} : ${formatShape(shape)}`);
  const environment = graph.environment.map(
    ({ name, kind, shape }) => `Δ ${name} (${kind}) : ${formatShape(shape)}`,
  );
  const nodes = graph.nodes.map((node, index) => {
    const id = graph.inputs.length + index;
    return `${id} = ${showNode(node)} : ${formatShape(shapes[id] ?? [])}`;
  });
  return [...inputs, ...environment, ...nodes];
}

/** `sum(3; axes=[0], keepdims=true)` */
export function showNode({ op, parents, attributes }: Node): string {
  const named = Object.entries(attributes).map(([name, value]) => `${name}=${JSON.stringify(value)}`);
  return `${op}(${[parents.join(", "), named.join(", ")].filter((part) => part !== "").join("; ")})`;
}

/** The most elements of a tensor that are written out. */
const SHOWN_ELEMENTS = 12;

/** The elements as the shortest decimals that denote them. */
export function showTensor(tensor: FlatTensor | undefined): string {
  if (tensor === undefined) return "?";
  const shown = [...tensor.data.slice(0, SHOWN_ELEMENTS)].map(showNumber);
  const rest = tensor.data.length - shown.length;
  if (tensor.shape.length === 0) return shown.join("");
  return `[${[...shown, ...(rest > 0 ? [`… ${rest} more`] : [])].join(", ")}]`;
}

/** The shortest decimal that denotes `x`; −0 keeps its sign. */
export function showNumber(x: number): string {
  return Object.is(x, -0) ? "-0" : String(x);
}

/** The longest exact text that is written out. */
const SHOWN_CHARACTERS = 40;

/** A number in exact text form, with its decimal beside it where that helps; a very long fraction as a decimal alone. */
export function showExact(text: string): string {
  if (text.length > SHOWN_CHARACTERS) {
    const q = rational.parse(text);
    return q === undefined ? text : `about ${showNumber(approximateRational(q))}`;
  }
  const x = parseFloat64(text);
  if (x === undefined || !text.includes("x")) return text;
  return `${showNumber(x)} (${text})`;
}

/** The name of an id: an input's, or the node's operator. */
export function showId({ graph }: Case, id: NodeId): string {
  const input = graph.inputs[id];
  return input === undefined
    ? `${id} (${graph.nodes[id - graph.inputs.length]?.op})`
    : `${id} (input ${input.name})`;
}
