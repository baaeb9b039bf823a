import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { present } from "../../spec/index.ts";
import type { FlatTrace } from "../emit/flat.ts";
import { type Copy, copyOfTorchLean } from "./copy.test.kit.ts";
import { everyOperation, swappedAxes } from "./witness.test.kit.ts";
import { torchLeanWitness } from "./witness.ts";

const folder = mkdtempSync(join(tmpdir(), "adjudge-witness-"));
afterAll(() => rmSync(folder, { recursive: true }));

const setting: { copy?: Copy } = {};
beforeAll(async () => {
  setting.copy = await copyOfTorchLean(folder);
}, 600_000);

function textOf(trace: FlatTrace): string {
  const witness = torchLeanWitness(trace);
  if (!witness.ok) throw new Error(JSON.stringify(witness.error));
  return witness.value;
}

/** Wrong twins are of a small run, which no limit of Lean's ends. */
const text = textOf(swappedAxes());

/** Returns what Lean, which has the copy, finds wrong in a text. */
function errorsOf(name: string, content: string): Promise<readonly string[]> {
  return present(setting.copy, "the copy").errorsOf(name, content);
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
