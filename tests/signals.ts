/**
 * `node tests/signals.ts [command...]` sends each signal to every command at its start, in synchronous work,
 * and while it waits for others. The command and all that it started must be gone within a second; on SIGINT
 * and SIGTERM `judge` and `programs` write their reports. A late one is tried again, alone, since the
 * processor may have been busy: a fault is late each time. A command that ignores its signal is ended after
 * {@link PATIENCE}.
 */
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";

import { processorSeconds } from "../cli/process/processor_seconds.test.kit.ts";

const signals = ["SIGINT", "SIGTERM", "SIGQUIT", "SIGHUP"] as const;
/** On these `judge` and `programs` write their reports. */
const telling: readonly Signal[] = ["SIGINT", "SIGTERM"];

type Signal = (typeof signals)[number] | "SIGKILL";
type Moment = "at the start" | "in synchronous work" | "while it waits";

/** Milliseconds within which a command is gone, and all that it started. */
const LATE = 1_000;

/** A late trial is repeated so often, with nothing beside it. */
const MORE_TRIES = 3;

/** Milliseconds; whatever ends needs far less, and the work that is interrupted takes far more. */
const PATIENCE = 5_000;

/** After so many processor seconds a command has loaded everything, and is not near the end of its work. */
const BUSY_SECONDS = 0.7;

const root = fileURLToPath(new URL("..", import.meta.url));
const folder = await mkdtemp(join(tmpdir(), "adjudge-signals-"));

interface Work {
  readonly argv: readonly string[];
  /** The file in which the process that is asked writes that it is. */
  readonly asked?: string;
  /** The report that these signals have it write. */
  readonly report?: string;
}

/** Each command is given this work for each moment at which it is interrupted. */
const works: Readonly<Record<string, Readonly<Partial<Record<Moment, (key: string) => Work>>>>> = {
  run: {
    "in synchronous work": () => ({ argv: ["run", large(), ...noLimits, "-i", "x=1"] }),
    "while it waits": input,
  },
  check: {
    "in synchronous work": () => ({ argv: ["check", ...Array(60).fill(crowded())] }),
    "while it waits": input,
  },
  show: { "in synchronous work": () => ({ argv: ["show", "--expand", crowded()] }), "while it waits": input },
  judge: {
    "in synchronous work": (key) => {
      const report = join(folder, `${key.replaceAll(" ", "-")}.json`);
      const asked = ["-e", "interpreter", "--seconds", "0", "--report", report];
      return { argv: ["judge", largeCase(), ...asked, ...noLimits], report };
    },
    "while it waits": (key) => asking(key, (engine) => ["judge", "-e", engine, "-n", "3"]),
  },
  replay: {
    "in synchronous work": () => ({ argv: ["replay", largeCase(), "-e", "interpreter", ...noLimits] }),
    "while it waits": (key) => asking(key, (engine) => ["replay", "-e", engine, "--case", "1"]),
  },
  programs: {
    "in synchronous work": (key) => {
      const report = join(folder, `${key.replaceAll(" ", "-")}.json`);
      return { argv: ["programs", "-e", "interpreter", "-n", "1000000", "--report", report], report };
    },
    "while it waits": (key) => asking(key, (engine) => ["programs", "-e", engine, "-n", "3"]),
  },
  "campaign run": {
    "in synchronous work": (key) => ({ argv: ["campaign", "run", "-e", "interpreter", ...storeOf(key)] }),
    "while it waits": (key) =>
      asking(key, (engine) => ["campaign", "run", "-e", engine, "--jobs", "1", ...storeOf(key)]),
  },
  derive: { "in synchronous work": () => ({ argv: ["derive", crowded(), "--mode", "vjp", "--order", "3"] }) },
  lifetimes: { "while it waits": input },
  record: { "while it waits": input },
  smoke: { "while it waits": (key) => asking(key, (engine) => ["smoke", engine]) },
  prove: {
    "in synchronous work": () => ({ argv: ["prove", "--fresh", "--lanes", "1", "--tier", "all"] }),
  },
  "lean export": {
    "in synchronous work": () => ({ argv: ["lean", "export", trace()] }),
    "while it waits": input,
  },
  "lean check": { "while it waits": input },
  import: { "while it waits": input },
  "lean suite": { "in synchronous work": () => ({ argv: ["lean", "suite", "--campaign", "50"] }) },
};

const noLimits = ["--max-elements", "1000000000", "--max-work", "100000000000"];

/** Every trial of a campaign has a store of its own. */
const storeOf = (key: string): string[] => ["--store", join(folder, `${key.replaceAll(" ", "-")}.db`)];

const chain = (nodes: readonly unknown[]): unknown => ({
  format: "adjudge.graph.v1",
  inputs: [{ name: "x", shape: [] }],
  environment: [],
  nodes,
});

