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
} from "../../spec/shapes/index.ts";

/** Returns the names of bundled suites, two folders up from the sources and three from `dist`. */
export function bundledSuites(): string[] {
  return readdirSync(home(), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort();
}

/** Returns the folders of suites, relative to the working directory. Fails: `suite/unknown`. */
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
  const places = [
    join(here, "..", "..", "conformance", "suites"),
    join(here, "..", "..", "..", "conformance", "suites"),
  ];
  // `dist` has a folder named conformance too, but without suites.
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
    hint: `${near === undefined ? "" : `did you mean ${near}? `}There are ${known.join(", ")}; leave --suite out for your own folder`,
  };
}
