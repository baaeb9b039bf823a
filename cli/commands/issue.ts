import { join } from "node:path";
import process from "node:process";
import type { Command } from "commander";
import {
  issueMarkdown,
  issueQuestion,
  type Printer,
  printers,
  type ShownScript,
} from "../../conformance/issue/index.ts";
import { chooseEngine } from "../../conformance/testees/index.ts";
import { caseFile, verdictOf } from "../../lean-export/campaign/index.ts";
import type { Case } from "../../oracle/case/index.ts";
import type { Verdict } from "../../oracle/hearing/index.ts";
import { judge } from "../../oracle/judge/index.ts";
import type { Engine } from "../../spec/contract/index.ts";
import { fail, ok, type Result } from "../../spec/shapes/index.ts";
import { caseText } from "../../spec/text/writer.ts";
import type { DataType } from "../../spec/wire/index.ts";
import { issueCase } from "../campaign/issue_case.ts";
import { writeTexts } from "../files/files.ts";
import { type ConfigFlags, withConfig } from "../options/config.ts";
import {
  type BudgetFlags,
  budgetOf,
  dtypeOption,
  naturalNumber,
  report,
  withBudget,
} from "../options/options.ts";
import { type ExitCode, exitCodeOfVerdict, exitCodes } from "../terminal/exit.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { packageVersion } from "../terminal/version.ts";

const description = `Asks an engine once more for what it got wrong, and writes what can be sent to its authors: NAME.md, the
smallest case as NAME.adj, and a script NAME.py, NAME.mjs, NAME.rs or NAME.go that calls the engine's library
and nothing of adjudge. The script exits with 1 while the fault is there, 0 once it is gone, and 2 where the
library cannot be asked. With --lean the true run of that case is written too, as theorems for Lean's kernel
(adjudge lean check NAME.lean), and in NAME.verdict.lean the proof that the answer is farther from the true number
than its bound. FINDING is a case or a vector, with --engine; or a report of judge, with --finding
where it has several.

Exit codes: as of judge for that case; 2 bad input.`;

interface IssueFlags extends BudgetFlags, ConfigFlags {
  readonly engine?: string;
  readonly dtype: readonly DataType[];
  readonly finding?: number;
  readonly lean?: boolean;
  readonly out: string;
}

/** Adds `adjudge issue FINDING`. */
export function issueCommand(program: Command, terminal: Terminal, end: (code: ExitCode) => void): void {
  withConfig(withBudget(program.command("issue")), ["maxElements", "maxWork"], terminal)
    .summary("write a report to send upstream, and a script that shows the fault without adjudge")
    .description(description)
    .argument("<finding>", "a case, a vector, or a report (adjudge.report.v1)")
    .option("-e, --engine <name-or-command>", "the engine to ask (default: the report's)")
    .option(
      "-d, --dtype <precision>",
      "float64, float32 … (default: the report's, or the engine's first)",
      dtypeOption,
      [],
    )
    .option("--finding <number>", "which of a report's findings, from 1", naturalNumber)
    .option("--lean", "write the true run of the smallest case, and the verdict, as theorems too")
    .option("-o, --out <folder>", "where the files go", ".")
    .action(async (path: string, flags: IssueFlags) => end(await issue(path, flags, terminal)));
}

