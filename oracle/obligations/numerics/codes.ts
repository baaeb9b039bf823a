import { codeLimits, halfAway, movedBy, rounded } from "../../../reference/numerics/index.ts";
import { Callable, Fields, lifted, literalWord, type Machine, type Value } from "../execution/index.ts";
import { type Bits, type Law, plantedIn } from "./law.ts";
import { sized } from "./standard.ts";

const ROOM = "reference/numerics/storage";
const STORED = `${ROOM}/stored`;
const ROUNDING = `${ROOM}/rounding`;
const modules: readonly string[] = [STORED, ROUNDING, `${ROOM}/packing`, `${ROOM}/storage_type`];

const inRounding = plantedIn(ROUNDING);
const inCodec = plantedIn(STORED);

/** Numbers are integers of so many bits, in units of 2^−places. */
interface Numbers {
  readonly bits: number;
  readonly places: number;
}

function integers(name: string, bits: number): Law["variables"][number] {
  const end = 1n << BigInt(bits - 1);
  return { name, low: -end, high: end - 1n };
}

/** Makes a number of an integer in units of 2^−places. */
export function numberOf(machine: Machine, x: Value, places: number): Value {
  return machine.operate("*", machine.operate("Number", x), 2 ** -places);
}

/**
 * Claims that an integer is the nearest to a number in units of 2^−places, and from the middle away from 0.
 */
function nearestAway(number: Bits, places: number, integer: Bits): string {
  const bits = Math.max(number.bits, integer.bits + places) + 2;
  const [x, to] = [sized(number, bits), sized(integer, bits)];
  const zero = literalWord(0n, bits);
  const half = literalWord(1n << BigInt(places - 1), bits);
  const off = `(bvsub ${x} (bvshl ${to} ${literalWord(BigInt(places), bits)}))`;
  return `(let ((off ${off}) (half ${half})) (ite (bvslt ${x} ${zero}) (and (bvslt (bvneg half) off) (bvsle off half)) (and (bvsle (bvneg half) off) (bvslt off half))))`;
}

function isNearestAway(x: bigint, places: number, to: bigint): boolean {
  const off = 2n * (x - (to << BigInt(places)));
  const whole = 1n << BigInt(places);
  return x < 0n ? -whole < off && off <= whole : -whole <= off && off < whole;
}

/** States that quotients are rounded to the nearest code, from the middle away from 0. */
function roundingToCodes({ bits, places }: Numbers): Law {
  return {
    id: `codes/round_${bits}_${places}`,
    statement: `A quotient that is a multiple of 2^−${places}, of ${bits} bits, is rounded to the nearest integer, and from the middle away from 0.`,
    clause: "facts of es-ude/OnDeviceTraining",
    tier: "everyday",
    rlimit: 10_000_000,
    modules,
    variables: [integers("x", bits)],
    runs: [
      (machine, x) => [machine.call(ROUNDING, "rounded", [numberOf(machine, x(), places), lifted(halfAway)])],
    ],
    claim: (x, code) => nearestAway(x(), places, code()),
    real: (x) => [BigInt(rounded(Number(x()) * 2 ** -places, halfAway))],
    holds: (x, code) => isNearestAway(x(), places, code()),
    planted: [
      inRounding("cut-off", "a quotient is cut off.", "Math.abs(shifted) + 0.5", "Math.abs(shifted)"),
      inRounding(
        "middle",
        "the middle goes up, towards 0 from below.",
        "Math.sign(shifted) * Math.floor(Math.abs(shifted) + 0.5)",
        "Math.floor(shifted + 0.5)",
      ),
    ],
    metaArgument: "Numbers of at most 24 bits are float32 numbers, so that nothing else is rounded.",
  };
}

