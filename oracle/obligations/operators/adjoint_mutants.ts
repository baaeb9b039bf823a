import {
  formatRational,
  type Rational,
  rational,
  type SymbolicAlgebra,
  symbolic,
} from "../../../reference/index.ts";
import { type NeedOf, type PrimitiveAttributes, type PrimitiveName, present } from "../../../spec/index.ts";
import type { Execution, Model, ObligationMutant } from "../obligation.ts";
import { type Fault, faults } from "./faults.ts";
import { type FunctionTable, readModel, tabulated } from "./model.ts";
import { isIdentity } from "./normal_form.ts";
import { purify, type ValueSymbol } from "./purify.ts";
import { type Claim, functionClaims, reciprocalClaims, writeQuestion } from "./question.ts";
import {
  type Forward,
  type Inputs,
  inputsOf,
  type RuleOf,
  rightForward,
  type Sides,
  sidesOf,
  type Use,
} from "./sides.ts";

/** How many of an operator's faults are tried at one use of it. */
const MAXIMUM = 2;

/** A rule and how tangents go through it. */
interface Variant<K extends PrimitiveName> {
  readonly rule: RuleOf<K>;
  readonly forward: Forward;
}

/** The operator's planted faults at a use, those that are faults there: the model's functions are functions, and its reciprocals are ones. */
export function faultyVariants<K extends PrimitiveName>(
  use: Use<K>,
  rule: RuleOf<K>,
  hypotheses: readonly string[],
): readonly ObligationMutant[] {
  const planted: readonly Fault<NeedOf[K], PrimitiveAttributes[K]>[] = faults[use.op];
  return planted
    .flatMap((fault) => {
      const wrong = {
        rule: fault.vjp === undefined ? rule : { ...rule, vjp: fault.vjp },
        forward: fault.forward ?? rightForward,
      };
      const mutant = faultyVariant(use, rule, wrong, hypotheses);
      return mutant === undefined ? [] : [{ ...mutant, name: fault.name, fault: `${use.op} ${fault.says}` }];
    })
    .slice(0, MAXIMUM);
}

function faultyVariant<K extends PrimitiveName>(
  use: Use<K>,
  rule: RuleOf<K>,
  wrong: Variant<K>,
  hypotheses: readonly string[],
): Omit<ObligationMutant, "name" | "fault"> | undefined {
  const algebra = symbolic();
  const inputs = inputsOf(use, algebra.variable);
  const wrongSides = sidesOf(wrong.rule, wrong.forward, use, algebra, inputs);
  const rightSides = sidesOf(rule, rightForward, use, algebra, inputs);
  const { terms, symbols } = purify(
    algebra,
    [wrongSides, rightSides].flatMap(({ left, right }) => [left, right]),
  );
  const [left, right] = [present(terms[0], "the left side"), present(terms[1], "the right side")];
  if (isIdentity(left, right, symbols)) return undefined;
  const claims = [...reciprocalClaims(algebra, symbols), ...functionClaims(algebra, symbols)];
  return {
    ...asked(algebra, claims, [left, right], hypotheses, symbols),
    execute: (model) => {
      const { numbers, table } = readModel(model, symbols);
      const run = (variant: Variant<K>): Sides<Rational> => executed(variant, use, numbers, table);
      return judged(use, numbers, run({ rule, forward: rightForward }), run(wrong));
    },
  };
}

/** For each reciprocal that the proof needs, the model of a division that is none: the right rule fails over it. */
export function freeReciprocals<K extends PrimitiveName>(
  use: Use<K>,
  rule: RuleOf<K>,
  hypotheses: readonly string[],
): readonly ObligationMutant[] {
  return hypotheses.map((freed) => {
    const algebra = symbolic();
    const { operations: a } = algebra;
    const sides = sidesOf(rule, rightForward, use, algebra, inputsOf(use, algebra.variable));
    const { terms, symbols } = purify(algebra, [sides.left, sides.right]);
    const positive = symbols.flatMap(({ name, operator, operands: [y] }) =>
      operator === "reciprocal" && y !== undefined
        ? [{ name: `positive.${name}`, holds: a.less(a.zero, y) }]
        : [],
    );
    const claims = [...reciprocalClaims(algebra, symbols).filter(({ name }) => name !== freed), ...positive];
    const variant = { rule, forward: rightForward };
    return {
      name: `frees.${freed}`,
      fault: `what stands for the reciprocal of a denominator need not be it (${freed})`,
      ...asked(
        algebra,
        claims,
        [present(terms[0], "a side"), present(terms[1], "a side")],
        hypotheses,
        symbols,
      ),
      execute: (model: Model) => {
        const { numbers, table } = readModel(model, symbols);
        const divided = executed(variant, use, numbers, new Map());
        return judged(use, numbers, divided, executed(variant, use, numbers, table));
      },
    };
  });
}

function asked(
  { operations: a }: SymbolicAlgebra,
  claims: readonly Claim[],
  [left, right]: readonly [Parameters<typeof a.equal>[0], Parameters<typeof a.equal>[1]],
  hypotheses: readonly string[],
  symbols: readonly ValueSymbol[],
): Pick<ObligationMutant, "without" | "instead" | "declarations" | "goal" | "ask"> {
  const question = writeQuestion(
    claims,
    [a.equal(left, right)],
    symbols.map(({ term }) => term),
  );
  return {
    without: hypotheses,
    instead: question.hypotheses.map(({ name, formula }) => ({ name: `given.${name}`, formula })),
    declarations: question.declarations,
    goal: question.goal,
    ask: question.names,
  };
}

function executed<K extends PrimitiveName>(
  { rule, forward }: Variant<K>,
  use: Use<K>,
  numbers: ReadonlyMap<string, Rational>,
  table: FunctionTable,
): Sides<Rational> {
  return sidesOf(rule, forward, use, tabulated(table), inputsAt(use, numbers));
}

/** The model's numbers; 0 for what no formula mentions. */
function inputsAt(use: Use<PrimitiveName>, numbers: ReadonlyMap<string, Rational>): Inputs<Rational> {
  return inputsOf(use, (name) => numbers.get(name) ?? rational.additive.zero);
}

function judged(
  { op }: Use<PrimitiveName>,
  numbers: ReadonlyMap<string, Rational>,
  right: Sides<Rational>,
  wrong: Sides<Rational>,
): Execution {
  const hasValue = [right.left, right.right, wrong.left, wrong.right].every((x) => x.denominator !== 0n);
  const at = [...numbers].map(([name, value]) => `${name} = ${formatRational(value)}`).join(", ");
  const tell = ({ left, right: other }: Sides<Rational>): string =>
    `dot(jvp, c) = ${formatRational(left)}, dot(dx, vjp) = ${formatRational(other)}`;
  return {
    showsFault:
      hasValue && rational.isSame(right.left, right.right) && !rational.isSame(wrong.left, wrong.right),
    told: `${op} at ${at}: ${tell(right)}; the wrong one: ${tell(wrong)}`,
  };
}
