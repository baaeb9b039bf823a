import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Algebra, type Field, present, type Ring, type Semiring } from "../../spec/index.ts";
import { boolean } from "./boolean.ts";
import { dual } from "./dual.ts";
import { formal } from "./formal.ts";
import { integer } from "./integer.ts";
import { modular } from "./modular.ts";
import { type Rational, rational } from "./rational.ts";
import { duals, integers, rationals, residues } from "./scalars.test.kit.ts";

/** An equation of a level: its name, its two sides, and an algebra of integers planted so that it fails. */
interface Law<A> {
  readonly name: string;
  readonly sides: A;
  readonly wrong: Partial<Field<bigint>>;
}

type SemiringSides = <S>(a: Semiring<S>, x: S, y: S, z: S) => readonly [S, S];
type RingSides = <S>(a: Ring<S>, x: S, y: S, z: S) => readonly [S, S];
type FieldSides = <S>(a: Field<S>, x: S, y: S, z: S) => readonly [S, S];

const semiringLaws: readonly Law<SemiringSides>[] = [
  { name: "x + y = y + x", sides: (a, x, y) => [a.add(x, y), a.add(y, x)], wrong: { add: (x) => x } },
  {
    name: "(x + y) + z = x + (y + z)",
    sides: (a, x, y, z) => [a.add(a.add(x, y), z), a.add(x, a.add(y, z))],
    wrong: { add: (x, y) => x - y },
  },
  { name: "x + 0 = x", sides: (a, x) => [a.add(x, a.zero), x], wrong: { zero: 1n } },
  {
    name: "x y = y x",
    sides: (a, x, y) => [a.multiply(x, y), a.multiply(y, x)],
    wrong: { multiply: (x) => x },
  },
  {
    name: "(x y) z = x (y z)",
    sides: (a, x, y, z) => [a.multiply(a.multiply(x, y), z), a.multiply(x, a.multiply(y, z))],
    wrong: { multiply: (x, y) => x * y + y },
  },
  { name: "x 1 = x", sides: (a, x) => [a.multiply(x, a.one), x], wrong: { one: 2n } },
  {
    name: "x 0 = 0",
    sides: (a, x) => [a.multiply(x, a.zero), a.zero],
    wrong: { multiply: (x, y) => x + y },
  },
  {
    name: "x (y + z) = x y + x z",
    sides: (a, x, y, z) => [a.multiply(x, a.add(y, z)), a.add(a.multiply(x, y), a.multiply(x, z))],
    wrong: { multiply: (x, y) => x * y * y },
  },
];

const ringLaws: readonly Law<RingSides>[] = [
  { name: "x + (−x) = 0", sides: (a, x) => [a.add(x, a.negative(x)), a.zero], wrong: { negative: (x) => x } },
  {
    name: "(−x) y = −(x y)",
    sides: (a, x, y) => [a.multiply(a.negative(x), y), a.negative(a.multiply(x, y))],
    wrong: { negative: (x) => x + 1n },
  },
];

/**
 * These laws have a unit y: 1 and −1 are the integers that have an inverse, so integers can be planted here
 * too.
 */
const fieldLaws: readonly Law<FieldSides>[] = [
  {
    name: "(x / y) y = x",
    sides: (a, x, y) => [a.multiply(a.divide(x, y), y), x],
    wrong: { divide: (_x, y) => y },
  },
  {
    name: "(x + z) / y = x / y + z / y",
    sides: (a, x, y, z) => [a.divide(a.add(x, z), y), a.add(a.divide(x, y), a.divide(z, y))],
    wrong: { divide: (x, y) => x * x * y },
  },
];

/** An exact algebra with its elements, and how far its laws go: it may offer an operation that obeys none. */
interface Carrier<S, B> {
  readonly algebra: Algebra<S, B>;
  readonly scalars: fc.Arbitrary<S>;
  readonly obeys: "semiring" | "ring" | "field";
  /** Tells which elements have an inverse. */
  isUnit?(x: S): boolean;
}

