import type { Obligation } from "./obligation.ts";
import { scriptsOf } from "./script.ts";

/** Only the hashes of scripts of more characters are stored, since they are quickly generated again. */
const STORED = 2 ** 17;

/** This family's scripts are stored, to be read beside Lean's proof of the same; others have hashes only. */
const SHOWN = "tape/";

/** The list of hashes has this name, and the format of `sha256sum`. */
export const MANIFEST = "SHA256SUMS";

/**
 * Writes the scripts of obligations as files: first {@link MANIFEST} with the hash of each, then every script
 * as `<name>.smt2`, in the order of the paths. Law: the same obligations give the same bytes.
 */
export function scriptFiles(obligations: readonly Obligation[]): ReadonlyMap<string, string> {
  const scripts = obligations
    .flatMap(scriptsOf)
    .map(({ name, text, hash }) => ({ path: `${name}.smt2`, text, hash }))
    .toSorted((a, b) => (a.path < b.path ? -1 : 1));
  return new Map([
    [MANIFEST, scripts.map(({ path, hash }) => `${hash}  ${path}\n`).join("")],
    ...scripts.map(({ path, text }) => [path, text] as const),
  ]);
}

/** Picks the {@link scriptFiles} that are stored: the list of hashes, and short scripts of {@link SHOWN}. */
export function storedFiles(obligations: readonly Obligation[]): ReadonlyMap<string, string> {
  return new Map(
    [...scriptFiles(obligations)].filter(
      ([path, text]) => path === MANIFEST || (path.startsWith(SHOWN) && text.length <= STORED),
    ),
  );
}

/** Reads the paths of the scripts from the text of a {@link MANIFEST}; other lines are ignored. */
export function pathsInManifest(manifest: string): readonly string[] {
  return [...manifest.matchAll(/^[0-9a-f]{64} {2}(.+\.smt2)$/gm)].flatMap(([, path]) => path ?? []);
}
