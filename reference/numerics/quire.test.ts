import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { present } from "../../spec/index.ts";
import { greatestCode, notReal, type Posit, positValue, roundToPosit } from "../algebras/posit_format.ts";
import { type Rational, rational, rationalOf } from "../algebras/rational.ts";
import {
  type Quire,
  type QuireOperations,
  quireAlgebra,
  quireOperations,
  quireSums,
  quireValue,
} from "./quire.ts";

const exact = present(rational.levels.orderedField, "the rational numbers");
const widths = [3, 8, 16, 32, 64] as const;
const value = (width: number, x: Posit): Rational => positValue(width, x);
const read = (width: number, text: string): Posit => roundToPosit(width, present(rational.parse(text), text));

/** Returns codes of a width but NaR's, small and large ones as often as others. */
function codesOf(width: number): fc.Arbitrary<Posit> {
  const most = greatestCode(width);
  const special = [0n, 1n, -1n, most, -most, most - 1n, 1n << BigInt(width - 2)];
  return fc.oneof(fc.constantFrom(...special), fc.bigInt({ min: -most, max: most }));
}

type Dot = (xs: readonly Posit[], ys: readonly Posit[]) => Posit;

/** Factors whose dot product is not the exact sum rounded once, or depends on their order. */
function wrongDot(width: number, dot: Dot): unknown {
  const pairs = fc.array(fc.tuple(codesOf(width), codesOf(width)), { maxLength: 12 });
  const withOpposites = fc.tuple(pairs, fc.boolean()).map(([drawn, isDoubled]) =>
    // Half the time large terms cancel.
    isDoubled ? [...drawn, ...drawn.slice(1).map(([x, y]) => [-x, y] as const)] : drawn,
  );
  const law = fc.property(withOpposites, (terms) => {
    const truth = terms.reduce(
      (total, [x, y]) => exact.add(total, exact.multiply(value(width, x), value(width, y))),
      exact.zero,
    );
    const ways = [terms, terms.toReversed(), terms.toSorted(([x], [y]) => (x < y ? -1 : 1))];
    return ways.every(
      (way) =>
        dot(
          way.map(([x]) => x),
          way.map(([, y]) => y),
        ) === roundToPosit(width, truth),
    );
  });
  return fc.check(law, { seed: 19, numRuns: 150, endOnFailure: true }).counterexample;
}

/** Returns a dot product by a quire whose operations are wrong in one place. */
function dotBy(planted: Partial<QuireOperations>): Dot {
  const quire = { ...quireOperations(16), ...planted };
  return (xs, ys) => quire.toPosit(xs.reduce((q, x, place) => quire.multiplyAdd(q, x, ys[place] ?? 0n), 0n));
}

const right = quireOperations(16);
const rounded = (x: Posit, y: Posit): Posit => roundToPosit(16, exact.multiply(value(16, x), value(16, y)));
const modulo = (bits: number) => (q: Quire) => BigInt.asIntN(bits, q);

const wrongDots: Readonly<Record<string, Dot>> = {
  "each product rounded first": dotBy({ multiplyAdd: (q, x, y) => right.addPosit(q, rounded(x, y)) }),
  "the sum rounded each time": (xs, ys) =>
    xs.reduce(
      (sum, x, place) => roundToPosit(16, exact.add(value(16, sum), value(16, rounded(x, ys[place] ?? 0n)))),
      0n,
    ),
  "a fused multiply-add each time": (xs, ys) =>
    xs.reduce((sum, x, place) => {
      const product = exact.multiply(value(16, x), value(16, ys[place] ?? 0n));
      return roundToPosit(16, exact.add(value(16, sum), product));
    }, 0n),
  "the last eight places missing": dotBy({
    multiplyAdd: (q, x, y) => (right.multiplyAdd(q, x, y) >> 8n) << 8n,
  }),
  "no carry guard": dotBy({ multiplyAdd: (q, x, y) => modulo(16 * 16 - 31)(right.multiplyAdd(q, x, y)) }),
  "128 bits in all, as older drafts have": dotBy({
    multiplyAdd: (q, x, y) => modulo(128)(right.multiplyAdd(q, x, y)),
  }),
  "the sign of the second factor ignored": dotBy({
    multiplyAdd: (q, x, y) => right.multiplyAdd(q, x, y < 0n ? -y : y),
  }),
  "one product too many": (xs, ys) => quireSums(16).dot([...xs, xs.at(-1) ?? 0n], [...ys, ys.at(-1) ?? 0n]),
  "the rounding towards zero": dotBy({
    toPosit: (q) => {
      const nearest = right.toPosit(q);
      const excess = exact.add(value(16, nearest), exact.negative(quireValue(16, q)));
      return excess.numerator > 0n === nearest > 0n &&
        excess.numerator !== 0n &&
        nearest !== 1n &&
        nearest !== -1n
        ? nearest - (nearest > 0n ? 1n : -1n)
        : nearest;
    },
  }),
};

