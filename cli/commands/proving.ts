import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import {
  allObligations,
  type Entry,
  explainEntry,
  familyOf,
  faultsOfCollection,
  type Obligation,
  runObligations,
  showEntries,
  showTotals,
} from "../../oracle/obligations/index.ts";
import { answersIn, cvc5, type Solver, z3 } from "../../oracle/obligations/solve/index.ts";
import { cacheFolder } from "../../spec/cache_folder.ts";
import { counted, type Issue, nearestName, quote } from "../../spec/shapes/index.ts";
import { report } from "../options/options.ts";
import type { VerbosityFlags } from "../options/verbosity.ts";
import { type ExitCode, exitCodes } from "../terminal/exit.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { ANSWERS, PROVED, SCRIPTS } from "./prove_places.ts";
import { keepRun, keyOfRun, recalled, sourcesHash } from "./prove_recalled.ts";

/** The options of `adjudge prove`. */
export interface ProveOptions extends VerbosityFlags {
  readonly tier: "everyday" | "long" | "all";
  readonly only?: string;
  readonly seeds: number;
  readonly lanes: number;
  readonly timeout?: number;
  readonly second?: "cvc5";
  readonly secondTimeout?: number;
  readonly all?: boolean;
  readonly explain?: boolean;
  readonly fresh?: boolean;
  readonly write?: boolean;
  /** Every script is written to this folder, and no solver is asked. */
  readonly scripts?: string;
}

/** `adjudge prove` works with these, which tests replace. */
export interface ProveSurroundings {
  readonly obligations: (tier?: Obligation["tier"], prefix?: string) => Promise<readonly Obligation[]>;
  readonly makeSolver: () => Solver;
  /** Returns the second solver, or `undefined` if it is not installed. */
  readonly second: () => Promise<Solver | undefined>;
  /** Files are in this folder. */
  readonly folder: string;
  /** Answers are kept in this folder. */
  readonly cache: string;
  /** Names the code that obligations are made of; without it no run recalls another. */
  readonly sources?: () => Promise<string>;
}

/** These are the surroundings of the process: the real solvers, its folder, and the user's cache. */
export const processSurroundings: ProveSurroundings = {
  obligations: allObligations,
  makeSolver: z3,
  second: () => cvc5(),
  folder: ".",
  cache: cacheFolder(),
  sources: () => sourcesHash(),
};

/** A run says something at least so often, in milliseconds. */
const SILENCE = 10_000;

/**
 * Proves what the options choose, lists it, and returns the exit code. A run that was asked the same of the
 * same code, and found everything proved, is told again instead, unless the run is `fresh` or tells more.
 */
export async function proveWith(
  id: string | undefined,
  options: ProveOptions,
  terminal: Terminal,
  surroundings: ProveSurroundings,
): Promise<ExitCode> {
  const { explain = false, write = false, scripts, fresh: isFresh = false, lanes: _, ...asked } = options;
  const { sources, cache } = surroundings;
  // What a second solver says depends on what is installed.
  const isMore = explain || write || scripts !== undefined || options.second !== undefined;
  if (sources === undefined || isMore) return proveAnew(id, options, terminal, surroundings);
  const path = join(cache, PROVED);
  const key = keyOfRun(await sources(), id, asked, terminal.palette.isColorSupported);
  const known = isFresh ? undefined : await recalled(path, key);
  if (known !== undefined) {
    for (const line of known) terminal.out(line);
    terminal.out("Nothing has changed since this was proved; --fresh asks anew.");
    return exitCodes.agrees;
  }
  const told: string[] = [];
  const recording: Terminal = {
    palette: terminal.palette,
    columns: terminal.columns,
    out: (line) => {
      told.push(line);
      terminal.out(line);
    },
    note: (line) => terminal.note(line),
    progress: (text) => terminal.progress(text),
  };
  const code = await proveAnew(id, options, recording, surroundings);
  if (code === exitCodes.agrees) await keepRun(path, key, told);
  return code;
}

