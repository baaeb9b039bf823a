import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Question } from "./answer.ts";
import { Oracle } from "./oracle.ts";
import type { Said } from "./worker.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const answered: Said = { names: [], marks: [] };

/** An oracle whose workers answer when a test says so, with all that happened. */
function slowOracle(): {
  readonly ask: (text: string) => void;
  readonly say: (said: Said | "ready") => void;
  readonly oracle: Oracle;
  readonly happened: string[];
} {
  const happened: string[] = [];
  const hearing: ((said: Said | "ready") => void)[] = [];
  const oracle = new Oracle(
    (hear) => {
      hearing.push(hear);
      happened.push("started");
      return { post: ({ text }) => happened.push(`asked ${text}`), end: () => happened.push("ended") };
    },
    (said) => happened.push("failed" in said ? `failed: ${said.failed}` : "told"),
  );
  const question = (text: string): Question => ({ text, document: 0, dtype: "float64", mode: "vjp" });
  return {
    oracle,
    happened,
    ask: (text) => oracle.ask(question(text)),
    say: (said) => hearing.at(-1)?.(said),
  };
}

test("nothing is asked before the worker is ready, and then one question at a time, the last that came", () => {
  const { ask, say, oracle, happened } = slowOracle();
  for (const text of ["a", "b"]) ask(text);
  expect(happened).toEqual(["started"]);
  say("ready");
  for (const text of ["c", "d"]) ask(text);
  say(answered);
  expect(oracle.isAsked).toBe(true);
  say(answered);
  expect(happened).toEqual(["started", "asked b", "told", "asked d", "told"]);
  expect(oracle.isAsked).toBe(false);
});

test("a worker that does not answer is ended, and the next one is asked what comes", () => {
  const { ask, say, happened } = slowOracle();
  say("ready");
  ask("for ever");
  vi.advanceTimersByTime(9_000);
  expect(happened).toEqual(["started", "asked for ever"]);
  ask("next");
  vi.advanceTimersByTime(2_000);
  say("ready");
  say(answered);
  vi.advanceTimersByTime(60_000);
  expect(happened).toEqual([
    "started",
    "asked for ever",
    "ended",
    "started",
    expect.stringContaining("longer than ten seconds"),
    "asked next",
    "told",
  ]);
});
