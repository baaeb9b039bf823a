import { spawnSync } from "node:child_process";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { Worker } from "node:worker_threads";
import { expect, test } from "vitest";
import { countedStages, sizes } from "./counted.test.kit.ts";
import { alone, controlOf, lead } from "./stages.ts";

/** Runs stages with a helper until it has taken something, and returns the words that both count in. */
async function counted(): Promise<readonly number[]> {
  const control = controlOf();
  const words = new Int32Array(new SharedArrayBuffer(4 * 64));
  const helper = new Worker(new URL("./helper.test.script.ts", import.meta.url), {
    workerData: { control, words },
    execArgv: [],
  });
  const stages = countedStages(words, 1);
  for (let n = 0; n < 20 || (Atomics.load(words, 2) < 100 && n < 20_000); n++) {
    Atomics.add(words, 0, 1);
    lead(control, stages, () => {
      Atomics.notify(words, 0);
      // The helper comes before the first stage is open.
      Atomics.wait(control, 1, 0, 0.1);
    });
  }
  await helper.terminate();
  return [...words];
}

test("a helper takes parts, each is computed once, and none before the stage before has ended", async () => {
  const [runs = 0, mine = 0, helped = 0, early, ...parts] = await counted();
  const size = sizes.reduce((sum, one) => sum + one, 0);
  expect(helped).toBeGreaterThan(0);
  expect(mine + helped).toBe(runs * size);
  expect([early, ...parts.slice(0, size)]).toEqual([0, ...Array.from({ length: size }, () => runs)]);
});

test("one thread alone computes all parts", () => {
  const words = new Int32Array(new SharedArrayBuffer(4 * 64));
  words[0] = 1;
  alone(countedStages(words, 1));
  expect([...words].slice(1, 4)).toEqual([40, 0, 0]);
});

test("a run that fails leaves no helper waiting", async () => {
  const control = controlOf();
  const words = new Int32Array(new SharedArrayBuffer(4 * 64));
  const failing = countedStages(words, 1).map((stage, n) =>
    n === 1
      ? {
          ...stage,
          compute: () => {
            throw new Error("no routine");
          },
        }
      : stage,
  );
  const helper = new Worker(new URL("./helper.test.script.ts", import.meta.url), {
    workerData: { control, words },
    execArgv: [],
  });
  Atomics.add(words, 0, 1);
  const call = (): void => void Atomics.notify(words, 0);
  expect(() => lead(control, failing, call)).toThrow("no routine");
  // The helper goes on to the next run, for which it has all the time that it wants.
  for (let n = 0; n < 20_000 && Atomics.load(words, 2) < 100; n++) {
    Atomics.add(words, 0, 1);
    lead(control, countedStages(words, 1), call);
  }
  expect(Atomics.load(words, 2)).toBeGreaterThanOrEqual(100);
  await helper.terminate();
});

test.skipIf(availableParallelism() === 1).each([
  ["with helpers", []],
  ["where Node.js forbids threads", ["--permission", "--allow-fs-read=*"]],
])("%s results have the same bits as without", (_, flags) => {
  const script = join(import.meta.dirname, "team.test.script.ts");
  const { status, stdout, stderr } = spawnSync(process.execPath, [...flags, script], {
    encoding: "utf8",
    timeout: 120_000,
  });
  expect([status, stderr, stdout]).toEqual([0, "", "bit_exact 60 true true\nfast 60 true true\n"]);
});
