import { caught } from "../construction/construction.ts";
import {
  type Derivative,
  type DerivativesOf,
  type Derived,
  type Linearized,
  seedNames,
  split,
  transposed,
} from "../derivatives/index.ts";
import { type Graph, idCount } from "../graph/index.ts";
import type { PrimitiveName } from "../operators/index.ts";
import { fail, type Issue, ok, type Result } from "../shapes/index.ts";
import { derivativeOf } from "./expand.ts";

/**
 * The derivative of a well-formed graph as a graph, composites written out; see {@link derivePrimitives}.
 * `of` and `wrt` are ids of the given graph. Fails: `derive/id` if one does not exist, or `jvp` is asked
 * along a computed value; `graph/expansion` beyond `mostNodes`, found before they are written. `rules` is the
 * table of rules, for inner graphs too, if a derivative is to be written otherwise.
 */
export function derive(
  graph: Graph,
  derivative: Derivative,
  mostNodes: number = Number.POSITIVE_INFINITY,
  rules?: DerivativesOf<PrimitiveName>,
): Result<Derived, Issue[]> {
  const issues = idIssues(graph, derivative);
  if (issues.length > 0) return fail(issues);
  const derived = caught(() => derivativeOf(graph, derivative, undefined, mostNodes, rules));
  return derived.ok ? derived : fail([tooManyNodes(mostNodes)]);
}

function tooManyNodes(mostNodes: number): Issue {
  return {
    code: "graph/expansion",
    pointer: "",
    message: `its derivative would have more than ${mostNodes} nodes.`,
    hint: "ask for a lower order, or of a smaller graph",
  };
}

/** Returns the forward derivative as a known part and one linear in tangents. Fails as {@link derive}. */
export function linearize(
  graph: Graph,
  derivative: Omit<Derivative, "mode">,
  mostNodes: number = Number.POSITIVE_INFINITY,
): Result<Linearized, Issue[]> {
  const forward = derive(graph, { ...derivative, mode: "jvp" }, mostNodes);
  return forward.ok ? ok(split(forward.value)) : forward;
}

/**
 * Derives reverse mode a third way: {@link linearize}, then the linear part is turned round, by the tangent
 * rules and the cotangent rules of linear operators alone. Laws: inputs and results are those of
 * {@link derive} with `vjp`. `mostNodes` bounds what is turned. Fails as {@link derive} does; `wrt` are
 * inputs.
 */
export function deriveByTransposition(
  graph: Graph,
  derivative: Omit<Derivative, "mode">,
  mostNodes: number = Number.POSITIVE_INFINITY,
): Result<Derived, Issue[]> {
  const linearized = linearize(graph, derivative, mostNodes);
  if (!linearized.ok) return linearized;
  const turned = transposed(linearized.value);
  // The linear part knows its own ids; the seeds are those of the graph's.
  const names = seedNames(graph, "vjp", derivative.of);
  const inputs = turned.graph.inputs.map(({ name, shape }, id) => ({
    name: names[id - graph.inputs.length] ?? name,
    shape,
  }));
  return ok({ ...turned, graph: { ...turned.graph, inputs } });
}

function idIssues(graph: Graph, { mode, of, wrt }: Derivative): Issue[] {
  const most = mode === "jvp" ? graph.inputs.length : idCount(graph);
  return [
    ...of.flatMap((id, place) => (id < idCount(graph) ? [] : [noSuchId(`/of/${place}`, idCount(graph))])),
    ...wrt.flatMap((id, place) => (id < most ? [] : [noSuchId(`/wrt/${place}`, most)])),
  ];
}

function noSuchId(pointer: string, count: number): Issue {
  return {
    code: "derive/id",
    pointer,
    message: `there is no such id: ${count === 0 ? "there are none" : `the last is ${count - 1}`}.`,
    hint: "ids count the inputs first, then the nodes, from 0; tangents belong to inputs",
  };
}
