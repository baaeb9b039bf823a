import { graph } from "../../spec/index.ts";
import { objectiveOf, type Problem, tensor } from "../gradbench/graphs/problem.ts";
import { EVALUATION_SEED, numpyUniform } from "../gradbench/points.ts";

/** Builds `log Σ exp(xᵢ)` as one operator, at float32 numbers in [−8, 8). */
export function logsumexp(n: number): Problem {
  const built = graph(({ input }) => input("x", [n]).logsumexp({ axes: [0], keepdims: false }));
  const numbers = numpyUniform(EVALUATION_SEED, 0, n).map((x) => Math.fround(16 * x - 8));
  return {
    name: `logsumexp n=${n}`,
    graph: built,
    point: { inputs: [tensor([n], numbers)], environment: new Map() },
    outputs: [objectiveOf(built)],
  };
}
