import { type Command, Option } from "commander";
import { showCase, showTapeEntries, showTensor, tapeEntriesJson } from "../../conformance/report/index.ts";
import { questionOf, recordedCase, sweptCase } from "../../oracle/programs/index.ts";
import { type PolicyOrNone, policies, type Recording, tapeEntriesOf } from "../../reference/state/index.ts";
import { encodeCase, type ProgramCase } from "../../spec/documents/index.ts";
import type { Graph } from "../../spec/graph/index.ts";
import type { Program } from "../../spec/programs/index.ts";
import {
  fail,
  type Issue,
  issuesWithin,
  ok,
  type Result,
  visible,
  visibleJson,
} from "../../spec/shapes/index.ts";
import { documentIn } from "../files/documents.ts";
import { checkWritable, writeText } from "../files/files.ts";
import { graphOf } from "../given/given_graph.ts";
import { noCase, programCaseIn, programOf } from "../given/given_program.ts";
import { statementWriter } from "../given/given_text.ts";
import { report, showIssue } from "../options/options.ts";
import { type ExitCode, exitCodes } from "../terminal/exit.ts";
import type { Terminal } from "../terminal/terminal.ts";

interface RecordFlags {
  readonly policy?: PolicyOrNone;
  readonly tape?: boolean;
  readonly json?: boolean;
  readonly output?: string;
}

const description = `Runs a program once, at the point that FILE gives (adjudge.program-case.v1), and prints what it computed as a
graph, without memory, branches and loops. --json prints the case that engines are asked
(adjudge.case.v1); judge takes FILE as well, and asks them the same.

--policy sweeps back with a tape that saves references to operands, and says what happens where one was
overwritten: forbid, copy, version or recompute; none reads what stands there now. docs/programs.md says more.

--tape prints the tape entry by entry: each operation, its inputs, what its rule saves, shapes and strides, and
the operands that it reads where they lie in memory. FILE may be a graph here (docs/tapes.md).`;

/** Adds `adjudge record FILE`, which writes the run of a program as a graph. */
export function recordCommand(program: Command, terminal: Terminal, end: (code: ExitCode) => void): void {
  program
    .command("record")
    .summary("print the run of a program as a graph")
    .description(description)
    .argument("<file>", "a program case, or - for standard input")
    .addOption(new Option("--policy <name>", "sweep back under a policy").choices([...policies, "none"]))
    .option("--tape", "print what a tape of the run has, entry by entry")
    .option("--json", "print the case (adjudge.case.v1), or with --tape its entries")
    .option("-o, --output <file>", "write that file")
    .action(async (file: string, flags: RecordFlags) => {
      const told = await run(file, flags, terminal);
      if (!told.ok) report(terminal, told.error);
      end(told.ok ? exitCodes.agrees : exitCodes.badInput);
    });
}

async function run(file: string, flags: RecordFlags, terminal: Terminal): Promise<Result<unknown, Issue[]>> {
  const writable = flags.output === undefined ? ok(undefined) : await checkWritable(flags.output);
  if (!writable.ok) return writable;
  if (flags.tape === true) return await showTape(file, flags, terminal);
  const question = await programCaseIn(file);
  if (!question.ok) return question;
  if (flags.policy !== undefined) return sweep(question.value, flags.policy, terminal);
  const recorded = recordedCase(question.value);
  if (!recorded.ok) return recorded;
  const json = visibleJson(encodeCase(recorded.value));
  if (flags.output !== undefined) return writeText(flags.output, `${json}\n`);
  for (const line of flags.json === true ? [json] : showCase(recorded.value)) terminal.out(line);
  return ok(undefined);
}

/** Sweeps back under a policy, and prints a line for each cotangent, or the refusal. */
function sweep(question: ProgramCase, policy: PolicyOrNone, terminal: Terminal): Result<unknown, Issue[]> {
  const swept = sweptCase(question, policy);
  if (!swept.ok) return swept;
  if (swept.value.kind === "refused") {
    const { by, issue } = swept.value;
    terminal.out(by === "write" ? "refused at the write" : "refused by the sweep");
    for (const refusal of issuesWithin("/program", [issue])) terminal.out(`  ${showIssue(refusal)}`);
    return ok(undefined);
  }
  const { program } = question;
  const names = [...(program.procedures[0]?.parameters ?? []), ...program.state].map(({ name }) => name);
  for (const [i, cotangent] of swept.value.cotangents.entries()) {
    const shown =
      cotangent === undefined
        ? "nothing arrives"
        : showTensor({ shape: cotangent.shape, data: Float64Array.from(cotangent.data) });
    terminal.out(`cotangent of ${visible(names[i] ?? "")} = ${shown}`);
  }
  const { copies, recomputed } = swept.value;
  terminal.out(`${copies} copied, ${recomputed} computed again`);
  return ok(undefined);
}

/** Prints the tape of a program's run, or of a graph. */
async function showTape(
  file: string,
  { json = false, output }: RecordFlags,
  terminal: Terminal,
): Promise<Result<unknown, Issue[]>> {
  const run = await recordedRun(file);
  if (!run.ok) return run;
  const { graph, recording, program } = run.value;
  const tape = tapeEntriesOf(graph, recording);
  if (!tape.ok) return tape;
  const written = program === undefined ? undefined : { program, write: await statementWriter(program) };
  const shown = { graph, ...tape.value, ...(written === undefined ? {} : { program: written }) };
  const lines =
    json || output !== undefined
      ? [visibleJson(tapeEntriesJson(shown))]
      : showTapeEntries(shown, terminal.columns);
  if (output !== undefined) return await writeText(output, `${lines.join("\n")}\n`);
  for (const line of lines) terminal.out(line);
  return ok(undefined);
}

/** A run has a graph; of a program there is a recording too, which says what lay in which memory. */
interface RecordedRun {
  readonly graph: Graph;
  readonly recording?: Recording<number>;
  readonly program?: Program;
}

async function recordedRun(file: string): Promise<Result<RecordedRun, Issue[]>> {
  const json = await documentIn(file);
  if (!json.ok) return json;
  const given = programOf(json.value);
  if (given === undefined) {
    const graph = graphOf(json.value);
    return graph.ok ? ok({ graph: graph.value }) : graph;
  }
  if (!given.ok) return given;
  const { program, question } = given.value;
  if (question === undefined) return fail([noCase]);
  const run = questionOf(question);
  if (!run.ok) return run;
  const { recording } = run.value;
  return ok({ graph: recording.graph, recording, program });
}
