import { present } from "../../../../spec/shapes/index.ts";
import type { Execution, Model, Obligation, ObligationMutant } from "../../obligation.ts";
import type { Arithmetic } from "../arithmetic.ts";
import { formatNumbers, numberIn } from "../equivalence.ts";
import { type Claim, equalities, withoutLaw } from "../finite.ts";
import { type LawName, laws } from "../laws.ts";
import { arithmeticIn, type FormatName } from "../numbers.ts";
import { realIn } from "../real_mutants.ts";
import { Terms } from "../terms.ts";
import { abstract, declarationsIn, floats, type Given, reals, type Theory } from "../theories.ts";
import { fromTheLeft, type Order, orderOf, type Summation, sumBy, summed } from "./summation.ts";

/** A summation in parts is to be one sum in an algebra. */
interface Case extends Omit<Summation, "regime"> {
  readonly laws: readonly LawName[] | "reals";
}

const monoid: readonly LawName[] = ["commutative", "associative"];

/** Lengths leave remainders of lanes and copies, or none; the shortest holds in any commutative monoid. */
const cases: readonly Case[] = [
  { backend: "wasm", precision: "float64", length: 5, laws: monoid },
  { backend: "wasm", precision: "float64", length: 19, laws: "reals" },
  { backend: "wasm", precision: "float64", length: 37, laws: "reals" },
  { backend: "wasm", precision: "float32", length: 9, laws: monoid },
  { backend: "wasm", precision: "float32", length: 23, laws: "reals" },
  { backend: "wasm", precision: "float32", length: 77, laws: "reals" },
  { backend: "javascript", precision: "float64", length: 9, laws: monoid },
  { backend: "javascript", precision: "float64", length: 22, laws: "reals" },
];

function symbolsOf(length: number): readonly string[] {
  return Array.from({ length }, (_, position) => `x${position}`);
}

/** States that a sum in this order is the sum from left to right. */
function claimOf(length: number, order: Order): Claim {
  return {
    symbols: symbolsOf(length),
    sides(arithmetic, elements) {
      const inOrder = (one: Order) => summed(one, elements, (x, y) => sum(arithmetic, x, y));
      return [[inOrder(fromTheLeft(length))], [inOrder(order)]];
    },
  };
}

function formulasOf(
  { symbols, sides }: Claim,
  theory: Theory,
  given: Given = {},
): { readonly declarations: string; readonly goal: string } {
  const terms = new Terms();
  const [one, other] = sides(terms, symbols);
  return { declarations: declarationsIn(theory, terms, symbols, given), goal: equalities(one, other) };
}

const backendNames = { wasm: "WebAssembly", javascript: "JavaScript" } as const;

function obligationOf(one: Case): Obligation {
  const { backend, precision, length } = one;
  const order = orderOf(sumBy({ ...one, regime: "fast" }), length);
  const claim = claimOf(length, order);
  const isReal = one.laws === "reals";
  const needed = one.laws === "reals" ? [] : one.laws;
  const algebra = isReal ? "the real numbers" : `every algebra with the laws ${needed.join(", ")}`;
  return {
    id: `rewrites/reassociation/${backend}_${precision}_${length}`,
    statement: `The sum of ${length} numbers in the order in which the fast ${backendNames[backend]} code adds them in ${precision} is the sum from left to right: in ${algebra}.`,
    clause: "SEMANTICS §7",
    logic: isReal ? "QF_LRA" : "UF",
    scope: { kind: "rewrite", rewrite: "reassociation", format: isReal ? "reals" : needed.join(", ") },
    tier: "everyday",
    ...formulasOf(claim, isReal ? reals : abstract),
    hypotheses: needed.map((law) => laws[law]),
    rlimit: 20_000_000,
    requiredCore: needed,
    mutants: [
      inFloats(one, claim),
      ...needed.map((law) => withoutLaw(claim, needed, law)),
      ...(isReal ? [withoutRemainder(one)] : []),
    ],
    dependsOn: ["rewrites/reassociation/any_length"],
    metaArgument: `The order is what the code's own answers tell. ${isReal ? "Sums of variables, each once, are one over the reals only if they are one in every commutative monoid, of which ℕⁿ is the free one. " : ""}Parts begin with 0, which is neutral.`,
  };
}

/** Gives 1, and numbers that are lost in it one by one but not together. */
function lostOneByOne({ precision, length }: Case): Given {
  const small = precision === "float32" ? 2 ** -24 : 2 ** -53;
  return Object.fromEntries(symbolsOf(length).map((symbol, n) => [symbol, n === 0 ? 1 : small]));
}

