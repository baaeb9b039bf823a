import { spawnSync } from "node:child_process";
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, test } from "vitest";
import { pythonTestee } from "./bundled.ts";

const examples = fileURLToPath(new URL("../../docs/examples/dimensions", import.meta.url));
const folder = await mkdtemp(join(tmpdir(), "adjudge-units-"));
afterAll(() => rm(folder, { recursive: true }));

/** `units_adapter.py` runs so if pint is installed, as `setup.py --units` does. */
const command = pythonTestee("units_adapter.py", "pint");

function asked(path: string): {
  readonly code: number | null;
  readonly rows: readonly Record<string, unknown>[];
} {
  const [python = "", ...rest] = command?.argv ?? [];
  const { status, stdout } = spawnSync(python, [...rest, path], { encoding: "utf8" });
  return {
    code: status,
    rows: stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line)),
  };
}

describe.skipIf(command === undefined)(
  "libraries whose numbers carry units (setup.py --units installs them)",
  () => {
    test("accept the six laws, and refuse each of their wrong twins", () => {
      const { code, rows } = asked(examples);
      expect(code).toBe(0);
      const libraries = Map.groupBy(
        rows.filter(({ installed }) => installed !== false),
        ({ library }) => library,
      );
      expect(libraries.size).toBeGreaterThan(0);
      for (const told of libraries.values()) {
        expect(told.length).toBe(26);
        expect(told.filter(({ right }) => right !== true)).toEqual([]);
      }
    });

    test("are told to be wrong where they say something else than the index", async () => {
      const copied = join(folder, "dimensions");
      await cp(examples, copied, { recursive: true });
      const index = join(copied, "index.json");
      const text = await readFile(index, "utf8");
      await writeFile(index, text.replace('"accepted": true', '"accepted": false'));
      const { code, rows } = asked(copied);
      expect(code).toBe(1);
      expect(rows.some(({ file, right }) => file === "newton/accepted.json" && right === false)).toBe(true);
    });
  },
);
