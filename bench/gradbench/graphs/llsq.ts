import { graph } from "../../../spec/index.ts";
import { EVALUATION_SEED, numpyUniform } from "../points.ts";
import { objectiveOf, type Problem, tensor } from "./problem.ts";

/**
 * Builds `½ Σᵢ (sᵢ − Σⱼ xⱼ tᵢʲ)²` with `n` equidistant `tᵢ` from −1 to 1 and `sᵢ` the
 * sign of `tᵢ`, by the `m` coefficients. The powers of `t` are data, a matrix in Δ, since they do not
 * depend on the coefficients. Source: https://github.com/gradbench/gradbench, evals/llsq/README.md
 */
export function llsq(n: number, m: number): Problem {
  const built = graph(({ input, parameter }) => {
    const x = input("x", [m]);
    const fitted = parameter("powers", [n, m])
      .matmul(x.reshape({ shape: [m, 1] }))
      .reshape({ shape: [n] });
    return parameter("signs", [n])
      .subtract(fitted)
      .square()
      .sum({ axes: [0], keepdims: false })
      .divide(2);
  });
  const t = Float64Array.from({ length: n }, (_, i) => -1 + (i * 2) / (n - 1));
  return {
    name: `llsq n=${n} m=${m}`,
    graph: built,
    point: {
      inputs: [tensor([m], numpyUniform(EVALUATION_SEED, 0, m))],
      environment: new Map([
        [
          "powers",
          tensor(
            [n, m],
            [...t].flatMap((ti) => powersOf(ti, m)),
          ),
        ],
        ["signs", tensor([n], t.map(Math.sign))],
      ]),
    },
    outputs: [objectiveOf(built)],
  };
}

/** Computes 1, t, t², … by repeated multiplication, as GradBench does. */
function powersOf(t: number, count: number): number[] {
  const powers: number[] = [];
  for (let power = 1; powers.length < count; power *= t) powers.push(power);
  return powers;
}
