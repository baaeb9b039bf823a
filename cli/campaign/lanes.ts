import { spawn } from "node:child_process";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { tieToOurLife } from "../../spec/lifeline.ts";
import { counted, fail, type Issue, ok, type Result } from "../../spec/shapes/index.ts";
import type { ReportJson } from "../../spec/wire/index.ts";
import { temporaryFolder } from "../files/files.ts";
import { type ExitCode, exitCodes } from "../terminal/exit.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { readReport } from "./report_files.ts";

/** The parts of a run led to this. */
export interface Lanes {
  readonly reports: readonly ReportJson[];
  /** If true, some engine could not be started. */
  readonly isBroken: boolean;
  /** This signal, if any, ended the parts, which told what they knew. */
  readonly signal: NodeJS.Signals | undefined;
}

/** The parts are interrupted by these. */
const signals = ["SIGINT", "SIGTERM"] as const;

interface Lane {
  readonly code: number | NodeJS.Signals;
  readonly notes: string;
  readonly report: Result<ReportJson, Issue[]>;
}

/**
 * Runs `adjudge judge` in `count` processes, each with a part of the cases. They end with this process; on
 * a signal they tell what they know. Fails: `file/unwritable`; `jobs/failed`, with what the first that failed
 * said.
 */
export async function inLanes(
  words: readonly string[],
  count: number,
  terminal: Terminal,
): Promise<Result<Lanes, Issue[]>> {
  const made = await temporaryFolder("adjudge-jobs-");
  if (!made.ok) return made;
  const folder = made.value;
  const interruption = new AbortController();
  let signal: NodeJS.Signals | undefined;
  const onInterrupt = (heard: NodeJS.Signals): void => {
    signal ??= heard;
    interruption.abort();
  };
  for (const one of signals) process.once(one, onInterrupt);
  try {
    let done = 0;
    const lanes = await Promise.all(
      Array.from({ length: count }, async (_, index) => {
        const path = join(folder, `${index + 1}.json`);
        const part = ["--shard", `${index + 1}/${count}`, "--report", path];
        const ended = await runLane([...words, ...part], interruption.signal);
        done += 1;
        terminal.progress(`${done} of ${counted(count, "part")} are done`);
        return { ...ended, report: await readReport(path) };
      }),
    );
    return gathered(lanes, signal, terminal);
  } finally {
    for (const one of signals) process.off(one, onInterrupt);
    await rm(folder, { recursive: true, force: true });
  }
}

function runLane(words: readonly string[], interruption: AbortSignal): Promise<Omit<Lane, "report">> {
  const { promise, resolve } = Promise.withResolvers<Omit<Lane, "report">>();
  const end = import.meta.url.endsWith(".ts") ? "ts" : "js";
  const command = fileURLToPath(new URL(`../adjudge.${end}`, import.meta.url));
  const child = spawn(process.execPath, [...process.execArgv, command, ...words], {
    detached: true,
    stdio: ["ignore", "ignore", "pipe"],
  });
  const untie = tieToOurLife(child.pid);
  const notes: Buffer[] = [];
  child.stderr.on("data", (chunk: Buffer) => notes.push(chunk));
  interruption.addEventListener("abort", () => child.kill("SIGINT"));
  const over = (code: Lane["code"]): void => {
    untie();
    resolve({ code, notes: Buffer.concat(notes).toString("utf8").trim() });
  };
  child.on("error", () => over(exitCodes.internal));
  child.on("close", (code, signal) => over(code ?? signal ?? exitCodes.internal));
  return promise;
}

/** The first part's notes stand for all, since which engines start does not depend on the cases. */
function gathered(
  lanes: readonly Lane[],
  signal: NodeJS.Signals | undefined,
  terminal: Terminal,
): Result<Lanes, Issue[]> {
  const [first] = lanes;
  if (first !== undefined && first.notes !== "")
    for (const line of first.notes.split("\n")) terminal.note(line);
  const reports: ReportJson[] = [];
  for (const [place, { report, code, notes }] of lanes.entries()) {
    if (report.ok) reports.push(report.value);
    else return fail([failed(place, lanes.length, code, notes)]);
  }
  const broken: ExitCode = exitCodes.undecided;
  const isBroken = lanes.some(
    ({ code, report }) =>
      code === broken && report.ok && report.value.engines.every(({ outcome }) => !isUndecided(outcome)),
  );
  return ok({ reports, isBroken, signal });
}

function isUndecided(outcome: ReportJson["engines"][number]["outcome"]): boolean {
  return outcome === "crashed" || outcome === "undecided";
}

function failed(place: number, count: number, code: Lane["code"], notes: string): Issue {
  return {
    code: "jobs/failed",
    pointer: "",
    message: `part ${place + 1} of ${count} ended with ${code} and left no report.`,
    hint: notes === "" ? "run it without --jobs to see what it says" : notes.split("\n").slice(-3).join(" "),
  };
}
