import { type PositFormat, positName, positReach, standardPosit } from "../../../spec/wire/index.ts";
import {
  Callable,
  DoubleWords,
  Fields,
  List,
  literalWord,
  type Machine,
  type Value,
} from "../execution/index.ts";
import { type Bits, type Law, plantedIn } from "./law.ts";
import { sized } from "./standard.ts";

const MODULE = "engines/posit/quire";
const modules: readonly string[] = [MODULE];

const planted = plantedIn(MODULE);

const WORD = 32;
const WORD_END = 1n << BigInt(WORD - 1);
const anyWord = { low: -WORD_END, high: WORD_END - 1n } as const;

/** Returns the number of words of a format's quire, as the engine counts them. */
function wordsIn(format: PositFormat): number {
  return (32 + 4 * positReach(format)) / WORD;
}

/** Makes a quire of an engine that holds these words, the lowest first. */
function quireOf(machine: Machine, format: PositFormat, words: readonly Value[]): Fields {
  const stored = (value: Value): Value => machine.operate(">>", value, 0);
  return new Fields(
    new Map<string, Value>([
      [
        "#limbs",
        new List(
          words.map((word) => machine.operate("Number", word)),
          stored,
        ),
      ],
      ["#fraction", 2 * positReach(format)],
      ["#isReal", true],
    ]),
  );
}

function limbsOf(quire: Fields): readonly Value[] {
  const limbs = quire.of.get("#limbs");
  return limbs instanceof List ? limbs.items : [];
}

/** Puts words together, of which the last is the highest. */
function joined(words: readonly Bits[]): string {
  return `(concat ${words
    .map((word) => sized(word, WORD))
    .toReversed()
    .join(" ")})`;
}

function integerOf(words: readonly bigint[]): bigint {
  const unsigned = words.reduceRight((sum, word) => (sum << 32n) | BigInt.asUintN(WORD, word), 0n);
  return BigInt.asIntN(WORD * words.length, unsigned);
}

/** A sum of a quire is of three words from a place on, which are added or subtracted. */
interface Place {
  readonly first: number;
  readonly isLess: boolean;
}

/** States that adding three words of a number from a place on loses no carry, and that NaR is told. */
function addingWords(format: PositFormat, { first, isLess }: Place, tier: Law["tier"]): Law {
  const count = wordsIn(format);
  const bits = WORD * count + 2;
  const limbs = Array.from({ length: count }, (_, place) => place);
  const three = [count, count + 1, count + 2];
  const room = count - first;
  // The highest word that is added has room for the sign.
  const isTop = (place: number): boolean => place === room - 1;
  const end = literalWord(1n << BigInt(WORD * count - 1), bits);
  return {
    id: `word_quires/${isLess ? "subtract" : "add"}/${positName(format)}_${first}`,
    statement: `Engines ${isLess ? "subtract" : "add"} three words from word ${first} of a quire of ${positName(format)} on without losing a carry, and hold NaR if and only if the result leaves its ${WORD * count} bits or is the least word.`,
    clause: "Posit Standard (2022), 5.11",
    tier,
    rlimit: 90_000_000,
    modules,
    variables: [
      ...limbs.map((place) => ({ name: `limb${place}`, ...anyWord })),
      // Words of a number that reach beyond the quire are 0.
      ...[0, 1, 2].map((place) => ({
        name: `word${place}`,
        ...(place < room
          ? isTop(place)
            ? { low: 0n, high: WORD_END - 1n }
            : anyWord
          : { low: 0n, high: 0n }),
      })),
    ],
    hypotheses: [
      {
        name: "real",
        formula: `(not (= ${joined(limbs.map((place) => ({ text: `limb${place}`, bits: WORD })))} ${literalWord(1n << BigInt(WORD * count - 1), WORD * count)}))`,
      },
    ],
    runs: [
      (machine, of) => {
        const quire = quireOf(machine, format, limbs.map(of));
        const words = three.map((place) => machine.operate("Number", of(place)));
        machine.callMethod(MODULE, "#addWords", quire, [first, isLess, ...words]);
        return [...limbsOf(quire), quire.of.get("#isReal")];
      },
    ],
    claim: (of, after) => {
      const before = sized({ text: joined(limbs.map((place) => of(place))), bits: WORD * count }, bits);
      const size = Math.min(3, room) * WORD;
      const summand = `((_ zero_extend ${bits - size}) ${joined(three.slice(0, room).map((place) => of(place)))})`;
      const moved = `(bvshl ${summand} ${literalWord(BigInt(WORD * first), bits)})`;
      const exact = `(${isLess ? "bvsub" : "bvadd"} ${before} ${moved})`;
      const words = sized({ text: joined(limbs.map((place) => after(place))), bits: WORD * count }, bits);
      const isReal = `(= ${sized(after(count), 2)} ${literalWord(1n, 2)})`;
      return `(let ((exact ${exact})) (ite (and (bvslt (bvneg ${end}) exact) (bvslt exact ${end})) (and ${isReal} (= ${words} exact)) (not ${isReal})))`;
    },
    holds: (of, after) => {
      const summand = integerOf([...three.map((place) => of(place)), 0n]) << BigInt(WORD * first);
      const before = integerOf(limbs.map((place) => of(place)));
      const exact = isLess ? before - summand : before + summand;
      const least = -(1n << BigInt(WORD * count - 1));
      const isReal = after(count) === 1n;
      return exact > least && exact < -least
        ? isReal && integerOf(limbs.map((place) => after(place))) === exact
        : !isReal;
    },
    planted: [
      planted(
        "carry",
        "a carry is dropped.",
        "total > 0xffffffff ? 1 : 0;\n    }\n    this",
        "0;\n    }\n    this",
      ),
      planted("sign", "the words to subtract are not complemented.", "isLess ? -1 : 0", "0"),
      planted("beyond", "what leaves the words comes in at the other end.", "isBeyond || isLeast", "isLeast"),
      planted("least", "the least word is a number.", "isBeyond || isLeast", "isBeyond"),
    ].filter(({ name }) => name === "beyond" || (name === "carry" ? first < count - 1 : isLess)),
    metaArgument: "",
  };
}

