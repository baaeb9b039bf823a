import { operators } from "../composites/index.ts";
import { shapesOf } from "../expansion/index.ts";
import type { Graph, Node } from "../graph/index.ts";
import type { Shape } from "../shapes/index.ts";
import {
  applied,
  braced,
  declarationText,
  type Form,
  givenText,
  LOOSE,
  numeral,
  tight,
  typed,
} from "./forms.ts";
import type { Beside } from "./measure_reader.ts";
import { Behind } from "./measure_writer.ts";
import { Waiting } from "./waiting.ts";
import { folded, nameText } from "./words.ts";

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
  const declared = inputs.map(
    (input, id) => declarationText(input, nameText) + (behind?.input(id, input.name) ?? ""),
  );
  return `${head}(${declared.join(", ")})${givenText(environment, (name) => behind?.entry(name) ?? "")}`;
}

/** Writes the lines of a graph's nodes. Law: they are read as the same nodes. Cost: linear. */
export function nodeLines(graph: Graph, indent: string, layout: Layout = {}): string[] {
  return new Lines(graph, indent, layout).all();
}

/** What waits has so many characters and brackets at most: a reader has limits. */
const [LONGEST, DEEPEST] = [2000, 100];

/**
 * Writes nodes as lines. What is read once waits for its reader, and stands there if the text would be read
 * as the same nodes in the same order; else it gets a line.
 */
class Lines {
  readonly #graph: Graph;
  readonly #indent: string;
  readonly #lines: string[] = [];
  readonly #hasShapes: boolean;
  readonly #named: ReadonlySet<number> | undefined;
  readonly #shapes: readonly Shape[];
  readonly #uses: Map<number, number> = new Map();
  /** Entries of Δ that were named: a reader makes one node for each, unless it has a line of its own. */
  readonly #constants: Set<string> = new Set();
  readonly #waiting: Waiting<number>;
  readonly #behind: Behind | undefined;

  constructor(graph: Graph, indent: string, { hasShapes = false, named, beside }: Layout) {
    this.#behind = beside === undefined ? undefined : new Behind(beside);
    this.#graph = graph;
    this.#indent = indent;
    this.#hasShapes = hasShapes;
    this.#named = named;
    this.#shapes = hasShapes ? shapesOf(graph) : [];
    this.#waiting = new Waiting(
      (line) => this.#lines.push(folded(indent + line)),
      (id) => tight(idText(graph, id)),
    );
    if (named === undefined) return;
    for (const { parents } of graph.nodes)
      for (const parent of parents) this.#uses.set(parent, (this.#uses.get(parent) ?? 0) + 1);
  }

  all(): string[] {
    const { nodes, inputs } = this.#graph;
    for (const [i, node] of nodes.entries()) this.#write(inputs.length + i, node);
    this.#waiting.flush();
    return this.#lines;
  }

  #write(id: number, node: Node): void {
    const form = this.#form(node);
    const isKnown = node.op === "constant" && this.#constants.has(node.attributes.name);
    if (node.op === "constant") this.#constants.add(node.attributes.name);
    const line = `${typed(`%${id}`, this.#hasShapes ? this.#shapes[id] : undefined)} = ${form.text}`;
    const entry = { key: id, line: line + (this.#behind?.value(id) ?? "") };
    const mayWait =
      this.#uses.get(id) === 1 &&
      this.#named?.has(id) === false &&
      !(isKnown || node.op === "differentiate" || isTooLong(form));
    if (node.op !== "full") this.#waiting.push({ ...entry, form }, mayWait);
    else {
      const { shape, value } = node.attributes;
      this.#waiting.push({ ...entry, implied: { kind: "number", shape, form: numeral(value) } }, mayWait);
    }
  }

  /** Writes a node as an expression of its operands. Numbers take the shape of an operand beside them. */
  #form(node: Node): Form {
    const { op, parents, attributes } = node;
    const hasShape = parents.some((id) => this.#waiting.find(id)?.implied === undefined);
    const implied = operators[op].isElementwise === true && hasShape ? "any" : "none";
    if (op === "differentiate") this.#waiting.flush();
    const operands = this.#waiting.take(
      parents.map((key) => ({ key, implied })),
      true,
    );
    if (node.op === "differentiate") return derivativeForm(node, operands, this.#indent);
    return node.op === "constant" ? tight(nameText(node.attributes.name)) : applied(op, operands, attributes);
  }
}

function isTooLong({ text }: Form): boolean {
  return text.length > DEEPEST && (text.length > LONGEST || text.split("(").length > DEEPEST);
}

/** Writes the derivative of an inner graph at operands, of which the last is the direction. */
export function derivativeForm(
  {
    attributes: { graph, mode, of, wrt },
  }: Pick<Extract<Node, { readonly op: "differentiate" }>, "attributes">,
  operands: readonly Form[],
  indent: string,
): Form {
  const given = operands.map(({ text }) => text);
  const at = given.slice(0, -1).join(", ");
  const asked = `of ${idText(graph, of)} by ${idText(graph, wrt)} at ${at} along ${given.at(-1)}`;
  const lines = nodeLines(graph, `${indent}    `);
  return { text: braced(`${headText(`${mode} `, graph)} =>`, lines, asked, indent), bound: LOOSE };
}
