import { existsSync } from "node:fs";
import { chmod, lstat, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { writeText } from "./files.ts";
import { type FileSystem, nodeFiles, writeWhole, writingHint } from "./whole_file.ts";

const folder = await mkdtemp(join(tmpdir(), "adjudge-whole-"));
afterAll(() => rm(folder, { recursive: true }));
const path = join(folder, "report.json");
beforeEach(() => writeFile(path, "the old text"));

function fault(code: string): Error {
  return Object.assign(new Error(`${code}: planted`), { code });
}

/** Returns a file system that fails at one step, half of the text being written by then. */
function failing(step: "write" | "sync" | "close" | "rename", code = "ENOSPC"): FileSystem {
  return {
    ...nodeFiles,
    open: async (...asked) => {
      const file = await nodeFiles.open(...asked);
      return {
        writeFile: async (text) => {
          await file.writeFile(step === "write" ? text.slice(0, text.length / 2) : text);
          if (step === "write") throw fault(code);
        },
        sync: () => (step === "sync" ? Promise.reject(fault(code)) : file.sync()),
        close: async () => {
          await file.close();
          if (step === "close") throw fault(code);
        },
      };
    },
    rename: (...asked) => (step === "rename" ? Promise.reject(fault(code)) : nodeFiles.rename(...asked)),
  };
}

describe("a file is written as a whole or not at all", () => {
  test("in the place of the old one, which leaves nothing behind and keeps its permissions", async () => {
    await chmod(path, 0o640);
    await writeWhole(path, "the new text");
    expect(await readFile(path, "utf8")).toBe("the new text");
    expect((await stat(path)).mode & 0o777).toBe(0o640);
    expect(await readdir(folder)).toEqual(["report.json"]);
  });

  test.each([
    "write",
    "sync",
    "close",
    "rename",
  ] as const)("where %s fails, the old one stays", async (step) => {
    await expect(writeWhole(path, "the new text", failing(step))).rejects.toThrow("ENOSPC");
    expect(await readFile(path, "utf8")).toBe("the old text");
    expect(await readdir(folder)).toEqual(["report.json"]);
  });

  test("would show a writer that opens the old file", async () => {
    const naive = async (files: FileSystem): Promise<void> => {
      const file = await files.open(path, "w");
      await file.writeFile("the new text");
      await file.close();
    };
    await expect(naive(failing("write"))).rejects.toThrow("ENOSPC");
    expect(await readFile(path, "utf8")).not.toBe("the old text");
  });

  test.skipIf(process.platform === "win32")("through a link, which stays one", async () => {
    const link = join(folder, "link.json");
    await symlink(path, link);
    await writeWhole(link, "the new text");
    expect((await lstat(link)).isSymbolicLink()).toBe(true);
    expect(await readFile(path, "utf8")).toBe("the new text");
    await rm(link);
  });
});

describe("the hint", () => {
  test.each([
    ["ENOSPC", /full/],
    ["EROFS", /only be read/],
    ["EACCES", /permissions/],
    ["EDQUOT", /share/],
    ["EISDIR", /folder/],
  ])("names the cause: %s", (code, words) => {
    expect(writingHint(fault(code), "otherwise")).toMatch(words);
  });

  test("is the caller's own where the cause is not known", () => {
    expect(writingHint(fault("EODD"), "otherwise")).toBe("otherwise");
    expect(writingHint("odd", "otherwise")).toBe("otherwise");
  });

  test.runIf(existsSync("/dev/full"))("is that of a full disk, where the disk is full", async () => {
    expect(await writeText("/dev/full", "text")).toMatchObject({
      ok: false,
      error: [
        {
          code: "file/unwritable",
          message: expect.stringContaining("ENOSPC"),
          hint: expect.stringContaining("full"),
        },
      ],
    });
    expect((await stat("/dev/full")).isCharacterDevice()).toBe(true);
  });
});
