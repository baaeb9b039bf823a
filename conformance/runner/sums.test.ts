import { expect, test } from "vitest";
import { definitionOrder } from "../../spec/contract/accumulation.ts";
import { operatorNames } from "../../spec/index.ts";
import { addsUp } from "./sums.ts";

test("what the reference's order is declared of adds up, and so do composites of it", () => {
  const sums = operatorNames.filter(addsUp);
  expect(sums).toEqual(expect.arrayContaining(Object.keys(definitionOrder)));
  expect(sums).toEqual(expect.arrayContaining(["mean", "softmax", "layer_norm", "conv", "inv", "einsum"]));
});

test("what works on each element alone, or moves elements, does not", () => {
  for (const op of ["sin", "add", "multiply", "maximum", "reshape", "permute_dims", "floor", "pow"] as const)
    expect([op, addsUp(op)]).toEqual([op, false]);
});
