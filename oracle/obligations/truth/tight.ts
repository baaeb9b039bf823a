import type { Obligation } from "../obligation.ts";
import { called, got, type Names } from "./code.ts";
import {
  centreOf,
  contracts,
  faultsIn,
  formatUnknowns,
  is,
  known,
  numberOf,
  operation,
  roundingNothing,
  size,
  standardOf,
  stepOf,
  type Tools,
} from "./operands.ts";
import type { Sign } from "./run.ts";
import { type Bench, type Step, stepObligation } from "./step.ts";

const inAlgebra = faultsIn("bound/algebra");
const inBounded = faultsIn("bound/bounded");
const inRadius = faultsIn("bound/radius");

const REACHED =
  "An engine whose operands are off by all that they may be, in the worse direction, and whose roundings are too, is off by as much. What the code adds for its own roundings, factors of 1 + 2⁻⁴⁸, is left out.";

/** States that a bound is no more than some honest engine is off by. */
const tight = (step: Parameters<typeof stepOf>[0]): Step =>
  stepOf({ metaArgument: REACHED, ...step, id: `tight/${step.id}` });

const passedOn = (tools: Tools): Names => ({
  ...contracts(tools),
  rounded: (_centre: unknown, _standard: unknown, centre: unknown, error: unknown) => ({ centre, error }),
});

const sizes = (...names: readonly string[]): Readonly<Record<string, Sign>> =>
  Object.fromEntries(names.map((name) => [name, "size"]));

const multiply = tight({
  id: "multiply",
  statement:
    "What a product's operands pass on is what two numbers pass on that are as large, and off by as much, as they may be.",
  rlimit: 200_000,
  unknowns: sizes("Sx", "dx", "Sy", "dy"),
  hypotheses: [],
  instead: passedOn,
  claim: (bench) =>
    is(
      operation(
        bench,
        "field",
        "multiply",
        centreOf(),
        roundingNothing,
      )(numberOf(bench, "x"), numberOf(bench, "y")),
      "error",
      "(- (* (+ Sx dx) (+ Sy dy)) (* Sx Sy))",
    ),
  faults: [
    inAlgebra("twice", "both errors count twice.", "+ dp * dq", "+ 2 * dp * dq"),
    inAlgebra(
      "farther",
      "an operand counts with its error.",
      "sizeOf(centre, p.centre) * dq + sizeOf",
      "(sizeOf(centre, p.centre) + dp) * dq + sizeOf",
    ),
  ],
});

const divide = tight({
  id: "divide",
  statement:
    "What a quotient's operands pass on is known where the divisor cannot be 0, and is what the dividend's error, and the quotient times the divisor's, are over the least divisor.",
  rlimit: 500_000,
  unknowns: { ...sizes("dx", "Sx", "Sy", "Sz", "dy", "sy"), vy: "any" },
  hypotheses: [{ name: "away", formula: `(< (+ sy dy) ${size("vy")})` }],
  instead: passedOn,
  claim(bench) {
    const divisor = centreOf(() => ({ value: bench.unknown("vy"), slack: bench.unknown("sy") }));
    const divided = operation(bench, "field", "divide", divisor, roundingNothing);
    return known(
      got(divided(numberOf(bench, "x"), numberOf(bench, "y")), "error"),
      (error) => `(= (* ${error} (- ${size("vy")} sy dy)) (+ dx (* Sz dy)))`,
    );
  },
  faults: [
    inAlgebra("room", "the divisor's error counts twice.", "/ UPWARDS - dq", "/ UPWARDS - 2 * dq", {
      vy: "4.0",
      sy: "0.0",
      dy: "1.0",
      dx: "1.0",
      Sz: "1.0",
    }),
    inAlgebra("slack", "the divisor's slack counts twice.", "- divisor.slack)", "- 2 * divisor.slack)", {
      vy: "4.0",
      sy: "1.0",
      dy: "1.0",
      dx: "1.0",
      Sz: "1.0",
    }),
    inAlgebra(
      "dividend",
      "the dividend's error counts twice.",
      "(p.error + sizeOf",
      "(2 * p.error + sizeOf",
      {
        vy: "4.0",
        sy: "0.0",
        dy: "0.0",
        dx: "1.0",
        Sz: "1.0",
      },
    ),
  ],
});