async function proveAnew(
  id: string | undefined,
  options: ProveOptions,
  terminal: Terminal,
  surroundings: ProveSurroundings,
): Promise<ExitCode> {
  const prefix = options.scripts === undefined ? (id ?? options.only) : undefined;
  const isNamed = prefix !== undefined || options.scripts !== undefined;
  const all = await surroundings.obligations(
    isNamed || options.tier === "all" ? undefined : options.tier,
    prefix,
  );
  const problem = problemOf(id, options, surroundings.folder);
  if (problem !== undefined) return refuse(terminal, problem, exitCodes.badInput);
  const faults = faultsOfCollection(all, prefix === undefined);
  for (const fault of faults) terminal.note(`${terminal.palette.red("✗")} ${fault}`);
  if (faults.length > 0) return exitCodes.disagrees;
  if (options.scripts !== undefined)
    return handOut(all, resolve(surroundings.folder, options.scripts), terminal);
  const obligations = all.filter((obligation) => isChosen(obligation, id, options));
  if (obligations.length === 0)
    return refuse(terminal, noneNamed(all, id ?? options.only), exitCodes.nothingRun);
  const { entries, second, found, kept } = await ask(obligations, options, terminal, surroundings);
  tell(entries, options, terminal);
  const unasked = obligations.length - entries.length;
  if (unasked > 0)
    terminal.out(`${counted(unasked, "obligation")} of families that failed: not asked. --all asks them.`);
  if (options.second !== undefined && second === undefined)
    terminal.out(`${options.second} is not installed: no second solver was asked.`);
  terminal.out(showTotals(entries, found));
  const saved =
    options.write === true
      ? await (await import("./prove_files.ts")).writeResults(all, entries, second, surroundings.folder)
      : undefined;
  if (saved?.ok === false) {
    report(terminal, saved.error);
    return exitCodes.badInput;
  }
  if (kept !== undefined) report(terminal, [unkept(surroundings.cache, kept)]);
  if (entries.some((entry) => entry.faults.length > 0)) return exitCodes.disagrees;
  return kept === undefined ? exitCodes.agrees : exitCodes.badInput;
}

function unkept(folder: string, why: string): Issue {
  return {
    code: "file/unwritable",
    pointer: "",
    message: `what was proved could not be kept in ${folder}: ${why}.`,
    hint: "set ADJUDGE_CACHE to a folder that can be written",
  };
}

function problemOf(id: string | undefined, options: ProveOptions, folder: string): string | undefined {
  if (options.explain === true && id === undefined) return "--explain wants the id of an obligation.";
  const isAsking = [id, options.only, options.second, options.explain, options.write].some(
    (option) => option !== undefined,
  );
  if (options.scripts !== undefined && isAsking)
    return "--scripts writes every script and asks nothing: no id, --only, --second, --explain or --write.";
  if (options.write !== true) return undefined;
  if (options.tier !== "all" || options.only !== undefined || id !== undefined)
    return "--write wants everything: --tier all, without --only and without an id.";
  return existsSync(join(folder, dirname(SCRIPTS)))
    ? undefined
    : `--write wants a folder ${dirname(SCRIPTS)}.`;
}

/** Writes every script into a folder, and tells how many. */
async function handOut(
  obligations: readonly Obligation[],
  folder: string,
  terminal: Terminal,
): Promise<ExitCode> {
  const { writeScripts } = await import("./prove_files.ts");
  const written = await writeScripts(obligations, folder);
  if (written.ok) terminal.out(`${counted(written.value, "script")} and their hashes are in ${folder}.`);
  else report(terminal, written.error);
  return written.ok ? exitCodes.agrees : exitCodes.badInput;
}

function refuse(terminal: Terminal, why: string, code: ExitCode): ExitCode {
  terminal.note(`${terminal.palette.red("✗")} ${why}`);
  return code;
}

