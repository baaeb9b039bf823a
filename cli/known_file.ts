import { existsSync } from "node:fs";
import { readKnown, updatedKnown } from "../conformance/known/index.ts";
import type { Section } from "../conformance/report/index.ts";
import { fail, type Issue, ok, type Result } from "../spec/shapes/index.ts";
import type { KnownFailure } from "../spec/wire/index.ts";
import { checkWritable, readInput, writeOutput } from "./files.ts";

/** The flags about known failures. */
export interface KnownFlags {
  readonly known?: string;
  readonly updateKnown?: boolean;
}

/** Where known failures stand unless somebody says where. */
export const KNOWN_FILE = "adjudge.known.json";

/**
 * The known failures: of the file that is named, or of {@link KNOWN_FILE} where there is one. A file that is to be written need not be there.
 * Fails: `file/unreadable`, `file/unwritable`, and what `readKnown` finds.
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

/** Writes what is known after a run, where that is asked for; what is known then. Fails: `file/unwritable`. */
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
