import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { operatorNames } from "../../spec/index.ts";
import { caseArbitrary } from "./arbitrary.ts";
import { drawings, drawnAt, mix, sharesOf } from "./drawing.ts";
import { searchedCase } from "./mix.ts";
import { tensorProfile } from "./profile.ts";

const everything = [...operatorNames];

describe("the mix", () => {
  test("is what a search draws from, and replays", () => {
    for (const index of [0, 1, 39, 199, 12_345]) {
      const drawn = drawnAt(mix, everything, 7, index);
      expect(drawn).toEqual(searchedCase(7, index));
      expect(drawnAt(mix, everything, 7, index)).toEqual(drawn);
    }
  });

  test("repeats after its period, and its shares add up to 1", () => {
    for (let index = 0; index < mix.period; index++)
      expect(mix.profileAt(index + mix.period)).toBe(mix.profileAt(index));
    const shares = sharesOf(mix).map(({ share }) => share);
    expect(shares.length).toBeGreaterThan(1);
    expect(shares.reduce((sum, share) => sum + share)).toBeCloseTo(1, 12);
    expect(sharesOf(tensorProfile)).toEqual([{ profile: "tensor", share: 1 }]);
  });

  test("asks every operator within 500 cases, which small tensors alone do not", () => {
    const drawn = (name: string): ReadonlySet<string> => {
      const drawing = drawings.get(name) ?? mix;
      const cases = Array.from({ length: 500 }, (_, index) => drawnAt(drawing, everything, 1, index));
      return new Set(cases.flatMap(({ graph }) => graph.nodes.map(({ op }) => op)));
    };
    const mixed = drawn("mix");
    expect(everything.filter((op) => !mixed.has(op))).toEqual([]);
    expect(drawn("tensor").has("conv")).toBe(false);
  });

  test("asks an engine without any operator of a profile of the operators that it has", () => {
    const cases = Array.from({ length: mix.period }, (_, index) => drawnAt(mix, ["exp"], 1, index));
    const nodes = cases.map(({ graph }) => graph.nodes);
    expect(nodes.filter(({ length }) => length > 0).length).toBeGreaterThan(cases.length * 0.95);
    expect(new Set(nodes.flat().map(({ op }) => op))).toEqual(new Set(["exp"]));
  });

  test("is drawn from by fast-check too", () => {
    const cases = fc.sample(caseArbitrary(mix), { seed: 1, numRuns: 100 });
    const operators = new Set(cases.flatMap(({ graph }) => graph.nodes.map(({ op }) => op)));
    expect(operators.size).toBeGreaterThan(60);
    expect(Math.max(...cases.map(({ graph }) => graph.nodes.length))).toBeGreaterThan(100);
  });
});
