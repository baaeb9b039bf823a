import { describe, expect, test } from "vitest";
import { LEAST_SHARE, type Named, namedMutants, namedPairs } from "./named.ts";

async function all(found: AsyncIterable<Named>): Promise<readonly Named[]> {
  const list: Named[] = [];
  for await (const one of found) list.push(one);
  return list;
}

const missed = (found: readonly Named[]): readonly Named[] =>
  found.filter(({ planted, blamed }) => blamed !== planted);

describe("the operator that the judge names", () => {
  test("is the planted one of a pair that is wrong where the two meet, forward or in reverse", async () => {
    const found = (
      await Promise.all(Array.from({ length: 25 }, (_, index) => all(namedPairs(3, index))))
    ).flat();
    for (const way of ["read, forward", "reader, forward", "read, reverse", "reader, reverse"])
      expect(found.filter(({ fault }) => fault.endsWith(way)).length).toBeGreaterThanOrEqual(5);
    expect(missed(found).length).toBeLessThanOrEqual((1 - LEAST_SHARE) * found.length);
  });

  test("is the planted one of a mutant, on random cases that were not chosen for it", async () => {
    const found = await all(namedMutants(3, [0, 3, 5, 7]));
    expect(found.length).toBeGreaterThan(35);
    expect(missed(found).length).toBeLessThanOrEqual((1 - LEAST_SHARE) * found.length);
  });
});
