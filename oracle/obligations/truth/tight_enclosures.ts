import type { Hypothesis, Obligation } from "../obligation.ts";
import { called, got, type Names } from "./code.ts";
import { arena, DOWN, end, ends, interval, mpfrOf, on, termOf, UP } from "./intervals.ts";
import { faultsIn, is, known, size, stepOf, type Tools } from "./operands.ts";
import { type Bench, type Step, stepObligation, textOf } from "./step.ts";

const inEnclosure = faultsIn("centre/enclosure");
const inBall = faultsIn("centre/ball");

/** MPFR rounds nothing here, so that what is wider than it has to be is the code's own doing. */
const exactly = (tools: Tools): Names => ({
  mpfr: mpfrOf({ ...tools, below: (x) => x, above: (x) => x }),
  DOWN,
  UP,
});

/** Says that an enclosure is known, and ends at these numbers. */
function endsAt(found: unknown, low: string, high: string): string {
  const [from, to] = [termOf(got(found, "low")), termOf(got(found, "high"))];
  return `(and ${known(from, (text) => `(= ${text} ${low})`)} ${known(to, (text) => `(= ${text} ${high})`)})`;
}

const x = (bench: Bench): Names => interval(bench, "x");
const y = (bench: Bench): Names => interval(bench, "y");
const { x: _x, ...xEnds } = ends("x");
const { y: _y, ...yEnds } = ends("y");
const ordered = (...names: readonly string[]): Hypothesis => ({
  name: "ordered",
  formula: `(and ${names.map((name) => `(<= ${name}l ${name}h)`).join(" ")})`,
});

const lesser = (a: string, b: string): string => `(ite (<= ${a} ${b}) ${a} ${b})`;
const greater = (a: string, b: string): string => `(ite (<= ${a} ${b}) ${b} ${a})`;
const both = { unknowns: { ...xEnds, ...yEnds }, hypotheses: [], instead: exactly } as const;

const REACHED =
  "Where MPFR rounds, an end is off by that rounding and by no more. An end that is a value at some numbers that the operands hold cannot be nearer.";

const tight = (step: Omit<Step, "metaArgument">): Step =>
  stepOf({ ...step, id: `tight/${step.id}`, metaArgument: REACHED });

