import { createReadStream, existsSync } from "node:fs";
import { access, constants, mkdir, stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import process from "node:process";
import { fail, type Issue, ok, type Result, visibleJson } from "../../spec/shapes/index.ts";
import { writeWhole, writingHint } from "./whole_file.ts";

/** The longest text that is read, in bytes: four times the longest JSON, because Lean files are longer. */
const MAXIMUM_BYTES = 2 ** 28;

/**
 * Reads a file, or standard input for `-`.
 * Fails: `file/unreadable`; `file/too-long`, while reading, because a device may have no end.
 */
export async function readInput(path: string): Promise<Result<string, Issue[]>> {
  try {
    const chunks: Buffer[] = [];
    let bytes = 0;
    const input: AsyncIterable<Buffer> = path === "-" ? process.stdin : createReadStream(path);
    for await (const chunk of input) {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes > MAXIMUM_BYTES) return fail([tooLong(path)]);
    }
    return ok(Buffer.concat(chunks).toString("utf8"));
  } catch (thrown) {
    return fail([fileIssue("file/unreadable", thrown, "give the path of a file, or - for standard input")]);
  }
}

function tooLong(path: string): Issue {
  return {
    code: "file/too-long",
    pointer: "",
    message: `${path} has more than ${MAXIMUM_BYTES} bytes.`,
    hint: "make the document smaller; the elements of large tensors can stand in base64",
  };
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
export async function writeText(path: string, text: string): Promise<Result<void, Issue[]>> {
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
    // Where a folder cannot be made, as in /proc, Node's recursive `mkdir` would loop for ever.
    if (!existsSync(folder)) await mkdir(folder);
    for (const [path, text] of texts) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeWhole(join(folder, path), text);
    }
    return ok(undefined);
  } catch (thrown) {
    return fail([unwritable(thrown, "give a folder that can be written, in one that exists")]);
  }
}

function unwritable(thrown: unknown, hint = "give the path of a file in a folder that exists"): Issue {
  return fileIssue("file/unwritable", thrown, writingHint(thrown, hint));
}

function fileIssue(code: string, thrown: unknown, hint: string): Issue {
  const reason = thrown instanceof Error ? thrown.message : String(thrown);
  return { code, pointer: "", message: `${reason}.`, hint };
}
