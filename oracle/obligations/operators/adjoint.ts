import { rules, type ScalarTerm, symbolic } from "../../../reference/index.ts";
import { type PrimitiveAttributes, type PrimitiveName, present } from "../../../spec/index.ts";
import type { Obligation } from "../obligation.ts";
import { faultyVariants, freeReciprocals } from "./adjoint_mutants.ts";
import { budgetOf } from "./budgets.ts";
import { isIdentity } from "./normal_form.ts";
import { purify } from "./purify.ts";
import { reciprocalClaims, writeQuestion } from "./question.ts";
import { inputsOf, type RuleOf, rightForward, sidesOf, type Use, useOf } from "./sides.ts";
import { tellUsage, type Usage, usages } from "./usages.ts";

/**
 * `dot(jvp, c) = dot(dx, vjp)` of a primitive at each of its usages, for all real operands, tangents and cotangents. That `r y = 1` is
 * assumed only where the two sides differ as polynomials without it.
 */
export function adjointObligations<K extends PrimitiveName>(op: K): readonly Obligation[] {
  const listed: readonly Usage<PrimitiveAttributes[K]>[] = usages[op];
  return listed.map((usage) => adjointObligation(useOf(op, usage)));
}

function adjointObligation<K extends PrimitiveName>(use: Use<K>): Obligation {
  const { op, usage } = use;
  const algebra = symbolic();
  const rule: RuleOf<K> = rules[op];
  const sides = sidesOf(rule, rightForward, use, algebra, inputsOf(use, algebra.variable));
  const { terms, symbols } = purify(algebra, [sides.left, sides.right]);
  const [left, right] = pairOf(terms);
  const claims = isIdentity(left, right, []) ? [] : reciprocalClaims(algebra, symbols);
  const question = writeQuestion(claims, [algebra.operations.equal(left, right)]);
  const names = question.hypotheses.map(({ name }) => name);
  const where = claims.length === 0 ? "" : ", where no denominator is 0";
  return {
    id: `operators/${op}/adjoint/${usage.label}`,
    statement: `dot(jvp, c) = dot(dx, vjp) for ${op} of ${tellUsage(usage)}, for all real numbers, whatever the elementary functions are${where}.`,
    clause: "SEMANTICS §2, local law",
    logic: "QF_NRA",
    scope: { kind: "operator", operator: op, shapes: usage.label },
    tier: "everyday",
    declarations: question.declarations,
    hypotheses: question.hypotheses,
    goal: question.goal,
    rlimit: budgetOf(op, "adjoint"),
    requiredCore: names,
    mutants: [...faultyVariants(use, rule, names), ...freeReciprocals(use, rule, names)],
    dependsOn: [],
    metaArgument:
      "The terms are what the operator's own rules compute over symbols: vjp is the rule's, jvp its forward over dual numbers. An unknown stands for each value of an elementary function and for each reciprocal.",
  };
}

function pairOf(terms: readonly ScalarTerm[]): readonly [ScalarTerm, ScalarTerm] {
  return [present(terms[0], "the left side"), present(terms[1], "the right side")];
}
