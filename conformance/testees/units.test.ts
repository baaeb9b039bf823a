import { spawnSync } from "node:child_process";
import { mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { physicsLaws } from "../../spec/text/example.test.kit.ts";
import { pythonTestee } from "./bundled.ts";

const folder = await mkdtemp(join(tmpdir(), "adjudge-units-"));
afterAll(() => rm(folder, { recursive: true }));

/** Writes the laws as JSON, a folder for each. */
async function written(name: string): Promise<string> {
  for (const { name: path, units } of physicsLaws()) {
    const file = join(folder, name, `${path}.json`);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, JSON.stringify(units));
  }
  return join(folder, name);
}

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
    test("accept the six laws, and refuse each of their wrong twins", async () => {
      const { code, rows } = asked(await written("laws"));
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

    test("are told to be wrong where they accept what is to be refused", async () => {
      const wrong = await written("wrong");
      await rename(join(wrong, "newton/accepted.json"), join(wrong, "newton/twin.json"));
      const { code, rows } = asked(wrong);
      expect(code).toBe(1);
      expect(rows.some(({ file, right }) => file === "newton/twin.json" && right === false)).toBe(true);
    });
  },
);
