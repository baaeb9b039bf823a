import type { Hypothesis, Obligation } from "../obligation.ts";
import { called, got, type Names } from "./code.ts";
import {
  bounding,
  centreOf,
  contracts,
  engines,
  faultsIn,
  numberOf,
  operand,
  operation,
  roundingNothing,
  stepOf,
  type Tools,
  unknownsOf,
  within,
} from "./operands.ts";
import { stepObligation } from "./step.ts";

const planted = faultsIn("bound/algebra");

const two = { ...unknownsOf("x"), ...unknownsOf("y") } as const;
const bothOperands = [operand("x"), operand("y")];

/** What an operation hands to `rounded` is what its operands pass on; the rounding is a step of its own. */
const passedOn = (tools: Tools): Names => ({
  ...contracts(tools),
  rounded: (_centre: unknown, _standard: unknown, centre: unknown, error: unknown) => ({ centre, error }),
});

const errorOf = (x: unknown): unknown => got(x, "error");

const multiply = stepOf({
  id: "algebra/multiply",
  statement:
    "The product of an engine's numbers is as near to the product of the true ones as the algebra of bounds says.",
  rlimit: 2_000_000,
  tier: "long",
  unknowns: { ...two, Sz: "size" },
  hypotheses: bothOperands,
  instead: passedOn,
  claim(bench) {
    const product = operation(
      bench,
      "field",
      "multiply",
      centreOf(),
      roundingNothing,
    )(numberOf(bench, "x"), numberOf(bench, "y"));
    return bounding(errorOf(product), (error) =>
      within(`(- (* ${engines("x")} ${engines("y")}) (* x y))`, error),
    );
  },
  faults: [
    planted("no-product", "both errors are not multiplied.", "+ dp * dq", ""),
    planted(
      "one-side",
      "the second operand's error is left out.",
      "sizeOf(centre, p.centre) * dq + sizeOf",
      "sizeOf",
    ),
    planted(
      "swapped",
      "each operand is taken times its own error.",
      "sizeOf(centre, p.centre) * dq + sizeOf(centre, q.centre) * dp",
      "sizeOf(centre, p.centre) * dp + sizeOf(centre, q.centre) * dq",
    ),
    planted(
      "exact-alone",
      "it is enough that one operand is exact.",
      "dp === 0 && dq === 0 ? 0 : sizeOf",
      "dp === 0 || dq === 0 ? 0 : sizeOf",
    ),
  ],
});

/** The quotients `z` of the truth and `w` of an engine are what gives the dividends with the divisors. */
const quotientUnknowns = { ...two, vy: "any", sy: "size", z: "any", Sz: "size", w: "any" } as const;
const quotients: Hypothesis = {
  name: "quotients",
  formula: `(and (= (* z y) x) (= (* w ${engines("y")}) ${engines("x")}) (not (= y 0.0)) ${within("z", "Sz")} ${within("(- y vy)", "sy")})`,
};
const divisor = ({ unknown }: Tools): Names =>
  centreOf((name) => (name === "y" ? { value: unknown("vy"), slack: unknown("sy") } : undefined));

const divide = stepOf({
  id: "algebra/divide",
  statement:
    "The quotient of an engine's numbers is as near to the quotient of the true ones as the algebra of bounds says, which says nothing where the divisor may be 0.",
  rlimit: 5_000_000,
  tier: "long",
  unknowns: quotientUnknowns,
  hypotheses: [...bothOperands, quotients],
  instead: passedOn,
  claim(bench) {
    const quotient = operation(
      bench,
      "field",
      "divide",
      divisor(bench),
      roundingNothing,
    )(numberOf(bench, "x"), numberOf(bench, "y"));
    return bounding(errorOf(quotient), (error) => within("(- w z)", error));
  },
  faults: [
    planted(
      "no-quotient",
      "the divisor's error is left out.",
      "(p.error + sizeOf(centre, value) * dq) / positive(room)",
      "p.error / positive(room)",
      { x: "1.0", y: "2.0", sy: "0.0", x_: "0.0", dx: "0.0", dy: "1.0" },
    ),
    planted(
      "no-room",
      "the divisor is taken for the true one.",
      "- divisor.slack) / UPWARDS - dq",
      "- divisor.slack) / UPWARDS",
      {
        x: "1.0",
        y: "2.0",
        sy: "0.0",
        dx: "0.0",
        x_: "0.0",
        dy: "1.0",
      },
    ),
    planted(
      "no-slack",
      "the divisor's slack is left out.",
      "(Math.abs(divisor.value) - divisor.slack)",
      "Math.abs(divisor.value)",
      {
        x: "0.0",
        y: "1.0",
        vy: "3.0",
        sy: "2.0",
        dx: "1.0",
        dy: "0.0",
        y_: "0.0",
      },
    ),
    planted("signed", "the divisor's sign is kept.", "return x > 0 ? x : Number.NaN", "return x", {
      x: "0.0",
      y: "1.0",
      vy: "1.0",
      sy: "0.0",
      dx: "1.0",
      dy: "2.0",
      y_: "0.0",
    }),
  ],
});

const less = stepOf({
  id: "algebra/less",
  statement:
    "Where a comparison is certain every engine's numbers, and the true ones, compare so; in float64's roundings too.",
  rlimit: 500_000,
  unknowns: { ...two, vz: "any", sz: "size" },
  hypotheses: [...bothOperands, { name: "distance", formula: within("(- (- x y) vz)", "sz") }],
  instead: (tools) => ({ ...contracts(tools), differenceOf: () => "z", isCopy: () => false }),
  claim(bench) {
    const { rounding, unknown } = bench;
    const centre = centreOf(() => ({ value: unknown("vz"), slack: unknown("sz") }));
    const algebra = called(rounding.module("bound/algebra").bounded, centre, roundingNothing);
    const found = called(
      got(algebra, "levels", "ordered", "less"),
      numberOf(bench, "x"),
      numberOf(bench, "y"),
    );
    if (got(found, "certainty") !== "certain") return "true";
    const [true_, engine] = ["(< x y)", `(< ${engines("x")} ${engines("y")})`];
    return got(found, "holds") === true ? `(and ${true_} ${engine})` : `(and (not ${true_}) (not ${engine}))`;
  },
  faults: [
    planted(
      "one-radius",
      "the second side's radius is left out.",
      "(radius(centre, standard, p) + radius(centre, standard, q)) * UPWARDS",
      "radius(centre, standard, p) * UPWARDS",
    ),
    planted(
      "no-slack",
      "the slack of the distance is left out.",
      "Math.abs(distance) > (together + slack) * UPWARDS",
      "Math.abs(distance) > together * UPWARDS",
      { x: "0.0", y: "1.0", x_: "0.0", y_: "0.0", dx: "0.0", dy: "0.0", vz: "1.0", sz: "4.0" },
    ),
    planted(
      "turned",
      "the sides are swapped.",
      'return distance < 0 ? "less" : "greater"',
      'return distance > 0 ? "less" : "greater"',
    ),
  ],
});

export function algebraObligations(): readonly Obligation[] {
  return [multiply, divide, less].map(stepObligation);
}
