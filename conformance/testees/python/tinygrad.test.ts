import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Engine, expanding } from "../../../engines/index.ts";
import {
  expectByHand,
  expectDeclaredConventions,
  loaded,
  node,
  question,
  resultOf,
  scalar,
  seed,
  tensor,
} from "../asking.test.kit.ts";
import { bundledEngine } from "../bundled.ts";
import { handComputed } from "../hand.test.cases.ts";

const outcome = await bundledEngine("tinygrad")?.start({});
const note = outcome?.kind === "missing" ? ` (skipped: ${outcome.reason})` : "";

describe.skipIf(outcome?.kind === "missing")(`tinygrad${note}`, () => {
  const held: { engine?: Engine } = {};
  const engine = (): Engine => {
    if (held.engine === undefined) throw new Error("the engine was not started");
    return held.engine;
  };

  beforeAll(() => {
    if (outcome?.kind === "broken") throw new Error(JSON.stringify(outcome.issues));
    if (outcome?.kind === "started") held.engine = outcome.process ?? outcome.engine;
  });

  afterAll(() => held.engine?.[Symbol.asyncDispose]());

  it("introduces itself with its version, its modes and what tinygrad has, and nothing it has not", () => {
    expect(engine().describe()).toMatchObject({
      name: "tinygrad",
      version: "0.14.0",
      dtypes: ["float64", "float32"],
      modes: ["evaluate", "vjp", "backward_dense"],
    });
    const { operators } = engine().describe();
    expect(operators).toEqual(
      expect.arrayContaining(["matmul", "conv", "sort", "scatter_add", "scaled_dot_product_attention"]),
    );
    for (const lacking of ["log1p", "solve", "hypot", "lstm_cell"]) expect(operators).not.toContain(lacking);
  });

  describe.each(["float64", "float32"] as const)("in %s", (dtype) => {
    for (const one of handComputed) it(one.title, () => expectByHand(engine(), dtype, one));

    it("keeps the conventions it declares", () => expectDeclaredConventions(engine(), dtype));

    it("lets −0, infinities, NaN and subnormals through, and rounds to the precision", async () => {
      const smallest = dtype === "float32" ? 2 ** -149 : Number.MIN_VALUE;
      const given = tensor([0, -0, Infinity, -Infinity, Number.NaN, smallest, 0.1]);
      const { graph, point } = question([given], [node("reshape", { shape: [7] }, 0)]);
      const program = await loaded(engine(), graph, dtype);
      const rounded = dtype === "float32" ? tensor([...given.data].map(Math.fround)) : given;
      expect(resultOf(await program.evaluate(point))).toEqual([rounded]);
    });
  });

  it("gives the cotangent of every id, though all taps are one number", async () => {
    const nodes = [node("multiply", {}, 0, 1), node("add", {}, 2, 0)];
    const { graph, point } = question([scalar(3), scalar(4)], nodes);
    const program = await loaded(engine(), graph, "float64");
    const seeds = [seed(2, scalar(10)), seed(0, scalar(100)), seed(3, scalar(1))];
    expect(resultOf(await program.backwardDense(point, seeds))).toEqual([145, 33, 11, 1].map(scalar));
    expect(resultOf(await program.vjp(point, seeds))).toEqual([145, 33].map(scalar));
    expect(resultOf(await program.vjp(point, []))).toEqual([0, 0].map(scalar));
  });

  it("reads and adds at rows of indices, a row that occurs twice included", async () => {
    const rows = { i: { kind: "index", value: tensor([1, 0, 0, 1, 1, 0], [3, 2]) } } as const;
    const nodes = [node("gather", { indices: "i" }, 0), node("scatter_add", { indices: "i" }, 0, 1)];
    const { graph, point } = question([tensor([1, 2, 3, 4], [2, 2])], nodes, rows);
    const program = await loaded(engine(), graph, "float64");
    expect(resultOf(await program.evaluate(point))).toEqual([
      tensor([3, 2, 3]),
      tensor([1, 4, 9, 4], [2, 2]),
    ]);
  });

  it("is asked by expansion what it lacks", async () => {
    const { graph, point } = question([tensor([2, 5]), tensor([1, 1])], [node("mse", {}, 0, 1)]);
    const program = await loaded(expanding(engine()), graph, "float64");
    expect(resultOf(await program.evaluate(point))).toEqual([scalar(8.5)]);
  });
});
