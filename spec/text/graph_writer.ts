import { operators } from "../composites/index.ts";
import { shapesOf } from "../expansion/index.ts";
import type { Graph, Node } from "../graph/index.ts";
import type { EnvironmentEntry } from "../operators/index.ts";
import { isSameShape, type Shape } from "../shapes/index.ts";
import { signs } from "./graph_reader.ts";
import type { Beside } from "./measure_reader.ts";
import { Behind } from "./measure_writer.ts";
import { attributeText, BRACES_WIDTH, binding, folded, nameText, numberText, shapeText } from "./words.ts";

/** The sign of each operator that has one. */
export const signOf: ReadonlyMap<string, string> = new Map(
  Object.entries(signs).map(([sign, op]) => [op, sign]),
);

/** A graph's lines are written so. */
export interface Layout {
  /** Each line tells its value's shape. */
  readonly hasShapes?: boolean;
  /** What is read once stands where it is read, not on a line of its own, unless it is one of these ids. */
  readonly named?: ReadonlySet<number>;
  /** Units and ranges stand behind what they are of. */
  readonly beside?: Beside;
}

/** Names an id: an input by its name, anything else as `%3`. */
export function idText({ inputs }: Graph, id: number): string {
  const name = inputs[id]?.name;
  return name === undefined ? `%${id}` : nameText(name);
}

/** Writes the first line of a graph: `graph square(x: [3]) given (c: [], i: index [2])`. */
export function headText(head: string, { inputs, environment }: Graph, beside?: Beside): string {
  const behind = beside === undefined ? undefined : new Behind(beside);
  const declared = inputs.map((input, id) => declarationText(input) + (behind?.input(id, input.name) ?? ""));
  return `${head}(${declared.join(", ")})${givenText(environment, behind)}`;
}

/** Writes the lines of a graph's nodes. Law: they are read as the same nodes. Cost: linear. */
export function nodeLines(graph: Graph, indent: string, layout: Layout = {}): string[] {
  return new Lines(graph, indent, layout).all();
}

/** The text of an expression, and how tightly it holds together, as {@link binding} says of operators. */
interface Part {
  readonly text: string;
  readonly bound: number;
}

/** A sign holds tighter than a product, looser than a power; names and calls hold tightest. */
const SIGN = 4;
const TIGHT = 9;

/** A value that waits for the one node that reads it. */
interface Waiting extends Part {
  readonly id: number;
  /** It has this text where it gets a line. */
  readonly line: string;
  /** It is a number that takes the shape of its neighbours, behind which its node comes. */
  readonly isLiteral: boolean;
}

/**
 * Writes nodes as lines. What is read once waits for its reader, as on a stack, and stands there if the text
 * would be read as the same nodes in the same order; else it gets a line.
 */
class Lines {
  readonly #graph: Graph;
  readonly #indent: string;
  readonly #lines: string[] = [];
  readonly #hasShapes: boolean;
  readonly #named: ReadonlySet<number> | undefined;
  readonly #shapes: readonly Shape[];
  readonly #uses: Map<number, number> = new Map();
  /** The first node of each entry of Δ. */
  readonly #constants: Map<string, number> = new Map();
  readonly #waiting: Waiting[] = [];
  readonly #behind: Behind | undefined;

  constructor(graph: Graph, indent: string, { hasShapes = false, named, beside }: Layout) {
    this.#behind = beside === undefined ? undefined : new Behind(beside);
    this.#graph = graph;
    this.#indent = indent;
    this.#hasShapes = hasShapes;
    this.#named = named;
    this.#shapes = hasShapes || named !== undefined ? shapesOf(graph) : [];
    if (named === undefined) return;
    for (const { parents } of graph.nodes)
      for (const parent of parents) this.#uses.set(parent, (this.#uses.get(parent) ?? 0) + 1);
  }

  all(): string[] {
    const { nodes, inputs } = this.#graph;
    for (const [i, node] of nodes.entries()) this.#write(inputs.length + i, node);
    this.#flush(0);
    return this.#lines;
  }

