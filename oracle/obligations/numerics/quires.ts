import { quireOperations, quirePlaces } from "../../../reference/numerics/index.ts";
import {
  boundedPosit,
  oneBitMore,
  type PositFormat,
  positName,
  standardPosit,
} from "../../../spec/wire/index.ts";
import { Callable, fieldOf, lifted, literalWord, type Machine, type Value } from "../execution/index.ts";
import { type Law, plantedIn } from "./law.ts";
import { codesOf, uncancelled } from "./posits.ts";
import {
  fixedPointOf,
  isNearest,
  nearestClaim,
  shiftBits,
  sized,
  standardDefinition,
  standardValue,
} from "./standard.ts";

const MODULE = "reference/numerics/quire";
const modules: readonly string[] = [
  MODULE,
  "reference/algebras/posit_format",
  "spec/wire/posit_format",
  "reference/algebras/rational",
];

const planted = plantedIn(MODULE);

/** Calls an operation on the quires of a format. */
function onQuires(machine: Machine, format: PositFormat, name: string, operands: readonly Value[]): Value {
  const operation = fieldOf(machine.call(MODULE, "quireOperations", [lifted(format)]), name);
  return operation instanceof Callable ? operation.call(operands) : undefined;
}

/** Returns the range of a quire's words, NaR among them. */
function wordsOf(format: PositFormat): { readonly low: bigint; readonly high: bigint } {
  const end = 1n << BigInt(quireOperations(format).bits - 1);
  return { low: -end, high: end - 1n };
}

/** States that a sum of quires is exact, or NaR: where one is, and where the sum leaves the words. */
function adding(name: "add" | "subtract", format: PositFormat, tier: Law["tier"]): Law {
  const { bits, notReal } = quireOperations(format);
  const { low, high } = wordsOf(format);
  const isAdded = name === "add";
  const [least, most] = [literalWord(notReal, bits + 1), literalWord(high, bits + 1)];
  return {
    id: `quires/${name}/${positName(format)}`,
    statement: `${isAdded ? "The sum" : "The difference"} of any two quires of ${positName(format)} is exact, to the last of ${bits} bits; or NaR, where one of them is NaR and where it leaves these bits.`,
    clause: "Posit Standard (2022), 5.11",
    tier,
    rlimit: 60_000_000,
    modules,
    variables: ["q", "r"].map((one) => ({ name: one, low, high })),
    runs: [(machine, quire) => [onQuires(machine, format, name, [quire(0), quire(1)])]],
    claim: (quire, sum) => {
      const [q, r] = [sized(quire(0), bits + 1), sized(quire(1), bits + 1)];
      const exact = `(${isAdded ? "bvadd" : "bvsub"} ${q} ${r})`;
      return `(let ((exact ${exact})) (= ${sized(sum(), bits + 1)} (ite (or (= ${q} ${least}) (= ${r} ${least}) (bvsle exact ${least}) (bvsgt exact ${most})) ${least} exact)))`;
    },
    real: (quire) => [quireOperations(format)[name](quire(0), quire(1))],
    holds: (quire, sum) => {
      const exact = isAdded ? quire(0) + quire(1) : quire(0) - quire(1);
      const isNothing = quire(0) === notReal || quire(1) === notReal || exact <= notReal || exact > high;
      return sum() === (isNothing ? notReal : exact);
    },
    planted: [
      planted(
        "wraps",
        "what leaves the bits comes in at the other end.",
        ": nothing);",
        ": BigInt.asIntN(bits, exact));",
      ),
      planted("nar-lost", "NaR is a number like others.", "q === nothing || r === nothing ?", "false ?"),
    ],
    metaArgument: "",
  };
}

