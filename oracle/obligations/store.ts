import type { Obligation } from "./obligation.ts";
import { scriptsOf } from "./script.ts";

/** Scripts that are longer are not stored, only their hashes: they are generated again in no time. In characters. */
const STORED = 2 ** 17;

/** The family whose scripts are stored, to be read beside Lean's proof of the same; of the others only the hashes are. */
const SHOWN = "tape/";

/** The name of the list of hashes, in the format of `sha256sum`. */
export const MANIFEST = "SHA256SUMS";

/**
 * The scripts of obligations as files, by their paths: first {@link MANIFEST} with the hash of each, then every script as `<name>.smt2`, in the order of the paths.
 * Law: the same obligations give the same bytes.
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

/** The {@link scriptFiles} that are stored: the list of hashes, and the scripts of {@link SHOWN} that are no longer than {@link STORED}. */
export function storedFiles(obligations: readonly Obligation[]): ReadonlyMap<string, string> {
  return new Map(
    [...scriptFiles(obligations)].filter(
      ([path, text]) => path === MANIFEST || (path.startsWith(SHOWN) && text.length <= STORED),
    ),
  );
}

/** The paths of the scripts in the text of a {@link MANIFEST}; what is no line of one is left out. */
export function pathsInManifest(manifest: string): readonly string[] {
  return [...manifest.matchAll(/^[0-9a-f]{64} {2}(.+\.smt2)$/gm)].flatMap(([, path]) => path ?? []);
}
