import { apply, type Expression, literal } from "../expression.ts";
import { type Application, isLiteral } from "./expressions.ts";

/**
 * What an application is, if it is something smaller in IEEE arithmetic with one NaN, at either precision: x · 1, x ÷ 1, x + (−0), x − (+0) and
 * −(−x) are x; arithmetic on numbers that both precisions have is done; a choice that is decided, or between equals, is made; a sign goes into
 * the sum or the comparison that it is an operand of, or into the number that it is multiplied with.
 */
export function unitOf(application: Application): Expression | undefined {
  return known(application) ?? unit(application);
}

/** The value of arithmetic on literals, if no operand depends on the precision; the value itself may: it is rounded where it is used. */
function known({ function: name, operands }: Application): Expression | undefined {
  const numbers: number[] = [];
  for (const operand of operands) {
    if (operand.kind !== "literal" || !Object.is(Math.fround(operand.value), operand.value)) return undefined;
    numbers.push(operand.value);
  }
  const [x = 0, y = 0] = numbers;
  switch (name) {
    case "add":
      return literal(x + y);
    case "subtract":
      return literal(x - y);
    case "multiply":
      return literal(x * y);
    case "divide":
      return literal(x / y);
    case "less":
      return literal(x < y ? 1 : 0);
    case "equal":
      return literal(x === y ? 1 : 0);
    default:
      return undefined;
  }
}

function unit({ function: name, operands }: Application): Expression | undefined {
  const [x, y, z] = operands;
  switch (name) {
    case "multiply":
      if (isLiteral(y, 1)) return x;
      if (isLiteral(x, 1)) return y;
      if (isLiteral(y, -1)) return x && apply("negative", x);
      if (isLiteral(x, -1)) return y && apply("negative", y);
      return withoutSigns(x, y, "multiply");
    case "divide":
      if (isLiteral(y, 1)) return x;
      if (isLiteral(y, -1)) return x && apply("negative", x);
      return withoutSigns(x, y, "divide");
    case "add":
      if (isLiteral(y, -0)) return x;
      if (isLiteral(x, -0)) return y;
      if (y !== undefined && isNegated(x)) return apply("subtract", y, negatedBy(x));
      return x !== undefined && isNegated(y) ? apply("subtract", x, negatedBy(y)) : undefined;
    case "subtract":
      if (isLiteral(y, 0)) return x;
      if (isLiteral(x, -0)) return y && apply("negative", y);
      return x !== undefined && isNegated(y) ? apply("add", x, negatedBy(y)) : undefined;
    case "negative":
      return negated(x);
    case "less":
      return compared(x, y);
    case "equal":
      return isNegated(x) && isNegated(y) ? apply("equal", negatedBy(x), negatedBy(y)) : undefined;
    case "select":
      return chosen(x, y, z);
    default:
      return undefined;
  }
}

function isNegated(part: Expression | undefined): part is Application {
  return part?.kind === "apply" && part.function === "negative";
}

function negatedBy(part: Application): Expression {
  return part.operands[0] ?? part;
}

/** A product or quotient of two negated operands, or of one with a number, which takes the sign. */
function withoutSigns(
  x: Expression | undefined,
  y: Expression | undefined,
  name: "multiply" | "divide",
): Expression | undefined {
  if (isNegated(x) && (isNegated(y) || y?.kind === "literal")) {
    const other = negated(y);
    return other && apply(name, negatedBy(x), other);
  }
  return isNegated(y) && x?.kind === "literal" ? apply(name, literal(-x.value), negatedBy(y)) : undefined;
}

/** −x where it is something smaller: of a number, of a negated one, of a product with a number. */
function negated(x: Expression | undefined): Expression | undefined {
  if (x?.kind === "literal") return literal(-x.value);
  if (x?.kind !== "apply") return undefined;
  if (x.function === "negative") return negatedBy(x);
  const [a, b] = x.operands;
  if (x.function !== "multiply" || a === undefined || b === undefined) return undefined;
  if (a.kind === "literal") return apply("multiply", literal(-a.value), b);
  return b.kind === "literal" ? apply("multiply", a, literal(-b.value)) : undefined;
}

/** Of two negated operands, or of one and a number, the comparison the other way round without the signs. */
function compared(x: Expression | undefined, y: Expression | undefined): Expression | undefined {
  if (isNegated(x) && isNegated(y)) return apply("less", negatedBy(y), negatedBy(x));
  if (isNegated(x) && y?.kind === "literal") return apply("less", literal(-y.value), negatedBy(x));
  return isNegated(y) && x?.kind === "literal" ? apply("less", negatedBy(y), literal(-x.value)) : undefined;
}

/** A choice that needs no choosing, or one instead of two. */
function chosen(
  condition: Expression | undefined,
  x: Expression | undefined,
  y: Expression | undefined,
): Expression | undefined {
  if (condition === undefined || x === undefined || y === undefined) return undefined;
  if (isSame(x, y)) return x;
  const decided = truthOf(condition);
  if (decided !== undefined) return decided ? x : y;
  if (isChoice(condition)) {
    const [inner, first, second] = condition.operands;
    const [one, other] = [truthOf(first), truthOf(second)];
    if (inner !== undefined && one === true && other === false) return apply("select", inner, x, y);
    if (inner !== undefined && one === false && other === true) return apply("select", inner, y, x);
  }
  if (isChoice(x) && isSame(x.operands[0], condition))
    return apply("select", condition, x.operands[1] ?? x, y);
  if (!isChoice(y)) return undefined;
  const [inner, first, second] = y.operands;
  if (isSame(inner, condition)) return apply("select", condition, x, second ?? y);
  // a < b and b < a are not both so: what stands where neither is may stand where the first is.
  return isSame(second, x) && isOpposite(condition, inner)
    ? apply("select", inner ?? condition, first ?? y, x)
    : undefined;
}

/** Whether a choice takes its first branch; `undefined` if that is not known, or for a number that only one precision rounds to 0. */
function truthOf(condition: Expression | undefined): boolean | undefined {
  if (condition?.kind !== "literal") return undefined;
  if (condition.value === 0) return false;
  return Math.fround(condition.value) !== 0 ? true : undefined;
}

function isChoice(part: Expression): part is Application {
  return part.kind === "apply" && part.function === "select";
}

function isOpposite(a: Expression | undefined, b: Expression | undefined): boolean {
  if (a?.kind !== "apply" || b?.kind !== "apply" || a.function !== "less" || b.function !== "less")
    return false;
  return isSame(a.operands[0], b.operands[1]) && isSame(a.operands[1], b.operands[0]);
}

function isSame(a: Expression | undefined, b: Expression | undefined): boolean {
  if (a === b) return true;
  if (a?.kind === "literal" && b?.kind === "literal") return Object.is(a.value, b.value);
  return a?.kind === "read" && b?.kind === "read" && a.read === b.read;
}