/** Writes half a minute of sums and more. */
function large(): string {
  const twice = Array.from({ length: 400 }, (_, i) => ({ op: "sin", attributes: {}, parents: [i + 1] }));
  const wide = { op: "broadcast_to", attributes: { shape: [2 ** 17] }, parents: [0] };
  const sum = { op: "sum", attributes: { axes: [0], keepdims: false }, parents: [401] };
  return written("large.json", chain([wide, ...twice, sum]));
}

function largeCase(): string {
  const one = { shape: [], data: [1] };
  const graph: unknown = JSON.parse(readFileSync(large(), "utf8"));
  const point = { inputs: [one], environment: {} };
  const seeds = [{ id: 402, cotangent: one }];
  return written("case.json", { format: "adjudge.case.v1", graph, point, tangents: [one], seeds });
}

/** Returns a graph that stands for as many primitives as a graph may. */
function crowded(): string {
  const sort = { op: "sort", attributes: { axis: 0, descending: false }, parents: [0] };
  return written("crowded.json", {
    format: "adjudge.graph.v1",
    inputs: [{ name: "x", shape: [1000] }],
    environment: [],
    nodes: Array.from({ length: 23 }, () => sort),
  });
}

/** Returns the trace of a long chain. */
function trace(): string {
  const count = 60_000;
  const nodes = Array.from({ length: count }, (_, i) => ({ op: "negative", attributes: {}, parents: [i] }));
  const number = { shape: [], data: ["1"] };
  const numbers = Array.from({ length: count + 1 }, () => number);
  const point = { inputs: [number], environment: {} };
  const seeds = [{ id: count, cotangent: number }];
  return written("trace.json", {
    format: "adjudge.trace.v1",
    algebra: "integer",
    form: "dense",
    graph: chain(nodes),
    point,
    seeds,
    values: numbers,
    cotangents: numbers,
  });
}

function written(name: string, document: unknown): string {
  const path = join(folder, name);
  if (!existsSync(path)) writeFileSync(path, JSON.stringify(document));
  return path;
}

/** A command whose engine never answers, and has a child. */
function asking(key: string, argv: (engine: string) => string[]): Work {
  const file = join(folder, `${key.replaceAll(" ", "-")}.pids`);
  const script = join(root, "cli", "process", "testee.test.script.ts");
  return { argv: argv(`"${process.execPath}" "${script}" hang "${file}"`), asked: file };
}

/** Returns a command that waits for its standard input. */
function input(key: string): Work {
  return { argv: [...(key.split(":")[0] ?? "").split(" "), "-"] };
}

/** Returns the processes that stand below one, and that have not merely to be reaped. */
function below(pid: number): Promise<number[]> {
  return new Promise((resolve) =>
    execFile("ps", ["-e", "-o", "pid=,ppid=,stat="], (_error, stdout) => {
      const rows = stdout.split("\n").map((line) => line.trim().split(/\s+/));
      const found = new Set([pid]);
      for (let size = 0; size < found.size; ) {
        size = found.size;
        for (const [own, parent] of rows) if (found.has(Number(parent))) found.add(Number(own));
      }
      found.delete(pid);
      resolve(
        [...found].filter((one) =>
          rows.some(([own, , stat = "Z"]) => Number(own) === one && stat[0] !== "Z"),
        ),
      );
    }),
  );
}

async function living(pids: readonly number[]): Promise<number[]> {
  if (pids.length === 0) return [];
  const stdout = await new Promise<string>((resolve) =>
    execFile("ps", ["-o", "pid=,stat=", "-p", pids.join(",")], (_error, text) => resolve(text)),
  );
  const rows = stdout.split("\n").map((line) => line.trim().split(/\s+/));
  return rows.filter(([pid, stat = "Z"]) => pid !== "" && stat[0] !== "Z").map(([pid]) => Number(pid));
}

/** Waits until a command is where it is to be interrupted; or says why it will never be. */
async function reach(moment: Moment, child: ChildProcess, work: Work): Promise<string | undefined> {
  if (moment === "at the start") {
    await setTimeout(60);
    return undefined;
  }
  for (let waited = 0; waited < 12 * PATIENCE; waited += 20) {
    if (child.exitCode !== null || child.signalCode !== null)
      return `it ended with ${child.exitCode ?? child.signalCode} before it was told to`;
    await setTimeout(20);
    if (work.asked !== undefined) {
      if (existsSync(work.asked) && readFileSync(work.asked, "utf8") !== "") return undefined;
    } else if (moment === "while it waits") {
      // It has read its modules, and does nothing any more.
      const before = processorSeconds(child.pid ?? 0);
      await setTimeout(300);
      if (before > 0.15 && processorSeconds(child.pid ?? 0) - before < 0.02) return undefined;
    } else if (
      Number.isNaN(processorSeconds(child.pid ?? 0))
        ? waited > 2000
        : // What has a report to write begins to listen after all is loaded, which takes two of these on a busy processor.
          processorSeconds(child.pid ?? 0) > (work.report === undefined ? 1 : 4) * BUSY_SECONDS
    )
      return undefined;
  }
  return "it never got there";
}

