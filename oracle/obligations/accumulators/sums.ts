import { type BoundedSum, type Register, reachOf } from "../../../reference/numerics/index.ts";
import { InvariantError } from "../../../spec/shapes/index.ts";
import type { Execution, Model, Obligation } from "../obligation.ts";
import { integerIn, isNumber, word } from "./width.ts";

/** A sum fits, in integers; its last step loses no carry, in words. */
export type Theory = "integers" | "words";

/**
 * States in each theory that all of some sums fit a register. The formula leaves out sums that a longer one
 * between wider bounds covers, which does not change its meaning. Throws {@link InvariantError} if all of
 * them are sums of zeros.
 */
export function sumObligations(
  sums: readonly BoundedSum[],
  register: Register,
): Readonly<Record<Theory, Obligation>> {
  const largest = largestOf(sums, register);
  return { integers: inIntegers(sums, largest, register), words: inWords(sums, largest, register) };
}

/** Keeps sums that no other covers, with as many terms and as wide bounds. Cost: quadratic in those. */
function largestOf(sums: readonly BoundedSum[], { units }: Register): readonly BoundedSum[] {
  const measured = sums.map((sum) => ({ sum, low: units(sum.least), high: units(sum.greatest) }));
  const descending = measured.toSorted(
    (a, b) =>
      Number(b.high - b.low > a.high - a.low) - Number(b.high - b.low < a.high - a.low) ||
      b.sum.terms - a.sum.terms,
  );
  const kept: typeof measured = [];
  for (const one of descending) {
    const isIn = kept.some(
      ({ sum, low, high }) => sum.terms >= one.sum.terms && low <= one.low && high >= one.high,
    );
    if (!isIn) kept.push(one);
  }
  return kept.map(({ sum }) => sum);
}

/** Tells whether a sum may have nonzero terms; else it is 0 in any word. */
export function isOfSomething({ least, greatest }: BoundedSum, { units }: Register): boolean {
  return units(least) !== 0n || units(greatest) !== 0n;
}

/** Returns the least and the greatest word that is a number. */
function endsOf({ bits, hasNotReal }: Register): readonly [least: bigint, greatest: bigint] {
  const end = 1n << BigInt(bits - 1);
  return [hasNotReal ? 1n - end : -end, end - 1n];
}

/** Computes the most terms between a sum's bounds that fit, whatever they are. */
export function mostTerms({ least, greatest }: BoundedSum, register: Register): bigint {
  const [low, high] = endsOf(register);
  const [down, up] = [register.units(least), register.units(greatest)];
  const counts = [...(down < 0n ? [low / down] : []), ...(up > 0n ? [high / up] : [])];
  const [first, second = first] = counts;
  if (first === undefined || second === undefined) throw new InvariantError("a sum of zeros");
  return first < second ? first : second;
}

/** Finds the sum that comes nearest to the ends of the register for its number of terms. */
function tightest(sums: readonly BoundedSum[], register: Register): BoundedSum {
  const slack = (sum: BoundedSum): bigint => mostTerms(sum, register) / BigInt(sum.terms);
  const [first, ...others] = sums;
  if (first === undefined) throw new InvariantError("no sums");
  return others.reduce((best, one) => (slack(one) < slack(best) ? one : best), first);
}

/** Writes an integer in SMT-LIB. */
function integer(value: bigint): string {
  return value < 0n ? `(- ${-value})` : String(value);
}

/** Joins formulas by `or`. */
function either(formulas: readonly string[]): string {
  return formulas.length === 1 ? formulas.join("") : `(or ${formulas.join(" ")})`;
}

function common(
  register: Register,
  theory: Theory,
): Pick<Obligation, "id" | "clause" | "scope" | "tier" | "requiredCore" | "dependsOn"> {
  return {
    id: `widths/${register.name.replace(":", "_")}/${theory}`,
    clause: "SEMANTICS §6",
    scope: { kind: "accumulator", accumulator: register.name },
    tier: "everyday",
    requiredCore: ["some_sum"],
    dependsOn: [],
  };
}

/** States that a sum of k terms lies between k times its bounds, which is within the register for all k. */
function inIntegers(
  sums: readonly BoundedSum[],
  largest: readonly BoundedSum[],
  register: Register,
): Obligation {
  const within = ({ least, greatest }: BoundedSum, terms: bigint): string => {
    const [low, high] = [register.units(least), register.units(greatest)].map(integer);
    return `(and (<= 0 k) (<= k ${terms}) (<= (* ${low} k) sum) (<= sum (* ${high} k)))`;
  };
  const longest = tightest(largest, register);
  const most = mostTerms(longest, register);
  const [least, greatest] = endsOf(register).map(integer);
  return {
    ...common(register, "integers"),
    statement: `Each of ${sums.length} sums, of its own number of terms, has not overflowed an accumulator ${register.name}.`,
    logic: "QF_LIA",
    declarations: "(declare-const sum Int)\n(declare-const k Int)",
    hypotheses: [{ name: "some_sum", formula: either(largest.map((sum) => within(sum, BigInt(sum.terms)))) }],
    goal: `(and (<= ${least} sum) (<= sum ${greatest}))`,
    rlimit: 2_000_000 + 20_000 * largest.length,
    mutants: [
      {
        name: "longer",
        fault: `the longest of them for its terms has ${most + 1n}.`,
        instead: [{ name: "some_sum", formula: within(longest, most + 1n) }],
        ask: ["sum", "k"],
        execute: (model) => told(fits(longest, register), addedUp(longest, register, model)),
      },
    ],
    metaArgument:
      "Induction over the number of terms, in any order: each takes the sum from k times the bounds to k + 1 times.",
  };
}

