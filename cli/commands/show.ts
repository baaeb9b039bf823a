import type { Command } from "commander";
import { showGraph, showSsa } from "../../conformance/report/index.ts";
import { toSsa } from "../../reference/state/index.ts";
import { expand } from "../../spec/expansion/index.ts";
import { checkAll, fail, type Issue, ok, type Result } from "../../spec/shapes/index.ts";
import { documentsIn, type GivenDocument } from "../files/documents.ts";
import { graphOf } from "../given/given_graph.ts";
import { type GivenProgram, programOf } from "../given/given_program.ts";
import { tapesOf } from "../given/given_tapes.ts";
import { textOf } from "../given/given_text.ts";
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
    .action(async (file: string, options: ShowFlags) => {
      const lines = await linesOf(file, options);
      if (lines.ok) for (const line of lines.value) terminal.out(line);
      else for (const issue of lines.error) terminal.note(showIssue(issue));
      end(lines.ok ? exitCodes.agrees : exitCodes.badInput);
    });
}

interface ShowFlags {
  readonly expand?: boolean;
  readonly ssa?: boolean;
}

const noProgram: Issue = {
  code: "program/case",
  pointer: "/format",
  message: "the file has no program, and only a program has memory and control flow.",
  hint: "leave --ssa out: a graph assigns every id once as it is",
};

/** Shows every document of a file. */
async function linesOf(file: string, flags: ShowFlags): Promise<Result<readonly string[], Issue[]>> {
  const documents = await documentsIn(file);
  if (!documents.ok) return documents;
  const all = await Promise.all(documents.value.map((document) => linesOfDocument(document, flags)));
  const shown = checkAll(all, (lines) => lines);
  return shown.ok ? ok(shown.value.flatMap((lines, i) => (i === 0 ? lines : ["", ...lines]))) : shown;
}

async function linesOfDocument(
  document: GivenDocument,
  { expand: isExpanded = false, ssa: isSsa = false }: ShowFlags,
): Promise<Result<readonly string[], Issue[]>> {
  const { json, name } = document;
  const program = programOf(json);
  if (isSsa) return program === undefined ? fail([noProgram]) : ssaLines(program);
  if (isExpanded && program === undefined && tapesOf(json) === undefined) {
    const graph = graphOf(json);
    return graph.ok ? ok(showGraph(expand(graph.value).graph, name)) : graph;
  }
  const text = await textOf(document, "shown");
  return text.ok ? ok(text.value.trimEnd().split("\n")) : text;
}

function ssaLines(program: Result<GivenProgram, Issue[]>): Result<readonly string[], Issue[]> {
  const form = program.ok ? toSsa(program.value.program) : program;
  return form.ok ? ok(showSsa(form.value)) : form;
}
