import { expandedIndexLimitsOf, shapeOfNode, shapesOf } from "../../spec/expansion/index.ts";
import type { Node } from "../../spec/graph/index.ts";
import { isSameShape } from "../../spec/shapes/index.ts";
import type { Call } from "../../spec/wire/index.ts";
import { type Case, changed, valuesOf } from "../case/index.ts";
import { edits } from "./edits.ts";
import { isSmaller, measure } from "./measure.ts";
import { simplerNodes } from "./plain.ts";
import { policies } from "./policies.ts";
import { resize } from "./resize.ts";
import { rewrite, type Subject } from "./rewrite.ts";
import { simplifications } from "./simplify.ts";

/** Replaces the node at `position` of the list and drops the entries of Δ that it alone read. */
function withNode(subject: Subject, position: number, node: Node): Case {
  const { question } = subject;
  const { graph } = question;
  const before = graph.nodes[position];
  const changed = { ...question, graph: { ...graph, nodes: graph.nodes.with(position, node) } };
  const names: readonly unknown[] = Object.values({ ...before?.attributes });
  if (!graph.environment.some(({ name }) => names.includes(name))) return changed;
  return rewrite(
    { ...subject, question: changed },
    { keepsDead: true, drops: (name) => names.includes(name) },
  );
}

/** Tells whether nodes fit their operands, which come before, seeds their ids, and indices their axes. */
function isWellTyped({ graph, point, seeds }: Case): boolean {
  const shapes = graph.inputs.map(({ shape }) => shape);
  for (const node of graph.nodes) {
    const shape = shapeOfNode(node, shapes, graph.environment);
    if (!shape.ok || node.parents.some((id) => id >= shapes.length)) return false;
    shapes.push(shape.value);
  }
  for (const [name, limits] of expandedIndexLimitsOf(graph)) {
    const indices = point.environment.get(name)?.data ?? [];
    if (indices.some((index, i) => index >= (limits[i % limits.length] ?? 0))) return false;
  }
  return seeds.every(({ id, cotangent }) => isSameShape(cotangent.shape, shapes[id] ?? []));
}

/**
 * Lists fewer calls, or plainer ones; before all else none, of the case itself or as a call changes it. A
 * graph that differs in an attribute stays beside the one it differs from, which an engine may take it for.
 */
function* fewerCalls(question: Case, calls: readonly Call[]): Generator<Case> {
  for (const change of new Set([undefined, ...calls.map((call) => call.change)]))
    if (change !== "attribute") yield changed(question, change);
  const half = calls.length >> 1;
  for (const part of half === 0 ? [] : [calls.slice(0, half), calls.slice(half)])
    yield { ...question, calls: part };
  for (const place of calls.length === 1 ? [] : calls.keys())
    yield { ...question, calls: calls.toSpliced(place, 1) };
  for (const [place, { mode, change }] of calls.entries())
    if (change !== undefined) yield { ...question, calls: calls.with(place, { mode }) };
}

function* ofGraph(question: Case): Generator<Case> {
  const subject = { question, shapes: shapesOf(question.graph), values: valuesOf(question) };
  for (const edit of edits(subject)) yield rewrite(subject, edit);
  for (const [position, node] of simplerNodes(question.graph)) yield withNode(subject, position, node);
  for (const policy of policies(subject.shapes)) {
    const resized = resize(question, subject.shapes, policy);
    if (resized !== undefined) yield resized;
  }
  yield* simplifications(question);
}

function* proposals({ calls, ...question }: Case): Generator<Case> {
  if (calls === undefined) return yield* ofGraph(question);
  yield* fewerCalls(question, calls);
  for (const smaller of ofGraph(question)) yield { ...smaller, calls };
}

/**
 * Lists smaller cases to try instead of a well-formed one: fewer calls, fewer nodes, then smaller shapes,
 * then plainer numbers. Laws: each is well-formed, has a seed if `question` has one, and is smaller by {@link
 * measure}. Cost: one evaluation over float64; each candidate is made when it is asked for.
 */
export function* candidates(question: Case): Generator<Case> {
  const size = measure(question);
  for (const candidate of proposals(question)) {
    if (isWellTyped(candidate) && isSmaller(measure(candidate), size)) yield candidate;
  }
}
