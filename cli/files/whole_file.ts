import { randomUUID } from "node:crypto";
import {
  closeSync,
  fsyncSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { access, constants, open, realpath, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";

/** The calls of the file system that writing makes; a test replaces them by failing ones. */
export interface FileSystem {
  readonly access: (path: string, mode: number) => Promise<void>;
  readonly open: (path: string, flags: string, mode?: number) => Promise<Writing>;
  readonly realpath: (path: string) => Promise<string>;
  readonly rename: (from: string, to: string) => Promise<void>;
  readonly rm: (path: string, options: { readonly force: boolean }) => Promise<void>;
  readonly stat: (path: string) => Promise<{ isFile(): boolean; readonly mode: number }>;
}

/** An open file. */
interface Writing {
  writeFile(text: string | Uint8Array): Promise<void>;
  sync(): Promise<void>;
  close(): Promise<void>;
}

/** Node's own file system. */
export const nodeFiles: FileSystem = { access, open, realpath, rename, rm, stat };

/**
 * Writes a file as a whole or not at all: to a temporary file, to the disk, and then in place of the old one.
 * A device or a pipe is written to directly, and a link stays a link.
 * Rejects with what the system says, after removing the temporary file.
 */
export async function writeWhole(
  path: string,
  text: string | Uint8Array,
  files: FileSystem = nodeFiles,
): Promise<void> {
  const old = await files.stat(path).catch(ifMissing);
  if (old?.isFile() === false) {
    await put(await files.open(path, "w"), text, false);
    return;
  }
  // A file without write permission is not replaced either, though its folder would allow it.
  if (old !== undefined) await files.access(path, constants.W_OK);
  const place = old === undefined ? path : await files.realpath(path);
  const aside = besideOf(place);
  try {
    await put(await files.open(aside, "wx", old?.mode ?? 0o666), text, true);
    await files.rename(aside, place);
  } catch (thrown) {
    await files.rm(aside, { force: true }).catch(() => {});
    throw thrown;
  }
}

/** Does what {@link writeWhole} does, synchronously. Throws what the system says. */
export function writeWholeNow(path: string, text: string): void {
  const old = statSync(path, { throwIfNoEntry: false });
  if (old?.isFile() === false) {
    writeFileSync(path, text);
    return;
  }
  const place = old === undefined ? path : realpathSync(path);
  const aside = besideOf(place);
  try {
    const file = openSync(aside, "wx", old?.mode ?? 0o666);
    try {
      writeFileSync(file, text);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(aside, place);
  } catch (thrown) {
    rmSync(aside, { force: true });
    throw thrown;
  }
}

/** Returns an unused name in the same folder. */
function besideOf(place: string): string {
  return join(dirname(place), `.${basename(place).slice(0, 100)}.${randomUUID()}.tmp`);
}

async function put(file: Writing, text: string | Uint8Array, isKept: boolean): Promise<void> {
  try {
    await file.writeFile(text);
    // Without a sync a disk may accept the text and report only later that it had no room for it.
    if (isKept) await file.sync();
  } finally {
    await file.close();
  }
}

function ifMissing(thrown: unknown): undefined {
  if (causeOf(thrown) === "ENOENT") return undefined;
  throw thrown;
}

/** Returns the system's name for what went wrong, such as `ENOSPC`. */
function causeOf(thrown: unknown): string | undefined {
  return thrown instanceof Error && "code" in thrown ? String(thrown.code) : undefined;
}

const hints: ReadonlyMap<string, string> = new Map([
  ["ENOSPC", "the disk is full: free some space, or write to another disk"],
  ["EDQUOT", "your share of the disk is used up: free some space, or write to another disk"],
  ["EFBIG", "a file may not be that large here: write to another disk, or raise the limit (ulimit -f)"],
  ["EROFS", "the disk can only be read: write to another one"],
  ["EACCES", "you may not write there: change the permissions, or give another path"],
  ["EPERM", "you may not write there: change the permissions, or give another path"],
  ["EISDIR", "that is a folder: give the path of a file in it"],
  ["ENOTDIR", "a part of the path is a file: give the path of a file in a folder that exists"],
  ["ENOENT", "give the path of a file in a folder that exists"],
  ["ENAMETOOLONG", "give a shorter name"],
  ["ELOOP", "its links lead in a circle: give another path"],
  ["EIO", "the disk has failed: write to another one"],
  ["EMFILE", "too many files are open: raise the limit (ulimit -n)"],
  ["EBUSY", "another program holds it: end that, or give another path"],
]);

/** Says what would help where a file cannot be written; `otherwise` for an unknown cause. */
export function writingHint(thrown: unknown, otherwise: string): string {
  return hints.get(causeOf(thrown) ?? "") ?? otherwise;
}
