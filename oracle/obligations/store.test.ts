import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { faultsOfCollection } from "./collection.ts";
import { faultsOfForm } from "./form.ts";
import { allObligations } from "./index.ts";
import type { Obligation } from "./obligation.ts";
import { largerIsAbove, stepStays } from "./obligations.test.kit.ts";
import { countDeciders } from "./show.ts";
import { MANIFEST, pathsInManifest, scriptFiles, storedFiles } from "./store.ts";

const folder = fileURLToPath(new URL("smt2", import.meta.url));

/** Reads the files of a folder by their paths in it; none if it is missing. */
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

/** Lists scripts whose stored hash or text is wrong, missing or superfluous. */
function faultsOfStored(
  stored: ReadonlyMap<string, string>,
  obligations: readonly Obligation[],
): readonly string[] {
  const sums = (text = ""): ReadonlyMap<string, string> =>
    new Map(text.split("\n").flatMap((line) => (line === "" ? [] : [[line.slice(66), line] as const])));
  const generated = scriptFiles(obligations);
  const [had, wanted] = [sums(stored.get(MANIFEST)), sums(generated.get(MANIFEST))];
  const listed = [...new Set([...had.keys(), ...wanted.keys()])];
  const kept = [...new Set([...stored.keys(), ...storedFiles(obligations).keys()])];
  return [
    ...listed.filter((path) => had.get(path) !== wanted.get(path)),
    // A folder may keep scripts that are not stored, but only as they are now.
    ...kept.filter((path) => stored.get(path) !== generated.get(path)),
  ].toSorted();
}

describe("stored scripts", () => {
  const tape: Obligation = { ...largerIsAbove, id: "tape/larger" };

  test("are all in the list, in the order of their paths, which sha256sum can check", () => {
    const files = scriptFiles([stepStays, largerIsAbove]);
    expect([...files.keys()]).toEqual([
      MANIFEST,
      "kit/larger.mutant.smaller.smt2",
      "kit/larger.smt2",
      "kit/larger.vacuity.smt2",
      "kit/step.mutant.any-term.smt2",
      "kit/step.smt2",
      "kit/step.vacuity.smt2",
    ]);
    const sums = [...files].filter(([name]) => name !== MANIFEST);
    const hashOf = (text: string): string => createHash("sha256").update(text).digest("hex");
    expect(files.get(MANIFEST)).toBe(sums.map(([name, text]) => `${hashOf(text)}  ${name}\n`).join(""));
    expect(pathsInManifest(files.get(MANIFEST) ?? "")).toEqual(sums.map(([name]) => name));
    expect(pathsInManifest("no hash  kit/step.smt2\n")).toEqual([]);
  });

  test("are files only where they are of the tape and not very long", () => {
    const long = { ...tape, id: "tape/long", statement: "x".repeat(2 ** 18) };
    expect([...storedFiles([stepStays, tape, long]).keys()]).toEqual([
      MANIFEST,
      "tape/larger.mutant.smaller.smt2",
      "tape/larger.smt2",
      "tape/larger.vacuity.smt2",
      "tape/long.mutant.smaller.smt2",
      "tape/long.vacuity.smt2",
    ]);
  });

  test("are noticed if one is wrong, missing or superfluous, in the list or as a file", () => {
    const obligations = [stepStays, tape];
    const files = storedFiles(obligations);
    const sums = files.get(MANIFEST) ?? "";
    const storing = (...changes: readonly (readonly [string, string])[]): readonly string[] =>
      faultsOfStored(new Map([...files, ...changes]), obligations);
    expect(storing()).toEqual([]);
    expect(storing([MANIFEST, sums.replace(/^[0-9a-f]{8}/, "00000000")])).toContain(
      "kit/step.mutant.any-term.smt2",
    );
    expect(storing([MANIFEST, sums.slice(sums.indexOf("\n") + 1)])).toContain(
      "kit/step.mutant.any-term.smt2",
    );
    expect(storing([MANIFEST, `${sums}${sums.slice(0, 66)}kit/zero.smt2\n`])).toContain("kit/zero.smt2");
    expect(storing([MANIFEST, sums.split("\n").toReversed().join("\n")])).toEqual([MANIFEST]);
    expect(storing(["tape/larger.smt2", "(check-sat)\n"])).toEqual(["tape/larger.smt2"]);
    expect(storing(["kit/zero.smt2", "(check-sat)\n"])).toEqual(["kit/zero.smt2"]);
    expect(faultsOfStored(new Map([[MANIFEST, sums]]), obligations)).toContain("tape/larger.smt2");
    expect(faultsOfStored(scriptFiles(obligations), obligations)).toEqual([]);
  });
});

describe("the obligations that there are", async () => {
  const obligations = await allObligations();

  test("are in form, each and all together", () => {
    expect(faultsOfCollection(obligations)).toEqual([]);
    expect(obligations.flatMap((each) => faultsOfForm(each).map((fault) => `${each.id}: ${fault}`))).toEqual(
      [],
    );
  });

  test("are the same where only families are made that may have ids which begin so", async () => {
    const idsIn = (all: readonly Obligation[], prefix: string): readonly string[] =>
      all.flatMap(({ id, tier }) => (id.startsWith(prefix) ? [`${id} ${tier}`] : []));
    for (const [prefix, families] of [
      ["accumulators/", 1],
      ["tape", 2],
    ] as const) {
      const some = await allObligations(undefined, prefix);
      expect(idsIn(some, prefix)).toEqual(idsIn(obligations, prefix));
      expect(new Set(some.map(({ id }) => id.slice(0, id.indexOf("/")))).size).toBe(families);
    }
  });

  test("are stored as the code generates them; if not: npm run prove -- --tier all --second cvc5 --write", async () => {
    expect(obligations.length).toBeGreaterThan(700);
    expect(faultsOfStored(await filesIn(folder), obligations)).toEqual([]);
  });

  test("are counted in docs/obligations.md, by family, by what decides their goals, and with their mutants", async () => {
    const page = await readFile(new URL("../../docs/obligations.md", import.meta.url), "utf8");
    const familyOf = ({ id }: Obligation): string => id.slice(0, id.indexOf("/"));
    const counted = (family: string, members: readonly Obligation[]): string => {
      const deciders = countDeciders(members);
      const mutants = members.reduce((sum, { mutants }) => sum + mutants.length, 0);
      const goals = [deciders["same term"], deciders["normal form"], deciders.solver];
      return [family, members.length, ...goals, mutants].join(" ");
    };
    const told = [...page.matchAll(/^\| (\w+) \| .*?\| (\d+) \| (\d+) \| (\d+) \| (\d+) \| (\d+) \|/gm)];
    expect(told.map(([, ...cells]) => cells.join(" "))).toEqual([
      ...[...Map.groupBy(obligations, familyOf)].map(([family, members]) => counted(family, members)),
      counted("all", obligations),
    ]);
  });
});
