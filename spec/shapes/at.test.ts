import { describe, expect, it } from "vitest";
import { at, byteAt, floatAt, integerAt, pair } from "./at.ts";
import { InvariantError } from "./result.ts";

describe("reading an element", () => {
  it("gives what stands there, zero and NaN too", () => {
    expect([at([4, 5], 1), floatAt(Float64Array.of(0, Number.NaN), 1)]).toEqual([5, Number.NaN]);
    expect([floatAt(Float32Array.of(0), 0), integerAt(Int32Array.of(-7), 0)]).toEqual([0, -7]);
    expect([byteAt(Uint8Array.of(0, 255), 1), ...pair([0, 5])]).toEqual([255, 0, 5]);
  });

  it.each([-1, 2, 0.5, Number.NaN])("throws for position %d of two", (index) => {
    expect(() => at([4, 5], index)).toThrow(InvariantError);
    expect(() => floatAt(Float64Array.of(4, 5), index)).toThrow(InvariantError);
    expect(() => integerAt(Int32Array.of(4, 5), index)).toThrow(InvariantError);
    expect(() => byteAt(Uint8Array.of(4, 5), index)).toThrow(InvariantError);
  });

  it.each([[[]], [[1]], [[1, 2, 3]]])("takes %j for no pair", (elements) => {
    expect(() => pair(elements)).toThrow(InvariantError);
  });
});
