import { type Node, nodeAt } from "../../spec/graph/index.ts";
import { at, type NodeId, nodeId, present } from "../../spec/shapes/index.ts";
import type { FlatTensor } from "../../spec/wire/index.ts";
import type { Case, ReferenceRun } from "../case/index.ts";
import { idealCotangents } from "../shrink/index.ts";

/** An excerpt is one node of a case, or two of which the second reads the first. */
export interface Excerpt {
  readonly node: Node;
  /** Is pulled back from the node; nothing is if it is left out. */
  readonly cotangent?: FlatTensor | undefined;
  /** Computes the operand of the node at a place. */
  readonly before?: Node;
  readonly place?: number;
  /** Is pulled back from {@link before} directly, beside what the node hands on. */
  readonly between?: FlatTensor | undefined;
}

/** The reference's numbers; where there are no tangents, values stand for them. */
export type Numbers = Pick<ReferenceRun, "values"> & Partial<Pick<ReferenceRun, "tangents">>;

/** An excerpt as a case, and the ids of it that tell its parts apart. */
export interface Isolated {
  readonly question: Case;
  /** The inputs below this id are read by the first of two nodes, and others by the second. */
  readonly outer: number;
}

/**
 * Makes a case of an excerpt; what else the nodes read becomes inputs with the reference's numbers. A node
 * reads each operand from one input, but two nodes share none, so no cotangents are added up between them.
 */
export function isolate(question: Case, { values, tangents = values }: Numbers, excerpt: Excerpt): Isolated {
  const { node, cotangent, before, place } = excerpt;
  const outer = [...new Set(before?.parents)];
  const beside = [...new Set(node.parents.filter((_, position) => position !== place))];
  const ids = [...outer, ...beside];
  const operands = ids.map((id) => at(values, id));
  const between = nodeId(operands.length);
  const moved = {
    ...node,
    parents: node.parents.map((id, position) =>
      position === place ? between : nodeId(outer.length + beside.indexOf(id)),
    ),
  };
  const first = before && { ...before, parents: before.parents.map((id) => nodeId(outer.indexOf(id))) };
  const nodes = first === undefined ? [moved] : [first, moved];
  const last = nodeId(operands.length + nodes.length - 1);
  const asked: Case = {
    graph: {
      ...question.graph,
      inputs: operands.map(({ shape }, position) => ({ name: `operand${position}`, shape })),
      nodes,
    },
    point: { inputs: operands, environment: question.point.environment },
    tangents: ids.map((id) => at(tangents, id)),
    seeds: [
      ...(excerpt.between === undefined ? [] : [{ id: between, cotangent: excerpt.between }]),
      ...(cotangent === undefined ? [] : [{ id: last, cotangent }]),
    ],
  };
  return { question: asked, outer: outer.length };
}

/** Makes a case of nodes that read none of each other; what they read becomes inputs, one for each id. */
export function sideBySide(
  question: Case,
  { values, tangents = values }: Numbers,
  parts: readonly Pick<Excerpt, "node" | "cotangent">[],
): Case {
  const ids = [...new Set(parts.flatMap(({ node }) => node.parents))];
  const inputs = ids.map((id) => at(values, id));
  return {
    graph: {
      ...question.graph,
      inputs: inputs.map(({ shape }, position) => ({ name: `operand${position}`, shape })),
      nodes: parts.map(({ node }) => ({
        ...node,
        parents: node.parents.map((id) => nodeId(ids.indexOf(id))),
      })),
    },
    point: { inputs, environment: question.point.environment },
    tangents: ids.map((id) => at(tangents, id)),
    seeds: parts.flatMap(({ cotangent }, position) =>
      cotangent === undefined ? [] : [{ id: nodeId(ids.length + position), cotangent }],
    ),
  };
}

/** Asks a node of a case alone, with the reference's numbers and a plain cotangent. */
export function nodeAlone(question: Case, id: NodeId, run: ReferenceRun): Case {
  const node = present(nodeAt(question.graph, id), "a node");
  return isolate(question, run, { node, cotangent: idealCotangents(at(run.values, id).shape) }).question;
}
