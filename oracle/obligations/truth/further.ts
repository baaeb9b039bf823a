import { InvariantError } from "../../../spec/shapes/index.ts";
import type { Obligation } from "../obligation.ts";
import { called, got, method, type Names } from "./code.ts";
import {
  bounding,
  centreOf,
  contracts,
  faultsIn,
  formatUnknowns,
  roundingNothing,
  standardOf,
  stepOf,
  type Tools,
  within,
} from "./operands.ts";
import type { Sign } from "./run.ts";
import { type Bench, type Step, stepObligation, textOf } from "./step.ts";

const inBounded = faultsIn("bound/bounded");
const inAlgebra = faultsIn("bound/algebra");
const inHistory = faultsIn("bound/history");

const errorOf = (x: unknown): unknown => got(x, "error");

/** An engine's number is off by `a`, up to `E`, from the truth `x`, and then moved by `r`. */
const movedUnknowns = { x: "any", Sx: "size", x_: "any", dx: "size", m: "size", r: "any" } as const;
const number = ({ unknown }: Tools, more: Names = {}): Names => ({
  centre: "x",
  error: unknown("dx"),
  magnitude: unknown("m"),
  terms: 1,
  grain: 0,
  ...more,
});
const moved = {
  unknowns: movedUnknowns,
  hypotheses: [
    { name: "honest", formula: within("x_", "dx") },
    { name: "sized", formula: "(<= (ite (< (+ x x_) 0.0) (- (+ x x_)) (+ x x_)) m)" },
  ],
} as const;

/** Says that a number, moved, is within its error and no larger than its magnitude. */
const keeps = (found: unknown): string =>
  bounding(
    errorOf(found),
    (error) => `(and ${within("(+ x_ r)", error)} ${within("(+ x x_ r)", textOf(got(found, "magnitude")))})`,
  );

const loosened = stepOf({
  id: "bounded/loosened",
  statement:
    "A number that may be off by some ulps more, on each of its terms, is within the bound that is loosened so, in float64's roundings too.",
  rlimit: 2_000_000,
  ...moved,
  unknowns: { ...movedUnknowns, u: "positive", eta: "positive" },
  claim(bench) {
    const found = called(bench.ideal.module("bound/bounded").loosened, standardOf(bench), number(bench), 3);
    return `(=> ${within("r", "(* 6.0 u m)")} ${keeps(found)})`;
  },
  faults: [
    inBounded(
      "one-unit",
      "an ulp is one unit of rounding.",
      "const extra =\n    2 *\n    ulps *",
      "const extra =\n    ulps *",
      { u: "0.125", m: "1.0", x: "1.0", x_: "0.0", dx: "0.0", r: "0.75" },
    ),
    inBounded(
      "error-lost",
      "its own error is left out.",
      "[(x.error + extra) * UPWARDS, (x.magnitude + extra) * UPWARDS]",
      "[extra * UPWARDS, (x.magnitude + extra) * UPWARDS]",
      { u: "0.125", m: "1.0", x: "0.0", x_: "1.0", dx: "1.0", r: "0.75" },
    ),
    inBounded(
      "size-kept",
      "its size is as before.",
      "[(x.error + extra) * UPWARDS, (x.magnitude + extra) * UPWARDS]",
      "[(x.error + extra) * UPWARDS, x.magnitude]",
      { u: "0.125", m: "1.0", x: "1.0", x_: "0.0", dx: "0.0", r: "0.75" },
    ),
  ],
});

