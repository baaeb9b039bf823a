import { expandedIndexLimitsOf, shapeOfNode, shapesOf } from "../../spec/expansion/index.ts";
import type { Graph, Node } from "../../spec/graph/index.ts";
import { isSameShape, type Shape } from "../../spec/shapes/index.ts";
import type { Call } from "../../spec/wire/index.ts";
import { changed } from "../calls/index.ts";
import { type Case, valuesOf } from "../case/index.ts";
import { editPasses } from "./edits.ts";
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

/**
 * Returns the shape of each id, or `undefined` if a node does not fit its operands, which come before. Graphs
 * within nodes must fit too: a smaller shape without need not be one within.
 */
function fittingShapes({ inputs, nodes, environment }: Graph): readonly Shape[] | undefined {
  const shapes = inputs.map(({ shape }) => shape);
  for (const node of nodes) {
    if (node.parents.some((id) => id >= shapes.length)) return undefined;
    if (node.op === "differentiate" && fittingShapes(node.attributes.graph) === undefined) return undefined;
    const shape = shapeOfNode(node, shapes, environment);
    if (!shape.ok) return undefined;
    shapes.push(shape.value);
  }
  return shapes;
}

/** Tells whether nodes fit their operands, seeds their ids, and indices their axes. */
function isWellTyped({ graph, point, seeds }: Case): boolean {
  const shapes = fittingShapes(graph);
  if (shapes === undefined) return false;
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

/** A proposal makes a case that may be smaller, when it is asked to; `undefined` where there is none. */
export type Proposal = () => Case | undefined;

function* proposed<T>(all: Iterable<T>, make: (one: T) => Case | undefined): Generator<Proposal> {
  for (const one of all) yield () => make(one);
}

function ofGraph(question: Case): readonly Iterable<Proposal>[] {
  const subject = { question, shapes: shapesOf(question.graph), values: valuesOf(question) };
  return [
    ...editPasses(subject).map((edits) => proposed(edits, (edit) => rewrite(subject, edit))),
    proposed(simplerNodes(question.graph), ([position, node]) => withNode(subject, position, node)),
    proposed(policies(subject.shapes), (policy) => resize(question, subject.shapes, policy)),
    proposed(simplifications(question), (simpler) => simpler),
  ];
}

/**
 * Lists what to try instead of a well-formed case, in passes, as many for every case: fewer calls, fewer
 * nodes, then smaller shapes, then plainer numbers. Laws: each case that is proposed is well-formed, has a
 * seed if `question` has one, and is smaller by {@link measure}. Cost: one evaluation over float64.
 */
export function passes(question: Case): readonly Iterable<Proposal>[] {
  const { calls = [], ...single } = question;
  const size = measure(question);
  const smaller = (candidate: Case | undefined): Case | undefined =>
    candidate && isWellTyped(candidate) && isSmaller(measure(candidate), size) ? candidate : undefined;
  const called = (made: Case | undefined): Case | undefined =>
    made && question.calls !== undefined ? { ...made, calls } : made;
  return [
    proposed(calls.length === 0 ? [] : fewerCalls(single, calls), smaller),
    ...ofGraph(single).map((pass) => proposed(pass, (make) => smaller(called(make())))),
  ];
}

/** Lists the cases of all {@link passes}, each when it is asked for. */
export function* candidates(question: Case): Generator<Case> {
  for (const pass of passes(question)) {
    for (const make of pass) {
      const candidate = make();
      if (candidate !== undefined) yield candidate;
    }
  }
}