const dividedTerms = tight({
  id: "divided_terms",
  statement:
    "A sum that may be divided term by term is off by what its terms pass on, and by a rounding of each of them.",
  rlimit: 500_000,
  unknowns: { ...formatUnknowns, ...sizes("e", "m", "dq", "s", "p"), room: "positive" },
  hypotheses: [{ name: "quotients", formula: "(and (= (* s room) (+ m e)) (= (* p room) (+ e (* s dq))))" }],
  claim(bench) {
    const { unknown } = bench;
    const sum = { error: unknown("e"), magnitude: unknown("m"), terms: 3 };
    const found = called(
      bench.ideal.module("bound/algebra").dividedTerms,
      standardOf(bench),
      sum,
      "z",
      ...["room", "dq"].map((name) => unknown(name)),
      2,
    );
    const total = "(+ p (* 2.0 u (+ s p)) (* 3.0 eta))";
    return `(and ${is(found, "error", total)} ${is(found, "magnitude", `(+ s ${total})`)} ${is(found, "terms", "3.0")})`;
  },
  faults: [
    inAlgebra("underflow", "an underflow more is counted.", "terms * (underflow", "(terms + 1) * (underflow"),
    inAlgebra("twice", "the rounding counts twice.", "? units * unitRoundoff", "? 2 * units * unitRoundoff", {
      e: "0.0",
      m: "1.0",
      room: "1.0",
      dq: "0.0",
      u: "0.125",
    }),
    inAlgebra(
      "reached",
      "the size is less than what is reached.",
      "(size + total) * UPWARDS",
      "(size - total) * UPWARDS",
    ),
  ],
});

const add = tight({
  id: "add",
  statement: "A sum's error, size and number of terms are the sums of those of its operands.",
  rlimit: 100_000,
  unknowns: { dx: "any", Sx: "any", dy: "any", Sy: "any" },
  hypotheses: [],
  claim(bench) {
    const plus = operation(bench, "field", "add", centreOf(), roundingNothing);
    const sum = plus(numberOf(bench, "x", { terms: 2 }), numberOf(bench, "y", { terms: 3 }));
    const kept = plus(numberOf(bench, "x"), { centre: "zero", error: 0, magnitude: 0, terms: 0, grain: 0 });
    const known = [is(sum, "error", "(+ dx dy)"), is(sum, "magnitude", "(+ Sx Sy)"), is(sum, "terms", "5.0")];
    return `(and ${known.join(" ")} ${is(kept, "error", "dx")} ${is(kept, "terms", "1.0")})`;
  },
  faults: [
    inAlgebra(
      "error",
      "an error counts twice.",
      ": (p.error + q.error) * UPWARDS",
      ": (p.error + 2 * q.error) * UPWARDS",
    ),
    inAlgebra(
      "size",
      "a size counts twice.",
      "(p.magnitude + q.magnitude) * UPWARDS",
      "(p.magnitude + 2 * q.magnitude) * UPWARDS",
    ),
  ],
});

const ball = ({ unknown }: Tools): Names => centreOf(() => ({ value: unknown("vz"), slack: unknown("sz") }));
const ballUnknowns = { vz: "any", sz: "size", Rz: "any" } as const;
const SIZE = `(+ ${size("vz")} sz)`;
const format = ({ unknown }: Tools): Names => ({
  formats: { float32: { round: () => unknown("Rz") } },
  grainOf: () => 0,
});
const held = "(and (= sz 0.0) (= Rz vz))";

const rounded = tight({
  id: "rounded",
  statement:
    "A rounded result is off by what its operands pass on, and by so many units of the binade that it may reach; by nothing if it is a number of the format that exact operands have.",
  rlimit: 1_000_000,
  unknowns: { ...ballUnknowns, ...formatUnknowns, P: "size", units: "positive" },
  hypotheses: [],
  instead: format,
  claim(bench) {
    const { ideal, unknown } = bench;
    const given = [ball(bench), standardOf(bench), "z", unknown("P"), unknown("units")];
    const found = called(ideal.module("bound/bounded").rounded, ...given);
    const reached = `(+ P (* units u ${bench.binade(`(+ ${SIZE} P)`)}) eta)`;
    return known(
      got(found, "error"),
      (error) =>
        `(and (= ${error} (ite (and (= P 0.0) (<= units 1.0) ${held}) 0.0 ${reached})) ${is(found, "magnitude", `(+ ${SIZE} ${error})`)})`,
    );
  },
  faults: [
    inRadius(
      "twice",
      "the rounding counts twice.",
      "return units * unitRoundoff",
      "return 2 * units * unitRoundoff",
    ),
    inRadius(
      "underflow",
      "an underflow counts twice.",
      "+ underflow + UNDERFLOWS",
      "+ 2 * underflow + UNDERFLOWS",
    ),
    inBounded(
      "one-unit",
      "a correctly rounded operation is never exact.",
      "propagated === 0 && units <= 1 && isHeld",
      "propagated === 0 && units < 1 && isHeld",
      { P: "0.0", units: "1.0" },
    ),
    inBounded(
      "reach",
      "the result may reach twice as far.",
      "size + propagated * UPWARDS",
      "2 * size + propagated * UPWARDS",
      {
        vz: "1.0",
        sz: "0.0",
        P: "0.0",
        Rz: "0.0",
        units: "1.0",
        u: "0.125",
      },
    ),
    inBounded(
      "size",
      "the size counts twice.",
      "const magnitude = (size + error) * UPWARDS",
      "const magnitude = (2 * size + error) * UPWARDS",
    ),
  ],
});

