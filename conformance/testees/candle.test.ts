import { describe, expect, it } from "vitest";
import { expanding } from "../../engines/index.ts";
import { ProcessEngine } from "../runner/engine.ts";
import {
  expectByHand,
  expectDeclaredConventions,
  expectDenseCotangents,
  expectNamedFunctions,
  expectRowsOfIndices,
  expectSpecialNumbers,
  loaded,
  node,
  processStarted,
  question,
  resultOf,
  scalar,
  seed,
  tensor,
} from "./asking.test.kit.ts";
import { candleTestee } from "./bundled.ts";
import { handComputed } from "./hand.test.cases.ts";

const command = candleTestee();
const note =
  command === undefined
    ? " (skipped: cargo build --release --manifest-path conformance/testees/candle/Cargo.toml)"
    : "";

describe.skipIf(command === undefined)(`candle${note}`, () => {
  const engine = processStarted(command);

  it("introduces itself with its version, its modes and what candle-core has, and nothing it has not", () => {
    expect(engine().describe()).toMatchObject({
      name: "candle",
      version: "0.11.1",
      language: "Rust",
      dtypes: ["float64", "float32"],
      modes: ["evaluate", "vjp", "backward_dense"],
    });
    const { operators } = engine().describe();
    expect(operators).toEqual(expect.arrayContaining(["matmul", "conv", "sort", "scatter_add", "logsumexp"]));
    for (const lacking of ["log1p", "tan", "solve", "round", "softmax"])
      expect(operators).not.toContain(lacking);
  });

  it("promises no operator that its command line leaves out", async () => {
    const started = await ProcessEngine.start({ argv: [...(command?.argv ?? []), "--without", "pow,relu"] });
    if (!started.ok) throw new Error(JSON.stringify(started.error));
    await using without = started.value;
    const lost = engine()
      .describe()
      .operators.filter((op) => !without.describe().operators.includes(op));
    expect(lost.toSorted()).toEqual(["pow", "relu"]);
    const { graph } = question([scalar(1)], [node("relu", {}, 0)]);
    expect(await without.load(graph, "float64")).toMatchObject({ kind: "unsupported" });
  });

  describe.each(["float64", "float32"] as const)("in %s", (dtype) => {
    for (const one of handComputed) it(one.title, () => expectByHand(engine(), dtype, one));

    it("has the functions of its operators' names", () => expectNamedFunctions(engine(), dtype));

    it("keeps the conventions it declares", () => expectDeclaredConventions(engine(), dtype));

    it("passes −0, infinities, NaN and subnormals, and rounds to the precision", () =>
      expectSpecialNumbers(engine(), dtype));
  });

  it("gives the cotangent of every id, seeds on an input, an intermediate and the last included", () =>
    expectDenseCotangents(engine()));

  it("is asked expansions of operators that it lacks", async () => {
    const { graph, point } = question([tensor([2, 5])], [node("leaky_relu", { slope: 0.5 }, 0)]);
    const program = await loaded(expanding(engine()), graph, "float64");
    expect(resultOf(await program.evaluate(point))).toEqual([tensor([2, 5])]);
  });

  it("slices backwards and pads between, on each axis", async () => {
    const x = tensor([1, 2, 3, 4, 5, 6], [2, 3]);
    const nodes = [
      node("slice", { starts: [0, -1], stops: [2, -4], steps: [1, -2] }, 0),
      node("pad", { low: [0, 1], high: [1, 0], interior: [1, 2] }, 1),
    ];
    const { graph, point } = question([x], nodes);
    const program = await loaded(engine(), graph, "float64");
    const padded = [
      [0, 3, 0, 0, 1],
      [0, 0, 0, 0, 0],
      [0, 6, 0, 0, 4],
      [0, 0, 0, 0, 0],
    ];
    expect(resultOf(await program.evaluate(point))).toEqual([
      tensor([3, 1, 6, 4], [2, 2]),
      tensor(padded.flat(), [4, 5]),
    ]);
    const seeds = [
      seed(
        2,
        tensor(
          Array.from({ length: 20 }, (_, i) => i),
          [4, 5],
        ),
      ),
    ];
    expect(resultOf(await program.vjp(point, seeds))).toEqual([tensor([4, 0, 1, 14, 0, 11], [2, 3])]);
  });

  it("reads and adds at rows of indices, a row that occurs twice included", () =>
    expectRowsOfIndices(engine()));

  it("answers an index beyond the axis with an error, and the next question with an answer", async () => {
    const { graph, point } = question([tensor([1, 2])], [node("take", { axis: 0, indices: "i" }, 0)], {
      i: { kind: "index", value: tensor([1]) },
    });
    const program = await loaded(engine(), graph, "float64");
    const beyond = { ...point, environment: new Map([["i", tensor([2])]]) };
    expect(await program.evaluate(beyond)).toMatchObject({ kind: "error" });
    expect(resultOf(await program.evaluate(point))).toEqual([tensor([2])]);
  });
});
