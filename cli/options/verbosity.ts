import { type Command, Option } from "commander";

/** How much is printed: what is wrong and the last line alone, the tables too, or all that is known. */
export type Verbosity = "quiet" | "usual" | "verbose";

/** The flag that says how much is printed. Neither `--quiet` nor `--verbose` leaves it undefined. */
export interface VerbosityFlags {
  readonly verbosity?: Verbosity;
}

/** Adds `-q` and, where there is more to tell, `-v`, which say what they print beside the usual. */
export function withVerbosity(command: Command, quiet: string, verbose?: string): Command {
  const less = new Option("-q, --quiet", quiet).implies({ verbosity: "quiet" });
  if (verbose === undefined) return command.addOption(less);
  const more = new Option("-v, --verbose", verbose).implies({ verbosity: "verbose" });
  return command.addOption(less.conflicts("verbose")).addOption(more);
}
