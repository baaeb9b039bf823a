import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { externalBeside } from "./external.ts";
import { hasPython, python, read, valuesOf } from "./model.test.kit.ts";

const isThere = hasPython("torch") && hasPython("onnx");
if (!isThere) console.warn(`${python} lacks torch or onnx; PyTorch's exporters write no models to be read.`);

const folder = mkdtempSync(join(tmpdir(), "adjudge-exporters-"));
afterAll(() => rmSync(folder, { recursive: true }));

describe.runIf(isThere)("what PyTorch's exporters write", () => {
  test("is read, and computes what PyTorch does", { timeout: 300_000 }, () => {
    const script = join(import.meta.dirname, "exporters.py");
    const { status, stderr } = spawnSync(python, [script, folder], { encoding: "utf8" });
    expect([status, status === 0 ? "" : stderr]).toEqual([0, ""]);
    const names = readdirSync(folder).filter((name) => name.endsWith(".onnx"));
    expect(names.length).toBeGreaterThanOrEqual(8);
    for (const name of names) {
      const path = join(folder, name);
      const { x, y }: { x: number[]; y: number[] } = JSON.parse(
        readFileSync(path.replace(".onnx", ".json"), "utf8"),
      );
      const model = read(readFileSync(path), { given: new Map([["x", x]]), external: externalBeside(path) });
      if (!model.ok) throw new Error(`${name}: ${JSON.stringify(model.error)}`);
      const { graph, point, outputs } = model.value;
      const [found = []] = valuesOf(
        graph,
        point,
        outputs.map(({ id }) => id),
      );
      const farthest = Math.max(...y.map((wanted, place) => Math.abs(wanted - (found[place] ?? Number.NaN))));
      expect([name, found.length, farthest < 1e-5]).toEqual([name, y.length, true]);
    }
  });
});
