import {
  type ScalarTerm,
  type SymbolicAlgebra,
  subterms,
  symbolic,
} from "../../../reference/algebras/symbolic/index.ts";
import { rules } from "../../../reference/operators/index.ts";
import type { PrimitiveAttributes, PrimitiveName } from "../../../spec/operators/index.ts";
import { present } from "../../../spec/shapes/index.ts";
import type { Obligation } from "../obligation.ts";
import { faultyVariants, freeReciprocals } from "./adjoint_mutants.ts";
import { casesOf } from "./cases.ts";
import { certificateOf } from "./certificate.ts";
import { isIdentity } from "./normal_form.ts";
import { purify } from "./purify.ts";
import { inputsOf, type RuleOf, rightForward, sidesOf, type Use, useOf } from "./sides.ts";
import { type Goal, obliged, reciprocalClaims, writeStatement } from "./statement.ts";
import { tellUsage, type Usage, usages } from "./usages.ts";

/**
 * States `dot(jvp, c) = dot(dx, vjp)` for a primitive at each of its usages, for all real operands, tangents
 * and cotangents. It assumes `r y = 1` only where the two sides differ as polynomials without it.
 */
export function adjointObligations<K extends PrimitiveName>(op: K): readonly Obligation[] {
  const listed: readonly Usage<PrimitiveAttributes[K]>[] = usages[op];
  return listed.map((usage) => adjointObligation(useOf(op, usage)));
}

function adjointObligation<K extends PrimitiveName>(use: Use<K>): Obligation {
  const { op, usage, shape } = use;
  const algebra = symbolic();
  const rule: RuleOf<K> = rules[op];
  const sides = sidesOf(rule, rightForward, use, algebra, inputsOf(use, algebra.variable));
  const { terms, symbols } = purify(algebra, [sides.left, sides.right]);
  const [left, right] = pairOf(terms);
  const needsReciprocals = !isIdentity(left, right, []);
  const isLarge = subterms(terms).filter(({ kind }) => kind === "variable").length > LARGE;
  const claims = needsReciprocals && !isLarge ? reciprocalClaims(algebra, symbols) : [];
  const goals =
    needsReciprocals && isLarge
      ? certifiedAlongEach(use, rule)
      : shape.length === 0
        ? [{ holds: algebra.operations.equal(left, right) }]
        : equalInEachCase(algebra, [left, right]);
  const question = writeStatement(claims, goals);
  const names = question.hypotheses.map(({ name }) => name);
  const where = needsReciprocals ? ", where no denominator is 0" : "";
  return {
    id: `operators/${op}/adjoint/${usage.label}`,
    statement: `dot(jvp, c) = dot(dx, vjp) for ${op} of ${tellUsage(usage)}, for all real numbers, whatever the elementary functions are${where}.`,
    clause: "SEMANTICS §2, local law",
    ...obliged(op, usage.label, question),
    mutants: [...faultyVariants(use, rule, names), ...freeReciprocals(use, rule, names)],
    metaArgument: `${needsReciprocals && isLarge ? "Both sides are linear in the tangent and in the cotangent, so it is enough to look along each pair of directions. There left − right = (r y − 1) Q with a Q that is written out, which is 0 where r y = 1. " : ""}${TERMS}`,
  };
}

const TERMS =
  "The terms are what the operator's own rules compute over symbols: vjp is the rule's, jvp its forward over dual numbers. An unknown stands for each value of an elementary function and for each reciprocal.";

/** With more unknowns than this, an identity is written out that shows that `r y = 1` is enough. */
const LARGE = 16;

/** States along each direction of tangent and cotangent that sides differ by a multiple of `r y − 1`. */
function certifiedAlongEach<K extends PrimitiveName>(use: Use<K>, rule: RuleOf<K>): readonly Goal[] {
  const algebra = symbolic(["zero", "one", "annihilation"]);
  const { operations: a } = algebra;
  const tangents: string[] = [];
  const cotangents: string[] = [];
  inputsOf(use, (name) =>
    (name.startsWith("dx") ? tangents : name.startsWith("c") ? cotangents : []).push(name),
  );
  return tangents.flatMap((tangent) =>
    cotangents.map((cotangent) => {
      const inputs = inputsOf(use, (name) => {
        if (name.startsWith("x") || name.startsWith("e")) return algebra.variable(name);
        return name === tangent || name === cotangent ? a.one : a.zero;
      });
      const sides = sidesOf(rule, rightForward, use, algebra, inputs);
      const { terms, symbols } = purify(algebra, [sides.left, sides.right]);
      const [left, right] = pairOf(terms);
      const { factor, quotient } = certificateOf(algebra, [left, right], symbols);
      return { holds: a.equal(a.add(left, a.negative(right)), a.multiply(factor, quotient)) };
    }),
  );
}

/** States that two terms are equal, in each case that their selections distinguish. */
function equalInEachCase(
  algebra: SymbolicAlgebra,
  sides: readonly [ScalarTerm, ScalarTerm],
): readonly Goal[] {
  return casesOf(algebra, sides).map(({ decisions, terms }) => {
    const [left, right] = pairOf(terms);
    return { decisions, holds: algebra.operations.equal(left, right) };
  });
}

function pairOf(terms: readonly ScalarTerm[]): readonly [ScalarTerm, ScalarTerm] {
  return [present(terms[0], "the left side"), present(terms[1], "the right side")];
}
