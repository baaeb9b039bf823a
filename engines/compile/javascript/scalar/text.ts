import { at } from "../../../../spec/shapes/index.ts";
import { applicationsOf, type Expression, type Precision } from "../../plan/index.ts";
import { applicationText } from "../emit/functions.ts";
import { numberText } from "../emit/number.ts";

/** Generated code has a precision, and finds the reads of expressions here. */
export interface Notation {
  /** The text of each read: the name of a local variable. */
  readonly reads: readonly string[];
  readonly precision: Precision;
}

/** Expressions as JavaScript: declarations of repeated parts, then a text for each expression. */
export interface Text {
  readonly declarations: string;
  readonly results: readonly string[];
}

/**
 * Writes expressions that share parts as JavaScript, rounding every application. It calls the `callables`.
 */
export function textOf(expressions: readonly Expression[], { reads, precision }: Notation): Text {
  const uses = usesOf(expressions);
  const names = new Map<Expression, string>();
  const declarations: string[] = [];
  for (const [part, count] of uses) {
    if (count < 2) continue;
    const written = text(part);
    const name = `t${names.size}`;
    names.set(part, name);
    declarations.push(`const ${name} = ${written};`);
  }
  return { declarations: declarations.join(" "), results: expressions.map(text) };

  function text(expression: Expression): string {
    switch (expression.kind) {
      case "read":
        return at(reads, expression.read);
      case "literal":
        return numberText(precision === "float32" ? Math.fround(expression.value) : expression.value);
      case "apply": {
        const known = names.get(expression);
        if (known !== undefined) return known;
        const { function: name, operands } = expression;
        if (name === "select") {
          return `(${claim(at(operands, 0))} ? ${text(at(operands, 1))} : ${text(at(operands, 2))})`;
        }
        return applicationText(name, operands.map(text), precision);
      }
    }
  }

  /** Writes the truth value of an expression: whether it is not 0. */
  function claim(expression: Expression): string {
    if (expression.kind === "literal") return String(expression.value !== 0);
    if (expression.kind === "apply" && !names.has(expression)) {
      const { function: name, operands } = expression;
      if (name === "less") return `${text(at(operands, 0))} < ${text(at(operands, 1))}`;
      if (name === "equal") return `${text(at(operands, 0))} === ${text(at(operands, 1))}`;
      if (name === "select") {
        return `(${claim(at(operands, 0))} ? ${claim(at(operands, 1))} : ${claim(at(operands, 2))})`;
      }
    }
    return `${text(expression)} !== 0`;
  }
}

/** Counts how often each application is an operand or a result, operands first. */
function usesOf(expressions: readonly Expression[]): Map<Expression, number> {
  const uses = new Map<Expression, number>();
  for (const expression of expressions) {
    for (const part of applicationsOf(expression)) if (!uses.has(part)) uses.set(part, 0);
  }
  const used = [...uses.keys()].flatMap((part) => (part.kind === "apply" ? part.operands : []));
  for (const part of [...used, ...expressions]) {
    const count = uses.get(part);
    if (count !== undefined) uses.set(part, count + 1);
  }
  return uses;
}
