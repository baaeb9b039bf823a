import type { Hypothesis, Obligation } from "../obligation.ts";
import { called, got, type Names } from "./code.ts";
import { bounding, faultsIn, size, stepOf, type Tools, within } from "./operands.ts";
import { type Bench, type Fault, type Step, stepObligation, textOf } from "./step.ts";

const planted = faultsIn("centre/growth");

/**
 * Between two numbers in reach of `x` that are `dx` apart, `t` is where the mean value theorem takes the
 * slope.
 */
const unknowns = { x: "any", t: "any", dx: "positive", reach: "size" } as const;
const between: Hypothesis = { name: "between", formula: within("(- t x)", "reach") };

/** A slope says what a growth owes at `t`: at least `dx` times the size of the slope there. */
interface Slope {
  readonly name: string;
  readonly what: string;
  /** It is said of the growth `g`, which is no less than 0. */
  readonly owed: (g: string) => string;
  readonly faults: readonly Fault[];
  readonly more?: Pick<Step, "unknowns" | "hypotheses"> & {
    /** It needs no mean value. */
    readonly isEverywhere?: true;
  };
  readonly rlimit?: number;
  readonly tier?: Step["tier"];
  readonly instead?: (tools: Tools) => Names;
}

const MEAN =
  "The mean value theorem: what a function moves between two numbers is their distance times its slope somewhere between. Its slope is the derivative that the reference's rules have, which the operators' obligations speak of.";

const growth = ({ ideal, unknown }: Bench, name: string): unknown =>
  called(
    got(ideal.module("centre/growth").growths, name),
    ...["x", "dx", "reach"].map((operand) => unknown(operand)),
  );

const slopeStep = ({ name, what, owed, faults, more, rlimit, tier, instead }: Slope): Step =>
  stepOf({
    id: `growth/${name}`,
    statement: `The growth of ${name} is at least what it moves: ${what}.`,
    metaArgument: MEAN,
    rlimit: rlimit ?? 300_000,
    ...(tier === undefined ? {} : { tier }),
    unknowns: { ...unknowns, ...more?.unknowns },
    hypotheses: [...(more?.isEverywhere === true ? [] : [between]), ...(more?.hypotheses ?? [])],
    ...(instead === undefined ? {} : { instead }),
    claim: (bench) => bounding(growth(bench, name), (g) => `(and (<= 0.0 ${g}) ${owed(g)})`),
    faults,
  });

const inReach = { x: "2.0", dx: "1.0", reach: "1.0", t: "1.0" };

/**
 * Cosines at `t` and at both ends move no more than their arguments, and the computed one is off by little.
 */
const WAVE = "wave_error";

/** Numbers of a cosine that is a half, and a quarter where the reach ends. */
const halfCosine: Readonly<Record<string, string>> = {
  x: "1.0",
  t: "1.0",
  dx: "1.0",
  reach: "0.25",
  computed: "0.5",
  cosine: "0.5",
  ca: "0.25",
  cb: "0.25",
  s: "1.0",
};

