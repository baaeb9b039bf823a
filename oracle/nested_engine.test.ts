import { describe, expect, test } from "vitest";
import { interpreterEngine, mutantFamilies, nestedEngine } from "../engines/index.ts";
import { sampled } from "../spec/sampled.test.kit.ts";
import { campaign, nestedProfile } from "./generate/index.ts";
import { ask } from "./hearing/ask.ts";

describe("the nested engine", () => {
  test.each([
    ["float64", 200],
    ["float32", 60],
  ] as const)("is never wrong in %s, and is told right in nearly all of %i nested cases", async (dtype, count) => {
    const engine = nestedEngine();
    const kinds = new Map<string, number>();
    for (const question of campaign(nestedProfile, 31, count)) {
      const { kind } = await ask(engine, question, dtype, []);
      kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
    }
    expect([...kinds.keys()].filter((kind) => kind !== "agrees" && kind !== "undecided")).toEqual([]);
    expect(kinds.get("agrees")).toBeGreaterThan(0.85 * count);
  });

  test("differs from each of its mutants in what is searched, and the interpreter does not", async () => {
    const members = mutantFamilies.find(({ family }) => family === "nesting")?.members ?? [];
    expect(members.length).toBeGreaterThanOrEqual(25);
    const alive = new Set(sampled("nesting", members, 6));
    const sound = interpreterEngine();
    for (const question of campaign(nestedProfile, 33, 400)) {
      if (alive.size === 0) return;
      expect((await ask(sound, question, "float64", [])).kind).not.toBe("differs");
      for (const mutant of alive) {
        if ((await ask(mutant.engine(), question, "float64", [])).kind === "differs") alive.delete(mutant);
      }
    }
    expect([...alive].map(({ name }) => name)).toEqual([]);
  });
});
