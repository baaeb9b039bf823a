import process from "node:process";
import type { Command as CommandLine } from "commander";
import {
  type ConversationOptions,
  converse,
  functionLines,
  headline,
  startParent,
} from "../../conformance/functions/index.ts";
import { counted } from "../../conformance/report/index.ts";
import type { Command } from "../../conformance/runner/index.ts";
import { commandOf } from "../../conformance/testees/index.ts";
import { checkAll, fail, type Issue, type Result } from "../../spec/shapes/index.ts";
import type { FunctionVerdictJson } from "../../spec/wire/index.ts";
import type { ConfigFlags } from "../options/config.ts";
import { type BudgetFlags, budgetOf, givenFlags, report } from "../options/options.ts";
import type { VerbosityFlags } from "../options/verbosity.ts";
import { type ExitCode, exitCodes, worstOf } from "../terminal/exit.ts";
import type { Terminal } from "../terminal/terminal.ts";

/** These options say who brings functions, and how much judging them may take. */
export interface FunctionFlags extends BudgetFlags, ConfigFlags, VerbosityFlags {
  readonly engine: readonly string[];
  readonly stdio?: boolean;
  readonly seconds?: number;
}

/** The parent of this process has no command. */
const parent: Command = { argv: ["the process that started adjudge"] };

/**
 * Judges functions that others bring: commands, or with `--stdio` the process that has started this one, to
 * which alone it then speaks.
 */
export async function judgeFunctions(
  line: CommandLine,
  files: readonly string[],
  flags: FunctionFlags,
  terminal: Terminal,
): Promise<ExitCode> {
  const who = askedOf(files, flags);
  const foreign = givenFlags(line).filter((flag) => !ownFlags.has(flag));
  if (!who.ok || foreign.length > 0) {
    report(terminal, [...(who.ok ? [] : who.error), ...foreign.map(foreignFlag)]);
    return exitCodes.badInput;
  }
  const codes: ExitCode[] = [];
  for (const { command, isParent } of who.value) {
    const streams = { input: process.stdin, output: process.stdout };
    const options = { ...limitsOf(flags), ...(isParent ? { start: startParent(streams) } : {}) };
    codes.push(await judgeAll(command, options, isParent ? undefined : flags, terminal));
  }
  return worstOf(codes);
}

/** A function brings all else with its question. */
const ownFlags: ReadonlySet<string> = new Set([
  "--functions",
  "--stdio",
  "--engine",
  "--seconds",
  "--max-elements",
  "--max-work",
  "--quiet",
  "--config",
  "--no-config",
]);

function foreignFlag(flag: string): Issue {
  return flagIssue(`${flag} is not for functions.`, `leave ${flag} out: a function's question says all else`);
}

interface Asked {
  readonly command: Command;
  readonly isParent: boolean;
}

function askedOf(
  files: readonly string[],
  { engine, stdio = false, named }: FunctionFlags,
): Result<readonly Asked[], Issue[]> {
  if (files.length > 0) return fail([noFiles]);
  if (stdio && engine.length > 0) return fail([oneParent]);
  if (stdio) return { ok: true, value: [{ command: parent, isParent: true }] };
  if (engine.length === 0) return fail([nobody]);
  const commands = checkAll(engine, (text) => commandOf(text, named));
  return commands.ok
    ? { ok: true, value: commands.value.map((command) => ({ command, isParent: false })) }
    : commands;
}

const flagIssue = (message: string, hint: string): Issue => ({
  code: "flag/inapplicable",
  pointer: "",
  message,
  hint,
});

const noFiles = flagIssue(
  "of functions no files are asked.",
  "give commands that bring questions: -e COMMAND; a graph of a file is asked with --graph",
);
const oneParent = flagIssue(
  "with --stdio the process that starts this one is asked, and no other.",
  "leave -e out, or --stdio",
);
const nobody = flagIssue(
  "nobody is there to bring functions.",
  'name a command: --functions -e "python3 my_functions.py"; docs/functions.md has one',
);

function limitsOf(flags: FunctionFlags): ConversationOptions {
  const { seconds } = flags;
  const budget = budgetOf(flags);
  if (seconds === undefined || seconds === 0) return { budget };
  const end = performance.now() + 1000 * seconds;
  return { budget, isOver: () => performance.now() > end };
}

const codes: Readonly<Record<FunctionVerdictJson["kind"], ExitCode>> = {
  agrees: exitCodes.agrees,
  disagrees: exitCodes.disagrees,
  differs: exitCodes.disagrees,
  imprecise: exitCodes.disagrees,
  undecided: exitCodes.undecided,
  unsupported: exitCodes.nothingRun,
  crashed: exitCodes.undecided,
};

async function judgeAll(
  command: Command,
  options: ConversationOptions,
  told: VerbosityFlags | undefined,
  terminal: Terminal,
): Promise<ExitCode> {
  const { palette, columns: width } = terminal;
  const found: ExitCode[] = [];
  for await (const judged of converse(command, options)) {
    if (!judged.ok) {
      report(terminal, judged.error);
      return worstOf([...found, exitCodes.undecided]);
    }
    const { question, verdict, owner } = judged.value;
    found.push(codes[verdict.kind]);
    if (told === undefined || (told.verbosity === "quiet" && verdict.kind === "agrees")) continue;
    terminal.progress(headline(question, verdict, owner));
    for (const line of functionLines(question, verdict, owner, { palette, width })) terminal.out(line);
  }
  const code = found.length === 0 ? exitCodes.nothingRun : worstOf(found);
  if (told !== undefined) terminal.out(lastLine(found, terminal));
  return code;
}

function lastLine(found: readonly ExitCode[], { palette }: Terminal): string {
  const wrong = found.filter((code) => code === exitCodes.disagrees).length;
  const agreeing = found.filter((code) => code === exitCodes.agrees).length;
  if (found.length === 0) return `${palette.yellow("–")} no function was brought`;
  const mark =
    wrong > 0 ? palette.red("✗") : agreeing === found.length ? palette.green("✓") : palette.yellow("–");
  return `${mark} ${counted(found.length, "function")}: ${agreeing} right, ${wrong} wrong, ${found.length - agreeing - wrong} not decided`;
}
