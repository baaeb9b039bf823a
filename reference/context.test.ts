import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { InvariantError, nodeId, present } from "../spec/index.ts";
import { float64 } from "./algebras/float.ts";
import { integer } from "./algebras/integer.ts";
import { add, type Context, dense, dot, entry, snoc, unsnoc, zeroContext } from "./context.ts";
import { indexEntry, mapEnvironment, realEntry } from "./environment.ts";
import { scalar } from "./hand.test.kit.ts";
import { at, tensor } from "./tensor.ts";

const ring = present(integer.levels.ring, "a ring");
const shapes = [[], [2], [0, 3], [2, 1]];

/** Contexts of one type; its entries include a scalar and a tensor without elements. */
const contexts: fc.Arbitrary<Context<bigint>> = fc
  .array(fc.bigInt({ min: -9n, max: 9n }), { minLength: 5, maxLength: 5 })
  .map((drawn) =>
    shapes.map((shape) => tensor(shape, (position) => drawn[(shape.length + position) % 5] ?? 0n)),
  );

describe("a context", () => {
  test("split after appending is the context and what was appended", () => {
    fc.assert(
      fc.property(contexts, (context) => {
        expect(unsnoc(snoc(context, scalar(7n)))).toEqual([context, scalar(7n)]);
      }),
      { seed: 1, numRuns: 50 },
    );
  });

  test("is the sparse context of all its entries", () => {
    fc.assert(
      fc.property(contexts, (context) => {
        expect(dense(ring, shapes, new Map(context.map((x, id) => [nodeId(id), x])))).toEqual(context);
      }),
      { seed: 2, numRuns: 50 },
    );
  });

  test("of an empty sparse one is zero, which + does not change", () => {
    const zero = dense(ring, shapes, new Map());
    expect(zero).toEqual(zeroContext(ring, shapes));
    fc.assert(
      fc.property(contexts, (context) => {
        expect(add(ring, context, zero)).toEqual(context);
        expect(dot(ring, context, zero)).toBe(0n);
      }),
      { seed: 3, numRuns: 50 },
    );
  });

  test("takes part in dot linearly and symmetrically", () => {
    const law = fc.property(contexts, contexts, contexts, (a, b, c) => {
      expect(dot(ring, add(ring, a, b), c)).toBe(dot(ring, a, c) + dot(ring, b, c));
      expect(dot(ring, a, b)).toBe(dot(ring, b, a));
    });
    fc.assert(law, { seed: 4, numRuns: 100 });
  });

  test("has a dot computed by hand: 2·5 + 3·7 + 4·11", () => {
    const a = [scalar(2n), { shape: [2], data: [3n, 4n] }];
    expect(dot(ring, a, [scalar(5n), { shape: [2], data: [7n, 11n] }])).toBe(75n);
  });

  it("has no entry beyond its length, and none to split off when empty", () => {
    expect(() => entry([scalar(1n)], 1)).toThrow(InvariantError);
    expect(() => entry([scalar(1n)], -1)).toThrow(InvariantError);
    expect(() => unsnoc([])).toThrow(InvariantError);
    expect(() => at(scalar(1n), 1)).toThrow(InvariantError);
    expect(() => add(ring, [scalar(1n)], [])).toThrow(InvariantError);
  });

  it("adds −0 and 0 to 0, as IEEE addition does", () => {
    expect(add(float64.additive, [scalar(-0)], [scalar(0)])).toEqual([scalar(0)]);
    expect(add(float64.additive, [scalar(-0)], [scalar(-0)])).toEqual([scalar(-0)]);
  });
});

describe("an environment", () => {
  const environment = new Map([
    ["w", { kind: "real", tensor: scalar(3) } as const],
    ["i", { kind: "index", shape: [2], indices: [1, 0] } as const],
  ]);

  it("gives scalars and indices by name, each only as what it is", () => {
    expect(realEntry(environment, "w")).toEqual(scalar(3));
    expect(indexEntry(environment, "i")).toEqual([1, 0]);
    for (const lookUp of [
      () => realEntry(environment, "i"),
      () => indexEntry(environment, "w"),
      () => realEntry(environment, "v"),
      () => indexEntry(environment, "constructor"),
    ]) {
      expect(lookUp).toThrow(InvariantError);
    }
  });

  it("over another carrier has its scalars mapped and its indices untouched", () => {
    const mapped = mapEnvironment(environment, (x) => BigInt(x) + 1n);
    expect(realEntry(mapped, "w")).toEqual(scalar(4n));
    expect(indexEntry(mapped, "i")).toEqual([1, 0]);
  });
});
