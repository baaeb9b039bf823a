import { interpret } from "../../engines/index.ts";
import { expand, nodeId, present } from "../../spec/index.ts";
import { deviationOf } from "../deviation.ts";
import { objectiveOf, type Problem } from "../gradbench/graphs/problem.ts";

/** Answers are compared with the interpreter's value and gradient in float64. */
export interface ReferenceAnswer {
  readonly value: number;
  /** Each input has a list; scalars in a row share one, so that small ones are not held to their own size. */
  readonly gradient: readonly Float64Array[];
}

/** Interprets a problem's graph at its point. It throws if the gradient is refused. */
export function referenceAnswer({ graph, point }: Problem): ReferenceAnswer {
  const { graph: expanded, ids } = expand(graph);
  const run = interpret(expanded, "float64");
  const id = present(ids[objectiveOf(graph)], "objective");
  const values = run.evaluate(point);
  const value = values.ok ? present(values.value[id - graph.inputs.length]?.[0], "value") : Number.NaN;
  const gradient = run.vjp(point, [{ id: nodeId(id), cotangent: { shape: [], data: Float64Array.of(1) } }]);
  if (!gradient.ok) throw new Error(gradient.error);
  const areScalars = graph.inputs.every(({ shape }) => shape.length === 0);
  const lists = gradient.value.map((numbers) => Float64Array.from(numbers));
  return { value, gradient: areScalars ? [Float64Array.from(lists.flatMap((list) => [...list]))] : lists };
}

/** An answer, value and gradient joined, is so far from the reference in each. */
export interface Deviations {
  readonly value: number;
  /** This is the greatest of the inputs'; nothing where only the value was asked. */
  readonly gradient: number | undefined;
}

/** Compares an answer, its value first, with the reference; one of another length is infinitely far. */
export function deviationsOf(
  reference: ReferenceAnswer,
  answer: Float64Array,
  mode: "value" | "gradient",
): Deviations {
  const value = deviationOf([reference.value], answer.subarray(0, 1));
  if (mode === "value") return { value, gradient: undefined };
  const total = reference.gradient.reduce((sum, { length }) => sum + length, 1);
  if (answer.length !== total) return { value, gradient: Number.POSITIVE_INFINITY };
  let end = 1;
  const each = reference.gradient.map((expected) => {
    end += expected.length;
    return deviationOf(expected, answer.subarray(end - expected.length, end));
  });
  return { value, gradient: Math.max(0, ...each) };
}
