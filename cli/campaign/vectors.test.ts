import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, test } from "vitest";
import { programVectors, suiteVectors } from "../../conformance/index.ts";
import type { VectorData } from "../../spec/index.ts";
import { readSuite } from "../given/suite.ts";
import { adjudge, testee } from "../process/recording.test.kit.ts";
import { exitCodes } from "../terminal/exit.ts";
import { choicesOf } from "./agenda.ts";

const folder = await mkdtemp(join(tmpdir(), "adjudge-vectors-"));
afterAll(() => rm(folder, { recursive: true }));

function suite(path: string): string {
  return join(fileURLToPath(new URL("../../conformance/suites", import.meta.url)), path);
}

async function vectorAt(path: string): Promise<VectorData | undefined> {
  const read = await readSuite([suite(path)]);
  if (!read.ok || read.value.length !== 1) throw new Error(path);
  return read.value[0]?.vector;
}

const cube = suite("structures.adj#cube");

describe("a vector on the command line", () => {
  test("is checked, its sets and its id too", async () => {
    expect(await adjudge("check", cube)).toMatchObject({ code: exitCodes.agrees, out: `✓ ${cube}` });
    const text = JSON.stringify(suiteVectors().get("structures/cube"));
    const changed = join(folder, "changed.json");
    await writeFile(changed, text.replace('"clause":"2.3"', '"clause":"2.4"'));
    expect(await adjudge("check", changed)).toMatchObject({
      code: exitCodes.badInput,
      out: expect.stringContaining("vector/id at /id"),
    });
  });

  test("is run with its own numbers", async () => {
    const { code, out } = await adjudge("run", cube, "--algebra", "rational");
    expect(code).toBe(exitCodes.agrees);
    expect(out).toContain("343");
  });

  test("says what it seeds, which is not 1 where its text names no seed", async () => {
    const square = join(folder, "square.adj");
    await writeFile(square, "graph square(x)\n  x * x\nat x = 2\n");
    expect((await adjudge("run", square, "-a", "rational")).out.split("\n").slice(0, 4)).toEqual([
      "over rational, dense form",
      "seed %1 = 3",
      "x: []",
      "    value      2",
    ]);
  });

  test("is judged and replayed as the case in it", async () => {
    expect(await adjudge("judge", cube, "-e", "interpreter")).toMatchObject({ code: exitCodes.agrees });
    const engine = testee("mutant", "operand_dropped");
    expect(await adjudge("replay", cube, "-e", engine)).toMatchObject({ code: exitCodes.disagrees });
  });
});

describe("readSuite", () => {
  test("reads a text of vectors, and keeps what they say beside the case", async () => {
    const read = await readSuite([suite("policies.adj")]);
    expect(read.ok && read.value.every(({ vector }) => vector?.policy !== undefined)).toBe(true);
  });
});

describe("readSuite of the whole suite", () => {
  test("leaves out what has no format, unless it is asked for by name", async () => {
    const whole = await readSuite([suite(".")]);
    expect(whole.ok && whole.value.length > 700).toBe(true);
    const programs = whole.ok ? whole.value.filter(({ vector }) => vector === undefined) : [];
    expect(programs.length).toBeGreaterThan(180);
    expect(programs.every(({ file }) => /[\\/](state|manners)[\\/]/.test(file))).toBe(true);
    expect(programs.filter(({ tapes }) => tapes !== undefined).length).toBeGreaterThan(40);
    expect(await readSuite([suite("catalogue.json")])).toMatchObject({ ok: false });
  });

  test("takes a folder of such documents alone for an empty one", async () => {
    const other = await mkdtemp(join(folder, "other-"));
    await writeFile(join(other, "catalogue.json"), "[]");
    expect(await readSuite([other])).toMatchObject({ ok: false, error: [{ code: "suite/empty" }] });
    await writeFile(join(other, "broken.json"), "{");
    expect(await readSuite([other])).toMatchObject({ ok: false, error: [{ code: "json/syntax" }] });
  });
});

describe("a vector of a program on the command line", () => {
  const total = suite("state/sessions.adj#running_total");
  const released = suite("state/tape.adj#read_after_release");

  test("is checked, shown, and judged call by call", async () => {
    expect(await adjudge("check", total, released)).toMatchObject({ code: exitCodes.agrees });
    expect(await adjudge("show", total)).toMatchObject({ out: expect.stringContaining("  total += x\n") });
    const read = await readSuite([total]);
    expect(read.ok && read.value.map(({ file }) => file)).toEqual([
      total,
      `${total} call 2`,
      `${total} call 3`,
    ]);
    // What the calls before left is an input of the next: 1 + 2, and 3 + 5.
    const begins = read.ok ? read.value.map(({ case: { point } }) => [...(point.inputs[1]?.data ?? [])]) : [];
    expect(begins).toEqual([
      [1, 1],
      [3, 4],
      [8, 11],
    ]);
    const judged = await adjudge("judge", total, "-e", "interpreter", "--dtype", "float64");
    expect(judged).toMatchObject({ code: 0, out: expect.stringContaining(" 3/3 ") });
  });

  test("is asked as graphs by judge, which says how engines that run programs are asked it whole", async () => {
    const graphs = suite("algebra.adj");
    const whole = `adjudge programs ${total} -e interpreter`;
    const judged = await adjudge(
      "judge",
      total,
      `${total} call 2`,
      graphs,
      "-e",
      "interpreter",
      "--dtype",
      "float64",
    );
    expect(judged.notes).toBe(
      `! 4 runs of programs were asked as graphs; to ask the programs themselves: ${whole}`,
    );
    // An engine of graphs alone is told nothing of programs, and a graph is no run of one.
    for (const asked of [
      [total, "-e", "javascript"],
      [suite("algebra.adj#einsum_trace"), "-e", "interpreter"],
    ])
      expect((await adjudge("judge", ...asked)).notes).not.toContain("adjudge programs");
  });

  test("is replayed by the name that a report gives to a call", async () => {
    const read = await readSuite([`${total} call 3`]);
    expect(read.ok && read.value.map(({ file }) => file)).toEqual([`${total} call 3`]);
    expect(await adjudge("replay", `${total} call 2`, "-e", "interpreter")).toMatchObject({ code: 0 });
    expect(await readSuite([`${total} call 4`])).toMatchObject({
      ok: false,
      error: [{ code: "suite/empty" }],
    });
  });

  test("is no question to engines of graphs where it must be refused", async () => {
    expect(await adjudge("judge", released, "-e", "interpreter")).toMatchObject({
      code: exitCodes.badInput,
      notes: expect.stringContaining("program/refuse at /refuse"),
    });
  });

  test("is told where what is expected does not fit the program", async () => {
    const text = JSON.stringify(programVectors().get("state/running_total"));
    const changed = join(folder, "changed_total.json");
    await writeFile(changed, text.replace('"refuse":"never"', '"refuse":"must"'));
    expect(await adjudge("check", changed)).toMatchObject({
      code: exitCodes.badInput,
      out: expect.stringContaining("vector/refuse at /expected/2/kind"),
    });
  });
});

describe("choicesOf", () => {
  test("allows the choices that no engine can declare, and leaves the others to the declaration", async () => {
    const length = await vectorAt("policies.adj#length_of_zero");
    expect(choicesOf(length)).toEqual({ allowed: length?.expected });
    expect(choicesOf(await vectorAt("policies.adj#maximum_tie"))).toEqual({});
    expect(choicesOf(await vectorAt("structures.adj#cube"))).toEqual({});
    expect(choicesOf(undefined)).toEqual({});
  });
});
