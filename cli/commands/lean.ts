import type { Command } from "commander";
import { installedLean, type LeanChecker, noVerdict, showVerdict } from "../../lean-export/campaign/index.ts";
import {
  type AskedQuestion,
  cacheFolder,
  formatLine,
  type LeanFile,
  type LeanVerdict,
  leanFile,
  readTrace,
  showSeen,
} from "../../lean-export/index.ts";
import { fail, type Issue, ok, type Result, visible, visibleJson } from "../../spec/shapes/index.ts";
import type { LeanVerdictJson } from "../../spec/wire/index.ts";
import { checkCache, checkTemporary, readInput, writeText } from "../files/files.ts";
import { readGivenRun } from "../given/given_run.ts";
import { report } from "../options/options.ts";
import { type ExitCode, exitCodes } from "../terminal/exit.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { leanSuiteCommand } from "./lean_suite.ts";

/** A printed line of a statement is cut after this many characters. */
const MAXIMUM_LINE = 1_000;

interface ExportFlags {
  readonly output?: string;
  readonly against?: string;
}

interface CheckFlags extends Pick<ExportFlags, "against"> {
  readonly json?: boolean;
}

/** Both commands take the case that a trace must be the run of. */
const againstOption = [
  "--against <case>",
  "refuse a trace that is the run of anything but this case or vector",
] as const;

/** Adds `adjudge lean`, which writes traces for Lean's kernel, and has them checked. */
export function leanCommand(
  program: Command,
  terminal: Terminal,
  end: (code: ExitCode) => void,
  checker: LeanChecker = installedLean,
): void {
  const lean = program.command("lean").summary("export a run as theorems, and have Lean's kernel check them");
  exportCommand(lean, terminal, end);
  checkCommand(lean, terminal, end, checker);
  leanSuiteCommand(lean, terminal, end, checker);
}

const exportDescription = `Writes a trace (adjudge.trace.v1) as a Lean file with a theorem for each claim: that the value and the cotangent of
an id are right, and that the whole is the evaluation and backpropagation of its graph. A trace over float64
or float32 becomes the exact run, each rounding as an inequality, and a bound for each number. For example:

  adjudge run square.adj --algebra rational --input x=1/3 --trace trace.json
  adjudge lean export trace.json -o trace.lean
  adjudge lean check trace.lean`;

function exportCommand(lean: Command, terminal: Terminal, end: (code: ExitCode) => void): void {
  lean
    .command("export")
    .summary("write a trace as a Lean file")
    .description(exportDescription)
    .argument("<file>", "a trace, or - for standard input")
    .option("-o, --output <file>", "where to write; default: standard output")
    .option(...againstOption)
    .action(async (file: string, flags: ExportFlags) => {
      end(await deliver(await exported(file, flags), flags.output, terminal));
    });
}

interface Given {
  readonly text: string;
  readonly asked: AskedQuestion | undefined;
}

/** Reads a file, and the question that it must be the run of, if one is named. */
async function readGiven(
  file: string,
  against: string | undefined,
): Promise<Result<Given, readonly Issue[]>> {
  const text = await readInput(file);
  if (!text.ok || against === undefined) return text.ok ? ok({ text: text.value, asked: undefined }) : text;
  const asked = await readGivenRun(against, { input: [], environment: [], cotangent: [] });
  return asked.ok ? ok({ text: text.value, asked: asked.value }) : asked;
}

/** Writes the run in a file for Lean. */
async function exported(file: string, { against }: ExportFlags): Promise<Result<string, readonly Issue[]>> {
  const given = await readGiven(file, against);
  const trace = given.ok ? readTrace(given.value.text, given.value.asked) : given;
  return trace.ok ? ok(leanFile(trace.value).text) : trace;
}

/** Writes a text, or tells why there is none. */
async function deliver(
  text: Result<string, readonly Issue[]>,
  output: string | undefined,
  terminal: Terminal,
): Promise<ExitCode> {
  const saved = text.ok && output !== undefined ? await writeText(output, text.value) : text;
  if (!saved.ok) {
    report(terminal, saved.error);
    return exitCodes.badInput;
  }
  if (text.ok && output === undefined) terminal.out(text.value.trimEnd());
  return exitCodes.agrees;
}

