import { at } from "../../../../spec/shapes/index.ts";
import type { Expression, ScalarFunction } from "../expression.ts";

/** An application of a scalar function. */
export type Application = Extract<Expression, { kind: "apply" }>;

/** Returns the numbers of the reads that an expression uses. Cost: linear in its parts. */
export function readsIn(expression: Expression): ReadonlySet<number> {
  const reads = new Set<number>();
  const seen = new Set<Expression>();
  const visit = (part: Expression): void => {
    if (part.kind === "read") reads.add(part.read);
    if (part.kind !== "apply" || seen.has(part)) return;
    seen.add(part);
    for (const operand of part.operands) visit(operand);
  };
  visit(expression);
  return reads;
}

/**
 * Applies `rule` to every application of `expression`, operands first, until nothing changes. Unchanged parts
 * stay the same objects. `rule` returns `undefined` where it does not apply, and else something smaller.
 */
export function simplified(
  expression: Expression,
  rule: (application: Application) => Expression | undefined,
): Expression {
  const done = new Map<Expression, Expression>();
  const visit = (part: Expression): Expression => {
    if (part.kind !== "apply") return part;
    const known = done.get(part);
    if (known !== undefined) return known;
    const operands = part.operands.map(visit);
    const same = operands.every((operand, n) => operand === part.operands[n]);
    const before: Application = same ? part : { ...part, operands };
    const after = rule(before);
    const result = after === undefined ? before : visit(after);
    done.set(part, result);
    return result;
  };
  return visit(expression);
}

/** Says whether an expression is this very number; 0 and −0 differ. */
export function isLiteral(expression: Expression | undefined, value: number): boolean {
  return expression?.kind === "literal" && Object.is(expression.value, value);
}

/** Says whether an expression is +0 or −0. */
export function isZero(expression: Expression | undefined): boolean {
  return expression?.kind === "literal" && expression.value === 0;
}

/**
 * Makes equal expressions the same object. Literals are equal if their bits are (there is one NaN). The
 * operands of sums, products and equalities have no order, which is exact in IEEE arithmetic with one NaN.
 */
export class ExpressionTable {
  readonly #literals = new Map<number, Expression>();
  readonly #negativeZeros = new Map<number, Expression>();
  readonly #reads: Expression[] = [];
  readonly #applications = new Map<string, Expression>();
  readonly #numbers = new Map<Expression, number>();

  /**
   * Returns the one object for `expression` with renumbered reads, and how many of its applications were
   * equal to others of it. Cost: linear in its parts.
   */
  unique(
    expression: Expression,
    readNumber: readonly number[],
  ): { readonly expression: Expression; readonly merged: number } {
    const done = new Map<Expression, Expression>();
    const visit = (part: Expression): Expression => {
      if (part.kind === "literal") return this.#literal(part);
      if (part.kind === "read") return this.#read(at(readNumber, part.read));
      const known = done.get(part);
      if (known !== undefined) return known;
      const found = this.#application(part, part.operands.map(visit));
      done.set(part, found);
      return found;
    };
    const found = visit(expression);
    return { expression: found, merged: done.size - new Set(done.values()).size };
  }

  /** Returns the number that stands for an expression of this table. */
  numberOf(expression: Expression): number {
    const known = this.#numbers.get(expression);
    if (known !== undefined) return known;
    this.#numbers.set(expression, this.#numbers.size);
    return this.#numbers.size - 1;
  }

  #literal(part: Extract<Expression, { kind: "literal" }>): Expression {
    // A Map has one entry for 0 and −0.
    const literals = Object.is(part.value, -0) ? this.#negativeZeros : this.#literals;
    const known = literals.get(part.value);
    if (known !== undefined) return known;
    literals.set(part.value, part);
    return part;
  }

  #read(read: number): Expression {
    while (this.#reads.length <= read) this.#reads.push({ kind: "read", read: this.#reads.length });
    return at(this.#reads, read);
  }

  #application(part: Application, operands: readonly Expression[]): Expression {
    const numbers = operands.map((operand) => this.numberOf(operand));
    if (isCommutative(part.function)) numbers.sort((a, b) => a - b);
    const key = `${part.function} ${numbers.join(" ")}`;
    const known = this.#applications.get(key);
    if (known !== undefined) return known;
    const same = operands.every((operand, n) => operand === part.operands[n]);
    const fresh = same ? part : { ...part, operands };
    this.#applications.set(key, fresh);
    return fresh;
  }
}

function isCommutative(name: ScalarFunction): boolean {
  return name === "add" || name === "multiply" || name === "equal";
}
