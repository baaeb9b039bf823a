import { type PositArithmetic, positArithmetic } from "../../../engines/posit/index.ts";
import {
  oneBitMore,
  type PositFormat,
  positName,
  positReach,
  standardPosit,
} from "../../../spec/wire/index.ts";
import { DoubleWords, lifted, literalWord, type Machine, type Value } from "../execution/index.ts";
import { type Bits, type Law, plantedIn } from "./law.ts";
import { codesOf } from "./posits.ts";
import {
  fixedPointOf,
  isNearest,
  nearestClaim,
  sized,
  standardDefinition,
  standardValue,
} from "./standard.ts";

const MODULE = "engines/posit/rounding";
const modules: readonly string[] = [MODULE, "spec/wire/posit_format"];

const planted = plantedIn(MODULE);

/** Doubles have these parts. */
const FRACTION_BITS = 52;
const BIAS = 1023;
const GREATEST_EXPONENT = 2047n;
const WORD_END = 1n << 31n;

const words: DataView = new DataView(new ArrayBuffer(8));

/** Returns the words of a double. */
function wordsOf(x: number): readonly bigint[] {
  words.setFloat64(0, x);
  return [BigInt(words.getInt32(0)), BigInt(words.getInt32(4))];
}

function doubleOf(high: bigint, low: bigint): number {
  words.setInt32(0, Number(high));
  words.setInt32(4, Number(low));
  return words.getFloat64(0);
}

/** Returns x · 2^places, by powers of two that doubles hold. */
function scaledUp(x: number, places: number): number {
  const half = Math.floor(places / 2);
  return x * 2 ** half * 2 ** (places - half);
}

/** Writes the exponent of a double as it is stored, in so many bits. */
function exponentOf(high: Bits, bits: number): string {
  return `((_ zero_extend ${bits - 11}) ((_ extract 30 20) ${high.text}))`;
}

/** Writes a normal double, whose exponent is within bounds, as an integer in units of 2^−places. */
function fixedDouble(high: Bits, low: Bits, places: number, bits: number): string {
  const significand = `(concat #b1 ((_ extract 19 0) ${high.text}) ${low.text})`;
  const by = `(bvsub ${exponentOf(high, bits)} ${literalWord(BigInt(BIAS + FRACTION_BITS - places), bits)})`;
  const size = `(bvshl ((_ zero_extend ${bits - FRACTION_BITS - 1}) ${significand}) ${by})`;
  return `(ite (bvslt ${high.text} ${literalWord(0n, 32)}) (bvneg ${size}) ${size})`;
}

function layoutOf(machine: Machine, format: PositFormat): Value {
  return machine.call(MODULE, "layoutOf", [lifted(format)]);
}

/** States that codes become the doubles that the standard says. */
function toDouble(format: PositFormat, tier: Law["tier"], rlimit: number): Law {
  const fixed = fixedPointOf(format, positReach(format) + FRACTION_BITS + 1);
  const posits = positArithmetic(format);
  const { low, high } = codesOf(format);
  return {
    id: `engine_posits/to_double/${positName(format)}`,
    statement: `Engines make of every code of ${positName(format)} but NaR and 0 the double that the standard's formula gives it.`,
    clause: "Posit Standard (2022), 3.3",
    tier,
    rlimit,
    modules,
    variables: [{ name: "code", low, high }],
    definitions: standardDefinition("standard", fixed),
    runs: [
      (machine, code) => {
        const double = machine.call(MODULE, "positToDouble", [
          layoutOf(machine, format),
          machine.operate("Number", code()),
        ]);
        return double instanceof DoubleWords ? [double.high, double.low] : [0n, 0n];
      },
    ],
    claim: (code, word) => {
      const [upper, lower] = [sized(word(0), 32), sized(word(1), 32)];
      const value = fixedDouble(
        { text: upper, bits: 32 },
        { text: lower, bits: 32 },
        fixed.places,
        fixed.bits,
      );
      const isZero = `(= ${code().text} ${literalWord(0n, format.width)})`;
      return `(ite ${isZero} (= (concat ${upper} ${lower}) ${literalWord(0n, 64)}) (= (standard ${code().text}) ${value}))`;
    },
    real: (code) => wordsOf(posits.toNumber(Number(code()))),
    holds: (code, word) => {
      const number = doubleOf(word(0), word(1));
      const exact = standardValue(fixed, code());
      return Number(exact) === scaledUp(number, fixed.places);
    },
    planted: [
      planted(
        "regime",
        "a run of k ones tells the regime k.",
        "body < 0 ? run - 1 : -run",
        "body < 0 ? run : -run",
      ),
      planted(
        "end",
        "the bit that ends a regime is taken for one behind it.",
        "equal < regimeBits ? run + 1 : run",
        "run",
      ),
    ],
    metaArgument:
      "A double is an integer in units of a power of two below all posits of the format: the claim reads sign, exponent and significand off its words.",
  };
}

