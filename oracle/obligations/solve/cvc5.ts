import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { tieToOurLife } from "../../../spec/lifeline.ts";
import type { Answer } from "../obligation.ts";
import type { Script } from "../script.ts";
import { readAnswer } from "./reading.ts";
import type { Query, Reply, Solver } from "./solver.ts";

/** Enough for any core or model, in bytes. */
const OUTPUT = 2 ** 26;

/** What cvc5 needs besides the file: its floats are experimental, and it wants to hear of cores and models early. */
const FLAGS: readonly string[] = ["--lang=smt2", "--fp-exp", "--produce-unsat-cores", "--produce-models"];

/**
 * What is tried after the plain flags gave no answer, each with the whole time limit: models of quantified formulas over free sorts are finite and found as such; and splitting on
 * zero, or deciding less, settles some products. Without libpoly, as in Debian's build, cvc5 has no model whose numbers are irrational.
 */
function furtherFlags(logic: string): readonly (readonly string[])[] {
  if (!logic.startsWith("QF_")) return [["--finite-model-find"]];
  return /N[IR]+A$/.test(logic) ? [["--nl-ext-split-zero"], ["--decision=stoponly"]] : [];
}

/** How many times its share of the processor a question may last: on a machine that does other things too, clocks say little. */
const PATIENCE = 5;

/** Runs what follows with so many seconds of the processor; beyond them the system ends it. */
const LIMITED = 'ulimit -S -t "$1" && shift && exec "$@"';

/** How a program ended. */
interface Ended {
  readonly output: string;
  readonly problem:
    | (Error & { readonly killed?: boolean; readonly code?: unknown; readonly signal?: unknown })
    | undefined;
}

/** cvc5 by the name of its program, or `undefined` where it is not installed. It has no part in what counts as proved. */
export async function cvc5(command = "cvc5"): Promise<Solver | undefined> {
  const { output, problem } = await run(command, ["--version"], 20_000);
  const version = /cvc5 version (\S+)/.exec(output)?.[1];
  if (problem !== undefined || version === undefined) return undefined;
  const folder = await mkdtemp(join(tmpdir(), "adjudge-cvc5-"));
  return {
    name: `cvc5 ${version}`,
    ask: (query) => ask(command, folder, query),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}

/** Asks for the very text that is stored as a file, within the time limit as time of the processor, rounded up to seconds, with one set of flags after the other until one decides. */
async function ask(command: string, folder: string, { script, limits, seed }: Query): Promise<Reply> {
  const file = join(folder, `${script.hash}.${seed}.smt2`);
  await writeFile(file, script.text);
  const start = performance.now();
  const longest = PATIENCE * limits.timeout;
  const seconds = String(Math.ceil(limits.timeout / 1_000));
  const common = ["-c", LIMITED, "sh", seconds, command, ...FLAGS, `--tlimit=${longest}`, `--seed=${seed}`];
  let answer: Answer = { kind: "unknown", reason: "nothing was tried" };
  for (const further of [[], ...furtherFlags(script.logic)]) {
    const ended = await run("sh", [...common, ...further, file], longest + 2_000);
    answer = answerOf(script, ended);
    if (answer.kind !== "timeout" && answer.kind !== "unknown") break;
  }
  const milliseconds = performance.now() - start;
  await rm(file, { force: true });
  return { answer, milliseconds, spent: undefined };
}

function answerOf(script: Script, { output, problem }: Ended): Answer {
  const [verdict = "", ...rest] = output.split("\n");
  // The text asks for what belongs to the verdict that is expected; after the other there is an error, and the verdict is all that can be had.
  if (verdict === "sat" && script.expected === "unsat") return { kind: "refuted", model: new Map() };
  if (verdict === "unsat" && script.expected === "sat") return { kind: "proved", core: [] };
  if (verdict === "unknown") return { kind: "unknown", reason: "no reason asked" };
  if (problem?.killed === true || problem?.signal === "SIGXCPU" || output.includes("interrupted by timeout"))
    return { kind: "timeout" };
  if (problem !== undefined) return { kind: "crashed", message: output.trim() || problem.message };
  return readAnswer(script, { verdict, evidence: rest.join("\n"), reason: "" });
}

/** Runs a program to its end, or to its time limit. What it says on both streams is its output. */
function run(command: string, flags: readonly string[], timeout: number): Promise<Ended> {
  return new Promise((resolve) => {
    const child = execFile(
      command,
      flags,
      { timeout, killSignal: "SIGKILL", maxBuffer: OUTPUT },
      (problem, stdout, stderr) => {
        untie();
        resolve({ output: stdout + stderr, problem: problem ?? undefined });
      },
    );
    const untie = tieToOurLife(child.pid);
  });
}
