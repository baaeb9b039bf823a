import {
  formatRational,
  type Rational,
  rational,
  rules,
  type ScalarTerm,
  symbolic,
  type TruthTerm,
} from "../../../reference/index.ts";
import { type Ordered, type PrimitiveAttributes, type PrimitiveName, present } from "../../../spec/index.ts";
import type { Model, Obligation, ObligationMutant } from "../obligation.ts";
import { BUDGET } from "./budgets.ts";
import { readModel, tabulated } from "./model.ts";
import { purify } from "./purify.ts";
import { type Claim, writeQuestion } from "./question.ts";
import { differencesOf } from "./remainder.ts";
import { inputsOf, type RuleOf, useOf } from "./sides.ts";
import { type Usage, usages } from "./usages.ts";

type Order = Ordered<ScalarTerm, TruthTerm>;

/** A side of a kink: what must hold of the operands, before and after the step. */
interface Side {
  readonly name: string;
  readonly says: string;
  holds(a: Order, at: readonly ScalarTerm[]): readonly TruthTerm[];
}

const first = (terms: readonly ScalarTerm[]): ScalarTerm => present(terms[0], "an operand");
const second = (terms: readonly ScalarTerm[]): ScalarTerm => present(terms[1], "a second operand");

/** The sides of each piecewise operator. On none of them is a kink or a jump. */
const sides: Partial<Record<PrimitiveName, readonly Side[]>> = {
  relu: [
    { name: "above", says: "x > 0", holds: (a, at) => [a.less(a.zero, first(at))] },
    { name: "below", says: "x < 0", holds: (a, at) => [a.less(first(at), a.zero)] },
  ],
  maximum: [
    { name: "first", says: "x > y", holds: (a, at) => [a.less(second(at), first(at))] },
    { name: "second", says: "x < y", holds: (a, at) => [a.less(first(at), second(at))] },
  ],
  less: [
    { name: "less", says: "x < y", holds: (a, at) => [a.less(first(at), second(at))] },
    { name: "greater", says: "x > y", holds: (a, at) => [a.less(second(at), first(at))] },
  ],
  equal: [
    { name: "less", says: "x < y", holds: (a, at) => [a.less(first(at), second(at))] },
    { name: "greater", says: "x > y", holds: (a, at) => [a.less(second(at), first(at))] },
  ],
  where: [
    { name: "yes", says: "the condition is positive", holds: (a, at) => [a.less(a.zero, first(at))] },
    { name: "no", says: "the condition is 0", holds: (a, at) => [a.equal(first(at), a.zero)] },
  ],
};

/**
 * That the tangent of a piecewise operator is its derivative where there is no kink: between two points of one side,
 * `f(x + h dx) − f(x) − h jvp = 0`. That both points are on the side are the hypotheses; without either there is a step that fails.
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
  const h = algebra.variable("h");
  const { terms } = purify(algebra, differencesOf(rule, use, algebra, inputs, h));
  const before = inputs.x.map(({ data }) => first(data));
  const after = before.map((x, place) =>
    a.add(x, a.multiply(h, first(present(inputs.dx[place], "a tangent").data))),
  );
  const claims: readonly Claim[] = [
    ...side.holds(a, before).map((holds) => ({ name: "before", holds })),
    ...side.holds(a, after).map((holds) => ({ name: "after", holds })),
  ];
  const goals = terms.map((term) => ({ holds: a.equal(term, a.zero) }));
  const question = writeQuestion(claims, goals);
  const names = question.hypotheses.map(({ name }) => name);
  const without = (name: string): ObligationMutant => ({
    name: `crosses.${name}`,
    fault: `the point ${name} the step may be on another side than ${side.says}`,
    without: [name],
    ask: question.names,
    execute: (model: Model) => {
      const { numbers } = readModel(model, []);
      const number = (unknown: string): Rational => numbers.get(unknown) ?? rational.additive.zero;
      const run = (step: Rational): readonly Rational[] =>
        differencesOf(rule, use, tabulated(new Map()), inputsOf(use, number), step);
      const crossed = run(number("h"));
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
    statement: `f(x + h dx) − f(x) − h jvp = 0 for ${op} where ${side.says} before and after the step.`,
    clause: "SEMANTICS §2, jvp",
    logic: "QF_NRA",
    scope: { kind: "operator", operator: op, shapes: usage.label },
    tier: "everyday",
    declarations: question.declarations,
    hypotheses: question.hypotheses,
    goal: question.goal,
    rlimit: BUDGET,
    requiredCore: names,
    mutants: names.map(without),
    dependsOn: [],
    metaArgument:
      "The side is open, so every small enough step from one of its points stays on it; or it is where the condition is exactly 0, which is not differentiated.",
  };
}
