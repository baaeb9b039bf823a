import { expect, test } from "vitest";
import { agreementOn } from "./dimensions_z3.ts";

test("Z3 and the elimination agree on which systems of dimensions can be met", async () => {
  const { met, unmet, differing } = await agreementOn(200, 50_000);
  expect(differing).toEqual([]);
  expect(met).toBeGreaterThan(20);
  expect(unmet).toBeGreaterThan(20);
});
