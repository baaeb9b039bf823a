import { type ScalarTerm, symbolic, type TruthTerm } from "../../../reference/algebras/symbolic/index.ts";
import { formatRational, type Rational, rational, rationalFromNumber } from "../../../reference/index.ts";
import { rules } from "../../../reference/operators/index.ts";
import type { PrimitiveAttributes, PrimitiveName } from "../../../spec/operators/index.ts";
import { type Ordered, present } from "../../../spec/shapes/index.ts";
import type { Model, Obligation, ObligationMutant } from "../obligation.ts";
import { readModel, tabulated } from "./model.ts";
import { purify } from "./purify.ts";
import { differencesOf } from "./remainder.ts";
import { inputsOf, type RuleOf, useOf } from "./sides.ts";
import { type Claim, obliged, writeStatement } from "./statement.ts";
import { type Usage, usages } from "./usages.ts";

type Order = Ordered<ScalarTerm, TruthTerm>;

/** A side of a kink says what holds of the operands before and after the step. */
interface Side {
  readonly name: string;
  readonly says: string;
  /** The step is the tangent itself: a factor would say no more, and leave linear arithmetic. */
  readonly isWholeStep?: true;
  stays(a: Order, before: readonly ScalarTerm[], after: readonly ScalarTerm[]): readonly Claim[];
}

const first = (terms: readonly ScalarTerm[]): ScalarTerm => present(terms[0], "an operand");
const second = (terms: readonly ScalarTerm[]): ScalarTerm => present(terms[1], "a second operand");

/** Makes a side with one condition, before and after the step. */
const side = (
  name: string,
  says: string,
  holds: (a: Order, at: readonly ScalarTerm[]) => TruthTerm,
): Side => ({
  name,
  says: `${says} before and after the step`,
  stays: (a, before, after) => [
    { name: "before", holds: holds(a, before) },
    { name: "after", holds: holds(a, after) },
  ],
});

const less = side("less", "x < y", (a, at) => a.less(first(at), second(at)));
const greater = side("greater", "x > y", (a, at) => a.less(second(at), first(at)));

/** A step between two integers must reach neither. */
const betweenIntegers: Side = {
  name: "between-integers",
  isWholeStep: true,
  says: "the step stays above ⌊x⌋ and below ⌊x⌋ + 1",
  stays: (a, before, after) => [
    { name: "above", holds: a.less(a.floor(first(before)), first(after)) },
    { name: "below", holds: a.less(first(after), a.add(a.floor(first(before)), a.one)) },
  ],
};

/** Each piecewise operator has sides without a kink or a jump on them. */
const sides: Partial<Record<PrimitiveName, readonly Side[]>> = {
  relu: [
    side("above", "x > 0", (a, at) => a.less(a.zero, first(at))),
    side("below", "x < 0", (a, at) => a.less(first(at), a.zero)),
  ],
  floor: [betweenIntegers],
  maximum: [
    { ...greater, name: "first" },
    { ...less, name: "second" },
  ],
  less: [less, greater],
  equal: [less, greater],
  where: [
    side("yes", "the condition is positive", (a, at) => a.less(a.zero, first(at))),
    side("no", "the condition is 0", (a, at) => a.equal(first(at), a.zero)),
  ],
};

/**
 * States that the tangent of a piecewise operator is its derivative where there is no kink: between two
 * points of one side, `f(x + h dx) − f(x) − h jvp = 0`. The hypotheses put both points on the side;
 * without either there is a step that fails.
 */
export function kinkObligations<K extends PrimitiveName>(op: K): readonly Obligation[] {
  const scalars: Usage<PrimitiveAttributes[K]> = present(usages[op][0], "a usage");
  return (sides[op] ?? []).map((side) => kinkObligation(op, scalars, side));
}

function kinkObligation<K extends PrimitiveName>(
  op: K,
  usage: Usage<PrimitiveAttributes[K]>,
  side: Side,
): Obligation {
  const use = useOf(op, usage);
  const rule: RuleOf<K> = rules[op];
  const algebra = symbolic();
  const { operations: a } = algebra;
  const inputs = inputsOf(use, algebra.variable);
  const h = side.isWholeStep ? a.one : algebra.variable("h");
  const { terms } = purify(algebra, differencesOf(rule, use, algebra, inputs, h));
  const before = inputs.x.map(({ data }) => first(data));
  const after = before.map((x, place) =>
    a.add(x, a.multiply(h, first(present(inputs.dx[place], "a tangent").data))),
  );
  const claims = side.stays(a, before, after);
  const goals = terms.map((term) => ({ holds: a.equal(term, a.zero) }));
  const question = writeStatement(claims, goals);
  const names = question.hypotheses.map(({ name }) => name);
  const without = (name: string): ObligationMutant => ({
    name: `crosses.${name}`,
    fault: `${name} is not asked for, where ${side.says}`,
    without: [name],
    ask: question.names,
    execute: (model: Model) => {
      const { numbers } = readModel(model, []);
      const number = (unknown: string): Rational => numbers.get(unknown) ?? rational.additive.zero;
      const run = (step: Rational): readonly Rational[] =>
        differencesOf(rule, use, tabulated(new Map()), inputsOf(use, number), step);
      const crossed = run(side.isWholeStep ? rationalFromNumber(1) : number("h"));
      const standing = run(rational.additive.zero);
      const isZero = ({ numerator, denominator }: Rational): boolean =>
        numerator === 0n && denominator !== 0n;
      return {
        showsFault: standing.every(isZero) && !crossed.every(isZero),
        told: `${op} at ${[...numbers].map(([unknown, value]) => `${unknown} = ${formatRational(value)}`).join(", ")}: f(x + h dx) − f(x) − h jvp = ${crossed.map(formatRational).join(", ")}`,
      };
    },
  });
  return {
    id: `operators/${op}/derivative/${side.name}`,
    statement: `${side.isWholeStep ? "f(x + dx) − f(x) − jvp" : "f(x + h dx) − f(x) − h jvp"} = 0 for ${op} where ${side.says}.`,
    clause: "SEMANTICS §2, jvp",
    ...obliged(op, usage.label, question),
    logic: side.isWholeStep ? "QF_LIRA" : "QF_NRA",
    mutants: names.map(without),
    metaArgument: side.isWholeStep
      ? "Where x is no integer, ⌊x⌋ < x < ⌊x⌋ + 1, so every small enough step stays between the two, and the derivative is 0, as the tangent is. At an integer ⌊x⌋ jumps and has no derivative; there the tangent 0 is a convention."
      : "The side is open, so every small enough step from one of its points stays on it; or it is where the condition is exactly 0, which is not differentiated.",
  };
}