/** States that NaR is the one code that becomes no number. */
function notReal(format: PositFormat): Law {
  const { high } = codesOf(format);
  const posits = positArithmetic(format);
  return {
    id: `engine_posits/not_real/${positName(format)}`,
    statement: `Engines make NaN of NaR, and a number of every other code of ${positName(format)}.`,
    clause: "Posit Standard (2022), 3.3",
    tier: "everyday",
    rlimit: 3_000,
    modules,
    variables: [{ name: "code", low: -high - 1n, high }],
    runs: [
      (machine, code) => {
        const double = machine.call(MODULE, "positToDouble", [
          layoutOf(machine, format),
          machine.operate("Number", code()),
        ]);
        return [typeof double === "number" && Number.isNaN(double)];
      },
    ],
    claim: (code, is) =>
      `(= (= ${sized(is(), 2)} ${literalWord(1n, 2)}) (= ${code().text} ${literalWord(-high - 1n, format.width)}))`,
    real: (code) => [BigInt(Number.isNaN(posits.toNumber(Number(code()))))],
    holds: (code, is) => (is() === 1n) === (code() === -high - 1n),
    planted: [
      planted(
        "least",
        "the code after NaR is taken for it.",
        "notReal: -(2 ** (width - 1))",
        "notReal: 1 - 2 ** (width - 1)",
      ),
    ],
    metaArgument: "That the numbers of other codes are right, is what to_double says.",
  };
}

/**
 * Returns what {@link fromDouble} claims of a code: what is exact is a double and a quarter of its last bit.
 */
function isRounded(format: PositFormat, high: bigint, low: bigint, rest: bigint, code: bigint): boolean {
  const x = doubleOf(high, low);
  const reach = positReach(format);
  const greatest = (1n << BigInt(format.width - 1)) - 1n;
  const sign = x < 0 ? -1n : 1n;
  if (x === 0) return code === 0n;
  if (!Number.isFinite(x)) return code === -greatest - 1n;
  if (Math.abs(x) >= 2 ** reach) return code === sign * greatest;
  if (Math.abs(x) < 2 ** -reach) return code === sign;
  const places = reach + FRACTION_BITS;
  return isNearest(format, 4n * BigInt(scaledUp(x, places)) + rest, places + 2, code);
}