const enlarged = stepOf({
  id: "bounded/enlarged",
  statement:
    "A number that is moved by at most so much is within the bound that is enlarged so, though float64 rounds it.",
  rlimit: 500_000,
  ...moved,
  unknowns: { ...movedUnknowns, by: "size" },
  claim(bench) {
    const found = called(bench.rounding.module("bound/bounded").enlarged, number(bench), bench.unknown("by"));
    return `(=> ${within("r", "by")} ${keeps(found)})`;
  },
  faults: [
    inBounded(
      "lost",
      "what it is moved by is left out.",
      "error: (x.error + by) * UPWARDS",
      "error: x.error * UPWARDS",
      { x: "0.0", x_: "1.0", dx: "1.0", m: "1.0", by: "1.0", r: "1.0" },
    ),
    inBounded(
      "unrounded",
      "what float64 rounds off is not made up for.",
      "magnitude: (x.magnitude + by) * UPWARDS,\n    terms: Math.max",
      "magnitude: x.magnitude + by,\n    terms: Math.max",
      { x: "3.0", x_: "0.0", dx: "0.0", m: "3.0", by: "1.0", r: "1.0" },
    ),
    inBounded(
      "greater",
      "the greater of both is taken.",
      "error: (x.error + by) * UPWARDS",
      "error: Math.max(x.error, by) * UPWARDS",
      { x: "0.0", x_: "1.0", dx: "1.0", m: "1.0", by: "1.0", r: "1.0" },
    ),
  ],
});

/** The rounding of one result is a step of its own; here it is any number up to `rho`. */
const roundsOnce = ({ unknown, host }: Tools): Names => ({
  rounded: (_centre: unknown, _standard: unknown, centre: unknown, error: unknown, units: unknown) => ({
    centre,
    error: called(host.operators.add, error, called(host.operators.multiply, units, unknown("rho"))),
    magnitude: unknown("m"),
  }),
});

const displaced = stepOf({
  id: "bounded/displaced",
  statement:
    "A number that is moved by at most so much, and not rounded again, is off by that besides its radius.",
  rlimit: 200_000,
  unknowns: { ...movedUnknowns, Sx: "any", dx: "any", m: "any", by: "any", rho: "any" },
  hypotheses: [{ name: "honest", formula: within("x_", "dx") }],
  instead: (tools) => ({ ...contracts(tools), ...roundsOnce(tools) }),
  claim(bench) {
    const { displaced: code } = bench.ideal.module("bound/bounded");
    const found = called(
      code,
      centreOf(),
      standardOf({ ...bench, unknown: () => 0 }),
      number(bench),
      bench.unknown("by"),
    );
    return `(=> ${within("r", "by")} ${bounding(errorOf(found), (error) => within("(+ x_ r)", error))})`;
  },
  faults: [
    inBounded("instead", "it is off by that alone.", "radius(centre, standard, x) + by, 0)", "by, 0)", {
      x: "0.0",
      x_: "1.0",
      dx: "1.0",
      by: "1.0",
      r: "1.0",
    }),
  ],
});

const narrowed = stepOf({
  id: "bounded/narrowed",
  statement:
    "A sum that is held in a wider format and rounded once to the narrow one, or two such sums that are rounded each and then added, are within the narrowed bound.",
  rlimit: 3_000_000,
  unknowns: {
    ...movedUnknowns,
    ...formatUnknowns,
    rho: "positive",
    p: "any",
    q: "any",
    a: "size",
    b: "size",
  },
  hypotheses: [
    { name: "honest", formula: within("x_", "dx") },
    { name: "sizes_of_sums", formula: "(<= (+ a b) (+ m dx))" },
    {
      name: "narrow",
      formula: `(and ${within("p", "(+ (* u a) eta)")} ${within("q", "(+ (* u b) eta)")} ${within("r", "rho")})`,
    },
  ],
  instead: (tools) => ({ ...contracts(tools), ...roundsOnce(tools), isExact: () => false }),
  claim(bench) {
    const { narrowed: code } = bench.ideal.module("bound/bounded");
    const narrow = (meets: boolean): string =>
      bounding(
        errorOf(called(code, centreOf(), standardOf(bench), roundingNothing, number(bench), meets)),
        (error) => within(meets ? "(+ x_ p q r)" : "(+ x_ r)", error),
      );
    return `(and ${narrow(true)} ${narrow(false)})`;
  },
  faults: [
    inBounded(
      "met-once",
      "of two sums that meet one is rounded.",
      "unitRoundoff * size + 2 * underflow",
      "unitRoundoff * 0.5 * size + 2 * underflow",
      {
        u: "0.125",
        eta: "0.125",
        m: "8.0",
        a: "8.0",
        b: "0.0",
        p: "1.0",
        x_: "0.0",
        dx: "0.0",
        rho: "0.125",
        r: "0.125",
        q: "0.125",
        x: "8.0",
      },
    ),
    inBounded(
      "wide-lost",
      "what the wide format loses is left out.",
      "(error + both) * UPWARDS, 1)",
      "both * UPWARDS, 1)",
      {
        u: "0.125",
        eta: "0.125",
        m: "0.0",
        a: "0.0",
        b: "0.0",
        p: "0.0",
        q: "0.0",
        x_: "8.0",
        dx: "8.0",
        rho: "0.125",
        r: "0.0",
      },
    ),
    inBounded(
      "underflow-once",
      "of two sums that meet one may be tiny.",
      "unitRoundoff * size + 2 * underflow",
      "unitRoundoff * size + underflow",
      {
        u: "0.125",
        eta: "1.0",
        m: "0.0",
        a: "0.0",
        b: "0.0",
        p: "1.0",
        q: "1.0",
        x_: "0.0",
        dx: "0.0",
        rho: "0.125",
        r: "0.125",
      },
    ),
  ],
});

