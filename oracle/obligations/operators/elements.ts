import { type ScalarTerm, symbolic } from "../../../reference/algebras/symbolic/index.ts";
import { formatRational, type Rational, rational, type Tensor } from "../../../reference/index.ts";
import { rules } from "../../../reference/operators/index.ts";
import { type PrimitiveAttributes, type PrimitiveName, primitives } from "../../../spec/operators/index.ts";
import { type Algebra, present, type Shape } from "../../../spec/shapes/index.ts";
import type { Model, Obligation, ObligationMutant } from "../obligation.ts";
import { readModel, tabulated } from "./model.ts";
import { purify } from "./purify.ts";
import {
  dualValueOf,
  type Inputs,
  inputsOf,
  pullbackOf,
  type RuleOf,
  rightForward,
  type Use,
  useOf,
} from "./sides.ts";
import { functionClaims, obliged, reciprocalClaims, writeStatement } from "./statement.ts";
import { type Usage, usages } from "./usages.ts";

/** Two elements are enough to tell one from another. */
const ELEMENTS = 2;

/**
 * States that value, tangent and cotangents of an elementwise primitive are at each of two elements those of
 * scalars, if its other derivative obligations are about scalars. More elements add nothing new.
 */
export function elementObligations<K extends PrimitiveName>(op: K): readonly Obligation[] {
  const { isElementwise, smoothness } = primitives[op];
  if (isElementwise !== true || smoothness === "linear" || op === "multiply") return [];
  const scalars: Usage<PrimitiveAttributes[K]> = present(usages[op][0], "a usage");
  const shape: Shape = [ELEMENTS];
  const usage = { ...scalars, label: "elements", operands: scalars.operands.map(() => shape) };
  return [elementObligation(useOf(op, usage), useOf(op, scalars))];
}

/** Lists what a rule computes for each element: value, tangent, and a cotangent for each operand. */
function resultsOf<K extends PrimitiveName, S, B>(
  rule: RuleOf<K>,
  use: Use<K>,
  algebra: Algebra<S, B>,
  inputs: Inputs<S>,
): readonly S[] {
  const values = dualValueOf(rule, rightForward, use, algebra, inputs).data;
  const bars = pullbackOf(rule, use, algebra, inputs);
  return values.flatMap(({ x, xDot }, position) => [
    x,
    xDot,
    ...use.usage.operands.map((_, place) => bars[place]?.data[position] ?? algebra.additive.zero),
  ]);
}

/** Lists the same, computed one element after the other by the rule for scalars. */
function scalarResults<K extends PrimitiveName, S, B>(
  scalars: Use<K>,
  algebra: Algebra<S, B>,
  scalar: (name: string) => S,
): readonly S[] {
  const rule: RuleOf<K> = rules[scalars.op];
  return Array.from({ length: ELEMENTS }, (_, position) =>
    resultsOf(
      rule,
      scalars,
      algebra,
      inputsOf(scalars, (name) => scalar(name.replace(/\.0$/, `.${position}`))),
    ),
  ).flat();
}

/** Makes a rule that reads its operands' elements in reverse. */
function turnedRule<K extends PrimitiveName>(op: K): RuleOf<K> {
  const right: RuleOf<K> = rules[op];
  const turned = <S>(operands: readonly Tensor<S>[]): readonly Tensor<S>[] =>
    operands.map(({ shape, data }) => ({ shape, data: data.toReversed() }));
  return {
    forward: (application) => right.forward({ ...application, operands: turned(application.operands) }),
    vjp: (application, c) => right.vjp({ ...application, operands: turned(application.operands) }, c),
  };
}

function elementObligation<K extends PrimitiveName>(use: Use<K>, scalars: Use<K>): Obligation {
  const { op } = use;
  const rule: RuleOf<K> = rules[op];
  const algebra = symbolic();
  const inputs = inputsOf(use, algebra.variable);
  const got = resultsOf(rule, use, algebra, inputs);
  const { terms } = purify(algebra, [...got, ...scalarResults(scalars, algebra, algebra.variable)]);
  const question = writeStatement([], equalInTurn(terms, algebra.operations.equal));
  return {
    id: `operators/${op}/derivative/elements`,
    statement: `At each of two elements, value, tangent and cotangents of ${op} are those of scalars, whatever the elementary functions are.`,
    clause: "SEMANTICS §2, jvp",
    ...obliged(op, "2", question),
    logic: op === "floor" ? "QF_LIRA" : "QF_NRA",
    mutants: [turnedMutant(use, scalars)],
    metaArgument:
      "What is proved of scalars, that the tangent is the derivative and that it and the cotangents are adjoint, holds so of tensors: the dot products are sums over the elements.",
  };
}

/** States that the first half of the terms equals the second. */
function equalInTurn<T>(
  terms: readonly ScalarTerm[],
  equal: (x: ScalarTerm, y: ScalarTerm) => T,
): { readonly holds: T }[] {
  const half = terms.length / 2;
  return terms
    .slice(0, half)
    .map((term, index) => ({ holds: equal(term, present(terms[half + index], "what it should be")) }));
}

function turnedMutant<K extends PrimitiveName>(use: Use<K>, scalars: Use<K>): ObligationMutant {
  const { op } = use;
  const right: RuleOf<K> = rules[op];
  const wrong = turnedRule(op);
  const algebra = symbolic();
  const inputs = inputsOf(use, algebra.variable);
  const all = [
    ...resultsOf(wrong, use, algebra, inputs),
    ...scalarResults(scalars, algebra, algebra.variable),
  ];
  const { terms, symbols } = purify(algebra, all);
  const claims = [...reciprocalClaims(algebra, symbols), ...functionClaims(algebra, symbols)];
  const others = symbols.flatMap(({ term, operands }) => [term, ...operands]);
  const question = writeStatement(claims, equalInTurn(terms, algebra.operations.equal), others);
  return {
    name: "turns-round",
    fault: `${op} reads its elements last first`,
    instead: question.hypotheses.map(({ name, formula }) => ({ name: `given.${name}`, formula })),
    declarations: question.declarations,
    goal: question.goal,
    ask: question.names,
    execute: (model: Model) => {
      const { numbers, table } = readModel(model, symbols);
      const real = tabulated(table);
      const scalar = (name: string): Rational => numbers.get(name) ?? rational.additive.zero;
      const given = inputsOf(use, scalar);
      const want = scalarResults(scalars, real, scalar);
      const isWanted = (results: readonly Rational[]): boolean =>
        results.every((x, index) => rational.isSame(x, present(want[index], "what it should be")));
      const [good, bad] = [right, wrong].map((rule) => resultsOf(rule, use, real, given));
      const hasValues = want.every(({ denominator }) => denominator !== 0n);
      return {
        showsFault: hasValues && isWanted(good ?? []) && !isWanted(bad ?? []),
        told: `${op} element by element: ${want.map(formatRational).join(", ")}; turned round: ${(bad ?? []).map(formatRational).join(", ")}`,
      };
    },
  };
}
