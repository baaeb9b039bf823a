import { expect, test } from "vitest";
import { encodeCase } from "../../spec/index.ts";
import { campaign, caseAt } from "./campaign.ts";
import { exactProfile, restrict, tensorProfile } from "./profile.ts";

function text(seed: number, index: number): string {
  return JSON.stringify(encodeCase(caseAt(tensorProfile, seed, index)));
}

test("a case replays without the ones before it", () => {
  const cases = [...campaign(tensorProfile, 11, 40)];
  for (const index of [39, 0, 17]) expect(caseAt(tensorProfile, 11, index)).toEqual(cases[index]);
});

test("neighbouring indices and seeds give different cases", () => {
  const texts = Array.from({ length: 400 }, (_, i) => text(Math.floor(i / 20), i % 20));
  // A one-node graph without numbers may come twice.
  expect(new Set(texts).size).toBeGreaterThan(390);
});

test("a seed counts beyond its lower 32 bits", () => {
  expect(text(5 + 2 ** 32, 3)).not.toBe(text(5, 3));
  expect(text(5, 3 + 2 ** 32)).not.toBe(text(5, 3));
});

test("the draws of neighbouring cases are not correlated", () => {
  // A shared stream would repeat or shift the first number of the first input.
  const firsts = [...campaign(tensorProfile, 1, 2000)].map(({ point }) => point.inputs[0]?.data[0] ?? 0);
  const mean = firsts.reduce((sum, x) => sum + x, 0) / firsts.length;
  const covariance = firsts.slice(1).reduce((sum, x, i) => sum + (x - mean) * ((firsts[i] ?? 0) - mean), 0);
  const variance = firsts.reduce((sum, x) => sum + (x - mean) ** 2, 0);
  // The correlation of 2000 independent draws exceeds four standard errors once in 16 000 seeds.
  expect(Math.abs(covariance / variance)).toBeLessThan(4 / Math.sqrt(2000));
});

test("an engine that lacks operators is asked only for those it has", () => {
  const few = restrict(exactProfile, ["add", "exp", "matmul", "sum"]);
  expect(few.operators).toEqual(["add", "sum", "matmul"]);
  const used = new Set([...campaign(few, 1, 100)].flatMap(({ graph }) => graph.nodes.map(({ op }) => op)));
  expect([...used].sort()).toEqual(["add", "matmul", "sum"]);
});

test("a profile without operators gives graphs without nodes, and a seed on an input", () => {
  for (const { graph, seeds } of campaign(restrict(tensorProfile, []), 1, 20)) {
    expect(graph.nodes).toEqual([]);
    expect(seeds.length).toBeGreaterThan(0);
  }
});
