import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { leastOf, sampled } from "./sampled.test.kit.ts";

const numbers = Array.from({ length: 40 }, (_, index) => index);
const draw = (name: string, seed: string, count = 7): readonly number[] =>
  sampled(name, numbers, count, seed);

test("a sample has as many cases as are asked for, in their order, or all that there are", () => {
  const drawn = draw("sines", "986db089");
  expect(drawn).toHaveLength(7);
  expect(drawn).toEqual(drawn.toSorted((a, b) => a - b));
  expect(draw("sines", "986db089", 40)).toEqual(numbers);
  expect(draw("sines", "986db089", 41)).toEqual(numbers);
});

test("a sample is another one by another seed and for another test, and the same by the same", () => {
  expect(draw("sines", "986db089")).toEqual(draw("sines", "986db089"));
  expect(draw("sines", "986db089")).not.toEqual(draw("sines", "341ec13e"));
  expect(draw("sines", "986db089")).not.toEqual(draw("cosines", "986db089"));
});

test("every case is drawn by some seed, and the seed all draws every case", () => {
  const seeds = Array.from({ length: 60 }, (_, seed) => draw("sines", `${seed}`));
  expect(new Set(seeds.flat()).size).toBe(numbers.length);
  expect(draw("sines", "all")).toEqual(numbers);
});

test("what seven of ten have is shown by as many of a sample as chance leaves, and half as many do not pass", () => {
  const counts = (ends: number) =>
    Array.from({ length: 1000 }, (_, seed) => draw("sines", `${seed}`, 20).filter((n) => n < ends).length);
  expect(Math.min(...counts(28))).toBeGreaterThan(leastOf(0.7, 20));
  expect(Math.min(...counts(7))).toBeLessThan(leastOf(0.7, 20));
  expect(leastOf(1, 20)).toBe(20);
});

// `npm run test:slow` runs the tests whose own file imports the sampler.
test("no file but tests draws a sample, which nobody would ask in full", () => {
  const cwd = fileURLToPath(new URL("..", import.meta.url));
  const kits = globSync("**/*.test.{kit,data,cases}.ts", {
    cwd,
    exclude: ["**/node_modules/**", ".venv/**"],
  });
  expect(kits.length).toBeGreaterThan(50);
  const drawing = kits.filter((file) =>
    /from "[^"]*\/sampled\.test\.kit\.ts"/.test(readFileSync(`${cwd}/${file}`, "utf8")),
  );
  expect(drawing).toEqual([]);
});
