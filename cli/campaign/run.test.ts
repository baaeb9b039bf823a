import { createColors } from "picocolors";
import { describe, expect, test } from "vitest";
import { engineTable, type Section } from "../../conformance/report/index.ts";
import type { EngineChoice } from "../../conformance/testees/index.ts";
import { interpreterEngine } from "../../engines/interpreter/index.ts";
import { mix } from "../../oracle/generate/index.ts";
import { standingOf } from "../../oracle/judge/index.ts";
import { exitCodeOf, exitCodes } from "../terminal/exit.ts";
import { graphCampaign } from "./graphs.ts";
import { askEngine, defaultTime, planFor, runCampaign, type Time, timeOf } from "./run.ts";
import { everything } from "./selection.ts";

const choice: EngineChoice = {
  label: "interpreter",
  start: async () => ({ kind: "started", engine: interpreterEngine() }),
};

interface Asking {
  readonly asked: EngineChoice;
  readonly earlier: readonly Section[];
  /** Each look at the clock takes this long. */
  readonly secondsPerLook: number;
  readonly note: (line: string) => void;
  /** The lines of progress are added here. */
  readonly shown: string[];
}

/**
 * Asks the interpreter so many cases, each of which takes so many seconds, and returns the sections that are
 * kept.
 */
async function kept(
  cases: number,
  time: Time,
  secondsPerCase: number,
  { asked = choice, earlier = [], secondsPerLook = 0, note = () => {}, shown = [] }: Partial<Asking> = {},
): Promise<Section[]> {
  const sections: Section[] = [];
  let milliseconds = 0;
  const questions = { profile: mix, seed: 1, cases, lawsEvery: 0, suite: [], selection: everything };
  const run = { adjudge: "", seed: 1, cases, profile: "mix", lawsEvery: 0, shares: [] };
  const telling = { flags: { report: [] }, reports: [], known: [] };
  const campaign = graphCampaign(questions, ["float64"], run, telling, () => {});
  const now = (): number => {
    milliseconds += secondsPerLook * 1000;
    return milliseconds;
  };
  const plan = { ...planFor([asked]), earlier, time, now };
  const progress = (text: string): void => {
    shown.push(text);
    milliseconds += secondsPerCase * 1000;
  };
  const terminal = { palette: createColors(false), columns: 80, out: () => {}, note, progress };
  await askEngine(campaign, asked, plan, terminal, (section) => sections.push(section));
  return sections;
}

async function last(...asked: Parameters<typeof kept>): Promise<Section> {
  const section = (await kept(...asked)).at(-1);
  if (section === undefined) throw new Error("nothing was kept");
  return section;
}

/** Returns the lines of an engine on one. */
function told(section: Section): string {
  return engineTable([section], createColors(false)).join(" ").replaceAll(/\s+/g, " ");
}

describe("runCampaign", () => {
  test("lets go of the thread that hears signals, whatever is thrown, or the process would never end", async () => {
    let overs = 0;
    const hears = { news: () => {}, over: () => void overs++ };
    const palette = createColors(false);
    const terminal = {
      palette,
      columns: 80,
      out: () => {},
      note: () => {},
      progress: () => {},
      atInterrupt: () => hears,
    };
    const questions = { profile: mix, seed: 1, cases: 1, lawsEvery: 0, suite: [], selection: everything };
    const run = { adjudge: "", seed: 1, cases: 1, profile: "mix", lawsEvery: 0, shares: [] };
    const telling = { flags: { report: [] }, reports: [], known: [] };
    const campaign = graphCampaign(questions, ["float64"], run, telling, () => {});
    const faulty: EngineChoice = { label: "faulty", start: () => Promise.reject(new RangeError("planted")) };
    await expect(runCampaign(campaign, planFor([faulty]), terminal)).rejects.toThrow("planted");
    expect(overs).toBe(1);
  });
});

describe("engines that are not installed", () => {
  /** Runs a campaign of engines that are not there, and returns its notes. */
  async function notesOf(...labels: readonly string[]): Promise<string[]> {
    const notes: string[] = [];
    const note = (line: string): void => void notes.push(line);
    const palette = createColors(false);
    const terminal = { palette, columns: 80, out: () => {}, note, progress: () => {} };
    const questions = { profile: mix, seed: 1, cases: 1, lawsEvery: 0, suite: [], selection: everything };
    const run = { adjudge: "", seed: 1, cases: 1, profile: "mix", lawsEvery: 0, shares: [] };
    const telling = { flags: { report: [] }, reports: [], known: [] };
    const campaign = graphCampaign(questions, ["float64"], run, telling, () => {});
    const absent = labels.map(
      (label): EngineChoice => ({
        label,
        start: async () => ({ kind: "missing", reason: `install ${label}` }),
      }),
    );
    await runCampaign(campaign, planFor([...absent, choice]), terminal);
    return notes;
  }

  test("are named in one line, and one alone with what installs it", async () => {
    expect(await notesOf()).toEqual([]);
    expect(await notesOf("jax")).toEqual(["– jax is not installed and was not asked: install jax"]);
    expect(await notesOf("jax", "pytorch", "candle")).toEqual([
      "– missing: jax, pytorch, candle (docs/judging.md)",
    ]);
  });
});