/** Returns the radius of a sum of so many terms. */
function radiusOf(bench: Bench, more: Names, standard: Names = {}): unknown {
  const { ideal, unknown } = bench;
  const sum = { centre: "z", error: unknown("E"), magnitude: unknown("M"), terms: 2, grain: 0, ...more };
  return called(ideal.module("bound/radius").radius, ball(bench), standardOf(bench, standard), sum);
}

const few = tight({
  id: "radius_of_two",
  statement:
    "The radius of two terms is their error and one rounding in the binade that the sum may reach, or nothing where exact terms have a sum of the format; of one term, and of terms that are held exactly, it is their error.",
  rlimit: 500_000,
  unknowns: { ...ballUnknowns, ...formatUnknowns, E: "size", M: "size" },
  hypotheses: [],
  instead: format,
  claim(bench) {
    const reached = `(+ E (* u ${bench.binade(`(+ ${SIZE} E)`)}))`;
    const two = known(
      radiusOf(bench, {}),
      (bound) => `(= ${bound} (ite (and (= E 0.0) ${held}) 0.0 ${reached}))`,
    );
    const others = [{ terms: 1 }, { grain: 1 }].map((more) =>
      known(radiusOf(bench, more), (bound) => `(= ${bound} E)`),
    );
    return `(and ${two} ${others.join(" ")})`;
  },
  faults: [
    inRadius("one-term", "one term is rounded once more.", "terms < 2 || grain > 0", "grain > 0"),
    inRadius("grain", "what is held exactly is rounded.", "terms < 2 || grain > 0", "terms < 2"),
    inRadius(
      "held",
      "a sum of the format is rounded.",
      "terms === 2 && error === 0 && isHeld(standard, centre.ball(x.centre))",
      "false",
    ),
    inRadius(
      "twice",
      "the rounding counts twice.",
      "(before + u * binadeOf(sizeOf",
      "(before + 2 * u * binadeOf(sizeOf",
    ),
  ],
});

const many = tight({
  id: "radius_of_many",
  statement:
    "The radius of four terms is their error, γ of two of their sizes, what three additions flush, where that is done, and one rounding in the binade that the sum may reach.",
  metaArgument:
    "Higham, §4.2. An engine that adds numbers of u to 1, one after the other, loses all of them: so it is off by as much, but for terms in u².",
  rlimit: 3_000_000,
  unknowns: { ...ballUnknowns, ...formatUnknowns, E: "size", M: "size", G: "size" },
  hypotheses: [
    { name: "many", formula: "(< (* 2.0 u) 1.0)" },
    { name: "gamma", formula: "(= (* G (- 1.0 (* 2.0 u))) (* 2.0 u M))" },
  ],
  instead: format,
  claim(bench) {
    const parts = [false, true].map((flushesSubnormals) => {
      const before = flushesSubnormals ? "(+ E G (* 3.0 eta))" : "(+ E G)";
      const found = radiusOf(bench, { terms: 4 }, { flushesSubnormals });
      const reached = `(+ ${before} (* u ${bench.binade(`(+ ${SIZE} ${before})`)}))`;
      return known(found, (bound) => `(= ${bound} ${reached})`);
    });
    return `(and ${parts.join(" ")})`;
  },
  faults: [
    inRadius("addition", "an addition more is counted.", "(terms - 2) * u", "(terms - 1) * u", {
      u: "0.125",
      M: "1.0",
    }),
    inRadius("gamma", "γ is that of twice as many.", "others / (1 - others)", "others / (1 - 2 * others)", {
      u: "0.125",
      M: "1.0",
    }),
    inRadius(
      "flushed",
      "every term is flushed.",
      "(terms - 1) * standard.underflow",
      "terms * standard.underflow",
      { u: "0.125", M: "0.0", G: "0.0" },
    ),
  ],
});

