import { rationalOf } from "../../../reference/index.ts";
import { dyadicOf, positValue, roundToPosit } from "../../../reference/numerics/index.ts";
import {
  boundedPosit,
  isBounded,
  oneBitMore,
  type PositFormat,
  positName,
  positReach,
  standardPosit,
} from "../../../spec/wire/index.ts";
import {
  Callable,
  Fields,
  fieldOf,
  lifted,
  literalWord,
  type Machine,
  type Value,
} from "../execution/index.ts";
import { type Law, type Planted, plantedIn } from "./law.ts";
import {
  type FixedPoint,
  fixedPointOf,
  isNearest,
  nearestClaim,
  sized,
  standardDefinition,
  standardValue,
} from "./standard.ts";

const MODULE = "reference/algebras/posit_format";
const modules: readonly string[] = [MODULE, "spec/wire/posit_format", "reference/algebras/rational"];

/** Returns the range of a format's codes but NaR. */
export function codesOf({ width }: PositFormat): { readonly low: bigint; readonly high: bigint } {
  const high = (1n << BigInt(width - 1)) - 1n;
  return { low: -high, high };
}

/** Makes a fraction without cancelling, which changes no number: `rationalOf` has a law of its own. */
export const uncancelled: Callable = new Callable(
  ([numerator, denominator]) =>
    new Fields(
      new Map<string, Value>([
        ["numerator", numerator],
        ["denominator", denominator],
      ]),
    ),
);

/** Decodes a code by the reference, as an integer in fixed point. */
function decoded(machine: Machine, { format, places }: FixedPoint, code: Value): Value {
  const dyadic = machine.call(MODULE, "dyadicOf", [lifted(format), code]);
  const shift = machine.operate("BigInt", machine.operate("+", fieldOf(dyadic, "exponent"), places));
  return machine.operate("<<", fieldOf(dyadic, "significand"), shift);
}

function decodedHere({ format, places }: FixedPoint, code: bigint): bigint {
  const { significand, exponent } = dyadicOf(format, code);
  return significand << BigInt(exponent + places);
}

const planted = plantedIn(MODULE);

const decodingFaults: readonly Planted[] = [
  planted("regime", "a run of k ones tells the regime k.", "isOnes ? run - 1 : -run", "isOnes ? run : -run"),
  planted(
    "exponent",
    "missing bits of the exponent are taken as if they were in front.",
    'exponentBits).padEnd(exponentBits, "0")',
    'exponentBits).padStart(exponentBits, "0")',
  ),
  planted(
    "sign",
    "a negative code is that of its size.",
    "{ significand: -significand, exponent }",
    "{ significand, exponent }",
  ),
];

/** Tells whether two bits or more of an exponent may be missing, and not all of them. */
function isCut({ width, regimeBits, exponentBits }: PositFormat): boolean {
  return exponentBits > 1 && width - 1 - regimeBits < exponentBits - 1;
}

/** States that codes stand for what the standard says. */
function decoding(format: PositFormat, tier: Law["tier"], rlimit: number): Law {
  const fixed = fixedPointOf(format);
  return {
    id: `posits/decode/${positName(format)}`,
    statement: `Every code of ${positName(format)} but NaR stands for the number that the standard's formula gives it.`,
    clause: "Posit Standard (2022), 3.3",
    tier,
    rlimit,
    modules,
    variables: [{ name: "code", ...codesOf(format) }],
    definitions: standardDefinition("standard", fixed),
    runs: [(machine, code) => [decoded(machine, fixed, code())]],
    claim: (code, value) => `(= (standard ${code().text}) ${sized(value(), fixed.bits)})`,
    real: (code) => [decodedHere(fixed, code())],
    holds: (code, value) => value() === standardValue(fixed, code()),
    // Of a format whose words always have room for the exponent, or for one bit of it, no bits are missing.
    planted: decodingFaults.filter(({ name }) => name !== "exponent" || isCut(format)),
    metaArgument:
      "Both sides are integers in units of a power of two below all posits of the format. The formula reads the bits of a negative word as they are, and the code negates it before; where regimes are bounded both negate.",
  };
}

/** Numbers are multiples of 2^−places, of so many bits with their sign. */
interface Numbers {
  readonly bits: number;
  readonly places: number;
}

