import { readFile } from "node:fs/promises";
import process from "node:process";
import { text } from "node:stream/consumers";
import { fail, type Issue, ok, type Result } from "../spec/index.ts";

/** The text of a file, or of standard input for `-`. Fails: `file/unreadable`. */
export async function readInput(path: string): Promise<Result<string, Issue[]>> {
  try {
    return ok(path === "-" ? await text(process.stdin) : await readFile(path, "utf8"));
  } catch (thrown) {
    const reason = thrown instanceof Error ? thrown.message : String(thrown);
    return fail([
      {
        code: "file/unreadable",
        pointer: "",
        message: `${reason}.`,
        hint: "give the path of a file, or - for standard input",
      },
    ]);
  }
}