async function issue(path: string, flags: IssueFlags, terminal: Terminal): Promise<ExitCode> {
  const found = await issueCase(path, flags.finding);
  if (!found.ok) return told(terminal, found.error);
  const label = flags.engine ?? found.value.engine;
  if (label === undefined) {
    terminal.note("say with --engine which engine to ask");
    return exitCodes.badInput;
  }
  const choice = chooseEngine(label, flags.named);
  if (!choice.ok) return told(terminal, choice.error);
  const started = await choice.value.start({});
  if (started.kind !== "started") {
    terminal.note(
      started.kind === "missing" ? `${label} is not installed: ${started.reason}` : `${label} did not start`,
    );
    return started.kind === "missing" ? exitCodes.nothingRun : exitCodes.undecided;
  }
  await using engine = started.engine;
  const dtype = flags.dtype[0] ?? found.value.dtype ?? engine.describe().dtypes[0] ?? "float64";
  const asked = found.value.asked(engine.describe());
  const verdict = await judge(engine, asked, { dtype, budget: budgetOf(flags), ...found.value.choices });
  if (verdict.kind !== "disagrees" && verdict.kind !== "crashed") {
    terminal.note(`there is nothing to report: the engine's answer is ${verdict.kind}`);
    return exitCodeOfVerdict(verdict);
  }
  const name = found.value.name.replace(/[^\w.-]+/g, "_");
  const printer = printers.get(label);
  const script = await scriptOf(printer, engine, asked, dtype, verdict);
  const smallest = smallestOf(verdict, asked);
  const proofs = flags.lean === true ? proofsOf(verdict, smallest) : [];
  const markdown = issueMarkdown({
    description: engine.describe(),
    dtype,
    asked,
    verdict,
    script,
    environment: environmentOf(engine),
    replay: `npx adjudge replay ${name}.adj -e ${label} --dtype ${dtype}`,
  });
  const texts = new Map([
    [`${name}.md`, markdown],
    [`${name}.adj`, caseText(smallest)],
    ...(script.ok ? [[`${name}.${script.value.ending}`, script.value.text] as const] : []),
    ...proofs.flatMap(({ ending, file }) =>
      file.ok ? [[`${name}.${ending}`, file.value.text] as const] : [],
    ),
  ]);
  const written = await writeTexts(flags.out, texts);
  if (!written.ok) return told(terminal, written.error);
  for (const file of texts.keys()) terminal.out(join(flags.out, file));
  if (!script.ok) terminal.note(`there is no script: ${script.error}`);
  for (const { file, missing } of proofs) {
    if (file.ok) continue;
    terminal.note(`${missing}:`);
    report(terminal, file.error);
  }
  return exitCodeOfVerdict(verdict);
}

function told(terminal: Terminal, issues: Parameters<typeof report>[1]): ExitCode {
  report(terminal, issues);
  return exitCodes.badInput;
}

/** A file for Lean's kernel, or why there is none. */
interface Proof {
  readonly ending: string;
  readonly missing: string;
  readonly file: ReturnType<typeof verdictOf>;
}

/** Returns the true run of a case, and the verdict on what a witness shows. */
function proofsOf(verdict: Verdict, smallest: Case): readonly Proof[] {
  const run = { ending: "lean", missing: "there are no theorems", file: caseFile(smallest) };
  if (verdict.kind !== "disagrees") return [run];
  const judged = {
    ending: "verdict.lean",
    missing: "the verdict is not proved",
    file: verdictOf(verdict.witness),
  };
  return [run, judged];
}

/** Returns the smallest case that shows the fault. */
function smallestOf(verdict: Verdict, asked: Case): Case {
  if (verdict.kind === "disagrees") return verdict.witness.case;
  return verdict.kind === "crashed" ? (verdict.case ?? asked) : asked;
}

/** Writes the script and runs it. Fails with a reason, for instance where it does not show the fault. */
async function scriptOf(
  printer: Printer | undefined,
  engine: Engine,
  asked: Case,
  dtype: DataType,
  verdict: Verdict,
): Promise<Result<ShownScript, string>> {
  if (printer === undefined) return fail("adjudge has no printer of calls to this engine's library");
  const question = await issueQuestion(engine, asked, dtype, verdict);
  if (!question.ok) return question;
  const [text] = await printer.scripts([question.value]);
  if (text === undefined || !text.ok) return text ?? fail("the printer wrote none");
  const { codes, printed } = printer.run([text.value]);
  if (codes[0] !== 1) return fail(`the one written does not reproduce the fault (exit code ${codes[0]})`);
  return ok({ text: text.value, ending: printer.ending, printed });
}

function environmentOf(engine: Engine): string[] {
  const { name, version, language, links } = engine.describe();
  return [
    `${name} ${version}, ${language}: ${links.join(", ")}`,
    `${process.platform}, ${process.arch}`,
    `adjudge ${packageVersion()}, Node ${process.versions.node}`,
  ];
}
