import {
  type Application,
  type CompositeName,
  type CompositeRows,
  composites,
  expand,
  expandUnless,
  isCompositeName,
} from "../../spec/composites/index.ts";
import { type Graph, type Node, nodeAt, type PrimitiveGraph, type Seed } from "../../spec/graph/index.ts";
import type { OperatorName } from "../../spec/operators/index.ts";
import { type NodeId, present } from "../../spec/shapes/index.ts";
import type { Case } from "./case.ts";

/** Where a node of an expansion stands in its composite. */
export interface Inside {
  readonly composite: CompositeName;
  /** Whether its value is the composite's. */
  readonly isLast: boolean;
  /** The composite and those inside it that the node belongs to, the innermost first. */
  readonly applications: readonly Application[];
  /** Whether an id belongs to the same composite. */
  isWithin(id: NodeId): boolean;
}

/** A graph of primitives, and where they come from. */
export interface PrimitiveProgram {
  readonly graph: PrimitiveGraph;
  /** By node, in order: the composite it was written out of, if it was. */
  readonly insides: readonly (Inside | undefined)[];
  /** Every composite that was written out, those inside another before it. */
  readonly applications: readonly Application[];
}

/** A case of primitives, which is what the reference answers. */
export interface PrimitiveCase extends Case, PrimitiveProgram {
  readonly graph: PrimitiveGraph;
}

/** A program with its composites written out, and by id of the original its id there. */
export interface ExpandedProgram {
  readonly program: PrimitiveProgram;
  readonly ids: readonly NodeId[];
}

/** A case with its composites written out, and by id of the original its id there. */
export interface ExpandedCase {
  readonly question: PrimitiveCase;
  readonly ids: readonly NodeId[];
}

/** The same program in primitives, made once for each graph. `rows` says what composites expand to. */
export function expandProgram(written: Graph, rows: CompositeRows = composites): ExpandedProgram {
  if (rows !== composites) return expandAnew(written, rows);
  const known = knownPrograms.get(written);
  if (known !== undefined) return known;
  const expanded = expandAnew(written, rows);
  knownPrograms.set(written, expanded);
  return expanded;
}

/** Of graphs that are still there: the truth about a case and the laws that ask for it once more want the same. */
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
 * Whether an engine may compute a node as a whole, in a way of its own. The derivative of a graph of primitives it computes from their values and slopes, as
 * it does where it is asked for one.
 */
export function isComputedWhole(node: Node): node is CompositeNode {
  if (node.op === "differentiate") return node.attributes.graph.nodes.some(isComputedWhole);
  return isCompositeName(node.op);
}

/** The same question in primitives. Inputs, point and tangents are as they were; seeds stand at the new ids. */
export function expandCase(question: Case, rows: CompositeRows = composites): ExpandedCase {
  const { program, ids } = expandProgram(question.graph, rows);
  return { question: { ...question, ...program, seeds: seedsAt(ids, question) }, ids };
}

/** By id, the composites that it was written out of. */
function holders(graph: PrimitiveGraph, applications: readonly Application[]): readonly Application[][] {
  const holding: Application[][] = [...graph.inputs, ...graph.nodes].map(() => []);
  for (const application of applications) {
    for (let id: number = application.first; id < application.end; id++) holding[id]?.push(application);
  }
  return holding;
}

/** The same question with the operators that are not kept written out. */
export function writeOut(question: Case, isKept: (op: OperatorName) => boolean): Case {
  const { graph, ids } = expandUnless(question.graph, isKept);
  return { ...question, graph, seeds: seedsAt(ids, question) };
}

function seedsAt(ids: readonly NodeId[], { seeds }: Case): Seed[] {
  return seeds.map(({ id, cotangent }) => ({ id: present(ids[id], "id of a seed"), cotangent }));
}
