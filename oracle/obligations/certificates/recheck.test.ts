import { afterAll, describe, expect, test } from "vitest";
import type { GroundJson, ObstructionJson } from "../../../spec/index.ts";
import { z3 } from "../solve/index.ts";
import { recheck } from "./recheck.ts";

const solver = z3();
afterAll(() => solver[Symbol.asyncDispose]());

function ground(times: string, ...terms: GroundJson["terms"]): GroundJson {
  return { says: "", reason: "agree", times, terms };
}

/** These say that x is in kg, y is x², and y is in m. */
const grounds = [
  ground("2", [2, "1"], [0, "-1"]),
  ground("1", [3, "1"], [2, "-2"]),
  ground("-1", [3, "1"], [1, "-1"]),
];
const right: ObstructionJson = {
  says: "",
  left: "kg²",
  right: "m",
  bases: ["kg", "m"],
  unknowns: ["x", "y"],
  grounds,
};

describe("an obstruction that is asked again", () => {
  test("sums up to a product of bases, and has a solution only without one of its equations", async () => {
    expect(await recheck(right, solver)).toEqual({
      sum: "kg^-2·m",
      all: "unmet",
      without: ["met", "met", "met"],
    });
  });

  test("sums up to no such product with another certificate", async () => {
    const other = { ...right, grounds: [ground("1", [2, "1"], [0, "-1"]), ...grounds.slice(1)] };
    expect(await recheck(other, solver)).toMatchObject({ sum: undefined, all: "unmet" });
  });

  test("shows an equation that is not needed", async () => {
    const more = { ...right, grounds: [...grounds, ground("1", [2, "2"], [0, "-2"])] };
    expect(await recheck(more, solver)).toMatchObject({ without: ["unmet", "met", "met", "unmet"] });
  });

  test("is refuted if its equations have a solution", async () => {
    const met = { ...right, grounds: grounds.slice(0, 2) };
    expect(await recheck(met, solver)).toMatchObject({ sum: undefined, all: "met" });
  });

  test("is unknown if the solver does not answer", async () => {
    const silent = async () => ({ answer: { kind: "timeout" }, milliseconds: 0, spent: undefined }) as const;
    expect(await recheck(right, { ask: silent })).toMatchObject({
      all: "unknown",
      without: ["unknown", "unknown", "unknown"],
    });
  });
});
