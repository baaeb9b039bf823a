import { existsSync } from "node:fs";
import { readKnown, updatedKnown } from "../../conformance/known/index.ts";
import type { Section } from "../../conformance/report/index.ts";
import { fail, type Issue, ok, type Result } from "../../spec/shapes/index.ts";
import type { KnownFailure } from "../../spec/wire/index.ts";
import { checkWritable, readInput, writeOutput } from "../files/files.ts";

/** The flags about known failures. */
export interface KnownFlags {
  readonly known?: string;
  readonly updateKnown?: boolean;
}

/** Known failures are kept in this file unless another is named. */
export const KNOWN_FILE = "adjudge.known.json";

/**
 * Reads the known failures: of the named file, or of {@link KNOWN_FILE} if it exists.
 * A file to write may be new. Fails: `file/unreadable`, `file/unwritable`, and as `readKnown` does.
 */
export async function knownFailures(flags: KnownFlags): Promise<Result<readonly KnownFailure[], Issue[]>> {
  const path = flags.known ?? KNOWN_FILE;
  const target = flags.updateKnown === true ? await checkWritable(path) : ok(undefined);
  if (!target.ok) return target;
  const isMissing = !existsSync(path);
  if (isMissing && (flags.known === undefined || flags.updateKnown === true)) return ok([]);
  const text = await readInput(path);
  const read = text.ok ? readKnown(text.value) : text;
  return read.ok
    ? read
    : fail(read.error.map((issue) => ({ ...issue, message: `${path}: ${issue.message}` })));
}

/** Writes the known failures after a run, if asked to, and returns them. Fails: `file/unwritable`. */
export async function rememberKnown(
  flags: KnownFlags,
  failures: readonly KnownFailure[],
  sections: readonly Section[],
): Promise<Result<readonly KnownFailure[], Issue[]>> {
  if (flags.updateKnown !== true) return ok(failures);
  const document = updatedKnown(failures, sections);
  const written = await writeOutput(flags.known ?? KNOWN_FILE, document);
  return written.ok ? ok(document.failures) : written;
}
