import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { afterAll, expect, test } from "vitest";
import { adjudge } from "../../process/recording.test.kit.ts";
import { openStore } from "./index.ts";
import { joinedSections } from "./outcome.ts";
import { present } from "./store.test.kit.ts";
import { CampaignStore } from "./store.ts";

const folder = mkdtempSync(join(tmpdir(), "adjudge-killed-"));
afterAll(() => rmSync(folder, { recursive: true }));

const path = (file: string): string => fileURLToPath(new URL(file, import.meta.url));

/** Runs a command until it has written so many lines, or the store has so many questions, and kills it. */
function killed(
  argv: readonly string[],
  isTime: (lines: number) => boolean,
  every = 1,
): Promise<"killed" | "done"> {
  const child = spawn(process.execPath, argv, { stdio: ["ignore", "pipe", "ignore"] });
  let lines = 0;
  child.stdout.on("data", (chunk: Buffer) => {
    lines += chunk.toString().split("\n").length - 1;
  });
  const timer = setInterval(() => {
    if (isTime(lines)) child.kill("SIGKILL");
  }, every);
  return new Promise((resolve) =>
    child.on("close", (_code, signal) => {
      clearInterval(timer);
      resolve(signal === "SIGKILL" ? "killed" : "done");
    }),
  );
}

/** Counts the questions in a store that another process writes. */
function questionsIn(file: string): number {
  const store = openStore(file, true);
  if (!store.ok) return 0;
  using open = store.value;
  expect(open.told.checkSums().ok).toBe(true);
  return present(open.told.totals()).reduce((sum, { questions }) => sum + questions, 0);
}

test("50 kills lose nothing that was counted, and have nothing counted twice", {
  timeout: 300_000,
}, async () => {
  const file = join(folder, "50.db");
  let before = 0;
  for (let round = 1; round <= 50; round++) {
    // Kills come at every step of a job, behind some that are counted.
    expect(await killed([path("./killed.test.script.ts"), file], (lines) => lines >= 1 + (round % 5))).toBe(
      "killed",
    );
    const now = questionsIn(file);
    expect(now).toBeGreaterThanOrEqual(before);
    before = now;
  }
  expect(await killed([path("./killed.test.script.ts"), file], () => false)).toBe("done");
  using store = present(CampaignStore.open(file, false, { join: joinedSections }));
  expect(store.told.checkSums().ok).toBe(true);
  const [total] = present(store.told.totals());
  expect([total?.questions, total?.counts.disagrees]).toEqual([5000, 500]);
});

test("a campaign that is killed 5 times ends as one that is not", { timeout: 600_000 }, async () => {
  const script = path("./versioned.test.script.ts");
  const asked = [
    ...["-e", `"${process.execPath}" "${script}" 1.0.0 relu_leaks`, "--jobs", "2", "-n", "150"],
    ...["-d", "float64", "--kind", "graphs", "--kind", "programs"],
  ];
  const words = (file: string): string[] => ["campaign", "run", "--store", file, ...asked];
  const [cut, whole] = [join(folder, "cut.db"), join(folder, "whole.db")];
  for (let round = 1; round <= 5; round++) {
    const end = await killed(
      [path("../../adjudge.ts"), ...words(cut)],
      () => questionsIn(cut) >= 40 * round,
      50,
    );
    expect(end).toBe("killed");
  }
  const [first, second] = [await adjudge(...words(cut)), await adjudge(...words(whole))];
  // How many faults there are may depend on which witnesses were shrunk, and so on what a worker remembers.
  const rows = (text: string): string[] => text.split("\n").slice(0, -1).toSorted();
  expect(rows(first.out)).toEqual(rows(second.out));
  expect(first.out).toMatch(/^300 questions, /m);
});
