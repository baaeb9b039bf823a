import {
  type CompositeName,
  type CompositeRows,
  composites,
  isCompositeName,
  type OperatorName,
} from "../../spec/composites/index.ts";
import { type Application, type Expansion, expand, expandUnless } from "../../spec/expansion/index.ts";
import { type Graph, type Node, nodeAt, type PrimitiveGraph, type Seed } from "../../spec/graph/index.ts";
import { at, type NodeId, present, visible } from "../../spec/shapes/index.ts";
import type { Case } from "./case.ts";

/** A node of an expansion lies inside a composite. */
export interface Inside {
  readonly composite: CompositeName;
  /** If true, its value is the composite's. */
  readonly isLast: boolean;
  /** These composites contain the node, the innermost first. */
  readonly applications: readonly Application[];
  /** Tells whether an id belongs to the same composite. */
  isWithin(id: NodeId): boolean;
}

/** This is a graph of primitives with the composites that they come from. */
export interface PrimitiveProgram {
  readonly graph: PrimitiveGraph;
  /** Each node, in order, may have been expanded from a composite. */
  readonly insides: readonly (Inside | undefined)[];
  /** All expanded composites are listed, those inside another before it. */
  readonly applications: readonly Application[];
}

/** The reference answers such cases, which have primitives alone. */
export interface PrimitiveCase extends Case, PrimitiveProgram {
  readonly graph: PrimitiveGraph;
}

/** This is an expanded program, with each original id's new id. */
export interface ExpandedProgram {
  readonly program: PrimitiveProgram;
  readonly ids: readonly NodeId[];
}

/** This is an expanded case, with each original id's new id. */
export interface ExpandedCase {
  readonly question: PrimitiveCase;
  readonly ids: readonly NodeId[];
}

/** Expands a program to primitives, once for each graph. `rows` defines the composites. */
export function expandProgram(written: Graph, rows: CompositeRows = composites): ExpandedProgram {
  if (rows !== composites) return expandAnew(written, rows);
  const known = knownPrograms.get(written);
  if (known !== undefined) return known;
  const expanded = expandAnew(written, rows);
  knownPrograms.set(written, expanded);
  return expanded;
}

/** The truth about a case and its laws ask for the same expansion, which lasts as long as the graph. */
const knownPrograms = new WeakMap<Graph, ExpandedProgram>();

function expandAnew(written: Graph, rows: CompositeRows): ExpandedProgram {
  const { graph, ids, origins, applications } = expand(written, rows);
  const holding = holders(graph, applications);
  const insides = graph.nodes.map((_, position): Inside | undefined => {
    const own = graph.inputs.length + position;
    const origin = present(origins[own], "origin of an id");
    const node = nodeAt(written, origin);
    if (node === undefined || !isComputedWhole(node)) return undefined;
    return {
      composite: node.op,
      isLast: ids[origin] === own,
      applications: holding[own] ?? [],
      isWithin: (id) => origins[id] === origin,
    };
  });
  return { program: { graph, insides, applications }, ids };
}

type CompositeNode = Extract<Node, { readonly op: CompositeName }>;

/**
 * Tells whether an engine may compute a node as a whole, in a way of its own. A derivative of primitives does
 * not count: engines compute it from values and slopes, as any other derivative.
 */
export function isComputedWhole(node: Node): node is CompositeNode {
  if (node.op === "differentiate") return node.attributes.graph.nodes.some(isComputedWhole);
  return isCompositeName(node.op);
}

/** Expands a question to primitives. Inputs, point and tangents stay; seeds move to the new ids. */
export function expandCase(question: Case, rows: CompositeRows = composites): ExpandedCase {
  const { program, ids } = expandProgram(question.graph, rows);
  return { question: { ...question, ...program, seeds: seedsAt(ids, question) }, ids };
}

/** Lists for each id the composites that it was expanded from. */
function holders(graph: PrimitiveGraph, applications: readonly Application[]): readonly Application[][] {
  const holding: Application[][] = [...graph.inputs, ...graph.nodes].map(() => []);
  for (const application of applications) {
    for (let id: number = application.first; id < application.end; id++) holding[id]?.push(application);
  }
  return holding;
}

/** Expands the operators that are not kept. */
export function writeOut(question: Case, isKept: (op: OperatorName) => boolean): Case {
  const { graph, ids } = expandUnless(question.graph, isKept);
  return { ...question, graph, seeds: seedsAt(ids, question) };
}

function seedsAt(ids: readonly NodeId[], { seeds }: Case): Seed[] {
  return seeds.map(({ id, cotangent }) => ({ id: present(ids[id], "id of a seed"), cotangent }));
}

/** Names an id of a graph: `input a`, `node 7 (subtract)`. */
export function nameOfId(graph: Graph, id: NodeId): string {
  const input = graph.inputs[id];
  return input === undefined ? `node ${id} (${nodeAt(graph, id)?.op})` : `input ${visible(input.name, 40)}`;
}

/** Names the ids of an expansion of a graph; a composite's inner nodes are `a step of node 7 (softmax)`. */
export function namesInExpansion(
  original: Graph,
  { origins, ids }: Expansion<PrimitiveGraph>,
): (id: NodeId) => string {
  return (id) => {
    const origin = at(origins, id);
    const name = nameOfId(original, origin);
    return ids[origin] === id ? name : `a step of ${name}`;
  };
}
