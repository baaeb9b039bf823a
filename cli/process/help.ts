import { type Command, Help } from "commander";
import type { Terminal } from "../terminal/terminal.ts";
import { type Example, examples, firstExamples } from "./examples.ts";

/** Has the command line explain itself in this terminal's columns, in paragraphs that are wrapped once. */
export function explained(program: Command, { columns }: Pick<Terminal, "columns">): Command {
  const usual = new Help();
  return program
    .configureOutput({ getOutHelpWidth: () => columns, getErrHelpWidth: () => columns })
    .configureHelp({
      // Less room than this beside the options is no column of text.
      minWidthToWrap: 20,
      subcommandTerm: (command) => command.name(),
      commandDescription: (command) => unwrapped(usual.commandDescription(command)),
      // An empty list is what a flag that may be repeated begins with, and tells nobody anything.
      optionDescription: (option) => usual.optionDescription(option).replace(" (default: [])", ""),
    });
}

/** Ends the help of each command with its examples, and that of the whole with some. */
export function withExamples(program: Command): void {
  program.addHelpText("after", `${linesOf(firstExamples)}\n\ndocs/protocol.md says how to write an adapter.`);
  const add = (command: Command, above: string): void => {
    const name = `${above}${command.name()}`;
    const own = examples[name] ?? [];
    if (own.length > 0) command.addHelpText("after", linesOf(own));
    for (const one of command.commands) add(one, `${name} `);
  };
  for (const command of program.commands) add(command, "");
}

function linesOf(some: readonly Example[]): string {
  return ["", "Examples:", ...some.flatMap(([line, purpose]) => [`  ${line}`, `      ${purpose}`])].join(
    "\n",
  );
}

/** Returns a text whose paragraphs have one line each. */
function unwrapped(text: string): string {
  return text
    .split("\n\n")
    .map((paragraph) => paragraph.replaceAll("\n", " "))
    .join("\n\n");
}
