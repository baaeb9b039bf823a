import type { Hypothesis, Obligation } from "../obligation.ts";
import { called, got, type Names } from "./code.ts";
import {
  bounding,
  centreOf,
  faultsIn,
  formatUnknowns,
  size,
  standardOf,
  stepOf,
  type Tools,
  within,
} from "./operands.ts";
import { type Bench, stepObligation, textOf } from "./step.ts";

const inRadius = faultsIn("bound/radius");
const inBounded = faultsIn("bound/bounded");

/** The centre `z` is a ball in float64; what it holds is rounded to `Rz`. */
const ball = ({ unknown }: Tools): Names => centreOf(() => ({ value: unknown("vz"), slack: unknown("sz") }));

const ballUnknowns = { z: "any", vz: "any", sz: "size", Rz: "any" } as const;

const enclosed: Hypothesis = { name: "enclosed", formula: within("(- z vz)", "sz") };

/** Powers of two are found, and numbers rounded, as is unknown. */
const unknownFormat = ({ unknown }: Tools): Names => ({
  formats: { float32: { round: () => unknown("Rz") } },
  grainOf: () => 0,
});

/** An engine rounds `x` by `r`: not at all if it is a number of the format. */
function rounds({ binade }: Bench, r: string, x: string, units: string): string {
  return `(and ${within(r, `(+ (* ${units} u ${binade(x)}) eta)`)} (=> (and (<= ${units} 1.0) (= ${x} vz) (= Rz vz)) (= ${r} 0.0)))`;
}

const sizes = stepOf({
  id: "radius/size",
  statement: "The size of a ball is at least that of every number in it, though float64 rounds it.",
  rlimit: 50_000,
  unknowns: ballUnknowns,
  hypotheses: [enclosed],
  claim({ rounding, unknown }) {
    const found = called(rounding.module("bound/radius").sizeOfBall, {
      value: unknown("vz"),
      slack: unknown("sz"),
    });
    return `(<= ${size("z")} ${textOf(found)})`;
  },
  faults: [
    inRadius("no-slack", "the slack is left out.", "Math.abs(value) + slack", "Math.abs(value)"),
    inRadius(
      "unrounded",
      "what float64 rounds off is not made up for.",
      "(Math.abs(value) + slack) * UPWARDS",
      "Math.abs(value) + slack",
      { sz: "1.0", vz: "3.0", z: "4.0" },
    ),
    inRadius("signed", "the value's sign is kept.", "Math.abs(value) + slack", "value + slack"),
  ],
});

/** `rounded` is given the truth `z` and an engine's exact result `z + p` with `p` up to `P`. */
const rounded = stepOf({
  id: "bounded/rounded",
  statement:
    "An operation whose operands pass an error of `P` on, and which rounds by so many units, is off by no more than `rounded` says, and no larger.",
  rlimit: 3_000_000,
  tier: "long",
  unknowns: { ...ballUnknowns, ...formatUnknowns, p: "any", P: "size", r: "any", units: "positive" },
  hypotheses: [enclosed, { name: "passed_on", formula: within("p", "P") }],
  instead: unknownFormat,
  claim(bench) {
    const { ideal, unknown } = bench;
    const standard = standardOf(bench);
    const result = called(
      ideal.module("bound/bounded").rounded,
      ball(bench),
      standard,
      "z",
      unknown("P"),
      unknown("units"),
    );
    const isKept = bounding(
      got(result, "error"),
      (error) => `(and ${within("(+ p r)", error)} ${within("(+ z p r)", textOf(got(result, "magnitude")))})`,
    );
    return `(=> ${rounds(bench, "r", "(+ z p)", "units")} ${isKept})`;
  },
  faults: [
    inBounded(
      "passed-on-lost",
      "what the operands pass on is left out.",
      "(propagated + roundingOf(standard, reach, units))",
      "roundingOf(standard, reach, units)",
      {
        u: "(/ 1.0 8.0)",
        eta: "(/ 1.0 1024.0)",
        units: "1.0",
        vz: "1.0",
        sz: "0.0",
        P: "4.0",
        p: "4.0",
        r: "0.0",
      },
    ),
    inBounded(
      "binade-of-truth",
      "the rounding is that of the true value.",
      "roundingOf(standard, reach, units)",
      "roundingOf(standard, size, units)",
      { u: "(/ 1.0 8.0)", eta: "(/ 1.0 1024.0)", units: "1.0", vz: "1.0", sz: "0.0", P: "4.0", r: "0.5" },
    ),
    inBounded(
      "held-though-off",
      "a number of the format is exact whatever its operands pass on.",
      "propagated === 0 && units <= 1 && isHeld",
      "units <= 1 && isHeld",
      { u: "(/ 1.0 8.0)", eta: "(/ 1.0 1024.0)" },
    ),
    inBounded(
      "held-though-inaccurate",
      "an operation with an accuracy of its own is exact where the result is a number of the format.",
      "propagated === 0 && units <= 1 && isHeld",
      "propagated === 0 && isHeld",
      { u: "(/ 1.0 8.0)", eta: "(/ 1.0 1024.0)", units: "4.0" },
    ),
    inRadius(
      "no-underflow",
      "what tiny results lose is left out.",
      "binadeOf(size) + underflow + UNDERFLOWS",
      "binadeOf(size) + UNDERFLOWS",
      { u: "(/ 1.0 8.0)", units: "1.0" },
    ),
    inRadius(
      "half",
      "the rounding is half of what it may be.",
      "units * unitRoundoff * binadeOf(size)",
      "0.5 * units * unitRoundoff * binadeOf(size)",
      { u: "(/ 1.0 8.0)", eta: "(/ 1.0 1024.0)", units: "1.0", vz: "3.0", sz: "0.0", P: "0.0" },
    ),
    inRadius(
      "slack-left-out",
      "a ball with a slack is taken for its middle.",
      "if (slack !== 0) return false;",
      "",
      { u: "(/ 1.0 8.0)", eta: "(/ 1.0 1024.0)", units: "1.0", sz: "1.0" },
    ),
  ],
});

