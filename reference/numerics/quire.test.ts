import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { boundedPosit, type PositFormat, positName, present, standardPosit } from "../../spec/index.ts";
import { greatestCode, notReal, type Posit, positValue, roundToPosit } from "../algebras/posit_format.ts";
import { type Rational, rational, rationalOf } from "../algebras/rational.ts";
import {
  isExactQuire,
  type Quire,
  type QuireOperations,
  quireAlgebra,
  quireOperations,
  quirePlaces,
  quireSums,
  quireValue,
} from "./quire.ts";

const exact = present(rational.levels.orderedField, "the rational numbers");
const standard: readonly PositFormat[] = [3, 8, 16, 32, 64].map(standardPosit);
const posit16 = standardPosit(16);

/** Quires have a place for whatever a product of two of these may end in. */
const exactly: readonly (readonly [string, PositFormat])[] = [
  ...standard,
  boundedPosit(8),
  boundedPosit(12),
  { width: 8, regimeBits: 3, exponentBits: 1 },
  { width: 16, regimeBits: 4, exponentBits: 0 },
].map((format) => [positName(format), format]);
const value = (format: PositFormat, x: Posit): Rational => positValue(format, x);
const read = (format: PositFormat, text: string): Posit =>
  roundToPosit(format, present(rational.parse(text), text));

/** Returns codes of a width but NaR's, small and large ones as often as others. */
function codesOf(format: PositFormat): fc.Arbitrary<Posit> {
  const most = greatestCode(format);
  const special = [0n, 1n, -1n, most, -most, most - 1n, 1n << BigInt(format.width - 2)];
  return fc.oneof(fc.constantFrom(...special), fc.bigInt({ min: -most, max: most }));
}

type Dot = (xs: readonly Posit[], ys: readonly Posit[]) => Posit;

/** Factors whose dot product is not the exact sum rounded once, or depends on their order. */
function wrongDot(format: PositFormat, dot: Dot): unknown {
  const pairs = fc.array(fc.tuple(codesOf(format), codesOf(format)), { maxLength: 12 });
  const withOpposites = fc.tuple(pairs, fc.boolean()).map(([drawn, isDoubled]) =>
    // Half the time large terms cancel.
    isDoubled ? [...drawn, ...drawn.slice(1).map(([x, y]) => [-x, y] as const)] : drawn,
  );
  const law = fc.property(withOpposites, (terms) => {
    const truth = terms.reduce(
      (total, [x, y]) => exact.add(total, exact.multiply(value(format, x), value(format, y))),
      exact.zero,
    );
    const ways = [terms, terms.toReversed(), terms.toSorted(([x], [y]) => (x < y ? -1 : 1))];
    return ways.every(
      (way) =>
        dot(
          way.map(([x]) => x),
          way.map(([, y]) => y),
        ) === roundToPosit(format, truth),
    );
  });
  return fc.check(law, { seed: 19, numRuns: 150, endOnFailure: true }).counterexample;
}

/** Returns a dot product by a quire whose operations are wrong in one place. */
function dotBy(planted: Partial<QuireOperations>): Dot {
  const quire = { ...quireOperations(posit16), ...planted };
  return (xs, ys) => quire.toPosit(xs.reduce((q, x, place) => quire.multiplyAdd(q, x, ys[place] ?? 0n), 0n));
}

const right = quireOperations(posit16);
const rounded = (x: Posit, y: Posit): Posit =>
  roundToPosit(posit16, exact.multiply(value(posit16, x), value(posit16, y)));
const modulo = (bits: number) => (q: Quire) => BigInt.asIntN(bits, q);