/** Runs the fast code and the bit-exact one in the format; they must give what the two orders do. */
function inFloats(one: Case, claim: Claim): ObligationMutant {
  const format: FormatName = one.precision;
  return {
    name: `in_${format}`,
    fault: `the sum is one of ${format}, where addition is not associative.`,
    logic: "QF_FP",
    without: one.laws === "reals" ? [] : one.laws,
    ...formulasOf(claim, floats(format), lostOneByOne(one)),
    ask: claim.symbols,
    execute(model) {
      const numbers = claim.symbols.map((symbol) => numberIn(model, symbol, format));
      const [[definition = 0], [reassociated = 0]] = claim.sides(arithmeticIn(format), numbers);
      const [exact, fast] = (["bit_exact", "fast"] as const).map((regime) =>
        sumBy({ ...one, regime })(numbers),
      );
      return {
        showsFault: exact === definition && fast === reassociated && exact !== fast,
        told: `of ${numbers.length} numbers, ${formatNumbers(numbers.slice(0, 3))}, …: bit-exact ${exact}, fast ${fast}`,
      };
    },
  };
}

/** Plants code that leaves out what does not fill a last round, in the order that its answers tell. */
function withoutRemainder(one: Case): ObligationMutant {
  const faulty = { ...one, regime: "fast", isCut: true } as const;
  const claim = claimOf(one.length, orderOf(sumBy(faulty), one.length));
  return {
    name: "last_round_lost",
    fault: "what does not fill a last round of all parts is left out.",
    ...formulasOf(claim, reals),
    ask: claim.symbols,
    execute(model): Execution {
      const numbers = claim.symbols.map((symbol) => realIn(model, symbol));
      const [right, exact, wrong] = [
        sumBy({ ...one, regime: "fast" })(numbers),
        sumBy({ ...one, regime: "bit_exact" })(numbers),
        sumBy(faulty)(numbers),
      ];
      return {
        showsFault: right === exact && wrong !== exact,
        told: `of ${numbers.length} numbers: ${exact} from left to right, ${right} in parts, ${wrong} without the last round`,
      };
    },
  };
}

function sum<T>(arithmetic: Arithmetic<T>, x: T, y: T): T {
  return arithmetic.apply("add", [x, y]);
}

/** Adding one number extends sums in parts of any shape. */
const anyLength: Claim = {
  symbols: ["l", "r", "x"],
  sides(arithmetic, elements) {
    const l = present(elements[0], "a left part");
    const r = present(elements[1], "a right part");
    const x = present(elements[2], "one more");
    const zero = arithmetic.literal(0);
    const grown = sum(arithmetic, sum(arithmetic, l, r), x);
    return [
      [
        sum(arithmetic, zero, zero),
        sum(arithmetic, sum(arithmetic, l, x), r),
        sum(arithmetic, l, sum(arithmetic, r, x)),
      ],
      [zero, grown, grown],
    ];
  },
};

function anyLengthObligation(): Obligation {
  const needed: readonly LawName[] = ["neutral", "commutative", "associative"];
  return {
    id: "rewrites/reassociation/any_length",
    statement:
      "A fold in parts is the fold from left to right, whatever the parts are and however they are joined, for every number of elements: in every commutative monoid.",
    clause: "SEMANTICS §7",
    logic: "UF",
    scope: { kind: "rewrite", rewrite: "reassociation", format: needed.join(", ") },
    tier: "everyday",
    ...formulasOf(anyLength, abstract),
    hypotheses: needed.map((law) => laws[law]),
    rlimit: 1_000_000,
    requiredCore: needed,
    mutants: [...needed.map((law) => withoutLaw(anyLength, needed, law)), anyLengthInFloats()],
    dependsOn: [],
    metaArgument:
      "Induction over the elements: with none every part is 0, and so are parts joined in any way. One more element x goes into one of the parts; wherever that part is in the tree that joins them, left (l) or right (r) at each node, the whole grows by x, by induction over the tree. So does the sum from left to right.",
  };
}

function anyLengthInFloats(): ObligationMutant {
  const given = { l: 1, r: -1, x: 2 ** -24 };
  return {
    name: "in_float32",
    fault: "the sum is one of float32.",
    logic: "QF_FP",
    without: ["neutral", "commutative", "associative"],
    ...formulasOf(anyLength, floats("float32"), given),
    ask: anyLength.symbols,
    execute: (model) => grownInFloats(model),
  };
}

/** Runs two parts of one element, and one more for the first: fast code on five elements, the others 0. */
function grownInFloats(model: Model): Execution {
  const [l = 0, r = 0, x = 0] = anyLength.symbols.map((symbol) => numberIn(model, symbol, "float32"));
  const summation = { backend: "wasm", precision: "float32", length: 9 } as const;
  // Elements 0 and 4 belong to one part, 1 to another.
  const numbers = [l, r, 0, 0, x, 0, 0, 0, 0];
  const [exact, fast] = (["bit_exact", "fast"] as const).map((regime) =>
    sumBy({ ...summation, regime })(numbers),
  );
  return { showsFault: exact !== fast, told: `${formatNumbers(numbers)}: bit-exact ${exact}, fast ${fast}` };
}

/** States that a fold in parts is a fold, and that in floats it is not. */
export function reassociationObligations(): readonly Obligation[] {
  return [anyLengthObligation(), ...cases.map(obligationOf)];
}
