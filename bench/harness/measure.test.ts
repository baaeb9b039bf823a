import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { problemOf, type Workload } from "../workloads/workload.ts";
import { chartOf } from "./chart.ts";
import type { Entrant, Running } from "./entrant.ts";
import { allEntrants } from "./entrants.ts";
import { importTimes } from "./import_time.ts";
import { measure } from "./measure.ts";
import { referenceAnswer } from "./reference_answer.ts";
import { formatSection } from "./report.ts";

const scratch = mkdtempSync(join(tmpdir(), "adjudge-bench-test-"));
afterAll(() => rmSync(scratch, { recursive: true }));

const effort = { rounds: 2, slice: 1 };
const rosenbrock: Workload = { kind: "rosenbrock", n: 10 };

/** Plants an entrant that changes the reference's numbers and always takes a millisecond. */
function planted(name: string, change: (answer: Float64Array) => Float64Array): Entrant {
  const { value, gradient } = referenceAnswer(problemOf(rosenbrock));
  const answer = change(Float64Array.from([value, ...gradient.flatMap((numbers) => [...numbers])]));
  const running: Running = {
    kind: "running",
    preparation: 1,
    round: async () => ({ least: 1e6, median: 1e6 }),
    answer: async () => answer,
    memory: async () => undefined,
    [Symbol.asyncDispose]: async () => {},
  };
  return { name, precision: "float64", style: "planted", module: undefined, start: async () => running };
}

async function kindsOf(entrants: readonly Entrant[], workload = rosenbrock): Promise<Record<string, string>> {
  const outcomes = await measure(workload, "gradient", entrants, effort, scratch, () => {});
  return Object.fromEntries(outcomes.map(({ contestant, kind }) => [contestant, kind]));
}

test("a contestant with a wrong gradient, value or count of numbers is reported as wrong, without a time", async () => {
  const entrants = [
    planted("right", (answer) => answer),
    planted("wrong gradient", (answer) => answer.with(3, (answer[3] ?? 0) * (1 + 1e-3))),
    planted("wrong value", (answer) => answer.with(0, (answer[0] ?? 0) + 1)),
    planted("short", (answer) => answer.slice(0, -1)),
    planted("nothing", (answer) => answer.map(() => Number.NaN)),
  ];
  const outcomes = await measure(rosenbrock, "gradient", entrants, effort, scratch, () => {});
  expect(outcomes.map(({ kind }) => kind)).toEqual(["timed", "wrong", "wrong", "wrong", "wrong"]);
  const section = { workload: "rosenbrock", mode: "gradient", outcomes } as const;
  const lines = formatSection(section).split("\n");
  expect(lines.filter((line) => line.includes("1.00 ms"))).toHaveLength(1);
  expect(lines.filter((line) => line.includes("WRONG"))).toHaveLength(4);
  expect(chartOf([section], () => false)).not.toContain("wrong value");
});

test("the library contestants that can do the workload give the reference's answers, each in its own process", async () => {
  const asked = ["interpreter", "javascript", "rose"];
  const entrants = (await allEntrants(scratch)).filter(({ name }) => asked.includes(name));
  expect(await kindsOf(entrants)).toEqual(Object.fromEntries(asked.map((name) => [name, "timed"])));
});

test("an entrant whose process ends, or that was not written for a workload, is reported and not timed", async () => {
  const [simplegrad] = (await allEntrants(scratch)).filter(({ name }) => name === "simplegrad");
  const failing: Entrant = {
    ...planted("failing", (answer) => answer),
    start: async () => ({ kind: "failed", reason: "it ended" }),
  };
  const entrants = [failing, ...(simplegrad === undefined ? [] : [simplegrad])];
  const workload: Workload = { kind: "kmeans", k: 2, n: 4, d: 2 };
  expect(await kindsOf(entrants, workload)).toEqual({ failing: "failed", simplegrad: "absent" });
});

test("a module that cannot be imported is left out, and the reason is told", () => {
  const told: string[] = [];
  const times = importTimes(["node:fs", "adjudge/none"], 1, (message) => told.push(message));
  expect(times.map(({ module }) => module)).toEqual(["node:fs"]);
  expect(told).toEqual([expect.stringMatching(/^adjudge\/none cannot be imported; .*'\.\/none' is not/)]);
});
