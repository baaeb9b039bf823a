import type { Command } from "commander";
import { fail, type Issue, ok, type Result, visible } from "../../spec/shapes/index.ts";
import { issueOf } from "../files/documents.ts";
import { readInput, writeText } from "../files/files.ts";
import { report } from "../options/options.ts";
import { type ExitCode, exitCodes } from "../terminal/exit.ts";
import type { Terminal } from "../terminal/terminal.ts";

interface FmtFlags {
  readonly check?: boolean;
}

/** Adds `adjudge fmt FILE…`, which makes the layout of texts uniform. */
export function fmtCommand(program: Command, terminal: Terminal, end: (code: ExitCode) => void): void {
  program
    .command("fmt")
    .summary("lay texts out as everybody's are")
    .description(
      "Writes texts (docs/text.md) with uniform indents, blanks and line breaks; comments and names stay. The files that\n" +
        "change are listed. - is standard input, which goes to standard output.",
    )
    .argument("<files...>", "texts, or - for standard input")
    .option("--check", "change nothing; the exit code is 1 if a file would change")
    .action(async (files: string[], flags: FmtFlags) => {
      const codes: ExitCode[] = [];
      for (const file of files) codes.push(await formatted(file, flags, terminal));
      end(codes.find((code) => code === exitCodes.badInput) ?? codes.find((code) => code !== 0) ?? 0);
    });
}

/** Formats one file, or tells whether it would change. */
async function formatted(file: string, { check }: FmtFlags, terminal: Terminal): Promise<ExitCode> {
  const texts = await textsOf(file);
  if (!texts.ok) {
    report(terminal, texts.error);
    return exitCodes.badInput;
  }
  const { before, after } = texts.value;
  if (file === "-" && check !== true) terminal.out(after.trimEnd());
  if (before === after) return exitCodes.agrees;
  if (file !== "-" || check === true) terminal.out(visible(file));
  if (check === true) return exitCodes.disagrees;
  const written = file === "-" ? ok(undefined) : await writeText(file, after);
  if (!written.ok) report(terminal, written.error);
  return written.ok ? exitCodes.agrees : exitCodes.badInput;
}

/** Reads a text, and formats it. Fails: `file/…`, `text/…`. */
async function textsOf(
  file: string,
): Promise<Result<{ readonly before: string; readonly after: string }, readonly Issue[]>> {
  const before = await readInput(file);
  if (!before.ok) return before;
  const { formatText, frameOf, positionOf } = await import("../../spec/text/index.ts");
  const text = before.value.replace(/^\uFEFF/, "");
  const after = formatText(text);
  if (after.ok) return ok({ before: before.value, after: after.value });
  return fail(after.error.map((fault) => issueOf(file, text, fault, { frameOf, positionOf })));
}
