import type { Hypothesis, Obligation } from "../obligation.ts";
import { type Code, called, got, type Names } from "./code.ts";
import { faultsIn, size, stepOf, type Tools } from "./operands.ts";
import type { Sign } from "./run.ts";
import { type Bench, type Step, stepObligation, textOf } from "./step.ts";

const planted = faultsIn("centre/enclosure");

/** MPFR computes here, in an address, a number that lies below or above the exact one, as it is told. */
class Address {
  term: unknown = Number.NaN;
}

export function termOf(x: unknown): unknown {
  return x instanceof Address ? x.term : Number.NaN;
}

export const DOWN = "down";
export const UP = "up";

/** Stands for MPFR: what it rounds lies on the side that is asked for, and comparisons are exact. */
export function mpfrOf(tools: Tools): Names {
  const { operators } = tools.host;
  const put = (result: unknown, exact: unknown, rounding: unknown): number => {
    if (result instanceof Address) result.term = rounding === UP ? tools.above(exact) : tools.below(exact);
    return 0;
  };
  const binary =
    (name: string) =>
    (result: unknown, x: unknown, y: unknown, rounding: unknown): number =>
      put(result, called(operators[name], termOf(x), termOf(y)), rounding);
  const compared =
    (name: string) =>
    (x: unknown, y: unknown): number =>
      called(operators[name], termOf(x), termOf(y)) === true ? 1 : 0;
  const exactly = (result: unknown, exact: unknown): number => {
    if (result instanceof Address) result.term = exact;
    return 0;
  };
  const increasing = (result: unknown, x: unknown, rounding: unknown): number =>
    put(result, tools.growing("f", termOf(x)), rounding);
  return {
    mpfr_add: binary("add"),
    mpfr_sub: binary("subtract"),
    mpfr_mul: binary("multiply"),
    mpfr_div: binary("divide"),
    mpfr_neg: (result: unknown, x: unknown) => exactly(result, called(operators.negative, termOf(x))),
    mpfr_set_d: exactly,
    mpfr_sgn: (x: unknown) =>
      called(operators.less, termOf(x), 0) === true
        ? -1
        : called(operators.less, 0, termOf(x)) === true
          ? 1
          : 0,
    mpfr_equal_p: compared("same"),
    mpfr_less_p: compared("less"),
    mpfr_lessequal_p: compared("atMost"),
    mpfr_number_p: () => 1,
    mpfr_nan_p: () => 0,
    mpfr_get_d: (x: unknown, rounding: unknown) =>
      rounding === UP ? tools.above(termOf(x), "float64") : tools.below(termOf(x), "float64"),
    mpfr_exp: increasing,
    mpfr_sqrt: increasing,
    mpfr_cosh: increasing,
    mpfr_acos: (result: unknown, x: unknown, rounding: unknown) =>
      put(result, called(operators.negative, tools.growing("f", termOf(x))), rounding),
    mpfr_sin: (result: unknown, x: unknown, rounding: unknown) =>
      put(result, sineOf(tools, termOf(x)), rounding),
  };
}

/** Of the sine at the low end of `x` nothing is known but that it is called `wl`. */
const sineOf = ({ unknown }: Tools, _x: unknown): unknown => unknown("wl");

const instead = (tools: Tools): Names => ({ mpfr: mpfrOf(tools), DOWN, UP });

/** The lesser and the greater of two ends are found by steps of their own. */
const withExtremes = (tools: Tools): Names => ({
  ...instead(tools),
  smaller: (x: unknown, y: unknown) => extreme(tools, "min", x, y),
  larger: (x: unknown, y: unknown) => extreme(tools, "max", x, y),
});

function extreme({ least, host }: Tools, name: "min" | "max", x: unknown, y: unknown): Address {
  const address = new Address();
  address.term = least(name, termOf(x), termOf(y)) ?? called(host.math[name], termOf(x), termOf(y));
  return address;
}

export const end = (tools: Tools, name: string): Address => {
  const address = new Address();
  address.term = tools.unknown(name);
  return address;
};

export const interval = (tools: Tools, x: string): Names => ({
  low: end(tools, `${x}l`),
  high: end(tools, `${x}h`),
});

export const ends = (x: string): Readonly<Record<string, Sign>> => ({
  [x]: "any",
  [`${x}l`]: "any",
  [`${x}h`]: "any",
});

