import { formatRational, type Rational, rational } from "../../../reference/index.ts";
import { rules } from "../../../reference/operators/index.ts";
import type { PrimitiveName } from "../../../spec/operators/index.ts";
import { present } from "../../../spec/shapes/index.ts";
import type { Execution, Model, Obligation, ObligationMutant } from "../obligation.ts";
import { inputsOf, pullbackOf, readModel, tabulated, usages, useOf } from "../operators/index.ts";

/*
 * A tape that keeps values in a narrower form owes this: `x` comes back as `kept`, within `u·|x|` or, where
 * it is tiny, `tiny`; the cotangent `c` arrives as `seen`, within `owed`. The rule pulls back by `kept` in
 * place of `x`.
 */

const names = ["x", "kept", "c", "seen", "u", "tiny", "owed"];

const declaring = (more: readonly string[]): string =>
  `${[...names, ...more].map((name) => `(declare-const ${name} Real)`).join("\n")}
(define-fun size ((a Real)) Real (ite (< a 0.0) (- a) a))
(define-fun lost () Real (+ (* u (size x)) tiny))`;

const codec = { name: "codec", formula: "(<= (size (- kept x)) lost)" };
const upstream = { name: "upstream", formula: "(<= (size (- seen c)) owed)" };

/** An error bound is written in SMT-LIB and over the rationals. */
interface Bound {
  readonly text: string;
  of(n: (name: string) => Rational): Rational;
}

const field = present(rational.levels.orderedField, "an ordered field");
const { add, multiply } = field;
const sizeOf = (x: Rational): Rational => (isLess(x, field.zero) ? field.negative(x) : x);
const isLess = (x: Rational, y: Rational): boolean => field.less(x, y) === true;
const difference = (x: Rational, y: Rational): Rational => add(x, field.negative(y));

const lost: Bound = { text: "lost", of: (n) => add(multiply(n("u"), sizeOf(n("x"))), n("tiny")) };
const normal: Bound = { text: "(* u (size x))", of: (n) => multiply(n("u"), sizeOf(n("x"))) };

/** A rule reads one operand; its slope is `slope` at `x` and `keptSlope` at `kept`. */
interface Rule {
  readonly op: PrimitiveName;
  readonly id: string;
  readonly statement: string;
  readonly slope: string;
  readonly keptSlope: string;
  readonly more: readonly string[];
  readonly hypotheses: Obligation["hypotheses"];
  /** Bounds the change of the slope where the operand changes by a bound. */
  readonly change: (by: Bound) => Bound;
  /** Pulls a cotangent back at an operand, by the reference's rule, with the model's slopes. */
  readonly pull: (n: (name: string) => Rational, at: "x" | "kept", cotangent: Rational) => Rational;
  readonly mutants: (rule: Rule) => readonly ObligationMutant[];
}

/** Computes `|slope|·owed + change·(|c| + owed)`. */
function owedAfter({ slope, change }: Rule, by: Bound = lost): Bound {
  const changed = change(by);
  return {
    text: `(+ (* (size ${slope}) owed) (* ${changed.text} (+ (size c) owed)))`,
    of: (n) =>
      add(multiply(sizeOf(n(slope)), n("owed")), multiply(changed.of(n), add(sizeOf(n("c")), n("owed")))),
  };
}

const errorOf = ({ slope, keptSlope }: Rule): string => `(size (- (* seen ${keptSlope}) (* c ${slope})))`;

const within = (rule: Rule, bound: Bound): string => `(<= ${errorOf(rule)} ${bound.text})`;

/**
 * States the bound in steps that a solver finds one by one: the debt that arrives, the change of slope and of
 * cotangent, their product, and the sum. The last step alone is the whole claim.
 */
function bySteps(rule: Rule): string {
  const { slope, keptSlope, change } = rule;
  const changed = change(lost).text;
  const arriving = `(<= (size (* (- seen c) ${slope})) (* (size ${slope}) owed))`;
  const factors = [
    `(<= (size (- ${keptSlope} ${slope})) ${changed})`,
    "(<= (size seen) (+ (size c) owed))",
  ].join(" ");
  const own = `(<= (size (* seen (- ${keptSlope} ${slope}))) (* ${changed} (+ (size c) owed)))`;
  const whole = within(rule, owedAfter(rule));
  return `(and ${arriving} ${factors}\n  (=> ${factors} ${own})\n  (=> ${arriving} ${own} ${whole}))`;
}

