import { type Graph, graph, type Value } from "../../../spec/index.ts";
import { EVALUATION_SEED, numpyUniform } from "../points.ts";
import { objectiveOf, type Problem, tensor } from "./problem.ts";

/**
 * Builds the last of `n` unknowns of `y₀' = x₀`, `yᵢ' = xᵢ yᵢ₋₁` at time 2 from `y = 0`, by
 * `steps` steps of the classical Runge-Kutta method. Where `n > 4 steps`, nothing reaches the last unknown:
 * it is 0, and so is its gradient. Source: https://github.com/gradbench/gradbench,
 * cpp/gradbench/evals/ode.hpp
 */
export function odeGraph(n: number, steps: number): Graph {
  return graph(({ input, full, concat }) => {
    const x = input("x", [n]);
    const h = 2 / steps;
    const one = full({ shape: [1], value: 1 });
    const before = (y: Value): Value =>
      concat(one, y.slice({ starts: [0], stops: [n - 1], steps: [1] }), { axis: 0 });
    const slope = (y: Value): Value => x.multiply(before(y));
    let y = full({ shape: [n], value: 0 });
    for (let step = 0; step < steps; step++) {
      const k1 = slope(y);
      const k2 = slope(y.add(k1.multiply(h).divide(2)));
      const k3 = slope(y.add(k2.multiply(h).divide(2)));
      const k4 = slope(y.add(k3.multiply(h)));
      const sum = k1.add(k2.multiply(2)).add(k3.multiply(2)).add(k4);
      y = y.add(sum.multiply(h).divide(6));
    }
    return y.slice({ starts: [n - 1], stops: [n], steps: [1] }).reshape({ shape: [] });
  });
}

/** Takes the evaluation's first `n` numbers. GradBench compares all unknowns, we the differentiated one. */
export function ode(n: number, steps: number): Problem {
  const built = odeGraph(n, steps);
  return {
    name: `ode n=${n} s=${steps}`,
    graph: built,
    point: { inputs: [tensor([n], numpyUniform(EVALUATION_SEED, 0, n))], environment: new Map() },
    outputs: [objectiveOf(built)],
  };
}
