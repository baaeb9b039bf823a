import { describe, expect, it } from "vitest";
import { expanding } from "../../engines/index.ts";
import { ProcessEngine } from "../runner/engine.ts";
import {
  expectByHand,
  expectDeclaredConventions,
  expectDenseCotangents,
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
import { bundledEngine, gorgoniaTestee } from "./bundled.ts";
import { handComputed } from "./hand.test.cases.ts";

const command = gorgoniaTestee();
const note = command === undefined ? " (skipped: go build -C conformance/testees/gorgonia -o target/ .)" : "";

/** These need tensors without elements, or operators that gorgonia lacks. */
const beyond =
  /^(nothing is taken|tensors without elements|a product over no elements|where pulls back|stop_gradient makes)/;

describe("gorgonia, where it is not built", () => {
  it.skipIf(command !== undefined)("is missing, and the reason builds it", async () => {
    expect(await bundledEngine("gorgonia")?.start({})).toMatchObject({
      kind: "missing",
      reason: expect.stringMatching(/^go build -C .*gorgonia -o target\/ \.$/),
    });
  });
});

describe.skipIf(command === undefined)(`gorgonia${note}`, () => {
  const engine = processStarted(command);

  it("introduces itself with its version, its modes and what gorgonia has, and nothing it has not", () => {
    expect(engine().describe()).toMatchObject({
      name: "gorgonia",
      version: "0.9.18",
      language: "Go",
      dtypes: ["float64", "float32"],
      modes: ["evaluate", "vjp", "backward_dense"],
    });
    const { operators } = engine().describe();
    expect(operators).toEqual(expect.arrayContaining(["matmul", "log1p", "softmax", "take", "outer"]));
    for (const lacking of ["where", "tan", "solve", "stop_gradient"])
      expect(operators).not.toContain(lacking);
  });

  it("promises the operators of its command line: without those left out, with those added", async () => {
    const started = await ProcessEngine.start({
      argv: [...(command?.argv ?? []), "--without", "pow,relu", "--with", "conv"],
    });
    if (!started.ok) throw new Error(JSON.stringify(started.error));
    await using other = started.value;
    const [before, after] = [engine().describe().operators, other.describe().operators];
    expect(before.filter((op) => !after.includes(op))).toEqual(["pow", "relu"]);
    expect(after.filter((op) => !before.includes(op))).toEqual(["conv"]);
    const { graph } = question([scalar(1)], [node("relu", {}, 0)]);
    expect(await other.load(graph, "float64")).toMatchObject({ kind: "unsupported" });
  });

  describe.each(["float64", "float32"] as const)("in %s", (dtype) => {
    for (const one of handComputed.filter(({ title }) => !beyond.test(title)))
      it(one.title, () => expectByHand(engine(), dtype, one));

    it("keeps the conventions it declares", () => expectDeclaredConventions(engine(), dtype));

    it("passes −0, infinities, NaN and subnormals, and rounds to the precision", () =>
      expectSpecialNumbers(engine(), dtype));
  });

  it("gives the cotangent of every id, seeds on an input, an intermediate and the last included", () =>
    expectDenseCotangents(engine()));

  it("has zeros for an input that only reaches step functions, beside one with a gradient", async () => {
    const nodes = [node("floor", {}, 0), node("multiply", {}, 2, 1)];
    const { graph, point } = question([scalar(3.5), scalar(4)], nodes);
    const program = await loaded(engine(), graph, "float64");
    expect(resultOf(await program.vjp(point, [seed(3, scalar(1))]))).toEqual([0, 3].map(scalar));
  });

  it("is asked expansions of operators that it lacks", async () => {
    const { graph, point } = question([tensor([2, 5]), tensor([1, 1])], [node("mse", {}, 0, 1)]);
    const program = await loaded(expanding(engine()), graph, "float64");
    expect(resultOf(await program.evaluate(point))).toEqual([scalar(8.5)]);
  });

  it("answers what gorgonia fails at with an error, and the next question with an answer", async () => {
    const { graph, point } = question([scalar(1), scalar(2)], [node("maximum", {}, 0, 1)]);
    const program = await loaded(engine(), graph, "float64");
    expect(await program.evaluate(point)).toMatchObject({ kind: "error" });
    const other = question([scalar(2)], [node("negative", {}, 0)]);
    const next = await loaded(engine(), other.graph, "float64");
    expect(resultOf(await next.evaluate(other.point))).toEqual([scalar(-2)]);
  });
});
