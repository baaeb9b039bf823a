import { describe, expect, test } from "vitest";
import { referenceConventions } from "../../../spec/contract/index.ts";
import { primitiveNames, unaryFunctions, unaryNames } from "../../../spec/index.ts";
import {
  compositeUlps,
  declaredExcess,
  defaultUlps,
  derivativeUlps,
  forwardUlps,
  openTies,
  standardOf,
  standardOfFunction,
  standardOfSteps,
} from "./standard.ts";

const declared = {
  conventions: referenceConventions,
  accuracy: { add: 2, exp: 3, softmax: 7, multiply: 5, permute_dims: 1.5 },
} as const;
const [engine, whole] = [standardOf, standardOfFunction].map((make) => make(declared, "float32"));
if (engine === undefined || whole === undefined) throw new Error("two standards");

describe("an engine's standard", () => {
  test("has what is declared of an operator, and the default for the others", () => {
    expect([forwardUlps(engine, "add"), forwardUlps(engine, "exp")]).toEqual([2, 3]);
    expect(forwardUlps(engine, "sin")).toBe(defaultUlps("sin"));
    expect(forwardUlps(engine, "divide")).toBe(0.5);
    expect(compositeUlps(engine, "softmax")).toBe(7);
    expect(compositeUlps(engine, "mean")).toBe(2);
  });

  test("has beyond what bounds count only what is declared of what they do not", () => {
    const excess = primitiveNames.filter((op) => declaredExcess(engine, op) !== 0);
    expect(excess.toSorted()).toEqual(["add", "permute_dims"]);
    expect([declaredExcess(engine, "add"), declaredExcess(engine, "permute_dims")]).toEqual([1.5, 1]);
  });

  test("leaves a derivative two evaluations and two roundings where formulas differ, else what is declared", () => {
    expect(derivativeUlps(engine, "tanh")).toBe(2 * defaultUlps("tanh") + 1);
    expect(derivativeUlps(engine, "divide")).toBe(2);
    expect([derivativeUlps(engine, "add"), derivativeUlps(engine, "negative")]).toEqual([3, 0]);
    for (const op of unaryNames.filter((name) => unaryFunctions[name].hasPlainSlope))
      expect(derivativeUlps(engine, op)).toBe(2);
  });
});

describe("a function's standard", () => {
  test("lets each step err eight times as much as an engine's, and leaves ties open", () => {
    for (const op of primitiveNames) expect(forwardUlps(whole, op)).toBe(8 * forwardUlps(engine, op));
    for (const op of ["softmax", "mean"] as const)
      expect(compositeUlps(whole, op)).toBe(8 * compositeUlps(engine, op));
    expect(derivativeUlps(whole, "tanh")).toBe(16 * defaultUlps("tanh") + 1);
    for (const op of unaryNames.filter((name) => unaryFunctions[name].hasPlainSlope))
      expect(derivativeUlps(whole, op)).toBe(16);
    expect([...openTies(whole)]).toEqual(["maximum", "relu", "less"]);
    expect([...openTies(engine)]).toEqual([]);
  });

  test("is an engine's for its single steps, and an engine's own is that already", () => {
    const steps = standardOfSteps(whole);
    expect(steps).toEqual(engine);
    expect(standardOfSteps(whole)).toBe(steps);
    expect(standardOfSteps(engine)).toBe(engine);
  });
});
