import { type Graph, graph } from "../../../spec/index.ts";
import { EVALUATION_SEED, numpyUniform } from "../points.ts";
import { objectiveOf, type Problem, tensor } from "./problem.ts";

/**
 * Builds `log Σ exp(xᵢ)` from primitives, with the maximum taken out. Source:
 * https://github.com/gradbench/gradbench, evals/lse/README.md
 */
export function lseGraph(n: number): Graph {
  return graph(({ input }) => {
    const x = input("x", [n]);
    const most = x.max({ axes: [0], keepdims: false });
    const sum = x
      .subtract(most)
      .exp()
      .sum({ axes: [0], keepdims: false });
    return sum.log().add(most);
  });
}

/** Takes the first `n` numbers of the evaluation's stream, uniform in [0, 1). */
export function lse(n: number): Problem {
  const built = lseGraph(n);
  return {
    name: `lse n=${n}`,
    graph: built,
    point: { inputs: [tensor([n], numpyUniform(EVALUATION_SEED, 0, n))], environment: new Map() },
    outputs: [objectiveOf(built)],
  };
}