/** States that a stochastic rounding goes up or down, and up where the draw says so. */
function stochasticRounding({ bits, places }: Numbers): Law {
  const draws = 8;
  const fine = Math.max(places, draws);
  const whole = 1n << BigInt(fine);
  return {
    id: `codes/stochastic_${bits}_${places}`,
    statement: `A quotient that is a multiple of 2^−${places} is rounded to an integer less than 1 away from it; only a draw of 0 takes an integer that is not positive 1 down.`,
    clause: "facts of es-ude/OnDeviceTraining",
    tier: "everyday",
    rlimit: 10_000_000,
    modules,
    variables: [integers("x", bits), { name: "draw", low: 0n, high: (1n << BigInt(draws)) - 1n }],
    runs: [
      (machine, of) => {
        const draw = new Callable(() => numberOf(machine, of(1), draws));
        const rounding = new Fields(
          new Map<string, Value>([
            ["kind", "stochastic"],
            ["draw", draw],
          ]),
        );
        return [machine.call(ROUNDING, "rounded", [numberOf(machine, of(0), places), rounding])];
      },
    ],
    claim: (of, code) => {
      const wide = Math.max(of(0).bits + fine - places, code().bits + fine) + 2;
      const x = `(bvshl ${sized(of(0), wide)} ${literalWord(BigInt(fine - places), wide)})`;
      const to = `(bvshl ${sized(code(), wide)} ${literalWord(BigInt(fine), wide)})`;
      const limit = literalWord(whole, wide);
      const isNoDraw = `(and (= ${of(1).text} ${literalWord(0n, of(1).bits)}) (bvsle ${x} ${literalWord(0n, wide)}))`;
      return `(let ((off (bvsub ${x} ${to}))) (and (bvslt (bvneg ${limit}) off) (or (bvslt off ${limit}) (and (= off ${limit}) ${isNoDraw}))))`;
    },
    real: (of) => {
      const draw = (): number => Number(of(1)) * 2 ** -draws;
      return [BigInt(rounded(Number(of(0)) * 2 ** -places, { kind: "stochastic", draw }))];
    },
    holds: (of, code) => {
      const off = (of(0) << BigInt(fine - places)) - (code() << BigInt(fine));
      return -whole < off && (off < whole || (off === whole && of(1) === 0n && of(0) <= 0n));
    },
    planted: [
      inRounding(
        "no-half",
        "the draw is not moved down by 1/2.",
        "+ Math.fround(rounding.draw())) - 0.5",
        "+ Math.fround(rounding.draw())) - 0",
      ),
      inRounding(
        "twice",
        "the draw counts twice.",
        "Math.fround(rounding.draw())",
        "Math.fround(2 * rounding.draw())",
      ),
    ],
    metaArgument: "Draws of so few bits keep every sum a float32 number.",
  };
}

/** A format of codes with a scale that is a power of two. */
interface Coded {
  readonly name: string;
  readonly type: Readonly<Record<string, string | number>>;
  readonly bits: number;
  /** Codes from 0 on around a zero point. */
  readonly hasZero: boolean;
  readonly least: bigint;
}

function coded(kind: "sym" | "asym" | "bfp", bits: number): Coded {
  const hasZero = kind === "asym";
  const [least, greatest] = codeLimits(bits, !hasZero);
  const type = kind === "bfp" ? { kind, mantissaBits: bits, exponentBits: 8 } : { kind, bits };
  return { name: `${kind}${bits}`, type, bits, hasZero, least: BigInt(kind === "bfp" ? -greatest : least) };
}

/** Steps of the grids here are 2^−3. */
const SCALE_PLACES = 3;

/**
 * States that a number gets the nearest of a grid's codes, what is beyond the codes the last one, and that
 * the code stands for its distance from the zero point in steps.
 */
function coding({ name, type, bits, hasZero, least }: Coded, numbers: Numbers): Law {
  const { places } = numbers;
  const below = places - SCALE_PLACES;
  const [, greatest] = codeLimits(bits, !hasZero).map(BigInt);
  const most = greatest ?? 0n;
  const gridOf = (machine: Machine, zero: Value): Fields =>
    new Fields(
      new Map<string, Value>([
        ["scale", 2 ** -SCALE_PLACES],
        ["zero", hasZero ? machine.operate("Number", zero) : 0],
      ]),
    );
  const zeroText = (zero: Bits, wide: number): string =>
    hasZero ? sized(zero, wide) : literalWord(0n, wide);
  return {
    id: `codes/encode_${name}_${numbers.bits}_${places}`,
    statement: `A multiple of 2^−${places}, of ${numbers.bits} bits, is kept as ${name} by the nearest code of a grid of steps of 2^−${SCALE_PLACES}${hasZero ? ", whatever its zero point" : ""}, from the middle away from 0, or by the last code before it; and that code is read as so many steps from the zero point, which is read as 0.`,
    clause: "facts of es-ude/OnDeviceTraining",
    tier: "everyday",
    rlimit: 30_000_000,
    modules,
    variables: [integers("x", numbers.bits), ...(hasZero ? [{ name: "zero", low: 0n, high: most }] : [])],
    runs: [
      (machine, of) => {
        const grid = gridOf(machine, hasZero ? of(1) : 0n);
        const number = numberOf(machine, of(0), places);
        const code = machine.call(STORED, "codeOf", [lifted(type), number, grid, lifted(halfAway)]);
        const steps = machine.call(STORED, "numberOf", [code, grid]);
        return [code, machine.operate("/", steps, 2 ** -SCALE_PLACES)];
      },
    ],
    claim: (of, out) => {
      const wide = Math.max(bits + 3, out(0).bits + 1, numbers.bits + 2, out(1).bits + 1);
      const [code, steps] = [sized(out(0), wide), sized(out(1), wide)];
      const zero = hasZero ? zeroText(of(1), wide) : literalWord(0n, wide);
      const distance = `(bvsub ${code} ${zero})`;
      const nearest = nearestAway(of(0), below, { text: distance, bits: wide });
      const wanted = wide + below + 2;
      const x = sized(of(0), wanted);
      const scaled = `(bvshl ${sized({ text: distance, bits: wide }, wanted)} ${literalWord(BigInt(below), wanted)})`;
      const [first, last] = [literalWord(least, wide), literalWord(most, wide)];
      return [
        `(and (bvsle ${first} ${code}) (bvsle ${code} ${last}) (= ${steps} ${distance})`,
        `(or ${nearest} (and (= ${code} ${first}) (bvslt ${x} ${scaled})) (and (= ${code} ${last}) (bvslt ${scaled} ${x}))))`,
      ].join("\n  ");
    },
    holds: (of, out) => {
      const zero = hasZero ? of(1) : 0n;
      const distance = out(0) - zero;
      const x = of(0);
      const at = distance << BigInt(below);
      const isNearest = isNearestAway(x, below, distance);
      const isLast = (out(0) === least && x < at) || (out(0) === most && x > at);
      return out(0) >= least && out(0) <= most && out(1) === distance && (isNearest || isLast);
    },
    planted: [
      inCodec(
        "no-clamp",
        "what is beyond the codes is not cut.",
        "clamped(rounded(fround(x / grid.scale), rounding) + grid.zero, lowest, greatest)",
        "rounded(fround(x / grid.scale), rounding) + grid.zero",
      ),
      inCodec(
        "scale",
        "numbers are multiplied by the scale where they should be divided.",
        "fround(x / grid.scale)",
        "fround(x * grid.scale)",
      ),
      ...(hasZero
        ? [
            inCodec(
              "zero-sign",
              "the zero point is taken away where it should be added.",
              "rounding) + grid.zero",
              "rounding) - grid.zero",
            ),
            inCodec(
              "zero-read",
              "the zero point is added when a code is read.",
              "fround(code - zero)",
              "fround(code + zero)",
            ),
          ]
        : []),
    ],
    metaArgument:
      "Numbers of at most 24 bits are float32 numbers, and so are their quotients by a power of two: nothing else is rounded. A scale that is another power of two shifts all of it.",
  };
}