/** Returns the first x, y, z for which the sides differ; `null` if there are none among 300. */
function counterexample<S, B>(
  { algebra, scalars }: Carrier<S, B>,
  ys: fc.Arbitrary<S>,
  sides: (x: S, y: S, z: S) => readonly [S, S],
): unknown {
  const equation = fc.property(scalars, ys, scalars, (x, y, z) => algebra.isSame(...sides(x, y, z)));
  return fc.check(equation, { seed: 1, numRuns: 400 }).counterexample;
}

function describeLaws<S, B>(carrier: Carrier<S, B>): void {
  const { algebra, scalars, obeys, isUnit = () => true } = carrier;
  const semiring = present(algebra.levels.semiring, "a semiring");
  const { ring, field } = algebra.levels;
  describe(`${algebra.name} is a commutative ${obeys}`, () => {
    test.each(semiringLaws)("$name", ({ sides }) => {
      expect(counterexample(carrier, scalars, (...xyz) => sides(semiring, ...xyz))).toBeNull();
    });
    if (obeys === "semiring") return;
    test.each(ringLaws)("$name", ({ sides }) => {
      const a = present(ring, "a ring");
      expect(counterexample(carrier, scalars, (...xyz) => sides(a, ...xyz))).toBeNull();
    });
    if (obeys === "ring") return;
    test.each(fieldLaws)("$name, where y has an inverse", ({ sides }) => {
      const a = present(field, "a field");
      expect(counterexample(carrier, scalars.filter(isUnit), (...xyz) => sides(a, ...xyz))).toBeNull();
    });
  });
}

const isNotZero = (x: bigint): boolean => x !== 0n;
const hasNumerator = ({ numerator }: Rational): boolean => numerator !== 0n;

describeLaws({ algebra: integer, scalars: integers, obeys: "ring" });
describeLaws({ algebra: rational, scalars: rationals, obeys: "field", isUnit: hasNumerator });
describeLaws({ algebra: modular, scalars: residues, obeys: "field", isUnit: isNotZero });
describeLaws({ algebra: formal, scalars: residues, obeys: "field", isUnit: isNotZero });
describeLaws({ algebra: boolean, scalars: fc.boolean(), obeys: "semiring" });
describeLaws({ algebra: dual(integer), scalars: duals(integers), obeys: "ring" });
describeLaws({ algebra: dual(boolean), scalars: duals(fc.boolean()), obeys: "semiring" });
// ε has no inverse, nor has any multiple of it: dual numbers over a field are no field, but nearly.
describeLaws({
  algebra: dual(rational),
  scalars: duals(rationals),
  obeys: "field",
  isUnit: ({ x }) => hasNumerator(x),
});
describeLaws({
  algebra: dual(dual(modular)),
  scalars: duals(duals(residues)),
  obeys: "field",
  isUnit: ({ x }) => isNotZero(x.x),
});

describe("a planted algebra of integers is refused by the law it breaks", () => {
  const units = fc.constantFrom(1n, -1n);
  const carrier: Carrier<bigint, boolean> = { algebra: integer, scalars: integers, obeys: "ring" };
  /** The integers, where ±1 alone can be divided by. */
  const right: Field<bigint> = { ...present(integer.levels.ring, "a ring"), divide: (x, y) => x * y };

  test.each<Law<FieldSides>>([...semiringLaws, ...ringLaws])("$name", ({ sides, wrong }) => {
    const planted = { ...right, ...wrong };
    expect(counterexample(carrier, integers, (...xyz) => sides(planted, ...xyz))).not.toBeNull();
  });

  test.each(fieldLaws)("$name", ({ sides, wrong }) => {
    const planted = { ...right, ...wrong };
    expect(counterexample(carrier, units, (...xyz) => sides(right, ...xyz))).toBeNull();
    expect(counterexample(carrier, units, (...xyz) => sides(planted, ...xyz))).not.toBeNull();
  });
});
