import { Callable, Fields, fieldOf, List, lifted, literalWord, type Value } from "../execution/index.ts";
import { numberOf } from "./codes.ts";
import { type Bits, type Law, plantedIn } from "./law.ts";
import { sized } from "./standard.ts";

const ROOM = "reference/numerics/storage";
const STORED = `${ROOM}/stored`;
const modules: readonly string[] = [STORED, `${ROOM}/rounding`, `${ROOM}/packing`, `${ROOM}/storage_type`];

const planted = plantedIn(STORED);
const clause = "facts of es-ude/OnDeviceTraining";

/** Returns an operand as a number: unknown, or known from a model. */
const numeric = (x: Value): Value => (typeof x === "bigint" ? Number(x) : x);

/** Says that an integer is one of these, and what then holds. */
function byCase(of: Bits, cases: readonly (readonly [value: bigint, claim: string])[]): string {
  return `(or ${cases.map(([value, claim]) => `(and (= ${of.text} ${literalWord(value, of.bits)}) ${claim})`).join(" ")})`;
}

/** Sizes are integers of so many bits in units of 2^−places; a guess of an exponent may be off by one. */
const SIZE_BITS = 8;
const SIZE_PLACES = 4;
/** The greatest code, as a power of two, and the least exponent that a size may need. */
const GREATEST = 4;
const LEAST_GUESS = -7;
const MOST_GUESS = 3;

/** A size that is at most so much, in units of 2^−places, has no greater exponent. */
const mostSize = (exponent: number): bigint => {
  const power = exponent + SIZE_PLACES + Math.log2(GREATEST);
  return power < 0 ? 0n : 1n << BigInt(power);
};

/** Says that a size is above what an exponent reaches, and at most what another does. */
const between = (size: Bits, below: number, most: number): string =>
  `(and (bvslt ${literalWord(mostSize(below), 32)} ${sized(size, 32)}) (bvsle ${sized(size, 32)} ${literalWord(mostSize(most), 32)}))`;

const exponents = Array.from({ length: MOST_GUESS - LEAST_GUESS + 1 }, (_, n) => LEAST_GUESS + n);

/** States that a block gets the smallest exponent with which its greatest size has a code. */
function exponentLaw(): Law {
  const size: Bits = { text: "size", bits: SIZE_BITS + 1 };
  const guess: Bits = { text: "guess", bits: 4 };
  const near = exponents.map((n) => [BigInt(n), between(size, n - 2, n + 1)] as const);
  return {
    id: "codes/exponent",
    statement: `Of every positive size of ${SIZE_BITS} bits the exponent of a block is the smallest e with size/2^e at most the greatest code, ${GREATEST} here, though the logarithm be off by a place in either direction.`,
    clause,
    tier: "everyday",
    rlimit: 5_000_000,
    modules,
    variables: [
      { name: "size", low: 1n, high: (1n << BigInt(SIZE_BITS)) - 1n },
      { name: "guess", low: BigInt(LEAST_GUESS), high: BigInt(MOST_GUESS) },
    ],
    hypotheses: [{ name: "near", formula: byCase(guess, near) }],
    instead: (of) => ({
      Math: new Fields(
        new Map<string, Value>([
          ["log2", new Callable(() => numeric(of(1)))],
          ["ceil", new Callable(([x]) => x)],
        ]),
      ),
    }),
    runs: [
      (machine, of) => [
        machine.call(STORED, "exponentOf", [numberOf(machine, of(0), SIZE_PLACES), GREATEST]),
      ],
    ],
    claim: (of, exponent) =>
      byCase(
        exponent(),
        exponents.map((n) => [BigInt(n), between(of(0), n - 1, n)] as const),
      ),
    holds: (of, exponent) => {
      const e = Number(exponent());
      return mostSize(e - 1) < of(0) && of(0) <= mostSize(e);
    },
    planted: [
      planted("guess", "the logarithm's guess is taken for right.", "return guess + 1;", "return guess;"),
      planted("before", "the exponent before the guess is not looked at.", "[guess - 1, guess]", "[guess]"),
      planted(
        "strict",
        "a size that is the greatest code's is refused.",
        "size <= greatest *",
        "size < greatest *",
      ),
    ],
    metaArgument:
      "Other greatest codes move the thresholds, and the code compares with them alone; float64's logarithm is off by far less than one.",
  };
}

/** A kind of format, and how many places its numbers here have behind the point, and bits. */
interface Scaled {
  readonly name: string;
  readonly type: Readonly<Record<string, string | number>>;
  readonly bits: number;
  readonly places: number;
}

/** Below 2^−126 a float32 scale has fewer digits. */
const LEAST_SCALE_PLACES = 126;

/**
 * States that two numbers of which the greater size fills the codes have a scale that is this size over the
 * greatest code, or none where that is below 2^−126. The greatest code is 1, so that the quotient is exact.
 */
