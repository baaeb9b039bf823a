import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Engine, expanding } from "../../../engines/index.ts";
import {
  expectByHand,
  expectDeclaredConventions,
  expectDenseCotangents,
  expectRowsOfIndices,
  expectSpecialNumbers,
  loaded,
  node,
  question,
  resultOf,
  scalar,
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

    it("passes −0, infinities, NaN and subnormals, and rounds to the precision", () =>
      expectSpecialNumbers(engine(), dtype));
  });

  it("gives the cotangent of every id, though all taps are one number", () =>
    expectDenseCotangents(engine()));

  it("reads and adds at rows of indices, a row that occurs twice included", () =>
    expectRowsOfIndices(engine()));

  it("is asked expansions of operators that it lacks", async () => {
    const { graph, point } = question([tensor([2, 5]), tensor([1, 1])], [node("mse", {}, 0, 1)]);
    const program = await loaded(expanding(engine()), graph, "float64");
    expect(resultOf(await program.evaluate(point))).toEqual([scalar(8.5)]);
  });
});