const hull = stepOf({
  id: "algebra/select",
  statement:
    "Where an engine may choose either of two numbers, the chosen one is within the bound of what is true of either.",
  rlimit: 5_000_000,
  unknowns: {
    x: "any",
    x_: "any",
    dx: "size",
    Sx: "size",
    y: "any",
    y_: "any",
    dy: "size",
    Sy: "size",
    m: "any",
    Sz: "size",
  },
  hypotheses: [
    { name: "honest", formula: `(and ${within("x_", "dx")} ${within("y_", "dy")})` },
    { name: "middle", formula: `(and (= (* 2.0 m) (+ x y)) ${within("(- x y)", "Sz")})` },
  ],
  instead: contracts,
  claim(bench) {
    const { hullOf } = bench.ideal.module("bound/algebra");
    const of = (x: string): Names => ({ centre: x, error: 0, magnitude: 0, terms: 1, grain: 0 });
    const found = called(hullOf, { ...centreOf(), midpoint: () => "z" }, roundingNothing, of("x"), of("y"));
    return bounding(
      errorOf(found),
      (error) => `(and ${within("(- (+ x x_) m)", error)} ${within("(- (+ y y_) m)", error)})`,
    );
  },
  faults: [
    inAlgebra(
      "half-lost",
      "half of the distance is left out.",
      "(half + Math.max(radius",
      "(Math.max(radius",
    ),
    inAlgebra(
      "quarter",
      "a quarter of the distance is taken.",
      "differenceOf(centre, p.centre, q.centre)) / 2",
      "differenceOf(centre, p.centre, q.centre)) / 4",
    ),
    inAlgebra(
      "lesser",
      "the lesser radius is taken.",
      "Math.max(radius(centre, standard, p), radius(centre, standard, q))",
      "Math.min(radius(centre, standard, p), radius(centre, standard, q))",
    ),
  ],
});

const isFloor = (whole: string, of: string): string =>
  `(and (is_int ${whole}) (<= ${whole} ${of}) (< ${of} (+ ${whole} 1.0)))`;

