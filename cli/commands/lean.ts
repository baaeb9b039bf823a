import { type Command, Option } from "commander";
import { installedLean, type LeanChecker, noVerdict, showVerdict } from "../../lean-export/campaign/index.ts";
import {
  type Asked,
  accuracyFile,
  cacheFolder,
  formatLine,
  type LeanFile,
  type LeanVerdict,
  leanFile,
  readChecked,
  readTrace,
  seenAgainst,
  showSeen,
  subjectOf,
  torchLeanEnclosure,
  torchLeanWitness,
} from "../../lean-export/index.ts";
import { fail, type Issue, ok, type Result, visible, visibleJson } from "../../spec/shapes/index.ts";
import type { LeanVerdictJson } from "../../spec/wire/index.ts";
import { checkCache, checkTemporary, readInput, writeText } from "../files/files.ts";
import { askedRuns, askedSystem } from "../given/given_asked.ts";
import { report } from "../options/options.ts";
import { type ExitCode, exitCodes } from "../terminal/exit.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { leanSuiteCommand } from "./lean_suite.ts";

/** A printed line of a statement is cut after this many characters. */
const MAXIMUM_LINE = 1_000;

interface ExportFlags {
  readonly output?: string;
  readonly against?: string;
  readonly verdict?: boolean;
  readonly to: "adjudge" | "torchlean" | "torchlean-enclosure";
}

interface CheckFlags extends Pick<ExportFlags, "against"> {
  readonly units?: string;
  readonly json?: boolean;
}

/** Both commands take what a trace must be the run of. */
const againstOption = [
  "--against <case>",
  "refuse what is about anything but this case, vector, program, or trace",
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
or float32 becomes the exact run, each rounding as an inequality, and a bound for each number. With --to torchlean an
exact run becomes a program of TorchLean's tape, with theorems about its values and gradients, and with
--to torchlean-enclosure the graph and its numbers become a ProvedRealEnclosure of TorchLean's: both need TorchLean
to be checked, and were not built against it. With --verdict the theorem is that each number of the trace, with
elementary functions too, is no farther from the true one than a number that is shown. For example:

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
    .addOption(
      new Option("--to <library>", "whose definitions the theorems are about")
        .choices(["adjudge", "torchlean", "torchlean-enclosure"])
        .default("adjudge"),
    )
    .option("--verdict", "how far each number of the trace is from the true one, as a theorem")
    .action(async (file: string, flags: ExportFlags) => {
      end(await deliver(await exported(file, flags), flags.output, terminal));
    });
}

/** Writes the run in a file for Lean. */
async function exported(
  file: string,
  { against, to, verdict }: ExportFlags,
): Promise<Result<string, readonly Issue[]>> {
  const text = await readInput(file);
  if (!text.ok) return text;
  const asked = against === undefined ? ok(undefined) : await askedRuns(against);
  if (!asked.ok) return asked;
  if (verdict === true) {
    const checked = readChecked(text.value, asked.value);
    const file = checked.ok ? accuracyFile(checked.value) : checked;
    return file.ok ? ok(file.value.text) : file;
  }
  if (to === "torchlean-enclosure") {
    const checked = readChecked(text.value, asked.value);
    return checked.ok ? torchLeanEnclosure(checked.value) : checked;
  }
  const trace = readTrace(text.value, asked.value);
  if (!trace.ok) return trace;
  if (to === "torchlean") return torchLeanWitness(trace.value);
  return ok(leanFile(trace.value).text);
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
        "--against takes a case, a vector of graphs or programs, or a trace; of a certificate of dimensions, the file that\n" +
        "explain refused. What Lean has must then be what that says.\n" +
        "Exit codes: 0 accepted, 1 rejected, 2 bad input, 3 could not be checked.",
    )
    .argument("<file>", "a Lean file or a trace, or - for standard input")
    .option(...againstOption)
    .option("-u, --units <file>", "what the values of --against are measured in (adjudge.units.v1)")
    .option("--json", "print the verdict as JSON (lean-verdict.schema.json)")
    .action(async (file: string, flags: CheckFlags) => end(await check(file, flags, checker, terminal)));
}

