import { Random } from "fast-check";
import { xoroshiro128plus } from "pure-rand/generator/xoroshiro128plus";
import { positArithmetic } from "../../engines/index.ts";
import {
  codesOf,
  type Dyad,
  firstWrongCode,
  firstWrongPair,
  pairsOf,
} from "../../engines/posit/exhaustive.test.kit.ts";
import { drawnPairs } from "../../engines/posit/random.test.kit.ts";
import { greatestCode, type Posit, posit, positValue } from "../../reference/numerics/index.ts";
import { compareRationals, type Rational, rational } from "../../reference/package.ts";
import {
  boundedPosit,
  oneBitMore,
  type PositFormat,
  positName,
  present,
  standardPosit,
} from "../../spec/index.ts";
import { type Part, Tally } from "./finding.ts";

const dyads = ["add", "subtract", "multiply", "divide"] as const satisfies readonly Dyad[];
const monads = ["sqrt", "negative", "floor"] as const;

/** Doubles hold posits of these widths: small ones, named ones, and those where a method starts or ends. */
const drawnWidths = [9, 12, 16, 17, 24, 30, 31, 32] as const;

/** Compares field operations with the reference's: small widths, all 16-bit codes, drawn pairs. */
export function* fieldParts(pairs: number): Generator<Part> {
  for (const width of [3, 4, 5, 6, 7, 8]) yield* everyPair(standardPosit(width));
  yield* everyCode(standardPosit(16));
  for (const width of drawnWidths) yield* drawn(standardPosit(width), pairs);
  for (const width of [32, 64]) yield* betweenThresholds(standardPosit(width), pairs / 4);
}

/** Does the same for formats with bounded regimes, b-posits and others. */
export function* boundedParts(pairs: number): Generator<Part> {
  const small = { width: 8, regimeBits: 3, exponentBits: 1 };
  for (const format of [boundedPosit(8), small]) yield* everyPair(format);
  yield* everyCode(boundedPosit(16));
  for (const width of [12, 16, 24, 31, 32]) yield* drawn(boundedPosit(width), pairs);
  for (const width of [32, 64]) yield* betweenThresholds(boundedPosit(width), pairs / 4);
}

function* everyPair(format: PositFormat): Generator<Part> {
  const codes = codesOf(format.width);
  for (const name of dyads) {
    const wrong = firstWrongPair(positArithmetic(format), name, pairsOf(codes));
    yield part(`${name} of every pair of ${positName(format)}`, codes.length ** 2, wrong);
  }
}

function* everyCode(format: PositFormat): Generator<Part> {
  const codes = codesOf(format.width);
  for (const name of monads) {
    const wrong = firstWrongCode(positArithmetic(format), name, codes);
    yield part(`${name} of every ${positName(format)}`, codes.length, wrong);
  }
}

function* drawn(format: PositFormat, pairs: number): Generator<Part> {
  const { width } = format;
  for (const name of dyads) {
    const wrong = firstWrongPair(positArithmetic(format), name, drawnPairs(width, 20 + width, pairs));
    yield part(`${name} of drawn pairs of ${positName(format)}`, pairs, wrong);
  }
  const codes = [...drawnPairs(width, 60 + width, pairs / 10)].map(([x]) => x);
  const wrong = firstWrongCode(positArithmetic(format), "sqrt", codes);
  yield part(`sqrt of drawn ${positName(format)}`, codes.length, wrong);
}

function part(name: string, asked: number, wrong: string | undefined): Part {
  return { name, asked, undecided: 0, wrong: wrong === undefined ? [] : [wrong] };
}

const exact = present(rational.levels.orderedField, "the rational numbers");

/** Checks that the reference's results lie between thresholds of their codes, on one only if even. */
function* betweenThresholds(format: PositFormat, count: number): Generator<Part> {
  const { width } = format;
  const made = posit(format);
  if (!made.ok) throw new Error(made.error.message);
  const a = present(made.value.levels.orderedReal, "the reals");
  const random = new Random(xoroshiro128plus(640 + width));
  const most = greatestCode(format);
  const code = (): Posit =>
    random.nextBigInt(-most, most) >> BigInt(random.nextInt(0, 1) * random.nextInt(0, width - 1));
  for (const name of ["add", "multiply", "divide"] as const) {
    const tally = new Tally(`${name} of the reference between thresholds of ${positName(format)}`);
    for (let n = 0; n < count; n++) {
      const x = code();
      const y = random.nextInt(0, 2) === 0 ? -x + BigInt(random.nextInt(-9, 9)) : code();
      if (y === 0n || x === 0n || y > most || y < -most) continue;
      const truth = exact[name](positValue(format, x), positValue(format, y));
      const isRight = isBetween(format, a[name](x, y), truth);
      tally.add(isRight ? "right" : { wrong: `${name} of ${x} and ${y}` });
    }
    yield tally.part;
  }
}

function isBetween(format: PositFormat, code: Posit, truth: Rational): boolean {
  if (truth.numerator < 0n) return isBetween(format, -code, exact.negative(truth));
  if (truth.numerator === 0n) return code === 0n;
  const order = (bits: Posit): number =>
    present(compareRationals(truth, positValue(oneBitMore(format), bits)), "an order");
  const [below, above] = [
    code === 1n ? 1 : order(2n * code - 1n),
    code === greatestCode(format) ? -1 : order(2n * code + 1n),
  ];
  const isEven = code % 2n === 0n;
  return code > 0n && (isEven ? below >= 0 && above <= 0 : below > 0 && above < 0);
}
