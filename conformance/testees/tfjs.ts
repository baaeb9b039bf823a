import type * as TensorFlow from "@tensorflow/tfjs";
import type { Engine } from "../../spec/contract/index.ts";
import { eagerEngine } from "./kit/eager.ts";
import { type EagerLibrary, Unsupported } from "./kit/library.ts";
import { serveOptional } from "./optional.ts";
import { tfjsOperators } from "./tfjs/operators.ts";

type Library = typeof TensorFlow;
type Tensor = TensorFlow.Tensor;

/** TensorFlow.js on its CPU backend, which computes in float32. It has no forward mode. */
export async function tfjsEngine(): Promise<Engine> {
  const tf = await import("@tensorflow/tfjs");
  await tf.setBackend("cpu");
  return eagerEngine(tfjsLibrary(tf));
}

/** What the kit makes an engine of. */
export function tfjsLibrary(tf: Library): EagerLibrary<Tensor> {
  return {
    description: {
      name: "TensorFlow.js",
      version: tf.version.tfjs,
      language: "JavaScript",
      links: ["https://github.com/tensorflow/tfjs", "https://js.tensorflow.org/api/latest/"],
      dtypes: ["float32"],
      conventions: {
        maximumAtTie: "first",
        reluAtZero: "zero",
        compositeKinks: "own",
        subnormals: "gradual",
        zeros: "unsigned",
      },
      accuracy: {},
    },
    operators: tfjsOperators(tf),
    tensor: ({ shape, data }) => tf.tensor(Float32Array.from(data), [...shape], "float32"),
    read: (tensor) => ({ shape: tensor.shape, data: Float64Array.from(tensor.dataSync()) }),
    vjp(f, inputs, cotangents) {
      // A scalar of all results whose gradient is, by definition, the cotangents: none of them meets arithmetic.
      const pairing = tf.customGrad(() => ({ value: tf.scalar(0), gradFunc: () => [...cotangents] }));
      // What `tf.grads` calls; here inputs that are not used get no gradient, where `tf.grads` would refuse.
      const pull = () => tf.engine().gradients(() => pairing(...f(inputs)), [...inputs], undefined, true);
      return naming(pull).grads;
    },
    nests: true,
    programs: true,
    place(tensor) {
      const variable = tf.variable(tensor);
      return {
        tensor: () => variable,
        // Assigned to itself, a variable would free what it holds, and throw.
        assign: (assigned) => {
          if (assigned !== variable) variable.assign(assigned);
        },
        dispose: () => variable.dispose(),
      };
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

/** Runs `body`; where TensorFlow.js says that it does not have a gradient, that is no failure. */
function naming<R>(body: () => R): R {
  try {
    return body();
  } catch (thrown) {
    if (
      thrown instanceof Error &&
      /not (yet )?(implemented|supported)|gradient function not found/.test(thrown.message)
    ) {
      throw new Unsupported(thrown.message);
    }
    throw thrown;
  }
}

if (import.meta.main) await serveOptional(tfjsEngine, "@tensorflow/tfjs");
