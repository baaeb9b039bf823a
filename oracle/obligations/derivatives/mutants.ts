import {
  type ScalarTerm,
  type SymbolicAlgebra,
  symbolic,
} from "../../../reference/algebras/symbolic/index.ts";
import { formatRational, type Rational, rational, rationalFromNumber } from "../../../reference/index.ts";
import { type DerivativeRule, derivatives } from "../../../spec/derivatives/index.ts";
import { type PrimitiveAttributes, type PrimitiveName, primitives } from "../../../spec/operators/index.ts";
import { assertNever, at } from "../../../spec/shapes/index.ts";
import type { Model, ObligationMutant } from "../obligation.ts";
import {
  anywhere,
  functionClaims,
  isIdentity,
  type Place,
  placed,
  placeFor,
  purify,
  readModel,
  reciprocalClaims,
  tabulated,
  type Use,
  writeStatement,
} from "../operators/index.ts";
import { equationsOf } from "./equations.ts";
import { type Comparison, comparisonOf, numbersOf, type Order, type Pair } from "./graphs.ts";
import {
  frozenValues,
  generalMistakes,
  loneOperands,
  type PlantedDerivative,
  plantedDerivatives,
  withRule,
} from "./planted/index.ts";

/** Lists the mistakes of an operator's rule in the order in which they are tried. */
export function mistakesOf<K extends PrimitiveName>(
  op: K,
  order: Order,
): readonly PlantedDerivative<PrimitiveAttributes[K]>[] {
  const right: DerivativeRule<PrimitiveAttributes[K]> = derivatives[op];
  const planted: readonly PlantedDerivative<PrimitiveAttributes[K]>[] = plantedDerivatives[op];
  const general = generalMistakes(right).filter(({ name }) => planted.every((one) => one.name !== name));
  switch (order) {
    case "first":
      return [...planted, ...general];
    case "second":
      return [...frozenValues(right), ...planted, ...general];
    case "partial":
      return [...loneOperands(right), ...planted, ...general];
    default:
      return assertNever(order);
  }
}

/** At most this many wrong rules are planted at one use. */
const MAXIMUM = 2;

/**
 * Plants the first mistakes that show at a use: for a first derivative one in the cotangents and one in the
 * tangent, for a second what no first derivative shows. Models are run through the right graphs, the wrong
 * ones and the reference's rules.
 */
export function mutantsOf<K extends PrimitiveName>(
  use: Use<K>,
  order: Order,
  right: Comparison,
  hypotheses: readonly string[],
): readonly ObligationMutant[] {
  const mutants: ObligationMutant[] = [];
  const isTold = { cotangents: false, tangent: false };
  for (const mistake of mistakesOf(use.op, order)) {
    const part = mistake.cotangents === undefined ? "tangent" : "cotangents";
    if (mutants.length === MAXIMUM || isTold[part]) continue;
    const wrong = comparisonOf(use, order, withRule(use.op, mistake));
    const mutant = mutantOf(use, { right, wrong }, mistake, hypotheses);
    if (mutant === undefined) continue;
    isTold[part] = true;
    mutants.push(mutant);
  }
  return mutants;
}

/** These compare the graphs of the right rule and of the wrong one. */
interface Variants {
  readonly right: Comparison;
  readonly wrong: Comparison;
}

function mutantOf(
  use: Use<PrimitiveName>,
  variants: Variants,
  { name, says }: { readonly name: string; readonly says: string },
  hypotheses: readonly string[],
): ObligationMutant | undefined {
  const places = [placeOf(use, variants.wrong), anywhere];
  const place = places.find((fixed) => isMistake(use, variants.wrong, fixed));
  if (place === undefined) return undefined;
  const algebra = symbolic();
  const numbers = numbersOf(use, placed(algebra, place));
  const [wrong, right] = [variants.wrong.pairs(algebra, numbers), variants.right.pairs(algebra, numbers)];
  const { terms, symbols } = purify(algebra, [...wrong, ...right].flat());
  const goals = wrong.map((_, index) => ({
    holds: algebra.operations.equal(at(terms, 2 * index), at(terms, 2 * index + 1)),
  }));
  const claims = [...reciprocalClaims(algebra, symbols), ...functionClaims(algebra, symbols)];
  const others = symbols.flatMap(({ term, operands }) => [term, ...operands]);
  const question = writeStatement(claims, goals, others);
  return {
    name,
    fault: `the rule of ${use.op} ${says}`,
    without: hypotheses,
    instead: question.hypotheses.map(({ name: claim, formula }) => ({ name: `given.${claim}`, formula })),
    declarations: question.declarations,
    goal: question.goal,
    ask: question.names,
    execute: (model: Model) => {
      const { numbers: found, table } = readModel(model, symbols);
      const given = numbersOf(
        use,
        (unknown) => found.get(unknown) ?? rationalFromNumber(place(unknown) ?? 0),
      );
      const [good, bad] = [variants.right, variants.wrong].map((variant) =>
        variant.pairs(tabulated(table), given),
      );
      return { showsFault: agree(good ?? []) && !agree(bad ?? []), told: tell(use, good ?? [], bad ?? []) };
    },
  };
}

/** Tells whether the reference has values and the graphs have the same. */
export function agree(pairs: readonly Pair<Rational>[]): boolean {
  return pairs.every(([got, want]) => want.denominator !== 0n && rational.isSame(got, want));
}

function tell(
  { op, usage }: Use<PrimitiveName>,
  good: readonly Pair<Rational>[],
  bad: readonly Pair<Rational>[],
): string {
  const list = (numbers: readonly Rational[]): string => numbers.map(formatRational).join(", ");
  return `${op} at ${usage.label}: the reference says ${list(good.map(([, want]) => want))}; the graphs ${list(good.map(([got]) => got))}; those of the wrong rule ${list(bad.map(([got]) => got))}`;
}

/** Tells whether normal forms distinguish a rule's graphs from the reference. */
function isMistake(use: Use<PrimitiveName>, wrong: Comparison, place: Place): boolean {
  const algebra = symbolic();
  const { sides, symbols } = equationsOf(
    algebra,
    wrong.pairs(algebra, numbersOf(use, placed(algebra, place))),
  );
  return sides.some(([left, right]) => !isIdentity(left, right, symbols));
}

/** Fixes what is fixed for the operators in the search for a model, and tangents of cotangents. */
function placeOf(use: Use<PrimitiveName>, wrong: Comparison): Place {
  const algebra: SymbolicAlgebra = symbolic();
  const sides: readonly ScalarTerm[] = wrong.pairs(algebra, numbersOf(use, algebra.variable)).flat();
  const isLinear = primitives[use.op].smoothness === "linear";
  const operators = placeFor(use.op, sides);
  return (name) => {
    const position = /^dc\.([0-9]+)$/.exec(name)?.[1];
    if (position !== undefined) return isLinear ? undefined : Number(position) ** 2 + 3;
    return operators(name);
  };
}
