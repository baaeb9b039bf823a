import { type ScalarFunction, scalarFunctions } from "../../../engines/compile/plan/index.ts";
import { InvariantError, present } from "../../../spec/shapes/index.ts";
import type { Execution, Hypothesis, Model, ObligationMutant } from "../obligation.ts";
import type { Arithmetic } from "./arithmetic.ts";
import { holdsAmong, type LawName, lawAmong } from "./laws.ts";
import { nameOfLiteral, Terms } from "./terms.ts";
import { abstract, declarationsIn } from "./theories.ts";

/** A claim says that two computations from the same scalars, of any kind, have the same results. */
export interface Claim {
  readonly symbols: readonly string[];
  sides<T>(arithmetic: Arithmetic<T>, elements: readonly T[]): readonly [readonly T[], readonly T[]];
}

/** The solver finds an algebra of these; three are enough for any law here to fail alone. */
const elements = ["e0", "e1", "e2"];

/** A solver must tell this of an algebra: elements, literals, the numbers at hand, and function tables. */
interface Algebra {
  readonly terms: Terms;
  readonly tables: readonly (readonly [ScalarFunction, readonly (readonly string[])[]])[];
  readonly goal: string;
}

function algebraOf({ symbols, sides }: Claim): Algebra {
  const terms = new Terms();
  const [one, other] = sides(terms, symbols);
  // Laws mention 0, whether or not a program does.
  terms.literal(0);
  const functions = [...terms.functions].filter((name) => abstract.function(name) === undefined);
  return {
    terms,
    tables: functions.map((name) => [name, tuples(scalarFunctions[name])]),
    goal: equalities(one, other),
  };
}

/** Lists all tuples of elements. */
function tuples(length: number): readonly (readonly string[])[] {
  return Array.from({ length }).reduce<readonly (readonly string[])[]>(
    (before) => before.flatMap((tuple) => elements.map((element) => [...tuple, element])),
    [[]],
  );
}

/** States that these terms are equal, one by one. */
export function equalities(one: readonly string[], other: readonly string[]): string {
  const all = one.map((term, n) => `(= ${term} ${present(other[n], "as many terms")})`);
  return all.length === 1 ? (all[0] ?? "true") : `(and ${all.join(" ")})`;
}

/**
 * Drops a law: the solver finds an algebra of three elements, by its tables, and elements for which the two
 * sides differ. The sides run over those tables, where they must differ and the kept laws must hold, and over
 * the integers modulo 3, where all laws hold and they must not differ.
 */
export function withoutLaw(claim: Claim, all: readonly LawName[], dropped: LawName): ObligationMutant {
  const kept = all.filter((law) => law !== dropped);
  const mutant = inSomeAlgebra(claim, { kept, dropped });
  return {
    ...mutant,
    name: `not_${dropped}`,
    fault: `the algebra has ${kept.length === 0 ? "no law" : kept.join(", ")}, and is not ${dropped}.`,
    without: [dropped],
  };
}

interface Laws {
  readonly kept: readonly LawName[];
  /** This law must fail; if undefined, nothing is known of scalars, and computations differ. */
  readonly dropped: LawName | undefined;
  /** This must hold where the sides differ, in place of their equality modulo 3. */
  readonly right?: Claim;
}

/** Plants a mutant whose model is an algebra of three elements. */
export function inSomeAlgebra(
  claim: Claim,
  { kept, dropped, right }: Laws,
): Omit<ObligationMutant, "name" | "fault"> {
  const algebra = algebraOf(claim);
  const { terms, tables, goal } = algebra;
  const constants = [...new Set(["zero", ...terms.literals.keys(), ...claim.symbols])];
  const values = tables.flatMap(([name, all]) => all.map((tuple) => `(${name} ${tuple.join(" ")})`));
  const among = (term: string): string => `(or ${elements.map((e) => `(= ${term} ${e})`).join(" ")})`;
  const carrier: Hypothesis = {
    name: "three_elements",
    formula: `(and (distinct ${elements.join(" ")}) ${[...constants, ...values].map(among).join(" ")})`,
  };
  return {
    logic: "QF_UF",
    declarations: declarationsIn(abstract, terms, [...elements, ...claim.symbols]),
    instead: [...kept.map((law) => lawAmong(law, elements)), carrier],
    goal,
    ask: [...elements, ...constants, ...values],
    execute: (model) => execution(claim, { kept, dropped, ...(right && { right }) }, model),
  };
}

/** Reads the algebra that a model describes; its elements are numbers from 0 on. */
function arithmeticOf(model: Model): Arithmetic<number> {
  const known = elements.map((element) => model.get(element));
  const elementOf = (term: string): number => {
    const value = known.indexOf(model.get(term));
    if (value < 0) throw new InvariantError(`the model does not say which element ${term} is`);
    return value;
  };
  return {
    literal: (value) => elementOf(Object.is(value, -0) ? "zero" : nameOfLiteral(value)),
    apply(name, operands) {
      const [x, y, z] = operands;
      if (name === "select") return present(x === elementOf("zero") ? z : y, "three operands");
      return elementOf(`(${name} ${operands.map((operand) => elements[operand]).join(" ")})`);
    },
  };
}

/** Computes modulo the number of elements. Throws {@link InvariantError} for functions not of a ring. */
const residues: Arithmetic<number> = {
  literal: (value) => residue(value),
  apply(name, [x = 0, y = 0]) {
    switch (name) {
      case "negative":
        return residue(-x);
      case "add":
        return residue(x + y);
      case "subtract":
        return residue(x - y);
      case "multiply":
        return residue(x * y);
      default:
        throw new InvariantError(`no ${name} of residues`);
    }
  },
};

function residue(x: number): number {
  const { length } = elements;
  return ((x % length) + length) % length;
}

function execution(claim: Claim, { kept, dropped, right }: Laws, model: Model): Execution {
  const arithmetic = arithmeticOf(model);
  const numbers = elements.map((_, n) => n);
  const at = claim.symbols.map((symbol) => elementIn(model, symbol));
  const [one, other] = claim.sides(arithmetic, at);
  const [lawful, alike] = right === undefined ? claim.sides(residues, at) : right.sides(arithmetic, at);
  const areLaws = kept.every((law) => holdsAmong(law, arithmetic, numbers));
  const isBroken = dropped === undefined || !holdsAmong(dropped, arithmetic, numbers);
  const isDifferent = !isSame(one, other);
  const told = claim.symbols.map((symbol, n) => `${symbol} = ${at[n]}`).join(", ");
  return {
    showsFault: areLaws && isBroken && isDifferent && isSame(lawful, alike),
    told: `${told}, in the algebra of three elements with ${tablesIn(model)}: ${one.join(", ")} and ${other.join(", ")}; ${right === undefined ? "modulo 3" : "rightly"} ${lawful.join(", ")} and ${alike.join(", ")}`,
  };
}

function elementIn(model: Model, term: string): number {
  return elements.findIndex((element) => model.get(element) === model.get(term));
}

function isSame(one: readonly number[], other: readonly number[]): boolean {
  return one.length === other.length && one.every((x, n) => x === other[n]);
}

/** Writes the tables of a model, such as `add 012 120 201`. */
function tablesIn(model: Model): string {
  const rows = new Map<string, string>();
  for (const term of model.keys()) {
    const name = /^\((\w+) /.exec(term)?.[1];
    if (name !== undefined) rows.set(name, `${rows.get(name) ?? ""}${elementIn(model, term)}`);
  }
  return [...rows].map(([name, row]) => `${name} ${row.replaceAll(/(...)(?=.)/g, "$1 ")}`).join(", ");
}