/** The rounding of one result is a law of its own; here it is `rho` for each unit. */
const roundsOnce = ({ unknown, host }: Tools): Names => ({
  rounded: (_centre: unknown, _standard: unknown, centre: unknown, error: unknown, units: unknown) => ({
    centre,
    error: called(host.operators.add, error, called(host.operators.multiply, units, unknown("rho"))),
  }),
});

const moved = tight({
  id: "moved",
  statement:
    "A bound that is loosened by ulps, enlarged, displaced or narrowed grows by exactly that, and a settled one is its radius.",
  rlimit: 500_000,
  unknowns: { u: "any", eta: "any", dx: "any", Sx: "any", m: "any", by: "any", rho: "any" },
  hypotheses: [],
  instead: (tools) => ({
    ...contracts(tools),
    ...roundsOnce(tools),
    isExact: () => false,
    settledSum: (_centre: unknown, _standard: unknown, sum: unknown) => sum,
  }),
  claim(bench) {
    const { unknown } = bench;
    const { loosened, enlarged, displaced, narrowed, settle } = bench.ideal.module("bound/bounded");
    const x = numberOf(bench, "x", { magnitude: unknown("m"), terms: 3 });
    const standard = standardOf(bench);
    const loose = called(loosened, standard, x, 3);
    const large = called(enlarged, x, unknown("by"));
    const settled = called(settle, centreOf(), standard, x);
    const narrow = (meets: boolean): unknown =>
      called(narrowed, centreOf(), standard, roundingNothing, x, meets);
    const extra = "(* 6.0 u m)";
    return `(and ${[
      is(loose, "error", `(+ dx ${extra})`),
      is(loose, "magnitude", `(+ m ${extra})`),
      is(loose, "terms", "3.0"),
      is(large, "error", "(+ dx by)"),
      is(large, "magnitude", "(+ m by)"),
      is(called(displaced, centreOf(), standard, x, unknown("by")), "error", "(+ dx by)"),
      is(narrow(false), "error", "(+ dx rho)"),
      is(narrow(true), "error", "(+ dx (* u (+ m dx)) (* 2.0 eta) rho)"),
      is(settled, "error", "dx"),
      is(settled, "magnitude", "(+ Sx dx)"),
      is(settled, "terms", "1.0"),
    ].join(" ")})`;
  },
  faults: [
    inBounded(
      "ulps",
      "an ulp is four units.",
      "const extra =\n    2 *\n    ulps *",
      "const extra =\n    4 *\n    ulps *",
    ),
    inBounded(
      "enlarged",
      "it is enlarged twice.",
      "error: (x.error + by) * UPWARDS",
      "error: (x.error + 2 * by) * UPWARDS",
    ),
    inBounded(
      "displaced",
      "what is displaced is rounded again.",
      "radius(centre, standard, x) + by, 0)",
      "radius(centre, standard, x) + by, 1)",
    ),
    inBounded(
      "narrowed",
      "a number is rounded twice.",
      "return rounded(centre, standard, x.centre, error, 1)",
      "return rounded(centre, standard, x.centre, error, 2)",
    ),
    inBounded(
      "settled",
      "a sum is settled when it has one term more.",
      "if (x.terms < 2) return x;\n  const error",
      "if (x.terms <= 3) return x;\n  const error",
    ),
    inBounded(
      "met",
      "what meets is rounded twice as often.",
      "unitRoundoff * size + 2 * underflow",
      "2 * unitRoundoff * size + 2 * underflow",
    ),
  ],
});

