import { rationalOf } from "../../../reference/index.ts";
import { roundToPosit } from "../../../reference/numerics/index.ts";
import { formats, type PositType, positFormats, positReach } from "../../../spec/wire/index.ts";
import { lifted, literalWord, type Machine, type Value } from "../execution/index.ts";
import { type Law, plantedIn } from "./law.ts";
import { uncancelled } from "./posits.ts";
import { fixedPointOf, isNearest, sized, standardDefinition, standardValue } from "./standard.ts";

const PRECISION = "spec/wire/precision";
const POSITS = "spec/wire/posit_format";
const REFERENCE = "reference/algebras/posit_format";

/** A double has so many digits, of which bfloat16 keeps so many, down to these exponents. */
const DIGITS = 53;
const KEPT = 8;
const LEAST_EXPONENT = -126;

/** Makes a number of an integer in units of 2^exponent. */
function scaledBy(machine: Machine, x: Value, exponent: number): Value {
  const half = Math.trunc(exponent / 2);
  const number = machine.operate("*", machine.operate("Number", x), 2 ** half);
  return machine.operate("*", number, 2 ** (exponent - half));
}

/** Takes a number as an integer in units of 2^exponent. */
function inUnits(machine: Machine, x: Value, exponent: number): Value {
  return machine.operate("/", x, 2 ** exponent);
}

/** States that doubles of a binade are rounded to the nearest bfloat16, subnormals among them. */
function bfloat16(exponent: number): Law {
  const last = Math.max(exponent, LEAST_EXPONENT) - (KEPT - 1);
  const unit = exponent - (DIGITS - 1);
  // The integer that is made of the result is one of these last places, or of fewer bits.
  const dropped = last - unit;
  const end = 1n << BigInt(DIGITS - 1);
  const name = `${exponent < 0 ? "below_" : ""}${Math.abs(exponent)}`;
  const half = 1n << BigInt(dropped - 1);
  const planted = plantedIn(PRECISION);
  return {
    id: `formats/bfloat16_${name}`,
    statement: `Every double from 2^${exponent} to below 2^${exponent + 1} is rounded to a multiple of 2^${last} that is at most half of that away, ties to even: bfloat16 has no nearer number.`,
    clause: "SEMANTICS §7.2",
    tier: "everyday",
    rlimit: 20_000_000,
    modules: [PRECISION],
    variables: [{ name: "x", low: end, high: 2n * end - 1n }],
    runs: [
      (machine, x) => {
        const rounded = machine.call(PRECISION, "roundToBfloat16", [scaledBy(machine, x(), unit)]);
        return [inUnits(machine, rounded, last)];
      },
    ],
    claim: (x, to) => {
      const wide = DIGITS + Math.max(0, dropped - DIGITS) + KEPT + 6;
      const off = `(bvsub ${sized(x(), wide)} (bvshl ${sized(to(), wide)} ${literalWord(BigInt(dropped), wide)}))`;
      const [least, most] = [literalWord(-half, wide), literalWord(half, wide)];
      const isEven = `(= ((_ extract 0 0) ${sized(to(), wide)}) #b0)`;
      return `(let ((off ${off})) (and (bvsle ${least} off) (bvsle off ${most}) (=> (or (= off ${least}) (= off ${most})) ${isEven})))`;
    },
    real: (x) => [BigInt(formats.bfloat16.round(Number(x()) * 2 ** unit) / 2 ** last)],
    holds: (x, to) => {
      const off = x() - (to() << BigInt(dropped));
      return -half <= off && off <= half && (off * off < half * half || to() % 2n === 0n);
    },
    planted: [
      planted(
        "twice",
        "twice as great a place is the last one.",
        "2 ** (Math.max(exponent, -126) - 7)",
        "2 ** (Math.max(exponent, -126) - 6)",
      ),
      ...(exponent < LEAST_EXPONENT
        ? [
            planted(
              "flushed",
              "the subnormal numbers end a place too early.",
              "Math.max(exponent, -126)",
              "Math.max(exponent, -125)",
            ),
          ]
        : []),
    ],
    metaArgument:
      "In other binades above the subnormal ones all is the same but for a power of two. The code adds and takes away a number at which doubles are integers.",
  };
}

/** States that the contract's rounding to posits, in doubles, gives the number of the reference's code. */
function positNumber(name: PositType, bits: number, places: number, tier: Law["tier"], rlimit: number): Law {
  const format = positFormats[name];
  const fixed = fixedPointOf(format, places);
  const end = 1n << BigInt(bits - 1);
  const one = 1n << BigInt(places);
  const someTies = { x: [one, (one << 7n) - 1n] } as const;
  const planted = plantedIn(POSITS);
  return {
    id: `formats/${name}_${bits}_${places}`,
    statement: `A multiple of 2^−${places} below 2^${bits - 1 - places} in size is rounded in doubles to the number of the code of ${name} that the reference rounds it to.`,
    clause: "Posit Standard (2022), 4.1",
    tier,
    rlimit,
    modules: [POSITS, REFERENCE, "reference/algebras/rational"],
    variables: [{ name: "x", low: -end, high: end - 1n }],
    definitions: standardDefinition("standard", fixed),
    instead: () => ({ rationalOf: uncancelled }),
    runs: [
      (machine, x) => {
        const number = machine.call(POSITS, "roundToPositNumber", [
          lifted(format),
          scaledBy(machine, x(), -places),
        ]);
        return [inUnits(machine, number, -fixed.places)];
      },
      (machine, x) => {
        const number = uncancelled.call([x(), 1n << BigInt(places)]);
        return [machine.call(REFERENCE, "roundToPosit", [lifted(format), number])];
      },
    ],
    claim: (_, out) => `(= ${sized(out(0), fixed.bits)} (standard ${sized(out(1), format.width)}))`,
    real: (x) => {
      const number = formats[name].round(Number(x()) * 2 ** -places);
      const half = 2 ** (positReach(format) / 2);
      return [
        BigInt(number * half * half * 2 ** (fixed.places - positReach(format))),
        roundToPosit(format, rationalOf(x(), 1n << BigInt(places))),
      ];
    },
    holds: (x, out) => out(0) === standardValue(fixed, out(1)) && isNearest(format, x(), places, out(1)),
    planted: [
      planted(
        "ties-to-odd",
        "ties go to the odd code.",
        "size === threshold && isLowerEven",
        "size === threshold && !isLowerEven",
        someTies,
      ),
      planted(
        "threshold",
        "the threshold is where the upper neighbour is.",
        "threshold: lower + gap / 2",
        "threshold: lower + gap",
        someTies,
      ),
    ],
    metaArgument:
      "Two codes for one rounding, by other means, are compared; the reference's own is held to the thresholds.",
  };
}

/** Lists what is proved of formats of numbers as the contract has them. */
export function formatLaws(): readonly Law[] {
  return [
    ...[0, -126, -127, -130, -133, -134].map(bfloat16),
    positNumber("posit8", 16, 8, "everyday", 50_000_000),
    positNumber("posit16", 16, 8, "everyday", 50_000_000),
  ];
}