describe("a dot product in a quire is the exact sum rounded once, in whatever order", () => {
  test.each(widths)("of posits of %s bits", (width) => {
    expect(wrongDot(width, quireSums(width).dot)).toBeNull();
  });

  test.each(Object.keys(wrongDots))("and with %s it is not", (name) => {
    expect(wrongDot(16, present(wrongDots[name], name))).not.toBeNull();
  });

  test("where a chain of fused multiply-adds loses all: 4096 + 1/2 − 4096", () => {
    const p = (text: string): Posit => read(16, text);
    const [xs, ys] = [
      [p("4096"), p("1"), p("4096")],
      [p("1"), p("0.5"), p("-1")],
    ];
    expect(quireSums(16).dot(xs, ys)).toBe(p("0.5"));
    expect(present(wrongDots["a fused multiply-add each time"], "a dot product")(xs, ys)).toBe(0n);
    expect(quireSums(32).dot([read(32, "1.5")], [read(32, "2.25")])).toBe(read(32, "27/8"));
  });
});

describe("the operations on quires", () => {
  test.each(widths)("of posits of %s bits are exact but the last", (width) => {
    const q = quireOperations(width);
    const law = fc.property(codesOf(width), codesOf(width), codesOf(width), (x, y, z) => {
      const at = quireValue(width, q.fromPosit(x));
      const product = exact.multiply(value(width, y), value(width, z));
      const start = q.fromPosit(x);
      expect(at).toEqual(value(width, x));
      expect(q.toPosit(start)).toBe(x);
      expect(quireValue(width, q.multiplyAdd(start, y, z))).toEqual(exact.add(at, product));
      expect(quireValue(width, q.multiplySubtract(start, y, z))).toEqual(
        exact.add(at, exact.negative(product)),
      );
      expect(quireValue(width, q.addPosit(start, y))).toEqual(exact.add(at, value(width, y)));
      expect(q.subtractPosit(start, y)).toBe(q.addPosit(start, -y));
      expect(q.add(start, q.fromPosit(y))).toBe(q.addPosit(start, y));
      expect(q.subtract(start, q.fromPosit(y))).toBe(q.addPosit(start, -y));
      expect(q.absolute(start)).toBe(x < 0n ? q.negative(start) : start);
    });
    fc.assert(law, { seed: 20, numRuns: 100 });
  });

  test("have NaR for what is computed with NaR", () => {
    const q = quireOperations(8);
    const nothing = notReal(8);
    const one = q.fromPosit(0x40n);
    for (const found of [
      q.fromPosit(nothing),
      q.negative(q.notReal),
      q.absolute(q.notReal),
      q.add(q.notReal, one),
      q.subtract(one, q.notReal),
      q.addPosit(one, nothing),
      q.subtractPosit(q.notReal, 0x40n),
      q.multiplyAdd(one, nothing, 0n),
      q.multiplySubtract(one, 0n, nothing),
      q.multiplyAdd(q.notReal, 0x40n, 0x40n),
    ]) {
      expect(found).toBe(q.notReal);
    }
    expect(q.toPosit(q.notReal)).toBe(nothing);
  });

  test("are of 128, 256, 512 and 1024 bits, whose last place is the square of the least posit", () => {
    expect([8, 16, 32, 64].map((width) => quireOperations(width).bits)).toEqual([128, 256, 512, 1024]);
    for (const width of widths) expect(quireOperations(width).multiplyAdd(0n, 1n, 1n)).toBe(1n);
  });
});