/** States that the order of two summands means nothing while their sums are words. */
function anyOrder(format: PositFormat, tier: Law["tier"]): Law {
  const { bits, notReal } = quireOperations(format);
  // Sums of three of these stay within the words.
  const end = 1n << BigInt(bits - 3);
  const add = (machine: Machine, first: Value, second: Value, third: Value): Value =>
    onQuires(machine, format, "add", [onQuires(machine, format, "add", [first, second]), third]);
  return {
    id: `quires/any_order/${positName(format)}`,
    statement: `A quire of ${positName(format)} to which two numbers are added is the same whichever comes first, while none is beyond an eighth of what quires hold.`,
    clause: "Posit Standard (2022), 5.11",
    tier,
    rlimit: 20_000_000,
    modules,
    variables: ["q", "x", "y"].map((name) => ({ name, low: -end, high: end })),
    runs: [
      (machine, of) => [add(machine, of(0), of(1), of(2))],
      (machine, of) => [add(machine, of(0), of(2), of(1))],
    ],
    claim: (_, sum) =>
      `(and (= ${sized(sum(0), bits)} ${sized(sum(1), bits)}) (not (= ${sized(sum(0), bits)} ${literalWord(notReal, bits)})))`,
    real: (of) => {
      const { add: plus } = quireOperations(format);
      return [plus(plus(of(0), of(1)), of(2)), plus(plus(of(0), of(2)), of(1))];
    },
    holds: (of, sum) => sum(0) === sum(1) && sum(0) === of(0) + of(1) + of(2),
    planted: [
      planted(
        "rounded",
        "sums are kept to an even last place.",
        "fitting(q + r)",
        "fitting(((q + r) >> 1n) << 1n)",
      ),
    ],
    metaArgument: "By induction over the terms: neighbours of a sum may be exchanged.",
  };
}

/** States that a product of two posits is added without any error. */
function product(format: PositFormat, tier: Law["tier"], rlimit: number): Law {
  const { bits } = quireOperations(format);
  const fixed = fixedPointOf(format);
  const wide = Math.max(2 * shiftBits(fixed), bits + 2 * fixed.places - quirePlaces(format)) + 2;
  const behind = BigInt(2 * fixed.places - quirePlaces(format));
  return {
    id: `quires/product/${positName(format)}`,
    statement: `The product of any two posits of ${positName(format)} but NaR is added to an empty quire without any error.`,
    clause: "Posit Standard (2022), 5.11",
    tier,
    rlimit,
    modules,
    variables: ["x", "y"].map((name) => ({ name, ...codesOf(format) })),
    definitions: standardDefinition("standard", fixed),
    runs: [(machine, code) => [onQuires(machine, format, "multiplyAdd", [0n, code(0), code(1)])]],
    claim: (code, quire) => {
      const factor = 2 * (format.width + 1);
      const significand = (place: number): string =>
        sized({ text: `(standard_significand ${code(place).text})`, bits: format.width + 1 }, factor);
      const shift = (place: number): string =>
        sized({ text: `(standard_shift ${code(place).text})`, bits: shiftBits(fixed) }, wide);
      const exact = sized({ text: `(bvmul ${significand(0)} ${significand(1)})`, bits: factor }, wide);
      return `(= (bvshl ${sized(quire(), wide)} ${literalWord(behind, wide)}) (bvshl ${exact} (bvadd ${shift(0)} ${shift(1)})))`;
    },
    real: (code) => [quireOperations(format).multiplyAdd(0n, code(0), code(1))],
    holds: (code, quire) =>
      quire() << behind === standardValue(fixed, code(0)) * standardValue(fixed, code(1)),
    planted: [
      planted(
        "exponent",
        "the second factor's exponent is left out.",
        "a.exponent + b.exponent + fraction",
        "a.exponent + a.exponent + fraction",
      ),
    ],
    metaArgument: "",
  };
}

