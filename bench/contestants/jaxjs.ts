import type * as JaxJs from "@jax-js/jax";
import type { Precision } from "../deviation.ts";
import type { Workload } from "../workloads/workload.ts";
import { type Contestant, notWritten } from "./contestant.ts";
import { inTensorStyle, selection, type TensorStyle } from "./tensor_style.ts";

type Library = typeof JaxJs;
type JaxArray = JaxJs.Array;

/** Runs https://jax-js.com on its WebAssembly device. */
export function jaxjs(precision: Precision): Contestant {
  return {
    name: precision === "float32" ? "jax-js" : "jax-js f64",
    precision,
    style:
      "jit of the function, or of valueAndGrad of it (not for det, ba and ode, whose gradients need to do without); read with dataSync",
    module: "@jax-js/jax",
    prepare: async (workload, problem, mode) => {
      const jax = await import("@jax-js/jax");
      await jax.init("wasm");
      jax.defaultDevice("wasm");
      const written = inTensorStyle(workload, problem, styleOf(jax, precision));
      if (written === undefined) return notWritten;
      const inputs = problem.point.inputs.map(({ shape, data }) => arrayOf(jax, data, shape, precision));
      const f = (all: JaxArray[]): JaxArray => written(all);
      const refs = (): JaxArray[] => inputs.map((x) => x.ref);
      if (mode === "value") {
        const compiled = jax.jit(f);
        return () => ({ value: compiled(refs()).dataSync()[0] ?? Number.NaN, gradient: [] });
      }
      const gradient = jax.valueAndGrad(f);
      const compiled = isEager(workload) ? gradient : jax.jit(gradient);
      return () => {
        const [value, slopes] = compiled(refs());
        return { value: value.dataSync()[0] ?? Number.NaN, gradient: slopes.map((x) => x.dataSync()) };
      };
    },
  };
}

function arrayOf(
  { numpy }: Library,
  numbers: Float64Array,
  shape: readonly number[],
  precision: Precision,
): JaxArray {
  return numpy.array(precision === "float32" ? Float32Array.from(numbers) : Float64Array.from(numbers), {
    shape: [...shape],
  });
}

/**
 * Tells whether the gradient is computed without jit. With it, take has no derivative; and that of `x ·
 * concat(1, y[0..n−1])`, nested, is wrong: for x = [2, 3, 5] and three times, the derivative of the last
 * element is [19, 12, 6], not [15, 10, 6].
 */
function isEager({ kind }: Workload): boolean {
  return kind === "det" || kind === "ba" || kind === "ode";
}

/** A function uses up its arguments, so operands are passed as further references, only when tracing. */
function styleOf(jax: Library, precision: Precision): TensorStyle<JaxArray> {
  const { numpy: np, nn } = jax;
  // A number in a program is taken in float32, whatever the other operand is.
  const held = (x: JaxArray | number): JaxArray =>
    typeof x === "number" ? np.array(x, { dtype: np[precision] }) : x.ref;
  return {
    add: (x, y) => np.add(x.ref, held(y)),
    subtract: (x, y) => np.subtract(x.ref, y.ref),
    multiply: (x, y) => np.multiply(x.ref, held(y)),
    divide: (x, y) => np.trueDivide(x.ref, y.ref),
    exp: (x) => np.exp(x.ref),
    log: (x) => np.log(x.ref),
    square: (x) => np.square(x.ref),
    sqrt: (x) => np.sqrt(x.ref),
    sin: (x) => np.sin(x.ref),
    cos: (x) => np.cos(x.ref),
    tanh: (x) => np.tanh(x.ref),
    sigmoid: (x) => nn.sigmoid(x.ref),
    relu: (x) => nn.relu(x.ref),
    matmul: (x, y) => np.matmul(x.ref, y.ref),
    sum: (x) => np.sum(x.ref),
    sumLast: (x) => np.sum(x.ref, -1),
    maxAll: (x) => np.max(x.ref),
    minLast: (x) => np.min(x.ref, -1),
    logsumexpAll: (x) => nn.logsumexp(x.ref),
    logsumexpLast: (x) => nn.logsumexp(x.ref, -1),
    logSoftmaxLast: (x) => nn.logSoftmax(x.ref, -1),
    reshape: (x, shape) => np.reshape(x.ref, [...shape]),
    transpose: (x, axes) => np.transpose(x.ref, [...axes]),
    concat: (all, axis) =>
      np.concatenate(
        all.map((x) => x.ref),
        axis,
      ),
    slice: (x, starts, sizes) =>
      x.ref.slice(...starts.map((start, axis): [number, number] => [start, start + (sizes[axis] ?? 0)])),
    take: (x, indices, axis) => np.take(x.ref, np.array(Int32Array.from(indices), { dtype: np.int32 }), axis),
    // take has no derivative under jit.
    columns: (x, indices, width) =>
      np.matmul(x.ref, arrayOf(jax, selection(indices, width), [width, indices.length], precision)),
    constant: (numbers, shape) => arrayOf(jax, numbers, shape, precision),
  };
}