/** Adds up `2^log2` greatest products, by doubling. */
function doubled(q: QuireOperations, product: Quire, log2: number): Quire {
  return Array.from({ length: log2 }).reduce<Quire>((sum) => q.add(sum, sum), product);
}

/** Says what is wrong with a quire's ends: 2³¹ − 1 greatest products must fit, 2³¹ not, and NaR stays. */
function guardFault(width: number, q: QuireOperations): string | undefined {
  const most = greatestCode(width);
  for (const sign of [1n, -1n]) {
    const product = q.multiplyAdd(0n, most, sign * most);
    const half = doubled(q, product, 30);
    const last = q.add(half, q.subtract(half, product));
    if (last !== product * (2n ** 31n - 1n)) return "the last product does not fit";
    if (q.toPosit(last) !== sign * most) return "the last sum is not the greatest";
    const beyond = q.add(last, product);
    if (beyond !== q.notReal) return "one product more is no NaR";
    if (q.subtract(beyond, product) !== q.notReal) return "NaR does not stay";
    // What is left of the room is one product but for one place.
    const full = q.add(last, product - sign);
    if (full !== product * 2n ** 31n - sign) return "the last place does not fit";
    if (q.add(full, sign) !== q.notReal) return "one place more is no NaR";
  }
  return undefined;
}

const quire8 = quireOperations(8);
const limit = 1n << 127n;
/** Quires of posit8 whose sums end otherwise: by a rule for what an exact sum becomes. */
const ending = (end: (sum: bigint) => Quire): QuireOperations => ({
  ...quire8,
  add: (q, r) => end(q + r),
  subtract: (q, r) => end(q - r),
});
const wrongGuards: Readonly<Record<string, QuireOperations>> = {
  "has room for 2³¹ products, as by the ceiling of a logarithm": {
    ...quire8,
    add: (q, r) => (q + r === limit ? limit : quire8.add(q, r)),
  },
  "has room for 2³⁰ − 1": ending((sum) => (sum >= limit / 2n || sum <= -limit / 2n ? quire8.notReal : sum)),
  "wraps round": ending((sum) => BigInt.asIntN(128, sum)),
  saturates: ending((sum) => (sum >= limit ? limit - 1n : sum <= -limit ? 1n - limit : sum)),
  "takes the least word for a number": {
    ...quire8,
    subtract: (q, r) => (q === quire8.notReal ? q - r : quire8.subtract(q, r)),
  },
};

describe("the carry guard has room for 2³¹ − 1 greatest products, and for no more", () => {
  test.each(widths)("of posits of %s bits", (width) => {
    const q = quireOperations(width);
    expect(q.multiplyAdd(0n, greatestCode(width), greatestCode(width))).toBe(1n << BigInt(16 * width - 32));
    expect(guardFault(width, q)).toBeUndefined();
  });

  test.each(Object.keys(wrongGuards))("and one is told from it that %s", (name) => {
    expect(guardFault(8, present(wrongGuards[name], name))).toBeDefined();
  });
});

describe("quires as an algebra", () => {
  const algebra = quireAlgebra(16);

  test("add and nothing else, and are written with all their digits", () => {
    const { additive } = algebra;
    const half = present(algebra.parse("0.5"), "a half");
    expect(algebra.format(half)).toBe(`0x${"0".repeat(36)}8${"0".repeat(27)}`);
    expect(algebra.parse(algebra.format(-half))).toBe(-half);
    expect(additive.add(half, -half)).toBe(additive.zero);
    expect(Object.values(algebra.levels).filter((level) => level !== undefined)).toEqual([additive]);
  });

  test("read numbers that they hold to the last digit, and no others", () => {
    expect(algebra.parse("0x1p-112")).toBe(1n);
    expect(["0x1p-113", "1/3", "0x1p143", "0x40", "x"].map(algebra.parse)).toEqual(Array(5).fill(undefined));
    expect(algebra.parse("NaR")).toBe(quireOperations(16).notReal);
    expect(algebra.parse("-1e6")).toBe(-(1000000n << 112n));
  });
});

test("a value of NaR has no value", () => {
  expect(quireValue(8, quireOperations(8).notReal)).toEqual(rationalOf(0n, 0n));
});
