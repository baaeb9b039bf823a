import type * as TensorFlow from "@tensorflow/tfjs";
import type { Engine } from "../../engines/index.ts";
import { type EagerLibrary, type EagerOperators, eagerEngine, Unsupported } from "./kit.ts";
import { serveOptional } from "./optional.ts";

type Library = typeof TensorFlow;
type Tensor = TensorFlow.Tensor;

/** TensorFlow.js on its CPU backend, which computes in float32. It has no forward mode. */
export async function tfjsEngine(): Promise<Engine> {
  const tf = await import("@tensorflow/tfjs");
  await tf.setBackend("cpu");
  return eagerEngine(libraryOf(tf));
}

function libraryOf(tf: Library): EagerLibrary<Tensor> {
  return {
    description: {
      name: "TensorFlow.js",
      version: tf.version.tfjs,
      language: "JavaScript",
      links: ["https://github.com/tensorflow/tfjs", "https://js.tensorflow.org/api/latest/"],
      dtypes: ["float32"],
      conventions: { maximumAtTie: "first", reluAtZero: "zero", subnormals: "gradual" },
      accuracy: {},
    },
    operators: operatorsOf(tf),
    tensor: ({ shape, data }) => tf.tensor(Float32Array.from(data), [...shape], "float32"),
    read: (tensor) => ({ shape: tensor.shape, data: Float64Array.from(tensor.dataSync()) }),
    vjp(f, inputs, cotangents) {
      // A scalar of all results whose gradient is, by definition, the cotangents: none of them meets arithmetic.
      const pairing = tf.customGrad(() => ({ value: tf.scalar(0), gradFunc: () => [...cotangents] }));
      // What `tf.grads` calls; here inputs that are not used get no gradient, where `tf.grads` would refuse.
      const pull = () => tf.engine().gradients(() => pairing(...f(inputs)), [...inputs], undefined, true);
      return naming(pull).grads;
    },
    async scope(body) {
      tf.engine().startScope();
      try {
        return await body();
      } finally {
        tf.engine().endScope();
      }
    },
  };
}

function operatorsOf(tf: Library): EagerOperators<Tensor> {
  // There is no tf.stopGradient (tensorflow/tfjs#7438): the numbers are taken out and put back in, off the tape.
  const detach = (x: Tensor): Tensor => tf.tensor(x.dataSync(), x.shape, "float32");
  return {
    stop_gradient: (_, [x]) => detach(x),
    negative: (_, [x]) => tf.neg(x),
    exp: (_, [x]) => tf.exp(x),
    log: (_, [x]) => tf.log(x),
    sin: (_, [x]) => tf.sin(x),
    cos: (_, [x]) => tf.cos(x),
    tanh: (_, [x]) => tf.tanh(x),
    sqrt: (_, [x]) => tf.sqrt(x),
    relu: (_, [x]) => tf.relu(x),
    add: (_, [x, y]) => tf.add(x, y),
    subtract: (_, [x, y]) => tf.sub(x, y),
    multiply: (_, [x, y]) => tf.mul(x, y),
    divide: (_, [x, y]) => tf.div(x, y),
    maximum: (_, [x, y]) => tf.maximum(x, y),
    // Comparisons have no gradient, not even zero (tensorflow/tfjs#7710): on the tape the condition would throw.
    where: (_, [condition, x, y]) => tf.where(tf.notEqual(detach(condition), 0), x, y),
    sum: ({ axes, keepdims }, [x]) => tf.sum(x, [...axes], keepdims),
    broadcast_to: ({ shape }, [x]) => tf.broadcastTo(x, [...shape]),
    reshape: ({ shape }, [x]) => tf.reshape(x, [...shape]),
    permute_dims: ({ axes }, [x]) => tf.transpose(x, [...axes]),
    concat: ({ axis }, xs) => tf.concat([...xs], axis),
    take: ({ axis, indices }, [x], named) => tf.gather(x, tf.tensor1d(named(indices), "int32"), axis),
    matmul: (_, [x, y]) => tf.matMul(x, y),
  };
}

/** Runs `body`; where TensorFlow.js says that it does not have a gradient, that is no failure. */
function naming<R>(body: () => R): R {
  try {
    return body();
  } catch (thrown) {
    if (thrown instanceof Error && /not (yet )?implemented/.test(thrown.message)) {
      throw new Unsupported(thrown.message);
    }
    throw thrown;
  }
}

if (import.meta.main) await serveOptional(tfjsEngine, "@tensorflow/tfjs");
