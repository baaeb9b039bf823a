import {
  type Additive,
  fail,
  formatShape,
  type Issue,
  isSameShape,
  ok,
  type Result,
  type Shape,
} from "../spec/shapes/index.ts";
import { type Context, dense, type SparseContext } from "./context.ts";
import type { Environment } from "./environment.ts";
import { contextShapes, type GraphData, pullBack } from "./graph.ts";
import { type Contribution, inheritsGrad, leafNode, type Tape } from "./tape.ts";
import type { Tensor } from "./tensor.ts";

/**
 * It says which contributions a compiled node emits: `dense`, one per entry of the context from id 0, as the
 * theorems have it; or `sparse`, only for the ids it reads, so that a tape of n nodes costs n and not n².
 */
export type Emission = "dense" | "sparse";

/** A tape and the context of values it was built with. */
export interface Compiled<S> {
  readonly tape: Tape<S>;
  readonly context: Context<S>;
}

/**
 * Evaluates the graph in checked execution and builds its tape: one leaf per input, then for each node a tape
 * node that runs the stored `vjp`. `leaves` says of each input whether it requires a gradient; a node does if
 * it reads one that does. Without `leaves`, all do. Laws: the rows of SEMANTICS §5.2, §5.3 and §5.4. Fails:
 * `compile/inputs`, `compile/leaves`, and as a node's `validate` says.
 */
export function compile<S>(
  algebra: Additive<S>,
  graph: GraphData<S>,
  x: Context<S>,
  environment: Environment<S>,
  emission: Emission = "dense",
  leaves?: readonly boolean[],
): Result<Compiled<S>, Issue> {
  const misfit = inputMisfit(graph, x) ?? leavesMisfit(graph, leaves);
  if (misfit !== undefined) return fail(misfit);
  const shapes = contextShapes(graph);
  const context = [...x];
  const tape = x.map((value, id) => leafNode(value, leaves?.[id] ?? true));
  for (const [index, node] of graph.nodes.entries()) {
    const fault = node.validate?.(context, environment);
    if (fault !== undefined) return fail({ ...fault, pointer: `/nodes/${index}` });
    const value = node.forward(context, environment);
    const id = context.length;
    const emit = (sparse: SparseContext<S>): Contribution<S>[] =>
      emission === "dense"
        ? dense(algebra, shapes.slice(0, id), sparse).map((cotangent, parent) => ({ parent, cotangent }))
        : [...sparse].map(([parent, cotangent]) => ({ parent, cotangent }));
    context.push(value);
    tape.push({
      name: node.name,
      value,
      requiresGrad: leaves === undefined || inheritsGrad(tape, node.reads),
      parents: node.reads,
      backward: (upstream) =>
        isSameShape(upstream.shape, node.shape)
          ? ok(emit(pullBack(graph, context, environment, id, upstream)))
          : fail(upstreamMisfit(id, upstream, node.shape)),
    });
  }
  return ok({ tape, context });
}

function inputMisfit<S>(graph: GraphData<S>, x: Context<S>): Issue | undefined {
  const misfit = graph.inputs.findIndex((shape, id) => !isSameShape(shape, x[id]?.shape ?? [-1]));
  if (misfit < 0 && x.length === graph.inputs.length) return undefined;
  return {
    code: "compile/inputs",
    pointer: misfit < 0 ? "" : `/inputs/${misfit}`,
    message: `the inputs have shapes ${x.map(({ shape }) => formatShape(shape)).join(" ")}.`,
    hint: `the graph takes ${graph.inputs.map(formatShape).join(" ")}`,
  };
}

function leavesMisfit<S>(graph: GraphData<S>, leaves: readonly boolean[] | undefined): Issue | undefined {
  if (leaves === undefined || leaves.length === graph.inputs.length) return undefined;
  return {
    code: "compile/leaves",
    pointer: "",
    message: `there are ${leaves.length} flags for ${graph.inputs.length} inputs.`,
    hint: "say of each input whether it requires a gradient",
  };
}

function upstreamMisfit<S>(id: number, upstream: Tensor<S>, shape: Shape): Issue {
  return {
    code: "tape/upstream-shape",
    pointer: `/${id}`,
    message: `the upstream cotangent of id ${id} has shape ${formatShape(upstream.shape)}, the node ${formatShape(shape)}.`,
    hint: "a cotangent has the shape of the value it belongs to",
  };
}
