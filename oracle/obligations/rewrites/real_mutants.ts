import type { ScalarFunction } from "../../../engines/compile/plan/index.ts";
import type { Model, ObligationMutant } from "../obligation.ts";
import { readSExpressions, type SExpression } from "../solve/index.ts";
import type { Arithmetic } from "./arithmetic.ts";
import { claimOf, equivalenceOf, formatNumbers, type Pair } from "./equivalence.ts";
import { arithmeticIn } from "./numbers.ts";
import { type Given, reals } from "./theories.ts";

/** A wrong variant of a claim about reals drops an assumption about a literal or a function. */
interface RealFault {
  readonly name: string;
  readonly fault: string;
  readonly without: string;
  readonly pair: Pair;
  /** Some numbers are fixed to these. */
  readonly given?: Given;
  /** These terms are known by assumptions only; each stands for an application or a literal. */
  readonly unknowns: readonly Unknown[];
  /** The assumptions hold for these functions, by default float64's, with 1 in place of 0. */
  readonly lawful?: Arithmetic<number>;
}

/** The model is asked for `term`; operands are such terms too, or numbers. */
export type Unknown =
  | { readonly kind: "literal"; readonly term: string; readonly value: number }
  | {
      readonly kind: "application";
      readonly term: string;
      readonly function: ScalarFunction;
      readonly operands: readonly (string | number)[];
    };

/**
 * Makes the mutant of a fault. The programs run on its model's numbers twice: with the model's values for
 * what is unknown they must differ; with the true literals and functions, and 1 in place of 0, they must not.
 */
export function realMutant(about: RealFault): ObligationMutant {
  const { name, fault, without, pair, given = {}, unknowns, lawful } = about;
  const { declarations, symbols } = equivalenceOf(pair, reals, new Map(), given);
  return {
    name,
    fault,
    without: [without],
    declarations,
    ask: [...new Set([...symbols, ...unknowns.flatMap(termsOf)])],
    execute(model) {
      const numbers = symbols.map((symbol) => realIn(model, symbol));
      const { sides } = claimOf(pair);
      const [one, other] = sides(overlaid(model, unknowns), numbers);
      const right =
        lawful === undefined
          ? sides(
              arithmeticIn("float64"),
              numbers.map((x) => (x === 0 ? 1 : x)),
            )
          : sides(lawful, numbers);
      const told = [...model.keys()].map((term) => `${term} = ${realIn(model, term)}`);
      return {
        showsFault: !isSame(one, other) && isSame(...right),
        told: `${told.join(", ")}: ${formatNumbers(one)} and ${formatNumbers(other)}; as things are ${right.map(formatNumbers).join(" and ")}`,
      };
    },
  };
}

function termsOf(unknown: Unknown): readonly string[] {
  if (unknown.kind === "literal") return [unknown.term];
  return [unknown.term, ...unknown.operands.filter((operand) => typeof operand === "string")];
}

/** Compares as real numbers, of which there is one 0. */
function isSame(one: readonly number[], other: readonly number[]): boolean {
  return one.every((x, n) => x === other[n]);
}

/** Computes in float64, which has the small numbers of models, but takes unknowns from the model. */
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

/** Reads a real number from a model. Throws `RangeError` unless it is a quotient of decimals. */
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
