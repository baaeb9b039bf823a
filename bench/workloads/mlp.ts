import { graph } from "../../spec/index.ts";
import { objectiveOf, type Problem, tensor } from "../gradbench/graphs/problem.ts";
import { EVALUATION_SEED, numpyUniform } from "../gradbench/points.ts";

/** There are this many rows, and layers of these widths from input to output. */
export interface MlpSizes {
  readonly batch: number;
  readonly widths: readonly number[];
}

/**
 * Builds the mean cross-entropy of a perceptron with rectified layers, by its weights `[in, out]` and biases,
 * which alternate among the inputs. Weights and biases are uniform within one over the root of the layer's
 * inputs, pixels in [0, 1); all are float32 numbers.
 */
export function mlp({ batch, widths }: MlpSizes): Problem {
  const layers = widths.slice(1).map((to, place) => ({ from: widths[place] ?? 0, to }));
  const classes = widths.at(-1) ?? 0;
  const built = graph(({ input, parameter }) => {
    const parameters = layers.map(({ from, to }, place) => ({
      weight: input(`weight ${place}`, [from, to]),
      bias: input(`bias ${place}`, [to]),
    }));
    const logits = parameters.reduce(
      (x, { weight, bias }, place) => {
        const affine = x.matmul(weight).add(bias);
        return place < layers.length - 1 ? affine.relu() : affine;
      },
      parameter("pixels", [batch, widths[0] ?? 0]),
    );
    return logits
      .log_softmax({ axis: 1 })
      .multiply(parameter("labels", [batch, classes]))
      .sum({ axes: [0, 1], keepdims: false })
      .divide(-batch);
  });
  const counts = layers.map(({ from, to }) => (from + 1) * to);
  const pixels = batch * (widths[0] ?? 0);
  const stream = numpyUniform(
    EVALUATION_SEED,
    0,
    counts.reduce((sum, count) => sum + count, 0) + pixels + batch,
  );
  let used = 0;
  const drawn = (count: number): Float64Array => {
    used += count;
    return stream.slice(used - count, used);
  };
  const inputs = layers.flatMap(({ from, to }) => {
    const within = (x: number): number => Math.fround((2 * x - 1) / Math.sqrt(from));
    return [tensor([from, to], drawn(from * to).map(within)), tensor([to], drawn(to).map(within))];
  });
  const seen = tensor([batch, widths[0] ?? 0], drawn(pixels).map(Math.fround));
  const labels = new Float64Array(batch * classes);
  drawn(batch).forEach((x, row) => {
    labels[row * classes + Math.floor(x * classes)] = 1;
  });
  return {
    name: `mlp ${widths.join("-")} batch=${batch}`,
    graph: built,
    point: {
      inputs,
      environment: new Map([
        ["pixels", seen],
        ["labels", tensor([batch, classes], labels)],
      ]),
    },
    outputs: [objectiveOf(built)],
  };
}
