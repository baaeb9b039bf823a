import { createReadStream, existsSync } from "node:fs";
import { access, constants, mkdir, mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import process from "node:process";
import { makeFolder } from "../../spec/cache_folder.ts";
import { fail, type Issue, ok, type Result, visibleJson } from "../../spec/shapes/index.ts";
import { parseJson } from "../../spec/wire/index.ts";
import { writeWhole, writingHint } from "./whole_file.ts";

/** The longest text that is read, in bytes: four times the longest JSON, because Lean files are longer. */
const MAXIMUM_BYTES = 2 ** 28;

/**
 * Reads a file, or standard input for `-`.
 * Fails: `file/unreadable`; `file/too-long`, while reading, because a device may have no end.
 */
export async function readInput(path: string): Promise<Result<string, Issue[]>> {
  const bytes = await readBytes(path);
  return bytes.ok ? ok(bytes.value.toString("utf8")) : bytes;
}

/** Reads the bytes of a file, or of standard input for `-`. Fails: as {@link readInput} does. */
export async function readBytes(path: string): Promise<Result<Buffer, Issue[]>> {
  try {
    const chunks: Buffer[] = [];
    let bytes = 0;
    const input: AsyncIterable<Buffer> = path === "-" ? process.stdin : createReadStream(path);
    for await (const chunk of input) {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes > MAXIMUM_BYTES) return fail([tooLong(path)]);
    }
    return ok(Buffer.concat(chunks));
  } catch (thrown) {
    return fail([fileIssue("file/unreadable", thrown, "give the path of a file, or - for standard input")]);
  }
}

/**
 * Returns the names of all that lies below a folder, sorted; `undefined` of what is no folder. Fails:
 * `file/unreadable`.
 */
export async function namesIn(path: string): Promise<Result<readonly string[] | undefined, Issue[]>> {
  const isFolder = await stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
  if (!isFolder) return ok(undefined);
  return readdir(path, { recursive: true }).then(
    (names) => ok(names.toSorted()),
    (thrown) => fail([fileIssue("file/unreadable", thrown, "give a folder that you may read")]),
  );
}

/** Reads a JSON document, as {@link readInput} reads a text. Fails: as it does, and `json/…`. */
export async function readJson(path: string): Promise<Result<unknown, Issue[]>> {
  const text = await readInput(path);
  return text.ok ? parseJson(text.value) : text;
}

function tooLong(path: string): Issue {
  return {
    code: "file/too-long",
    pointer: "",
    message: `${path} has more than ${MAXIMUM_BYTES} bytes.`,
    hint: "make the document smaller; the elements of large tensors can stand in base64",
  };
}

/**
 * Makes a folder for temporary files, with a name that begins so; the caller removes it. Fails:
 * `file/unwritable`.
 */
export async function temporaryFolder(prefix: string): Promise<Result<string, Issue[]>> {
  return mkdtemp(join(tmpdir(), prefix)).then(ok, (thrown) =>
    fail([fileIssue("file/unwritable", thrown, "set TMPDIR to a folder that can be written")]),
  );
}

/** Checks that temporary files can be made, before the work that needs them. Fails: `file/unwritable`. */
export async function checkTemporary(): Promise<Result<void, Issue[]>> {
  const folder = await temporaryFolder("adjudge-");
  if (!folder.ok) return folder;
  await rm(folder.value, { recursive: true, force: true });
  return ok(undefined);
}

/** Checks that a folder can keep what is built once, and makes it. Fails: `file/unwritable`. */
export async function checkCache(folder: string): Promise<Result<void, Issue[]>> {
  return makeFolder(folder)
    .then(() => access(folder, constants.W_OK))
    .then(ok, (thrown) =>
      fail([fileIssue("file/unwritable", thrown, "set ADJUDGE_CACHE to a folder that can be written")]),
    );
}

/** Checks that a file can be written, before the work whose result it will hold. Fails: `file/unwritable`. */
export async function checkWritable(path: string): Promise<Result<void, Issue[]>> {
  const isFolder = await stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
  if (isFolder) return fail([unwritable(new Error(`${path} is a folder`))]);
  return access(dirname(resolve(path)), constants.W_OK).then(
    () => ok(undefined),
    (thrown) => fail([unwritable(thrown)]),
  );
}

/** Writes a document to a file, indented. Fails: `file/unwritable`. */
export async function writeOutput(path: string, document: unknown): Promise<Result<void, Issue[]>> {
  return writeText(path, `${visibleJson(document)}\n`);
}

/** Writes a text to a file, as a whole or not at all. Fails: `file/unwritable`. */
export async function writeText(path: string, text: string | Uint8Array): Promise<Result<void, Issue[]>> {
  try {
    return ok(await writeWhole(path, text));
  } catch (thrown) {
    return fail([unwritable(thrown)]);
  }
}

/**
 * Writes texts to files of a folder in order, by their paths in it, and makes the folders that are missing.
 * The parent of `folder` must exist. Fails: `file/unwritable`, at the first that cannot be written.
 */
export async function writeTexts(
  folder: string,
  texts: ReadonlyMap<string, string>,
): Promise<Result<void, Issue[]>> {
  try {
    if (!existsSync(folder)) await mkdir(folder);
    for (const [path, text] of texts) {
      await makeFolder(dirname(join(folder, path)));
      await writeWhole(join(folder, path), text);
    }
    return ok(undefined);
  } catch (thrown) {
    return fail([unwritable(thrown, "give a folder that can be written, in one that exists")]);
  }
}

/** Says why a file cannot be written: `file/unwritable`. */
export function unwritable(thrown: unknown, hint = "give the path of a file in a folder that exists"): Issue {
  return fileIssue("file/unwritable", thrown, writingHint(thrown, hint));
}

function fileIssue(code: string, thrown: unknown, hint: string): Issue {
  const reason = thrown instanceof Error ? thrown.message : String(thrown);
  return { code, pointer: "", message: `${reason}.`, hint };
}
