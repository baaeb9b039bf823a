import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { adjudge } from "../process/recording.test.kit.ts";

const at = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const suites = readdirSync(at("conformance/suites/state")).filter((file) => file.endsWith(".adj"));

/** Lists the lines that are wider than a terminal. */
function wide(out: string): readonly string[] {
  return out.split("\n").filter((line) => [...line].length > 80);
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

  test("is refused of a graph, which has no memory", async () => {
    const { code, notes } = await adjudge("show", at("docs/examples/tanh.adj"), "--aliases");
    expect([code, notes]).toEqual([2, expect.stringContaining("program/case")]);
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
