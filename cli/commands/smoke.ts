import type { Command } from "commander";
import { counted, folded, listed } from "../../conformance/report/index.ts";
import { causeOf, type SmokeReport, type SmokeStep, smoke } from "../../conformance/runner/index.ts";
import { bundledEngine, quoteWord, splitWords } from "../../conformance/testees/index.ts";
import { visibleJson } from "../../spec/shapes/index.ts";
import { type VerbosityFlags, withVerbosity } from "../options/verbosity.ts";
import { type ExitCode, exitCodes } from "../terminal/exit.ts";
import type { Terminal } from "../terminal/terminal.ts";

/** Adds `adjudge smoke COMMAND`, which tells what is wrong with an adapter. */
export function smokeCommand(program: Command, terminal: Terminal, end: (code: ExitCode) => void): void {
  const command = program.command("smoke");
  withVerbosity(
    command,
    "print only what failed, and the last line",
    "print every step that passed or was skipped too",
  )
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
    .action(async (words: string[], options: SmokeFlags) => {
      const [first, ...rest] = words.length === 1 ? splitWords(words[0] ?? "") : words;
      if (first === undefined) return end(exitCodes.badInput);
      if (rest.length === 0 && bundledEngine(first) !== undefined) {
        terminal.note(`${first} is a bundled engine, not a command; ask it with: adjudge judge -e ${first}`);
        return end(exitCodes.badInput);
      }
      const causes: Causes = new Map();
      const tell = (step: SmokeStep): void => {
        if (isNews(step, causes)) tellStep(step, options, terminal);
      };
      const result = await smoke({ argv: [first, ...rest] }, {}, tell);
      if (options.json === true) terminal.out(visibleJson(result));
      else {
        const lines = [
          ...alikeLines(causes, terminal),
          ...verdictLines(result, options, terminal, [first, ...rest]),
        ];
        for (const line of lines) terminal.out(line);
      }
      end(result.isFine ? exitCodes.agrees : exitCodes.disagrees);
    });
}

interface SmokeFlags extends VerbosityFlags {
  readonly json?: boolean;
}

/** By cause, the step that was told, and those that failed alike. */
type Causes = Map<string, { readonly told: string; readonly alike: string[] }>;

/** Tells whether a step is no failure of a cause that was told; notes it if it is. */
function isNews(step: SmokeStep, causes: Causes): boolean {
  const cause = causeOf(step);
  const known = cause === undefined ? undefined : causes.get(cause);
  if (cause !== undefined && known === undefined) causes.set(cause, { told: step.name, alike: [] });
  known?.alike.push(step.name);
  return known === undefined;
}

/** Names the steps that failed as one did that was told, a few of each cause. */
function alikeLines(causes: Causes, { palette: { red }, columns }: Terminal): string[] {
  return [...causes.values()]
    .filter(({ alike }) => alike.length > 0)
    .flatMap(({ told, alike }) =>
      folded(`${red("✗")} ${alike.length} more failed as ${told} did: ${listed(alike, 6)}`, "", columns),
    );
}

/** Prints a step that failed, and one that did not where all are wanted. */
function tellStep(
  { name, outcome }: SmokeStep,
  { json, verbosity }: SmokeFlags,
  { palette: { green, red, yellow }, out, progress }: Terminal,
): void {
  if (json === true) return;
  const isWanted = verbosity === "verbose";
  if (outcome.kind === "failed") out(`${red("✗")} ${name}: ${outcome.message}\n    Hint: ${outcome.hint}`);
  else if (isWanted && outcome.kind === "passed") out(`${green("✓")} ${name}`);
  else if (isWanted && outcome.kind === "skipped") out(`${yellow("–")} ${name}: ${outcome.reason}`);
  progress(name);
}

/** Counts the steps, on one line, behind what is said of whose the faults are. */
function verdictLines(
  report: SmokeReport,
  { verbosity }: SmokeFlags,
  { palette: { green, red }, columns }: Terminal,
  argv: readonly string[],
): string[] {
  const { steps, isFine } = report;
  const count = (kind: SmokeStep["outcome"]["kind"]): number =>
    steps.filter(({ outcome }) => outcome.kind === kind).length;
  const skipped = count("skipped");
  const last =
    `${isFine ? green("✓") : red("✗")} ${count("passed")} of ${counted(steps.length, "step")} passed, ` +
    `${count("failed")} failed${skipped === 0 ? "" : `, ${skipped} skipped`}${verbosity === "verbose" ? "" : " (-v lists all)"}`;
  const faults = verbosity === "quiet" ? [] : faultLines(report, argv, columns);
  return [...faults, ...folded(last, "", columns)];
}

/** Says whose the faults are; returns nothing where there are none. */
function faultLines(
  { steps, engineFaults, isFine }: SmokeReport,
  argv: readonly string[],
  columns: number,
): string[] {
  if (isFine) return [];
  const failed = steps.filter(({ outcome }) => outcome.kind === "failed").length;
  const own = failed - engineFaults.length;
  const command = argv.map(quoteWord).join(" ");
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
  return ["", ...ofEngine.flatMap((text) => folded(text, "", columns)), ...folded(ofAdapter, "", columns)];
}
