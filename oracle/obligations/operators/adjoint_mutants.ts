import {
  type ScalarTerm,
  type SymbolicAlgebra,
  symbolic,
} from "../../../reference/algebras/symbolic/index.ts";
import { formatRational, type Rational, rational, rationalFromNumber } from "../../../reference/index.ts";
import type { NeedOf, PrimitiveAttributes, PrimitiveName } from "../../../spec/operators/index.ts";
import { present } from "../../../spec/shapes/index.ts";
import type { Execution, Model, ObligationMutant } from "../obligation.ts";
import { type Fault, faultsOf } from "./faults.ts";
import { type FunctionTable, readModel, tabulated } from "./model.ts";
import { isIdentity } from "./normal_form.ts";
import { anywhere, type Place, placed, placeFor } from "./places.ts";
import { purify, type ValueSymbol } from "./purify.ts";
import { type Forward, inputsOf, type RuleOf, rightForward, type Sides, sidesOf, type Use } from "./sides.ts";
import { type Claim, functionClaims, reciprocalClaims, writeStatement } from "./statement.ts";

/** At most this many of an operator's faults are planted at one use. */
const MAXIMUM = 2;

/** A variant is a rule and a way of tangents through it. */
interface Variant<K extends PrimitiveName> {
  readonly rule: RuleOf<K>;
  readonly forward: Forward;
}

/** These are the terms of two variants, purified together. */
interface Written {
  readonly algebra: SymbolicAlgebra;
  readonly sides: readonly [ScalarTerm, ScalarTerm];
  readonly symbols: readonly ValueSymbol[];
}

/**
 * Plants those of an operator's faults that show at a use. A model makes functions functions and reciprocals
 * reciprocals, so the rules run on it, over the rationals with the model's elementary functions.
 */
export function faultyVariants<K extends PrimitiveName>(
  use: Use<K>,
  rule: RuleOf<K>,
  hypotheses: readonly string[],
): readonly ObligationMutant[] {
  const planted: readonly Fault<NeedOf[K], PrimitiveAttributes[K]>[] = faultsOf(use.op);
  const mutants: ObligationMutant[] = [];
  for (const fault of planted) {
    if (mutants.length === MAXIMUM) break;
    const mutant = faultyVariant(use, rule, fault, hypotheses);
    if (mutant !== undefined) mutants.push(mutant);
  }
  return mutants;
}

function faultyVariant<K extends PrimitiveName>(
  use: Use<K>,
  rule: RuleOf<K>,
  fault: Fault<NeedOf[K], PrimitiveAttributes[K]>,
  hypotheses: readonly string[],
): ObligationMutant | undefined {
  const right = { rule, forward: rightForward };
  const wrong = {
    rule: fault.vjp === undefined ? rule : { ...rule, vjp: fault.vjp },
    forward: fault.forward ?? rightForward,
  };
  const free = written(use, [wrong, right], anywhere);
  if (isIdentity(...free.sides, free.symbols)) return undefined;
  const there = placeFor(use.op, free.sides);
  const fixed = written(use, [wrong, right], there);
  const isShownThere = !isIdentity(...fixed.sides, fixed.symbols);
  const [place, { algebra, sides, symbols }] = isShownThere ? [there, fixed] : [anywhere, free];
  const claims = [...reciprocalClaims(algebra, symbols), ...functionClaims(algebra, symbols)];
  return {
    name: fault.name,
    fault: `${use.op} ${fault.says}`,
    ...asked(algebra, claims, sides, hypotheses, symbols),
    execute: (model) => {
      const { numbers, table } = readModel(model, symbols);
      const run = (variant: Variant<K>): Sides<Rational> => executed(variant, use, numbers, place, table);
      return judged(use, numbers, run(right), run(wrong));
    },
  };
}

/** Frees each reciprocal that the proof needs: if the model's division is wrong, the right rule fails. */
export function freeReciprocals<K extends PrimitiveName>(
  use: Use<K>,
  rule: RuleOf<K>,
  hypotheses: readonly string[],
): readonly ObligationMutant[] {
  if (hypotheses.length === 0) return [];
  const right = { rule, forward: rightForward };
  const place = placeFor(use.op, written(use, [right], anywhere).sides);
  const { algebra, sides, symbols } = written(use, [right], place);
  return hypotheses.map((freed) => {
    const claims = reciprocalClaims(algebra, symbols).filter(({ name }) => name !== freed);
    return {
      name: `frees.${freed}`,
      fault: `what stands for the reciprocal of a denominator need not be it (${freed})`,
      ...asked(algebra, claims, sides, hypotheses, symbols),
      execute: (model: Model) => {
        const { numbers, table } = readModel(model, symbols);
        const divided = executed(right, use, numbers, place, new Map());
        return judged(use, numbers, divided, executed(right, use, numbers, place, table));
      },
    };
  });
}

/** Writes the sides of the first variant, and the symbols of all. */
function written<K extends PrimitiveName>(
  use: Use<K>,
  variants: readonly Variant<K>[],
  place: Place,
): Written {
  const algebra = symbolic();
  const inputs = inputsOf(use, placed(algebra, place));
  const all = variants.flatMap(({ rule, forward }) => {
    const { left, right } = sidesOf(rule, forward, use, algebra, inputs);
    return [left, right];
  });
  const { terms, symbols } = purify(algebra, all);
  return {
    algebra,
    sides: [present(terms[0], "the left side"), present(terms[1], "the right side")],
    symbols,
  };
}

function asked(
  algebra: SymbolicAlgebra,
  claims: readonly Claim[],
  [left, right]: readonly [ScalarTerm, ScalarTerm],
  hypotheses: readonly string[],
  symbols: readonly ValueSymbol[],
): Pick<ObligationMutant, "without" | "instead" | "declarations" | "goal" | "ask"> {
  const others = symbols.flatMap(({ term, operands }) => [term, ...operands]);
  const question = writeStatement(claims, [{ holds: algebra.operations.equal(left, right) }], others);
  return {
    without: hypotheses,
    instead: question.hypotheses.map(({ name, formula }) => ({ name: `given.${name}`, formula })),
    declarations: question.declarations,
    goal: question.goal,
    ask: question.names,
  };
}

/** Runs the rules at the model's and the fixed numbers, and at 0 for what no formula mentions. */
function executed<K extends PrimitiveName>(
  { rule, forward }: Variant<K>,
  use: Use<K>,
  numbers: ReadonlyMap<string, Rational>,
  place: Place,
  table: FunctionTable,
): Sides<Rational> {
  const inputs = inputsOf(use, (name) => numbers.get(name) ?? rationalFromNumber(place(name) ?? 0));
  return sidesOf(rule, forward, use, tabulated(table), inputs);
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
