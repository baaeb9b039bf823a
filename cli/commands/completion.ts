import { Argument, type Command, type Option } from "commander";
import { bundledEngines } from "../../conformance/testees/index.ts";
import { assertNever } from "../../spec/shapes/index.ts";
import { CONFIG_FILE } from "../options/config.ts";
import { type ExitCode, exitCodes } from "../terminal/exit.ts";
import type { Terminal } from "../terminal/terminal.ts";

const shells = ["bash", "zsh", "fish"] as const;

type Shell = (typeof shells)[number];

const description = `Prints a script with which a shell completes the words of adjudge: commands, flags, what a flag may be,
engines, and files. The script is of this version's commands, and starts nothing while you type, unless there is an
${CONFIG_FILE}, whose engines are then listed. For bash put this into ~/.bashrc, for zsh into ~/.zshrc behind compinit:

  source <(adjudge completion bash)

For fish: adjudge completion fish > ~/.config/fish/completions/adjudge.fish`;

/** Adds `adjudge completion SHELL`, whose program has all commands. */
export function completionCommand(program: Command, terminal: Terminal, end: (code: ExitCode) => void): void {
  program
    .command("completion")
    .summary("print what a shell needs to complete command lines")
    .description(description)
    .addArgument(new Argument("<shell>", "the shell").choices(shells))
    .action((shell: Shell) => {
      for (const line of scriptOf(shell, wordsOf(program))) terminal.out(line);
      end(exitCodes.agrees);
    });
}

/** What may stand behind a flag. */
type Values =
  | { readonly kind: "nothing" | "anything" | "engines" | "files" }
  | { readonly kind: "words"; readonly words: readonly string[] };

interface Flag {
  /** The flag as it is written, short and long. */
  readonly names: readonly string[];
  readonly values: Values;
  readonly told: string;
}

/** A command by the words that name it, with its flags, or the commands below it. */
interface Named {
  readonly words: readonly string[];
  readonly told: string;
  readonly flags: readonly Flag[];
  readonly below: readonly string[];
  /** The words behind it that are no files. */
  readonly choices: readonly string[];
}

/** Lists the commands of a program, each group before what stands in it. */
function wordsOf(command: Command, above: readonly string[] = []): Named[] {
  return command.commands.flatMap((one) => {
    const words = [...above, one.name()];
    const flags = [...one.options.map(flagOf), { names: ["-h", "--help"], ...noValue, told: "explain this" }];
    const named: Named = {
      words,
      told: one.summary(),
      flags: flags.filter(
        ({ names }, place) => !flags.slice(0, place).some((other) => other.names[0] === names[0]),
      ),
      below: one.commands.map((inner) => inner.name()),
      choices: one.registeredArguments.flatMap(({ argChoices = [] }) => argChoices),
    };
    return [named, ...wordsOf(one, words)];
  });
}

const noValue = { values: { kind: "nothing" } } as const;

function flagOf(option: Option): Flag {
  const names = [option.short, option.long].filter((name) => name !== undefined);
  return { names, values: valuesOf(option), told: option.description };
}

/** Tells what stands behind a flag by what its help calls it. */
function valuesOf({ flags, argChoices, required, optional }: Option): Values {
  if (argChoices !== undefined) return { kind: "words", words: argChoices };
  if (!required && !optional) return { kind: "nothing" };
  if (/<name-or-command>/.test(flags)) return { kind: "engines" };
  return {
    kind: /<(?:file|path|report|folder|dir|checkout|names?\.\.\.)/.test(flags) ? "files" : "anything",
  };
}

/** Returns the lines of a shell's script. */
function scriptOf(shell: Shell, commands: readonly Named[]): string[] {
  switch (shell) {
    case "bash":
      return bashScript(commands);
    case "zsh":
      return ["autoload -U +X bashcompinit && bashcompinit", ...bashScript(commands)];
    case "fish":
      return fishScript(commands);
    default:
      return assertNever(shell);
  }
}

const engineNames = bundledEngines.map(({ name }) => name).join(" ");

/** Bash cuts a word at a colon, and would complete the rest alone. */
const unbrokenNames = engineNames
  .split(" ")
  .filter((name) => !name.includes(":"))
  .join(" ");

/** Lists the engines that the project names; of all that is listed a name ends at the first two blanks. */
const listEngines = "adjudge judge --list engines 2>/dev/null | sed 's/  .*//'";

