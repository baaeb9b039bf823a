import { existsSync, readdirSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import {
  fail,
  InvariantError,
  type Issue,
  nearestName,
  ok,
  quote,
  type Result,
} from "../spec/shapes/index.ts";

/** The suites that adjudge brings, by name. They lie one folder up from the sources and two from `dist`. */
export function bundledSuites(): string[] {
  return readdirSync(home(), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort();
}

/** The folders of suites, as seen from where the command was given. Fails: `suite/unknown`. */
export function suiteFolders(names: readonly string[]): Result<string[], Issue[]> {
  if (names.length === 0) return ok([]);
  const known = bundledSuites();
  const issues = names.filter((name) => !known.includes(name)).map((name) => unknownSuite(name, known));
  return issues.length > 0
    ? fail(issues)
    : ok(names.map((name) => relative(process.cwd(), join(home(), name)) || "."));
}

function home(): string {
  const here = dirname(fileURLToPath(import.meta.url));
  const places = [join(here, "..", "conformance", "suites"), join(here, "..", "..", "conformance", "suites")];
  // What is built has a folder conformance too, without them.
  const found = places.find((place) => existsSync(join(place, "findings")));
  if (found === undefined) throw new InvariantError("the package brings its suites");
  return found;
}

function unknownSuite(name: string, known: readonly string[]): Issue {
  const near = nearestName(name, known);
  return {
    code: "suite/unknown",
    pointer: "",
    message: `there is no suite ${quote(name)}.`,
    hint: `${near === undefined ? "" : `did you mean ${near}? `}There are ${known.join(", ")}; a folder of your own is named without --suite`,
  };
}