const floor = stepOf({
  id: "algebra/floor",
  statement:
    "The floor of an engine's number is that of the true one where it is certain, and within the bound elsewhere.",
  metaArgument: "Floors move along with integers, so that of the truth is 0.",
  logic: "QF_LIRA",
  rlimit: 200_000,
  unknowns: {
    x: "any",
    x_: "any",
    dx: "size",
    whole: "any",
    f: "any",
    vz: "any",
    sz: "size",
    Sz: "size",
    Sx: "size",
  },
  hypotheses: [
    { name: "honest", formula: within("x_", "dx") },
    {
      name: "floors",
      formula: `(and (= whole 0.0) (<= 0.0 x) (< x 1.0) ${isFloor("f", "(+ x x_)")} ${within("(- (- x whole) vz)", "sz")})`,
    },
  ],
  instead: (tools) => ({ ...contracts(tools), differenceOf: () => "difference", holding: () => 0 }),
  claim(bench) {
    const { floorOf } = bench.ideal.module("bound/algebra");
    const centre = centreOf(() => ({ value: bench.unknown("vz"), slack: bench.unknown("sz") }));
    const found = called(floorOf, centre, roundingNothing, {
      centre: "x",
      error: 0,
      magnitude: 0,
      terms: 1,
      grain: 0,
    });
    return bounding(errorOf(found), (error) => within("(- f whole)", error));
  },
  faults: [
    inAlgebra(
      "below-alone",
      "the integer above is forgotten.",
      "Math.min(above, 1 - above) > (reach + slack) * UPWARDS",
      "above > (reach + slack) * UPWARDS",
      { x: "0.75", x_: "0.5", dx: "0.5", vz: "0.75", sz: "0.0", whole: "0.0" },
    ),
    inAlgebra(
      "one-less",
      "an uncertain one is off by what it reaches.",
      "isCertain ? 0 : 1 + Math.ceil(reach)",
      "isCertain ? 0 : Math.floor(reach)",
      { x: "0.75", x_: "0.5", dx: "0.5", vz: "0.75", sz: "0.0", whole: "0.0" },
    ),
  ],
});

/**
 * Slopes are between truth and engine: what is true of a product and a quotient of numbers `x`, `y` and
 * others.
 */
const point = ({ unknown }: Tools, x: string): Names => ({ value: unknown(x), slack: 0 });

const secants = stepOf({
  id: "secants/product",
  statement: "A product moves by its slopes times what its operands move by, exactly.",
  rlimit: 500_000,
  unknowns: { x: "any", y: "any", x_: "any", y_: "any" },
  hypotheses: [],
  claim(bench) {
    const { add } = bench.host.operators;
    const hat = (x: string): Names => ({
      value: called(add, bench.unknown(x), bench.unknown(`${x}_`)),
      slack: 0,
    });
    const found = called(
      bench.ideal.module("bound/secants").slopesOfProduct,
      point(bench, "x"),
      point(bench, "y"),
      hat("x"),
      hat("y"),
    );
    const [byX, byY] = ["0", "1"].map((place) => textOf(got(found, place, "value")));
    return `(= (- (* (+ x x_) (+ y y_)) (* x y)) (+ (* ${byX} x_) (* ${byY} y_)))`;
  },
  faults: [
    {
      name: "both-true",
      fault: "both slopes are taken at the truth.",
      file: "bound/secants",
      from: "slopesOfProduct(_x, y, xHat) {\n  return [y, xHat];",
      to: "slopesOfProduct(_x, y, xHat) {\n  return [y, _x];",
    },
    {
      name: "swapped",
      fault: "the slopes are swapped.",
      file: "bound/secants",
      from: "return [y, xHat];",
      to: "return [xHat, y];",
    },
  ],
});

const quotientSecants = stepOf({
  id: "secants/quotient",
  statement: "A quotient moves by its slopes times what its operands move by, exactly.",
  rlimit: 5_000_000,
  unknowns: { x: "any", y: "any", x_: "any", y_: "any", z: "any", w: "any" },
  hypotheses: [
    {
      name: "quotients",
      formula: "(and (= (* z y) x) (= (* w (+ y y_)) (+ x x_)) (not (= y 0.0)) (not (= (+ y y_) 0.0)))",
    },
  ],
  instead: () => ({ rounded: (value: unknown) => ({ value, slack: 0 }), isExactProduct: () => true }),
  claim(bench) {
    const { add } = bench.host.operators;
    const hat = { value: called(add, bench.unknown("y"), bench.unknown("y_")), slack: 0 };
    const found = called(bench.ideal.module("bound/secants").slopesOfQuotient, point(bench, "z"), hat);
    const [byX, byY] = ["0", "1"].map((place) => textOf(got(found, place, "value")));
    return `(= (- w z) (+ (* ${byX} x_) (* ${byY} y_)))`;
  },
  faults: [
    {
      name: "signed",
      fault: "the divisor's slope has the other sign.",
      file: "bound/secants",
      from: "[slope, balls.negative(balls.multiply(quotient, slope))]",
      to: "[slope, balls.multiply(quotient, slope)]",
    },
    {
      name: "no-quotient",
      fault: "the divisor's slope is not times the quotient.",
      file: "bound/secants",
      from: "[slope, balls.negative(balls.multiply(quotient, slope))]",
      to: "[slope, balls.negative(slope)]",
    },
  ],
});

