import type { Case } from "../../oracle/case/index.ts";
import { approximateRational } from "../../oracle/truth/centre/index.ts";
import { rational } from "../../reference/index.ts";
import { shapesOf } from "../../spec/expansion/index.ts";
import { type Graph, isGraph, type Node } from "../../spec/graph/index.ts";
import { formatShape, type NodeId, visible } from "../../spec/shapes/index.ts";
import { type FlatTensor, parseFloat64 } from "../../spec/wire/index.ts";

/** Shows a case, a line for each input and node, `2 = multiply(0, 1)`, with the numbers that go in. */
export function showCase({ graph, point, seeds }: Case): string[] {
  const inputs = graph.inputs.map(
    ({ name, shape }, id) => `${id} = input ${name} ${formatShape(shape)} = ${showTensor(point.inputs[id])}`,
  );
  const environment = graph.environment.map(
    ({ name, kind }) => `Δ ${name} (${kind}) = ${showTensor(point.environment.get(name))}`,
  );
  const nodes = graph.nodes.flatMap((node, index) => {
    const id = graph.inputs.length + index;
    return [`${id} = ${showNode(node)}`, ...showInner(node, id)];
  });
  const cotangents = seeds.map(({ id, cotangent }) => `cotangent of ${id} = ${showTensor(cotangent)}`);
  return [...inputs, ...environment, ...nodes, ...cotangents];
}

/** Shows a graph in lines like `2 = multiply(0, 1) : [3]`. */
export function showGraph(graph: Graph): string[] {
  const shapes = shapesOf(graph);
  const inputs = graph.inputs.map(({ name, shape }, id) => `${id} = input ${name} : ${formatShape(shape)}`);
  const environment = graph.environment.map(
    ({ name, kind, shape }) => `Δ ${name} (${kind}) : ${formatShape(shape)}`,
  );
  const nodes = graph.nodes.flatMap((node, index) => {
    const id = graph.inputs.length + index;
    return [`${id} = ${showNode(node)} : ${formatShape(shapes[id] ?? [])}`, ...showInner(node, id)];
  });
  return [...inputs, ...environment, ...nodes];
}

/**
 * Shows the inner graph of a node at `place`, indented, in lines of {@link INNER_WIDTH} where words allow.
 * Ids follow the node's, as in `2.0 = input x : [3]`, and so are unique at any depth.
 */
export function showInner(node: Node, place: number | string): string[] {
  return innerLines(node, `${place}`).flatMap(folded);
}

function innerLines(node: Node, place: string): string[] {
  if (node.op !== "differentiate") return [];
  const { graph, mode, of, wrt } = node.attributes;
  const shapes = shapesOf(graph);
  const asked = mode === "vjp" ? `cotangent of ${place}.${wrt}` : `tangent of ${place}.${of}`;
  const given = mode === "vjp" ? `cotangent of ${place}.${of}` : `tangent of ${place}.${wrt}`;
  const inputs = graph.inputs.map(
    ({ name, shape }, id) => `${place}.${id} = input ${name} : ${formatShape(shape)}`,
  );
  const nodes = graph.nodes.flatMap((inner, index) => {
    const id = graph.inputs.length + index;
    const own = `${place}.${id}`;
    const line = `${own} = ${showNode(inner, (parent) => `${place}.${parent}`)}`;
    return [`${line} : ${formatShape(shapes[id] ?? [])}`, ...innerLines(inner, own)];
  });
  return [`${asked}, from a ${given}, in`, ...inputs, ...nodes].map((line) => `  ${line}`);
}

/** Lines of inner graphs have at most so many columns. */
const INNER_WIDTH = 80;

/** Folds a line between words, and indents its further lines. */
function folded(line: string): string[] {
  if (line.length <= INNER_WIDTH) return [line];
  const indent = `${line.slice(0, line.length - line.trimStart().length)}    `;
  const end = line.lastIndexOf(" ", INNER_WIDTH);
  if (end < indent.length) return [line];
  return [line.slice(0, end), ...folded(indent + line.slice(end + 1))];
}

/** Shows a node: `sum(3; axes=[0], keepdims=true)`; an inner graph by its size. */
export function showNode(
  { op, parents, attributes }: Node,
  showParent: (id: NodeId) => string = String,
): string {
  const named = Object.entries(attributes).map(([name, value]) => `${name}=${showAttribute(value)}`);
  const operands = parents.map(showParent).join(", ");
  return `${op}(${[operands, named.join(", ")].filter((part) => part !== "").join("; ")})`;
}

/** Shows an attribute as JSON, an inner graph by its size. */
function showAttribute(value: unknown): string {
  if (!isGraph(value)) return visible(JSON.stringify(value), Number.POSITIVE_INFINITY);
  return `{${value.nodes.length} ${value.nodes.length === 1 ? "node" : "nodes"}}`;
}

/** At most so many elements of a tensor are written out. */
const SHOWN_ELEMENTS = 12;

/** Writes elements as the shortest decimals that denote them. */
export function showTensor(tensor: FlatTensor | undefined): string {
  if (tensor === undefined) return "?";
  const shown = [...tensor.data.slice(0, SHOWN_ELEMENTS)].map(showNumber);
  const rest = tensor.data.length - shown.length;
  if (tensor.shape.length === 0) return shown.join("");
  return `[${[...shown, ...(rest > 0 ? [`… ${rest} more`] : [])].join(", ")}]`;
}

/** Writes the shortest decimal that denotes `x`; −0 keeps its sign. */
export function showNumber(x: number): string {
  return Object.is(x, -0) ? "-0" : String(x);
}

/** Longer exact texts are not written out. */
const SHOWN_CHARACTERS = 40;

/** Shows an exact number, with a decimal where that helps; a very long fraction as a decimal alone. */
export function showExact(text: string): string {
  if (text.length > SHOWN_CHARACTERS) {
    const q = rational.parse(text);
    return q === undefined ? text : `about ${showNumber(approximateRational(q))}`;
  }
  const x = parseFloat64(text);
  if (x === undefined || !text.includes("x")) return text;
  return `${showNumber(x)} (${text})`;
}

/** Names an id: by the input's name, or the node's operator. */
export function showId({ graph }: Case, id: NodeId): string {
  const input = graph.inputs[id];
  return input === undefined
    ? `${id} (${graph.nodes[id - graph.inputs.length]?.op})`
    : `${id} (input ${input.name})`;
}
