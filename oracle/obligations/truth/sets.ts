import type { Obligation } from "../obligation.ts";
import { called, got, type Names } from "./code.ts";
import { faultsIn, roundingNothing, stepOf, type Tools } from "./operands.ts";
import { type Bench, type Step, stepObligation } from "./step.ts";

const inSets = faultsIn("sets/set_algebra");

/** Returns a piece of a set: the numbers between two unknowns. */
const piece = ({ unknown }: Tools, name: string): Names => ({
  kind: "+",
  low: unknown(`${name}l`),
  high: unknown(`${name}h`),
});

const nan: Names = { kind: "nan", low: Number.NaN, high: Number.NaN };

/** Compares two sets of pieces. */
function compared(
  { ideal }: Bench,
  name: "less" | "equal",
  p: readonly Names[],
  q: readonly Names[],
): unknown {
  const sets = called(ideal.module("sets/set_algebra").floatSets, roundingNothing);
  return called(got(sets, "levels", "orderedReal", name), { pieces: p }, { pieces: q });
}

/** Says that a comparison may hold, or fail, if and only if this is so. */
function exactly(verdicts: unknown, name: "mayHold" | "mayFail", so: string): string {
  return got(verdicts, name) === true ? so : `(not ${so})`;
}

/** Some number of `a` is less than some of `b`; some is not; some is the same; some is another one. */
const somewhere = {
  less: (a: string, b: string) => `(< ${a}l ${b}h)`,
  notLess: (a: string, b: string) => `(<= ${b}l ${a}h)`,
  equal: (a: string, b: string) => `(and (<= ${a}l ${b}h) (<= ${b}l ${a}h))`,
  notEqual: (a: string, b: string) => `(not (and (= ${a}l ${a}h) (= ${b}l ${b}h) (= ${a}l ${b}l)))`,
} as const;

const either = (of: (a: string, b: string) => string): string => `(or ${of("a", "c")} ${of("b", "c")})`;

const ends = (...names: readonly string[]): Step["unknowns"] =>
  Object.fromEntries(names.flatMap((name) => [`${name}l`, `${name}h`].map((end) => [end, "any"])));

const set = (step: Omit<Step, "metaArgument" | "rlimit">): Step =>
  stepOf({
    ...step,
    rlimit: 100_000,
    metaArgument: "A set of more pieces is compared pair by pair, as one of two is.",
  });

const steps: readonly Step[] = [
  set({
    id: "sets/less",
    statement: "A set may be less than another if and only if a number of it is, and not if one is not.",
    unknowns: ends("a", "b", "c"),
    hypotheses: [],
    claim(bench) {
      const less = compared(bench, "less", [piece(bench, "a"), piece(bench, "b")], [piece(bench, "c")]);
      return `(and ${exactly(less, "mayHold", either(somewhere.less))} ${exactly(less, "mayFail", either(somewhere.notLess))})`;
    },
    faults: [
      inSets(
        "holds",
        "all pieces have to hold.",
        "verdicts.some(({ mayHold })",
        "verdicts.every(({ mayHold })",
      ),
      inSets(
        "fails",
        "all pieces have to fail.",
        "verdicts.some(({ mayFail })",
        "verdicts.every(({ mayFail })",
      ),
      inSets("ends", "upper ends are compared.", "mayHold: x.low < y.high", "mayHold: x.high < y.high"),
      inSets("touching", "what touches may hold.", "mayHold: x.low < y.high", "mayHold: x.low <= y.high"),
      inSets(
        "touching_fails",
        "what touches cannot fail.",
        "mayFail: x.high >= y.low",
        "mayFail: x.high > y.low",
      ),
    ],
  }),
  set({
    id: "sets/equal",
    statement: "Sets may be equal if and only if they share a number, and may differ unless both are one.",
    unknowns: ends("a", "b", "c"),
    hypotheses: [
      {
        name: "ordered",
        formula: `(and ${["a", "b", "c"].map((name) => `(<= ${name}l ${name}h)`).join(" ")})`,
      },
    ],
    claim(bench) {
      const equal = compared(bench, "equal", [piece(bench, "a"), piece(bench, "b")], [piece(bench, "c")]);
      return `(and ${exactly(equal, "mayHold", either(somewhere.equal))} ${exactly(equal, "mayFail", either(somewhere.notEqual))})`;
    },
    faults: [
      inSets("touching", "what touches is apart.", "x.low <= y.high && y.low", "x.low < y.high && y.low"),
      inSets("point", "what is one number is all.", "&& x.low === y.low", ""),
    ],
  }),
  set({
    id: "sets/not_a_number",
    statement: "NaN is less than nothing and equal to nothing, whatever else a set may be.",
    unknowns: ends("a", "c"),
    hypotheses: [],
    claim(bench) {
      const [p, q] = [[nan, piece(bench, "a")], [piece(bench, "c")]] as const;
      const less = compared(bench, "less", p, q);
      const equal = compared(bench, "equal", q, [nan]);
      const fails = [less, equal].every((verdicts) => got(verdicts, "mayFail") === true);
      const isHeld = got(equal, "mayHold") === true;
      return `(and (< 0.0 ${fails && !isHeld ? "1.0" : "0.0"}) ${exactly(less, "mayHold", somewhere.less("a", "c"))})`;
    },
    faults: [
      inSets(
        "holds",
        "NaN may be less.",
        "? { mayHold: false, mayFail: true }",
        "? { mayHold: true, mayFail: true }",
      ),
      inSets(
        "fails",
        "NaN is not compared.",
        "? { mayHold: false, mayFail: true }",
        "? { mayHold: false, mayFail: false }",
      ),
      inSets(
        "first",
        "a NaN on the left is a number.",
        'x.kind === "nan" || y.kind === "nan" ? {',
        'y.kind === "nan" ? {',
      ),
    ],
  }),
];

/** States what comparisons of the sets of floats owe that honest engines may have. */
export function setObligations(): readonly Obligation[] {
  return steps.map(stepObligation);
}