/** A command ended so: with a fault or none, after so many milliseconds for all its processes. */
interface Ending {
  readonly fault: string | undefined;
  readonly milliseconds: number;
}

/** Interrupts a command once. */
async function interrupted({ command, signal, moment }: Trial): Promise<Ending> {
  const key = `${command}:${signal}:${moment}`;
  const make =
    works[command]?.[moment] ?? works[command]?.["while it waits"] ?? works[command]?.["in synchronous work"];
  if (make === undefined) return { fault: "there is nothing to give it", milliseconds: 0 };
  const work = make(key);
  const child = spawn(process.execPath, [join(root, "cli", "adjudge.ts"), ...work.argv], {
    cwd: root,
    stdio: ["pipe", "ignore", "pipe"],
  });
  const notes: string[] = [];
  child.stderr.on("data", (chunk: Buffer) => notes.push(chunk.toString().slice(0, 500)));
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const missed = await reach(moment, child, work);
  const { pid = 0 } = child;
  const started = missed === undefined ? await below(pid) : [];
  const told = performance.now();
  child.kill(missed === undefined ? signal : "SIGKILL");
  await Promise.race([ended, setTimeout(PATIENCE, undefined, { ref: false })]);
  const isGone = child.exitCode !== null || child.signalCode !== null;
  let left = await living(started);
  while (left.length > 0 && performance.now() - told < PATIENCE) {
    await setTimeout(20);
    left = await living(started);
  }
  const milliseconds = performance.now() - told;
  child.kill("SIGKILL");
  for (const one of left) process.kill(one, "SIGKILL");
  const fault = (): string | undefined => {
    if (missed !== undefined) return `${missed}: ${notes.join("").slice(0, 300)}`;
    if (!isGone) return "it goes on";
    if (left.length > 0) return `of its ${started.length} processes ${left.length} are left`;
    if (telling.includes(signal) && moment === "in synchronous work" && work.report !== undefined) {
      const written = existsSync(work.report) ? readFileSync(work.report, "utf8") : "";
      if (!written.includes('"interrupted"')) return "it wrote no report of what was known";
    }
    // Ended by the signal and not by its work, which might have been done just then.
    return child.signalCode === signal ? undefined : `it ended with ${child.exitCode ?? child.signalCode}`;
  };
  return { fault: fault(), milliseconds };
}

interface Trial {
  readonly command: string;
  readonly signal: Signal;
  readonly moment: Moment;
}

/** Pairs each signal with each moment of a command; SIGKILL, which it cannot handle, comes while it waits. */
function trialsOf(command: string, moments: Readonly<Partial<Record<Moment, unknown>>>): Trial[] {
  const own: Moment[] = ["at the start"];
  if ("in synchronous work" in moments) own.push("in synchronous work");
  if ("while it waits" in moments) own.push("while it waits");
  const trials: Trial[] = signals.flatMap((signal) => own.map((moment) => ({ command, signal, moment })));
  return own.includes("while it waits")
    ? [...trials, { command, signal: "SIGKILL", moment: "while it waits" }]
    : trials;
}

const chosen = process.argv.slice(2);
const trials = Object.entries(works)
  .filter(([command]) => chosen.length === 0 || chosen.includes(command))
  .flatMap(([command, moments]) => trialsOf(command, moments));

for (const make of [large, largeCase, crowded, trace]) make();
const faults: string[] = [];
const late: Trial[] = [];
const slowest = { text: "", milliseconds: 0 };
const textOf = ({ command, signal, moment }: Trial): string => `${command}, ${signal}, ${moment}`;

/** Says whether a trial ended in time, and reports its other faults. */
const isInTime = async (trial: Trial): Promise<boolean> => {
  const { fault, milliseconds } = await interrupted(trial);
  if (fault !== undefined) faults.push(`${textOf(trial)}: ${fault}`);
  const isLate = fault === undefined && milliseconds > LATE;
  if (!isLate && milliseconds > slowest.milliseconds)
    Object.assign(slowest, { text: textOf(trial), milliseconds });
  return !isLate;
};

const queue = [...trials];
const lane = async (): Promise<void> => {
  for (let next = queue.shift(); next !== undefined; next = queue.shift())
    if (!(await isInTime(next))) late.push(next);
};
await Promise.all(Array.from({ length: 2 * availableParallelism() }, lane));

for (const trial of late) {
  let tries = 0;
  while (tries < MORE_TRIES && !(await isInTime(trial))) tries++;
  if (tries === MORE_TRIES) faults.push(`${textOf(trial)}: it takes more than a second, ${tries + 1} times`);
}
await rm(folder, { recursive: true });
for (const fault of faults) process.stdout.write(`✗ ${fault}\n`);
process.stdout.write(
  `${trials.length} commands interrupted, ${faults.length} faults; ${late.length} tried again; ` +
    `the slowest in time took ${Math.round(slowest.milliseconds)} ms (${slowest.text})\n`,
);
if (faults.length > 0) process.exitCode = 1;
