import { type BinaryName, forBinary, forUnary, type UnaryName } from "../../../spec/operators/index.ts";

/**
 * The scalar functions that a loop body applies, with how many operands each takes. `less` and `equal` give 1 or 0; `select` gives
 * its second operand where the first is not 0, else its third. `multiply_add` is `x y + z` with one rounding or two,
 * as the machine likes; only the contraction of a fast regime makes it.
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
 * What a loop computes for one element: a directed acyclic graph of scalar functions. An object that occurs twice is computed once. Every
 * application is rounded on its own to the precision of the program.
 */
export type Expression =
  /** The element that the instruction's read of this number finds. */
  | { readonly kind: "read"; readonly read: number }
  /** A number; rounded to the precision of the program. */
  | { readonly kind: "literal"; readonly value: number }
  | {
      readonly kind: "apply";
      readonly function: ScalarFunction;
      readonly operands: readonly Expression[];
    };

/** The element of a read. */
export function read(position: number): Expression {
  return { kind: "read", read: position };
}

/** A number. */
export function literal(value: number): Expression {
  return { kind: "literal", value };
}

/** A function of expressions; the caller gives as many as it takes. */
export function apply(name: ScalarFunction, ...operands: readonly Expression[]): Expression {
  return { kind: "apply", function: name, operands };
}

/**
 * `expression` with each read replaced. Shared parts stay shared.
 * Cost: linear in the parts, however often each occurs; no recursion deeper than the expression.
 */
export function substitute(expression: Expression, replacement: (read: number) => Expression): Expression {
  const done = new Map<Expression, Expression>();
  const visit = (part: Expression): Expression => {
    if (part.kind === "literal") return part;
    const known = done.get(part);
    if (known !== undefined) return known;
    const replaced: Expression =
      part.kind === "read" ? replacement(part.read) : { ...part, operands: part.operands.map(visit) };
    done.set(part, replaced);
    return replaced;
  };
  return visit(expression);
}

/** The applications of an expression, each once, operands before what uses them. */
export function applicationsOf(expression: Expression): readonly Extract<Expression, { kind: "apply" }>[] {
  const seen = new Set<Extract<Expression, { kind: "apply" }>>();
  const visit = (part: Expression): void => {
    if (part.kind !== "apply" || seen.has(part)) return;
    for (const operand of part.operands) visit(operand);
    seen.add(part);
  };
  visit(expression);
  return [...seen];
}
