import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { isSealed, seal } from "./seal.ts";

const held = { folder: "" };

beforeEach(async () => {
  held.folder = await mkdtemp(join(tmpdir(), "adjudge-seal-"));
  await mkdir(join(held.folder, "Adjudge"));
  await writeFile(join(held.folder, "Adjudge", "Tensor.olean"), "compiled");
  await writeFile(join(held.folder, "audit.json"), '{"axioms":["propext"]}');
});

afterEach(() => rm(held.folder, { recursive: true, force: true }));

test("a folder is sealed as long as it holds what it held", async () => {
  expect(await isSealed(held.folder)).toBe(false);
  await seal(held.folder);
  expect(await isSealed(held.folder)).toBe(true);
  await seal(held.folder);
  expect(await isSealed(held.folder)).toBe(true);
});

test.each<[string, (folder: string) => Promise<void>]>([
  ["an edited audit", (folder) => writeFile(join(folder, "audit.json"), '{"axioms":["sorryAx"]}')],
  ["another module's code", (folder) => writeFile(join(folder, "Adjudge", "Tensor.olean"), "compilec")],
  ["a file more", (folder) => writeFile(join(folder, "Adjudge", "Extra.olean"), "")],
  ["a file less", (folder) => rm(join(folder, "Adjudge", "Tensor.olean"))],
  ["a seal that is no JSON", (folder) => writeFile(join(folder, "contents.json"), "{")],
  ["no folder", (folder) => rm(folder, { recursive: true })],
])("%s breaks the seal", async (_, edit) => {
  await seal(held.folder);
  await edit(held.folder);
  expect(await isSealed(held.folder)).toBe(false);
});