async function check(
  file: string,
  { against, units, json }: CheckFlags,
  checker: LeanChecker,
  terminal: Terminal,
): Promise<ExitCode> {
  const question = await questionIn(file, against, units);
  const needed = [question, await checkTemporary(), await checkCache(cacheFolder())];
  const issues = needed.flatMap((part) => (part.ok ? [] : part.error));
  if (!question.ok || issues.length > 0) {
    report(terminal, issues);
    return exitCodes.badInput;
  }
  const { asked, ...leanInput } = question.value;
  const [verdict = noVerdict] = await checker.check([leanInput], { log: terminal.note });
  const strays =
    verdict.kind === "accepted" && asked !== undefined ? seenAgainst(verdict.seen.about, asked) : [];
  if (strays.length > 0) {
    report(terminal, strays);
    return exitCodes.badInput;
  }
  const shown = against === undefined ? [] : [`  it is about what ${against} asks`];
  if (json === true) {
    terminal.out(visibleJson(verdictJson(file, verdict, shown)));
    return codes[verdict.kind];
  }
  tell(verdict, shown, terminal);
  return codes[verdict.kind];
}

/** Tells people a verdict, and what else is known of an accepted file. */
function tell(verdict: LeanVerdict, shown: readonly string[], terminal: Terminal): void {
  const { green, red, yellow } = terminal.palette;
  switch (verdict.kind) {
    case "accepted": {
      const { name, version, remarks } = verdict.lean;
      terminal.out(`${green("✓")} ${showVerdict(verdict)}, by ${name} ${version}`);
      for (const line of [...showSeen(verdict.seen), ...shown]) terminal.out(visible(line, MAXIMUM_LINE));
      for (const remark of remarks) terminal.note(remark);
      return;
    }
    case "rejected":
      terminal.out(`${red("✗")} ${showVerdict(verdict)}`);
      terminal.note(
        `${visible(verdict.place)}: ${verdict.message
          .split("\n")
          .map((line) => visible(line))
          .join("\n    ")}`,
      );
      return;
    case "could-not-run":
      terminal.out(`${yellow("?")} ${showVerdict(verdict)}`);
      terminal.note(verdict.hint);
  }
}

const codes: Readonly<Record<LeanVerdict["kind"], ExitCode>> = {
  accepted: exitCodes.agrees,
  rejected: exitCodes.disagrees,
  "could-not-run": exitCodes.undecided,
};

/** Returns a verdict as it is written to a file: `spec/schema/lean-verdict.schema.json`. */
function verdictJson(file: string, verdict: LeanVerdict, shown: readonly string[]): LeanVerdictJson {
  const head = { format: "adjudge.lean-verdict.v1", file } as const;
  if (verdict.kind !== "accepted") return { ...head, ...verdict };
  const claims = verdict.claims.map(({ name, statement }) => ({ name, statement }));
  return {
    ...head,
    kind: "accepted",
    claims,
    seen: [...showSeen(verdict.seen), ...shown],
    lean: verdict.lean,
  };
}

/** Lean checks this file, which must be about what is asked. */
interface Question extends LeanFile {
  readonly asked: Asked | undefined;
}

/** Reads what Lean checks, a file as it stands or a trace after its export, and what it is held against. */
async function questionIn(
  name: string,
  against: string | undefined,
  units: string | undefined,
): Promise<Result<Question, readonly Issue[]>> {
  const given = await readInput(name);
  if (!given.ok) return given;
  const text = given.value.replace(/^\uFEFF/, "");
  const isLean = text.startsWith(formatLine);
  if (!isLean && !/^\s*\{/.test(text)) return fail([neither]);
  if (units !== undefined && against === undefined) return fail([unitsOfNothing]);
  const isSystem = isLean && subjectOf(text)?.kind === "system";
  const asked = against === undefined ? ok(undefined) : await askedOf(against, units, isSystem);
  if (!asked.ok) return asked;
  if (isLean) return ok({ name, text, asked: asked.value });
  const trace = readTrace(text, asked.value?.kind === "run" ? asked.value.questions : undefined);
  return trace.ok ? ok({ name, text: leanFile(trace.value).text, asked: asked.value }) : trace;
}

/** Reads what a file is held against: the runs that it may be, or the system of a certificate. */
async function askedOf(
  against: string,
  units: string | undefined,
  isSystem: boolean,
): Promise<Result<Asked, readonly Issue[]>> {
  if (isSystem) return await askedSystem(against, units);
  const questions = await askedRuns(against);
  return questions.ok ? ok({ kind: "run", questions: questions.value }) : questions;
}

const neither: Issue = {
  code: "lean/format",
  pointer: "",
  message: "this is neither a trace nor an exported Lean file.",
  hint: `an exported file begins with ${formatLine} and a list of its claims`,
};

const unitsOfNothing: Issue = {
  code: "flag/inapplicable",
  pointer: "",
  message: "--units is of the graph that --against names, and none is named.",
  hint: "add --against GRAPH",
};
