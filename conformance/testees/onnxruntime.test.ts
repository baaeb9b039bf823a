import { describe, expect, it } from "vitest";
import { judge } from "../../oracle/index.ts";
import { smoke } from "../runner/index.ts";
import {
  expectSpecialNumbers,
  greet,
  loaded,
  node,
  question,
  resultOf,
  scalar,
  seed,
  tensor,
} from "./asking.test.kit.ts";
import { bundledEngine } from "./bundled.ts";
import { handComputed } from "./hand.test.cases.ts";

describe.each([
  ["onnxruntime", "float32"],
  ["onnxruntime-double", "float64"],
] as const)("the adapter of %s", async (name, dtype) => {
  const started = await bundledEngine(name)?.start({});

  it.skipIf(started?.kind === "started")("says how to install it where it is missing", () => {
    const reason = "npm install --ignore-scripts onnxruntime-node@1.30.0";
    expect(started).toEqual({ kind: "missing", reason });
  });

  describe.skipIf(started?.kind !== "started")("where it is installed", () => {
    if (started?.kind !== "started") return;
    const { engine } = started;

    it("promises one precision and values alone", async () => {
      expect(engine.describe()).toMatchObject({ version: "1.30.0", dtypes: [dtype], modes: ["evaluate"] });
      const { graph, point } = question([scalar(2)], [node("exp", {}, 0)]);
      const program = await loaded(engine, graph, dtype);
      expect(await program.vjp(point, [seed(1, scalar(1))])).toMatchObject({ kind: "unsupported" });
      expect(await engine.load(graph, "bfloat16")).toMatchObject({ kind: "unsupported" });
    });

    it("has the values that are known by hand, and those of special numbers", async () => {
      const promised = new Set<string>(engine.describe().operators);
      const fitting = handComputed.filter(({ graph }) => graph.nodes.every(({ op }) => promised.has(op)));
      expect(fitting.length).toBeGreaterThan(10);
      for (const one of fitting) {
        const program = await loaded(engine, one.graph, dtype);
        expect([one.title, resultOf(await program.evaluate(one.point))]).toEqual([one.title, one.values]);
      }
      await expectSpecialNumbers(engine, dtype);
    });

    it("passes smoke, but for what the runtime's optimiser does wrong", { timeout: 120_000 }, async () => {
      const argv = ["node", `${import.meta.dirname}/onnxruntime.ts`] as const;
      const options = dtype === "float64" ? ["--double"] : [];
      const { steps } = await smoke({ argv: [...argv, ...options] });
      const failed = steps.filter(({ outcome }) => outcome.kind === "failed").map((step) => step.name);
      // It writes an operator that it has for float32 alone: microsoft/onnxruntime, issue 32421.
      expect(failed).toEqual(dtype === "float64" ? ["silu float64 evaluate"] : []);
      expect(steps.length).toBeGreaterThan(70);
    });

    it("is told where a number is wrong, and agrees beside it", async () => {
      const asked = (at: number) => {
        const { graph, point } = question([tensor([at])], [node("sigmoid", {}, 0)]);
        const given = { graph, point, tangents: [tensor([1])], seeds: [seed(1, tensor([1]))] };
        return judge(engine, given, { dtype, laws: [], shrinkBudget: 0 });
      };
      // The tail of its sigmoid is cut off: https://github.com/microsoft/onnxruntime/issues/22557.
      expect([(await asked(-40)).kind, (await asked(1)).kind]).toEqual(["disagrees", "agrees"]);
    });
  });
});

it("ends with what to install where the package is missing, and with replies where it is there", async () => {
  const { replies, code } = greet(new URL("onnxruntime.ts", import.meta.url));
  const isThere = (await bundledEngine("onnxruntime")?.start({}))?.kind === "started";
  expect(replies).toMatchObject(isThere ? [{ id: 1, kind: "hello", name: "ONNX Runtime" }] : []);
  expect(code).toBe(isThere ? 0 : 1);
});