const slopes: readonly Slope[] = [
  {
    name: "log",
    what: "its slope is 1/t, and no number in reach is 0",
    owed: (g) => `(and (< 0.0 t) (<= dx (* ${g} t)))`,
    faults: [
      planted(
        "at-x",
        "the slope is taken at x.",
        "log: (x, dx, reach) => dx / above(0, x, reach)",
        "log: (x, dx, reach) => dx / above(0, x, 0)",
        { ...inReach, t: "1.5" },
      ),
      planted(
        "reaches-zero",
        "a number in reach may be 0.",
        "return left > 0 ? left : Number.NaN",
        "return left !== 0 ? left : Number.NaN",
        { x: "1.0", dx: "1.0", reach: "2.0", t: "(- 0.5)" },
      ),
      planted(
        "half",
        "it is half of it.",
        "log: (x, dx, reach) => dx / above",
        "log: (x, dx, reach) => 0.5 * dx / above",
        inReach,
      ),
    ],
  },
  {
    name: "log1p",
    what: "its slope is 1/(1 + t), and no number in reach is −1",
    owed: (g) => `(and (< (- 1.0) t) (<= dx (* ${g} (+ 1.0 t))))`,
    faults: [
      planted(
        "bound",
        "the domain is that of log.",
        "log1p: (x, dx, reach) => dx / above(-1, x, reach)",
        "log1p: (x, dx, reach) => dx / above(-2, x, reach)",
        inReach,
      ),
    ],
  },
  {
    name: "log2",
    what: "its slope is log₂ e / t",
    more: { unknowns: { log2e: "positive" }, hypotheses: [] },
    instead: ({ unknown }) => ({ Math: { LOG2E: unknown("log2e") } }),
    owed: (g) => `(and (< 0.0 t) (<= (* log2e dx) (* ${g} t)))`,
    faults: [
      planted(
        "natural",
        "it is that of log.",
        "(dx / above(0, x, reach)) * Math.LOG2E",
        "dx / above(0, x, reach)",
        { ...inReach, log2e: "1.5" },
      ),
    ],
  },
  {
    name: "atan",
    what: "its slope is 1/(1 + t²)",
    owed: (g) => `(<= dx (* ${g} (+ 1.0 (* t t))))`,
    faults: [
      planted(
        "at-most",
        "the slope is taken at the far end.",
        "atan: (x, dx, reach) => dx / (1 + least(x, reach) ** 2)",
        "atan: (x, dx, reach) => dx / (1 + most(x, reach) ** 2)",
        inReach,
      ),
      planted(
        "below-zero",
        "the near end may be less than 0 in size.",
        "Math.max(0, Math.abs(x) - reach)",
        "Math.abs(x) - reach",
        { x: "1.0", dx: "1.0", reach: "4.0", t: "0.0" },
      ),
    ],
  },
  ...(["asin", "acos"] as const).map(
    (name): Slope => ({
      name,
      what: "the size of its slope is 1/√(1 − t²), and no number in reach is beyond ±1",
      owed: (g) => `(and (< (* t t) 1.0) (<= (* dx dx) (* ${g} ${g} (- 1.0 (* t t)))))`,
      rlimit: 1_000_000,
      tier: "long",
      faults: [
        planted(
          "one-factor",
          "1 + t is left out twice.",
          "dx / Math.sqrt(room(x, reach) * (1 + least(x, reach)))",
          "dx / (1 + least(x, reach))",
          { x: "(/ 3.0 5.0)", dx: "1.0", reach: "0.0", t: "(/ 3.0 5.0)" },
        ),
      ],
    }),
  ),
  {
    name: "atanh",
    what: "its slope is 1/(1 − t²), and no number in reach is beyond ±1",
    owed: (g) => `(and (< (* t t) 1.0) (<= dx (* ${g} (- 1.0 (* t t)))))`,
    rlimit: 1_000_000,
    tier: "long",
    faults: [
      planted(
        "far",
        "1 + t is taken at the far end.",
        "atanh: (x, dx, reach) => dx / (room(x, reach) * (1 + least(x, reach)))",
        "atanh: (x, dx, reach) => dx / (room(x, reach) * (1 + most(x, reach)) ** 2)",
        { x: "0.5", dx: "1.0", reach: "0.25", t: "0.75" },
      ),
    ],
  },
  {
    name: "asinh",
    what: "its slope is 1/√(1 + t²)",
    owed: (g) => `(<= (* dx dx) (* ${g} ${g} (+ 1.0 (* t t))))`,
    rlimit: 1_000_000,
    tier: "long",
    faults: [
      planted(
        "far",
        "the slope is taken at the far end.",
        "dx / Math.hypot(1, least(x, reach))",
        "dx / Math.hypot(1, most(x, reach))",
        { x: "(/ 25.0 24.0)", dx: "1.0", reach: "(/ 7.0 24.0)", t: "0.75" },
      ),
    ],
  },
  {
    name: "acosh",
    what: "its slope is 1/√(t² − 1), and no number in reach is 1",
    owed: (g) => `(and (< 1.0 t) (<= (* dx dx) (* ${g} ${g} (- (* t t) 1.0))))`,
    rlimit: 1_000_000,
    tier: "long",
    faults: [
      planted(
        "at-x",
        "1 + t is squared.",
        "dx / Math.sqrt(above(1, x, reach) * (1 + Math.max(1, x - reach)))",
        "dx / (1 + Math.max(1, x - reach))",
        { x: "1.25", dx: "1.0", reach: "0.0", t: "1.25" },
      ),
    ],
  },
  {
    name: "sqrt",
    what: "√a − √b = (a − b)/(√a + √b)",
    more: {
      isEverywhere: true,
      unknowns: { a: "size", b: "size", p: "size", q: "size" },
      hypotheses: [
        { name: "roots", formula: "(and (= (* p p) a) (= (* q q) b))" },
        {
          name: "ends",
          formula: `(and ${within("(- b x)", "reach")} ${within("(- a x)", "(- reach dx)")} ${within("(- a b)", "dx")})`,
        },
      ],
    },
    owed: (g) => within("(- p q)", g),
    rlimit: 1_000_000,
    tier: "long",
    faults: [
      planted(
        "at-x",
        "both roots are taken at x.",
        "dx / (Math.sqrt(above(0, x, reach - dx)) + Math.sqrt(above(0, x, reach)))",
        "dx / (Math.sqrt(above(0, x, 0)) + Math.sqrt(above(0, x, 0)))",
        { x: "4.0", dx: "3.0", reach: "3.0", a: "4.0", b: "1.0", t: "1.0", p: "2.0", q: "1.0" },
      ),
    ],
  },
  {
    name: "tan",
    what: "tan a − tan b = sin(a − b)/(cos a cos b), and no cosine in reach is 0",
    more: {
      unknowns: { [WAVE]: "size", computed: "any", cosine: "any", ca: "any", cb: "any", s: "any" },
      hypotheses: [
        {
          name: "cosines",
          formula: `(and ${within("(- cosine computed)", WAVE)} ${within("(- ca cosine)", "reach")} ${within("(- cb cosine)", "reach")} ${within("s", "dx")})`,
        },
      ],
    },
    instead: ({ unknown }) => ({ Math: { cos: () => unknown("computed") }, WAVE_ERROR: unknown(WAVE) }),
    owed: (g) => `(and (not (= (* ca cb) 0.0)) (<= ${size("s")} (* ${g} ${size("(* ca cb)")})))`,
    rlimit: 1_000_000,
    tier: "long",
    faults: [
      planted(
        "one-cosine",
        "it is not squared.",
        "WAVE_ERROR, reach) ** 2",
        "WAVE_ERROR, reach)",
        halfCosine,
      ),
      planted(
        "reach-lost",
        "a cosine in reach is that of x.",
        "Math.abs(Math.cos(x)) - WAVE_ERROR, reach)",
        "Math.abs(Math.cos(x)) - WAVE_ERROR, 0)",
        halfCosine,
      ),
    ],
  },
  ...(
    [
      ["sin", "cos"],
      ["cos", "sin"],
    ] as const
  ).map(
    ([name, slope]): Slope => ({
      name,
      what: "its slope is another wave, which is at most 1 and moves no more than its argument; it moves by 2 at most",
      more: {
        unknowns: { [WAVE]: "size", computed: "any", wave: "any", other: "any", moved: "any" },
        hypotheses: [
          {
            name: "waves",
            formula: `(and ${within("(- wave computed)", WAVE)} ${within("(- other wave)", "reach")} ${within("other", "1.0")} ${within("moved", "2.0")} ${within("moved", `(* dx ${size("other")})`)})`,
          },
        ],
      },
      instead: ({ unknown }) => ({ Math: { [slope]: () => unknown("computed") }, WAVE_ERROR: unknown(WAVE) }),
      owed: (g) => within("moved", g),
      rlimit: 300_000,
      faults: [
        planted(
          "reach-lost",
          "the slope is that at x.",
          "Math.abs(slope(x)) + WAVE_ERROR + reach",
          "Math.abs(slope(x)) + WAVE_ERROR",
        ),
        planted("one", "it moves by 1 at most.", "WAVE_ERROR + reach), 2)", "WAVE_ERROR + reach), 1)"),
        planted(
          "greater",
          "the greater of slope and 1 is left out.",
          "dx * Math.min(1, Math.abs(slope(x)) + WAVE_ERROR + reach)",
          "dx * Math.min(0.5, Math.abs(slope(x)) + WAVE_ERROR + reach)",
        ),
      ],
    }),
  ),
];

