import { evaluate, float64, interpret } from "../../reference/index.ts";
import { InvariantError, present } from "../../spec/shapes/index.ts";
import type { FlatTensor } from "../../spec/wire/index.ts";
import type { Case } from "./case.ts";
import { expandCase } from "./expansion.ts";
import { flatten, floatEnvironment, unflatten } from "./reference_run.ts";

/** Computes the value of every id of a case, inputs first, by the reference over float64. */
export function valuesOf(question: Case): readonly FlatTensor[] {
  const expanded = expandCase(question);
  const graph = interpret(expanded.question.graph, float64);
  if (!graph.ok) throw new InvariantError("float64 lacks an operation that an operator needs");
  const x = question.point.inputs.map(unflatten);
  const values = evaluate(graph.value, x, floatEnvironment(question));
  return expanded.ids.map((id) => flatten(present(values[id], "value of an id")));
}
