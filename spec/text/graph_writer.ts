import { shapesOf } from "../expansion/index.ts";
import type { Graph, Node } from "../graph/index.ts";
import type { EnvironmentEntry } from "../operators/index.ts";
import type { Shape } from "../shapes/index.ts";
import { signs } from "./graph_reader.ts";
import { attributeText, nameText, shapeText } from "./words.ts";

/** The sign of each operator that has one. */
const signOf: ReadonlyMap<string, string> = new Map(Object.entries(signs).map(([sign, op]) => [op, sign]));

/** A line may have so many columns before what stands in braces takes lines of its own. */
const WIDTH = 100;

/** Names an id: an input by its name, anything else as `%3`. */
export function idText({ inputs }: Graph, id: number): string {
  const name = inputs[id]?.name;
  return name === undefined ? `%${id}` : nameText(name);
}

/** Writes the first line of a graph: `graph square(x: [3]) given (c: [], i: index [2])`. */
export function headText(head: string, { inputs, environment }: Graph): string {
  return `${head}(${inputs.map(declarationText).join(", ")})${givenText(environment)}`;
}

/** Writes the lines of a graph's nodes, with shapes if asked. Law: they are read as the same nodes. */
export function nodeLines(graph: Graph, indent: string, hasShapes = false): string[] {
  const shapes = hasShapes ? shapesOf(graph) : [];
  return graph.nodes.map((node, i) => {
    const id = graph.inputs.length + i;
    const shape = shapes[id];
    const left = shape === undefined ? `%${id}` : `%${id}: ${shapeText(shape)}`;
    return `${indent}${left} = ${nodeText(graph, node, indent)}`;
  });
}

/** Writes a node as an expression of ids and names. */
export function nodeText(graph: Graph, node: Node, indent: string): string {
  const { op, parents, attributes } = node;
  const operands = parents.map((id) => idText(graph, id));
  if (node.op === "differentiate") return derivativeText(node.attributes, operands, indent);
  if (node.op === "constant") return nameText(node.attributes.name);
  const [left = "", right] = operands;
  const sign = signOf.get(op);
  if (sign !== undefined && right !== undefined) return `${left} ${sign} ${right}`;
  if (op === "negative") return `-${left}`;
  const named = Object.entries(attributes).map(([name, value]) => `${name}=${attributeText(value)}`);
  return `${op}(${[...operands, ...named].join(", ")})`;
}

function derivativeText(
  { graph, mode, of, wrt }: Extract<Node, { readonly op: "differentiate" }>["attributes"],
  operands: readonly string[],
  indent: string,
): string {
  const at = operands.slice(0, -1).join(", ");
  const asked = `of ${idText(graph, of)} by ${idText(graph, wrt)} at ${at} along ${operands.at(-1)}`;
  const head = `${headText(`${mode} `, graph)} => {`;
  const inner = nodeLines(graph, `${indent}    `);
  const flat = `${head} ${inner.map((line) => line.trimStart()).join("; ")} } ${asked}`;
  if (indent.length + flat.length <= WIDTH && !flat.includes("\n")) return flat;
  return [head, inner.join(";\n"), `${indent}  } ${asked}`].join("\n");
}

function declarationText({ name, shape }: { readonly name: string; readonly shape: Shape }): string {
  return shape.length === 0 ? nameText(name) : `${nameText(name)}: ${shapeText(shape)}`;
}

/** Writes the entries of Δ of a graph or a program. */
export function givenText(environment: readonly EnvironmentEntry[]): string {
  const entries = environment.map((entry) =>
    entry.kind === "index"
      ? `${nameText(entry.name)}: index ${shapeText(entry.shape)}`
      : declarationText(entry),
  );
  return entries.length === 0 ? "" : ` given (${entries.join(", ")})`;
}
