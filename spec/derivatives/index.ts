import { derivativeOf } from "../composites/expand.ts";
import { type Graph, idCount } from "../graph.ts";
import { fail, type Issue, ok, type Result } from "../result.ts";
import type { Derivative, Derived } from "./derive.ts";
import { type Linearized, split, transposed } from "./linearize.ts";

/**
 * The derivative of a well-formed graph as a graph, composites written out; see {@link derivePrimitives}. The ids of `of` and `wrt` are the given
 * graph's. Fails: `derive/id` where there is no such id, or `jvp` is asked along a computed value.
 */
export function derive(graph: Graph, derivative: Derivative): Result<Derived, Issue[]> {
  const issues = idIssues(graph, derivative);
  return issues.length > 0 ? fail(issues) : ok(derivativeOf(graph, derivative));
}

/**
 * The forward derivative of a well-formed graph, split into what does not depend on the tangents and what is linear in them. Fails as {@link derive} does.
 */
export function linearize(graph: Graph, derivative: Omit<Derivative, "mode">): Result<Linearized, Issue[]> {
  const forward = derive(graph, { ...derivative, mode: "jvp" });
  return forward.ok ? ok(split(forward.value)) : forward;
}

/**
 * Reverse mode a third way: {@link linearize}, then the linear part turned round. It uses the tangent rules, and the cotangent rules of operators
 * that are linear alone. Law: its results are those of {@link derive} with `vjp`. Fails as {@link derive} does; `wrt` are inputs.
 */
export function deriveByTransposition(
  graph: Graph,
  derivative: Omit<Derivative, "mode">,
): Result<Derived, Issue[]> {
  const linearized = linearize(graph, derivative);
  return linearized.ok ? ok(transposed(linearized.value)) : linearized;
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
