import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, describe, expect, test, vi } from "vitest";
import { adjudge } from "../process/recording.test.kit.ts";
import { exitCodes } from "../terminal/exit.ts";

const folder = await mkdtemp(join(tmpdir(), "adjudge-folders-"));
afterAll(() => rm(folder, { recursive: true }));
afterEach(() => {
  vi.unstubAllEnvs();
});

const square = fileURLToPath(new URL("../../docs/examples/square.adj", import.meta.url));

describe("where no temporary file can be made", () => {
  test.each([
    ["storage-profile", []],
    ["judge", ["-e", "interpreter", "-n", "3", "--jobs", "2"]],
    ["lean check", ["trace.json"]],
  ] as const)("adjudge %s ends with 2 and a hint", async (command, words) => {
    const trace = join(folder, "trace.json");
    await adjudge("run", square, "-a", "rational", "-i", "x=1/3", "--trace", trace);
    vi.stubEnv("TMPDIR", join(folder, "there-is-none"));
    const argv = [...command.split(" "), ...words].map((word) => (word === "trace.json" ? trace : word));
    const { code, notes } = await adjudge(...argv);
    expect([code, notes]).toEqual([exitCodes.badInput, expect.stringMatching(/file\/unwritable: .*TMPDIR/s)]);
  });
});

test("where nothing can be kept, lean check ends with 2 and a hint", async () => {
  const trace = join(folder, "trace.json");
  await adjudge("run", square, "-a", "rational", "-i", "x=1/3", "--trace", trace);
  // A folder below a file; below /proc, Node's own way to make folders does not end.
  for (const place of [join(trace, "cache"), ...(existsSync("/proc/self") ? ["/proc/none/cache"] : [])]) {
    vi.stubEnv("ADJUDGE_CACHE", place);
    const { code, notes } = await adjudge("lean", "check", trace);
    expect([code, notes]).toEqual([
      exitCodes.badInput,
      expect.stringMatching(/file\/unwritable: .*ADJUDGE_CACHE/s),
    ]);
  }
});

test.skipIf(process.getuid?.() === 0)(
  "a folder that cannot be read is no case of adjudge's fault",
  async () => {
    const closed = join(folder, "closed");
    await mkdir(closed, { mode: 0 });
    const { code, notes } = await adjudge("judge", closed, "-e", "interpreter");
    expect([code, notes]).toEqual([exitCodes.badInput, expect.stringContaining("file/unreadable")]);
  },
);