/** States that numbers of so many bits, some behind the point, are rounded to the nearest posit. */
function rounding(format: PositFormat, { bits, places }: Numbers, tier: Law["tier"], rlimit: number): Law {
  const thresholds = fixedPointOf(oneBitMore(format), places);
  const end = 1n << BigInt(bits - 1);
  return {
    id: `posits/round/${positName(format)}_${bits}_${places}`,
    statement: `Every multiple of 2^−${places} below 2^${bits - 1 - places} in size is rounded to the posit of ${positName(format)} on its side of the thresholds, ties to even codes, none to NaR and only 0 to 0.`,
    clause: "Posit Standard (2022), 4.1",
    tier,
    rlimit,
    modules,
    variables: [{ name: "x", low: -end, high: end - 1n }],
    definitions: standardDefinition("threshold", thresholds),
    instead: () => ({ rationalOf: uncancelled }),
    runs: [
      (machine, x) => {
        const number = uncancelled.call([x(), 1n << BigInt(places)]);
        return [machine.call(MODULE, "roundToPosit", [lifted(format), number])];
      },
    ],
    claim: (x, code) => nearestClaim({ format, thresholds }, { number: x(), places }, code()),
    real: (x) => [roundToPosit(format, rationalOf(x(), 1n << BigInt(places)))],
    holds: (x, code) => isNearest(format, x(), places, code()),
    planted: roundingFaults(format, { bits, places }),
    metaArgument:
      "Thresholds are posits of one bit more, by the standard's formula. Fractions are not in lowest terms here, which changes no quotient and no comparison.",
  };
}

function roundingFaults(format: PositFormat, { bits, places }: Numbers): readonly Planted[] {
  const one = 1n << BigInt(places);
  const besideOne = { x: [one, 2n * one - 1n] } as const;
  const reach = positReach(format);
  const end = 1n << BigInt(bits - 1);
  const above = one << 7n < end ? one << 7n : end;
  const someTies = { x: [one, above - 1n] } as const;
  return [
    planted("ties-to-odd", "ties go to the odd code.", "lower % 2n !== 0n", "lower % 2n === 0n", someTies),
    planted(
      "regime",
      "the run of a regime is one shorter than it should be.",
      "regime >= 0 ? regime + 1 : -regime",
      "regime >= 0 ? regime : -regime",
      besideOne,
    ),
    ...(places > reach
      ? [
          planted(
            "to-zero",
            "what is below the least posit becomes 0.",
            "scale < -reach) return 1n",
            "scale < -reach) return 0n",
            { x: [0n, 7n] },
          ),
        ]
      : []),
    ...(isBounded(format)
      ? [
          planted(
            "zero-cell",
            "what is above the range's lower end and below the least posit becomes 0.",
            "lower === 0n ? 1n : greatest",
            "lower === 0n ? 0n : greatest",
            { x: [0n, 63n] },
          ),
        ]
      : []),
    ...(bits - 1 - places > reach
      ? [
          planted(
            "to-nar",
            "what is beyond the greatest posit becomes NaR.",
            "scale >= reach) return greatest",
            "scale >= reach) return notReal(format)",
            { x: [end / 2n, end - 1n] },
          ),
        ]
      : []),
  ];
}

/** States that a code is the code of the number that it stands for. */
function roundTrip(format: PositFormat, tier: Law["tier"], rlimit: number): Law {
  return {
    id: `posits/round_trip/${positName(format)}`,
    statement: `Every code of ${positName(format)} but NaR is the code to which the number that it stands for is rounded.`,
    clause: "Posit Standard (2022), 4.1",
    tier,
    rlimit,
    modules,
    variables: [{ name: "code", ...codesOf(format) }],
    instead: () => ({ rationalOf: uncancelled }),
    runs: [
      (machine, code) => {
        const number = machine.call(MODULE, "positValue", [lifted(format), code()]);
        return [machine.call(MODULE, "roundToPosit", [lifted(format), number])];
      },
    ],
    claim: (code, again) => `(= ${code().text} ${sized(again(), format.width)})`,
    real: (code) => [roundToPosit(format, positValue(format, code()))],
    holds: (code, again) => code() === again(),
    planted: [
      planted(
        "exponent",
        "missing bits of the exponent are taken as if they were in front.",
        'exponentBits).padEnd(exponentBits, "0")',
        'exponentBits).padStart(exponentBits, "0")',
      ),
    ],
    metaArgument: "",
  };
}

