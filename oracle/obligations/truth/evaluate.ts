import { type Rational, rational } from "../../../reference/index.ts";
import { InvariantError, present } from "../../../spec/shapes/index.ts";
import { readRational } from "../operators/index.ts";
import { readSExpressions, type SExpression, showSExpression } from "../solve/index.ts";

const field = present(rational.levels.orderedField, "the order of the rational numbers");

/** Numbers of a model, by name. */
export type Numbers = ReadonlyMap<string, Rational>;

/** Tells whether a formula of comparisons of rational terms holds at numbers. */
export function holdsAt(formula: string, numbers: Numbers): boolean {
  return truthOf(parsed(formula), numbers);
}

/** Returns the value of a rational term at numbers. */
export function valueAt(term: string, numbers: Numbers): Rational {
  return numberAt(parsed(term), numbers);
}

function parsed(text: string): SExpression {
  const read = readSExpressions(text);
  if (!read.ok || read.value.length !== 1) throw new InvariantError(`not one term: ${text}`);
  return present(read.value[0], "a term");
}

function truthOf(formula: SExpression, numbers: Numbers): boolean {
  if (formula === "true") return true;
  const [head, ...operands] = typeof formula === "string" ? [formula] : formula;
  const truth = (place: number): boolean => truthOf(present(operands[place], "an operand"), numbers);
  const values = (): readonly Rational[] => operands.map((operand) => numberAt(operand, numbers));
  const inOrder = (holds: (x: Rational, y: Rational) => boolean): boolean => {
    const all = values();
    return all.slice(1).every((y, before) => holds(present(all[before], "an operand"), y));
  };
  switch (head) {
    case "and":
      return operands.every((operand) => truthOf(operand, numbers));
    case "or":
      return operands.some((operand) => truthOf(operand, numbers));
    case "not":
      return !truth(0);
    case "=>":
      return !truth(0) || truth(1);
    case "is_int":
      return values().every(({ denominator }) => denominator === 1n);
    case "<=":
      return inOrder((x, y) => field.less(y, x) !== true);
    case "<":
      return inOrder((x, y) => field.less(x, y) === true);
    case "=":
      return inOrder((x, y) => rational.isSame(x, y));
    default:
      throw new InvariantError(`no formula: ${showSExpression(formula)}`);
  }
}

function numberAt(term: SExpression, numbers: Numbers): Rational {
  if (typeof term === "string") return numbers.get(term) ?? literal(term);
  const [head, ...operands] = term;
  if (head === "ite") {
    const [condition, yes, no] = operands;
    const chosen = truthOf(present(condition, "a condition"), numbers) ? yes : no;
    return numberAt(present(chosen, "a side"), numbers);
  }
  const [first = field.zero, ...others] = operands.map((operand) => numberAt(operand, numbers));
  switch (head) {
    case "+":
      return others.reduce((x, y) => field.add(x, y), first);
    case "*":
      return others.reduce((x, y) => field.multiply(x, y), first);
    case "/":
      return others.reduce((x, y) => field.divide(x, y), first);
    case "-":
      return others.length === 0
        ? field.negative(first)
        : others.reduce((x, y) => field.add(x, field.negative(y)), first);
    default:
      throw new InvariantError(`no term: ${showSExpression(term)}`);
  }
}

function literal(text: string): Rational {
  return present(readRational(text), `the number ${text}`);
}