const holds = (x: string): Hypothesis => ({
  name: `holds_${x}`,
  formula: `(and (<= ${x}l ${x}) (<= ${x} ${x}h))`,
});

export const arena: Names = { precision: 128, fresh: () => new Address() };

function enclosures(code: Code): unknown {
  return called(code.module("centre/enclosure").enclosuresIn, arena);
}

/** Says that an enclosure holds a number, unless nothing is known. */
function holding(found: unknown, x: string): string {
  const [low, high] = [termOf(got(found, "low")), termOf(got(found, "high"))];
  if (typeof low === "number" && Number.isNaN(low)) return "true";
  return `(and (<= ${textOf(low)} ${x}) (<= ${x} ${textOf(high)}))`;
}

export const on = (bench: Bench, name: string, ...operands: readonly unknown[]): unknown =>
  called(got(enclosures(bench.ideal), "operations", name), ...operands);

const x = (bench: Bench): Names => interval(bench, "x");
const y = (bench: Bench): Names => interval(bench, "y");

const two = { unknowns: { ...ends("x"), ...ends("y") }, hypotheses: [holds("x"), holds("y")], instead };
const one = { unknowns: ends("x"), hypotheses: [holds("x")], instead };

const thirds = { xl: "(/ 1.0 3.0)", xh: "(/ 2.0 3.0)" };