const enclosures: readonly Step[] = [
  tight({
    id: "enclosures/linear",
    statement:
      "Sums, negatives, halves and hulls of enclosures end at values of what the operands end at, and so does a choice by an unknown condition.",
    rlimit: 200_000,
    ...both,
    claim(bench) {
      const hull = on(bench, "select", undefined, x(bench), y(bench));
      const half = called(
        got(called(bench.ideal.module("centre/enclosure").enclosuresIn, arena), "half"),
        x(bench),
      );
      return `(and ${[
        endsAt(on(bench, "add", x(bench), y(bench)), "(+ xl yl)", "(+ xh yh)"),
        endsAt(on(bench, "negative", x(bench)), "(- xh)", "(- xl)"),
        endsAt(hull, lesser("xl", "yl"), greater("xh", "yh")),
        `(=> (<= xl xh) ${endsAt(half, "(* 0.5 xl)", "(* 0.5 xh)")})`,
      ].join(" ")})`;
    },
    faults: [
      inEnclosure("half", "half is all.", "const half = ends.literal(0.5)", "const half = ends.literal(1)", {
        xl: "1.0",
        xh: "2.0",
      }),
      inEnclosure(
        "hull",
        "a hull ends at the greater lower end.",
        "{ low: smaller(x.low, y.low), high",
        "{ low: larger(x.low, y.low), high",
      ),
    ],
  }),
  tight({
    id: "enclosures/product",
    statement: "The enclosure of a product ends at products of ends.",
    rlimit: 2_000_000,
    ...both,
    hypotheses: [ordered("x", "y")],
    claim(bench) {
      const corners = ["(* xl yl)", "(* xl yh)", "(* xh yl)", "(* xh yh)"];
      return endsAt(
        on(bench, "multiply", x(bench), y(bench)),
        corners.reduce(lesser),
        corners.reduce(greater),
      );
    },
    faults: [
      inEnclosure(
        "one-corner",
        "the greatest product is that of the lower ends.",
        "highs.reduce(larger)",
        "highs[0]",
        { xl: "(- 1.0)", xh: "1.0", yl: "1.0", yh: "2.0" },
      ),
    ],
  }),
  tight({
    id: "enclosures/quotient",
    statement:
      "The enclosure of a quotient by a number that is not 0 is known, and ends at quotients of ends.",
    rlimit: 500_000,
    unknowns: { ...xEnds, yl: "any", a: "any", b: "any" },
    instead: exactly,
    hypotheses: [
      ordered("x"),
      { name: "corners", formula: "(and (= (* a yl) xl) (= (* b yl) xh))" },
      { name: "not_zero", formula: "(not (= yl 0.0))" },
    ],
    claim(bench) {
      const point = end(bench, "yl");
      const found = on(bench, "divide", x(bench), { low: point, high: point });
      return endsAt(found, lesser("a", "b"), greater("a", "b"));
    },
    faults: [
      inEnclosure(
        "negative",
        "of negative divisors nothing is known.",
        "!isPositive(low) && !isNegative(high)",
        "!isPositive(low)",
        { xl: "1.0", xh: "1.0", yl: "(- 2.0)" },
      ),
    ],
  }),
  tight({
    id: "enclosures/functions",
    statement:
      "The enclosure of a monotone function ends at its values at the ends; of an even one that grows, at its values at the least and the greatest size.",
    rlimit: 1_000_000,
    unknowns: xEnds,
    instead: exactly,
    hypotheses: [ordered("x")],
    claim(bench) {
      const f = (of: unknown): string => textOf(bench.growing("f", of));
      const { host } = bench;
      const [low, high] = ["xl", "xh"].map((name) => bench.unknown(name));
      const [least, most] = [low, high].map((end) => called(host.math.abs, end));
      const even = on(bench, "cosh", x(bench));
      const [zero, atLow, atHigh] = [called(host.operators.subtract, low, low), least, most].map(f);
      const nearest = `(ite (<= 0.0 xl) ${atLow} (ite (<= xh 0.0) ${atHigh} ${zero}))`;
      const farthest = `(ite (<= ${size("xl")} ${size("xh")}) ${atHigh} ${atLow})`;
      return `(and ${[
        endsAt(on(bench, "exp", x(bench)), f(low), f(high)),
        endsAt(on(bench, "acos", x(bench)), `(- ${f(high)})`, `(- ${f(low)})`),
        endsAt(even, nearest, farthest),
      ].join(" ")})`;
    },
    faults: [
      inEnclosure(
        "about-zero",
        "every even function begins at 0.",
        "if (!isNegative(flipped.low)) return flipped;",
        "",
        { xl: "(- 4.0)", xh: "(- 1.0)" },
      ),
    ],
  }),
  tight({
    id: "enclosures/wave",
    statement:
      "The enclosure of a sine is that at its lower end, widened by its width and cut at −1 and 1, or at a point the value there.",
    rlimit: 200_000,
    unknowns: { ...xEnds, wl: "any" },
    instead: exactly,
    hypotheses: [],
    claim(bench) {
      const [low, high] = [greater("(- wl (- xh xl))", "(- 1.0)"), lesser("(+ wl (- xh xl))", "1.0")];
      const is = (from: string, to: string): string => endsAt(on(bench, "sin", x(bench)), from, to);
      return `(or (and (= xl xh) ${is("wl", "wl")}) (and (not (= xl xh)) ${is(low, high)}))`;
    },
    faults: [
      inEnclosure("uncut", "the upper end is not cut.", "high: smaller(high, this.one.low)", "high", {
        xl: "0.0",
        xh: "2.0",
        wl: "0.0",
      }),
      inEnclosure(
        "twice",
        "its width counts twice.",
        "const width = this.combine(mpfr.mpfr_sub, x.high, x.low, UP)",
        "const once = this.combine(mpfr.mpfr_sub, x.high, x.low, UP);\n    const width = this.combine(mpfr.mpfr_add, once, once, UP)",
        { xl: "0.0", xh: "0.25", wl: "0.0" },
      ),
    ],
  }),
  tight({
    id: "enclosures/compared",
    statement:
      "Enclosures tell which number is less, or whether they are equal, wherever all numbers that they hold agree.",
    rlimit: 300_000,
    ...both,
    hypotheses: [],
    claim(bench) {
      const less = on(bench, "less", x(bench), y(bench));
      const same = on(bench, "equal", x(bench), y(bench));
      const isLess = { true: "(< xh yl)", false: "(<= yh xl)", undefined: "(and (<= yl xh) (< xl yh))" };
      const isSame = {
        true: "(and (= xl xh) (= yl yh) (= xl yl))",
        false: "(or (< xh yl) (< yh xl))",
        undefined: "(and (<= yl xh) (<= xl yh) (not (and (= xl xh) (= yl yh))))",
      };
      return `(and ${told(isLess, less)} ${told(isSame, same)})`;
    },
    faults: [
      inEnclosure(
        "less",
        "what touches is not told.",
        "mpfr.mpfr_lessequal_p(y.high, x.low) !== 0 ? false",
        "mpfr.mpfr_less_p(y.high, x.low) !== 0 ? false",
      ),
      inEnclosure(
        "apart",
        "what lies above is not told apart.",
        "|| mpfr.mpfr_less_p(y.high, x.low) !== 0",
        "",
      ),
    ],
  }),
  tight({
    id: "enclosures/ball",
    statement: "The ball of an enclosure is its middle and half of its width.",
    rlimit: 200_000,
    unknowns: xEnds,
    instead: exactly,
    hypotheses: [],
    claim(bench) {
      const centre = called(bench.ideal.module("centre/enclosure").enclosureCentre, arena);
      const found = called(got(centre, "ball"), x(bench));
      return `(and ${known(got(found, "value"), (value) => `(= (* 2.0 ${value}) (+ xl xh))`)} ${known(got(found, "slack"), (slack) => `(= (* 2.0 ${slack}) (- xh xl))`)})`;
    },
    faults: [
      inEnclosure(
        "whole",
        "the whole width is its slack.",
        "Math.max(high - near, near - low) * UPWARDS",
        "(high - low) * UPWARDS",
      ),
    ],
  }),
];

