import type { LoopProgram } from "../../../engines/compile/plan/index.ts";
import type { Model } from "../obligation.ts";
import { type Arguments, resultsOver, symbolsOf } from "./evaluation.ts";
import { type Claim, equalities } from "./finite.ts";
import { arithmeticIn, type FormatName, floatOf } from "./numbers.ts";
import { Terms } from "./terms.ts";
import { declarationsIn, type Given, type Theory } from "./theories.ts";

/** Two programs over the same sources that are claimed to have the same results. */
export interface Pair {
  readonly before: LoopProgram;
  readonly after: LoopProgram;
  /** Index entries, where the programs read some. */
  readonly indices?: readonly (readonly number[])[];
}

/** A pair as formulas: all elements of the results are equal. */
export interface Equivalence {
  readonly declarations: string;
  readonly goal: string;
  /** The elements of the sources, and the parameters. */
  readonly symbols: readonly string[];
}

/** Numbers in literals that stand for any number, with the names of those. */
export type Parameters = ReadonlyMap<number, string>;

/** The formulas of a pair in a theory, by running both programs on terms. */
export function equivalenceOf(
  { before, after, indices = [] }: Pair,
  theory: Theory,
  parameters: Parameters = new Map(),
  given: Given = {},
): Equivalence {
  const terms = new Terms(parameters);
  const sources = symbolsOf(before);
  const [one = [], other = []] = [before, after].map((program) =>
    resultsOver(program, terms, { sources, indices }),
  );
  const symbols = [...sources.flat(), ...parameters.values()];
  return {
    declarations: declarationsIn(theory, terms, symbols, given),
    goal: equalities(one, other),
    symbols,
  };
}

/** What a pair claims of scalars of any kind. */
export function claimOf({ before, after, indices = [] }: Pair): Claim {
  const names = symbolsOf(before);
  return {
    symbols: names.flat(),
    sides(arithmetic, elements) {
      const starts = names.map((_, n) => names.slice(0, n).flat().length);
      const sources = names.map(({ length }, n) => elements.slice(starts[n], (starts[n] ?? 0) + length));
      const [one = [], other = []] = [before, after].map((program) =>
        resultsOver(program, arithmetic, { sources, indices }),
      );
      return [one, other];
    },
  };
}

/** The numbers of a model for the sources of a program, in a format; 0 for what the model does not tell. */
export function numbersFor(
  program: LoopProgram,
  format: FormatName,
  model: Model,
): readonly (readonly number[])[] {
  return symbolsOf(program).map((names) => names.map((name) => numberIn(model, name, format)));
}

/** The number that a model gives a symbol. */
export function numberIn(model: Model, name: string, format: FormatName): number {
  const text = model.get(name);
  return text === undefined ? 0 : floatOf(format, text);
}

/** What two programs make of the same numbers. */
export interface Outcome {
  readonly before: readonly number[];
  readonly after: readonly number[];
  /** By `Object.is`, element by element. */
  readonly isSame: boolean;
}

/** Runs both programs of a pair in a format's arithmetic. */
export function outcomeOf(
  { before, after, indices = [] }: Pair,
  format: FormatName,
  sources: Arguments<number>["sources"],
): Outcome {
  const arithmetic = arithmeticIn(format);
  const [one = [], other = []] = [before, after].map((program) =>
    resultsOver(program, arithmetic, { sources, indices }),
  );
  return { before: one, after: other, isSame: one.every((x, n) => Object.is(x, other[n])) };
}

/** Numbers for people; −0 with its sign. */
export function formatNumbers(numbers: readonly number[]): string {
  return numbers.map((x) => (Object.is(x, -0) ? "-0" : String(x))).join(", ");
}
