import type { Command } from "commander";
import { showCase, showGraph, showProgram, showSsa, showTapeCase } from "../../conformance/report/index.ts";
import { toSsa } from "../../reference/state/index.ts";
import { checkQuestion, isQuestion } from "../../spec/documents/index.ts";
import { expand } from "../../spec/expansion/index.ts";
import type { Program } from "../../spec/programs/index.ts";
import { fail, type Issue, ok, type Result } from "../../spec/shapes/index.ts";
import { documentIn } from "../files/documents.ts";
import { graphOf } from "../given/given_graph.ts";
import { programOf } from "../given/given_program.ts";
import { tapesOf } from "../given/given_tapes.ts";
import { showIssue } from "../options/options.ts";
import { type ExitCode, exitCodes } from "../terminal/exit.ts";
import type { Terminal } from "../terminal/terminal.ts";

/** `adjudge show FILE`: a graph, case or vector as lines that people read. */
export function showCommand(program: Command, terminal: Terminal, end: (code: ExitCode) => void): void {
  program
    .command("show")
    .summary("print a graph, program, case or vector as people read it")
    .description(
      "Prints a line for each input and node: id, operator, operands, attributes and shape; of a case or vector its\n" +
        "numbers too; a program as one would write it; a script for tapes with a line for each step. The inner graph of\n" +
        "`differentiate` follows its node, whose id precedes the inner ones: 2.0, 2.1.",
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

async function linesOf(
  file: string,
  { expand: isExpanded = false, ssa: isSsa = false }: ShowFlags,
): Promise<Result<readonly string[], Issue[]>> {
  const json = await documentIn(file);
  if (!json.ok) return json;
  const tapes = tapesOf(json.value);
  if (tapes !== undefined && !isSsa) return tapes.ok ? ok(showTapeCase(tapes.value)) : tapes;
  const program = programOf(json.value);
  if (program !== undefined) return program.ok ? programLines(program.value.program, isSsa) : program;
  if (isSsa) return fail([noProgram]);
  if (isExpanded || !isQuestion(json.value)) {
    const graph = graphOf(json.value);
    return graph.ok ? ok(showGraph(isExpanded ? expand(graph.value).graph : graph.value)) : graph;
  }
  const checked = checkQuestion(json.value);
  return checked.ok ? ok(showCase(checked.value.case)) : checked;
}