/** It is 1 + 2⁻⁵⁰, eight roundings of float64. */
const MORE = "(/ 1125899906842625.0 1125899906842624.0)";

/**
 * What float64 rounds in the computation of a bound itself is made up for: it is no less than the exact one.
 */
const computedRounded = stepOf({
  id: "rounding/rounded",
  statement:
    "The error and the size that `rounded` computes in float64 are no less than they are without roundings, with eight roundings to spare for what `roundingOf` computes.",
  rlimit: 1_000_000,
  unknowns: { vz: "any", sz: "size", P: "positive", Rz: "any", u: "size", eta: "size" },
  hypotheses: [{ name: "format", formula: `(<= (* ${2n ** 100n}.0 tiny) P)` }],
  instead: (tools) => ({
    ...unknownFormat(tools),
    roundingOf: (_standard: unknown, x: unknown) => tools.growing("rounding", x),
  }),
  claim(bench) {
    const { ideal, rounding, unknown } = bench;
    const given = [ball(bench), standardOf(bench), "z", unknown("P"), 3];
    const [exact, computed] = [ideal, rounding].map((code) =>
      called(code.module("bound/bounded").rounded, ...given),
    );
    const isNoLess = (name: string): string =>
      `(<= (* ${MORE} ${textOf(got(exact, name))}) ${textOf(got(computed, name))})`;
    return `(and ${isNoLess("error")} ${isNoLess("magnitude")})`;
  },
  faults: [
    inBounded(
      "unrounded",
      "what float64 rounds off in the error is not made up for.",
      "(propagated + roundingOf(standard, reach, units)) * UPWARDS",
      "propagated + roundingOf(standard, reach, units)",
      { vz: "3.0", sz: "0.0", P: "1.0" },
    ),
    inBounded(
      "short-reach",
      "the reach of the result is not rounded up.",
      "size + propagated * UPWARDS",
      "size + propagated",
      { vz: "1.0", sz: "0.0", P: `${2 ** 60}.0` },
    ),
  ],
});

