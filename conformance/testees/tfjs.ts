import type * as TensorFlow from "@tensorflow/tfjs";
import type { Engine } from "../../spec/contract/index.ts";
import { eagerEngine } from "./kit/eager.ts";
import { type EagerLibrary, Unsupported } from "./kit/library.ts";
import { serveOptional } from "./optional.ts";
import { tfjsOperators } from "./tfjs/operators.ts";

type Library = typeof TensorFlow;
type Tensor = TensorFlow.Tensor;

/** Makes an engine of TensorFlow.js on its CPU backend, which computes in float32, without forward mode. */
export async function tfjsEngine(): Promise<Engine> {
  const tf = await import("@tensorflow/tfjs");
  await tf.setBackend("cpu");
  return eagerEngine(tfjsLibrary(tf));
}

/** Makes the library that the kit turns into an engine. */
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
      // The gradient of this scalar is, by definition, the cotangents, which meet no arithmetic.
      const pairing = tf.customGrad(() => ({ value: tf.scalar(0), gradFunc: () => [...cotangents] }));
      // `tf.grads` calls this too, but refuses unused inputs, which get no gradient here.
      const pull = () => tf.engine().gradients(() => pairing(...f(inputs)), [...inputs], undefined, true);
      return naming(pull).grads;
    },
    nests: true,
    programs: true,
    place(tensor) {
      const variable = tf.variable(tensor);
      return {
        tensor: () => variable,
        // A variable assigned to itself would free what it holds, and throw.
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

/** Runs `body`; a gradient that TensorFlow.js says it lacks is unsupported, not a failure. */
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
