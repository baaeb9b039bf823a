import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { cacheFolder } from "../../spec/cache_folder.ts";
import { present } from "../../spec/index.ts";
import { findLean } from "../run/find.ts";
import type { Lean } from "../run/lean.ts";
import { buildLibrary } from "../run/library.ts";

const folder = mkdtempSync(join(tmpdir(), "adjudge-mathlib-"));
afterAll(() => rmSync(folder, { recursive: true }));

const limits = { milliseconds: 600_000, outputBytes: 8_000_000 };
const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
/** A module does not hand its notations on, so they stand behind the imports. */
const notations = `
notation "ℝ" => Real
notation:25 V " →L[" S "] " W => ContinuousLinearMap S V W
`;
const text = readFileSync(here("AdjudgeMathlib/FDeriv.lean"), "utf8").replace("\n/-!", `${notations}\n/-!`);
const setting: { lean?: Lean; libraries?: readonly string[] } = {};

beforeAll(async () => {
  const lean = await findLean({ log: () => undefined });
  if (!lean.ok) throw new Error(lean.error.message);
  const built = async (project: string, root: string): Promise<string> => {
    const library = await buildLibrary({
      folder: here(project),
      root,
      lean: lean.value,
      cache: cacheFolder(),
      limits,
    });
    if (!library.ok) throw new Error(JSON.stringify(library.error));
    return library.value.folder;
  };
  setting.lean = lean.value;
  setting.libraries = [await built("../lean", "Adjudge"), await built("stand_in", "Mathlib")];
}, 1_200_000);

/** Returns what Lean, which has the library and what stands in for Mathlib, finds wrong in a text. */
async function errorsOf(name: string, content: string): Promise<readonly string[]> {
  const file = `${name.replaceAll(/[^a-z]+/g, "_")}.lean`;
  writeFileSync(join(folder, file), content);
  const libraries = present(setting.libraries, "the libraries");
  const job = { folder, file, libraries, options: [], isProgram: false, limits };
  const run = await present(setting.lean, "Lean").run(job);
  if (run.kind === "stopped") throw new Error(run.why);
  return run.messages.filter(({ severity }) => severity === "error").map((message) => message.text);
}

describe("the Fréchet derivative of a graph, against what stands in for Mathlib,", () => {
  test("is accepted", async () => {
    expect(text).not.toMatch(/sorry|axiom|native_decide/);
    expect(await errorsOf("whole", text)).toEqual([]);
  }, 600_000);

  test.each([
    ["half a product rule", "fun u => s u * g v + f v * t u", "fun u => s u * g v"],
    [
      "a quotient rule of the other sign",
      "fun u => -((f v)⁻¹ * s u * (f v)⁻¹)",
      "fun u => (f v)⁻¹ * s u * (f v)⁻¹",
    ],
    ["stop_gradient as its operand", "| constant _ | linear _ |", "| constant _ | detached _ | linear _ |"],
    ["divisors that may be zero", "(invertible : f v * (f v)⁻¹ = 1)", ""],
  ])(
    "is refused with %s",
    async (name, right, wrong) => {
      expect(text).toContain(right);
      expect(await errorsOf(name, text.replaceAll(right, wrong))).not.toEqual([]);
    },
    600_000,
  );
});
