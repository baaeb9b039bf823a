import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createColors } from "picocolors";
import { afterAll, describe, expect, test } from "vitest";
import { estimating } from "../../engines/forward_gradient/index.ts";
import { estimateMutants, tapeEngineMutants } from "../../engines/index.ts";
import { interpreterEngine } from "../../engines/interpreter/index.ts";
import { mutants } from "../../engines/mutants/index.ts";
import { mix } from "../../oracle/generate/index.ts";
import { executingEngine } from "../../oracle/programs/executing_engine.test.kit.ts";
import { plantedMachines } from "../../oracle/programs/machines.test.data.ts";
import type { Engine, LoadedGraph, Reply } from "../../spec/contract/index.ts";
import { validateReport } from "../../spec/documents/index.ts";
import { present } from "../../spec/shapes/index.ts";
import { programCaseText } from "../../spec/text/index.ts";
import type { EstimateLaw, ReportJson } from "../../spec/wire/index.ts";
import { adjudge } from "../process/recording.test.kit.ts";
import { type ExitCode, exitCodes } from "../terminal/exit.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { estimateCampaign } from "./estimates.ts";
import { graphCampaign } from "./graphs.ts";
import type { Campaign, WithVerdict } from "./kind.ts";
import { questionKinds } from "./kinds.ts";
import { programCampaign } from "./programs.ts";
import { planFor, runCampaign, type Time, timeOf } from "./run.ts";
import { everything } from "./selection.ts";

/** A run of one engine wrote this and ended with this exit code. */
interface Run {
  readonly code: ExitCode;
  readonly out: string;
}

/** Asks an engine by the one driver; each question takes so many seconds. */
type Ask = (engine: Engine, cases: number, time?: Time, secondsPerCase?: number) => Promise<Run>;

function asking<Tally, Verdict extends { readonly kind: string }, J extends WithVerdict<Verdict>>(
  campaignOf: (cases: number) => Campaign<Tally, Verdict, J>,
): Ask {
  return async (engine, cases, time = timeOf(0), secondsPerCase = 0) => {
    const out: string[] = [];
    let milliseconds = 0;
    const terminal: Terminal = {
      palette: createColors(false),
      columns: 80,
      out: (line) => out.push(line),
      note: (line) => out.push(line),
      progress: () => {
        milliseconds += 1000 * secondsPerCase;
      },
    };
    const choice = { label: "asked", start: async () => ({ kind: "started", engine }) as const };
    const plan = { ...planFor([choice]), time, now: () => milliseconds };
    return { code: await runCampaign(campaignOf(cases), plan, terminal), out: out.join("\n") };
  };
}

/** Returns the campaign of a run whose report is of graphs, or of tapes. */
function graphLike(cases: number, kind: { readonly kind?: "tapes" }) {
  const drawn = { ...kind, seed: 1, cases, lawsEvery: 0 };
  const questions = { ...drawn, profile: mix, suite: [], selection: everything };
  const run = { ...drawn, adjudge: "", profile: "mix", shares: [] };
  return graphCampaign(
    questions,
    ["float64"],
    run,
    { flags: { report: [] }, reports: [], known: [] },
    () => {},
  );
}

const drawn = { seed: 1, first: 0, without: [] };
const machine = present(Object.values(plantedMachines)[0], "a planted machine");
const wrongEstimates = present(
  estimateMutants.find(({ isShownByGiven }) => isShownByGiven),
  "a mutant of estimates",
).parts;

/** Each kind of question has a way to ask it, an engine that is wrong, and enough cases to show that. */
const kinds: Readonly<
  Record<
    (typeof questionKinds)[number],
    { readonly ask: Ask; readonly wrong: Engine; readonly cases: number }
  >
> = {
  graphs: {
    cases: 12,
    ask: asking((cases) => graphLike(cases, {})),
    wrong: present(
      mutants.find(({ name }) => name === "fan_out_overwritten"),
      "a mutant",
    ).engine(),
  },
  tapes: {
    cases: 16,
    ask: asking((cases) => graphLike(cases, { kind: "tapes" })),
    wrong: present(
      tapeEngineMutants.find(({ name }) => name === "answers_from_memory"),
      "a mutant of tapes",
    ).engine(),
  },
  programs: {
    cases: 12,
    ask: asking((programs) =>
      programCampaign([], { ...drawn, programs, report: [] }, ["float64"], programCaseText),
    ),
    wrong: executingEngine({ machine }),
  },
  "forward-gradients": {
    cases: 4,
    ask: asking((cases) =>
      estimateCampaign({ given: [], profile: mix, seed: 1, cases, samples: 64 }, ["float64"]),
    ),
    wrong: estimating(interpreterEngine(), wrongEstimates),
  },
};

