import type { Command } from "commander";
import { showGraph, showProgram, showSsa } from "../../conformance/report/index.ts";
import { toSsa } from "../../reference/state/index.ts";
import { expand } from "../../spec/expansion/index.ts";
import type { Program } from "../../spec/programs/index.ts";
import { checkAll, fail, type Issue, ok, type Result } from "../../spec/shapes/index.ts";
import { documentsIn, type GivenDocument } from "../files/documents.ts";
import { graphOf } from "../given/given_graph.ts";
import { programOf } from "../given/given_program.ts";
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
      "Prints the text of a graph, of a case or a vector with its numbers, which can be read back (docs/text.md); a\n" +
        "program as one would write it; a script for tapes with a line for each step. %3 is the value with id 3.",
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

/** Shows a program as one would write it, or with every name assigned once. */
function programLines(program: Program, isSsa: boolean): Result<readonly string[], Issue[]> {
  if (!isSsa) return ok(showProgram(program));
  const form = toSsa(program);
  return form.ok ? ok(showSsa(form.value)) : form;
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
  const shown = checkAll(documents.value, (document) => linesOfDocument(document, flags));
  return shown.ok ? ok(shown.value.flatMap((lines, i) => (i === 0 ? lines : ["", ...lines]))) : shown;
}

function linesOfDocument(
  document: GivenDocument,
  { expand: isExpanded = false, ssa: isSsa = false }: ShowFlags,
): Result<readonly string[], Issue[]> {
  const { json } = document;
  const program = programOf(json);
  if (program !== undefined) return program.ok ? programLines(program.value.program, isSsa) : program;
  if (isSsa) return fail([noProgram]);
  const graph = isExpanded ? graphOf(json) : undefined;
  if (graph?.ok === true) return ok(showGraph(expand(graph.value).graph, document.name));
  const text = graph ?? textOf(document, "shown");
  return text.ok ? ok(text.value.trimEnd().split("\n")) : text;
}
