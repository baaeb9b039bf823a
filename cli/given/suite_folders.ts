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

/** Returns the names of bundled suites: of folders, and of texts without their ending. */
export function bundledSuites(): string[] {
  return [...bundled().keys()].sort();
}

/** Returns the folder or the text of each suite, two folders up from the sources and three from `dist`. */
function bundled(): ReadonlyMap<string, string> {
  const entries = readdirSync(home(), { withFileTypes: true });
  return new Map(
    entries
      .filter((entry) => entry.isDirectory() || entry.name.endsWith(".adj"))
      .map(({ name }) => [name.replace(/\.adj$/, ""), join(home(), name)] as const),
  );
}

/** Returns the folders or texts of suites, relative to the working directory. Fails: `suite/unknown`. */
export function suiteFolders(names: readonly string[]): Result<string[], Issue[]> {
  if (names.length === 0) return ok([]);
  const known = bundled();
  const unknown = names.filter((name) => !known.has(name));
  return unknown.length > 0
    ? fail(unknown.map((name) => unknownSuite(name, bundledSuites())))
    : ok(names.map((name) => relative(process.cwd(), known.get(name) ?? "") || "."));
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
