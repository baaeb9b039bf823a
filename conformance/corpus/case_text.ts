import { type CaseData, checkCase, checkGraph } from "../../spec/documents/index.ts";
import { shapesOf } from "../../spec/expansion/index.ts";
import type { Graph } from "../../spec/graph/index.ts";
import {
  formatIssue,
  InvariantError,
  type Issue,
  type Result,
  type Shape,
  sizeOf,
} from "../../spec/shapes/index.ts";

/** A tensor as a suite writes it: its shape, and its elements in row-major order. */
export type TensorText = readonly [shape: Shape, elements: readonly number[]];

/** A node as a suite writes it: operator, parents, and attributes if it has any. */
export type NodeText = readonly [op: string, parents: readonly number[], attributes?: object];

/**
 * Nodes as a suite writes them: `"multiply 0 0; sum 1 axes=[0] keepdims=false"` names operator, parents and
 * attributes of two. A list may hold such texts and {@link NodeText}s by turns.
 */
export type NodesText = string | readonly (string | NodeText)[];

/** A case as a suite writes it; `caseFrom` fills in what it leaves out. */
export interface CaseText {
  /** It names the file too. */
  readonly name: string;
  /** It says what the case is about. */
  readonly note: string;
  readonly inputs: Readonly<Record<string, TensorText>>;
  readonly constants?: Readonly<Record<string, TensorText>>;
  /** Entries of Δ of kind index, each a list or a tensor. */
  readonly indices?: Readonly<Record<string, readonly number[] | TensorText>>;
  readonly nodes: NodesText;
  /** Tangents in the order of the inputs; distinct small numbers unless given. */
  readonly tangents?: readonly TensorText[];
  /** Cotangents by id; 3, 5, 7, 11, … at the last id unless given. */
  readonly seeds?: Readonly<Record<number, TensorText>>;
}

/** Returns a tensor by its shape and its elements. */
export function tensor(shape: Shape, elements: readonly number[]): TensorText {
  return [shape, elements];
}

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

/** Returns the matrix of these rows, or the tensor of these parts of equal shape. */
export function rows(...parts: readonly Nested[]): TensorText {
  return array(parts);
}

/** Returns the nodes that a text names; whether they make a graph is checked later. */
export function nodesFrom(text: NodesText): readonly NodeText[] {
  if (typeof text === "string") return text.split("; ").map(nodeFrom);
  return text.flatMap((part) => (typeof part === "string" ? nodesFrom(part) : [part]));
}

/** A text that {@link question} reads says these parts of a case. */
type Question = Pick<CaseText, "inputs" | "nodes" | "indices" | "seeds">;

/**
 * Returns the case of a text, `nodes at inputs where indices seeded cotangents`, of which the last two may be
 * left out: `"take 0 axis=0 indices=i; exp 1 at x=[2,3] where i=[0,0] seeded 1=[3,5] 2=[7,-0]"`.
 */
export function question(text: string): Question {
  const [, nodes = "", inputs = "", indices, seeds] =
    /^(.+) at (.+?)(?: where (.+?))?(?: seeded (.+))?$/.exec(text) ?? [];
  return {
    inputs: tensorsFrom(inputs),
    nodes,
    ...(indices === undefined ? {} : { indices: tensorsFrom(indices) }),
    ...(seeds === undefined ? {} : { seeds: tensorsFrom(seeds) }),
  };
}

/** Reads `name=brackets name=brackets`. */
function tensorsFrom(text: string): Readonly<Record<string, TensorText>> {
  const named = text.split(" ").map((word): readonly [name: string, value: TensorText] => {
    const [name = "", elements = ""] = word.split("=");
    const nested: Nested = JSON.parse(elements);
    return [name, array(nested)];
  });
  return Object.fromEntries(named);
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

/** Returns the case a text stands for. Throws {@link InvariantError} where our text is not well-formed. */
export function caseFrom(text: CaseText): CaseData {
  const { inputs, constants = {}, indices = {} } = text;
  const graph = graphFrom(text);
  return wellFormed(
    text,
    checkCase({
      format: "adjudge.case.v1",
      graph,
      point: {
        inputs: Object.values(inputs).map(tensorJson),
        environment: Object.fromEntries([
          ...Object.entries(constants).map(([name, tensor]) => [name, tensorJson(tensor)]),
          ...Object.entries(indices).map(([name, list]) => [name, tensorJson(indexTensor(list))]),
        ]),
      },
      tangents: Object.values(inputs).map(([shape], position) =>
        tensorJson(text.tangents?.[position] ?? [shape, generic(shape, position + 1)]),
      ),
      seeds: Object.entries(text.seeds ?? lastSeed(graph)).map(([id, cotangent]) => ({
        id: Number(id),
        cotangent: tensorJson(cotangent),
      })),
      note: text.note,
    }),
  );
}

function graphFrom(text: CaseText): Graph {
  const { inputs, constants = {}, indices = {} } = text;
  return wellFormed(
    text,
    checkGraph({
      format: "adjudge.graph.v1",
      inputs: Object.entries(inputs).map(([name, [shape]]) => ({ name, shape })),
      environment: [
        ...Object.entries(constants).map(([name, [shape]]) => ({ name, shape, kind: "real" })),
        ...Object.entries(indices).map(([name, list]) => ({
          name,
          shape: indexTensor(list)[0],
          kind: "index",
        })),
      ],
      nodes: nodesFrom(text.nodes).map(([op, parents, attributes = {}]) => ({ op, attributes, parents })),
    }),
  );
}

function wellFormed<T>({ name }: CaseText, checked: Result<T, Issue[]>): T {
  if (!checked.ok) throw new InvariantError(`${name}: ${checked.error.map(formatIssue).join("; ")}`);
  return checked.value;
}

function indexTensor(list: readonly number[] | TensorText): TensorText {
  const [shape, elements] = list;
  return Array.isArray(shape) && Array.isArray(elements)
    ? [shape, elements]
    : [[list.length], list.map(Number)];
}

function tensorJson([shape, elements]: TensorText): object {
  return { shape, data: elements.map((x) => (Object.is(x, -0) ? "-0x0p+0" : String(x))) };
}

/** Returns numbers that differ from each other and from those of another `start`: 1.5, −2.5, 3.5, … */
function generic(shape: Shape, start: number): number[] {
  return Array.from({ length: sizeOf(shape) }, (_, i) => (i % 2 === 0 ? 1 : -1) * (start + i + 0.5));
}

/** Seeds the last id with cotangents that differ from each other and from 1. */
function lastSeed(graph: Graph): Readonly<Record<number, TensorText>> {
  const shapes = shapesOf(graph);
  const shape = shapes.at(-1) ?? [];
  return { [shapes.length - 1]: [shape, oddPrimes(sizeOf(shape))] };
}

function oddPrimes(count: number): number[] {
  const primes: number[] = [];
  for (let n = 3; primes.length < count; n += 2) if (primes.every((p) => n % p !== 0)) primes.push(n);
  return primes;
}