function scaleLaw({ name, type, bits, places }: Scaled): Law {
  const end = 1n << BigInt(bits - 1);
  const least = 1n << BigInt(places - LEAST_SCALE_PLACES);
  const size = (x: bigint): bigint => (x < 0n ? -x : x);
  const greater = (a: bigint, b: bigint): bigint => (size(a) > size(b) ? size(a) : size(b));
  return {
    id: `codes/scale_${name}`,
    statement: `The scale of two numbers kept as ${name} is their greater size over the greatest code; there is none where that is below 2^−126.`,
    clause,
    tier: "everyday",
    rlimit: 5_000_000,
    modules,
    variables: ["a", "b"].map((variable) => ({ name: variable, low: -end, high: end - 1n })),
    runs: [
      (machine, of) => {
        const numbers = new List([0, 1].map((place) => numberOf(machine, of(place), places)));
        const grid = machine.call(STORED, "gridOf", [lifted(type), numbers]);
        if (grid === undefined) return [false, 0n];
        return [true, machine.operate("/", fieldOf(grid, "scale"), 2 ** -places)];
      },
    ],
    claim: (of, out) => {
      const wide = bits + 4;
      const [a, b] = [0, 1].map((place): string => {
        const x = sized(of(place), wide);
        return `(ite (bvslt ${x} ${literalWord(0n, wide)}) (bvneg ${x}) ${x})`;
      });
      const size = `(ite (bvslt ${a} ${b}) ${b} ${a})`;
      const is = `(= ${sized(out(0), 2)} ${literalWord(1n, 2)})`;
      return `(let ((size ${size})) (ite (bvslt size ${literalWord(least, wide)}) (not ${is}) (and ${is} (= size ${sized(out(1), wide)}))))`;
    },
    holds: (of, out) => {
      const most = greater(of(0), of(1));
      return most < least ? out(0) === 0n : out(0) === 1n && out(1) === most;
    },
    planted: [
      planted(
        "below",
        "numbers below 0 count nothing.",
        "fround(Math.max(most, -least)",
        "fround(Math.max(most, least)",
      ),
      planted(
        "subnormal",
        "a scale that is subnormal is taken.",
        "fround(greatest));\n      return scale < LEAST_SCALE",
        "fround(greatest));\n      return scale <= 0",
      ),
      planted(
        "least",
        "the least scale of all digits is refused.",
        "return scale < LEAST_SCALE",
        "return scale <= LEAST_SCALE",
      ),
    ],
    metaArgument:
      "Where the greatest code is another one the quotient is rounded to float32 once, as the code says. Groups of more numbers are folded by the same two functions.",
  };
}

/** States that a block's exponent is kept within those that its bits, and float32, hold. */
function blockLaw(exponentBits: number, from: number): Law {
  const bias = 2 ** (exponentBits - 1) - 1;
  const [lowest, highest] = [-bias, Math.min(2 ** exponentBits - 1 - bias, 127)];
  const first = Math.max(lowest, from);
  const cases = Array.from({ length: highest - first + 1 }, (_, n) => first + n);
  const kept = (exponent: bigint): number => Math.min(Math.max(Number(exponent), lowest), highest);
  return {
    id: `codes/block_${exponentBits}`,
    statement: `The scale of a block is the power of two that its exponent says, or the nearest to it from 2^${lowest} to 2^${highest}, which ${exponentBits} bits and float32 hold, for exponents from ${from} on; zeros have none.`,
    clause,
    tier: "everyday",
    rlimit: 5_000_000,
    modules,
    variables: [
      { name: "a", low: -2n, high: 1n },
      { name: "b", low: -2n, high: 1n },
      { name: "exponent", low: BigInt(from), high: BigInt(highest + 23) },
    ],
    instead: (of) => ({ exponentOf: new Callable(() => numeric(of(2))) }),
    runs: [
      (machine, of) => {
        const type = { kind: "bfp", mantissaBits: 4, exponentBits };
        const numbers = new List([0, 1].map((place) => machine.operate("Number", of(place))));
        const grid = machine.call(STORED, "gridOf", [lifted(type), numbers]);
        if (grid === undefined) return [false, 0n];
        return [true, BigInt(Math.log2(Number(fieldOf(grid, "scale"))))];
      },
    ],
    claim: (of, out) => {
      const isZero = `(and (= ${of(0).text} ${literalWord(0n, of(0).bits)}) (= ${of(1).text} ${literalWord(0n, of(1).bits)}))`;
      const is = `(= ${sized(out(0), 2)} ${literalWord(1n, 2)})`;
      const exponent = sized(of(2), 16);
      const kept = cases.map((n): string => {
        const at = literalWord(BigInt(n), 16);
        const holds = n === lowest ? "bvsle" : n === highest ? "bvsge" : "=";
        return `(=> (${holds} ${exponent} ${at}) (= ${sized(out(1), 16)} ${at}))`;
      });
      return `(ite ${isZero} (not ${is}) (and ${is} ${kept.join(" ")}))`;
    },
    holds: (of, out) =>
      of(0) === 0n && of(1) === 0n ? out(0) === 0n : out(0) === 1n && Number(out(1)) === kept(of(2)),
    planted: [
      planted(
        "bias",
        "the least exponent is the bias.",
        "greatest), -bias, highest)",
        "greatest), bias, highest)",
      ),
      exponentBits === 8
        ? planted("float32", "the scale may be beyond float32.", "- bias, 127)", "- bias, 128)")
        : planted(
            "most",
            "the greatest exponent is one more.",
            "2 ** type.exponentBits - 1 - bias",
            "2 ** type.exponentBits - bias",
          ),
    ],
    metaArgument: "What the exponent is of a size, is what codes/exponent says.",
  };
}

/** Lists what is proved of the grids of codes. */
export function gridLaws(): readonly Law[] {
  return [
    exponentLaw(),
    scaleLaw({ name: "sym2", type: { kind: "sym", bits: 2 }, bits: 8, places: 130 }),
    blockLaw(2, -24),
    blockLaw(8, 104),
  ];
}