/** Of cosh nothing is known but that it is at least 1, and grows with the size of what it is of. */
function cosh({ growing, host }: Tools, x: unknown): unknown {
  return called(host.operators.add, 1, growing("cosh", called(host.math.abs, x)));
}

const hyperbolic = (
  name: "sinh" | "tanh",
  what: string,
  owed: (g: string, c: string) => string,
  faults: readonly Fault[],
): Step =>
  stepOf({
    id: `growth/${name}`,
    statement: `The growth of ${name} is at least what it moves: ${what}.`,
    metaArgument: MEAN,
    rlimit: 1_000_000,
    tier: "long",
    unknowns,
    hypotheses: [between],
    instead: (tools) => ({ Math: { cosh: (x: unknown) => cosh(tools, x) } }),
    claim: (bench) => bounding(growth(bench, name), (g) => owed(g, textOf(cosh(bench, bench.unknown("t"))))),
    faults,
  });

const steps: readonly Step[] = [
  ...slopes.map(slopeStep),
  hyperbolic(
    "sinh",
    "its slope is cosh t, which grows with the size of t",
    (g, c) => `(<= (* dx ${c}) ${g})`,
    [
      planted(
        "near",
        "the slope is taken at the near end.",
        "dx * Math.cosh(most(x, reach))",
        "dx * Math.cosh(least(x, reach))",
        { x: "2.0", dx: "1.0", reach: "1.0", t: "3.0" },
      ),
    ],
  ),
  hyperbolic(
    "tanh",
    "its slope is 1/cosh² t, which falls with the size of t",
    (g, c) => `(<= dx (* ${g} ${c} ${c}))`,
    [
      planted(
        "far",
        "the slope is taken at the far end.",
        "dx / Math.cosh(least(x, reach)) / Math.cosh(least(x, reach))",
        "dx / Math.cosh(most(x, reach)) / Math.cosh(least(x, reach))",
        { x: "2.0", dx: "1.0", reach: "1.5", t: "0.5" },
      ),
      planted(
        "thrice",
        "it is divided once more.",
        "dx / Math.cosh(least(x, reach)) / Math.cosh(least(x, reach))",
        "dx / Math.cosh(least(x, reach)) / Math.cosh(least(x, reach)) / Math.cosh(least(x, reach))",
        { x: "2.0", dx: "1.0", reach: "1.0", t: "1.0" },
      ),
    ],
  ),
  stepOf({
    id: "growth/pow",
    statement: "The growth of a square is at least what it moves.",
    rlimit: 1_000_000,
    tier: "long",
    metaArgument: "The exponent is 2; other integers have the same formula, and their powers factor alike.",
    unknowns: { x: "any", dx: "size", reach: "size", a: "any", b: "any" },
    hypotheses: [
      {
        name: "ends",
        formula: `(and ${within("(- a x)", "reach")} ${within("(- b x)", "reach")} ${within("(- a b)", "dx")})`,
      },
    ],
    claim(bench) {
      const [x, dx, reach] = ["x", "dx", "reach"].map((name) => bench.unknown(name));
      const power = got(bench.ideal.module("centre/growth").binaryGrowths, "pow");
      return bounding(called(power, x, 2, dx, 0, reach, 0), (g) => within("(- (* a a) (* b b))", g));
    },
    faults: [
      planted(
        "near",
        "the slope is taken at the near end.",
        "return y * most(x, xReach) ** (y - 1) * dx",
        "return y * least(x, xReach) ** (y - 1) * dx",
        { x: "2.0", dx: "1.0", reach: "1.0", a: "3.0", b: "2.0" },
      ),
      planted(
        "no-factor",
        "the exponent is left out.",
        "return y * most(x, xReach) ** (y - 1) * dx",
        "return most(x, xReach) ** (y - 1) * dx",
        { x: "2.0", dx: "1.0", reach: "1.0", a: "3.0", b: "2.0" },
      ),
    ],
  }),
];

/** States that growths are at least what functions move. */
export function growthObligations(): readonly Obligation[] {
  return steps.map(stepObligation);
}
