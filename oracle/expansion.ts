import {
  type CompositeName,
  type CompositeRows,
  composites,
  expand,
  expandUnless,
  isCompositeName,
  type NodeId,
  nodeAt,
  type OperatorName,
  type PrimitiveGraph,
  present,
  type Seed,
} from "../spec/index.ts";
import type { Case } from "./case.ts";

/** Where a node of an expansion stands in its composite. */
export interface Inside {
  readonly composite: CompositeName;
  /** Whether its value is the composite's. */
  readonly isLast: boolean;
  /** Whether an id belongs to the same composite. */
  isWithin(id: NodeId): boolean;
}

/** A case of primitives, which is what the reference answers. */
export interface PrimitiveCase extends Case {
  readonly graph: PrimitiveGraph;
  /** By node, in order: the composite it was written out of, if it was. */
  readonly insides: readonly (Inside | undefined)[];
}

/** A case with its composites written out, and by id of the original its id there. */
export interface ExpandedCase {
  readonly question: PrimitiveCase;
  readonly ids: readonly NodeId[];
}

/**
 * The same question in primitives. Inputs, point and tangents are as they were; seeds stand at the new ids. `rows` says
 * what composites expand to.
 */
export function expandCase(question: Case, rows: CompositeRows = composites): ExpandedCase {
  const { graph, ids, origins } = expand(question.graph, rows);
  const insides = graph.nodes.map((_, position): Inside | undefined => {
    const own = graph.inputs.length + position;
    const origin = present(origins[own], "origin of an id");
    const op = nodeAt(question.graph, origin)?.op;
    if (op === undefined || !isCompositeName(op)) return undefined;
    return { composite: op, isLast: ids[origin] === own, isWithin: (id) => origins[id] === origin };
  });
  return { question: { ...question, graph, seeds: seedsAt(ids, question), insides }, ids };
}

/** The same question with the operators that are not kept written out. */
export function writeOut(question: Case, isKept: (op: OperatorName) => boolean): Case {
  const { graph, ids } = expandUnless(question.graph, isKept);
  return { ...question, graph, seeds: seedsAt(ids, question) };
}

function seedsAt(ids: readonly NodeId[], { seeds }: Case): Seed[] {
  return seeds.map(({ id, cotangent }) => ({ id: present(ids[id], "id of a seed"), cotangent }));
}
