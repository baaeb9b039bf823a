import {
  type ScalarTerm,
  type SymbolicAlgebra,
  symbolic,
} from "../../../reference/algebras/symbolic/index.ts";
import { type DerivativeRule, derivatives } from "../../../spec/derivatives/index.ts";
import { type PrimitiveAttributes, type PrimitiveName, primitives } from "../../../spec/operators/index.ts";
import { assertNever } from "../../../spec/shapes/index.ts";
import type { ObligationMutant } from "../obligation.ts";
import { anywhere, type Place, placeFor, type Use } from "../operators/index.ts";
import { type Compared, comparedMutant } from "./compared.ts";
import { type Comparison, comparisonOf, numbersOf, type Order } from "./graphs.ts";
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
interface Rules {
  readonly right: Comparison;
  readonly wrong: Comparison;
}

function mutantOf(
  use: Use<PrimitiveName>,
  { right, wrong }: Rules,
  { name, says }: { readonly name: string; readonly says: string },
  hypotheses: readonly string[],
): ObligationMutant | undefined {
  return comparedMutant(
    { right: comparedAt(use, right), wrong: comparedAt(use, wrong) },
    {
      name,
      fault: `the rule of ${use.op} ${says}`,
      where: `${use.op} at ${use.usage.label}`,
      places: [placeOf(use, wrong), anywhere],
      hypotheses,
    },
  );
}

function comparedAt(use: Use<PrimitiveName>, comparison: Comparison): Compared {
  return { pairs: (algebra, scalar) => comparison.pairs(algebra, numbersOf(use, scalar)) };
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