/**
 * Notes three steps, of which each reads earlier ones by these slopes, and bounds what the last deviates by.
 */
function deviationOf(
  bench: Bench,
  slopes: readonly (readonly (readonly [step: number, slope: string])[])[],
): string {
  const { History } = bench.ideal.module("bound/history");
  if (typeof History !== "function") throw new InvariantError("there is no history");
  const made: unknown = Reflect.construct(History, []);
  for (const [step, reads] of slopes.entries()) {
    const influences = reads.map(([read, slope]) => ({
      step: read,
      slope: { value: bench.unknown(slope), slack: 0 },
      size: called(bench.host.math.abs, bench.unknown(slope)),
    }));
    called(method(made, "append"), bench.unknown(`e${step}`), 0, influences);
  }
  return textOf(got(called(method(made, "deviation"), slopes.length - 1), "engine"));
}

const ownErrors = {
  name: "own_errors",
  formula: `(and ${within("d0", "e0")} ${within("r1", "e1")} ${within("r2", "e2")})`,
};
const historyUnknowns: Readonly<Record<string, Sign>> = {
  e0: "size",
  e1: "size",
  e2: "size",
  d0: "any",
  r1: "any",
  r2: "any",
};

const NOTED =
  "A history is a linear system, in which each step's own error is weighed along all ways to the last: one after the other, or beside each other.";

const chain = stepOf({
  id: "history/chain",
  statement:
    "In a chain the deviation is at most each step's own error times the slopes of all steps behind it.",
  metaArgument: NOTED,
  rlimit: 1_500_000,
  tier: "long",
  unknowns: { ...historyUnknowns, a: "any", c: "any" },
  hypotheses: [ownErrors],
  claim: (bench) => within("(+ (* c (+ (* a d0) r1)) r2)", deviationOf(bench, [[], [[0, "a"]], [[1, "c"]]])),
  faults: [
    inHistory(
      "no-size",
      "a step's error is not weighed.",
      "total = (total + read * size * at(this.#own, operand)) * UPWARDS",
      "total = (total + read * at(this.#own, operand)) * UPWARDS",
    ),
    inHistory(
      "own-lost",
      "the step's own error is left out.",
      "let total = this.#own[step] ?? 0",
      "let total = 0",
    ),
    inHistory(
      "not-followed",
      "what a step reads is not followed.",
      "(Math.abs(weight) + width) * size) * UPWARDS + UNDERFLOWS",
      "width * size) * UPWARDS + UNDERFLOWS",
    ),
  ],
});

const ways = stepOf({
  id: "history/two_ways",
  statement:
    "Where a number is read directly and by way of another step, its error is weighed for each reader.",
  metaArgument: NOTED,
  rlimit: 1_500_000,
  tier: "long",
  unknowns: { ...historyUnknowns, b: "any", c: "any" },
  hypotheses: [ownErrors],
  claim: (bench) =>
    within(
      "(+ (* b d0) (* c r1) r2)",
      deviationOf(bench, [
        [],
        [],
        [
          [0, "b"],
          [1, "c"],
        ],
      ]),
    ),
  faults: [
    inHistory(
      "one-edge",
      "one operand is followed.",
      "for (let edge = this.#begins[reader] ?? 0; edge < end; edge++)",
      "for (let edge = this.#begins[reader] ?? 0; edge < end; edge += 2)",
    ),
    inHistory(
      "begins-late",
      "the first operand is left out.",
      "let edge = this.#begins[reader] ?? 0",
      "let edge = (this.#begins[reader] ?? 0) + 1",
    ),
  ],
});

/** States the steps beside arithmetic: bounds that are moved, choices and histories. */
export function furtherObligations(): readonly Obligation[] {
  const steps: readonly Step[] = [
    loosened,
    enlarged,
    displaced,
    narrowed,
    hull,
    floor,
    secants,
    quotientSecants,
    chain,
    ways,
  ];
  return steps.map(stepObligation);
}
