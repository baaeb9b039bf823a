import type * as Tfjs from "@tensorflow/tfjs";
import { type Contestant, notWritten } from "./contestant.ts";
import { inTensorStyle, selection, type TensorStyle } from "./tensor_style.ts";

type Tensor = Tfjs.Tensor;

/** Runs https://www.tensorflow.org/js on one of its backends, in float32 only. */
export function tfjs(backend: "cpu" | "wasm"): Contestant {
  return {
    name: `TensorFlow.js ${backend}`,
    precision: "float32",
    style: "eager tensors, valueAndGrads in a tidy; results read with dataSync",
    module: backend === "cpu" ? "@tensorflow/tfjs" : "@tensorflow/tfjs-backend-wasm",
    prepare: async (workload, problem, mode) => {
      const tf = await import("@tensorflow/tfjs");
      if (backend === "wasm") await import("@tensorflow/tfjs-backend-wasm");
      if (!(await tf.setBackend(backend))) throw new Error(`no backend ${backend}`);
      await tf.ready();
      const written = inTensorStyle(workload, problem, styleOf(tf, backend));
      if (written === undefined) return notWritten;
      const inputs = problem.point.inputs.map(({ shape, data }) =>
        tf.tensor(Float32Array.from(data), [...shape]),
      );
      const f = (...all: Tensor[]): Tfjs.Scalar => written(all).asScalar();
      if (mode === "value") {
        return () => ({ value: tf.tidy(() => f(...inputs)).dataSync()[0] ?? Number.NaN, gradient: [] });
      }
      const pulled = tf.valueAndGrads(f);
      return () => {
        const { value, grads } = tf.tidy(() => pulled(inputs));
        const answer = {
          value: value.dataSync()[0] ?? Number.NaN,
          gradient: grads.map((grad) => grad.dataSync()),
        };
        tf.dispose([value, ...grads]);
        return answer;
      };
    },
  };
}

function styleOf(tf: typeof Tfjs, backend: "cpu" | "wasm"): TensorStyle<Tensor> {
  return {
    add: (x, y) => tf.add(x, y),
    subtract: (x, y) => tf.sub(x, y),
    multiply: (x, y) => tf.mul(x, y),
    divide: (x, y) => tf.div(x, y),
    exp: (x) => tf.exp(x),
    log: (x) => tf.log(x),
    square: (x) => tf.square(x),
    sqrt: (x) => tf.sqrt(x),
    sin: (x) => tf.sin(x),
    cos: (x) => tf.cos(x),
    tanh: (x) => tf.tanh(x),
    sigmoid: (x) => tf.sigmoid(x),
    relu: (x) => tf.relu(x),
    matmul: (x, y) => tf.matMul(x, y),
    sum: (x) => tf.sum(x),
    sumLast: (x) => tf.sum(x, -1),
    maxAll: (x) => tf.max(x),
    minLast: (x) => tf.min(x, -1),
    logsumexpAll: (x) => tf.logSumExp(x),
    logsumexpLast: (x) => tf.logSumExp(x, -1),
    logSoftmaxLast: (x) => tf.logSoftmax(x),
    reshape: (x, shape) => tf.reshape(x, [...shape]),
    transpose: (x, axes) => tf.transpose(x, [...axes]),
    concat: (all, axis) => tf.concat([...all], axis),
    slice: (x, starts, sizes) => tf.slice(x, [...starts], [...sizes]),
    take: (x, indices, axis) => tf.gather(x, tf.tensor1d(indices, "int32"), axis),
    // The wasm backend has no kernel for gather's derivative.
    columns: (x, indices, width) =>
      backend === "cpu"
        ? tf.gather(x, tf.tensor1d(indices, "int32"), 1)
        : tf.matMul(x, tf.tensor2d(Float32Array.from(selection(indices, width)), [width, indices.length])),
    constant: (numbers, shape) => tf.tensor(Float32Array.from(numbers), [...shape]),
  };
}
