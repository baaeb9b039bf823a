import type { Obligation } from "../obligation.ts";
import { called, got } from "./code.ts";
import { bounding, centreOf, faultsIn, formatUnknowns, standardOf, stepOf, within } from "./operands.ts";
import { type Bench, stepObligation, textOf } from "./step.ts";

const inRadius = faultsIn("bound/radius");
const inAlgebra = faultsIn("bound/algebra");

/** The code says that `terms` numbers of this total size cost so much before the last addition: γ of it. */
function gammaOf(bench: Bench, terms: unknown, magnitude: unknown): string | undefined {
  const zero = { value: 0, slack: 0 };
  const sum = { centre: "z", error: 0, magnitude, terms, grain: 0 };
  // The last rounding is another step's.
  const found = called(
    bench.ideal.module("bound/radius").radius,
    centreOf(() => zero),
    standardOf(bench),
    sum,
  );
  return typeof found === "number" && Number.isNaN(found) ? undefined : textOf(found);
}

const withoutLast = { binadeOf: (): number => 0, isHeld: (): boolean => false };

/**
 * Before an addition an engine's sum of numbers of size `M` is off by `l` from `L`; the addition rounds by
 * `r`.
 */
const addition = stepOf({
  id: "sums/addition",
  statement:
    "Where k additions are off by at most γ of k times the terms' sizes, one more is by at most γ of k + 1 times them, for every k.",
  rlimit: 1_500_000,
  tier: "long",
  unknowns: { ...formatUnknowns, k: "size", L: "any", l: "any", M: "size", r: "any" },
  hypotheses: [
    { name: "count", formula: "(< (* (+ k 1.0) u) 1.0)" },
    { name: "size_of_sum", formula: within("L", "M") },
    {
      name: "rounded",
      formula: `(and (=> (<= 0.0 (+ L l)) ${within("r", "(* u (+ L l))")}) (=> (< (+ L l) 0.0) ${within("r", "(* u (- (+ L l)))")}))`,
    },
  ],
  instead: () => withoutLast,
  claim(bench) {
    const { add } = bench.host.operators;
    const [k, m] = [bench.unknown("k"), bench.unknown("M")];
    const [before, after] = [2, 3].map((more) => gammaOf(bench, called(add, k, more), m));
    if (before === undefined || after === undefined) return "true";
    return `(=> ${within("l", before)} ${within("(+ l r)", after)})`;
  },
  faults: [
    inRadius(
      "first-order",
      "products of roundings are left out.",
      "(others / (1 - others)) * magnitude",
      "others * magnitude",
      { u: "0.125", k: "1.0", L: "1.0", M: "1.0" },
    ),
    inRadius("half", "a rounding is half of what it may be.", "(terms - 2) * u", "(terms - 2) * 0.5 * u", {
      u: "0.125",
      k: "0.0",
      L: "1.0",
      M: "1.0",
    }),
  ],
});

const firstAddition = stepOf({
  id: "sums/first_addition",
  statement: "One addition is off by at most γ of 1 times the terms' sizes.",
  rlimit: 100_000,
  unknowns: { ...formatUnknowns, L: "any", M: "size", r: "any" },
  hypotheses: [
    { name: "count", formula: "(< u 1.0)" },
    { name: "size_of_sum", formula: within("L", "M") },
    {
      name: "rounded",
      formula: `(and (=> (<= 0.0 L) ${within("r", "(* u L)")}) (=> (< L 0.0) ${within("r", "(* u (- L))")}))`,
    },
  ],
  instead: () => withoutLast,
  claim(bench) {
    const one = gammaOf(bench, 3, bench.unknown("M"));
    return one === undefined ? "true" : within("r", one);
  },
  faults: [
    inRadius("one-less", "an addition is not counted.", "(terms - 2) * u", "(terms - 3) * u"),
    inRadius("half", "a rounding is half of what it may be.", "(terms - 2) * u", "(terms - 2) * 0.5 * u", {
      u: "0.125",
    }),
  ],
});