/** States that a double of an exponent is taken apart into the words that are added. */
function takenApart(format: PositFormat, exponent: number): Law {
  const fraction = 2 * positReach(format);
  const [bias, digits] = [1023, 52];
  const shift = exponent - digits + fraction;
  const bits = 4 * WORD + Math.max(0, fraction);
  const least = BigInt(bias + exponent) << 20n;
  return {
    id: `word_quires/take_apart/${positName(format)}_${exponent < 0 ? "below_" : ""}${Math.abs(exponent)}`,
    statement: `The three words that engines add to a quire of ${positName(format)}, for a double from 2^${exponent} to below 2^${exponent + 1} that is a multiple of its last place, are that double in such places.`,
    clause: "Posit Standard (2022), 5.11",
    tier: "everyday",
    rlimit: 5_000_000,
    modules,
    variables: [
      { name: "high", low: least, high: least | 0xfffffn },
      { name: "low", ...anyWord },
    ],
    runs: [
      (machine, of) => {
        const told: Value[] = [];
        const quire = quireOf(machine, format, []);
        quire.of.set(
          "#addWords",
          new Callable((operands) => {
            told.push(...operands);
            return undefined;
          }),
        );
        const [high, low] = [0, 1].map((place) => machine.operate("Number", of(place)));
        machine.callMethod(MODULE, "#addExactly", quire, [new DoubleWords(high, low)]);
        // What is not finite is not added; these doubles are.
        return told.length === 0 ? [0n, 0n, 0n, 0n, 0n] : told;
      },
    ],
    claim: (of, told) => {
      const significand = `((_ zero_extend ${bits - digits - 1}) (concat #b1 ((_ extract 19 0) ${of(0).text}) ${of(1).text}))`;
      const by = literalWord(BigInt(Math.abs(shift)), bits);
      const exact = `(${shift < 0 ? "bvlshr" : "bvshl"} ${significand} ${by})`;
      const isWhole = shift < 0 ? `(= (bvshl ${exact} ${by}) ${significand})` : "true";
      const words = `((_ zero_extend ${bits - 3 * WORD}) ${joined([told(2), told(3), told(4)])})`;
      const place = `(bvmul ${sized(told(0), bits)} ${literalWord(32n, bits)})`;
      const isMore = `(= ${sized(told(1), 2)} ${literalWord(0n, 2)})`;
      return `(=> ${isWhole} (and ${isMore} (= (bvshl ${words} ${place}) ${exact})))`;
    },
    holds: (of, told) => {
      const significand = (1n << 52n) | ((of(0) & 0xfffffn) << 32n) | BigInt.asUintN(32, of(1));
      const exact = shift >= 0 ? significand << BigInt(shift) : significand >> BigInt(-shift);
      if (shift < 0 && exact << BigInt(-shift) !== significand) return true;
      return told(1) === 0n && exact === integerOf([told(2), told(3), told(4), 0n]) << (32n * told(0));
    },
    planted: [
      shift > 0
        ? planted(
            "over",
            "what leaves the first word is lost.",
            "(low >>> over) | (high << by)",
            "high << by",
          )
        : shift > -WORD && shift < 0
          ? planted(
              "first",
              "bits of the upper word are moved a place too far.",
              "high << (32 + shift)",
              "high << (31 + shift)",
            )
          : planted(
              "point",
              "the place of the point is one too high.",
              "- 1023 - 52 + this",
              "- 1023 - 51 + this",
            ),
    ],
    metaArgument: "",
  };
}

/** Lists what is proved of the engines' quires. */
export function wordQuireLaws(): readonly Law[] {
  const [p8, p16] = [standardPosit(8), standardPosit(16)];
  const places = (format: PositFormat): readonly Place[] =>
    Array.from({ length: wordsIn(format) }, (_, first) => first).flatMap((first) => [
      { first, isLess: false },
      { first, isLess: true },
    ]);
  return [
    ...places(p8).map((place) =>
      addingWords(p8, place, place.first < (place.isLess ? 3 : 2) ? "long" : "everyday"),
    ),
    // The lowest places have the longest carries.
    ...places(p16)
      .filter(({ first }) => first < 3)
      .map((place) => addingWords(p16, place, "long")),
    // The shifts of these go down by more than a word, by less, nowhere, and up by less than a word and by
    // more.
    ...[-30, -20, 4, 25, 40].map((exponent) => takenApart(p8, exponent)),
  ];
}
