import { at } from "../at.ts";
import { expand, shapesOf } from "../composites/expand.ts";
import { type Graph, idCount, type NodeId } from "../graph.ts";
import { fail, type Issue, ok, type Result } from "../result.ts";
import { type Derivative, type Derived, derivePrimitives } from "./derive.ts";
import { type Linearized, linearizePrimitives, transposed } from "./linearize.ts";

/**
 * The derivative of a well-formed graph as a graph, composites written out; see {@link derivePrimitives}. The ids of `of` and `wrt` are the given
 * graph's. Fails: `derive/id` where there is no such id, or `jvp` is asked along a computed value.
 */
export function derive(graph: Graph, derivative: Derivative): Result<Derived, Issue[]> {
  const written = inPrimitives(graph, derivative);
  return written.ok
    ? ok(derivePrimitives(written.value.graph, shapesOf(written.value.graph), written.value))
    : written;
}

/**
 * The forward derivative of a well-formed graph, split into what does not depend on the tangents and what is linear in them. Fails as {@link derive} does.
 */
export function linearize(graph: Graph, derivative: Omit<Derivative, "mode">): Result<Linearized, Issue[]> {
  const written = inPrimitives(graph, { ...derivative, mode: "jvp" });
  return written.ok
    ? ok(linearizePrimitives(written.value.graph, shapesOf(written.value.graph), written.value))
    : written;
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

/** The graph in primitives, and the ids there. */
function inPrimitives(
  graph: Graph,
  { mode, of, wrt }: Derivative,
): Result<Derivative & { readonly graph: ReturnType<typeof expand>["graph"] }, Issue[]> {
  const issues = [
    ...of.flatMap((id, place) => (id < idCount(graph) ? [] : [noSuchId(`/of/${place}`, idCount(graph))])),
    ...wrt.flatMap((id, place) => {
      const most = mode === "jvp" ? graph.inputs.length : idCount(graph);
      return id < most ? [] : [noSuchId(`/wrt/${place}`, most)];
    }),
  ];
  if (issues.length > 0) return fail(issues);
  const { graph: primitive, ids } = expand(graph);
  const there = (id: NodeId): NodeId => at(ids, id);
  return ok({ graph: primitive, mode, of: of.map(there), wrt: wrt.map(there) });
}

function noSuchId(pointer: string, count: number): Issue {
  return {
    code: "derive/id",
    pointer,
    message: `there is no such id: ${count === 0 ? "there are none" : `the last is ${count - 1}`}.`,
    hint: "ids count the inputs first, then the nodes, from 0; tangents belong to inputs",
  };
}
