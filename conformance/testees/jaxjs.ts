import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import process from "node:process";
import { setImmediate } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import type * as JaxJs from "@jax-js/jax";
import type { Engine } from "../../spec/contract/index.ts";
import { present } from "../../spec/shapes/index.ts";
import { jaxjsOperators } from "./jaxjs/operators.ts";
import { eagerEngine } from "./kit/eager.ts";
import type { Differentiable, EagerLibrary } from "./kit/library.ts";
import { serveOptional } from "./optional.ts";

type Library = typeof JaxJs;
type JaxArray = JaxJs.Array;

/** These options say how jax-js is asked. */
export interface JaxJsOptions {
  /**
   * If true, cotangents come from `grad` of the sum of all `result · cotangent`, not from `vjp`, whose faults
   * with several results would otherwise hide others.
   */
  readonly isPaired?: boolean;
}

/**
 * Makes an engine of jax-js on its default device, WebAssembly, without `jit`. Its functions consume their
 * arguments, so that the kit counts references (`ownership`).
 */
export async function jaxjsEngine({ isPaired = false }: JaxJsOptions = {}): Promise<Engine> {
  const jax = await import("@jax-js/jax");
  const library = jaxjsLibrary(jax, installedVersion());
  return eagerEngine(isPaired ? { ...library, vjp: pairing(jax) } : library);
}

/** Pulls back from the sum of `result · cotangent`, in which results have exactly the given cotangents. */
function pairing({ grad, numpy }: Library): NonNullable<EagerLibrary<JaxArray>["vjp"]> {
  return (f, inputs, cotangents) => {
    const paired = (xs: JaxArray[]): JaxArray => {
      const products = f(xs).map((result, i) =>
        numpy.sum(numpy.multiply(result, present(cotangents[i], "a cotangent"))),
      );
      return products.reduce((sum, product) => numpy.add(sum, product));
    };
    return grad(paired)([...inputs]);
  };
}

const described = (version: string): EagerLibrary<JaxArray>["description"] => ({
  name: "jax-js",
  version,
  language: "TypeScript",
  links: ["https://github.com/ekzhang/jax-js", "https://jax-js.com/docs/"],
  dtypes: ["float64", "float32"],
  // relu is maximum(x, 0), and maximum's tie goes to the first operand.
  conventions: {
    maximumAtTie: "first",
    reluAtZero: "one",
    compositeKinks: "own",
    subnormals: "gradual",
    zeros: "unsigned",
  },
  accuracy: {},
});

/** Returns the pullback of a function, whose results nobody reads. */
function pullbackOf(jax: Library, f: Differentiable<JaxArray>, inputs: readonly JaxArray[]) {
  const [results, pull] = jax.vjp((xs: JaxArray[]): JaxArray[] => [...f(xs)], [[...inputs]]);
  for (const result of results) result.dispose();
  return pull;
}

/** Makes the library that the kit turns into an engine. */
export function jaxjsLibrary(jax: Library, version: string): EagerLibrary<JaxArray> {
  return {
    description: described(version),
    operators: jaxjsOperators(jax),
    tensor({ shape, data }, dtype) {
      // numpy.array of a typed array without elements throws.
      if (data.length === 0)
        return jax.numpy.zeros([...shape], { dtype: jax.numpy[dtype === "float32" ? dtype : "float64"] });
      const values = dtype === "float32" ? Float32Array.from(data) : Float64Array.from(data);
      return jax.numpy.array(values, { shape: [...shape] });
    },
    read(array) {
      const { shape } = array;
      return { shape, data: Float64Array.from(array.dataSync()) };
    },
    vjp(f, inputs, cotangents) {
      const pull = pullbackOf(jax, f, inputs);
      const [pulled] = pull([...cotangents]);
      pull.dispose();
      return pulled;
    },
    tapes: {
      lives: ["until released"],
      // `dispose` frees memory, and the caller must not call the pullback afterwards.
      releases: false,
      record(f, inputs) {
        const pull = pullbackOf(jax, f, inputs);
        return {
          sweep: (cotangents) => pull([...cotangents])[0],
          release: () => pull.dispose(),
        };
      },
    },
    jvp(f, inputs, tangents) {
      const [results, pushed] = jax.jvp(
        (xs: JaxArray[]): JaxArray[] => [...f(xs)],
        [[...inputs]],
        [[...tangents]],
      );
      for (const result of results) result.dispose();
      return pushed;
    },
    nests: true,
    programs: true,
    ownership: { share: (array) => array.ref, release: (array) => array.dispose() },
    async scope(body) {
      try {
        return await body();
      } finally {
        // Its tracers hold each other by WeakRef, whose targets live until the turn ends.
        await setImmediate();
      }
    },
  };
}

/** Returns the version in the package's own `package.json`; the library does not tell it. */
function installedVersion(): string {
  const entry = pathToFileURL(createRequire(import.meta.url).resolve("@jax-js/jax"));
  const { version }: { version: string } = JSON.parse(
    readFileSync(new URL("../package.json", entry), "utf8"),
  );
  return version;
}

if (import.meta.main) {
  await serveOptional(() => jaxjsEngine({ isPaired: process.argv.includes("--paired") }), "@jax-js/jax");
}
