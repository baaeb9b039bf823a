import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { cacheFolder } from "../../spec/cache_folder.ts";
import { present } from "../../spec/index.ts";
import type { FlatTrace } from "../emit/flat.ts";
import { findLean } from "../run/find.ts";
import type { Lean } from "../run/lean.ts";
import { buildLibrary } from "../run/library.ts";
import { everyOperation, swappedAxes } from "./witness.test.kit.ts";
import { torchLeanWitness } from "./witness.ts";

const copy = fileURLToPath(new URL("copy", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "adjudge-witness-"));
afterAll(() => rmSync(folder, { recursive: true }));

const limits = { milliseconds: 600_000, outputBytes: 8_000_000 };
const setting: { lean?: Lean; library?: string } = {};

beforeAll(async () => {
  const lean = await findLean({ log: () => undefined });
  if (!lean.ok) throw new Error(lean.error.message);
  const built = await buildLibrary({
    folder: copy,
    root: "NN",
    lean: lean.value,
    cache: cacheFolder(),
    limits,
    progress: () => undefined,
  });
  if (!built.ok) throw new Error(JSON.stringify(built.error));
  setting.lean = lean.value;
  setting.library = built.value.folder;
}, 600_000);

function textOf(trace: FlatTrace): string {
  const witness = torchLeanWitness(trace);
  if (!witness.ok) throw new Error(JSON.stringify(witness.error));
  return witness.value;
}

/** Wrong twins are of a small run, which no limit of Lean's ends. */
const text = textOf(swappedAxes());

/** Returns what Lean, which has the copy of TorchLean's definitions, finds wrong in a text. */
async function errorsOf(name: string, content: string): Promise<readonly string[]> {
  const file = `${name}.lean`;
  writeFileSync(join(folder, file), content);
  const run = await present(setting.lean, "Lean").run({
    folder,
    file,
    libraries: [present(setting.library, "the copy")],
    options: [],
    isProgram: false,
    limits,
  });
  if (run.kind === "stopped") throw new Error(run.why);
  return run.messages.filter(({ severity }) => severity === "error").map(({ text: told }) => told);
}

describe("a witness, against a copy of TorchLean's definitions,", () => {
  test("is accepted, with each operation that it can have", async () => {
    expect(await errorsOf("whole", textOf(everyOperation()))).toEqual([]);
  }, 600_000);

  test("is accepted where elements change places", async () => {
    expect(await errorsOf("swap", text)).toEqual([]);
  }, 600_000);

  test.each([
    ["a value", /(def value2 .*?#\[\()/],
    ["a cotangent", /(def cotangent0 .*?#\[\()/],
    ["the seed", /(def seed : .*?Tensor\.scalar \()/],
  ] as const)(
    "is refused when another number stands in %s",
    async (name, place) => {
      expect(text).toMatch(place);
      const wrong = text.replace(place, "$11 + ");
      expect(wrong).not.toBe(text);
      const errors = await errorsOf(`wrong_${name.replaceAll(" ", "_")}`, wrong);
      expect(errors).toEqual([expect.stringContaining("rfl")]);
    },
    600_000,
  );

  test("is refused when the program does something else", async () => {
    const wrong = text.replace("TapeM.mul ", "TapeM.add ");
    expect(wrong).not.toBe(text);
    const errors = await errorsOf("other_program", wrong);
    expect(errors).toEqual([expect.stringContaining("rfl"), expect.stringContaining("rfl")]);
  }, 600_000);
});
