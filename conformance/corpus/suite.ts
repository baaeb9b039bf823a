import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import {
  checkProgramVector,
  checkTapeVector,
  checkVector,
  encodeProgramVector,
  encodeTapeVector,
  encodeVector,
  isOfFormat,
  type ProgramVector,
  type ProgramVectorJson,
  type TapeVector,
  type TapeVectorJson,
  type VectorData,
} from "../../spec/documents/index.ts";
import { formatIssue, InvariantError, type Issue, present, type Result } from "../../spec/shapes/index.ts";
import { frameOf, readText, type TextDocument } from "../../spec/text/index.ts";
import type { VectorJson } from "../../spec/wire/index.ts";

/** A file of the suites: what it is called below their folder, its text, and the documents in it. */
export interface SuiteText {
  readonly file: string;
  readonly text: string;
  /** By the names of the vectors, such as `structures/fan_out`. */
  readonly documents: ReadonlyMap<string, TextDocument>;
}

/** Returns the folder of the suites: beside the sources, and in the package two folders above `dist`. */
function suitesFolder(): string {
  const here = dirname(fileURLToPath(import.meta.url));
  const places = [join(here, "..", "suites"), join(here, "..", "..", "..", "conformance", "suites")];
  return present(
    places.find((place) => existsSync(join(place, "structures.adj"))),
    "the suites of the package",
  );
}

/** The files are read once. */
let read: readonly SuiteText[] | undefined;

/** Says what the vectors of a file are about, as its first line does: `# Vectors of programs: views.` */
export function themeOf({ file, text }: SuiteText): string {
  return /^# [^:\n]*: (.*)\.$/m.exec(text)?.[1] ?? file;
}

/** Reads every file of the suites. Throws {@link InvariantError} where one is not well-formed. */
export function suiteTexts(): readonly SuiteText[] {
  read ??= readdirSync(suitesFolder(), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".adj"))
    .map((name) => name.replaceAll("\\", "/"))
    .toSorted()
    .map((file) => readSuite(file, readFileSync(join(suitesFolder(), file), "utf8")));
  return read;
}

/** Reads a file of the suites. A vector is called by the first part of the file's name, and its own. */
function readSuite(file: string, text: string): SuiteText {
  const documents = readText(text);
  if (!documents.ok) {
    const frames = documents.error.map((fault) => frameOf(file, text, fault).join("\n"));
    throw new InvariantError(frames.join("\n"));
  }
  const theme = file.replace(/\.adj$/, "").split("/")[0];
  const named = documents.value.map(
    (document) => [`${theme}/${present(document.name, "the name of a vector")}`, document] as const,
  );
  return { file, text, documents: new Map(named) };
}

/** Returns the vectors of graphs by their names, such as `structures/fan_out`. */
export function suiteData(): ReadonlyMap<string, VectorData> {
  return checkedOf("adjudge.vector.v1", checkVector);
}

/** Returns the vectors of graphs as JSON, by their names. */
export function suiteVectors(): ReadonlyMap<string, VectorJson> {
  return new Map([...suiteData()].map(([path, vector]) => [path, encodeVector(vector)] as const));
}

/** Returns the vectors of programs by their names, such as `state/square_in_place`. */
export function programData(): ReadonlyMap<string, ProgramVector> {
  return checkedOf("adjudge.program-vector.v1", checkProgramVector);
}

/** Returns the vectors of programs as JSON, by their names. */
export function programVectors(): ReadonlyMap<string, ProgramVectorJson> {
  return new Map([...programData()].map(([path, vector]) => [path, encodeProgramVector(vector)] as const));
}

/** Returns the vectors of tapes by their names, such as `manners/swept_twice`. */
export function tapeData(): ReadonlyMap<string, TapeVector> {
  return checkedOf("adjudge.tape-vector.v1", checkTapeVector);
}

/** Returns the vectors of tapes as JSON, by their names. */
export function tapeVectors(): ReadonlyMap<string, TapeVectorJson> {
  return new Map([...tapeData()].map(([path, vector]) => [path, encodeTapeVector(vector)] as const));
}

/** Returns the suites' vectors of a format, by their names. Throws if one is refused. */
function checkedOf<T>(format: string, check: (json: unknown) => Result<T, Issue[]>): ReadonlyMap<string, T> {
  return new Map(
    documentsOf(format).map(([path, { json }]) => {
      const vector = check(json);
      if (!vector.ok) throw new InvariantError(`${path}: ${vector.error.map(formatIssue).join("; ")}`);
      return [path, vector.value] as const;
    }),
  );
}

/** Returns the documents of the suites that have this format, by their names. */
export function documentsOf(format: string): readonly (readonly [path: string, document: TextDocument])[] {
  return suiteTexts().flatMap(({ documents }) =>
    [...documents].filter(([, { json }]) => isOfFormat(json, format)),
  );
}
