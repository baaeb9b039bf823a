import { encodeVector, type VectorJson } from "../../spec/index.ts";
import killsJson from "../suites/kills.json" with { type: "json" };
import { catalogue } from "./catalogue.ts";
import { formatJson } from "./format_json.ts";
import { suites } from "./suites.ts";
import { vectorFrom } from "./vector_text.ts";

/** A generated file: its path below this folder, and its text. */
export interface SuiteFile {
  readonly path: string;
  readonly text: string;
}

/** The mutants that a vector kills, by its path without the ending; `npm run power` measures them. */
const kills: ReadonlyMap<string, readonly string[]> = new Map(Object.entries(killsJson));

/** Every vector of the suite by its path without the ending, such as `structures/fan_out`. Cost: one truth each. */
export function suiteVectors(): ReadonlyMap<string, VectorJson> {
  const linksOf = (defect: string): readonly string[] => catalogue.get(defect)?.links ?? [];
  return new Map(
    Object.entries(suites).flatMap(([folder, texts]) =>
      texts.map((text): [string, VectorJson] => {
        const path = `${folder}/${text.name}`;
        return [path, encodeVector(vectorFrom(text, { linksOf, kills: kills.get(path) ?? [] }))];
      }),
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

export { catalogue } from "./catalogue.ts";
export { corpusPage } from "./corpus_page.ts";
export type { FindingText } from "./finding_text.ts";
export { findings } from "./findings.ts";