/** A sum of two terms, or of `n`, has the truth `x`, is off by `a` before it is rounded, and by `r` then. */
const radiusOfTwo = stepOf({
  id: "radius/two_terms",
  statement: "A sum of two terms that is rounded once is within its radius of the true one.",
  rlimit: 300_000,
  unknowns: { ...ballUnknowns, ...formatUnknowns, a: "any", E: "size", M: "size", r: "any" },
  hypotheses: [enclosed, { name: "terms", formula: within("a", "E") }],
  instead: unknownFormat,
  claim(bench) {
    const { ideal, unknown } = bench;
    const sum = { centre: "z", error: unknown("E"), magnitude: unknown("M"), terms: 2, grain: 0 };
    const radius = called(ideal.module("bound/radius").radius, ball(bench), standardOf(bench), sum);
    const engine = `(and ${within("r", `(* u ${bench.binade("(+ z a)")})`)} (=> (and (= (+ z a) vz) (= Rz vz)) (= r 0.0)))`;
    return bounding(radius, (bound) => `(=> ${engine} ${within("(+ a r)", bound)})`);
  },
  faults: [
    inRadius(
      "no-rounding",
      "the rounding of the sum is left out.",
      "(before + u * binadeOf(sizeOf(centre, x.centre) + before * UPWARDS)) * UPWARDS",
      "before * UPWARDS",
      { u: "(/ 1.0 8.0)", z: "1.0", vz: "1.0", sz: "0.0", Rz: "3.0", r: "0.125", a: "0.0", E: "0.0" },
    ),
    inRadius(
      "held-though-off",
      "a sum that is a number of the format is exact whatever its terms are off by.",
      "terms === 2 && error === 0 && isHeld",
      "terms === 2 && isHeld",
      { u: "(/ 1.0 8.0)" },
    ),
    inRadius(
      "binade-of-truth",
      "the rounding is that of the true sum.",
      "binadeOf(sizeOf(centre, x.centre) + before * UPWARDS)",
      "binadeOf(sizeOf(centre, x.centre))",
      { u: "(/ 1.0 8.0)", z: "1.0", vz: "1.0", sz: "0.0", a: "4.0", E: "4.0", r: "0.5" },
    ),
  ],
});

const manyUnknowns = { ...formatUnknowns, M: "size", n: "positive" } as const;

const radiusOfMany = stepOf({
  id: "radius/many_terms",
  statement:
    "A sum of n terms is within its radius of the true one, where its additions before the last cost γ of n − 2 of the terms' sizes.",
  rlimit: 1_000_000,
  tier: "long",
  unknowns: { ...ballUnknowns, ...manyUnknowns, a: "any", g: "any", E: "size", r: "any" },
  hypotheses: [
    enclosed,
    { name: "terms", formula: within("a", "E") },
    { name: "many", formula: "(<= 3.0 n)" },
    {
      name: "additions",
      formula: "(<= (* (ite (< g 0.0) (- g) g) (- 1.0 (* (- n 2.0) u))) (* (- n 2.0) u M))",
    },
  ],
  instead: unknownFormat,
  claim(bench) {
    const { ideal, unknown } = bench;
    const sum = { centre: "z", error: unknown("E"), magnitude: unknown("M"), terms: unknown("n"), grain: 0 };
    const radius = called(ideal.module("bound/radius").radius, ball(bench), standardOf(bench), sum);
    const engine = within("r", `(* u ${bench.binade("(+ z a g)")})`);
    return bounding(radius, (bound) => `(=> ${engine} ${within("(+ a g r)", bound)})`);
  },
  faults: [
    inRadius(
      "one-addition-less",
      "an addition is not counted.",
      "const others = (terms - 2) * u",
      "const others = (terms - 3) * u",
      { u: "(/ 1.0 8.0)", n: "3.0", z: "0.0", vz: "0.0", sz: "0.0", a: "0.0", E: "0.0", r: "0.0", M: "7.0" },
    ),
    inRadius(
      "first-order",
      "products of roundings are left out.",
      "(others / (1 - others)) * magnitude",
      "others * magnitude",
      { u: "(/ 1.0 8.0)", n: "6.0", z: "0.0", vz: "0.0", sz: "0.0", a: "0.0", E: "0.0", r: "0.0", M: "7.0" },
    ),
    inRadius(
      "terms-forgotten",
      "what the terms are off by is left out.",
      "const before = error + (others",
      "const before = (others",
      {
        u: "(/ 1.0 8.0)",
        n: "3.0",
        z: "0.0",
        vz: "0.0",
        sz: "0.0",
        M: "7.0",
        g: "1.0",
        E: "9.0",
        a: "9.0",
        r: "0.0",
      },
    ),
  ],
});

export function boundedObligations(): readonly Obligation[] {
  return [sizes, rounded, computedRounded, radiusOfTwo, radiusOfMany].map(stepObligation);
}
