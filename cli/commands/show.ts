import type { Command } from "commander";
import {
  effectsJson,
  narrowed,
  sharingJson,
  showEffects,
  showGraph,
  showSharing,
  showSsa,
} from "../../conformance/report/index.ts";
import { questionOf } from "../../oracle/programs/index.ts";
import { effectsIn, resultsFromOutside, sharingOf, toSsa } from "../../reference/state/index.ts";
import type { ProgramCase } from "../../spec/documents/index.ts";
import { expand } from "../../spec/expansion/index.ts";
import { checkAll, fail, type Issue, ok, type Result, visibleJson } from "../../spec/shapes/index.ts";
import { documentsIn, type GivenDocument } from "../files/documents.ts";
import { graphOf } from "../given/given_graph.ts";
import { type GivenProgram, programOf } from "../given/given_program.ts";
import { tapesOf } from "../given/given_tapes.ts";
import { statementWriter, textOf } from "../given/given_text.ts";
import { showIssue } from "../options/options.ts";
import { type ExitCode, exitCodes } from "../terminal/exit.ts";
import type { Terminal } from "../terminal/terminal.ts";

/** Adds `adjudge show FILE`, which shows a graph, case or vector as a text that people read. */
export function showCommand(program: Command, terminal: Terminal, end: (code: ExitCode) => void): void {
  program
    .command("show")
    .summary("print a graph, program, case or vector as people read it")
    .description(
      "Prints the text of a graph, a program or a script for tapes, of a case or a vector with its numbers, which can be\n" +
        "read back (docs/text.md). %3 is the value with id 3.",
    )
    .argument("<file>", "a file of a graph, program, case or vector, or - for standard input")
    .option("--expand", "write composites out as primitives")
    .option("--ssa", "of a program: every name assigned once, without memory")
    .option("--aliases", "of a program: which references share a location, and what overwrites it")
    .option("--effects", "of a program: what draws, receives, sends, decides, overwrites state")
    .option("--json", "with --aliases or --effects: print JSON")
    .action(async (file: string, options: ShowFlags) => {
      const lines = await linesOf(file, options, terminal);
      if (lines.ok) for (const line of lines.value) terminal.out(line);
      else for (const issue of lines.error) terminal.note(showIssue(issue));
      end(lines.ok ? exitCodes.agrees : exitCodes.badInput);
    });
}

interface ShowFlags {
  readonly expand?: boolean;
  readonly ssa?: boolean;
  readonly aliases?: boolean;
  readonly effects?: boolean;
  readonly json?: boolean;
}

const noProgram: Issue = {
  code: "program/case",
  pointer: "/format",
  message: "the file has no program, and only a program has memory and control flow.",
  hint: "leave --ssa, --aliases and --effects out: a graph assigns every id once as it is",
};

/** Shows every document of a file. What is told of one is folded; a text, which can be read back, is not. */
async function linesOf(
  file: string,
  flags: ShowFlags,
  { columns }: Pick<Terminal, "columns">,
): Promise<Result<readonly string[], Issue[]>> {
  const documents = await documentsIn(file);
  if (!documents.ok) return documents;
  const all = await Promise.all(documents.value.map((document) => linesOfDocument(document, flags, columns)));
  const shown = checkAll(all, (lines) => lines);
  return shown.ok ? ok(shown.value.flatMap((lines, i) => (i === 0 ? lines : ["", ...lines]))) : shown;
}

async function linesOfDocument(
  document: GivenDocument,
  flags: ShowFlags,
  columns: number,
): Promise<Result<readonly string[], Issue[]>> {
  const { expand: isExpanded = false, ssa: isSsa = false, aliases = false, effects = false } = flags;
  const { json, name } = document;
  const program = programOf(json);
  if (aliases || effects)
    return program === undefined ? fail([noProgram]) : await toldLines(program, flags, columns);
  if (isSsa) return program === undefined ? fail([noProgram]) : ssaLines(program, columns);
  if (isExpanded && program === undefined && tapesOf(json) === undefined) {
    const graph = graphOf(json);
    return graph.ok ? ok(showGraph(expand(graph.value).graph, name)) : graph;
  }
  const text = await textOf(document, "shown");
  return text.ok ? ok(text.value.trimEnd().split("\n")) : text;
}

function ssaLines(
  program: Result<GivenProgram, Issue[]>,
  columns: number,
): Result<readonly string[], Issue[]> {
  const form = program.ok ? toSsa(program.value.program) : program;
  return form.ok ? ok(showSsa(form.value).flatMap((line) => narrowed(line, columns))) : form;
}

/** Tells what a program's references share, and its effects, as lines or as JSON. */
async function toldLines(
  given: Result<GivenProgram, Issue[]>,
  { aliases = false, effects = false, json = false }: ShowFlags,
  columns: number,
): Promise<Result<readonly string[], Issue[]>> {
  if (!given.ok) return given;
  const { program, question } = given.value;
  const write = await statementWriter(program);
  const outside = effects && question !== undefined ? placesFromOutside(question) : undefined;
  const told = {
    ...(aliases ? { aliases: sharingJson(program, sharingOf(program), write) } : {}),
    ...(effects ? { effects: effectsJson(program, effectsIn(program), write, outside) } : {}),
  };
  if (json) return ok([visibleJson(told)]);
  return ok([
    ...(told.aliases === undefined ? [] : showSharing(told.aliases, columns)),
    ...(told.effects === undefined ? [] : showEffects(told.effects, columns)),
  ]);
}

/** Finds the results that depend on what came from outside; `undefined` where the run is refused. */
function placesFromOutside(question: ProgramCase): number[] | undefined {
  const run = questionOf(question);
  return run.ok ? resultsFromOutside(run.value.recording) : undefined;
}
