import type { Shape } from "../../spec/shapes/index.ts";

/** A tensor as a suite writes it: its shape, and its elements in row-major order. */
export type TensorText = readonly [shape: Shape, elements: readonly number[]];

/** A node as a suite writes it: operator, parents, and attributes if it has any. */
export type NodeText = readonly [op: string, parents: readonly number[], attributes?: object];

/**
 * Nodes as a suite writes them: `"multiply 0 0; sum 1 axes=[0] keepdims=false"` names operator, parents and
 * attributes of two. A list may hold such texts and {@link NodeText}s by turns.
 */
export type NodesText = string | readonly (string | NodeText)[];

/** Numbers in brackets, nested as deep as the tensor has axes. */
export type Nested = number | readonly Nested[];

/** Returns the tensor of nested brackets, shaped by first entries; empty ones need a {@link TensorText}. */
export function array(nested: Nested): TensorText {
  if (typeof nested === "number") return [[], [nested]];
  const parts = nested.map(array);
  return [[nested.length, ...(parts[0]?.[0] ?? [])], parts.flatMap(([, elements]) => elements)];
}

/** Reads the tensors of a list, which is short as a text where nested brackets would take many lines. */
export function numbers(list: string): readonly Nested[] {
  return JSON.parse(`[${list}]`);
}

/** The title of a vector says this much about it. */
export interface Titled {
  /** It names the file too. */
  readonly name: string;
  /** The clause of SEMANTICS.md that it tests. */
  readonly clause: string;
  /** Entries of the catalogue that the vector shows; their links are added. */
  readonly defects?: readonly string[];
  /** Faults that change the answer, by their names in the suite's test. */
  readonly faults?: readonly string[];
}

/** Reads a title: the name, the clause, entries of the catalogue if any, and faults behind a colon. */
export function entitled(title: string): Titled {
  const [head, faults] = title.split(": ");
  const [name = "", clause = "", ...defects] = (head ?? "").split(" ");
  return { name, clause, defects, faults: faults?.split(" ") ?? [] };
}

/** Returns the nodes that a text names; whether they make a graph is checked later. */
export function nodesFrom(text: NodesText): readonly NodeText[] {
  if (typeof text === "string") return text.split("; ").map(nodeFrom);
  return text.flatMap((part) => (typeof part === "string" ? nodesFrom(part) : [part]));
}

function nodeFrom(text: string): NodeText {
  const [op = "", ...words] = text.split(" ");
  const parents = words.filter((word) => !word.includes("="));
  const attributes = words.filter((word) => word.includes("=")).map(attributeFrom);
  return [op, parents.map(Number), Object.fromEntries(attributes)];
}

/** Reads `name=value`, where the value is a word unless it is a number, a list or a Boolean. */
function attributeFrom(text: string): readonly [name: string, value: unknown] {
  const [name = "", value = ""] = text.split("=");
  return [name, /^([-\d[].*|true|false)$/.test(value) ? JSON.parse(value) : value];
}
