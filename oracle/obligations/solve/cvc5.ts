import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { tieToOurLife } from "../../../spec/lifeline.ts";
import type { Answer } from "../obligation.ts";
import type { Script } from "../script.ts";
import { readAnswer } from "./reading.ts";
import type { Query, Reply, Solver } from "./solver.ts";

/** Any core or model has fewer bytes. */
const OUTPUT = 2 ** 26;

/** cvc5 needs these besides the file: its floats are experimental, and cores and models must be announced. */
const FLAGS: readonly string[] = ["--lang=smt2", "--fp-exp", "--produce-unsat-cores", "--produce-models"];

/**
 * Lists flags to try after the plain ones gave no answer, each set with the whole time limit: models of
 * quantified formulas over free sorts are finite and found as such; and splitting on zero, or deciding less,
 * settles some products. Without libpoly, as in Debian's build, cvc5 has no models with irrational numbers.
 */
function furtherFlags(logic: string): readonly (readonly string[])[] {
  if (!logic.startsWith("QF_")) return [["--finite-model-find"]];
  return /N[IR]+A$/.test(logic) ? [["--nl-ext-split-zero"], ["--decision=stoponly"]] : [];
}

/** A question may last this many times its processor time, since the machine does other things too. */
const PATIENCE = 5;

/** The shell limits the program's processor time in seconds; beyond it the system ends it. */
const LIMITED = 'ulimit -S -t "$1" && shift && exec "$@"';

/** A program ended in this way. */
interface Ended {
  readonly output: string;
  readonly problem:
    | (Error & { readonly killed?: boolean; readonly code?: unknown; readonly signal?: unknown })
    | undefined;
}

/** Finds cvc5 by its program's name; `undefined` if it is not installed. It does not decide proofs. */
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

/** Asks the stored text, by one set of flags after the other until one decides or the time is up. */
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
  // The text asks for what belongs to the expected verdict; the other one comes without evidence.
  if (verdict === "sat" && script.expected === "unsat") return { kind: "refuted", model: new Map() };
  if (verdict === "unsat" && script.expected === "sat") return { kind: "proved", core: [] };
  if (verdict === "unknown") return { kind: "unknown", reason: "no reason asked" };
  if (problem?.killed === true || problem?.signal === "SIGXCPU" || output.includes("interrupted by timeout"))
    return { kind: "timeout" };
  if (problem !== undefined) return { kind: "crashed", message: output.trim() || problem.message };
  return readAnswer(script, { verdict, evidence: rest.join("\n"), reason: "" });
}

/** Runs a program to its end or its time limit; both of its streams are its output. */
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
