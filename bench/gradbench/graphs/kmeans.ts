import { graph } from "../../../spec/index.ts";
import { EVALUATION_SEED, numpyUniform } from "../points.ts";
import { objectiveOf, type Problem, tensor } from "./problem.ts";

/** There are this many clusters of this many points in this many dimensions. */
export interface KmeansSizes {
  readonly k: number;
  readonly n: number;
  readonly d: number;
}

/**
 * Builds `Σᵢ minⱼ |Cⱼ − Pᵢ|²`, by the centroids. GradBench goes on from the gradient to a Newton
 * step, whose Hessian is twice the number of points of each cluster; the gradient is what is differentiated
 * in reverse. The points are the first of the evaluation's stream, the centroids the last `k` of them.
 * Source: https://github.com/gradbench/gradbench, evals/kmeans/README.md
 */
export function kmeans({ k, n, d }: KmeansSizes): Problem {
  const built = graph(({ input, parameter }) => {
    const centroids = input("centroids", [k, d]);
    const points = parameter("points", [n, d]);
    const difference = centroids.reshape({ shape: [1, k, d] }).subtract(points.reshape({ shape: [n, 1, d] }));
    return difference
      .square()
      .sum({ axes: [2], keepdims: false })
      .min({ axes: [1], keepdims: false })
      .sum({ axes: [0], keepdims: false });
  });
  const points = numpyUniform(EVALUATION_SEED, 0, n * d);
  return {
    name: `kmeans k=${k} n=${n} d=${d}`,
    graph: built,
    point: {
      inputs: [tensor([k, d], points.slice(-k * d))],
      environment: new Map([["points", tensor([n, d], points)]]),
    },
    outputs: [objectiveOf(built)],
  };
}
