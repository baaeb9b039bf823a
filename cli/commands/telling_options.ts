import { type Command, InvalidArgumentError, Option } from "commander";
import { KNOWN_FILE } from "../campaign/known_file.ts";
import { collect, naturalNumber } from "../options/options.ts";
import { withVerbosity } from "../options/verbosity.ts";

/** Returns the option that says at which file SARIF and annotations show what was found. */
export function locationOption(): Option {
  return new Option(
    "--sarif-location <file>",
    "the file of the repository at which SARIF and annotations show what was found (default: the adapter's, else the suite's, else the workflow's)",
  );
}

/** Adds the options that say how a run is told. */
export function withTelling(command: Command): Command {
  return withHowMuch(command)
    .option(
      "--report <file>",
      "write everything that was found: as .json, .xml (JUnit), .sarif, .html (a page), .md, .svg (badge) or .shields.json; may be repeated",
      collect,
      [],
    )
    .option("--html <file>", "the same as --report, as a page whatever the file is called")
    .addOption(locationOption())
    .option(
      "--known <file>",
      `failures that are known and no news (default: ${KNOWN_FILE}, where there is one)`,
    )
    .option("--update-known", "write what fails to that file, and leave out what no longer does")
    .option("--hex", "write numbers in hexadecimal too, which is exact");
}

/** Adds the options that say how much is printed, and whether as JSON. */
export function withHowMuch(command: Command): Command {
  return withVerbosity(
    command,
    "print only what is wrong, and the last line",
    "print also what engines declare, lists of operators, and shares of the mix",
  ).option("--json", "print the report as JSON instead of tables");
}

/** Adds the options that end a run early. */
export function withEnding(command: Command): Command {
  return command
    .option("--fail-fast", "end at the first new finding: the same as --max-findings 1")
    .option("--max-findings <number>", "end at so many new findings", findingCount);
}

function findingCount(text: string): number {
  const count = naturalNumber(text);
  if (count < 1) throw new InvalidArgumentError("It must be 1 or more.");
  return count;
}
