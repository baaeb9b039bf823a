import { existsSync, readFileSync } from "node:fs";
import { readdir, readFile, rm } from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";
import {
  type Entry,
  MANIFEST,
  type Obligation,
  obligationsPage,
  pathsInManifest,
  scriptFiles,
  storedFiles,
} from "../../oracle/obligations/index.ts";
import { dischargeModule, dischargeRecord } from "../../oracle/obligations/operators/index.ts";
import { fail, type Issue, ok, type Result } from "../../spec/shapes/index.ts";
import { writeTexts } from "../files/files.ts";
import { PAGE, RECORD, SCRIPTS } from "./prove_places.ts";

/**
 * Writes every script and the {@link MANIFEST} into a folder, and removes what an earlier call left there.
 * Returns their number. Fails: `prove/foreign-files`; `file/unwritable`, after which a second call completes.
 */
export async function writeScripts(
  obligations: readonly Obligation[],
  folder: string,
): Promise<Result<number, Issue[]>> {
  const files = scriptFiles(obligations);
  const present = await filesIn(folder);
  const written = await readFile(join(folder, MANIFEST), "utf8").catch(() => "");
  const own = new Set([MANIFEST, ...files.keys(), ...pathsInManifest(written)]);
  const foreign = present.find((path) => !own.has(path));
  if (foreign !== undefined) return fail([foreignFile(folder, foreign)]);
  // The manifest is written first, so that a later call recognises files which this one leaves half written.
  const saved = await writeTexts(folder, files);
  if (!saved.ok) return saved;
  for (const path of present) if (!files.has(path)) await rm(join(folder, path), { force: true });
  return ok(files.size - 1);
}

/** Returns the paths of all files below a folder; none if there is no such folder. */
async function filesIn(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => !entry.isDirectory())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll(sep, "/"))
    .toSorted();
}

function foreignFile(folder: string, path: string): Issue {
  return {
    code: "prove/foreign-files",
    pointer: "",
    message: `${folder} has files that are no scripts of obligations, ${path} among them.`,
    hint: "give a folder that is new, empty, or was written by --scripts",
  };
}

/** Writes what the repository keeps of a run: hashes, scripts, page and record. Fails: `file/unwritable`. */
export async function writeResults(
  obligations: readonly Obligation[],
  entries: readonly Entry[],
  second: string | undefined,
  folder: string,
): Promise<Result<void, Issue[]>> {
  await rm(join(folder, SCRIPTS), { recursive: true, force: true });
  const scripts = await writeTexts(join(folder, SCRIPTS), storedFiles(obligations));
  const page = await writeTexts(folder, new Map([[PAGE, obligationsPage(entries, second)]]));
  const issues = [scripts, page].flatMap((saved) => (saved.ok ? [] : saved.error));
  if (issues.length > 0) return fail(issues);
  if (!existsSync(join(folder, RECORD))) return ok(undefined);
  const results = entries.map(({ obligation: { id }, faults }) => ({ id, isProved: faults.length === 0 }));
  const record = dischargeRecord(results, (path) =>
    readFileSync(join(folder, dirname(dirname(RECORD)), path), "utf8"),
  );
  return writeTexts(folder, new Map([[RECORD, dischargeModule(record)]]));
}
