import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { faultsOfCollection } from "./collection.ts";
import { faultsOfForm } from "./form.ts";
import { allObligations } from "./index.ts";
import { largerIsAbove, stepStays } from "./obligations.test.kit.ts";
import { MANIFEST, storedFiles } from "./store.ts";

const folder = fileURLToPath(new URL("smt2", import.meta.url));

/** The files of a folder by their paths in it; none if it is missing. */
async function filesIn(path: string): Promise<ReadonlyMap<string, string>> {
  const entries = await readdir(path, { recursive: true, withFileTypes: true }).catch(() => []);
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return new Map(
    await Promise.all(
      files.map(
        async (file) =>
          [file.slice(path.length + 1).replaceAll(sep, "/"), await readFile(file, "utf8")] as const,
      ),
    ),
  );
}

describe("stored scripts", () => {
  test("are one file each and a line of the manifest, which sha256sum can check", () => {
    const files = storedFiles([stepStays, largerIsAbove]);
    expect([...files.keys()]).toEqual([
      "kit/larger.smt2",
      "kit/larger.mutant.smaller.smt2",
      "kit/larger.vacuity.smt2",
      "kit/step.smt2",
      "kit/step.mutant.any-term.smt2",
      "kit/step.vacuity.smt2",
      MANIFEST,
    ]);
    const sums = [...files].filter(([name]) => name !== MANIFEST);
    const hashOf = (text: string): string => createHash("sha256").update(text).digest("hex");
    expect(files.get(MANIFEST)).toBe(sums.map(([name, text]) => `${hashOf(text)}  ${name}\n`).join(""));
  });

  test("are in the manifest only if they are very long", () => {
    const long = { ...largerIsAbove, metaArgument: "", statement: "x".repeat(2 ** 18) };
    const files = storedFiles([long]);
    expect(files.has("kit/larger.smt2")).toBe(false);
    expect(files.has("kit/larger.vacuity.smt2")).toBe(true);
    expect(files.get(MANIFEST)).toContain("  kit/larger.smt2\n");
  });
});

describe("the obligations that there are", () => {
  const obligations = allObligations();

  test("are in form, each and all together", () => {
    expect(faultsOfCollection(obligations)).toEqual([]);
    expect(obligations.flatMap((each) => faultsOfForm(each).map((fault) => `${each.id}: ${fault}`))).toEqual(
      [],
    );
  });

  test("are stored as the code generates them; if not: npm run prove -- --tier all --second cvc5 --write", async () => {
    const stored = await filesIn(folder);
    const generated = obligations.length === 0 ? new Map<string, string>() : storedFiles(obligations);
    const names = [...new Set([...stored.keys(), ...generated.keys()])];
    expect(names.filter((name) => stored.get(name) !== generated.get(name)).toSorted()).toEqual([]);
  });
});
