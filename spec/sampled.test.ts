import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { sampled } from "./sampled.test.kit.ts";

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