function told(claims: Readonly<Record<"true" | "false" | "undefined", string>>, found: unknown): string {
  return found === true ? claims.true : found === false ? claims.false : claims.undefined;
}

const ball = ({ unknown }: Bench, name: string): Names => ({
  value: unknown(`v${name}`),
  slack: unknown(`s${name}`),
});

/** An operation hands on what its operands pass on; rounding is a law of its own. */
const passedOn = (): Names => ({
  rounded: (value: unknown, slack: unknown) => ({ value, slack }),
  isExactProduct: () => false,
  isExactSum: () => true,
});

const onBalls = (bench: Bench, name: string): unknown =>
  called(got(bench.ideal.module("centre/ball").balls, name), ball(bench, "x"), ball(bench, "y"));

const ofBalls: readonly Step[] = [
  tight({
    id: "balls/operations",
    statement:
      "Sums and products of balls are off by what their slacks reach, and a quotient by what is not 0 is known.",
    rlimit: 2_000_000,
    unknowns: { vx: "any", sx: "size", vy: "any", sy: "size", q: "any" },
    hypotheses: [{ name: "away", formula: `(and (< sy ${size("vy")}) (= (* q vy) vx))` }],
    instead: passedOn,
    claim(bench) {
      const most = (name: string): string => `(+ ${size(`v${name}`)} s${name})`;
      const product = onBalls(bench, "multiply");
      const quotient = onBalls(bench, "divide");
      const wide = (slack: string): string =>
        `(= (* ${slack} (- ${size("vy")} sy)) (+ sx (* ${size("q")} sy)))`;
      return `(and ${[
        is(onBalls(bench, "add"), "slack", "(+ sx sy)"),
        is(product, "slack", `(- (* ${most("x")} ${most("y")}) (* ${size("vx")} ${size("vy")}))`),
        known(got(quotient, "slack"), wide),
      ].join(" ")})`;
    },
    faults: [
      inBall(
        "sum",
        "a slack counts twice.",
        "const slack = x.slack + y.slack;",
        "const slack = x.slack + 2 * y.slack;",
        { vx: "1.0", sx: "0.0", vy: "2.0", sy: "1.0", q: "0.5" },
      ),
      inBall("product", "both slacks count twice.", "+ x.slack * y.slack;", "+ 2 * x.slack * y.slack;", {
        vx: "1.0",
        sx: "1.0",
        vy: "2.0",
        sy: "1.0",
        q: "0.5",
      }),
      inBall(
        "room",
        "the divisor's slack counts twice.",
        "Math.abs(y.value) - y.slack;",
        "Math.abs(y.value) - 2 * y.slack;",
        { vx: "1.0", sx: "1.0", vy: "4.0", sy: "1.0", q: "0.25" },
      ),
      inBall(
        "dividend",
        "the dividend's slack counts twice.",
        "(x.slack + Math.abs(value)",
        "(2 * x.slack + Math.abs(value)",
        { vx: "1.0", sx: "1.0", vy: "4.0", sy: "1.0", q: "0.25" },
      ),
    ],
  }),
  tight({
    id: "balls/rounded",
    statement: "A ball that is rounded is off by what is passed on, and by so many ulps of its value.",
    rlimit: 200_000,
    unknowns: { v: "any", P: "any" },
    hypotheses: [],
    claim(bench) {
      const found = called(
        bench.ideal.module("centre/ball").rounded,
        bench.unknown("v"),
        bench.unknown("P"),
        3,
      );
      return is(found, "slack", `(+ P (* (/ 6.0 ${2n ** 53n}.0) ${bench.binade("v")}))`);
    },
    faults: [
      inBall(
        "ulps",
        "an ulp is four roundings.",
        "return 2 * ulps * ROUNDOFF",
        "return 4 * ulps * ROUNDOFF",
        { v: "1.0", P: "0.0" },
      ),
    ],
  }),
];

/** States that enclosures and balls are no wider than what their operands hold asks for. */
export function tightEnclosureObligations(): readonly Obligation[] {
  return [...enclosures, ...ofBalls].map(stepObligation);
}
