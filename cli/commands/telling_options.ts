import { type Command, Option } from "commander";
import { KNOWN_FILE } from "../campaign/known_file.ts";
import { collect } from "../options/options.ts";

/** Returns the option that says at which file SARIF and annotations show what was found. */
export function locationOption(): Option {
  return new Option(
    "--sarif-location <file>",
    "the file of the repository at which SARIF and annotations show what was found (default: the adapter's, else the suite's, else the workflow's)",
  );
}

/** Adds the options that say how a run is told. */
export function withTelling(command: Command): Command {
  return command
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
    .option("--hex", "write numbers in hexadecimal too, which is exact")
    .option("--json", "print the report as JSON instead of tables");
}
