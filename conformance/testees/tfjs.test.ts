import { describe, expect, it } from "vitest";
import {
  expectByHand,
  expectDeclaredConventions,
  expectNamedFunctions,
  greet,
  loaded,
  node,
  question,
  resultOf,
  scalar,
  seed,
  tensor,
} from "./asking.test.kit.ts";
import { disagreements, spatialVerdicts } from "./examples.test.kit.ts";
import { handComputed } from "./hand.test.cases.ts";
import { capturedItself, nestedByHand } from "./nested.test.cases.ts";
import { tfjsEngine } from "./tfjs.ts";

const engine = await tfjsEngine();

describe("TensorFlow.js", () => {
  for (const one of [...handComputed, ...nestedByHand]) {
    it(one.title, () => expectByHand(engine, "float32", one));
  }

  it("confuses a captured tensor with the varied one where both are the same, which is its own fault", async () => {
    for (const { graph, point } of capturedItself) {
      const program = await loaded(engine, graph, "float32");
      // d/dy (x · y) at y = x is x, 3; it answers the derivative of x².
      expect(resultOf(await program.evaluate(point))).toEqual([1, 6].map(scalar));
    }
  });

  it("has the functions of its operators' names", () => expectNamedFunctions(engine, "float32"));

  it("answers its operators' examples as defined, but for its own faults and limits", async () => {
    expect(await disagreements(engine, "float32")).toEqual({
      // docs/findings.md lists these.
      avg_pool: "disagrees",
      tril: "crashed",
      triu: "crashed",
      // gather, cumulative_prod and einsum have no gradient; the others do not take the attributes.
      gather: "unsupported",
      elu: "unsupported",
      conv: "unsupported",
      conv_transpose: "unsupported",
      var: "unsupported",
      cumulative_prod: "unsupported",
      top_k: "unsupported",
      vecdot: "unsupported",
      einsum: "unsupported",
    });
  });

  it("puts channels and axes in their places", async () => {
    expect(new Set(Object.values(await spatialVerdicts(engine, "float32")))).toEqual(new Set(["agrees"]));
  });

  it("keeps the conventions it declares", () => expectDeclaredConventions(engine, "float32"));

  it("has float32, no float64 and no forward mode", async () => {
    const { graph, point } = question([scalar(1)], [node("exp", {}, 0)]);
    expect(engine.describe()).toMatchObject({
      name: "TensorFlow.js",
      version: "4.22.0",
      dtypes: ["float32"],
      modes: ["evaluate", "vjp", "backward_dense"],
    });
    expect(await engine.load(graph, "float64")).toMatchObject({ kind: "unsupported" });
    const program = await loaded(engine, graph, "float32");
    expect(await program.jvp(point, [scalar(1)])).toMatchObject({ kind: "unsupported" });
    expect(resultOf(await program.evaluate(point))).toEqual([scalar(Math.fround(Math.E))]);
  });

  it("passes −0, infinities, NaN and subnormals, and rounds to float32", async () => {
    const given = tensor([-0, Infinity, -Infinity, Number.NaN, 2 ** -149, 0.1]);
    const { graph, point } = question([given], [node("reshape", { shape: [6] }, 0)]);
    const program = await loaded(engine, graph, "float32");
    const rounded = tensor([...given.data].map(Math.fround));
    expect(resultOf(await program.evaluate(point))).toEqual([rounded]);
  });

  it("gives the cotangent of every id, seeds on two of them included", async () => {
    const nodes = [node("multiply", {}, 0, 1), node("add", {}, 2, 0)];
    const { graph, point } = question([scalar(3), scalar(4)], nodes);
    const program = await loaded(engine, graph, "float32");
    const seeds = [seed(2, scalar(10)), seed(3, scalar(1))];
    expect(resultOf(await program.backwardDense(point, seeds))).toEqual([45, 33, 11, 1].map(scalar));
  });

  it("says unsupported, not error, where TensorFlow.js itself has no gradient", async () => {
    const { graph, point } = question(
      [tensor([1], [1])],
      [node("broadcast_to", { shape: [2, 1, 1, 1, 1] }, 0)],
    );
    const program = await loaded(engine, graph, "float32");
    const reply = await program.vjp(point, [seed(1, tensor([1, 2], [2, 1, 1, 1, 1]))]);
    expect(reply).toMatchObject({ kind: "unsupported", reason: expect.stringContaining("rank-5") });
  });

  it("answers with TensorFlow.js's own shape where that is wrong: [1] to [0] stays [1]", async () => {
    const { graph, point } = question([tensor([7])], [node("broadcast_to", { shape: [0] }, 0)]);
    const program = await loaded(engine, graph, "float32");
    expect(resultOf(await program.evaluate(point))).toEqual([tensor([7])]);
  });

  it("keeps working after a request that failed", async () => {
    const { graph, point } = question([tensor([7])], [node("broadcast_to", { shape: [0] }, 0)]);
    const program = await loaded(engine, graph, "float32");
    expect(await program.vjp(point, [seed(1, tensor([]))])).toMatchObject({ kind: "error" });
    const [simplest] = handComputed;
    if (simplest !== undefined) await expectByHand(engine, "float32", simplest);
  });

  it("serves on its standard streams, and keeps TensorFlow.js's banner out of them", () => {
    const { replies, code } = greet(new URL("tfjs.ts", import.meta.url));
    expect(replies).toMatchObject([{ id: 1, kind: "hello", name: "TensorFlow.js" }]);
    expect(code).toBe(0);
  });
});