/** States that a step in integers moves a parameter's code by the nearest integer to the exact product. */
function moving(codeBits: number, shift: number): Law {
  const module = "reference/numerics/integer_step";
  const half = shift === 0 ? 0n : 1n << BigInt(shift - 1);
  const whole = 1n << BigInt(shift);
  const most = 1n << BigInt(shift);
  return {
    id: `steps/move_${codeBits}_${shift}`,
    statement: `A gradient's code of ${codeBits} bits, times any multiplier up to 2^${shift}, moves a parameter by the integer nearest to the product over 2^${shift}, and from the middle up.`,
    clause: "docs/storage-profile.md",
    tier: "everyday",
    rlimit: 20_000_000,
    modules: [module],
    variables: [integers("code", codeBits), { name: "multiplier", low: 0n, high: most }],
    runs: [
      (machine, of) => {
        const [code, multiplier] = [0, 1].map((place) => machine.operate("Number", of(place)));
        const step = new Fields(
          new Map<string, Value>([
            ["multiplier", multiplier],
            ["shift", shift],
          ]),
        );
        return [machine.call(module, "movedBy", [step, code])];
      },
    ],
    claim: (of, moved) => {
      const wide = codeBits + 2 * shift + 4;
      const exact = `(bvmul ${sized(of(0), wide)} ${sized(of(1), wide)})`;
      const at = `(bvshl ${sized(moved(), wide)} ${literalWord(BigInt(shift), wide)})`;
      return `(let ((off (bvsub ${exact} ${at}))) (and (bvsle ${literalWord(-half, wide)} off) (bvslt off ${literalWord(shift === 0 ? 1n : half, wide)})))`;
    },
    real: (of) => [BigInt(movedBy({ multiplier: Number(of(1)), shift, off: 0 }, Number(of(0))))],
    holds: (of, moved) => {
      const off = of(0) * of(1) - moved() * whole;
      return -half <= off && off < (shift === 0 ? 1n : half);
    },
    planted: [
      plantedIn(module)(
        "half",
        "half of the divisor is not added.",
        "code * multiplier + half(shift)",
        "code * multiplier",
      ),
      plantedIn(module)(
        "sign",
        "half of the divisor is taken away.",
        "code * multiplier + half(shift)",
        "code * multiplier - half(shift)",
      ),
    ],
    metaArgument: "The product of such a code and multiplier is an integer that doubles hold.",
  };
}

/** Lists what is proved of the codes of stored tensors. */
export function codeLaws(): readonly Law[] {
  const numbers: Numbers = { bits: 20, places: 8 };
  return [
    roundingToCodes({ bits: 24, places: 8 }),
    roundingToCodes({ bits: 24, places: 1 }),
    stochasticRounding({ bits: 12, places: 4 }),
    ...[
      coded("sym", 4),
      coded("sym", 8),
      coded("sym", 12),
      coded("asym", 4),
      coded("asym", 8),
      coded("bfp", 8),
    ].map((type) => coding(type, numbers)),
    coding(coded("sym", 16), { bits: 24, places: 8 }),
    coding(coded("asym", 16), { bits: 24, places: 8 }),
    moving(8, 23),
    moving(12, 19),
    moving(15, 16),
  ];
}
