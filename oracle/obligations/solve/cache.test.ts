import { appendFile, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
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

/** Makes a solver that counts its questions. */
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
    const path = join(folder, answer.kind, "answers.jsonl");
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
    const answers = await answersIn(join(folder, "none.jsonl"));
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
    const path = join(folder, "undecided", `${answer.kind}.jsonl`);
    const remembering = (await answersIn(path)).solver(solver);
    await remembering.ask(query);
    await remembering.ask(query);
    expect(asked()).toBe(2);
  });

  test("are not looked at by a run that wants everything fresh, but are replaced by it", async () => {
    const path = join(folder, "fresh.jsonl");
    const { solver, asked } = counting(proved);
    const answers = await answersIn(path);
    await answers.solver(solver).ask(query);
    await answers.record(counting(refuted).solver).ask(query);
    expect((await answers.solver(solver).ask(query)).answer).toEqual(refuted);
    expect(asked()).toBe(1);
  });

  test.each<Answer>([
    { kind: "timeout" },
    { kind: "unknown", reason: "why not" },
  ])("are kept where all are, if they were $kind, for that time limit only", async (answer) => {
    const path = join(folder, "all", `${answer.kind}.jsonl`);
    const { solver, asked } = counting(answer);
    const first = await answersIn(path);
    await first.solver(solver, "all").ask(query);
    await first.save();
    const second = await answersIn(path);
    expect((await second.solver(solver, "all").ask(query)).answer).toEqual(answer);
    expect(asked()).toBe(1);
    const longer = { ...query, limits: { ...query.limits, timeout: 9_000 } };
    await second.solver(solver, "all").ask(longer);
    await second.solver(solver).ask(query);
    expect(asked()).toBe(3);
  });

  test("are preferred, if decided, to a time-out of the same limit", async () => {
    const answers = await answersIn(join(folder, "preferred.jsonl"));
    await answers.solver(counting({ kind: "timeout" }).solver, "all").ask(query);
    await answers.record(counting(proved).solver, "all").ask(query);
    const { solver, asked } = counting(refuted);
    expect((await answers.solver(solver, "all").ask(query)).answer).toEqual(proved);
    expect(asked()).toBe(0);
  });

  test("are there after a run that was stopped, but for a line that was cut off", async () => {
    const path = join(folder, "stopped", "answers.jsonl");
    const { solver, asked } = counting(proved);
    await (await answersIn(path)).solver(solver).ask(query);
    await appendFile(path, '["half of a', "utf8");
    const stopped = await answersIn(path);
    await stopped.solver(solver).ask(query);
    await stopped.solver(solver).ask({ ...query, seed: 1 });
    const again = await answersIn(path);
    await again.solver(solver).ask(query);
    await again.solver(solver).ask({ ...query, seed: 1 });
    expect([asked(), again.found()]).toEqual([2, 2]);
  });

  test.each([
    "",
    "{",
    "[]",
    '{"format":"adjudge.answers.v2"}\n["k",{"core":[1],"milliseconds":1}]\n',
  ])("are none in a file that holds %j", async (text) => {
    const path = join(folder, "broken.jsonl");
    await writeFile(path, text);
    const { solver, asked } = counting(proved);
    const answers = await answersIn(path);
    await answers.solver(solver).ask(query);
    expect(asked()).toBe(1);
    await answers.save();
    expect(await readFile(path, "utf8")).toContain('"core":["a"]');
  });
});