/** States that codes are ordered as the numbers are for which they stand. */
function ordered(format: PositFormat, tier: Law["tier"], rlimit: number): Law {
  const fixed = fixedPointOf(format);
  const order = (one: bigint, other: bigint): number => Number(one > other) - Number(one < other);
  return {
    id: `posits/order/${positName(format)}`,
    statement: `Of two codes of ${positName(format)} but NaR the greater one stands for the greater number.`,
    clause: "Posit Standard (2022), 3.3",
    tier,
    rlimit,
    modules,
    variables: ["code", "other"].map((name) => ({ name, ...codesOf(format) })),
    runs: [0, 1].map((place) => (machine, code) => [decoded(machine, fixed, code(place))]),
    claim: (code, value) => {
      const bits = Math.max(value(0).bits, value(1).bits);
      const [one, other] = [sized(value(0), bits), sized(value(1), bits)];
      return `(= (bvslt ${code(0).text} ${code(1).text}) (bvslt ${one} ${other}))`;
    },
    real: (code) => [decodedHere(fixed, code(0)), decodedHere(fixed, code(1))],
    holds: (code, value) => order(code(0), code(1)) === order(value(0), value(1)),
    planted: decodingFaults.filter(({ name }) => name === "sign"),
    metaArgument: "The code runs on each of the words by itself.",
  };
}

/** States that a fraction whose denominator is a power of two is cancelled as far as can be. */
function cancelled(bits: number, places: number): Law {
  const module = "reference/algebras/rational";
  const end = 1n << BigInt(bits - 1);
  const wide = 2 * bits + places;
  const ones = literalWord(0n, wide);
  return {
    id: `rationals/lowest_terms_${bits}_${places}`,
    statement: `Of an integer of ${bits} bits over 2^${places} the fraction in lowest terms is as great, its denominator is positive, and one of its terms is odd.`,
    clause: "SEMANTICS §7.1",
    tier: "everyday",
    rlimit: 10_000_000,
    modules: [module],
    variables: [{ name: "x", low: -end, high: end - 1n }],
    runs: [
      (machine, x) => {
        const fraction = machine.call(module, "rationalOf", [x(), 1n << BigInt(places)]);
        return [fieldOf(fraction, "numerator"), fieldOf(fraction, "denominator")];
      },
    ],
    claim: (x, term) => {
      const [numerator, denominator] = [sized(term(0), wide), sized(term(1), wide)];
      const isOdd = (text: string): string => `(= ((_ extract 0 0) ${text}) #b1)`;
      return `(and (= (bvmul ${numerator} ${literalWord(1n << BigInt(places), wide)}) (bvmul ${sized(x(), wide)} ${denominator})) (bvslt ${ones} ${denominator}) (or ${isOdd(numerator)} ${isOdd(denominator)}))`;
    },
    real: (x) => {
      const { numerator, denominator } = rationalOf(x(), 1n << BigInt(places));
      return [numerator, denominator];
    },
    holds: (x, term) =>
      term(0) << BigInt(places) === x() * term(1) &&
      term(1) > 0n &&
      (term(0) % 2n !== 0n || term(1) % 2n !== 0n),
    planted: [
      plantedIn(module)(
        "greatest",
        "the greater of two powers of two is taken for what divides both.",
        "lowest < b ? lowest : b",
        "lowest < b ? b : lowest",
        { x: [1n, end - 1n] },
      ),
    ],
    metaArgument: "",
  };
}

/** Lists what is proved of the reference's posits. */
export function positLaws(): readonly Law[] {
  const [p8, p16, p32] = [standardPosit(8), standardPosit(16), standardPosit(32)];
  const b16 = boundedPosit(16);
  const early: PositFormat = { width: 16, regimeBits: 15, exponentBits: 1 };
  const short: PositFormat = { width: 8, regimeBits: 3, exponentBits: 1 };
  return [
    decoding(p8, "everyday", 2_000_000),
    decoding(p16, "long", 30_000_000),
    decoding(early, "everyday", 10_000_000),
    decoding(short, "everyday", 2_000_000),
    decoding(p32, "long", 450_000_000),
    decoding(b16, "long", 420_000_000),
    rounding(p8, { bits: 60, places: 28 }, "long", 40_000_000),
    rounding(short, { bits: 20, places: 9 }, "everyday", 20_000_000),
    rounding(p16, { bits: 16, places: 8 }, "long", 30_000_000),
    rounding(p16, { bits: 24, places: 12 }, "long", 120_000_000),
    rounding(p16, { bits: 32, places: 16 }, "long", 220_000_000),
    rounding(p32, { bits: 32, places: 28 }, "long", 400_000_000),
    roundTrip(p8, "everyday", 1_000_000),
    roundTrip(p16, "long", 10_000_000),
    ordered(p8, "everyday", 10_000_000),
    cancelled(12, 10),
  ];
}
