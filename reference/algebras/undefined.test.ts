import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { type Algebra, present } from "../../spec/index.ts";
import { type Dual, dual } from "./dual.ts";
import { formal } from "./formal.ts";
import { modular, type Residue } from "./modular.ts";
import { type MaybeTruth, type Rational, rational, undefinedRational } from "./rational.ts";
import { duals, rationals, residues } from "./scalars.test.kit.ts";

/** Returns the operations of a field on `x` and an element without value, either way round. */
function resultsWith<S, B>(algebra: Algebra<S, B>, none: S, x: S): readonly S[] {
  const a = present(algebra.levels.field, "a field");
  return [
    a.add(x, none),
    a.add(none, x),
    a.multiply(x, none),
    a.multiply(none, x),
    a.divide(x, none),
    a.divide(none, x),
    a.negative(none),
    a.detach(none),
    a.divide(x, a.zero),
    a.divide(a.zero, a.zero),
  ];
}

/** Finds where the element without value does not come out. */
function leaks<S, B>(algebra: Algebra<S, B>, scalars: fc.Arbitrary<S>, none: S): unknown {
  const absorbs = fc.property(scalars, (x) =>
    resultsWith(algebra, none, x).every((result) => algebra.isSame(result, none)),
  );
  return fc.check(absorbs, { seed: 3, numRuns: 200 }).counterexample;
}

/** Compares with the element without value, chooses by the outcome, and returns both. */
function choices<S>(algebra: Algebra<S, MaybeTruth>, none: S, x: S): readonly unknown[] {
  const o = present(algebra.levels.ordered, "an order");
  const truths = [o.less(x, none), o.less(none, x), o.equal(x, none), o.equal(none, none)];
  return [...truths, algebra.isSame(o.select(o.less(x, none), x, x), none)];
}

const noResidue: Residue = -1n;
const noDual: Dual<Rational> = { x: undefinedRational, xDot: undefinedRational };

describe("the element without value", () => {
  it("comes out of every operation on rational numbers that it goes into, and of division by 0", () => {
    expect(leaks(rational, rationals, undefinedRational)).toBeNull();
  });

  it("comes out of every operation on residues that it goes into, and of division by 0", () => {
    expect(leaks(modular, residues, noResidue)).toBeNull();
  });

  it("fills both parts of a dual number whose value it is", () => {
    const numbers = duals(rationals);
    const a = present(dual(rational).levels.field, "a field");
    fc.assert(
      fc.property(numbers, (p) => {
        for (const result of [a.divide(p, a.zero), a.add(p, noDual), a.multiply(noDual, p)]) {
          expect(result).toEqual(noDual);
        }
      }),
      { seed: 3, numRuns: 100 },
    );
  });

  it("is told from an algebra planted so that 1/0 is 0, which the formal one is on purpose", () => {
    expect(leaks(formal, residues, noResidue)).not.toBeNull();
    expect(formal.levels.field?.divide(5n, 0n)).toBe(0n);
    expect(formal.levels.real?.divide(noResidue, 0n)).toBe(noResidue);
  });

  test("a comparison with it is neither true nor false, and chooses nothing", () => {
    const undecided = [undefined, undefined, undefined, undefined, true];
    expect(choices(rational, undefinedRational, { numerator: 1n, denominator: 3n })).toEqual(undecided);
    expect(choices(modular, noResidue, 5n)).toEqual(undecided);
    expect(choices(formal, noResidue, 0n)).toEqual(undecided);
  });

  it("is not looked at where it is not chosen", () => {
    const third = { numerator: 1n, denominator: 3n };
    expect(rational.levels.ordered?.select(true, third, undefinedRational)).toEqual(third);
    expect(modular.levels.ordered?.select(false, noResidue, 5n)).toBe(5n);
  });

  it("is written and read as undefined", () => {
    expect(rational.format(undefinedRational)).toBe("undefined");
    expect(rational.parse("undefined")).toEqual(undefinedRational);
    expect(modular.format(noResidue)).toBe("undefined");
    expect(modular.parse("undefined")).toBe(noResidue);
    expect(modular.parse("1/2305843009213693951")).toBe(noResidue);
  });
});
