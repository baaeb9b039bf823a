import {
  encodeProgramVector,
  encodeTapeVector,
  encodeVector,
  type ProgramVectorJson,
  type TapeVectorJson,
} from "../../spec/documents/index.ts";
import type { VectorJson } from "../../spec/wire/index.ts";
import { catalogue } from "./catalogue.ts";
import { formatJson, linePerProperty } from "./format_json.ts";
import { mannersSuites } from "./manners_suites.ts";
import { tapeVectorFrom } from "./manners_text.ts";
import { stateSuites } from "./state_suites.ts";
import { programVectorFrom } from "./state_text.ts";
import { suites } from "./suites.ts";
import { vectorFrom } from "./vector_text.ts";

/** A generated file: its path below this folder, and its text. */
export interface SuiteFile {
  readonly path: string;
  readonly text: string;
}

/** Every vector of the suite by its path without the ending, such as `structures/fan_out`. Cost: one truth each. */
export function suiteVectors(): ReadonlyMap<string, VectorJson> {
  return new Map(
    Object.entries(suites).flatMap(([folder, texts]) =>
      texts.map((text) => [`${folder}/${text.name}`, encodeVector(vectorFrom(text, linksOf))] as const),
    ),
  );
}

/** Every file of the suite, as `npm run golden` writes it. */
export function suiteFiles(vectors: ReadonlyMap<string, VectorJson>): SuiteFile[] {
  return [...vectors].map(([path, vector]) => ({
    path: `${path}.json`,
    text: `${formatJson(vector)}\n`,
  }));
}

/** Every vector of a program by its path without the ending, such as `state/square_in_place`. Cost: a run and a sweep for each call. */
export function programVectors(): ReadonlyMap<string, ProgramVectorJson> {
  const texts = Object.values(stateSuites).flat();
  return new Map(texts.map((text) => [`state/${text.name}`, encodeProgramVector(programVectorFrom(text))]));
}

/** Their files, as `npm run golden` writes them: a program has many small parts, so only its properties stand on lines of their own. */
export function programFiles(vectors: ReadonlyMap<string, ProgramVectorJson>): SuiteFile[] {
  return [...vectors].map(([path, vector]) => ({ path: `${path}.json`, text: linePerProperty(vector) }));
}

/** Every vector of tapes by its path without the ending, such as `manners/twice_the_same`. Cost: a truth for each sweep. */
export function tapeVectors(): ReadonlyMap<string, TapeVectorJson> {
  const texts = Object.values(mannersSuites).flat();
  return new Map(
    texts.map((text) => [`manners/${text.name}`, encodeTapeVector(tapeVectorFrom(text, linksOf))]),
  );
}

/** Their files, as `npm run golden` writes them. */
export function tapeFiles(vectors: ReadonlyMap<string, TapeVectorJson>): SuiteFile[] {
  return [...vectors].map(([path, vector]) => ({ path: `${path}.json`, text: `${formatJson(vector)}\n` }));
}

function linksOf(defect: string): readonly string[] {
  return catalogue.get(defect)?.links ?? [];
}

export { catalogue } from "./catalogue.ts";
export { cataloguePage, corpusPage } from "./corpus_page.ts";
export type { FindingText } from "./finding_text.ts";
export { findings } from "./findings.ts";
