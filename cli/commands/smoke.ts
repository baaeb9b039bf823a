import type { Command } from "commander";
import { bundledEngine, smoke, splitWords } from "../../conformance/index.ts";
import { visibleJson } from "../../spec/index.ts";
import { type ExitCode, exitCodes } from "../exit.ts";
import type { Terminal } from "../terminal.ts";

/** `adjudge smoke COMMAND`: what is wrong with an adapter. */
export function smokeCommand(program: Command, terminal: Terminal, end: (code: ExitCode) => void): void {
  program
    .command("smoke")
    .summary("tell what is wrong with an adapter")
    .description(
      "Starts an adapter and tries what it promises on numbers one can check in the head: handshake, every operator,\n" +
        "precision and mode, special numbers on the wire, clean end. It finds faults of adapters; `judge` finds faults of engines.",
    )
    .argument(
      "<command...>",
      "the command that starts it, for example: adjudge smoke -- python3 my_adapter.py",
    )
    .option("--json", "print the report as JSON")
    .action(async (words: string[], options: { json?: boolean }) => {
      const [first, ...rest] = words.length === 1 ? splitWords(words[0] ?? "") : words;
      if (first === undefined) return end(exitCodes.badInput);
      if (rest.length === 0 && bundledEngine(first) !== undefined) {
        terminal.note(`${first} is a bundled engine, not a command; ask it with: adjudge judge -e ${first}`);
        return end(exitCodes.badInput);
      }
      const { green, red, yellow } = terminal.palette;
      const result = await smoke({ argv: [first, ...rest] }, {}, ({ name, outcome }) => {
        if (options.json === true) return;
        if (outcome.kind === "passed") terminal.out(`${green("✓")} ${name}`);
        else if (outcome.kind === "skipped") terminal.out(`${yellow("–")} ${name}: ${outcome.reason}`);
        else terminal.out(`${red("✗")} ${name}: ${outcome.message}\n    Hint: ${outcome.hint}`);
      });
      if (options.json === true) terminal.out(visibleJson(result));
      end(result.isFine ? exitCodes.agrees : exitCodes.disagrees);
    });
}
