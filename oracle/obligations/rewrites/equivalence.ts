import type { LoopProgram } from "../../../engines/compile/plan/index.ts";
import type { Model } from "../obligation.ts";
import { type Arguments, resultsOver, symbolsOf } from "./evaluation.ts";
import { type Claim, equalities } from "./finite.ts";
import { arithmeticIn, type FormatName, floatOf } from "./numbers.ts";
import { Terms } from "./terms.ts";
import { declarationsIn, type Given, type Theory } from "./theories.ts";

/** Two programs over the same sources are claimed to have the same results. */
export interface Pair {
  readonly before: LoopProgram;
  readonly after: LoopProgram;
  /** These are index entries that the programs read. */
  readonly indices?: readonly (readonly number[])[];
}

/** A pair as formulas states that all elements of the results are equal. */
export interface Equivalence {
  readonly declarations: string;
  readonly goal: string;
  /** These are the elements of the sources, and the parameters. */
  readonly symbols: readonly string[];
}

/** Some literals stand for any number, under these names. */
export type Parameters = ReadonlyMap<number, string>;

/** Writes a pair's formulas in a theory, by running both programs on terms. */
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

/** States a pair's claim about scalars of any kind. */
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

/** Reads a model's numbers for a program's sources, in a format; 0 for what the model does not say. */
export function numbersFor(
  program: LoopProgram,
  format: FormatName,
  model: Model,
): readonly (readonly number[])[] {
  return symbolsOf(program).map((names) => names.map((name) => numberIn(model, name, format)));
}

/** Reads the number that a model gives a symbol. */
export function numberIn(model: Model, name: string, format: FormatName): number {
  const text = model.get(name);
  return text === undefined ? 0 : floatOf(format, text);
}

/** Two programs give these results on the same numbers. */
export interface Outcome {
  readonly before: readonly number[];
  readonly after: readonly number[];
  /** If true, all elements are the same by `Object.is`. */
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

/** Shows numbers to people, −0 with its sign. */
export function formatNumbers(numbers: readonly number[]): string {
  return numbers.map((x) => (Object.is(x, -0) ? "-0" : String(x))).join(", ");
}