const wrongDots: Readonly<Record<string, Dot>> = {
  "each product rounded first": dotBy({ multiplyAdd: (q, x, y) => right.addPosit(q, rounded(x, y)) }),
  "the sum rounded each time": (xs, ys) =>
    xs.reduce(
      (sum, x, place) =>
        roundToPosit(posit16, exact.add(value(posit16, sum), value(posit16, rounded(x, ys[place] ?? 0n)))),
      0n,
    ),
  "a fused multiply-add each time": (xs, ys) =>
    xs.reduce((sum, x, place) => {
      const product = exact.multiply(value(posit16, x), value(posit16, ys[place] ?? 0n));
      return roundToPosit(posit16, exact.add(value(posit16, sum), product));
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
  "one product too many": (xs, ys) =>
    quireSums(posit16).dot([...xs, xs.at(-1) ?? 0n], [...ys, ys.at(-1) ?? 0n]),
  "the rounding towards zero": dotBy({
    toPosit: (q) => {
      const nearest = right.toPosit(q);
      const excess = exact.add(value(posit16, nearest), exact.negative(quireValue(posit16, q)));
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
  test.each(exactly)("of %s", (_, format) => {
    expect(wrongDot(format, quireSums(format).dot)).toBeNull();
  });

  test.each(Object.keys(wrongDots))("and with %s it is not", (name) => {
    expect(wrongDot(posit16, present(wrongDots[name], name))).not.toBeNull();
  });

  test("where a chain of fused multiply-adds loses all: 4096 + 1/2 − 4096", () => {
    const p = (text: string): Posit => read(posit16, text);
    const [xs, ys] = [
      [p("4096"), p("1"), p("4096")],
      [p("1"), p("0.5"), p("-1")],
    ];
    expect(quireSums(posit16).dot(xs, ys)).toBe(p("0.5"));
    expect(present(wrongDots["a fused multiply-add each time"], "a dot product")(xs, ys)).toBe(0n);
    expect(
      quireSums(standardPosit(32)).dot([read(standardPosit(32), "1.5")], [read(standardPosit(32), "2.25")]),
    ).toBe(read(standardPosit(32), "27/8"));
  });
});

describe("the operations on quires", () => {
  test.each(exactly)("of %s are exact but the last", (_, format) => {
    const q = quireOperations(format);
    const law = fc.property(codesOf(format), codesOf(format), codesOf(format), (x, y, z) => {
      const at = quireValue(format, q.fromPosit(x));
      const product = exact.multiply(value(format, y), value(format, z));
      const start = q.fromPosit(x);
      expect(at).toEqual(value(format, x));
      expect(q.toPosit(start)).toBe(x);
      expect(quireValue(format, q.multiplyAdd(start, y, z))).toEqual(exact.add(at, product));
      expect(quireValue(format, q.multiplySubtract(start, y, z))).toEqual(
        exact.add(at, exact.negative(product)),
      );
      expect(quireValue(format, q.addPosit(start, y))).toEqual(exact.add(at, value(format, y)));
      expect(q.subtractPosit(start, y)).toBe(q.addPosit(start, -y));
      expect(q.add(start, q.fromPosit(y))).toBe(q.addPosit(start, y));
      expect(q.subtract(start, q.fromPosit(y))).toBe(q.addPosit(start, -y));
      expect(q.absolute(start)).toBe(x < 0n ? q.negative(start) : start);
    });
    fc.assert(law, { seed: 20, numRuns: 100 });
  });

  test("have NaR for what is computed with NaR", () => {
    const q = quireOperations(standardPosit(8));
    const nothing = notReal(standardPosit(8));
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
    expect(standard.map((format) => quireOperations(format).bits)).toEqual([48, 128, 256, 512, 1024]);
    for (const format of standard) expect(quireOperations(format).multiplyAdd(0n, 1n, 1n)).toBe(1n);
  });
});

/**
 * Tells whether the finest of a format's posits has a square that is a multiple of its quire's last place.
 */
function hasFineProducts(format: PositFormat): boolean {
  let finest = 1n;
  for (let x = 1n; x <= greatestCode(format); x++) {
    const { denominator } = value(format, x);
    if (denominator > finest) finest = denominator;
  }
  return finest * finest <= 1n << BigInt(quirePlaces(format));
}

test("a quire is told as exact where it has a place for whatever a product ends in, and else is not", () => {
  const short = [11, 12, 13].map(boundedPosit);
  expect(short.map(hasFineProducts)).toEqual([true, true, false]);
  for (const format of [...short, ...exactly.map(([, one]) => one)].filter(({ width }) => width <= 16))
    expect([positName(format), isExactQuire(format)]).toEqual([positName(format), hasFineProducts(format)]);
});

/** The last place of the quire of b-posits, of whatever width. */
const LAST = 384;

/** Returns a number to a multiple of 2⁻³⁸⁴, of two as near the even one, by what a division leaves over. */
function toLastPlace({ numerator, denominator }: Rational): Rational {
  const scaled = numerator << BigInt(LAST);
  let [quotient, rest] = [scaled / denominator, scaled % denominator];
  if (rest < 0n) [quotient, rest] = [quotient - 1n, rest + denominator];
  const isUp = 2n * rest > denominator || (2n * rest === denominator && quotient % 2n !== 0n);
  return rationalOf(isUp ? quotient + 1n : quotient, 1n << BigInt(LAST));
}

/** b-posits near the least, whose products end below the last place, and others. */
function boundedCodes(format: PositFormat): fc.Arbitrary<Posit> {
  const small = fc.bigInt({ min: -(1n << BigInt(format.width - 9)), max: 1n << BigInt(format.width - 9) });
  return fc.oneof(codesOf(format), small);
}

/** Returns factors whose products, added in a quire, are not the sum of what each is `entered` as. */
function wrongSum(format: PositFormat, entered: (product: Rational) => Rational): unknown {
  const pairs = fc.array(fc.tuple(boundedCodes(format), boundedCodes(format)), { maxLength: 8 });
  const { multiplyAdd, toPosit } = quireOperations(format);
  const law = fc.property(pairs, (terms) => {
    const truth = terms.reduce(
      (sum, [x, y]) => exact.add(sum, entered(exact.multiply(value(format, x), value(format, y)))),
      exact.zero,
    );
    const sums = [terms, terms.toReversed()].map((way) =>
      way.reduce((sum, [x, y]) => multiplyAdd(sum, x, y), 0n),
    );
    return sums.every(
      (sum) =>
        rational.isSame(quireValue(format, sum), truth) && toPosit(sum) === roundToPosit(format, truth),
    );
  });
  return fc.check(law, { seed: 23, numRuns: 150, endOnFailure: true }).counterexample;
}

describe("the quire of b-posits, of 800 bits,", () => {
  const bounded = [16, 32, 64].map(boundedPosit);

  test.each(bounded)("adds products to the last place, in whatever order: $width bits", (format) => {
    expect(quireOperations(format).bits).toBe(800);
    expect(wrongSum(format, toLastPlace)).toBeNull();
    // It is not what exact sums are, nor sums of what is cut off.
    expect(wrongSum(format, (product) => product)).not.toBeNull();
    const down = ({ numerator, denominator }: Rational): Rational =>
      rationalOf((numerator << BigInt(LAST)) / denominator, 1n << BigInt(LAST));
    expect(wrongSum(format, down)).not.toBeNull();
  });

  test.each(bounded)("is exact where products do not end below it: $width bits", (format) => {
    const low = read(format, format.width === 64 ? "0x1p-140" : "0x1p-172");
    const codes = fc
      .oneof(fc.bigInt({ min: low, max: greatestCode(format) }), fc.bigInt({ min: low, max: low + 99n }))
      .chain((code) => fc.constantFrom(code, -code));
    const q = quireOperations(format);
    const law = fc.property(codes, codes, (x, y) => {
      const product = exact.multiply(value(format, x), value(format, y));
      expect(quireValue(format, q.multiplyAdd(0n, x, y))).toEqual(product);
    });
    fc.assert(law, { seed: 24, numRuns: 200 });
  });

  test.each(bounded)("loses a difference near the least posit, which is not 0: $width bits", (format) => {
    // (1 + u)(1 + 2u) − (1 + 3u) is 2u², times the square of the least power of two that is a b-posit.
    const p = BigInt(2 ** (format.width - 12));
    const [xs, ys] = [
      [p + 1n, -(p + 3n)],
      [p + 2n, p],
    ];
    const [x, y, z, w] = [xs[0], ys[0], xs[1], ys[1]].map((code) => value(format, code ?? 0n));
    const zero = exact.zero;
    const truth = exact.add(exact.multiply(x ?? zero, y ?? zero), exact.multiply(z ?? zero, w ?? zero));
    expect(roundToPosit(format, truth)).toBe(1n);
    // Twice u² is half of the last place or less, for u = 2⁻⁴ and the scale 2⁻¹⁹¹.
    expect(quireSums(format).dot(xs, ys)).toBe(0n);
  });
});

/** Adds up `2^log2` greatest products, by doubling. */
function doubled(q: QuireOperations, product: Quire, log2: number): Quire {
  return Array.from({ length: log2 }).reduce<Quire>((sum) => q.add(sum, sum), product);
}

/** Says what is wrong with a quire's ends: 2³¹ − 1 greatest products must fit, 2³¹ not, and NaR stays. */
function guardFault(format: PositFormat, q: QuireOperations): string | undefined {
  const most = greatestCode(format);
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

const quire8 = quireOperations(standardPosit(8));
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
  test.each(standard)("of posits of $width bits", (format) => {
    const q = quireOperations(format);
    expect(q.multiplyAdd(0n, greatestCode(format), greatestCode(format))).toBe(
      1n << BigInt(16 * format.width - 32),
    );
    expect(guardFault(format, q)).toBeUndefined();
  });

  test.each(Object.keys(wrongGuards))("and one is told from it that %s", (name) => {
    expect(guardFault(standardPosit(8), present(wrongGuards[name], name))).toBeDefined();
  });
});

describe("quires as an algebra", () => {
  const algebra = quireAlgebra(posit16);

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
    expect(algebra.parse("NaR")).toBe(quireOperations(posit16).notReal);
    expect(algebra.parse("-1e6")).toBe(-(1000000n << 112n));
  });
});

test("a value of NaR has no value", () => {
  expect(quireValue(standardPosit(8), quireOperations(standardPosit(8)).notReal)).toEqual(rationalOf(0n, 0n));
});
