import {
  encodeProgramVector,
  encodeTapeVector,
  type ProgramVectorJson,
  type TapeVectorJson,
} from "../../spec/documents/index.ts";
import { catalogue } from "./catalogue.ts";
import { formatJson, linePerProperty } from "./format_json.ts";
import { mannersSuites } from "./manners_suites.ts";
import { tapeVectorFrom } from "./manners_text.ts";
import { stateSuites } from "./state_suites.ts";
import { programVectorFrom } from "./state_text.ts";

/** Names a generated file by its path below this folder, and holds its text. */
export interface SuiteFile {
  readonly path: string;
  readonly text: string;
}

/** Returns programs' vectors by path without ending, such as `state/x`. Cost: a run and sweep a call. */
export function programVectors(): ReadonlyMap<string, ProgramVectorJson> {
  const texts = Object.values(stateSuites).flat();
  return new Map(texts.map((text) => [`state/${text.name}`, encodeProgramVector(programVectorFrom(text))]));
}

/** Returns their files, one line for each property, since a program has too many small parts for more. */
export function programFiles(vectors: ReadonlyMap<string, ProgramVectorJson>): SuiteFile[] {
  return [...vectors].map(([path, vector]) => ({ path: `${path}.json`, text: linePerProperty(vector) }));
}

/** Returns tapes' vectors by path without ending, such as `manners/x`. Cost: a truth for each sweep. */
export function tapeVectors(): ReadonlyMap<string, TapeVectorJson> {
  const texts = Object.values(mannersSuites).flat();
  return new Map(
    texts.map((text) => [`manners/${text.name}`, encodeTapeVector(tapeVectorFrom(text, linksOf))]),
  );
}

/** Returns their files, as `npm run golden` writes them. */
export function tapeFiles(vectors: ReadonlyMap<string, TapeVectorJson>): SuiteFile[] {
  return [...vectors].map(([path, vector]) => ({ path: `${path}.json`, text: `${formatJson(vector)}\n` }));
}

function linksOf(defect: string): readonly string[] {
  return catalogue.get(defect)?.links ?? [];
}

export { catalogue } from "./catalogue.ts";
export { corpusPage } from "./corpus_page.ts";
export { refreshed } from "./derived.ts";
export { type FindingText, findings } from "./findings.ts";
export { type SuiteText, suiteTexts, suiteVectors } from "./suite.ts";