const compared = tight({
  id: "compared",
  statement:
    "A comparison is open only where the distance is no more than both radii and its slack; ties of exact numbers are certain, unless they are declared open.",
  rlimit: 500_000,
  unknowns: { ...sizes("dx", "Sx", "dy", "Sy", "sz"), vz: "any" },
  hypotheses: [],
  instead: (tools) => ({ ...contracts(tools), differenceOf: () => "z", isCopy: () => false }),
  claim(bench) {
    const { ideal } = bench;
    const reach = "(+ dx dy sz)";
    const answers = (name: string, options: Names): unknown => {
      const algebra = called(ideal.module("bound/algebra").bounded, ball(bench), roundingNothing, options);
      return called(got(algebra, "levels", "ordered", name), numberOf(bench, "x"), numberOf(bench, "y"));
    };
    const isTie = `(and (= ${reach} 0.0) (= vz 0.0))`;
    const isApart = `(< ${reach} ${size("vz")})`;
    const law = (name: string, options: Names): string => {
      const found = answers(name, options);
      const tiesOpen = name === "less" && options.undecidedTies === true;
      const isCertain = tiesOpen ? isApart : `(or ${isTie} ${isApart})`;
      const holds =
        got(found, "holds") === true
          ? name === "less"
            ? `(and ${isApart} (< vz 0.0))`
            : isTie
          : name === "less"
            ? `(not (and ${isApart} (< vz 0.0)))`
            : `(not ${isTie})`;
      const certainty = got(found, "certainty") === "certain" ? isCertain : `(not ${isCertain})`;
      return `(and ${certainty} ${holds})`;
    };
    return `(and ${law("less", {})} ${law("less", { undecidedTies: true })} ${law("equal", {})})`;
  },
  faults: [
    inAlgebra(
      "twice",
      "the radii count twice.",
      "(together + slack) * UPWARDS) return",
      "(2 * together + slack) * UPWARDS) return",
    ),
    inAlgebra(
      "no-tie",
      "exact ties are open.",
      'return together + slack === 0 ? "tie" : "close"',
      'return "close"',
    ),
    inAlgebra(
      "declared",
      "declared ties are certain.",
      'certainty: undecidedTies ? "open" : "certain"',
      'certainty: "certain"',
    ),
  ],
});

const chosen = tight({
  id: "chosen",
  statement:
    "The bound around two numbers is half of their distance and the greater radius; a floor is uncertain only where the radius reaches an integer, and is then off by one more than the integers that it reaches.",
  rlimit: 500_000,
  unknowns: { ...sizes("dx", "dy", "Sz", "sz"), vz: "any" },
  hypotheses: [],
  instead: (tools) => ({ ...contracts(tools), differenceOf: () => "z", holding: () => 0 }),
  claim(bench) {
    const { hullOf, floorOf } = bench.ideal.module("bound/algebra");
    const of = (x: string): Names => ({ centre: x, error: 0, magnitude: 0, terms: 1, grain: 0 });
    const hull = called(hullOf, { ...centreOf(), midpoint: () => "z" }, roundingNothing, of("x"), of("y"));
    const floor = called(floorOf, ball(bench), roundingNothing, of("x"));
    const reach = "(+ (/ Sz 2.0) (ite (< dx dy) dy dx))";
    const near = "(ite (< vz (- 1.0 vz)) vz (- 1.0 vz))";
    const isCertain = `(or (= dx 0.0) (< (+ dx sz) ${near}))`;
    return `(and ${[
      is(hull, "error", reach),
      is(hull, "magnitude", `(+ Sz ${reach})`),
      known(
        got(floor, "error"),
        (error) =>
          `(or (and ${isCertain} (= ${error} 0.0)) (and (not ${isCertain}) (<= (+ 1.0 dx) ${error}) (< ${error} (+ 2.0 dx))))`,
      ),
    ].join(" ")})`;
  },
  faults: [
    inAlgebra(
      "half",
      "the whole distance is taken.",
      "differenceOf(centre, p.centre, q.centre)) / 2",
      "differenceOf(centre, p.centre, q.centre)) / 1",
    ),
    inAlgebra(
      "both",
      "both radii are taken.",
      "half + Math.max(radius(centre, standard, p), radius(centre, standard, q))",
      "half + (radius(centre, standard, p) + radius(centre, standard, q))",
    ),
    inAlgebra("exact", "an exact number's floor is uncertain.", "reach === 0 || Math.min", "Math.min", {
      vz: "0.0",
      sz: "0.0",
      dx: "0.0",
    }),
    inAlgebra(
      "one-more",
      "one integer more is reached.",
      "isCertain ? 0 : 1 + Math.ceil(reach)",
      "isCertain ? 0 : 2 + Math.ceil(reach)",
      { vz: "0.0", sz: "0.0", dx: "0.5" },
    ),
  ],
});

/** States that bounds are reached, so that none is wider than it has to be. */
export function tightObligations(): readonly Obligation[] {
  return [multiply, divide, dividedTerms, add, rounded, few, many, moved, compared, chosen].map(
    stepObligation,
  );
}
