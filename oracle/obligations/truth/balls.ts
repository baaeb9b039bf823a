import type { Hypothesis, Obligation } from "../obligation.ts";
import { called, got, type Names } from "./code.ts";
import { bounding, faultsIn, stepOf, within } from "./operands.ts";
import type { Sign } from "./run.ts";
import { type Bench, type Step, stepObligation, textOf } from "./step.ts";

const planted = faultsIn("centre/ball");

const BY_OPERATIONS =
  "Induction over the operations of a run: what balls hold is true of the operands, and then of the result.";

const ballUnknowns = (x: string): Readonly<Record<string, Sign>> => ({
  [x]: "any",
  [`v${x}`]: "any",
  [`s${x}`]: "size",
});

const holds = (x: string): Hypothesis => ({ name: `holds_${x}`, formula: within(`(- ${x} v${x})`, `s${x}`) });

const ball = ({ unknown }: Pick<Bench, "unknown">, x: string): Names => ({
  value: unknown(`v${x}`),
  slack: unknown(`s${x}`),
});

const two = {
  unknowns: { ...ballUnknowns("x"), ...ballUnknowns("y") },
  hypotheses: [holds("x"), holds("y")],
};

const held = (found: unknown, truth: string): string =>
  bounding(got(found, "slack"), (slack) => within(`(- ${truth} ${textOf(got(found, "value"))})`, slack));

/** What an operation passes on is told apart from how it is rounded. */
const passedOn = {
  rounded: (value: unknown, slack: unknown) => ({ value, slack }),
  isExactProduct: () => false,
};

