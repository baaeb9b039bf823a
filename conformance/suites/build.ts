import { encodeCase } from "../../spec/index.ts";
import { caseFrom } from "./case_text.ts";
import { findings } from "./findings.ts";
import { accuracies } from "./points.ts";
import { strength } from "./strength.ts";
import { structures } from "./structures.ts";

/** A file of the suite: its path below this folder, and its text. */
export interface SuiteFile {
  readonly path: string;
  readonly text: string;
}

/** Every case file of the suite, as `npm run golden` writes it. */
export function suiteFiles(): SuiteFile[] {
  const folders = [
    ["structures", structures],
    ["accuracy", accuracies],
    ["findings", findings],
    ["strength", strength],
  ] as const;
  return folders.flatMap(([folder, cases]) =>
    cases.map((text) => ({
      path: `${folder}/${text.name}.json`,
      text: `${JSON.stringify(encodeCase(caseFrom(text)), undefined, 1)}\n`,
    })),
  );
}

export { type FindingText, findings } from "./findings.ts";
