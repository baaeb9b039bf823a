import { Command, CommanderError } from "commander";
import { visible } from "../../spec/shapes/index.ts";
import { type ExitCode, exitCodes } from "../terminal/exit.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { packageVersion } from "../terminal/version.ts";

const examples = `
Examples:
  adjudge judge                                  judge the bundled engines on random graphs
  adjudge judge -e "python3 my_adapter.py"       judge your own
  adjudge judge --kind tapes -e pytorch          the same of tapes, programs, forward-gradients
  adjudge smoke -- python3 my_adapter.py         find out why your adapter does not work
  adjudge run graph.json -a rational -i x=1/3    what the gradient is, exactly
  adjudge check graph.adj                        what is wrong with a graph, in text or JSON
  adjudge fmt graph.adj                          its text, laid out as everybody's
  adjudge convert graph.json graph.adj           JSON as text, and back
  adjudge derive graph.json --mode vjp           its derivative, as a graph
  adjudge explain graph.json -u units.json       what its values are measured in
  adjudge lifetimes graph.json                   how long a run needs its values
  adjudge record program.json                    the run of a program, as a graph
  adjudge programs -e pytorch                    judge engines on programs with memory
  adjudge storage-profile -- ./my_framework      codes instead of floats: thirteen points
  adjudge report found.json --as junit            a report, as CI systems read it
  adjudge issue case.json -e jax                 a finding, as a report to send and a script that shows it
  adjudge compare old.json new.json              what broke, and what was mended
  adjudge prove                                  prove what holds for all inputs
  adjudge lean check trace.json                  have Lean's kernel check a run

docs/protocol.md says how to write an adapter.`;

/** Adds a command to the command line. */
type Add = (program: Command, terminal: Terminal, end: (code: ExitCode) => void) => void;

/** Loads a command, for a command line of these words. */
type Load = (argv: readonly string[]) => Promise<Add>;

/** The commands, in the order of the help. Each is loaded when it is named: all take a second to load. */
const commands: Readonly<Record<string, Load>> = {
  judge: async (argv) => {
    const { judgeCommand } = await import("../commands/judge.ts");
    return (program, terminal, end) => judgeCommand(program, terminal, end, argv);
  },
  replay: async () => (await import("../commands/replay.ts")).replayCommand,
  run: async () => (await import("../commands/run.ts")).runCommand,
  check: async () => (await import("../commands/check.ts")).checkCommand,
  show: async () => (await import("../commands/show.ts")).showCommand,
  fmt: async () => (await import("../commands/fmt.ts")).fmtCommand,
  convert: async () => (await import("../commands/convert.ts")).convertCommand,
  derive: async () => (await import("../commands/derive.ts")).deriveCommand,
  explain: async () => (await import("../commands/explain.ts")).explainCommand,
  "forward-gradient": async () => (await import("../commands/forward_gradient.ts")).forwardGradientCommand,
  lifetimes: async () => (await import("../commands/lifetimes.ts")).lifetimesCommand,
  record: async () => (await import("../commands/record.ts")).recordCommand,
  programs: async () => (await import("../commands/programs.ts")).programsCommand,
  smoke: async () => (await import("../commands/smoke.ts")).smokeCommand,
  "storage-profile": async () => (await import("../commands/storage_profile.ts")).storageProfileCommand,
  report: async () => (await import("../commands/report.ts")).reportCommand,
  issue: async () => (await import("../commands/issue.ts")).issueCommand,
  merge: async () => (await import("../commands/merge.ts")).mergeCommand,
  compare: async () => (await import("../commands/compare.ts")).compareCommand,
  prove: async () => (await import("../commands/prove.ts")).proveCommand,
  lean: async () => (await import("../commands/lean.ts")).leanCommand,
};

/** Makes the command line, with the command that is named first, or with all. `end` gets the exit code. */
async function commandLine(
  argv: readonly string[],
  terminal: Terminal,
  end: (code: ExitCode) => void,
): Promise<Command> {
  const [first = ""] = argv;
  const named = Object.hasOwn(commands, first) ? commands[first] : undefined;
  const loaders = named === undefined ? Object.values(commands) : [named];
  const program = new Command("adjudge")
    .description("The AD judge: is my gradient right?")
    .version(packageVersion())
    .addHelpText("after", examples)
    .showHelpAfterError("(adjudge --help tells more)")
    .exitOverride()
    .configureOutput({
      writeOut: (text) => terminal.out(text.trimEnd()),
      writeErr: (text) => terminal.note(withWordsVisible(text.trimEnd(), argv)),
    });
  for (const load of loaders) (await load(argv))(program, terminal, end);
  return program;
}

/** Escapes invisible characters in a message of commander's, which repeats words as they were given. */
function withWordsVisible(text: string, argv: readonly string[]): string {
  const words = argv.flatMap((word) => [word, word.slice(word.indexOf("=") + 1)]);
  const shown = words.reduce(
    (said, word) => (visible(word, word.length) === word ? said : said.replaceAll(word, () => visible(word))),
    text,
  );
  return shown
    .split("\n")
    .map((line) => visible(line, line.length))
    .join("\n");
}

/** Runs `adjudge` with the arguments after its name, and returns the exit code. */
export async function main(argv: readonly string[], terminal: Terminal): Promise<ExitCode> {
  // A version needs no command, of which the whole command line would load every one.
  if (argv.length === 1 && (argv[0] === "--version" || argv[0] === "-V")) {
    terminal.out(packageVersion());
    return exitCodes.agrees;
  }
  const outcome: { code: ExitCode } = { code: exitCodes.agrees };
  try {
    const program = await commandLine(argv, terminal, (code) => {
      outcome.code = code;
    });
    await program.parseAsync(argv, { from: "user" });
    return outcome.code;
  } catch (thrown) {
    if (thrown instanceof CommanderError)
      return thrown.exitCode === 0 ? exitCodes.agrees : exitCodes.badInput;
    tellFault(terminal, thrown);
    return exitCodes.internal;
  }
}

/** Tells of a fault of adjudge itself. Bad input is an `Issue` and never gets here. */
export function tellFault(terminal: Terminal, thrown: unknown): void {
  const what = thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown);
  terminal.note(`adjudge itself is at fault; please report this.\n${what}`);
}
