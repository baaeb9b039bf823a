import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { at, present } from "../../spec/index.ts";
import { type BoundGrowth, boundedFamilies, boundGrowth, boundTable } from "./bounds.ts";
import { sectionOf } from "./sections.ts";

const page = readFileSync(new URL("../../docs/tapes.md", import.meta.url), "utf8");

const of = (growths: readonly BoundGrowth[], format: string): BoundGrowth["depths"] =>
  present(
    growths.find((growth) => growth.format === format),
    format,
  ).depths;

test.each(
  boundedFamilies,
)("$name: tapes stay within the bound of the format that they declare, as docs/tapes.md says, and not within a finer one's", async (family) => {
  const growths = await boundGrowth(family);
  expect(sectionOf(page, family.name)).toEqual(boundTable(growths));
  for (const { format, depths } of growths)
    for (const { depth, bound, error } of depths)
      expect([format, depth, error <= bound]).toEqual([format, depth, true]);
  const finer = of(growths, "compressed-float16");
  const coarse = of(growths, "compressed-bfloat16");
  expect(coarse.some(({ error }, n) => error > at(finer, n).bound)).toBe(true);
});
