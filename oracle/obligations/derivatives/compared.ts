import { type ScalarTerm, symbolic } from "../../../reference/algebras/symbolic/index.ts";
import { formatRational, type Rational, rational, rationalFromNumber } from "../../../reference/index.ts";
import { type Algebra, at } from "../../../spec/shapes/index.ts";
import type { Model, ObligationMutant } from "../obligation.ts";
import {
  functionClaims,
  isIdentity,
  type Place,
  placed,
  purify,
  readModel,
  reciprocalClaims,
  tabulated,
  writeStatement,
} from "../operators/index.ts";
import { equationsOf } from "./equations.ts";
import type { Pair } from "./graphs.ts";

/** Code that runs over any scalars is compared with what it owes, at numbers that have names. */
export interface Compared {
  pairs<S, B>(algebra: Algebra<S, B>, scalar: (name: string) => S): readonly Pair<S>[];
}

/** These are the right code and the wrong one, which owe the same. */
export interface Variants {
  readonly right: Compared;
  readonly wrong: Compared;
}

/** A mutant is planted under this name, and people are told what is wrong and where it was run. */
interface Planting {
  readonly name: string;
  readonly fault: string;
  readonly where: string;
  /** Unknowns are fixed so in the search for a model; the first place where the fault shows is taken. */
  readonly places: readonly Place[];
  /** The obligation's hypotheses are left out. */
  readonly hypotheses: readonly string[];
}

/** Returns a mutant whose models run the right code and the wrong one; `undefined` where no fault shows. */
export function comparedMutant(variants: Variants, planting: Planting): ObligationMutant | undefined {
  const { name, fault, where, places, hypotheses } = planting;
  const place = places.find((fixed) => isMistake(variants.wrong, fixed));
  if (place === undefined) return undefined;
  const algebra = symbolic();
  const [wrong, right] = [variants.wrong, variants.right].map(({ pairs }) =>
    pairs(algebra, placed(algebra, place)),
  );
  const { terms, symbols } = purify(algebra, [...(wrong ?? []), ...(right ?? [])].flat());
  const goals = (wrong ?? []).map((_, index) => ({
    holds: algebra.operations.equal(at(terms, 2 * index), at(terms, 2 * index + 1)),
  }));
  const claims = [...reciprocalClaims(algebra, symbols), ...functionClaims(algebra, symbols)];
  const others: readonly ScalarTerm[] = symbols.flatMap(({ term, operands }) => [term, ...operands]);
  const question = writeStatement(claims, goals, others);
  return {
    name,
    fault,
    without: hypotheses,
    instead: question.hypotheses.map(({ name: claim, formula }) => ({ name: `given.${claim}`, formula })),
    declarations: question.declarations,
    goal: question.goal,
    ask: question.names,
    execute: (model: Model) => {
      const { numbers, table } = readModel(model, symbols);
      const scalar = (unknown: string): Rational =>
        numbers.get(unknown) ?? rationalFromNumber(place(unknown) ?? 0);
      const [good = [], bad = []] = [variants.right, variants.wrong].map(({ pairs }) =>
        pairs(tabulated(table), scalar),
      );
      return { showsFault: agree(good) && !agree(bad), told: tell(where, good, bad) };
    },
  };
}

/** Tells whether what is owed has values and the code has the same. */
export function agree(pairs: readonly Pair<Rational>[]): boolean {
  return pairs.every(([got, want]) => want.denominator !== 0n && rational.isSame(got, want));
}

function tell(where: string, good: readonly Pair<Rational>[], bad: readonly Pair<Rational>[]): string {
  const list = (numbers: readonly Rational[]): string => numbers.map(formatRational).join(", ");
  return `${where}: right is ${list(good.map(([, want]) => want))}; the code says ${list(good.map(([got]) => got))}, the wrong one ${list(bad.map(([got]) => got))}`;
}

/** Tells whether normal forms distinguish the wrong code from what it owes. */
function isMistake(wrong: Compared, place: Place): boolean {
  const algebra = symbolic();
  const { sides, symbols } = equationsOf(algebra, wrong.pairs(algebra, placed(algebra, place)));
  return sides.some(([left, right]) => !isIdentity(left, right, symbols));
}
