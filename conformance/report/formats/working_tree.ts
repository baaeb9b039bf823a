import { splitWords } from "../../testees/index.ts";
import type { Finding } from "../findings.ts";

/** The files among which a report's findings have their place, as paths from the root with `/` between. */
export interface WorkingTree {
  /** Returns the path of the file that a word names; `undefined` if it names none of the tree. */
  readonly fileOf: (word: string) => string | undefined;
  /** Findings stand here where no file of theirs is known. */
  readonly otherwise: string;
  /** All findings stand here, whatever else is known. */
  readonly location?: string;
}

/** A tree of which no file is known. */
export const noTree: WorkingTree = { fileOf: () => undefined, otherwise: "adjudge.config.json" };

/**
 * Returns the file that a finding is of: the adapter, which is the first word of the engine's command that
 * names a file; or the suite's file of the case that is shown. `undefined` if neither is in the tree.
 */
export function fileOfFinding({ label, shown }: Finding, tree: WorkingTree): string | undefined {
  if (tree.location !== undefined) return tree.location;
  const { case: place } = shown.entry;
  // A case of a text is named by its file and, behind a number sign, by itself.
  const suite = typeof place === "string" ? [place, place.split("#")[0] ?? place] : [];
  for (const word of [...splitWords(label), ...suite]) {
    const file = tree.fileOf(word);
    if (file !== undefined) return file;
  }
  return undefined;
}
