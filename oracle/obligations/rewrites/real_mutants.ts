import type { ScalarFunction } from "../../../engines/plan/expression.ts";
import type { Model, ObligationMutant } from "../obligation.ts";
import { readSExpressions, type SExpression } from "../solve/s_expression.ts";
import type { Arithmetic } from "./arithmetic.ts";
import { claimOf, equivalenceOf, formatNumbers, type Pair } from "./equivalence.ts";
import { arithmeticIn } from "./numbers.ts";
import { type Given, reals } from "./theories.ts";

/** A wrong variant of a claim of real numbers: one assumption less about a literal, or a function, of which only assumptions are known. */
interface RealFault {
  readonly name: string;
  readonly fault: string;
  readonly without: string;
  readonly pair: Pair;
  /** What some of the numbers are. */
  readonly given?: Given;
  /** Terms of which only assumptions are known, with the application or the literal that each stands for. */
  readonly unknowns: readonly Unknown[];
}

/** `term` is what the model is asked for; operands name symbols, or are numbers. */
type Unknown =
  | { readonly kind: "literal"; readonly term: string; readonly value: number }
  | {
      readonly kind: "application";
      readonly term: string;
      readonly function: ScalarFunction;
      readonly operands: readonly (string | number)[];
    };

/**
 * The mutant of a fault. Its model is run: both programs on its numbers, where what is unknown is what the model says, and they must differ; and with the
 * literals and functions that they are, and 1 for a number that is 0, where they must not.
 */
export function realMutant({
  name,
  fault,
  without,
  pair,
  given = {},
  unknowns,
}: RealFault): ObligationMutant {
  const { declarations, symbols } = equivalenceOf(pair, reals, new Map(), given);
  return {
    name,
    fault,
    without: [without],
    declarations,
    ask: [...symbols, ...unknowns.map(({ term }) => term)],
    execute(model) {
      const numbers = symbols.map((symbol) => realIn(model, symbol));
      const { sides } = claimOf(pair);
      const [one, other] = sides(overlaid(model, unknowns), numbers);
      const lawful = sides(
        arithmeticIn("float64"),
        numbers.map((x) => (x === 0 ? 1 : x)),
      );
      const told = [...model.keys()].map((term) => `${term} = ${realIn(model, term)}`);
      return {
        showsFault: !isSame(one, other) && isSame(...lawful),
        told: `${told.join(", ")}: ${formatNumbers(one)} and ${formatNumbers(other)}; as things are ${lawful.map(formatNumbers).join(" and ")}`,
      };
    },
  };
}

/** As real numbers, of which there is one 0. */
function isSame(one: readonly number[], other: readonly number[]): boolean {
  return one.every((x, n) => x === other[n]);
}

/** Float64, which holds the small numbers of models, but for what the model says of unknowns. */
function overlaid(model: Model, unknowns: readonly Unknown[]): Arithmetic<number> {
  const { literal, apply } = arithmeticIn("float64");
  return {
    literal(value) {
      const known = unknowns.find((one) => one.kind === "literal" && one.value === value);
      return known === undefined ? literal(value) : realIn(model, known.term);
    },
    apply(name, operands) {
      const known = unknowns.find(
        (one) =>
          one.kind === "application" &&
          one.function === name &&
          one.operands.every(
            (operand, n) => (typeof operand === "number" ? operand : realIn(model, operand)) === operands[n],
          ),
      );
      return known === undefined ? apply(name, operands) : realIn(model, known.term);
    },
  };
}

/** The real number that a model gives a term. Throws `RangeError` for one that it does not write as a quotient of decimals. */
export function realIn(model: Model, term: string): number {
  const text = model.get(term) ?? "";
  const read = readSExpressions(text);
  if (!read.ok || read.value.length !== 1) throw new RangeError(`no real number: ${text}`);
  return numberOf(read.value[0] ?? "");
}

function numberOf(expression: SExpression): number {
  if (typeof expression === "string" && /^\d+(\.\d+)?$/.test(expression)) return Number(expression);
  const [head, first, second] = typeof expression === "string" ? [] : expression;
  if (head === "-" && first !== undefined && second === undefined) return -numberOf(first);
  if (head === "/" && first !== undefined && second !== undefined) return numberOf(first) / numberOf(second);
  throw new RangeError(`no real number: ${JSON.stringify(expression)}`);
}