/** Runs the reference's rule at a model's numbers, and measures how far apart its cotangents are. */
function errorIn(rule: Rule, n: (name: string) => Rational): Rational {
  return sizeOf(difference(rule.pull(n, "kept", n("seen")), rule.pull(n, "x", n("c"))));
}

/** Lists the farthest that codec and upstream may go, each way; the bound must hold there. */
function corners(rule: Rule, n: (name: string) => Rational): readonly ((name: string) => Rational)[] {
  const signs = [field.one, field.negative(field.one)];
  return signs.flatMap((a) =>
    signs.map((b) => {
      const kept = add(n("x"), multiply(a, lost.of(n)));
      const seen = add(n("c"), multiply(b, n("owed")));
      const slope = add(n(rule.slope), multiply(a, rule.change(lost).of(n)));
      const moved = new Map([
        ["kept", kept],
        ["seen", seen],
        [rule.keptSlope, rule.slope === "x" ? kept : slope],
      ]);
      return (name: string) => moved.get(name) ?? n(name);
    }),
  );
}

const sizes: ReadonlySet<string> = new Set(["u", "tiny", "owed", "steep"]);

function execute(rule: Rule, model: Model, claimed: Bound): Execution {
  const { numbers } = readModel(model, []);
  const n = (name: string): Rational => present(numbers.get(name), name);
  // Sizes are meant without a sign, though a model may give them one.
  const meant = (name: string): Rational => (sizes.has(name) ? sizeOf(n(name)) : n(name));
  const [bound, wrong, error] = [owedAfter(rule).of(meant), claimed.of(n), errorIn(rule, n)];
  const holds = corners(rule, meant).every((corner) => !isLess(bound, errorIn(rule, corner)));
  return {
    showsFault: holds && isLess(wrong, error),
    told: `${rule.op}: ${[...numbers].map(([name, value]) => `${name} = ${formatRational(value)}`).join(", ")}; the cotangents are ${formatRational(error)} apart, and the claim is ${formatRational(wrong)}`,
  };
}

const wrongly = (rule: Rule, name: string, fault: string, claimed: Bound): ObligationMutant => ({
  name,
  fault,
  goal: within(rule, claimed),
  ask: [...names, ...rule.more],
  execute: (model) => execute(rule, model, claimed),
});

const without = (rule: Rule, name: string, fault: string): ObligationMutant => ({
  name: `without-${name}`,
  fault,
  without: [name],
  instead: [{ name: "meant", formula: "(and (<= 0.0 u) (<= 0.0 tiny) (<= 0.0 owed))" }],
  goal: within(rule, owedAfter(rule)),
  ask: [...names, ...rule.more],
  execute: (model) => execute(rule, model, owedAfter(rule)),
});

const both = (rule: Rule): readonly ObligationMutant[] => [
  without(rule, "codec", "what was kept is decoded with another scale"),
  without(rule, "upstream", "the cotangent that arrives owes more than is said"),
  wrongly(
    rule,
    "no-subnormal",
    "the bound forgets that tiny values lose more than their share",
    owedAfter(rule, normal),
  ),
  wrongly(rule, "no-product", "the bound forgets that both errors multiply", {
    text: `(+ (* (size ${rule.slope}) owed) (* ${rule.change(lost).text} (size c)))`,
    of: (n) =>
      add(multiply(sizeOf(n(rule.slope)), n("owed")), multiply(rule.change(lost).of(n), sizeOf(n("c")))),
  }),
  wrongly(rule, "own-alone", "the bound forgets what the cotangent that arrives owes", {
    text: `(* ${rule.change(lost).text} (size c))`,
    of: (n) => multiply(rule.change(lost).of(n), sizeOf(n("c"))),
  }),
  wrongly(rule, "upstream-alone", "the bound forgets what the codec loses", {
    text: `(* (size ${rule.slope}) owed)`,
    of: (n) => multiply(sizeOf(n(rule.slope)), n("owed")),
  }),
];

