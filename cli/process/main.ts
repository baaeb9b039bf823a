import { Command, CommanderError } from "commander";
import { visible } from "../../spec/shapes/index.ts";
import { type ExitCode, exitCodes } from "../terminal/exit.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { packageVersion } from "../terminal/version.ts";
import { explained, withExamples } from "./help.ts";

/** Adds a command to the command line. */
type Add = (program: Command, terminal: Terminal, end: (code: ExitCode) => void) => void;

/** Loads a command, for a command line of these words. */
type Load = (argv: readonly string[]) => Promise<Add>;

/**
 * The commands by the groups of the help, in its order. Each is loaded when it is named: all take a second to
 * load.
 */
const groups: Readonly<Record<string, Readonly<Record<string, Load>>>> = {
  Judge: {
    judge: async (argv) => {
      const { judgeCommand } = await import("../commands/judge.ts");
      return (program, terminal, end) => judgeCommand(program, terminal, end, argv);
    },
    campaign: async (argv) => {
      const { campaignCommand } = await import("../commands/campaign.ts");
      return (program, terminal, end) => campaignCommand(program, terminal, end, argv);
    },
    replay: async () => (await import("../commands/replay.ts")).replayCommand,
    smoke: async () => (await import("../commands/smoke.ts")).smokeCommand,
    init: async () => (await import("../commands/init.ts")).initCommand,
    "storage-profile": async () => (await import("../commands/storage_profile.ts")).storageProfileCommand,
  },
  Graphs: {
    run: async () => (await import("../commands/run.ts")).runCommand,
    check: async () => (await import("../commands/check.ts")).checkCommand,
    show: async () => (await import("../commands/show.ts")).showCommand,
    fmt: async () => (await import("../commands/fmt.ts")).fmtCommand,
    import: async () => (await import("../commands/import.ts")).importCommand,
    emit: async () => (await import("../commands/emit.ts")).emitCommand,
    export: async () => (await import("../commands/export.ts")).exportCommand,
    convert: async () => (await import("../commands/convert.ts")).convertCommand,
    derive: async () => (await import("../commands/derive.ts")).deriveCommand,
    explain: async () => (await import("../commands/explain.ts")).explainCommand,
    "forward-gradient": async () => (await import("../commands/forward_gradient.ts")).forwardGradientCommand,
    lifetimes: async () => (await import("../commands/lifetimes.ts")).lifetimesCommand,
  },
  Programs: {
    programs: async () => (await import("../commands/programs.ts")).programsCommand,
    record: async () => (await import("../commands/record.ts")).recordCommand,
  },
  Reports: {
    report: async () => (await import("../commands/report.ts")).reportCommand,
    issue: async () => (await import("../commands/issue.ts")).issueCommand,
    merge: async () => (await import("../commands/merge.ts")).mergeCommand,
    compare: async () => (await import("../commands/compare.ts")).compareCommand,
  },
  Proof: {
    prove: async () => (await import("../commands/prove.ts")).proveCommand,
    lean: async () => (await import("../commands/lean.ts")).leanCommand,
  },
  Shell: {
    completion: async () => (await import("../commands/completion.ts")).completionCommand,
  },
};

/** Makes the command line, with the command that is named first, or with all. `end` gets the exit code. */
export async function commandLine(
  argv: readonly string[],
  terminal: Terminal,
  end: (code: ExitCode) => void,
): Promise<Command> {
  const [first = ""] = argv;
  const program = new Command("adjudge")
    .usage("[command] [options]")
    .description("The AD judge: is my gradient right?")
    .version(packageVersion())
    .showHelpAfterError("(adjudge --help tells more)")
    .exitOverride()
    .configureOutput({
      writeOut: (text) => terminal.out(text.trimEnd()),
      writeErr: (text) => terminal.note(withWordsVisible(text.trimEnd(), argv)),
    });
  explained(program, terminal);
  // Completion is of all commands.
  const isNamed =
    first !== "completion" && Object.values(groups).some((group) => Object.hasOwn(group, first));
  for (const [title, group] of Object.entries(groups)) {
    program.commandsGroup(`${title}:`);
    for (const [name, load] of Object.entries(group))
      if (!isNamed || name === first) (await load(argv))(program, terminal, end);
  }
  program.helpCommand("help [command]", "explain a command");
  withExamples(program);
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
