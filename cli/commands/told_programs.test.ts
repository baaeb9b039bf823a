import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { adjudge, adjudgeIn } from "../process/recording.test.kit.ts";

const at = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const suites = readdirSync(at("conformance/suites/state")).filter((file) => file.endsWith(".adj"));

/** Lists the lines that are wider than a terminal. */
function wide(out: string, columns: number = 80): readonly string[] {
  return out.split("\n").filter((line) => [...line].length > columns);
}

describe("what a program does to memory and to the world", () => {
  test.each(suites)("is told of every program of %s, in lines of 80 columns and as JSON", async (file) => {
    const path = at(`conformance/suites/state/${file}`);
    const told = await adjudge("show", path, "--aliases", "--effects");
    expect([told.code, told.notes, wide(told.out)]).toEqual([0, "", []]);
    const json = await adjudge("show", path, "--aliases", "--effects", "--json");
    expect(json.code).toBe(0);
    for (const one of json.out.split("\n\n"))
      expect(JSON.parse(one)).toMatchObject({
        aliases: { references: expect.any(Array) },
        effects: { effects: expect.any(Array) },
      });
  });

  test.each([
    "show --aliases --effects",
    "show --ssa",
    "record --tape",
  ])("is told on a narrow terminal by %s", async (words) => {
    const [command = "", ...flags] = words.split(" ");
    for (const [file, name] of [
      ["derivatives", "derivative_of_a_drawing_call"],
      ["custom", "dropout_with_its_own_derivative"],
    ]) {
      const path = `${at(`conformance/suites/state/${file}.adj`)}#${name}`;
      const [usual, narrow] = [
        await adjudge(command, path, ...flags),
        await adjudgeIn(40, command, path, ...flags),
      ];
      expect([usual.code, narrow.code, wide(usual.out), wide(narrow.out, 40)]).toEqual([0, 0, [], []]);
      // Nothing is lost: the same characters stand there, but for blanks and where they break.
      expect(narrow.out.replace(/\s+/g, "")).toBe(usual.out.replace(/\s+/g, ""));
    }
  });

  test("is refused of a graph, which has no memory", async () => {
    const { code, notes } = await adjudge("show", at("docs/examples/tanh.adj"), "--aliases");
    expect([code, notes]).toEqual([2, expect.stringContaining("program/case")]);
  });

  test("says of a derivative with its call that both draw the same", async () => {
    const path = `${at("conformance/suites/state/derivatives.adj")}#derivative_of_a_drawing_call`;
    const { out } = await adjudge("show", path, "--ssa");
    expect(out.replace(/\s+/g, " ")).toContain("; the call that follows draws and receives the same g = ");
  });

  test("names the results that depend on what came from outside", async () => {
    const all = await adjudge("show", at("conformance/suites/state/edges.adj"), "--effects");
    expect(all.out).toContain("results that depend on what came from outside: ");
  });
});

describe("a tape", () => {
  test("is told entry by entry of a program's run and of a graph, as lines and as JSON", async () => {
    for (const file of ["element_in_place", "perceptron", "deep_perceptron"]) {
      const path = at(`docs/examples/${file}.adj`);
      const { code, out } = await adjudge("record", path, "--tape");
      expect([code, wide(out)]).toEqual([0, []]);
      const json = JSON.parse((await adjudge("record", path, "--tape", "--json")).out);
      expect(json.length).toBe(Number(/^a tape of (\d+)/.exec(out)?.[1]));
      expect(json[0]).toMatchObject({
        op: expect.any(String),
        shape: expect.any(Array),
        saved: expect.any(Array),
      });
    }
  });

  test("says which statement overwrites what is saved, by its place in the program", async () => {
    const { out } = await adjudge("record", at("docs/examples/element_in_place.adj"), "--tape", "--json");
    const [square] = JSON.parse(out);
    expect(square.inPlace[0]).toMatchObject({ memory: 0, overwrittenBy: "/procedures/0/body/4" });
  });
});
