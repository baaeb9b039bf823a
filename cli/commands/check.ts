import type { Command } from "commander";
import { type Issue, visible, visibleJson } from "../../spec/shapes/index.ts";
import { documentsIn } from "../files/documents.ts";
import { checkDocument } from "../given/given_program.ts";
import { showIssue } from "../options/options.ts";
import { type VerbosityFlags, withVerbosity } from "../options/verbosity.ts";
import { type ExitCode, exitCodes } from "../terminal/exit.ts";
import type { Terminal } from "../terminal/terminal.ts";

/** Adds `adjudge check FILE…`, which tells whether graphs and cases are well-formed. */
export function checkCommand(program: Command, terminal: Terminal, end: (code: ExitCode) => void): void {
  withVerbosity(program.command("check"), "print only what is wrong")
    .summary("say whether graphs, programs, cases and vectors are well-formed")
    .description(
      "Checks schema, shapes, order and names of files that hold a graph (adjudge.graph.v1), a program\n" +
        "(adjudge.program.v1), a case or a vector of either (adjudge.case.v1, adjudge.vector.v1, adjudge.program-case.v1,\n" +
        "adjudge.program-vector.v1), or a script for tapes (adjudge.tape-case.v1, adjudge.tape-vector.v1).\n" +
        "Lists every fault with its place and what would make it right.",
    )
    .argument("<files...>", "paths, or - for standard input")
    .option("--json", "print the issues as JSON")
    .action(async (files: string[], options: CheckFlags) => {
      const results = (await Promise.all(files.map(checkedIn))).flat();
      if (options.json === true) terminal.out(visibleJson(results.map(asJson)));
      else for (const one of results.filter(isTold(options))) printIssues(terminal, one.file, one.issues);
      end(results.every(({ issues }) => issues.length === 0) ? exitCodes.agrees : exitCodes.badInput);
    });
}

interface CheckFlags extends VerbosityFlags {
  readonly json?: boolean;
}

/** Tells of a document whether people are told of it. */
function isTold({ verbosity }: CheckFlags): (checked: Checked) => boolean {
  return ({ issues }) => verbosity !== "quiet" || issues.length > 0;
}

/** What is wrong with a document of a file, or with the file. */
interface Checked {
  readonly file: string;
  readonly issues: readonly Issue[];
}

async function checkedIn(file: string): Promise<readonly Checked[]> {
  const documents = await documentsIn(file);
  if (!documents.ok) return [{ file, issues: documents.error }];
  return documents.value.map(({ place, json }) => {
    const checked = checkDocument(json);
    return { file: place, issues: checked.ok ? [] : checked.error };
  });
}

/** Leaves out what shows an issue to people. */
function asJson({ file, issues }: Checked): Checked {
  return {
    file,
    issues: issues.map(({ code, pointer, message, hint }) => ({ code, pointer, message, hint })),
  };
}

function printIssues(terminal: Terminal, file: string, issues: readonly Issue[]): void {
  const { green, red } = terminal.palette;
  if (issues.length === 0) terminal.out(`${green("✓")} ${visible(file)}`);
  else terminal.out(`${red("✗")} ${visible(file)}`);
  for (const issue of issues) terminal.out(showIssue(issue).replace(/^/gm, "  "));
}
