import { at } from "../../../../spec/shapes/index.ts";
import { type Application, apply, type Expression, literal, type ScalarFunction } from "../expression.ts";
import { isLiteral } from "./expressions.ts";

/**
 * Simplifies an application, if IEEE arithmetic with one NaN allows it at both precisions: x · 1, x ÷ 1, x +
 * (−0), x − (+0) and −(−x) are x; numbers are computed; decided choices are made; a sign moves into the sum
 * or comparison that it is an operand of, or into the number that it is multiplied with.
 */
export function unitOf(application: Application): Expression | undefined {
  return known(application) ?? unit(application);
}

/** This arithmetic is computed on numbers; the result is rounded where it is used. */
const arithmetic: Readonly<Partial<Record<ScalarFunction, (x: number, y: number) => number>>> = {
  add: (x, y) => x + y,
  subtract: (x, y) => x - y,
  multiply: (x, y) => x * y,
  divide: (x, y) => x / y,
  less: (x, y) => Number(x < y),
  equal: (x, y) => Number(x === y),
};

/** Computes arithmetic on literals, if no operand depends on the precision. */
function known({ function: name, operands }: Application): Expression | undefined {
  const [x, y] = [numberOf(operands[0]), numberOf(operands[1])];
  if (x === undefined || y === undefined) return undefined;
  const compute = arithmetic[name];
  return compute && literal(compute(x, y));
}

/** Returns the number that an expression is at both precisions. */
function numberOf(part: Expression | undefined): number | undefined {
  return part?.kind === "literal" && Object.is(Math.fround(part.value), part.value) ? part.value : undefined;
}

function unit({ function: name, operands }: Application): Expression | undefined {
  switch (name) {
    case "multiply":
    case "divide":
    case "add":
    case "subtract":
    case "less":
    case "equal":
      return unitOfTwo(name, at(operands, 0), at(operands, 1));
    case "negative":
      return negated(at(operands, 0));
    case "select":
      return chosen(at(operands, 0), at(operands, 1), at(operands, 2));
    default:
      return undefined;
  }
}

function unitOfTwo(
  name: "multiply" | "divide" | "add" | "subtract" | "less" | "equal",
  x: Expression,
  y: Expression,
): Expression | undefined {
  switch (name) {
    case "multiply":
      if (isLiteral(y, 1)) return x;
      if (isLiteral(x, 1)) return y;
      if (isLiteral(y, -1)) return apply("negative", x);
      if (isLiteral(x, -1)) return apply("negative", y);
      return withoutSigns(x, y, "multiply");
    case "divide":
      if (isLiteral(y, 1)) return x;
      if (isLiteral(y, -1)) return apply("negative", x);
      return withoutSigns(x, y, "divide");
    case "add":
      if (isLiteral(y, -0)) return x;
      if (isLiteral(x, -0)) return y;
      if (isNegated(x)) return apply("subtract", y, negatedBy(x));
      return isNegated(y) ? apply("subtract", x, negatedBy(y)) : undefined;
    case "subtract":
      if (isLiteral(y, 0)) return x;
      if (isLiteral(x, -0)) return apply("negative", y);
      return isNegated(y) ? apply("add", x, negatedBy(y)) : undefined;
    case "less":
      return compared(x, y);
    case "equal":
      return isNegated(x) && isNegated(y) ? apply("equal", negatedBy(x), negatedBy(y)) : undefined;
  }
}

function isNegated(part: Expression): part is Application {
  return part.kind === "apply" && part.function === "negative";
}

function negatedBy(part: Application): Expression {
  return at(part.operands, 0);
}

/** Moves signs out of a product or quotient: of two negated operands, or of one and a number. */
function withoutSigns(x: Expression, y: Expression, name: "multiply" | "divide"): Expression | undefined {
  if (isNegated(x) && isNegated(y)) return apply(name, negatedBy(x), negatedBy(y));
  if (isNegated(x) && y.kind === "literal") return apply(name, negatedBy(x), literal(-y.value));
  return isNegated(y) && x.kind === "literal" ? apply(name, literal(-x.value), negatedBy(y)) : undefined;
}

/** Simplifies −x for a number, a negated expression, or a product with a number. */
function negated(x: Expression): Expression | undefined {
  if (x.kind === "literal") return literal(-x.value);
  if (x.kind !== "apply") return undefined;
  if (x.function === "negative") return negatedBy(x);
  if (x.function !== "multiply") return undefined;
  const [a, b] = [at(x.operands, 0), at(x.operands, 1)];
  if (a.kind === "literal") return apply("multiply", literal(-a.value), b);
  return b.kind === "literal" ? apply("multiply", a, literal(-b.value)) : undefined;
}

/** Turns the comparison of two negated operands, or of one and a number, round, without signs. */
function compared(x: Expression, y: Expression): Expression | undefined {
  if (isNegated(x) && isNegated(y)) return apply("less", negatedBy(y), negatedBy(x));
  if (isNegated(x) && y.kind === "literal") return apply("less", literal(-y.value), negatedBy(x));
  return isNegated(y) && x.kind === "literal" ? apply("less", negatedBy(y), literal(-x.value)) : undefined;
}

/** Simplifies a choice that is decided, or whose branches make a second one superfluous. */
function chosen(condition: Expression, x: Expression, y: Expression): Expression | undefined {
  if (isSame(x, y)) return x;
  const decided = truthOf(condition);
  if (decided !== undefined) return decided ? x : y;
  const before = choiceOf(condition);
  if (before !== undefined) {
    const [one, other] = [truthOf(before.x), truthOf(before.y)];
    if (one === true && other === false) return apply("select", before.condition, x, y);
    if (one === false && other === true) return apply("select", before.condition, y, x);
  }
  const first = choiceOf(x);
  if (first !== undefined && isSame(first.condition, condition))
    return apply("select", condition, first.x, y);
  const second = choiceOf(y);
  if (second === undefined) return undefined;
  if (isSame(second.condition, condition)) return apply("select", condition, x, second.y);
  // a < b and b < a exclude each other, so that the branch for neither may also stand for the first.
  return isSame(second.y, x) && isOpposite(condition, second.condition)
    ? apply("select", second.condition, second.x, x)
    : undefined;
}

/** Says which branch a choice takes; `undefined` if unknown, as for numbers that only float32 rounds to 0. */
function truthOf(condition: Expression): boolean | undefined {
  if (condition.kind !== "literal") return undefined;
  if (condition.value === 0) return false;
  return Math.fround(condition.value) !== 0 ? true : undefined;
}

/** Returns the operands of a choice. */
function choiceOf(part: Expression): { readonly [K in "condition" | "x" | "y"]: Expression } | undefined {
  if (part.kind !== "apply" || part.function !== "select") return undefined;
  return { condition: at(part.operands, 0), x: at(part.operands, 1), y: at(part.operands, 2) };
}

function isOpposite(a: Expression, b: Expression): boolean {
  if (a.kind !== "apply" || b.kind !== "apply" || a.function !== "less" || b.function !== "less")
    return false;
  return isSame(at(a.operands, 0), at(b.operands, 1)) && isSame(at(a.operands, 1), at(b.operands, 0));
}

function isSame(a: Expression, b: Expression): boolean {
  if (a === b) return true;
  if (a.kind === "literal" && b.kind === "literal") return Object.is(a.value, b.value);
  return a.kind === "read" && b.kind === "read" && a.read === b.read;
}
