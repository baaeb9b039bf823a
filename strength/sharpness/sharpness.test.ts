import { describe, expect, it, test } from "vitest";
import { hostUlps } from "../../engines/index.ts";
import { profiles, scalar20Profile } from "../../oracle/generate/index.ts";
import { sampled } from "../../spec/sampled.test.kit.ts";
import { casesOfNarrowed, narrowedOf } from "./narrowed.ts";
import { chainSharpnessOf, sensitivityOf, sharpnessOf } from "./sharpness.ts";

describe("the bound is sharp", () => {
  test.each([
    "float64",
    "float32",
  ] as const)("in %s: at 20 nodes at most 30 times the error of a right engine, in the median", (dtype) => {
    const { median, measured } = sharpnessOf({ dtype, nodes: 20, cases: 40, seed: 1, accuracy: hostUlps });
    expect(measured).toBeGreaterThan(500);
    expect(median).toBeLessThanOrEqual(30);
    expect(median).toBeGreaterThan(1);
  });
});

test("of second derivatives of graphs of 20 nodes at most 60 times the error of a right engine, in the median", () => {
  const sample = {
    dtype: "float64",
    nodes: 20,
    cases: 300,
    seed: 1,
    accuracy: hostUlps,
    isDerived: true,
  } as const;
  const { median, measured } = sharpnessOf(sample);
  expect(measured).toBeGreaterThan(200);
  expect(median).toBeLessThanOrEqual(60);
  expect(median).toBeGreaterThan(1);
});

test.each(
  sampled("second derivatives", ["float64", "float32"] as const, 1),
)("in %s, held to the default: of second derivatives at most 60 times the error of functions that err by all it allows, in the median", (dtype) => {
  const sample = { dtype, nodes: 20, cases: 200, seed: 1, accuracy: {}, isDerived: true } as const;
  const { median, measured } = sharpnessOf({ ...sample, isErring: true });
  expect(measured).toBeGreaterThan(150);
  expect(median).toBeLessThanOrEqual(60);
  expect(median).toBeGreaterThan(1);
  // The host's functions err less than the standard allows, so the ratio is larger for them.
  expect(sharpnessOf(sample).median).toBeGreaterThan(median);
});

describe("on chains of 120 to 200 nodes", () => {
  const { median, measured } = chainSharpnessOf({ cases: 15, seed: 1, accuracy: hostUlps });

  it("the bound is at most a hundred times the error of a right engine, in the median", () => {
    expect(measured).toBeGreaterThan(1000);
    expect(median).toBeLessThanOrEqual(100);
    expect(median).toBeGreaterThan(1);
  });
});

describe("of cotangents of float64 that are rounded to float32", () => {
  /** Cases of these have hundreds of numbers, so that fewer do. */
  const large = ["wide", "long", "lengths", "broad"];

  test.each(
    sampled("profiles", [...profiles.values()], 3),
  )("at most 3 % pass, of the profile $name", (profile) => {
    const cases = casesOfNarrowed(profile);
    const { counted, passing } = narrowedOf(profile, large.includes(profile.name) ? 50 : cases, 1);
    expect(counted).toBeGreaterThan(100);
    expect(passing).toBeLessThanOrEqual(0.03 * counted);
  });

  it("all pass of an engine of float32, which the count would show", () => {
    const { counted, passing } = narrowedOf(scalar20Profile, 40, 1, "float32");
    expect(counted).toBeGreaterThan(200);
    expect(passing).toBeGreaterThan(0.5 * counted);
  });
});

describe("a fault in one number of a graph of 20 nodes, where an honest engine keeps all but ten bits of it", () => {
  test.each([
    { dtype: "float64", fault: 1e-12 },
    { dtype: "float32", fault: 1e-3 },
  ] as const)("is caught in $dtype wherever it is, if it is $fault of the number", ({ dtype, fault }) => {
    const { places, wellConditioned, caught } = sensitivityOf(
      { dtype, nodes: 20, cases: 12, seed: 1, accuracy: {} },
      [fault],
    );
    expect(wellConditioned).toBeGreaterThan(places / 3);
    expect(caught.map(({ share }) => share)).toEqual([1]);
  });

  it("is not caught if it is less than the rounding of float64", () => {
    const { caught } = sensitivityOf({ dtype: "float64", nodes: 20, cases: 12, seed: 1, accuracy: {} }, [
      2 ** -54,
    ]);
    expect(caught[0]?.share).toBe(0);
  });
});
