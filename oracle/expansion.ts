import { expand, type NodeId, type PrimitiveGraph, present } from "../spec/index.ts";
import type { Case } from "./case.ts";

/** A case of primitives, which is what the reference answers. */
export interface PrimitiveCase extends Case {
  readonly graph: PrimitiveGraph;
}

/** A case with its composites written out, and by id of the original its id there. */
export interface ExpandedCase {
  readonly question: PrimitiveCase;
  readonly ids: readonly NodeId[];
}

/** The same question in primitives. Inputs, point and tangents are as they were; seeds stand at the new ids. */
export function expandCase(question: Case): ExpandedCase {
  const { graph, ids } = expand(question.graph);
  const seeds = question.seeds.map(({ id, cotangent }) => ({
    id: present(ids[id], "id of a seed"),
    cotangent,
  }));
  return { question: { ...question, graph, seeds }, ids };
}
