import type { Expression, ScalarFunction } from "../../../engines/compile/plan/index.ts";

/** Loop programs are evaluated over such scalars: numbers of a format, or terms for a solver. */
export interface Arithmetic<T> {
  literal(value: number): T;
  apply(name: ScalarFunction, operands: readonly T[]): T;
}

/** Evaluates an expression on `elements`, shared parts once. Throws `RangeError` where it reads none. */
export function valueIn<T>(arithmetic: Arithmetic<T>, expression: Expression, elements: readonly T[]): T {
  const done = new Map<Expression, T>();
  const visit = (part: Expression): T => {
    if (part.kind === "literal") return arithmetic.literal(part.value);
    if (part.kind === "read") {
      const element = elements[part.read];
      if (element === undefined) throw new RangeError(`no read ${part.read}`);
      return element;
    }
    const known = done.get(part);
    if (known !== undefined) return known;
    const value = arithmetic.apply(part.function, part.operands.map(visit));
    done.set(part, value);
    return value;
  };
  return visit(expression);
}

/** Takes a maximum's step `x ⊕ y`: `y` if `x < y` or `y` is NaN, else `x`. */
export function larger<T>(arithmetic: Arithmetic<T>, x: T, y: T): T {
  const otherwise = arithmetic.apply("select", [arithmetic.apply("equal", [y, y]), x, y]);
  return arithmetic.apply("select", [arithmetic.apply("less", [x, y]), y, otherwise]);
}