describe.each(questionKinds)("questions of the kind %s", (kind) => {
  const { ask, wrong, cases } = kinds[kind];

  test("find no fault in an engine that is right", async () => {
    const { code, out } = await ask(interpreterEngine(), cases);
    expect([code, out]).toEqual([exitCodes.agrees, expect.stringContaining("✓")]);
  });

  test("find a planted fault, and show a question that shows it", async () => {
    const { code, out } = await ask(wrong, cases);
    expect(code).toBe(exitCodes.disagrees);
    expect(out).toMatch(/^error\[[a-z-]+\]: .*float64|✗ .*float64, (?:case|program) \d+/m);
  });

  test("are asked no longer than the time allows", async () => {
    const { code, out } = await ask(interpreterEngine(), 300, timeOf(2), 1);
    expect(code).toBe(exitCodes.tooLittle);
    expect(out.replaceAll(/\s+/g, " ")).toMatch(/the time was over after [2-4] of 300 /);
  });
});

/** Returns the interpreter with other answers along directions of some laws. */
function declining(
  laws: readonly EstimateLaw[],
  reply: Exclude<Reply<never>, { readonly kind: "result" }>,
): Engine {
  const engine = interpreterEngine();
  return {
    ...engine,
    async load(graph, dtype) {
      const loaded = await engine.load(graph, dtype);
      const { forwardGradient } = loaded.kind === "result" ? loaded.value : {};
      if (loaded.kind !== "result" || forwardGradient === undefined) return loaded;
      const value: LoadedGraph = {
        ...loaded.value,
        forwardGradient: async (point, seeds, along) =>
          laws.includes(along.law) ? reply : forwardGradient(point, seeds, along),
      };
      return { kind: "result", value };
    },
  };
}

test.each([
  ["crash", exitCodes.undecided, { kind: "crashed", message: "gone" }],
  ["are answered with errors", exitCodes.undecided, { kind: "error", message: "not now" }],
  ["are declined", exitCodes.tooLittle, { kind: "unsupported", reason: "not now" }],
] as const)("an engine is not green whose promised laws %s, though others agree", async (_, code, reply) => {
  const { ask } = kinds["forward-gradients"];
  const some = await ask(declining(["rademacher", "gaussian"], reply), 2);
  expect([some.code, some.out]).not.toContain("✓ adjudge");
  expect(some.code).toBe(code);
  expect((await ask(declining(["gaussian"], reply), 2)).code).toBe(code);
  expect(some.out).toContain("promised, and never answered: gaussian, rademacher");
});

describe("judge --kind", () => {
  const folder = mkdtemp(join(tmpdir(), "adjudge-kinds-"));
  afterAll(async () => rm(await folder, { recursive: true }));

  test("prints of programs what programs prints", async () => {
    const drawn = ["--seed", "3", "-n", "6", "--first", "2", "--without", "checkpoint", "--actions", "4"];
    const asked = ["-e", "interpreter", ...drawn];
    const named = await adjudge("programs", ...asked);
    expect(named.out).toContain("agrees");
    expect(await adjudge("judge", "--kind", "programs", ...asked)).toEqual(named);
  });

  test("reports random scripts for tapes such that they can be replayed and resumed", async () => {
    const path = join(await folder, "tapes.json");
    const asked = ["--kind", "tapes", "-e", "interpreter", "--dtype", "float64", "-n", "8", "--seconds", "0"];
    expect((await adjudge("judge", ...asked, "--report", path)).code).toBe(exitCodes.agrees);
    const report: ReportJson = JSON.parse(await readFile(path, "utf8"));
    expect(validateReport(report)).toMatchObject({ ok: true, value: { kind: "tapes" } });
    expect((await adjudge("judge", ...asked, "--resume", path)).code).toBe(exitCodes.agrees);
    const otherwise = await adjudge("judge", ...asked.slice(2), "--resume", path);
    expect([otherwise.code, otherwise.notes]).toEqual([exitCodes.badInput, expect.stringContaining("/kind")]);
    const replayed = await adjudge("replay", "--kind", "tapes", "--case", "3", "-e", "interpreter");
    expect([replayed.code, replayed.out]).toEqual([0, expect.stringMatching(/^ +record t0 of g\d/m)]);
  });

  test.each([
    ["programs", "--operator", "exp"],
    ["programs", "--html", "found.html"],
    ["tapes", "--laws-every", "2"],
    ["graphs", "--first", "3"],
    ["forward-gradients", "--jobs", "2"],
  ])("refuses for %s what is not for them: %s", async (kind, ...option) => {
    const { code, notes } = await adjudge("judge", "--kind", kind, ...option);
    expect([code, notes]).toEqual([
      exitCodes.badInput,
      expect.stringContaining(`${option[0]} is not for ${kind}`),
    ]);
  });

  test("asks of files the questions of the kind alone, and refuses files that have none", async () => {
    const suite = new URL("../../conformance/suites/structures.adj", import.meta.url).pathname;
    const { code, notes } = await adjudge("judge", suite, "--kind", "tapes", "-e", "interpreter");
    expect([code, notes]).toEqual([exitCodes.badInput, expect.stringContaining("suite/kind")]);
  });
});
