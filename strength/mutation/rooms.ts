import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** A run draws its mutants from these rooms. */
export const roomNames = [
  "reference",
  "spec/derivatives",
  "engines/plan",
  "emitters",
  "numerics",
  "oracle/truth",
] as const;

export type RoomName = (typeof roomNames)[number];

/** A file belongs to the first room one of whose beginnings it has. */
const beginnings: readonly (readonly [RoomName, RegExp])[] = [
  ["numerics", /^(?:reference\/numerics|engines\/posit)\/|^reference\/algebras\/posit_format\.ts$/],
  ["reference", /^reference\//],
  ["spec/derivatives", /^spec\/derivatives\//],
  ["engines/plan", /^engines\/compile\/plan\//],
  ["emitters", /^engines\/compile\/(?:javascript|wasm)\//],
  ["oracle/truth", /^oracle\/truth\//],
];

/** Tests, what is wrong on purpose, and what is generated have nothing that a mutant would tell. */
const LEFT_OUT = /\.test\.|\/planted\/|\/mutants\b|\/discharged\.ts$/;

/** Tells the room of a file of the project; `undefined` of a file that no mutant is drawn from. */
export function roomOf(file: string): RoomName | undefined {
  if (!file.endsWith(".ts") || LEFT_OUT.test(file)) return undefined;
  return beginnings.find(([, beginning]) => beginning.test(file))?.[0];
}

/** Folders with sources and tests. */
const folders = [
  "spec",
  "reference",
  "engines",
  "oracle",
  "conformance",
  "lean-export",
  "cli",
  "strength",
  "bench",
  "tests",
];

/** Reads all sources and tests of the project, by their paths in it. */
export function readSources(root: string): ReadonlyMap<string, string> {
  return new Map(
    folders.flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
        .map((name) => `${folder}/${name.replaceAll("\\", "/")}`)
        .filter((path) => path.endsWith(".ts") && !path.includes("node_modules"))
        .toSorted()
        .map((path) => [path, readFileSync(join(root, path), "utf8")] as const),
    ),
  );
}