const steps: readonly Step[] = [
  stepOf({
    id: "balls/add",
    statement: "The sum of two balls, which float64 rounds, holds the sums of what they hold.",
    metaArgument: `${BY_OPERATIONS} A sum of float64s is exact if the sum's error is found to be 0 (Knuth).`,
    rlimit: 2_000_000,
    ...two,
    instead: ({ host, float64 }) => ({
      isExactSum: (x: unknown, y: unknown) =>
        called(host.operators.same, called(float64.operators.add, x, y), called(host.operators.add, x, y)),
    }),
    claim: (bench) =>
      held(
        called(got(bench.rounding.module("centre/ball").balls, "add"), ball(bench, "x"), ball(bench, "y")),
        "(+ x y)",
      ),
    faults: [
      planted(
        "no-rounding",
        "the sum's own rounding is left out.",
        "(slack + ROUNDOFF * binadeOf(value)) * UPWARDS",
        "slack * UPWARDS",
        { vx: "3.0", sx: "0.0", x: "3.0", vy: "1.0", sy: "0.0", y: "1.0" },
      ),
      planted(
        "one-slack",
        "the second ball's slack is left out.",
        "const slack = x.slack + y.slack;",
        "const slack = x.slack;",
        { vx: "3.0", sx: "1.0", x: "4.0", vy: "1.0", sy: "1.0", y: "2.0" },
      ),
    ],
  }),
  stepOf({
    id: "balls/multiply",
    statement: "The product of two balls is off by no more than what it passes on.",
    metaArgument: BY_OPERATIONS,
    rlimit: 10_000_000,
    tier: "long",
    ...two,
    instead: () => passedOn,
    claim: (bench) =>
      held(
        called(got(bench.ideal.module("centre/ball").balls, "multiply"), ball(bench, "x"), ball(bench, "y")),
        "(* x y)",
      ),
    faults: [
      planted("no-product", "both slacks are not multiplied.", "+ x.slack * y.slack;", ";"),
      planted("signed", "the sign of a value is kept.", "Math.abs(x.value) * y.slack", "x.value * y.slack"),
      planted(
        "zero-in-reach",
        "a value of 0 is an exact 0.",
        "return slack === 0 && Math.abs(value) === size",
        "return Math.abs(value) === size",
      ),
    ],
  }),
  stepOf({
    id: "balls/divide",
    statement:
      "The quotient of two balls is off by no more than what it passes on, and nothing is known if the divisor may be 0.",
    metaArgument: BY_OPERATIONS,
    rlimit: 10_000_000,
    tier: "long",
    unknowns: { ...two.unknowns, z: "any" },
    hypotheses: [
      ...two.hypotheses,
      { name: "quotient", formula: "(and (= (* z y) x) (not (= y 0.0)) (not (= vy 0.0)))" },
    ],
    instead: () => passedOn,
    claim: (bench) =>
      held(
        called(got(bench.ideal.module("centre/ball").balls, "divide"), ball(bench, "x"), ball(bench, "y")),
        "z",
      ),
    faults: [
      planted(
        "no-room",
        "the divisor is taken for its middle.",
        "const room = Math.abs(y.value) - y.slack",
        "const room = Math.abs(y.value)",
        { vx: "0.0", sx: "1.0", x: "1.0", vy: "2.0", sy: "1.0", y: "1.0" },
      ),
      planted(
        "no-divisor",
        "the divisor's slack is left out.",
        "(x.slack + Math.abs(value) * UPWARDS * y.slack) / room",
        "x.slack / room",
        { vx: "2.0", sx: "0.0", x: "2.0", vy: "2.0", sy: "1.0", y: "1.0" },
      ),
    ],
  }),
  stepOf({
    id: "balls/rounded",
    statement:
      "A ball whose value is off by some ulps of the exact result, and whose operands pass an error on, holds what is true.",
    metaArgument: `${BY_OPERATIONS} A function of the host is off by no more ulps than are declared of it; here they are 3.`,
    rlimit: 5_000_000,
    unknowns: { z: "any", w: "any", v: "any", P: "size" },
    hypotheses: [{ name: "passed_on", formula: within("(- z w)", "P") }],
    claim(bench) {
      const found = called(
        bench.rounding.module("centre/ball").rounded,
        bench.unknown("v"),
        bench.unknown("P"),
        3,
      );
      const host = within("(- v w)", `(+ (* (/ 6.0 ${2n ** 53n}.0) ${bench.binade("w")}) tiny)`);
      return `(=> ${host} ${held(found, "z")})`;
    },
    faults: [
      planted("no-ulps", "an operation is rounded correctly.", "2 * ulps * ROUNDOFF", "ROUNDOFF", {
        w: "1.0",
        z: "1.0",
        v: `(+ 1.0 (/ 6.0 ${2n ** 53n}.0))`,
        P: "0.0",
      }),
      planted(
        "not-passed-on",
        "what operands pass on is left out.",
        "slack: (propagated + roundingOfBall(value, ulps)) * UPWARDS",
        "slack: roundingOfBall(value, ulps) * UPWARDS",
        { w: "1.0", v: "1.0", P: "1.0", z: "2.0" },
      ),
    ],
  }),
  stepOf({
    id: "balls/midpoint",
    statement: "The middle of two balls, which float64 rounds, holds the middle of what they hold.",
    rlimit: 2_000_000,
    ...two,
    unknowns: { ...two.unknowns, m: "any" },
    hypotheses: [...two.hypotheses, { name: "middle", formula: "(= (* 2.0 m) (+ x y))" }],
    claim: (bench) =>
      held(
        called(
          got(bench.rounding.module("centre/centre").floatCentre, "midpoint"),
          ball(bench, "x"),
          ball(bench, "y"),
        ),
        "m",
      ),
    faults: [
      {
        name: "no-rounding",
        fault: "its own rounding is left out.",
        file: "centre/centre",
        from: "Math.abs(value) * 2 ** -53 + UNDERFLOWS",
        to: "0",
        at: { vx: "3.0", sx: "0.0", x: "3.0", vy: "1.0", sy: "0.0", y: "1.0", m: "2.0" },
      },
      {
        name: "one-slack",
        fault: "the second ball's slack is left out.",
        file: "centre/centre",
        from: "a.slack / 2 + b.slack / 2",
        to: "a.slack / 2",
        at: { vx: "3.0", sx: "1.0", x: "4.0", vy: "1.0", sy: "1.0", y: "2.0", m: "3.0" },
      },
    ],
  }),
];

/** States that balls hold what is true of whatever their operands hold. */
export function ballObligations(): readonly Obligation[] {
  return steps.map(stepObligation);
}
