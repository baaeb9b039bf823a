import { graph, type Value } from "../../spec/index.ts";
import { objectiveOf, type Problem, tensor } from "../gradbench/graphs/problem.ts";
import { EVALUATION_SEED, numpyUniform } from "../gradbench/points.ts";

/**
 * Builds `Σ 100 (xᵢ₊₁ − xᵢ²)² + (1 − xᵢ)²` of few variables, which shows what a call costs.
 * Source: https://en.wikipedia.org/wiki/Rosenbrock_function#Multidimensional_generalizations
 */
export function rosenbrock(n: number): Problem {
  const built = graph(({ input }) => {
    const x = input("x", [n]);
    const part = (from: number): Value => x.slice({ starts: [from], stops: [n - 1 + from], steps: [1] });
    const [now, next] = [part(0), part(1)];
    const valley = next.subtract(now.square()).square().multiply(100);
    return valley.add(now.negative().add(1).square()).sum({ axes: [0], keepdims: false });
  });
  const numbers = numpyUniform(EVALUATION_SEED, 0, n).map((x) => Math.fround(4 * x - 2));
  return {
    name: `rosenbrock n=${n}`,
    graph: built,
    point: { inputs: [tensor([n], numbers)], environment: new Map() },
    outputs: [objectiveOf(built)],
  };
}
