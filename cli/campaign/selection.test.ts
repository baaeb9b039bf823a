import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { drawings } from "../../oracle/generate/drawing.ts";
import { type Drawing, drawnAt, mix } from "../../oracle/generate/index.ts";
import { graph } from "../../spec/builder/index.ts";
import { operatorNames } from "../../spec/composites/index.ts";
import { nodeId } from "../../spec/shapes/index.ts";
import type { ReportJson } from "../../spec/wire/index.ts";
import { bundledSuites } from "../given/suite_folders.ts";
import { adjudge, testee } from "../process/recording.test.kit.ts";
import { exitCodes } from "../terminal/exit.ts";
import { everything, isSelected, selectedIndexes } from "./selection.ts";

const folder = await mkdtemp(join(tmpdir(), "adjudge-selection-"));
afterAll(() => rm(folder, { recursive: true }));
const at = (name: string): string => join(folder, name);
const read = async (name: string): Promise<ReportJson> => JSON.parse(await readFile(at(name), "utf8"));

const graphOf = (index: number, drawing: Drawing = mix) => drawnAt(drawing, operatorNames, 1, index).graph;

describe("selectedIndexes", () => {
  test("are all, in order, where nothing is selected", () => {
    expect([...selectedIndexes(everything, 3, operatorNames, graphOf)]).toEqual([0, 1, 2]);
    // Nothing is made for those that are not taken.
    const many = selectedIndexes(everything, 2 ** 32, operatorNames, graphOf);
    expect([many.next().value, many.next().value]).toEqual([0, 1]);
  });

  test("are the first cases of the run that have one of the operators and none of the others", () => {
    const selection = { operators: ["conv", "exp"], excluded: ["add"] } as const;
    const indexes = [...selectedIndexes(selection, 30, operatorNames, graphOf)];
    expect(indexes).toHaveLength(30);
    const last = indexes.at(-1) ?? 0;
    const fits = Array.from({ length: last + 1 }, (_, index) => index).filter((index) => {
      const ops = graphOf(index).nodes.map(({ op }) => op);
      const isWithin = isSelected(selection, graphOf(index));
      return isWithin && !ops.includes("add");
    });
    expect(indexes).toEqual(fits);
    expect(
      fits.every((index) => isSelected({ operators: ["conv", "exp"], excluded: [] }, graphOf(index))),
    ).toBe(true);
  });

  test("are none of an engine that offers none of the operators, nor of a profile that has none", () => {
    const selection = { operators: ["conv"], excluded: [] } as const;
    expect([...selectedIndexes(selection, 30, ["exp"], graphOf)]).toEqual([]);
    const chain = drawings.get("chain") ?? mix;
    expect([...selectedIndexes(selection, 2, operatorNames, (index) => graphOf(index, chain))]).toEqual([]);
  });
});

test("an operator of an inner graph is one of the case", () => {
  const inner = graph(({ input }) => {
    input("x").sin();
  });
  const outer = graph(({ input, differentiate }) => {
    const attributes = { graph: inner, mode: "vjp", of: nodeId(1), wrt: nodeId(0) } as const;
    differentiate(input("x"), input("c"), attributes);
  });
  expect(isSelected({ operators: ["sin"], excluded: [] }, outer)).toBe(true);
  expect(isSelected({ operators: [], excluded: ["sin"] }, outer)).toBe(false);
  expect(isSelected({ operators: ["cos"], excluded: [] }, outer)).toBe(false);
});

describe("adjudge judge --operator, --exclude", () => {
  const wrong = ["-e", testee("mutant", "sin_slope_at_result"), "--dtype", "float64", "--seconds", "0"];

  test("find a wrong operator where it is selected, and nothing where it is excluded", async () => {
    const found = await adjudge("judge", ...wrong, "-n", "3", "--operator", "sin", "--laws-every", "0");
    expect(found.code).toBe(exitCodes.disagrees);
    expect(found.out).toContain("of all cases those with sin");
    expect(found.out).toMatch(/ \d\/3 /);
    const none = await adjudge("judge", ...wrong, "-n", "12", "--exclude", "sin", "--laws-every", "0");
    expect(none.out).toContain(" 12/12 ");
    expect(none.code).toBe(exitCodes.agrees);
  });

  test("ask the same in parts, and parts of other selections do not belong together", async () => {
    const right = ["-e", "interpreter", "--dtype", "float64", "--seconds", "0", "--laws-every", "0"];
    const asked = [...right, "-n", "9", "--operator", "tanh"];
    await adjudge("judge", ...asked, "--report", at("whole.json"));
    for (const part of [1, 2])
      await adjudge("judge", ...asked, "--shard", `${part}/2`, "--report", at(`${part}.json`));
    const { code } = await adjudge("merge", at("1.json"), at("2.json"), "--report", at("merged.json"));
    expect(code).not.toBe(exitCodes.badInput);
    const [whole, merged] = [await read("whole.json"), await read("merged.json")];
    expect(merged.engines[0]?.counts).toEqual(whole.engines[0]?.counts);
    expect(whole.selection).toEqual({ operators: ["tanh"], excluded: [] });
    const other = asked.map((word) => (word === "tanh" ? "exp" : word));
    await adjudge("judge", ...other, "--shard", "2/2", "--report", at("other.json"));
    const refused = await adjudge("merge", at("1.json"), at("other.json"));
    expect(refused.code).toBe(exitCodes.badInput);
    expect(refused.notes).toContain("has selection");
  });

  test("name what was probably meant, and refuse to leave out what was not asked", async () => {
    const typo = await adjudge("judge", "--operator", "tnah");
    expect(typo.code).toBe(exitCodes.badInput);
    expect(typo.notes).toContain("did you mean tanh?");
    const updating = await adjudge("judge", ...wrong, "--operator", "tanh", "--update-known");
    expect(updating.code).toBe(exitCodes.badInput);
    expect(updating.notes).toContain("--update-known leaves out what did not occur");
  });
});

describe("adjudge judge --suite, --list", () => {
  test("asks what the suite's folder has", async () => {
    const asked = ["-e", "interpreter", "--dtype", "float64", "--operator", "einsum"];
    const { code, out } = await adjudge("judge", "--suite", "algebra", ...asked);
    const listed = await adjudge("judge", "--list", "vectors", "--suite", "algebra", "--operator", "einsum");
    const count = listed.out.split("\n").length;
    expect(count).toBeGreaterThan(2);
    expect(out).toContain(` ${count}/${count} `);
    expect(code).toBe(exitCodes.agrees);
  });

  test("names a suite that was probably meant", async () => {
    const { code, notes } = await adjudge("judge", "--suite", "algebr");
    expect(code).toBe(exitCodes.badInput);
    expect(notes).toContain("did you mean algebra?");
  });

  test.each([
    ["suites", bundledSuites()],
    ["profiles", [...drawings.keys()]],
    ["operators", [...operatorNames]],
    ["engines", ["interpreter", "tape:checkpointed"]],
  ])("lists %s, a line each", async (what, names) => {
    const { code, out } = await adjudge("judge", "--list", what);
    expect(code).toBe(exitCodes.agrees);
    expect(out.split("\n").map((line) => line.split("  ")[0])).toEqual(expect.arrayContaining(names));
  });

  test("lists nothing that it does not know", async () => {
    expect((await adjudge("judge", "--list", "mutants")).code).toBe(exitCodes.badInput);
  });
});