/** States that every double, with what is left out of it, is rounded to the nearest posit. */
function fromDouble(format: PositFormat, tier: Law["tier"], rlimit: number): Law {
  const reach = positReach(format);
  const places = reach + FRACTION_BITS;
  const thresholds = fixedPointOf(oneBitMore(format), places + 2);
  const bits = thresholds.bits + 2;
  const greatest = (1n << BigInt(format.width - 1)) - 1n;
  const one = BigInt(BIAS) << 20n;
  const posits: PositArithmetic = positArithmetic(format);
  const besideOne = { high: [one, one + (7n << 20n)], low: [0n, 0n] } as const;
  return {
    id: `engine_posits/from_double/${positName(format)}`,
    statement: `Engines round every double, and every sum of a double and a rest too little for it, to the posit of ${positName(format)} on its side of the thresholds, ties to even codes; none but the infinities and NaN to NaR, and none but 0 to 0.`,
    clause: "Posit Standard (2022), 4.1",
    tier,
    rlimit,
    modules,
    variables: [
      { name: "high", low: -WORD_END, high: WORD_END - 1n },
      { name: "low", low: -WORD_END, high: WORD_END - 1n },
      { name: "rest", low: -1n, high: 1n },
    ],
    definitions: standardDefinition("threshold", thresholds),
    runs: [
      (machine, of) => {
        const [high, low, rest] = [0, 1, 2].map((place) => machine.operate("Number", of(place)));
        const x = new DoubleWords(high, low);
        return [machine.call(MODULE, "doubleToPosit", [layoutOf(machine, format), x, rest])];
      },
    ],
    claim: (of, code) => {
      const [high, low, rest] = [of(0), of(1), of(2)];
      const exponent = `((_ extract 30 20) ${high.text})`;
      const stored = (value: number): string => literalWord(BigInt(value), 11);
      const isZero = `(= (concat ((_ extract 30 0) ${high.text}) ${low.text}) ${literalWord(0n, 63)})`;
      const c = sized(code(), format.width + 1);
      const is = (value: bigint): string => `(= ${c} ${literalWord(value, format.width + 1)})`;
      const signed = (value: bigint): string =>
        `(ite (bvslt ${high.text} ${literalWord(0n, 32)}) ${is(-value)} ${is(value)})`;
      const exact = `(bvadd (bvshl ${fixedDouble(high, low, places, bits)} ${literalWord(2n, bits)}) ${sized(rest, bits)})`;
      const nearest = nearestClaim(
        { format, thresholds },
        { number: { text: exact, bits }, places: places + 2 },
        code(),
      );
      return [
        `(ite ${isZero} ${is(0n)}`,
        `(ite (= ${exponent} ${literalWord(GREATEST_EXPONENT, 11)}) ${is(-greatest - 1n)}`,
        `(ite (bvuge ${exponent} ${stored(BIAS + reach)}) ${signed(greatest)}`,
        `(ite (bvult ${exponent} ${stored(BIAS - reach)}) ${signed(1n)}`,
        `${nearest}))))`,
      ].join("\n  ");
    },
    // No door takes a rest.
    real: (of) => (of(2) === 0n ? [BigInt(posits.fromNumber(doubleOf(of(0), of(1))))] : undefined),
    holds: (of, code) => isRounded(format, of(0), of(1), of(2), code()),
    planted: [
      planted(
        "ties-to-odd",
        "ties go to the odd code.",
        "isAbove || (code & 1) !== 0",
        "isAbove || (code & 1) === 0",
        { ...besideOne, rest: [0n, 0n] },
      ),
      planted(
        "sticky",
        "what lies in the second word is forgotten.",
        "cut << 1 !== 0 || low << (12 - exponentBits) !== 0",
        "cut << 1 !== 0",
        { ...besideOne, low: [0n, 1n], rest: [0n, 0n] },
      ),
      planted(
        "rest",
        "the sign of the rest is taken for its opposite.",
        "rest > 0 === x > 0",
        "rest < 0 === x > 0",
        {
          ...besideOne,
          rest: [1n, 1n],
        },
      ),
    ],
    metaArgument:
      "The rest is a quarter of the last bit of the smallest double that matters, of its sign: no threshold lies between the double and that. Doubles of less than the least posit, and from 2^reach on, are spoken of by their exponents.",
  };
}

/** Lists what is proved of the engines' posits. */
export function enginePositLaws(): readonly Law[] {
  const [p8, p16, p32] = [standardPosit(8), standardPosit(16), standardPosit(32)];
  return [
    ...[p8, p16, p32].map(notReal),
    toDouble(p8, "everyday", 10_000_000),
    toDouble(p16, "long", 30_000_000),
    toDouble(p32, "long", 260_000_000),
    fromDouble(p8, "long", 110_000_000),
  ];
}
