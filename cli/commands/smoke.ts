import type { Command } from "commander";
import { counted, folded, listed } from "../../conformance/report/index.ts";
import { type SmokeReport, smoke } from "../../conformance/runner/index.ts";
import { bundledEngine, quoteWord, splitWords } from "../../conformance/testees/index.ts";
import { visibleJson } from "../../spec/shapes/index.ts";
import { type ExitCode, exitCodes } from "../terminal/exit.ts";
import type { Terminal } from "../terminal/terminal.ts";

/** Adds `adjudge smoke COMMAND`, which tells what is wrong with an adapter. */
export function smokeCommand(program: Command, terminal: Terminal, end: (code: ExitCode) => void): void {
  program
    .command("smoke")
    .summary("tell what is wrong with an adapter")
    .description(
      "Starts an adapter and tries what it promises on numbers one can check in one's head: handshake, every operator,\n" +
        "precision and mode, special numbers on the wire, clean end. It finds faults of adapters; judge finds faults of\n" +
        "engines. Where a value is right and only a derivative is wrong, it says that the fault is the engine's.",
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
      else for (const line of verdictLines(result, first, rest)) terminal.out(line);
      end(result.isFine ? exitCodes.agrees : exitCodes.disagrees);
    });
}

/** Says whose the faults are; returns nothing where there are none. */
function verdictLines({ steps, engineFaults, isFine }: SmokeReport, ...[first, rest]: Argv): string[] {
  if (isFine) return [];
  const failed = steps.filter(({ outcome }) => outcome.kind === "failed").length;
  const own = failed - engineFaults.length;
  const command = [first, ...rest].map(quoteWord).join(" ");
  const ofEngine =
    engineFaults.length === 0
      ? []
      : [
          `${counted(engineFaults.length, "fault")} of the engine, not of the adapter: ${listed(engineFaults)}. ` +
            "The value is right, only the derivative is not, and other operators' are. " +
            `For the number, ask: adjudge judge -e ${quoteWord(command)}`,
        ];
  const ofAdapter =
    own === 0
      ? "The adapter is fine."
      : `${counted(own, "fault")} of the adapter, unless a value is wrong in the engine itself.`;
  return ["", ...ofEngine.flatMap((text) => folded(text)), ...folded(ofAdapter)];
}

type Argv = readonly [first: string, rest: readonly string[]];
