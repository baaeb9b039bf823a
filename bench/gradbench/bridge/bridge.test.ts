import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { afterAll, describe, expect, test } from "vitest";
import { interpreterEngine } from "../../../engines/index.ts";
import { present } from "../../../spec/index.ts";
import { numpyUniform } from "../points.ts";
import { answerTo, type Message, messageIn } from "./answer.ts";
import { askTool, cotangentsOf } from "./ask.ts";
import { modules, numbersOf } from "./modules.ts";

const folder = mkdtempSync(join(tmpdir(), "adjudge-gradbench-"));
afterAll(() => rmSync(folder, { recursive: true }));

const named = (name: string) =>
  present(
    modules.find((one) => one.name === name),
    name,
  );
const drawing = () => {
  const numbers = numpyUniform(3, 0, 1_000).values();
  return (): number => 2 * (numbers.next().value ?? 0) - 1;
};

/** Writes a tool that answers `evaluate` with what an expression makes of the input `x`. */
function toolOf(name: string, expression: string): readonly [string, string] {
  const file = join(folder, `${name}.mjs`);
  writeFileSync(
    file,
    `import { createInterface } from "node:readline";
for await (const line of createInterface({ input: process.stdin })) {
  const { id, kind, module, input } = JSON.parse(line);
  const answer = () => { const { x } = input; return ${expression}; };
  const reply = kind === "define" ? { success: module === "lse" } : kind === "evaluate" ? answer() : {};
  console.log(JSON.stringify({ id, ...reply }));
}
`,
  );
  return [process.execPath, file];
}

const softmax =
  "x.map((y) => { const m = Math.max(...x); const e = (z) => Math.exp(z - m); return e(y) / x.reduce((s, z) => s + e(z), 0); })";

describe("a tool of GradBench that is asked", () => {
  test("is within where its gradients are right", async () => {
    const tool = toolOf("right", `({ success: true, output: ${softmax} })`);
    const asked = await askTool(tool, named("lse"), 10, drawing());
    expect(asked).toEqual({ module: "lse", points: 10, within: 50, undecided: 0, outside: [] });
  });

  test("is outside where they are off by a millionth, which GradBench's rule accepts", async () => {
    const tool = toolOf("wrong", `({ success: true, output: ${softmax}.map((y) => y * (1 + 1e-6)) })`);
    const { within, outside } = await askTool(tool, named("lse"), 10, drawing());
    expect([within, outside.length]).toEqual([0, 50]);
  });

  test("is told to lack what it does not define, or has no success with", async () => {
    const tool = toolOf("failing", `({ success: false, error: "no luck" })`);
    expect(await askTool(tool, named("det"), 1, drawing())).toMatchObject({
      missing: "it has none",
      points: 0,
    });
    expect(await askTool(tool, named("lse"), 1, drawing())).toMatchObject({ missing: "no luck", points: 0 });
  });

  test("is told what is outside before it has no success", async () => {
    const tool = toolOf("tiring", `({ success: id < 4, output: x, error: "no more" })`);
    const { missing, points, outside } = await askTool(tool, named("lse"), 10, drawing());
    expect([missing, points, outside.length]).toEqual(["no more", 2, 10]);
  });

  test.each([
    ["short", "({ success: true, output: [1] })", /1 numbers, and the gradient has 5/],
    ["texts", `({ success: true, output: ["1"] })`, /no number/],
    ["silent", "process.exit(0)", /the tool ended/],
    ["mixed", "({ id: 77 })", /no response to 2/],
  ])("ends the asking where it breaks the protocol: %s", async (name, expression, message) => {
    await expect(askTool(toolOf(name, expression), named("lse"), 1, drawing())).rejects.toThrow(message);
  });

  test("may be our own, by an engine that is named", async () => {
    const tool = [process.execPath, join(import.meta.dirname, "tool.ts"), "interpreter"] as const;
    const { within, outside } = await askTool([...tool], named("ode"), 2, drawing());
    expect([within, outside]).toEqual([8, []]);
  });
});

describe("adjudge as a tool of GradBench", () => {
  const engine = interpreterEngine();
  const asked = (message: object) => answerTo(messageIn(JSON.stringify({ id: 7, ...message })), engine);
  const evaluate = { kind: "evaluate", module: "lse", function: "gradient" };

  test("is right in every module", async () => {
    for (const module of modules) {
      const input = module.input(drawing());
      const answer = await asked({ ...evaluate, module: module.name, input });
      const { output } = { output: undefined, ...answer };
      const truths = cotangentsOf(module, input);
      const judged = truths.map((truth, place) =>
        truth.judge(numbersOf({ output }, "output")[place] ?? Number.NaN),
      );
      expect([module.name, judged]).toEqual([module.name, truths.map(() => "within")]);
    }
  });

  test("answers each kind of message with its id", async () => {
    expect(await asked({ kind: "start", eval: "lse" })).toEqual({
      id: 7,
      tool: expect.stringContaining("adjudge"),
    });
    expect(await asked({ kind: "define", module: "lse" })).toEqual({ id: 7, success: true });
    expect(await asked({ kind: "define", module: "ba" })).toMatchObject({ id: 7, success: false });
    expect(await asked({ kind: "analysis", of: 1, valid: true })).toEqual({ id: 7 });
  });

  test("computes values and gradients, as often as it is asked to", async () => {
    const input = { x: [0, 0], min_runs: 3, min_seconds: 0 };
    expect(await asked({ ...evaluate, input })).toMatchObject({ success: true, output: [0.5, 0.5] });
    const { timings } = { timings: [], ...(await asked({ ...evaluate, input })) };
    expect(timings).toHaveLength(3);
    expect(await asked({ ...evaluate, function: "primal", input })).toMatchObject({ output: Math.log(2) });
    const ode = { kind: "evaluate", module: "ode", function: "primal", input: { x: [1, 1], s: 2 } };
    expect(await asked(ode)).toMatchObject({ success: true, output: [2, expect.closeTo(2)] });
  });

  test.each<[string, object, RegExp]>([
    ["a list of texts", { input: { x: ["1"] } }, /no number/],
    ["no input", {}, /must be an object/],
    ["another function", { function: "hessian", input: { x: [1] } }, /no function hessian/],
    ["a size that does not fit", { module: "det", input: { A: [1, 2], ell: 2 } }, /2 numbers for 4/],
    ["a size that no machine has", { module: "ode", input: { x: [1], s: 1e9 } }, /from 1 to 10000/],
  ])("has no success with %s, and says why", async (_, wrong, message) => {
    const reply: Message | object = await asked({ ...evaluate, ...wrong });
    expect(reply).toMatchObject({ id: 7, success: false, error: expect.stringMatching(message) });
  });

  test("takes no line that is no message", () => {
    expect(() => messageIn("[]")).toThrow("no message of GradBench");
    expect(() => messageIn('{"id":"1","kind":"start"}')).toThrow("numeric id");
  });
});
