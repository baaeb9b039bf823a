import { describe, expect, test } from "vitest";
import { type Application, apply, type Expression, literal, read } from "../expression.ts";
import { ExpressionTable, isLiteral, isZero, readsIn, simplified, usesAll, usesOf } from "./expressions.ts";

/** Makes nested sums of an expression with itself, and counts how often their operands are visited. */
function doubled(times: number): { readonly expression: Expression; readonly looks: () => number } {
  let looks = 0;
  let expression: Expression = read(0);
  for (let n = 0; n < times; n++) {
    const operands = [expression, expression];
    expression = {
      kind: "apply",
      function: "add",
      get operands() {
        looks += 1;
        return operands;
      },
    };
  }
  return { expression, looks: () => looks };
}

test("shared parts are looked at once", () => {
  for (const look of [
    readsIn,
    (expression: Expression) => simplified(expression, () => undefined),
    (expression: Expression) => new ExpressionTable().unique(expression, [0]),
  ]) {
    const { expression, looks } = doubled(10);
    look(expression);
    expect(looks()).toBeLessThan(100);
  }
});

test("whether all reads are used is said as the reads themselves say, deep, shared or many", () => {
  const deep = (base: Expression, depth: number): Expression =>
    Array.from({ length: depth }).reduce<Expression>((part) => apply("add", part, part), base);
  for (const depth of [0, 1, 3, 4, 40])
    for (const count of [1, 2, 30, 31, 64]) {
      const used = Array.from({ length: count }, (_, n) => read(n));
      const whole = used.reduce((sum, part) => apply("add", sum, deep(part, depth)), deep(read(0), depth));
      const all = used.map(() => true);
      expect(usesAll(whole, count)).toBe(true);
      expect(usesOf(whole, count)).toEqual(all);
      expect(usesAll(whole, count + 1)).toBe(false);
      expect(usesOf(whole, count + 1)).toEqual([...all, false]);
      expect([...readsIn(whole)]).toEqual(used.map((_, n) => n));
    }
});

test("the reads of an expression are found in all of its operands", () => {
  expect([...readsIn(apply("select", read(2), literal(0), apply("add", read(4), read(2))))]).toEqual([2, 4]);
});

describe("an expression with a rule", () => {
  const negative = (x: Expression) => apply("negative", x);
  const rule = ({ function: name, operands: [x] }: Application) =>
    name === "negative" && x?.kind === "apply" && x.function === "negative" ? x.operands[0] : undefined;

  test("is simplified within, and until nothing is left to do", () => {
    const twice = negative(negative(read(0)));
    expect(simplified(apply("exp", twice), rule)).toEqual(apply("exp", read(0)));
    expect(simplified(negative(negative(twice)), rule)).toEqual(read(0));
  });

  test("keeps the parts that do not change as they are", () => {
    const kept = apply("exp", negative(read(1)));
    expect(simplified(kept, rule)).toBe(kept);
    const made = simplified(apply("add", kept, negative(negative(read(0)))), rule);
    expect(made.kind === "apply" ? made.operands[0] : made).toBe(kept);
  });
});

test("0 and −0 are different literals, and both zero", () => {
  expect([isLiteral(literal(0), 0), isLiteral(literal(-0), 0), isLiteral(read(0), 0)]).toEqual([
    true,
    false,
    false,
  ]);
  expect([isZero(literal(-0)), isZero(literal(0)), isZero(literal(1)), isZero(read(0))]).toEqual([
    true,
    true,
    false,
    false,
  ]);
});

describe("a table of expressions", () => {
  const x = read(0);
  const y = read(1);
  const isOne = (a: Expression, b: Expression): boolean => {
    const table = new ExpressionTable();
    const [one, other] = [table.unique(a, [0, 1]), table.unique(b, [0, 1])];
    expect(one.number === other.number).toBe(one.expression === other.expression);
    return one.expression === other.expression;
  };

  test("has one object for equals", () => {
    expect(isOne(apply("exp", x), apply("exp", read(0)))).toBe(true);
    expect(isOne(literal(Number.NaN), literal(Number.NaN))).toBe(true);
    expect(isOne(literal(-0), literal(-0))).toBe(true);
    for (const name of ["add", "multiply", "equal"] as const)
      expect(isOne(apply(name, x, y), apply(name, y, x))).toBe(true);
  });

  test("has two for what is not equal", () => {
    expect(isOne(apply("exp", x), apply("exp", y))).toBe(false);
    expect(isOne(apply("exp", x), apply("sin", x))).toBe(false);
    expect(isOne(literal(0), literal(-0))).toBe(false);
    expect(isOne(x, literal(0))).toBe(false);
    for (const name of ["subtract", "divide", "less", "pow", "atan2"] as const)
      expect(isOne(apply(name, x, y), apply(name, y, x))).toBe(false);
  });

  test("names reads anew, counts what it merges, and keeps what it has not seen as it is", () => {
    const table = new ExpressionTable();
    const fresh = apply("exp", table.unique(x, [0]).expression);
    expect(table.unique(fresh, [0])).toMatchObject({ expression: fresh, merged: 0 });
    expect(table.unique(fresh, [0]).expression).toBe(fresh);
    const found = table.unique(apply("add", apply("exp", x), apply("exp", y)), [3, 3]);
    expect(found).toMatchObject({
      expression: apply("add", apply("exp", read(3)), apply("exp", read(3))),
      merged: 1,
    });
  });
});
