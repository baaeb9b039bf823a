import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import type { Answer } from "../obligation.ts";
import { largerIsAbove, stepStays } from "../obligations.test.kit.ts";
import { goalScript } from "../script.ts";
import { answersIn } from "./cache.ts";
import type { Query, Solver } from "./solver.ts";

const folder = await mkdtemp(join(tmpdir(), "adjudge-answers-"));
afterAll(() => rm(folder, { recursive: true }));

/** A solver that counts what it is asked. */
function counting(
  answer: Answer,
  name = "counting",
): { readonly solver: Solver; readonly asked: () => number } {
  const asked: Query[] = [];
  const solver: Solver = {
    name,
    ask: async (query) => {
      asked.push(query);
      return { answer, milliseconds: 5, spent: 7 };
    },
    [Symbol.asyncDispose]: async () => {},
  };
  return { solver, asked: () => asked.length };
}

const query: Query = {
  script: goalScript(largerIsAbove),
  limits: { rlimit: 1_000, timeout: 1_000 },
  seed: 0,
};
const proved: Answer = { kind: "proved", core: ["a"] };
const refuted: Answer = { kind: "refuted", model: new Map([["x", "(- 1)"]]) };

describe("answers of earlier runs", () => {
  test.each([proved, refuted])("are as they were: $kind", async (answer) => {
    const path = join(folder, answer.kind, "answers.json");
    const { solver, asked } = counting(answer);
    const first = await answersIn(path);
    const reply = await first.solver(solver).ask(query);
    await first.save();
    const second = await answersIn(path);
    expect(await second.solver(solver).ask(query)).toEqual(reply);
    expect([asked(), first.found(), second.found()]).toEqual([1, 0, 1]);
  });

  test("are no answers to another text, budget, seed or solver", async () => {
    const { solver, asked } = counting(proved);
    const other = counting(proved, "other");
    const answers = await answersIn(join(folder, "none.json"));
    const remembering = answers.solver(solver);
    await remembering.ask(query);
    await remembering.ask({ ...query, script: goalScript(stepStays) });
    await remembering.ask({ ...query, limits: { ...query.limits, rlimit: 2_000 } });
    await remembering.ask({ ...query, seed: 1 });
    await remembering.ask(query);
    await answers.solver(other.solver).ask(query);
    expect([asked(), other.asked()]).toEqual([4, 1]);
  });

  test.each<Answer>([
    { kind: "timeout" },
    { kind: "unknown", reason: "" },
    { kind: "resource" },
    { kind: "crashed", message: "" },
  ])("are asked again if they were $kind", async (answer) => {
    const { solver, asked } = counting(answer);
    const remembering = (await answersIn(join(folder, "none.json"))).solver(solver);
    await remembering.ask(query);
    await remembering.ask(query);
    expect(asked()).toBe(2);
  });

  test("are not looked at by a run that wants everything fresh, but are replaced by it", async () => {
    const path = join(folder, "fresh.json");
    const { solver, asked } = counting(proved);
    const answers = await answersIn(path);
    await answers.solver(solver).ask(query);
    await answers.record(counting(refuted).solver).ask(query);
    expect((await answers.solver(solver).ask(query)).answer).toEqual(refuted);
    expect(asked()).toBe(1);
  });

  test.each([
    "",
    "{",
    "[]",
    '{"format":"adjudge.answers.v1","entries":[["k",{"core":[1],"milliseconds":1}]]}',
  ])("are none in a file that holds %j", async (text) => {
    const path = join(folder, "broken.json");
    await writeFile(path, text);
    const { solver, asked } = counting(proved);
    const answers = await answersIn(path);
    await answers.solver(solver).ask(query);
    expect(asked()).toBe(1);
    await answers.save();
    expect(await readFile(path, "utf8")).toContain('"core":["a"]');
  });
});
