import { present } from "../../spec/index.ts";
import type { Problem } from "../gradbench/graphs/problem.ts";

/** Returns the numbers of an input, or of an entry of Δ, by name. */
export function dataOf({ graph, point }: Problem, name: string): Float64Array {
  const place = graph.inputs.findIndex((input) => input.name === name);
  const tensor = place < 0 ? point.environment.get(name) : point.inputs[place];
  return Float64Array.from(present(tensor, name).data);
}