/** States that adding the last term loses no carry, and does not give the error word. */
function inWords(
  sums: readonly BoundedSum[],
  largest: readonly BoundedSum[],
  register: Register,
): Obligation {
  const { bits } = register;
  const [least, greatest] = endsOf(register);
  const clamped = (x: bigint): bigint => (x < least ? least : x > greatest ? greatest : x);
  const within = (sum: BoundedSum, terms: bigint): string => {
    const [low, high] = reachOf(register, sum, terms - 1n);
    const ends = [clamped(low), clamped(high), register.units(sum.least), register.units(sum.greatest)];
    const [from, to, down, up] = ends.map((end) => word(end, bits));
    return `(and (bvsle ${from} sum) (bvsle sum ${to}) (bvsle ${down} term) (bvsle term ${up}))`;
  };
  const longest = tightest(largest, register);
  const most = mostTerms(longest, register);
  const extended = (name: string): string => `((_ sign_extend 1) ${name})`;
  const isExact = `(= ${extended("after")} (bvadd ${extended("sum")} ${extended("term")}))`;
  return {
    ...common(register, "words"),
    statement: `Each of ${sums.length} sums takes its last term in the words of ${register.name} without losing a carry.`,
    logic: "QF_BV",
    declarations: [
      ...["sum", "term"].map((name) => `(declare-const ${name} (_ BitVec ${bits}))`),
      `(define-fun after () (_ BitVec ${bits}) (bvadd sum term))`,
    ].join("\n"),
    hypotheses: [{ name: "some_sum", formula: either(largest.map((sum) => within(sum, BigInt(sum.terms)))) }],
    goal: register.hasNotReal
      ? `(and ${isExact} (not (= after ${word(1n << BigInt(bits - 1), bits)})))`
      : isExact,
    rlimit: 20_000_000 + 200_000 * largest.length,
    mutants: [
      {
        name: "longer",
        fault: `the longest of them for its terms has ${most + 1n}.`,
        instead: [{ name: "some_sum", formula: within(longest, most + 1n) }],
        ask: ["sum", "term"],
        execute: (model) => told(fits(longest, register), stepped(register, model)),
      },
    ],
    metaArgument: "Partial sums before the last are between those that come before it.",
  };
}

/** Real code computed this; the word should be the sum in integers. */
interface Run {
  readonly isRight: boolean;
  readonly told: string;
}

function told(right: Run, wrong: Run): Execution {
  return {
    showsFault: right.isRight && !wrong.isRight,
    told: `${right.told}; ${wrong.told}`,
  };
}

/** Adds the sum's number of least and of greatest terms in the register. */
function fits({ terms, least, greatest }: BoundedSum, register: Register): Run {
  const isRight = [least, greatest].every((summand) => {
    const exact = BigInt(terms) * register.units(summand);
    return isNumber(register, register.sum(summand, BigInt(terms)), exact);
  });
  return { isRight, told: `${terms} terms ${isRight ? "fit" : "do not fit"}` };
}

/** Adds as many terms as a model says, of the size that its sum needs, in the register. */
export function addedUp({ least, greatest }: BoundedSum, register: Register, model: Model): Run {
  const [sum, k] = [integerIn(model, "sum"), integerIn(model, "k")];
  const summand = sum < 0n ? least : greatest;
  const exact = k * register.units(summand);
  const found = register.sum(summand, k);
  const isRight = isNumber(register, found, exact);
  const factors = summand.map(register.format).join(" × ");
  const made = showWord(register, found);
  return {
    isRight,
    told: `${k} terms ${factors} are ${inUnits(exact, register)}, and the register says ${made}`,
  };
}

/** Adds a model's sum and term as words. */
function stepped(register: Register, model: Model): Run {
  const [sum, term] = [integerIn(model, "sum"), integerIn(model, "term")];
  const found = register.add(sum, term);
  return {
    isRight: isNumber(register, found, sum + term),
    told: `words ${sum} and ${term} make ${showWord(register, found)}`,
  };
}

function showWord(register: Register, found: bigint): string {
  const isNothing = register.hasNotReal && found === -(1n << BigInt(register.bits - 1));
  return isNothing ? "NaR" : inUnits(found, register);
}

/** Writes an integer in units of the last place, a large power of two as a power. */
function inUnits(x: bigint, { codes: { kind } }: Register): string {
  const size = x < 0n ? -x : x;
  const digits = size.toString(2);
  const isPower = digits.length > 40 && /^10*$/.test(digits);
  const number = isPower ? `${x < 0n ? "−" : ""}2^${digits.length - 1}` : String(x);
  return kind === "posit" ? `${number} last places` : number;
}
