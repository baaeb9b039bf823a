import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Command } from "commander";
import { createColors } from "picocolors";
import { leanCommand } from "../../cli/commands/lean.ts";
import { type ExitCode, exitCodes } from "../../cli/terminal/exit.ts";
import { randomTrace } from "../../lean-export/campaign/random_traces.ts";
import { checkIn } from "../../lean-export/check.ts";
import { falsehoodIn } from "../../lean-export/falsehood.test.kit.ts";
import {
  buildLibrary,
  cacheFolder,
  findLean,
  type LeanFile,
  type LeanVerdict,
  leanFile,
  libraryProject,
  readTraceJson,
} from "../../lean-export/index.ts";
import { LeanPool } from "../../lean-export/run/pool.ts";
import type { Reply, Request } from "../../lean-export/run/session.ts";
import { float64, traceOf } from "../../reference/package.ts";
import { fail, InvariantError, type TraceJson } from "../../spec/index.ts";
import { faultOf } from "./files.ts";
import { Chance } from "./grammar.ts";
import { hostileLean } from "./lean_grammar.ts";
import { told } from "./properties.ts";

/** Files are checked by `lean check`, or by a planted fault. */
export interface Checks {
  check(file: LeanFile): Promise<LeanVerdict>;
  /** Says whether the file that was checked last reached Lean, and was not refused before. */
  hasReached(): boolean;
}

/** A hostile Lean file had this outcome. */
export interface TriedLean {
  /** `undefined` where the command refused to have it checked. */
  readonly verdict: LeanVerdict["kind"] | undefined;
  readonly hasReached: boolean;
  readonly faults: readonly string[];
}

/** Exports a file: of integers, rationals, residues, floats, the smallest of a few. */
function exportedFile(chance: Chance): string {
  const texts = Array.from({ length: 3 }, () => {
    const index = chance.below(100_000);
    const trace = randomTrace(1, index);
    const floats = index % 3 === 0 && chance.once(2) ? readTraceJson(ofFloats(trace)) : undefined;
    // Not every float run has a bound for each number.
    const flat = floats?.ok === true ? floats : readTraceJson(trace);
    if (!flat.ok) throw new InvariantError(`the random trace ${index} cannot be exported`);
    return leanFile(flat.value).text;
  });
  return texts.reduce((least, text) => (text.length < least.length ? text : least));
}

/** Returns the run of the same graph from the same whole numbers, over float64. */
function ofFloats({ graph, point, seeds, form }: TraceJson): TraceJson {
  const trace = traceOf(
    graph,
    float64,
    {
      inputs: point.inputs.map(({ data }) => data),
      environment: new Map(Object.entries(point.environment).map(([name, { data }]) => [name, data])),
      seeds: new Map(seeds.map(({ id, cotangent }) => [id, cotangent.data])),
    },
    form,
  );
  if (!trace.ok) throw new InvariantError("whole numbers are floats");
  return trace.value;
}

/** Returns the hostile file of a seed. */
export function leanFileOf(seed: number): string {
  const chance = new Chance(seed);
  return hostileLean(exportedFile(chance), chance);
}

/** Gives `lean check` a hostile file: it must end as documented, print clean words and accept only truths. */
export async function tryLean(seed: number, folder: string, checks: Checks): Promise<TriedLean> {
  const text = leanFileOf(seed);
  const path = join(folder, `${seed}.lean`);
  await writeFile(path, text);
  const verdicts: LeanVerdict[] = [];
  const tried = (faults: readonly (string | undefined)[]): TriedLean => ({
    verdict: verdicts[0]?.kind,
    hasReached: verdicts.length > 0 && checks.hasReached(),
    faults: faults.flatMap((fault) => fault ?? []),
  });
  try {
    const said = await commandOn(path, async (file) => {
      const verdict = await checks.check(file);
      verdicts.push(verdict);
      return verdict;
    });
    const [verdict] = verdicts;
    const falsehood =
      verdict?.kind === "accepted" ? falsehoodIn(text.replace(/^\uFEFF/, ""), verdict) : undefined;
    return tried([faultOf(said), falsehood && `accepted: ${falsehood}`]);
  } catch (thrown) {
    return tried([told(thrown)]);
  }
}

/** Runs `adjudge lean check` of a file in this process. */
async function commandOn(path: string, check: Checks["check"]): Promise<{ code: number; words: string }> {
  const said: string[] = [];
  const terminal = {
    palette: createColors(false),
    columns: 80,
    out: (line: string) => said.push(line),
    note: (line: string) => said.push(line),
    progress: () => {},
  };
  let code: ExitCode = exitCodes.internal;
  const end = (ended: ExitCode): void => {
    code = ended;
  };
  const program = new Command().exitOverride();
  leanCommand(program, terminal, end, {
    check: (files) => Promise.all(files.map(check)),
    audit: async () => fail([]),
    challenge: async () => fail([]),
  });
  await program.parseAsync(["lean", "check", path], { from: "user" });
  return { code, words: said.join("\n") };
}

/** One Lean process for all files, that counts what is put to it. */
class CountingPool extends LeanPool {
  asked = 0;

  override ask<T>(request: Request, use: (reply: Reply) => Promise<T>): Promise<T> {
    this.asked += 1;
    return super.ask(request, use);
  }
}

/** `lean check` by one Lean that goes on from file to file. */
export type HeldLean = Checks & AsyncDisposable;

/** A file may take this long; Lean, and all it holds, begins anew after one that does. */
const limits = { milliseconds: 8_000, outputBytes: 8_000_000 };

/** Finds Lean, builds the library if it must, and begins. */
export async function holdLean(): Promise<HeldLean> {
  const lean = await findLean();
  if (!lean.ok) throw new Error(lean.error.message);
  const built = await buildLibrary({ ...libraryProject, lean: lean.value, cache: cacheFolder() });
  if (!built.ok) throw new Error(built.error.map(({ message }) => message).join());
  const pool = new CountingPool({ lean: lean.value, libraries: [built.value.folder], limits }, 1);
  let before = 0;
  const check: Checks["check"] = async (file) => {
    before = pool.asked;
    const [verdict] = await checkIn(pool, lean.value, [file], {});
    if (verdict === undefined) throw new Error("there was no verdict");
    return verdict;
  };
  const right = readTraceJson(randomTrace(1, 13));
  if (right.ok) await check({ name: "right", text: leanFile(right.value).text });
  return {
    check,
    hasReached: () => pool.asked > before,
    [Symbol.asyncDispose]: () => pool[Symbol.asyncDispose](),
  };
}