const steps: readonly Step[] = [
  stepOf({
    id: "intervals/add",
    statement: "The sum of two enclosures holds the sums of what they hold.",
    rlimit: 100_000,
    ...two,
    claim: (bench) => holding(on(bench, "add", x(bench), y(bench)), "(+ x y)"),
    faults: [
      planted(
        "up",
        "the lower end is rounded upwards.",
        "ends.combine(mpfr.mpfr_add, x.low, y.low, DOWN)",
        "ends.combine(mpfr.mpfr_add, x.low, y.low, UP)",
        { ...thirds, yl: "0.0", yh: "1.0", x: "(/ 1.0 3.0)", y: "0.0" },
      ),
      planted(
        "unrounded",
        "the upper end is rounded downwards.",
        "ends.combine(mpfr.mpfr_add, x.high, y.high, UP)",
        "ends.combine(mpfr.mpfr_add, x.high, y.high, DOWN)",
        { ...thirds, yl: "0.0", yh: "1.0", x: "(/ 2.0 3.0)", y: "1.0" },
      ),
      planted(
        "swapped",
        "the upper end of one is taken for its lower one.",
        "mpfr.mpfr_add, x.low, y.low",
        "mpfr.mpfr_add, x.low, y.high",
      ),
    ],
  }),
  stepOf({
    id: "intervals/multiply",
    statement: "The product of two enclosures holds the products of what they hold.",
    rlimit: 3_000_000,
    tier: "long",
    ...two,
    instead: withExtremes,
    claim: (bench) => holding(on(bench, "multiply", x(bench), y(bench)), "(* x y)"),
    faults: [
      planted(
        "one-corner",
        "the lowest product is taken at one corner of two.",
        "low: lows.reduce(smaller)",
        "low: lows[0]",
        { xl: "1.0", xh: "2.0", yl: "(- 1.0)", yh: "(- 1.0)" },
      ),
      planted(
        "swapped",
        "the greatest of the lower ends is taken.",
        "low: lows.reduce(smaller)",
        "low: lows.reduce(larger)",
        { x: "1.0", xl: "1.0", xh: "2.0", y: "1.0", yl: "1.0", yh: "2.0" },
      ),
      planted(
        "unrounded",
        "both ends are rounded downwards.",
        "[ends(DOWN), ends(UP)]",
        "[ends(DOWN), ends(DOWN)]",
        { xl: "(/ 1.0 3.0)", xh: "(/ 1.0 3.0)", yl: "1.0", yh: "1.0" },
      ),
      planted(
        "low-end",
        "an interval is taken for its lower end.",
        "isPoint(x) ? [x.low] : [x.low, x.high]",
        "[x.low]",
        { xl: "1.0", xh: "2.0", yl: "1.0", yh: "1.0" },
      ),
    ],
  }),
  stepOf({
    id: "intervals/divide",
    statement:
      "The quotient of two enclosures holds the quotients of what they hold, and nothing is known if a divisor may be 0.",
    rlimit: 3_000_000,
    tier: "long",
    ...two,
    instead: withExtremes,
    unknowns: { ...two.unknowns, z: "any" },
    hypotheses: [...two.hypotheses, { name: "quotient", formula: "(= (* z y) x)" }],
    claim: (bench) => holding(on(bench, "divide", x(bench), y(bench)), "z"),
    faults: [
      planted(
        "holds-zero",
        "a divisor that may be 0 is taken for another.",
        "(holdsZero(y) ? unknown : ends.atCorners(mpfr.mpfr_div, x, y))",
        "ends.atCorners(mpfr.mpfr_div, x, y)",
        { xl: "1.0", xh: "1.0", yl: "(- 1.0)", yh: "1.0" },
      ),
      planted(
        "zero-at-end",
        "a divisor whose end is 0 is taken for another.",
        "!isPositive(low) && !isNegative(high)",
        "isNegative(low) && isPositive(high)",
        { xl: "1.0", xh: "1.0", yl: "(- 1.0)", yh: "0.0", y: "(- 0.5)" },
      ),
    ],
  }),
  stepOf({
    id: "intervals/smaller",
    statement: "The smaller of two ends is no greater than either, and the larger is no less.",
    rlimit: 100_000,
    unknowns: { a: "any", b: "any" },
    hypotheses: [],
    instead,
    claim: (bench) => {
      const { smaller, larger } = bench.ideal.module("centre/enclosure");
      const of = (f: unknown): string => textOf(termOf(called(f, end(bench, "a"), end(bench, "b"))));
      const [low, high] = [of(smaller), of(larger)];
      return `(and (<= ${low} a) (<= ${low} b) (<= a ${high}) (<= b ${high}))`;
    },
    faults: [
      planted(
        "greater",
        "the smaller is the larger.",
        "const smaller = (x, y) => (mpfr.mpfr_lessequal_p(x, y) !== 0 ? x : y)",
        "const smaller = (x, y) => (mpfr.mpfr_lessequal_p(x, y) !== 0 ? y : x)",
      ),
    ],
  }),
  stepOf({
    id: "intervals/negative",
    statement: "The negative of an enclosure holds the negatives of what it holds.",
    rlimit: 100_000,
    ...one,
    claim: (bench) => holding(on(bench, "negative", x(bench)), "(- x)"),
    faults: [
      planted(
        "not-turned",
        "its ends are not exchanged.",
        "negative: (x) => ends.decreasing(mpfr.mpfr_neg, x)",
        "negative: (x) => ends.increasing(mpfr.mpfr_neg, x)",
      ),
    ],
  }),
  stepOf({
    id: "intervals/hull",
    statement: "The hull of two enclosures holds what either holds.",
    rlimit: 200_000,
    unknowns: { ...two.unknowns, z: "any" },
    hypotheses: [{ name: "either", formula: "(or (and (<= xl z) (<= z xh)) (and (<= yl z) (<= z yh)))" }],
    instead,
    claim: (bench) => holding(called(got(enclosures(bench.ideal), "hull"), x(bench), y(bench)), "z"),
    faults: [
      planted(
        "meet",
        "it is what both hold.",
        "{ low: smaller(x.low, y.low), high: larger(x.high, y.high) }",
        "{ low: larger(x.low, y.low), high: smaller(x.high, y.high) }",
      ),
      planted(
        "one-high",
        "the upper end is the first one's.",
        "high: larger(x.high, y.high) }",
        "high: x.high }",
      ),
    ],
  }),
  stepOf({
    id: "intervals/select",
    statement: "Where a condition is not known the choice holds what either side holds.",
    rlimit: 200_000,
    unknowns: { ...two.unknowns, z: "any" },
    hypotheses: [{ name: "either", formula: "(or (and (<= xl z) (<= z xh)) (and (<= yl z) (<= z yh)))" }],
    instead,
    claim: (bench) => holding(on(bench, "select", undefined, x(bench), y(bench)), "z"),
    faults: [
      planted(
        "first",
        "the first side is taken.",
        "condition === undefined ? ends.hull(x, y) : condition",
        "condition === undefined ? x : condition",
      ),
    ],
  }),
  stepOf({
    id: "intervals/half",
    statement: "Half of an enclosure holds half of what it holds.",
    rlimit: 500_000,
    ...one,
    claim: (bench) => holding(called(got(enclosures(bench.ideal), "half"), x(bench)), "(* 0.5 x)"),
    faults: [
      planted(
        "quarter",
        "it is a quarter.",
        "const half = ends.literal(0.5)",
        "const half = ends.literal(0.25)",
        { x: "4.0", xl: "0.0", xh: "4.0" },
      ),
    ],
  }),
  stepOf({
    id: "intervals/increasing",
    statement: "The enclosure of a function that increases holds its values.",
    rlimit: 100_000,
    ...one,
    claim: (bench) => holding(on(bench, "exp", x(bench)), textOf(bench.growing("f", bench.unknown("x")))),
    faults: [
      planted(
        "swapped",
        "the ends are exchanged.",
        "this.between(this.apply(f, low, DOWN), this.apply(f, high, UP))",
        "this.between(this.apply(f, high, DOWN), this.apply(f, low, UP))",
        { x: "1.0", xl: "1.0", xh: "4.0" },
      ),
      planted(
        "unrounded",
        "the upper end is rounded downwards.",
        "this.between(this.apply(f, low, DOWN), this.apply(f, high, UP))",
        "this.between(this.apply(f, low, DOWN), this.apply(f, high, DOWN))",
        { x: "(/ 1.0 8.0)", xl: "(/ 1.0 8.0)", xh: "(/ 1.0 8.0)" },
      ),
    ],
  }),
  stepOf({
    id: "intervals/decreasing",
    statement: "The enclosure of a function that decreases holds its values.",
    rlimit: 100_000,
    ...one,
    claim: (bench) =>
      holding(on(bench, "acos", x(bench)), `(- ${textOf(bench.growing("f", bench.unknown("x")))})`),
    faults: [
      planted(
        "swapped",
        "the ends are not exchanged.",
        "this.between(this.apply(f, high, DOWN), this.apply(f, low, UP))",
        "this.between(this.apply(f, low, DOWN), this.apply(f, high, UP))",
        { x: "1.0", xl: "1.0", xh: "4.0" },
      ),
    ],
  }),
  stepOf({
    id: "intervals/even",
    statement:
      "The enclosure of an even function that increases in size holds its values, on both sides of 0.",
    rlimit: 500_000,
    ...one,
    claim: (bench) =>
      holding(
        on(bench, "cosh", x(bench)),
        textOf(bench.growing("f", called(bench.host.math.abs, bench.unknown("x")))),
      ),
    faults: [
      planted(
        "not-turned",
        "a negative side is not turned.",
        "if (!isNegative(flipped.low)) return flipped;",
        "if (!isNegative(flipped.low)) return x;",
        { x: "(- 1.0)", xl: "(- 4.0)", xh: "(- 1.0)" },
      ),
      planted(
        "one-side",
        "the upper end is the positive side's.",
        "high: larger(x.high, flipped.high) }",
        "high: x.high }",
        { x: "(- 4.0)", xl: "(- 4.0)", xh: "1.0" },
      ),
      planted(
        "not-zero",
        "what lies about 0 begins at its end.",
        "return { low: this.zero.low, high: larger",
        "return { low: smaller(x.high, flipped.high), high: larger",
        { x: "0.0", xl: "(- 4.0)", xh: "4.0" },
      ),
    ],
  }),
  stepOf({
    id: "intervals/wave",
    statement:
      "The enclosure of a sine holds it: it moves no more than its argument, and stays within −1 and 1.",
    rlimit: 1_000_000,
    unknowns: { ...one.unknowns, wl: "any", w: "any" },
    hypotheses: [
      ...one.hypotheses,
      {
        name: "sine",
        formula:
          "(and (<= (- 1.0) wl) (<= wl 1.0) (<= (- 1.0) w) (<= w 1.0) (<= (- w wl) (- x xl)) (<= (- wl w) (- x xl)))",
      },
    ],
    instead,
    // At a point the sine is that of the point.
    claim: (bench) => `(=> (=> (= xl xh) (= w wl)) ${holding(on(bench, "sin", x(bench)), "w")})`,
    faults: [
      planted(
        "no-width",
        "its width is left out.",
        "const high = this.combine(mpfr.mpfr_add, this.apply(f, x.low, UP), width, UP)",
        "const high = this.apply(f, x.low, UP)",
        { xl: "0.0", xh: "1.0", x: "1.0", wl: "0.0", w: "0.5" },
      ),
      planted(
        "half-width",
        "it moves half as much.",
        "mpfr.mpfr_sub, x.high, x.low, UP",
        "mpfr.mpfr_sub, x.high, x.high, UP",
        { xl: "0.0", xh: "1.0", x: "1.0", wl: "0.0", w: "0.5" },
      ),
      planted(
        "less",
        "the lower end is −1 or less.",
        "low: larger(low, this.apply(mpfr.mpfr_neg, this.one.low, DOWN))",
        "low: larger(low, this.one.low)",
        { xl: "0.0", xh: "1.0", x: "1.0", wl: "0.0", w: "0.5" },
      ),
    ],
  }),
  stepOf({
    id: "intervals/less",
    statement: "Where enclosures tell which number is less, it is.",
    rlimit: 200_000,
    ...two,
    claim: (bench) => {
      const found = on(bench, "less", x(bench), y(bench));
      return found === undefined ? "true" : found === true ? "(< x y)" : "(not (< x y))";
    },
    faults: [
      planted(
        "low-ends",
        "the lower end of one is compared.",
        "mpfr.mpfr_less_p(x.high, y.low) !== 0) return true",
        "mpfr.mpfr_less_p(x.low, y.low) !== 0) return true",
      ),
      planted(
        "overlap",
        "what overlaps is not less.",
        "mpfr.mpfr_lessequal_p(y.high, x.low) !== 0 ? false : undefined",
        "mpfr.mpfr_lessequal_p(y.low, x.low) !== 0 ? false : undefined",
      ),
    ],
  }),
  stepOf({
    id: "intervals/equal",
    statement: "Where enclosures tell whether numbers are equal, they are.",
    rlimit: 200_000,
    ...two,
    claim: (bench) => {
      const found = on(bench, "equal", x(bench), y(bench));
      return found === undefined ? "true" : found === true ? "(= x y)" : "(not (= x y))";
    },
    faults: [
      planted(
        "one-point",
        "it is enough that one is a point.",
        "isPoint(x) && isPoint(y)) return",
        "isPoint(x) || isPoint(y)) return",
      ),
      planted(
        "touching",
        "what touches is apart.",
        "isApart = mpfr.mpfr_less_p(x.high, y.low) !== 0",
        "isApart = mpfr.mpfr_lessequal_p(x.high, y.low) !== 0",
      ),
    ],
  }),
  stepOf({
    id: "intervals/ball",
    statement:
      "What an enclosure holds is within the slack of its middle in float64, though both are rounded.",
    rlimit: 2_000_000,
    ...one,
    claim: (bench) => {
      const centre = called(bench.rounding.module("centre/enclosure").enclosureCentre, arena);
      const found = called(got(centre, "ball"), x(bench));
      const [value, slack] = [got(found, "value"), got(found, "slack")];
      return `(<= ${size(`(- x ${textOf(value)})`)} ${textOf(slack)})`;
    },
    faults: [
      planted(
        "inwards",
        "the ends are rounded inwards.",
        "[mpfr.mpfr_get_d(x.low, DOWN), mpfr.mpfr_get_d(x.high, UP)]",
        "[mpfr.mpfr_get_d(x.low, UP), mpfr.mpfr_get_d(x.high, DOWN)]",
        { x: "(/ 1.0 3.0)", xl: "(/ 1.0 3.0)", xh: "(/ 1.0 3.0)" },
      ),
      planted(
        "less",
        "the lesser of both distances is taken.",
        "Math.max(high - near, near - low)",
        "Math.min(high - near, near - low)",
      ),
      planted(
        "unrounded",
        "what float64 rounds off is not made up for.",
        "Math.max(high - near, near - low) * UPWARDS",
        "Math.max(high - near, near - low)",
        { xl: "(- 0.25)", xh: "1.0", x: "1.0" },
      ),
    ],
  }),
];

/** States that enclosures hold what is true of whatever their operands hold. */
export function intervalObligations(): readonly Obligation[] {
  return steps.map(stepObligation);
}