const product: Rule = {
  op: "multiply",
  id: "tapes/compressed/multiply",
  statement:
    "Where the other operand of a product comes back within `u·|x| + tiny` and the cotangent arrives within `owed`, the cotangent that it pulls back is within `|x|·owed + (u·|x| + tiny)·(|c| + owed)`.",
  slope: "x",
  keptSlope: "kept",
  more: [],
  hypotheses: [codec, upstream],
  change: (by) => by,
  pull: (n, at, cotangent) => {
    const [first] = usages.multiply;
    const use = useOf("multiply", present(first, "a use of multiply"));
    const inputs = inputsOf(use, (name) => (name.startsWith("c") ? cotangent : n(at)));
    return only(pullbackOf(rules.multiply, use, rational, inputs)[0]?.data);
  },
  mutants: both,
};

const smooth: Rule = {
  op: "sin",
  id: "tapes/compressed/unary",
  statement:
    "Where the operand of an elementwise function comes back within `u·|x| + tiny`, its slope changes by no more than `steep` times that, and the cotangent arrives within `owed`, the cotangent that it pulls back is within `|slope|·owed + steep·(u·|x| + tiny)·(|c| + owed)`.",
  slope: "slope",
  keptSlope: "keptSlope",
  more: ["slope", "keptSlope", "steep"],
  hypotheses: [
    codec,
    upstream,
    { name: "smooth", formula: "(<= (size (- keptSlope slope)) (* steep (size (- kept x))))" },
    { name: "steepness", formula: "(<= 0.0 steep)" },
  ],
  change: (by) => ({ text: `(* steep ${by.text})`, of: (n) => multiply(n("steep"), by.of(n)) }),
  pull: (n, at, cotangent) => {
    const [first] = usages.sin;
    const use = useOf("sin", present(first, "a use of sin"));
    const inputs = inputsOf(use, (name) => (name.startsWith("c") ? cotangent : n(at)));
    // The model chooses the cosine, since nothing is known of the function but its slope there.
    const slope = n(at === "x" ? "slope" : "keptSlope");
    const table = new Map([[`cos ${formatRational(n(at))}`, slope]]);
    return only(pullbackOf(rules.sin, use, tabulated(table), inputs)[0]?.data);
  },
  mutants: (rule) => [
    ...both(rule),
    without(rule, "smooth", "the slope jumps between what was and what came back"),
    without(rule, "steepness", "the bound of the slope's change is negative"),
    wrongly(rule, "even", "the bound takes the slope for one that changes no faster than the operand", {
      text: `(+ (* (size slope) owed) (* lost (+ (size c) owed)))`,
      of: (n) =>
        add(multiply(sizeOf(n("slope")), n("owed")), multiply(lost.of(n), add(sizeOf(n("c")), n("owed")))),
    }),
  ],
};

function only(data: readonly Rational[] | undefined): Rational {
  return present(data?.[0], "a cotangent of one element");
}

function compressedObligation(rule: Rule): Obligation {
  return {
    id: rule.id,
    statement: rule.statement,
    clause: "SEMANTICS §5",
    logic: "QF_NRA",
    scope: { kind: "operator", operator: rule.op, shapes: "scalars" },
    tier: "everyday",
    declarations: declaring(rule.more),
    hypotheses: rule.hypotheses,
    goal: bySteps(rule),
    rlimit: 3_000_000,
    requiredCore: rule.hypotheses.map(({ name }) => name),
    mutants: rule.mutants(rule),
    dependsOn: [],
    metaArgument:
      "One node; a sweep is one after the other, what one owes being what arrives owing at the next, and at a slot where several arrive it is their sum. Elementwise rules are that of each element.",
  };
}

/** States what a tape owes that keeps values in a narrower form. */
export function compressedObligations(): readonly Obligation[] {
  return [product, smooth].map(compressedObligation);
}
