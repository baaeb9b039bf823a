import { type BinaryName, forBinary, forUnary, type UnaryName } from "../../../spec/operators/index.ts";

/**
 * The scalar functions of a loop body, each with its arity. `less` and `equal` give 1 or 0. `select` gives
 * its second operand where the first is not 0, else its third. `multiply_add` is `x y + z` with one rounding
 * or two, as the machine does it; only the contraction of a fast regime introduces it.
 */
export const scalarFunctions: { readonly [F in ScalarFunction]: 1 | 2 | 3 } = {
  ...forUnary(() => 1 as const),
  ...forBinary(() => 2 as const),
  negative: 1,
  floor: 1,
  add: 2,
  subtract: 2,
  multiply: 2,
  divide: 2,
  less: 2,
  equal: 2,
  select: 3,
  multiply_add: 3,
};

/** Arithmetic and comparison. */
type Instruction =
  | "negative"
  | "floor"
  | "add"
  | "subtract"
  | "multiply"
  | "divide"
  | "less"
  | "equal"
  | "select"
  | "multiply_add";

/** The name of a scalar function. */
export type ScalarFunction = UnaryName | BinaryName | Instruction;

/**
 * A loop computes this for one element: a directed acyclic graph of scalar functions. An object that occurs
 * twice is computed once. Each application is rounded to the program's precision.
 */
export type Expression =
  /** The element at the body's read of this number. */
  | { readonly kind: "read"; readonly read: number }
  /** A number; rounded to the precision of the program. */
  | { readonly kind: "literal"; readonly value: number }
  | Application;

/** An application of a scalar function. */
export interface Application {
  readonly kind: "apply";
  readonly function: ScalarFunction;
  readonly operands: readonly Expression[];
}

/** Makes a read. */
export function read(position: number): Expression {
  return { kind: "read", read: position };
}

/** Makes a literal. */
export function literal(value: number): Expression {
  return { kind: "literal", value };
}

/** Applies a function to operands; the caller gives as many as it takes. */
export function apply(name: ScalarFunction, ...operands: readonly Expression[]): Expression {
  return { kind: "apply", function: name, operands };
}

/**
 * Replaces each read of `expression`. Shared parts stay shared.
 * Cost: linear in the parts, however often each occurs; no recursion deeper than the expression.
 */
export function substitute(expression: Expression, replacement: (read: number) => Expression): Expression {
  let done: KnownParts<Expression, Expression> | undefined;
  const visit = (part: Expression): Expression => {
    if (part.kind === "literal") return part;
    if (part.kind === "read") return replacement(part.read);
    const known = done?.get(part);
    if (known !== undefined) return known;
    const replaced: Expression = {
      kind: "apply",
      function: part.function,
      operands: part.operands.map(visit),
    };
    // Nothing comes back to the whole.
    if (part !== expression) {
      done ??= new KnownParts();
      done.set(part, replaced);
    }
    return replaced;
  };
  return visit(expression);
}

/** The applications of an expression, each once, operands before what uses them. */
export function applicationsOf(expression: Expression): readonly Application[] {
  if (expression.kind !== "apply") return [];
  if (isFlat(expression)) return [expression];
  const seen = new KnownParts<Application, true>();
  const visit = (part: Application): void => {
    if (seen.get(part)) return;
    for (const operand of part.operands) if (operand.kind === "apply") visit(operand);
    seen.set(part, true);
  };
  visit(expression);
  return seen.parts;
}

/** Says whether no operand is an application. */
export function isFlat({ operands }: Application): boolean {
  for (let n = 0; n < operands.length; n++) if (operands[n]?.kind === "apply") return false;
  return true;
}

/** Up to so many parts are searched in a list, which is made faster than a map. */
const FEW = 12;

/** What a walk knows of the parts of an expression, by object. Cost: that of a map, and less for few. */
export class KnownParts<Part extends object, T> {
  /** The parts, in the order in which they came to be known. */
  readonly parts: Part[] = [];
  readonly #values: T[] = [];
  #places: Map<Part, number> | undefined;

  /** Returns what is known of a part; `undefined` if nothing is. */
  get(part: Part): T | undefined {
    const place = this.#places === undefined ? this.parts.indexOf(part) : this.#places.get(part);
    return place === undefined || place < 0 ? undefined : this.#values[place];
  }

  /** Makes something known of a part of which nothing was. */
  set(part: Part, value: T): void {
    const place = this.parts.push(part) - 1;
    this.#values.push(value);
    if (this.#places !== undefined) this.#places.set(part, place);
    else if (place === FEW) this.#places = new Map(this.parts.map((known, n) => [known, n]));
  }
}