function checkCommand(
  lean: Command,
  terminal: Terminal,
  end: (code: ExitCode) => void,
  checker: LeanChecker,
): void {
  lean
    .command("check")
    .summary("have Lean's kernel check an exported file or a trace")
    .description(
      "Checks a file that adjudge lean export wrote, or a trace, which is exported first. Runs the Lean that is\n" +
        "installed, or the WebAssembly build. Accepted means: the last theorem, as an expression in Lean, says that the run\n" +
        "is the evaluation and backpropagation of the graph. Statement, graph and run are shown as Lean has them.\n" +
        "Exit codes: 0 accepted, 1 rejected, 2 bad input, 3 could not be checked.",
    )
    .argument("<file>", "a Lean file or a trace, or - for standard input")
    .option(...againstOption)
    .option("--json", "print the verdict as JSON (lean-verdict.schema.json)")
    .action(async (file: string, flags: CheckFlags) => end(await check(file, flags, checker, terminal)));
}

async function check(
  file: string,
  { against, json }: CheckFlags,
  checker: LeanChecker,
  terminal: Terminal,
): Promise<ExitCode> {
  const given = await readGiven(file, against);
  const question = given.ok ? questionIn(given.value, file) : given;
  const needed = [question, await checkTemporary(), await checkCache(cacheFolder())];
  const issues = needed.flatMap((part) => (part.ok ? [] : part.error));
  if (!question.ok || issues.length > 0) {
    report(terminal, issues);
    return exitCodes.badInput;
  }
  const [verdict = noVerdict] = await checker.check([question.value], { log: terminal.note });
  if (json === true) {
    terminal.out(visibleJson(verdictJson(file, verdict)));
    return codes[verdict.kind];
  }
  const { green, red, yellow } = terminal.palette;
  switch (verdict.kind) {
    case "accepted": {
      const { name, version, remarks } = verdict.lean;
      terminal.out(`${green("✓")} ${showVerdict(verdict)}, by ${name} ${version}`);
      for (const line of showSeen(verdict.seen)) terminal.out(visible(line, MAXIMUM_LINE));
      for (const remark of remarks) terminal.note(remark);
      return codes.accepted;
    }
    case "rejected":
      terminal.out(`${red("✗")} ${showVerdict(verdict)}`);
      terminal.note(
        `${visible(verdict.place)}: ${verdict.message
          .split("\n")
          .map((line) => visible(line))
          .join("\n    ")}`,
      );
      return codes.rejected;
    case "could-not-run":
      terminal.out(`${yellow("?")} ${showVerdict(verdict)}`);
      terminal.note(verdict.hint);
      return codes["could-not-run"];
  }
}

const codes: Readonly<Record<LeanVerdict["kind"], ExitCode>> = {
  accepted: exitCodes.agrees,
  rejected: exitCodes.disagrees,
  "could-not-run": exitCodes.undecided,
};

/** Returns a verdict as it is written to a file: `spec/schema/lean-verdict.schema.json`. */
function verdictJson(file: string, verdict: LeanVerdict): LeanVerdictJson {
  const head = { format: "adjudge.lean-verdict.v1", file } as const;
  if (verdict.kind !== "accepted") return { ...head, ...verdict };
  const claims = verdict.claims.map(({ name, statement }) => ({ name, statement }));
  return { ...head, kind: "accepted", claims, seen: showSeen(verdict.seen), lean: verdict.lean };
}

/** Returns what Lean checks: an exported file as it stands, or a trace after its export. */
function questionIn({ text: given, asked }: Given, name: string): Result<LeanFile, readonly Issue[]> {
  const text = given.replace(/^\uFEFF/, "");
  if (text.startsWith(formatLine))
    return asked === undefined ? ok({ name, text }) : fail([notAgainst("a Lean file")]);
  if (/^\s*\{/.test(text)) {
    const trace = readTrace(text, asked);
    return trace.ok ? ok({ name, text: leanFile(trace.value).text }) : trace;
  }
  return fail([
    {
      code: "lean/format",
      pointer: "",
      message: "this is neither a trace nor an exported Lean file.",
      hint: `an exported file begins with ${formatLine} and a list of its claims`,
    },
  ]);
}

/** Only a trace can be compared with a case: a Lean file has no names. */
function notAgainst(what: string): Issue {
  return {
    code: "lean/against",
    pointer: "",
    message: `${what} cannot be compared with a case.`,
    hint: "give the trace: adjudge lean check TRACE --against CASE",
  };
}