describe("askEngine", () => {
  test("calls an engine by its name while it is asked, however long its command is", async () => {
    const shown: string[] = [];
    const label = `python3 ${"/a/long/path".repeat(20)}/adapter.py`;
    await last(3, timeOf(0), 0, { asked: { ...choice, label }, shown });
    const [starting, ...told] = shown;
    expect(starting).toContain(label);
    expect(told).toEqual(
      [1, 2, 3].map((n) => `adjudge interpreter float64: case ${n} of 3, ${n} agree, 0 disagree`),
    );
  });

  test("takes any number of cases, of which it makes those that it comes to", async () => {
    const section = await last(2 ** 32, timeOf(5), 1);
    expect([section.extent.ended, section.extent.cases]).toEqual(["time", 2 ** 32]);
  });

  test("goes on where an earlier run ended, and comes to what one run comes to", async () => {
    const whole = await last(40, timeOf(0), 1);
    const begun = await last(40, timeOf(15), 1);
    expect(begun.extent.ended).toBe("time");
    expect(begun.tally.counts.agrees).toBeGreaterThan(10);
    const resumed = await last(40, timeOf(0), 1, { earlier: [begun] });
    expect(resumed.tally).toEqual(whole.tally);
    expect(resumed.verdicts).toEqual(whole.verdicts);
    expect(resumed.extent).toMatchObject({ ended: "all", cases: 40 });
    // Another version is asked anew.
    const older = { ...begun, description: { ...begun.description, version: "0" } };
    const again = await kept(40, timeOf(0), 1, { earlier: [older] });
    expect(again[0]?.tally.counts.agrees).toBe(0);
    expect(again.at(-1)?.tally).toEqual(whole.tally);
  });

  test("says that the time was over, and that this is too little", async () => {
    const section = await last(300, timeOf(15), 1);
    expect(section.extent).toMatchObject({ cases: 300, ended: "time" });
    expect(told(section)).toMatch(/the time was over after 1[5-7] of 300 cases, \d+ s !/);
    expect(told(section)).toContain("! too little to mean anything:");
    expect(exitCodeOf([standingOf(section)])).toBe(exitCodes.tooLittle);
  });

  test("ends the truth of a question that takes too long, says so, and asks the next one", async () => {
    const notes: string[] = [];
    const asking = { secondsPerLook: 1, note: (line: string) => void notes.push(line) };
    const { extent, tally } = await last(30, { ...timeOf(0), question: 2 }, 0, asking);
    expect([extent.ended, extent.cases]).toEqual(["all", 30]);
    expect(tally.counts.agrees).toBeGreaterThan(0);
    expect(notes.length).toBeGreaterThan(0);
    expect(tally.counts.undecided).toBeGreaterThanOrEqual(notes.length);
    for (const note of notes)
      expect(note).toMatch(/^\? interpreter float64, case \d+: 2 s were over before the truth was known/);
  });

  test("says nothing of the time where all cases were asked in it", async () => {
    const section = await last(20, timeOf(1_000_000), 1);
    expect(section.extent.ended).toBe("all");
    expect(told(section)).not.toContain("time");
    expect(exitCodeOf([standingOf(section)])).toBe(exitCodes.agrees);
  });

  test("by default goes on with a slow engine until every operator was asked and enough cases were", async () => {
    const section = await last(300, defaultTime, 0.2);
    expect(section.extent.ended).toBe("time");
    expect(section.extent.seconds).toBeGreaterThan(defaultTime.seconds);
    expect(section.extent.operators.size).toBeGreaterThan(100);
    expect(standingOf(section)).toEqual({ kind: "agrees" });
    expect(section.tally.counts.agrees).toBe(100);
  });

  test("by default asks a slow engine that is wrong of every operator, and then no more", async () => {
    const engine = interpreterEngine();
    const load = async () => ({ kind: "error", message: "broken" }) as const;
    const wrong: EngineChoice = {
      label: "wrong",
      start: async () => ({ kind: "started", engine: { ...engine, load } }),
    };
    const section = await last(300, defaultTime, 1, { asked: wrong });
    expect(section.extent.operators.size).toBeGreaterThan(100);
    expect(new Set(section.tally.operators.keys())).toEqual(section.extent.operators);
    expect(section.tally.counts.crashed).toBeLessThan(50);
    expect(standingOf(section)).toEqual({ kind: "crashed" });
  });

  test("by default does not wait for ever", async () => {
    const section = await last(300, defaultTime, 5);
    expect(section.extent.ended).toBe("time");
    expect(section.extent.seconds).toBeLessThan(defaultTime.patience + 15);
    expect(standingOf(section).kind).toBe("too little");
  });

  test("asks the cases that as they come would be asked, whatever the order", async () => {
    const all = await last(60, timeOf(0), 0);
    expect(all.extent.ended).toBe("all");
    expect(Object.values(all.tally.counts).reduce((a, b) => a + b)).toBe(60);
  });

  test("has told what is known whenever it is interrupted", async () => {
    const sections = await kept(6, timeOf(0), 1);
    expect(sections.map(({ extent }) => extent.ended)).toEqual([...Array(7).fill("interrupted"), "all"]);
    const half = sections[3];
    expect(half && told(half)).toContain("interrupted after 3 of 6 cases,");
  });
});