/** Says that no obligation is called so, and which one may be meant. */
function noneNamed(all: readonly Obligation[], name: string | undefined): string {
  if (name === undefined) return "there is no obligation in this tier.";
  const ids = all.map(({ id }) => id);
  const below = ids.filter((id) => id.startsWith(name));
  const near = nearestName(name, ids);
  const hint =
    below.length > 0
      ? `${counted(below.length, "id")} ${below.length === 1 ? "begins" : "begin"} so: ask for them with --only ${name}`
      : near === undefined
        ? `docs/obligations.md lists all ${ids.length}; --only asks for those that begin alike`
        : `did you mean ${near}?`;
  return `no obligation is called ${quote(name)}. Hint: ${hint}`;
}

/**
 * Says whether an obligation is asked about. An id or a prefix chooses from all tiers; what could not be made
 * may hide any obligation of its family, and counts as each of them.
 */
function isChosen(obligation: Obligation, id: string | undefined, { tier, only }: ProveOptions): boolean {
  const isHiding = obligation.crash !== undefined;
  const name = id ?? only;
  if (name === undefined) return tier === "all" || isHiding || obligation.tier === tier;
  if (isHiding && name.startsWith(`${familyOf(obligation)}/`)) return true;
  return id === undefined ? obligation.id.startsWith(name) : obligation.id === name;
}

/** This was asked, and these solvers answered. */
interface Outcome {
  readonly entries: readonly Entry[];
  /** The second solver has this name, if one was asked. */
  readonly second: string | undefined;
  /** This many answers were known from earlier runs. */
  readonly found: number;
  /** Says why this run's answers could not be kept; `undefined` if they are. */
  readonly kept: string | undefined;
}

async function ask(
  obligations: readonly Obligation[],
  options: ProveOptions,
  terminal: Terminal,
  surroundings: ProveSurroundings,
): Promise<Outcome> {
  const answers = await answersIn(join(surroundings.cache, ANSWERS));
  const remembered = options.fresh === true ? answers.record : answers.solver;
  const other = options.second === undefined ? undefined : await surroundings.second();
  // No proof rests on the second solver, so a question that it could not answer in time is not repeated.
  await using second = other === undefined ? undefined : remembered(other, "all");
  const done = { count: 0, last: "" };
  const told = (): string => `${done.count}/${obligations.length} ${done.last}`.trim();
  // A run that nobody watches says now and then that it goes on.
  const sign = setInterval(() => {
    if (options.verbosity !== "quiet") terminal.note(told());
  }, SILENCE);
  const entries = await runObligations({
    obligations,
    makeSolver: () => remembered(surroundings.makeSolver()),
    lanes: Math.min(options.lanes, obligations.length),
    seeds: options.seeds,
    timeout: options.timeout,
    isAll: options.all === true || options.write === true,
    second,
    ...(options.secondTimeout === undefined ? {} : { secondTimeout: options.secondTimeout }),
    onEntry: ({ obligation, faults: [fault] }) => {
      done.count += 1;
      done.last = obligation.id;
      terminal.progress(told());
      if (fault !== undefined)
        terminal.note(`${terminal.palette.red("✗")} ${obligation.id}: ${fault.code}: ${fault.message}`);
    },
  }).finally(() => clearInterval(sign));
  const kept = await answers.save();
  return { entries, second: second?.name, found: answers.found(), kept };
}

function tell(
  entries: readonly Entry[],
  { explain: isExplained = false, verbosity }: ProveOptions,
  terminal: Terminal,
): void {
  const { green, red } = terminal.palette;
  for (const [entry, line] of showEntries(entries)) {
    if (verbosity === "quiet" && entry.faults.length === 0) continue;
    const mark = entry.faults.length === 0 ? green("✓") : red("✗");
    terminal.out(`${mark} ${line}`);
    for (const { code, message } of entry.faults) terminal.out(`    ${red(code)}: ${message}`);
    if (isExplained) for (const line of explainEntry(entry)) terminal.out(line);
  }
}
