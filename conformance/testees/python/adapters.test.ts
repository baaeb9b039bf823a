import { spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { type Engine, expanding } from "../../../engines/index.ts";
import { judgeTapes } from "../../../oracle/index.ts";
import { type OperatorName, operatorNames, present, primitiveNames } from "../../../spec/index.ts";
import { tapeData } from "../../corpus/suite.ts";
import { ProcessEngine } from "../../runner/engine.ts";
import {
  expectByHand,
  expectDeclaredConventions,
  expectNamedFunctions,
  loaded,
  node,
  processStarted,
  question,
  resultOf,
  scalar,
  seed,
  tensor,
} from "../asking.test.kit.ts";
import { pythonTestee } from "../bundled.ts";
import { handComputed } from "../hand.test.cases.ts";
import { capturedItself, nestedByHand } from "../nested.test.cases.ts";

/** The adapters, with what they must declare; this changes where a library's choice changes. */
const adapters = [
  {
    name: "JAX",
    version: "0.10.2",
    file: "jax_adapter.py",
    module: "jax",
    setUp: "setup.py",
    dtypes: ["float64", "float32"],
    conventions: { maximumAtTie: "split", reluAtZero: "zero", compositeKinks: "own", subnormals: "flushed" },
    negatedZero: -0,
    lacksPrimitives: [],
    lacks: ["abs", "copysign", "leaky_relu", "mse", "lstm_cell"],
    has: [
      "conv",
      "conv_transpose",
      "max_pool",
      "sort",
      "cholesky",
      "layer_norm",
      "embedding",
      "differentiate",
    ],
  },
  {
    name: "autograd",
    version: "1.9.1",
    file: "autograd_adapter.py",
    module: "autograd",
    setUp: "setup.py",
    dtypes: ["float64"],
    conventions: { maximumAtTie: "split", reluAtZero: "half", compositeKinks: "own", subnormals: "gradual" },
    // autograd adds the tangents and cotangents of several arrays to +0.
    negatedZero: 0,
    lacksPrimitives: ["bernoulli_mask", "scatter_add"],
    lacks: ["clip", "sort", "conv", "diagonal", "cumulative_prod"],
    has: ["abs", "prod", "logsumexp", "einsum", "cholesky", "triangular_solve", "differentiate"],
  },
  {
    name: "PyTorch",
    version: "2.15.0",
    file: "pytorch_adapter.py",
    module: "torch",
    setUp: "setup.py --pytorch",
    dtypes: ["float64", "float32"],
    conventions: { maximumAtTie: "split", reluAtZero: "zero", compositeKinks: "own", subnormals: "gradual" },
    negatedZero: -0,
    lacksPrimitives: ["bernoulli_mask"],
    lacks: ["dropout", "batch_norm_eval", "multi_head_attention", "transformer_block"],
    has: [
      "abs",
      "conv",
      "sort",
      "cholesky",
      "layer_norm",
      "scaled_dot_product_attention",
      "gru_cell",
      "kl_div",
      "differentiate",
    ],
  },
] as const;

/** Returns the verdicts on some vectors of hooks, by name. */
async function hookVerdicts(engine: Engine): Promise<readonly (readonly [name: string, verdict: string])[]> {
  const asked = [
    "hook_where_data_comes_in",
    "hook_with_three_readers",
    "hook_where_nothing_comes",
    "hook_of_a_choice",
  ];
  const verdicts: (readonly [string, string])[] = [];
  for (const name of asked) {
    const vector = present(tapeData().get(`manners/${name}`), name);
    const { kind } = await judgeTapes(engine, vector.case, { dtype: "float64", shrinkBudget: 0 });
    verdicts.push([name, kind]);
  }
  return verdicts;
}

/** Each adapter is listed with whether its library is missing, and a note for the titles. */
const found = adapters.map((adapter) => {
  const isMissing = pythonTestee(adapter.file, adapter.module) === undefined;
  const script = `python3 conformance/testees/python/${adapter.setUp}`;
  return { ...adapter, isMissing, note: isMissing ? ` (skipped: install it with ${script})` : "" };
});

for (const adapter of found) {
  const { name, version, file, dtypes, conventions, negatedZero, lacksPrimitives, lacks, has } = adapter;
  describe.skipIf(adapter.isMissing)(`${name}${adapter.note}`, () => {
    const engine = processStarted(pythonTestee(file));

    it("introduces itself with its version, its primitives and the composites it has whole, and modes", () => {
      expect(engine().describe()).toMatchObject({ name, version, language: "Python", dtypes, conventions });
      const offered: readonly OperatorName[] = engine().describe().operators;
      const missing: readonly OperatorName[] = lacksPrimitives;
      expect(primitiveNames.filter((op) => !offered.includes(op))).toEqual(missing);
      expect(has.filter((op) => !offered.includes(op))).toEqual([]);
      expect(lacks.filter((op) => offered.includes(op))).toEqual([]);
      expect(engine().describe().modes).toEqual(["evaluate", "jvp", "vjp", "backward_dense"]);
    });

    it("calls hooks as defined: at inputs, at a value with three readers, and where no cotangent comes", async () => {
      for (const [name, verdict] of await hookVerdicts(engine()))
        expect([name, verdict]).toEqual([name, "agrees"]);
    });

    describe.each(dtypes)("in %s", (dtype) => {
      for (const one of handComputed) it(one.title, () => expectByHand(engine(), dtype, one));

      for (const one of [...nestedByHand, ...capturedItself]) {
        it(one.title, () => expectByHand(engine(), dtype, one));
      }

      it("has the functions of its operators' names", () => expectNamedFunctions(engine(), dtype));

      it("keeps the conventions it declares", () => expectDeclaredConventions(engine(), dtype));

      it("passes −0, infinities, NaN and subnormals, and rounds to the precision", async () => {
        const smallest = dtype === "float32" ? 2 ** -149 : Number.MIN_VALUE;
        const given = tensor([0, -0, Infinity, -Infinity, Number.NaN, smallest, 0.1]);
        const { graph, point } = question([given], [node("reshape", { shape: [7] }, 0)]);
        const program = await loaded(engine(), graph, dtype);
        const rounded = dtype === "float32" ? tensor([...given.data].map(Math.fround)) : given;
        expect(resultOf(await program.evaluate(point))).toEqual([rounded]);
      });

      it("keeps the sign of zero in derivatives as the library does", async () => {
        const { graph, point } = question([tensor([1, 2])], [node("negative", {}, 0)]);
        const program = await loaded(engine(), graph, dtype);
        const zeros = tensor([0, -0]);
        expect(resultOf(await program.jvp(point, [zeros]))).toEqual([tensor([negatedZero, 0])]);
        expect(resultOf(await program.vjp(point, [seed(1, zeros)]))).toEqual([tensor([negatedZero, 0])]);
      });
    });

    it("gives the tangent of every node, zeros where none arrives", async () => {
      const nodes = [
        node("constant", { name: "c" }),
        node("multiply", {}, 0, 1),
        node("stop_gradient", {}, 3),
        node("multiply", {}, 3, 4),
      ];
      const { graph, point } = question([scalar(3), scalar(4)], nodes, {
        c: { kind: "real", value: scalar(7) },
      });
      const program = await loaded(engine(), graph, "float64");
      // x·y is 12, its tangent 4·1 + 3·10, and the last is that times the stopped 12.
      const tangents = resultOf(await program.jvp(point, [scalar(1), scalar(10)]));
      expect(tangents).toEqual([0, 34, 0, 34 * 12].map(scalar));
    });

    it("gives the cotangent of every id, seeds on an input, an intermediate and the last included", async () => {
      const nodes = [node("multiply", {}, 0, 1), node("add", {}, 2, 0)];
      const { graph, point } = question([scalar(3), scalar(4)], nodes);
      const program = await loaded(engine(), graph, "float64");
      const seeds = [seed(2, scalar(10)), seed(0, scalar(100)), seed(3, scalar(1))];
      expect(resultOf(await program.backwardDense(point, seeds))).toEqual([145, 33, 11, 1].map(scalar));
      expect(resultOf(await program.vjp(point, seeds))).toEqual([145, 33].map(scalar));
      expect(resultOf(await program.vjp(point, []))).toEqual([0, 0].map(scalar));
    });

    it("is asked expansions of operators that it lacks, and others whole", async () => {
      const asked = expanding(engine());
      const { graph, point } = question([tensor([-3, 5])], [node("abs", {}, 0), node("square", {}, 1)]);
      const program = await loaded(asked, graph, "float64");
      expect(resultOf(await program.evaluate(point))).toEqual([tensor([3, 5]), tensor([9, 25])]);
      expect(resultOf(await program.backwardDense(point, [seed(2, tensor([1, 10]))]))).toEqual([
        tensor([-6, 100]),
        tensor([6, 100]),
        tensor([1, 10]),
      ]);
      // A dropout cannot be expanded without its mask.
      const own: readonly OperatorName[] = lacksPrimitives;
      const missing = own.includes("bernoulli_mask") ? [...own, "dropout"] : own;
      expect(asked.describe().operators).toEqual(operatorNames.filter((op) => !missing.includes(op)));
    });

    it("answers an index beyond the axis with an error, and the next question with an answer", async () => {
      const { graph, point } = question([tensor([1, 2])], [node("take", { axis: 0, indices: "i" }, 0)], {
        i: { kind: "index", value: tensor([1]) },
      });
      const program = await loaded(engine(), graph, "float64");
      const beyond = { ...point, environment: new Map([["i", tensor([2])]]) };
      expect(await program.evaluate(beyond)).toMatchObject({ kind: "error" });
      expect(resultOf(await program.evaluate(point))).toEqual([tensor([2])]);
    });

    it("answers for a graph without inputs, and for one without nodes", async () => {
      const constant = question([], [node("constant", { name: "c" })], {
        c: { kind: "real", value: tensor([1, 2]) },
      });
      const fixed = await loaded(engine(), constant.graph, "float64");
      expect(resultOf(await fixed.evaluate(constant.point))).toEqual([tensor([1, 2])]);
      expect(resultOf(await fixed.jvp(constant.point, []))).toEqual([tensor([0, 0])]);
      const seeds = [seed(0, tensor([5, 6]))];
      expect(resultOf(await fixed.vjp(constant.point, seeds))).toEqual([]);
      expect(resultOf(await fixed.backwardDense(constant.point, seeds))).toEqual([tensor([5, 6])]);
      const empty = question([tensor([1, 2])], []);
      const bare = await loaded(engine(), empty.graph, "float64");
      expect(resultOf(await bare.evaluate(empty.point))).toEqual([]);
      expect(resultOf(await bare.backwardDense(empty.point, seeds))).toEqual([tensor([5, 6])]);
    });

    it("keeps two programs apart, and answers questions that come all at once", async () => {
      const one = question([scalar(3)], [node("negative", {}, 0)]);
      const two = question([scalar(3)], [node("multiply", {}, 0, 0)]);
      const [first, second] = [
        await loaded(engine(), one.graph, "float64"),
        await loaded(engine(), two.graph, "float64"),
      ];
      const asked = [first, second, first, second].map((program) => program.evaluate(one.point));
      expect((await Promise.all(asked)).map(resultOf)).toEqual(
        [[-3], [9], [-3], [9]].map(([x = 0]) => [scalar(x)]),
      );
      await first.unload();
      expect(resultOf(await second.evaluate(two.point))).toEqual([scalar(9)]);
    });
  });
}

const pytorch = pythonTestee("pytorch_adapter.py", "torch");

describe.skipIf(pytorch === undefined)("PyTorch with hooks on modules", () => {
  // An upgrade that mends it fails here; then docs/tapes.md must say so.
  it("calls them where data comes in, and not where an input of the module stops, as docs/tapes.md has it", async () => {
    const argv = [...(pytorch?.argv ?? []), "--modules"] as const;
    const started = await ProcessEngine.start({ ...pytorch, argv });
    if (!started.ok) throw new Error(JSON.stringify(started.error));
    await using engine = started.value;
    const verdicts = await hookVerdicts(engine);
    const others = verdicts.filter(([, verdict]) => verdict !== "agrees");
    expect([verdicts.length, others]).toEqual([4, [["hook_of_a_choice", "disagrees"]]]);
  });
});

describe.skipIf(pythonTestee("pytorch_adapter.py", "torch") === undefined)("PyTorch's device", () => {
  const hello = [JSON.stringify({ id: 1, kind: "hello", protocol: 1 })];

  it("is the CPU, unless another one is named", () => {
    const named = converse("pytorch_adapter.py", hello, "--device", "cpu");
    expect(named).toMatchObject({
      code: 0,
      replies: [{ kind: "hello", name: "PyTorch", version: "2.15.0" }],
    });
  });

  it.each(["meta", "cude"])("is refused at the start if nothing can be computed there: %s", (device) => {
    const { replies, stderr, code } = converse("pytorch_adapter.py", hello, "--device", device);
    expect([replies, code]).toEqual([[], 2]);
    expect(stderr).toContain(`PyTorch cannot compute on ${device}: `);
  });
});

/** Returns what a testee writes, and how it ends, when it is given these lines. */
function converse(file: string, lines: readonly string[], ...options: readonly string[]) {
  const { argv: [python, ...rest] = [""], env } = pythonTestee(file) ?? {};
  const input = lines.map((line) => `${line}\n`).join("");
  const { stdout, stderr, status } = spawnSync(python, [...rest, ...options], {
    input,
    env: { ...process.env, ...env },
    encoding: "utf8",
  });
  const replies = stdout.split("\n").slice(0, -1);
  return { replies: replies.map((line): unknown => JSON.parse(line)), stderr, code: status };
}

const graph = {
  format: "adjudge.graph.v1",
  inputs: [{ name: "x", shape: [2] }],
  environment: [],
  nodes: [{ op: "negative", attributes: {}, parents: [0] }],
};
const load = { id: 1, kind: "load", program: 7, dtype: "float64", graph };
const x = { shape: [2], data: ["0x1.8p+0", "-0x1p+1"] };
const evaluate = { id: 9, kind: "evaluate", program: 7, point: { inputs: [x], environment: {} } };
const answer = { id: 9, kind: "tensors", tensors: [{ shape: [2], data: ["-0x1.8p+0", "0x1p+1"] }] };

/** The runner would not send these requests. */
const wrong = [
  { id: 2, kind: "evalute", program: 7 },
  { id: 3, kind: "evaluate", program: 8, point: evaluate.point },
  { ...load, id: 4 },
  { id: 5, kind: "vjp", program: 7 },
  { ...evaluate, id: 6, point: { inputs: [{ shape: [3], data: ["1", "2", "3"] }], environment: {} } },
  { ...evaluate, id: 7, kind: "vjp", seeds: [{ id: 1, cotangent: { shape: [], data: ["1"] } }] },
  { ...evaluate, id: 8, kind: "jvp", tangents: [] },
] as const;

/** The conversation is the kit's affair, so that two libraries suffice: PyTorch takes seconds to import. */
const quick = found.filter(({ name }) => name !== "PyTorch");

for (const { name, file, isMissing, note } of quick)
  describe.skipIf(isMissing)(`${name}, spoken to by hand${note}`, () => {
    it("answers a wrong request under its id with an error, and keeps running", () => {
      const { replies, code } = converse(
        file,
        [load, ...wrong, evaluate].map((line) => JSON.stringify(line)),
      );
      expect(replies).toEqual([
        { id: 1, kind: "done" },
        ...wrong.map(({ id }) => ({ id, kind: "error", message: expect.stringMatching(/./) })),
        answer,
      ]);
      expect(code).toBe(0);
    });

    it("answers unsupported to an operator and a precision that it lacks", () => {
      const nodes = [{ op: "gru_cell", attributes: {}, parents: [0, 0, 0, 0, 0, 0] }];
      const { replies } = converse(file, [
        JSON.stringify({ ...load, graph: { ...graph, nodes } }),
        JSON.stringify({ ...load, id: 2, dtype: "float8" }),
      ]);
      expect(replies).toEqual([
        { id: 1, kind: "unsupported", reason: expect.stringContaining("gru_cell") },
        { id: 2, kind: "unsupported", reason: expect.stringContaining("float8") },
      ]);
    });

    it("reads decimal texts and JSON integers exactly", () => {
      const inputs = [{ shape: [2], data: ["12", 10] }];
      const asked = { ...evaluate, point: { inputs, environment: {} } };
      const { replies } = converse(
        file,
        [load, asked].map((line) => JSON.stringify(line)),
      );
      expect(replies[1]).toMatchObject({ tensors: [{ data: ["-0x1.8p+3", "-0x1.4p+3"] }] });
    });

    it.each([
      "{",
      "[]",
      "",
      '{"id":0,"kind":"hello","protocol":1}',
      '{"kind":"hello","protocol":1}',
    ])("stops at what is no message, for there is no id to answer to: %j", (line) => {
      const { replies, stderr, code } = converse(file, [
        JSON.stringify(load),
        line,
        JSON.stringify(evaluate),
      ]);
      expect(replies).toEqual([{ id: 1, kind: "done" }]);
      expect(stderr).toContain("not a request");
      expect(code).toBe(1);
    });
  });