function bashScript(commands: readonly Named[]): string[] {
  const first = commands.filter(({ words }) => words.length === 1);
  const groups = commands.filter(({ below }) => below.length > 0);
  const isGroup = groups.map(({ words }) => words.join(" ")).join("|");
  return [
    "_adjudge() {",
    `  local cur="\${COMP_WORDS[COMP_CWORD]}" prev="\${COMP_WORDS[COMP_CWORD-1]}"`,
    `  local name="\${COMP_WORDS[1]}" words="" kind="files"`,
    "  COMPREPLY=()",
    "  # The shell has cut --flag=value into three words.",
    '  if [[ "$cur" == "=" ]]; then cur=""',
    `  elif [[ "$prev" == "=" ]]; then prev="\${COMP_WORDS[COMP_CWORD-2]}"; fi`,
    '  if [[ "$COMP_CWORD" -eq 1 ]]; then name=""; fi',
    `  case "$name" in ${isGroup}) if [[ "$COMP_CWORD" -gt 2 ]]; then name="$name \${COMP_WORDS[2]}"; fi ;; esac`,
    '  case "$name:$prev" in',
    ...commands.flatMap(({ words, flags }) =>
      flags.flatMap(({ names, values }) => {
        if (values.kind === "nothing") return [];
        const patterns = names.map((one) => `"${words.join(" ")}:${one}"`).join("|");
        const what =
          values.kind === "words" ? `kind=words words="${values.words.join(" ")}"` : `kind=${values.kind}`;
        return [`    ${patterns}) ${what} ;;`];
      }),
    ),
    '    *) case "$name" in',
    `      "") kind=words words="${first.map(({ words }) => words[0]).join(" ")} help --help --version" ;;`,
    ...commands.map(({ words, flags, below, choices }) => {
      const inner = below.length > 0 ? below : choices;
      const all = flags.flatMap(({ names }) => names.slice(-1));
      const own = inner.length > 0 ? `words="${inner.join(" ")}"; kind=words; ` : "";
      return `      "${words.join(" ")}") ${own}if [[ "$cur" == -* ]]; then kind=words words="${all.join(" ")}"; fi ;;`;
    }),
    "    esac ;;",
    "  esac",
    '  case "$kind" in',
    "    engines)",
    `      words="${unbrokenNames}"`,
    `      if [[ -e ${CONFIG_FILE} ]]; then words="$words $(${listEngines} | tr '\\n' ' ')"; fi`,
    '      COMPREPLY=($(compgen -W "$words" -- "$cur")) ;;',
    '    words) COMPREPLY=($(compgen -W "$words" -- "$cur")) ;;',
    "    files)",
    "      compopt -o filenames 2>/dev/null",
    "      local IFS=$'\\n'",
    '      COMPREPLY=($(compgen -f -- "$cur")) ;;',
    "  esac",
    "}",
    "complete -F _adjudge adjudge",
  ];
}

function fishScript(commands: readonly Named[]): string[] {
  const complete = (condition: string, rest: string): string =>
    `complete -c adjudge -n '${condition}' ${rest}`;
  const first = commands.filter(({ words }) => words.length === 1);
  return [
    `function __adjudge_engines; string split ' ' '${engineNames}'; test -e ${CONFIG_FILE}; and ${listEngines}; end`,
    "complete -c adjudge -e",
    ...first.map(({ words, told }) =>
      complete("__fish_use_subcommand", `-f -a ${words[0]} -d ${quoted(told)}`),
    ),
    ...commands.flatMap(({ words, flags, below, choices }) => {
      const seen = words.map((word) => `__fish_seen_subcommand_from ${word}`).join("; and ");
      const inner = [...below, ...choices];
      const without = inner.map((word) => `; and not __fish_seen_subcommand_from ${word}`).join("");
      return [
        ...inner.map((word) => complete(`${seen}${without}`, `-f -a ${word}`)),
        ...flags.map(({ names, values, told }) => {
          const written = names.map((name) =>
            name.startsWith("--") ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`,
          );
          return complete(seen, `${written.join(" ")}${fishValues(values)} -d ${quoted(told)}`);
        }),
      ];
    }),
  ];
}

function fishValues(values: Values): string {
  switch (values.kind) {
    case "nothing":
      return "";
    case "anything":
      return " -x";
    case "files":
      return " -r";
    case "engines":
      return " -x -a '(__adjudge_engines)'";
    case "words":
      return ` -x -a ${quoted(values.words.join(" "))}`;
    default:
      return assertNever(values);
  }
}

/** Quotes what people read for fish: its first sentence, since a row has no room for more. */
function quoted(text: string): string {
  const [short = ""] = text.split(/;| \(/);
  return `'${short.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}
