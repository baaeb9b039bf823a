import { describe, expect, it } from "vitest";
import { smoke } from "../../runner/smoke.ts";
import { expectByHand, expectDeclaredConventions, processStarted } from "../asking.test.kit.ts";
import { pythonTestee } from "../bundled.ts";
import { handComputed } from "../hand.test.cases.ts";

/** Returns steps of smoke in both precisions, of which each has the name behind that of the operator. */
const eachPrecision = (steps: readonly string[]): string[] =>
  ["float64", "float32"].flatMap((dtype) => steps.map((step) => step.replace(" ", ` ${dtype} `)));

const sorted = ["", " with the first axis", " with descending order"].flatMap((kind) =>
  ["jvp", "vjp", "backward_dense"].map((mode) => `sort ${mode}${kind}`),
);

/** The adapters of libraries that are asked by name, with what they must declare. */
const adapters = [
  {
    module: "mygrad",
    name: "MyGrad",
    version: "2.5.0",
    dtypes: ["float64", "float32"],
    conventions: { maximumAtTie: "neither", compositeKinks: "own" },
    has: ["conv", "max_pool", "einsum", "cumulative_prod"],
    lacks: ["erf", "solve", "scatter_add", "leaky_relu"],
    /** These steps of smoke fail, each by a fault of the library that docs/findings.md tells of. */
    fails: [],
    /** These questions are beyond the library, or show such a fault. */
    beyond: /^$/,
  },
  {
    module: "mlx",
    name: "MLX",
    version: "0.32.4",
    dtypes: ["float64", "float32"],
    conventions: { maximumAtTie: "second", compositeKinks: "own" },
    has: ["det", "logsumexp", "differentiate", "layer_norm"],
    lacks: ["solve", "conv", "hypot", "scaled_dot_product_attention"],
    fails: [],
    beyond: /^$/,
  },
  {
    module: "casadi",
    name: "CasADi",
    version: "3.8.2",
    dtypes: ["float64"],
    conventions: { maximumAtTie: "split", reluAtZero: "half", compositeKinks: "own" },
    has: ["det", "inv", "logsumexp", "differentiate", "stop_gradient"],
    lacks: ["log2", "round", "conv", "softmax"],
    fails: [],
    beyond: /^$/,
  },
  {
    module: "paddle",
    name: "PaddlePaddle",
    version: "3.3.1",
    dtypes: ["float64", "float32"],
    conventions: { maximumAtTie: "split", compositeKinks: "own" },
    has: ["solve", "conv", "sort", "group_norm", "einsum"],
    lacks: ["layer_norm", "kl_div", "bce_with_logits"],
    fails: [],
    beyond: /^$/,
  },
  {
    module: "pytensor",
    name: "PyTensor",
    version: "3.0.7",
    dtypes: ["float64"],
    conventions: { maximumAtTie: "first", reluAtZero: "one", compositeKinks: "own" },
    has: ["solve", "det", "einsum", "differentiate", "log_softmax"],
    lacks: ["clip", "conv", "top_k", "hypot"],
    fails: [],
    beyond: /^$/,
  },
  {
    module: "drjit",
    name: "Dr.Jit",
    version: "1.5.0",
    dtypes: ["float64", "float32"],
    conventions: { maximumAtTie: "second", compositeKinks: "own" },
    has: ["hypot", "prod", "tile", "sort"],
    lacks: ["pow", "expm1", "sign", "softmax"],
    fails: eachPrecision(sorted),
    beyond: /without elements|nothing is taken|over no elements/,
  },
  {
    module: "warp",
    name: "Warp",
    version: "1.19.0",
    dtypes: ["float64", "float32"],
    conventions: { maximumAtTie: "second", compositeKinks: "own" },
    has: ["pow", "erf", "remainder", "matmul"],
    lacks: ["expm1", "asinh", "sign", "softmax"],
    fails: [],
    beyond: /^$/,
  },
  {
    module: "mindspore",
    name: "MindSpore",
    version: "2.10.0",
    dtypes: ["float64", "float32"],
    conventions: { maximumAtTie: "split", compositeKinks: "own", subnormals: "flushed" },
    has: ["det", "conv", "group_norm", "cumulative_prod"],
    lacks: ["solve", "einsum", "roll", "logical_xor"],
    fails: eachPrecision(["slice evaluate", "slice vjp", "slice backward_dense"]),
    beyond: /without elements|nothing is taken|over no elements/,
  },
] as const;

for (const { module, name, version, dtypes, conventions, has, lacks, fails, beyond } of adapters) {
  const command = pythonTestee(`${module}_adapter.py`, module);
  const note = command === undefined ? ` (skipped: setup.py --${module})` : "";
  describe.skipIf(command === undefined)(`${name}${note}`, () => {
    const engine = processStarted(command);

    it("introduces itself with its version and what it has, and nothing it has not", () => {
      const said = engine().describe();
      expect(said).toMatchObject({ name, version, language: "Python", dtypes, conventions });
      expect(said.operators).toEqual(expect.arrayContaining([...has]));
      for (const lacking of lacks) expect(said.operators).not.toContain(lacking);
    });

    it("is told by smoke of nothing but faults of the library", { timeout: 240_000 }, async () => {
      if (command === undefined) throw new Error("the library is not installed");
      const { steps } = await smoke(command);
      const failed = steps.filter(({ outcome }) => outcome.kind === "failed");
      expect(failed.map(({ name: step }) => step)).toEqual(fails);
    });

    describe.each(dtypes)("in %s", (dtype) => {
      for (const one of handComputed)
        it.skipIf(beyond.test(one.title))(one.title, () => expectByHand(engine(), dtype, one));

      it("keeps the conventions it declares", () => expectDeclaredConventions(engine(), dtype));
    });
  });
}