  #write(id: number, node: Node): void {
    const taken = this.#takenBy(id, node);
    const parts = new Map(taken.map((part) => [part.id, part]));
    this.#waiting.length -= taken.length;
    const part = this.#part(node, (parent) => parts.get(parent) ?? this.#known(parent));
    const isFirst = node.op !== "constant" || !this.#constants.has(node.attributes.name);
    if (node.op === "constant" && isFirst) this.#constants.set(node.attributes.name, id);
    const mayWait = this.#uses.get(id) === 1 && this.#named?.has(id) === false && isFirst;
    if (mayWait && node.op !== "differentiate") {
      this.#waiting.push({ ...part, id, ...this.#asLiteral(node, part) });
      return;
    }
    this.#flush(0);
    this.#line(id, part.text);
  }

  /** Returns what waits and may stand within a node; where that cannot be, what waits gets lines. */
  #takenBy(id: number, { op, parents }: Node): readonly Waiting[] {
    if (this.#waiting.length === 0) return [];
    const wanted = parents.flatMap((parent) => this.#waiting.find((waiting) => waiting.id === parent) ?? []);
    const isElementwise = operators[op].isElementwise === true;
    const fits = (waiting: Waiting): boolean =>
      !waiting.isLiteral || isSameShape(this.#shapes[waiting.id] ?? [], this.#shapes[id] ?? []);
    const isReadable =
      op !== "differentiate" &&
      wanted.every(fits) &&
      (!wanted.some(({ isLiteral }) => isLiteral) ||
        (isElementwise &&
          parents.some((parent) => !wanted.some((part) => part.isLiteral && part.id === parent))));
    const order = [...wanted.filter((part) => !part.isLiteral), ...wanted.filter((part) => part.isLiteral)];
    const top = this.#waiting.slice(this.#waiting.length - order.length);
    if (isReadable && order.every((part, i) => part === top[i])) return order;
    this.#flush(0);
    return [];
  }

  /** Gives lines to what waits, from a place on. */
  #flush(from: number): void {
    for (const { id, line } of this.#waiting.splice(from)) this.#line(id, line);
  }

  #line(id: number, text: string): void {
    const shape = this.#hasShapes ? this.#shapes[id] : undefined;
    const left = shape === undefined ? `%${id}` : `%${id}: ${shapeText(shape)}`;
    this.#lines.push(folded(`${this.#indent}${left} = ${text}${this.#behind?.value(id) ?? ""}`));
  }

  #known(id: number): Part {
    return { text: idText(this.#graph, id), bound: TIGHT };
  }

  #asLiteral(node: Node, { text }: Part): Omit<Waiting, "id" | "bound"> & Partial<Part> {
    if (node.op !== "full") return { text, line: text, isLiteral: false };
    const { value } = node.attributes;
    const bound = value < 0 || Object.is(value, -0) ? SIGN : TIGHT;
    return { text: numberText(value), bound, line: text, isLiteral: true };
  }

  /** Writes a node as an expression of its operands. */
  #part(node: Node, partOf: (id: number) => Part): Part {
    const { op, parents, attributes } = node;
    const operands = parents.map(partOf);
    if (node.op === "differentiate")
      return { text: derivativeText(node, operands, this.#indent), bound: TIGHT };
    if (node.op === "constant") return { text: nameText(node.attributes.name), bound: TIGHT };
    const [left, right] = operands;
    const sign = signOf.get(op);
    if (sign !== undefined && left !== undefined && right !== undefined) return infix(left, sign, right);
    if (op === "negative" && left !== undefined)
      return { text: `-${grouped(left, left.bound <= SIGN)}`, bound: SIGN };
    const named = Object.entries(attributes).map(([name, value]) => `${name}=${attributeText(value)}`);
    return { text: `${op}(${[...operands.map(({ text }) => text), ...named].join(", ")})`, bound: TIGHT };
  }
}

function grouped({ text }: Part, isLoose: boolean): string {
  return isLoose ? `(${text})` : text;
}

/** Joins two operands; a power binds to the right, all else to the left. */
function infix(left: Part, sign: string, right: Part): Part {
  const bound = binding[sign] ?? 0;
  const isPower = sign === "**";
  const [first, second] = [
    grouped(left, isPower ? left.bound <= bound : left.bound < bound),
    grouped(right, isPower ? right.bound < bound : right.bound <= bound),
  ];
  return { text: `${first} ${sign} ${second}`, bound };
}

/** Writes the derivative of an inner graph at operands, of which the last is the direction. */
export function derivativeText(
  {
    attributes: { graph, mode, of, wrt },
  }: Pick<Extract<Node, { readonly op: "differentiate" }>, "attributes">,
  operands: readonly Pick<Part, "text">[],
  indent: string,
): string {
  const given = operands.map(({ text }) => text);
  const at = given.slice(0, -1).join(", ");
  const asked = `of ${idText(graph, of)} by ${idText(graph, wrt)} at ${at} along ${given.at(-1)}`;
  const head = `${headText(`${mode} `, graph)} => {`;
  const inner = nodeLines(graph, `${indent}    `);
  const flat = `${head} ${inner.map((line) => line.trimStart()).join("; ")} } ${asked}`;
  if (indent.length + flat.length <= BRACES_WIDTH && !flat.includes("\n")) return flat;
  return [head, inner.join(";\n"), `${indent}  } ${asked}`].join("\n");
}

function declarationText({ name, shape }: { readonly name: string; readonly shape: Shape }): string {
  return shape.length === 0 ? nameText(name) : `${nameText(name)}: ${shapeText(shape)}`;
}

/** Writes the entries of Δ of a graph or a program. */
export function givenText(environment: readonly EnvironmentEntry[], behind?: Behind): string {
  const entries = environment.map((entry) =>
    entry.kind === "index"
      ? `${nameText(entry.name)}: index ${shapeText(entry.shape)}`
      : declarationText(entry) + (behind?.entry(entry.name) ?? ""),
  );
  return entries.length === 0 ? "" : ` given (${entries.join(", ")})`;
}