const joined = stepOf({
  id: "sums/joined",
  statement:
    "Two sums of a and b additions, each off by γ of its count times its terms' sizes, are together off by at most γ of a + b times all sizes.",
  rlimit: 1_500_000,
  tier: "long",
  unknowns: { ...formatUnknowns, a: "size", b: "size", l: "any", q: "any", ML: "size", MR: "size" },
  hypotheses: [{ name: "counts", formula: "(< (* (+ a b) u) 1.0)" }],
  instead: () => withoutLast,
  claim(bench) {
    const { add } = bench.host.operators;
    const [a, b, ml, mr] = ["a", "b", "ML", "MR"].map((name) => bench.unknown(name));
    const of = (additions: unknown, magnitude: unknown): string | undefined =>
      gammaOf(bench, called(add, additions, 2), magnitude);
    const [left, right, both] = [of(a, ml), of(b, mr), of(called(add, a, b), called(add, ml, mr))];
    if (left === undefined || right === undefined || both === undefined) return "true";
    return `(=> (and ${within("l", left)} ${within("q", right)}) ${within("(+ l q)", both)})`;
  },
  faults: [
    inRadius(
      "falling",
      "more additions cost less.",
      "(others / (1 - others)) * magnitude",
      "((1 - others) * others) * magnitude",
      { u: "0.25", a: "2.0", b: "1.0", ML: "1.0", MR: "0.0" },
    ),
  ],
});

const add = stepOf({
  id: "algebra/add",
  statement:
    "Of a sum the algebra of bounds keeps at least the errors, the sizes and the number of all terms, though float64 rounds them.",
  rlimit: 100_000,
  unknowns: {
    x_: "any",
    ex: "size",
    mx: "size",
    y_: "any",
    ey: "size",
    my: "size",
    tx: "size",
    ty: "size",
  },
  hypotheses: [
    { name: "errors", formula: `(and ${within("x_", "ex")} ${within("y_", "ey")})` },
    { name: "magnitudes", formula: "(and (<= tx mx) (<= ty my))" },
  ],
  claim(bench) {
    const { unknown, rounding } = bench;
    const standard = { ...standardOf({ ...bench, unknown: () => 0 }), unitRoundoff: 0 };
    const algebra = called(rounding.module("bound/algebra").bounded, centreOf(), standard);
    const of = (x: string, terms: number) => ({
      centre: x,
      error: unknown(`e${x}`),
      magnitude: unknown(`m${x}`),
      terms,
      grain: 0,
    });
    const sum = called(got(algebra, "levels", "field", "add"), of("x", 2), of("y", 3));
    const [error, magnitude, terms] = ["error", "magnitude", "terms"].map((name) => got(sum, name));
    return `(and ${bounding(error, (e) => within("(+ x_ y_)", e))} (<= (+ tx ty) ${textOf(magnitude)}) (= ${textOf(terms)} 5.0))`;
  },
  faults: [
    inAlgebra(
      "one-error",
      "the second operand's error is left out.",
      ": (p.error + q.error) * UPWARDS",
      ": p.error * UPWARDS",
    ),
    inAlgebra(
      "greater-error",
      "the greater error is taken for both.",
      ": (p.error + q.error) * UPWARDS",
      ": Math.max(p.error, q.error) * UPWARDS",
    ),
    inAlgebra(
      "unrounded",
      "what float64 rounds off is not made up for.",
      ": (p.error + q.error) * UPWARDS",
      ": p.error + q.error",
      {
        x_: "3.0",
        ex: "3.0",
        y_: "1.0",
        ey: "1.0",
      },
    ),
    inAlgebra(
      "one-size",
      "the second operand's size is left out.",
      "(p.magnitude + q.magnitude) * UPWARDS",
      "p.magnitude * UPWARDS",
    ),
    inAlgebra(
      "unrounded-size",
      "what float64 rounds off the size is not made up for.",
      "(p.magnitude + q.magnitude) * UPWARDS",
      "p.magnitude + q.magnitude",
      {
        mx: "3.0",
        tx: "3.0",
        my: "1.0",
        ty: "1.0",
      },
    ),
    inAlgebra(
      "terms-lost",
      "the terms of one operand are not counted.",
      "terms: p.terms + q.terms",
      "terms: p.terms",
    ),
  ],
});

export function sumObligations(): readonly Obligation[] {
  return [addition, firstAddition, joined, add].map(stepObligation);
}
