import { evaluate, float64, interpret } from "../reference/index.ts";
import { type FlatTensor, InvariantError } from "../spec/index.ts";
import type { Case } from "./case.ts";
import { flatten, floatEnvironment, unflatten } from "./reference_run.ts";

/** The value of every id of a case, inputs first, as the reference computes it over float64. */
export function valuesOf(question: Case): readonly FlatTensor[] {
  const graph = interpret(question.graph, float64);
  if (!graph.ok) throw new InvariantError("float64 offers what every operator needs");
  const x = question.point.inputs.map(unflatten);
  return evaluate(graph.value, x, floatEnvironment(question)).map(flatten);
}