/** States that a quire is rounded once, to the nearest posit. */
function rounded(format: PositFormat, tier: Law["tier"], rlimit: number): Law {
  const places = quirePlaces(format);
  const thresholds = fixedPointOf(oneBitMore(format), places);
  const { low, high } = wordsOf(format);
  return {
    id: `quires/round/${positName(format)}`,
    statement: `Every quire of ${positName(format)} but NaR is rounded to the posit on its number's side of the thresholds, ties to even codes, none to NaR and only 0 to 0.`,
    clause: "Posit Standard (2022), 5.11",
    tier,
    rlimit,
    modules,
    variables: [{ name: "q", low: low + 1n, high }],
    definitions: standardDefinition("threshold", thresholds),
    instead: () => ({ rationalOf: uncancelled }),
    runs: [(machine, quire) => [onQuires(machine, format, "toPosit", [quire()])]],
    claim: (quire, code) => nearestClaim({ format, thresholds }, { number: quire(), places }, code()),
    real: (quire) => [quireOperations(format).toPosit(quire())],
    holds: (quire, code) => isNearest(format, quire(), places, code()),
    planted: [
      planted(
        "place",
        "the last place is taken to be twice as great.",
        "isNothing ? 0n : 1n <<",
        "isNothing ? 0n : 2n <<",
        { q: [1n << BigInt(places), (2n << BigInt(places)) - 1n] },
      ),
    ],
    metaArgument: "",
  };
}

/** States that what lies below a quire's last place is rounded as it enters, ties to even. */
function entering(bits: number, places: number): Law {
  const wide = bits + 2;
  const [whole, half] = [1n << BigInt(places), 1n << BigInt(places - 1)];
  return {
    id: `quires/enter_${bits}_${places}`,
    statement: `A term of ${bits} bits of which ${places} lie below a quire's last place is rounded to the nearest multiple of that, ties to even.`,
    clause: "SEMANTICS §7",
    tier: "everyday",
    rlimit: 10_000_000,
    modules,
    variables: [{ name: "x", low: -(1n << BigInt(bits - 1)), high: (1n << BigInt(bits - 1)) - 1n }],
    runs: [(machine, x) => [machine.call(MODULE, "shifted", [x(), -places])]],
    claim: (x, rounded) => {
      const [at, to] = [sized(x(), wide), sized(rounded(), wide)];
      const [most, least] = [literalWord(half, wide), literalWord(-half, wide)];
      return `(let ((off (bvsub ${at} (bvshl ${to} ${literalWord(BigInt(places), wide)})))) (and (bvsle ${least} off) (bvsle off ${most}) (=> (or (= off ${least}) (= off ${most})) (= ((_ extract 0 0) ${to}) #b0))))`;
    },
    holds: (x, to) => {
      const off = x() - to() * whole;
      return off >= -half && off <= half && (off * off < half * half || to() % 2n === 0n);
    },
    planted: [
      planted("ties-to-odd", "ties go to the odd multiple.", "floor % 2n !== 0n", "floor % 2n === 0n"),
      planted("cut-off", "what lies below is cut off.", "rest > half ||", "rest > half + half ||"),
      planted("half", "half of a place is a place too low.", "BigInt(-places - 1)", "BigInt(-places - 2)"),
    ],
    metaArgument: "",
  };
}

/** Lists what is proved of the reference's quires. */
export function quireLaws(): readonly Law[] {
  const [p8, p16, p32] = [standardPosit(8), standardPosit(16), standardPosit(32)];
  const [p6, b16] = [standardPosit(6), boundedPosit(16)];
  return [
    ...[p8, p16].flatMap((format) => [
      adding("add", format, "everyday"),
      adding("subtract", format, "everyday"),
    ]),
    ...[p32, b16].map((format) => adding("add", format, "long")),
    anyOrder(p8, "everyday"),
    anyOrder(p16, "long"),
    product(standardPosit(5), "everyday", 20_000_000),
    product(p6, "long", 200_000_000),
    rounded(p6, "everyday", 50_000_000),
    entering(20, 8),
    entering(40, 16),
  ];
}
