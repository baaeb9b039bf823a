import { at } from "../../../../spec/shapes/index.ts";
import { applicationsOf, type Expression, type Precision, type ScalarFunction } from "../../plan/index.ts";
import { applicationText } from "../emit/functions.ts";
import { numberText } from "../emit/number.ts";

/** A language with the syntax of C, in which expressions of scalars are written in one precision. */
export interface Language {
  /** What a declaration of a number begins with, and one of a slot. */
  readonly number: string;
  readonly slot: string;
  /** These compare two numbers. */
  readonly equal: "===" | "==";
  readonly unequal: "!==" | "!=";
  literal(value: number): string;
  /** Writes an application to names or parenthesised operands, rounded, and parenthesised if it must be. */
  application(name: ScalarFunction, operands: readonly string[]): string;
}

/** Makes the language of generated JavaScript, which calls the `callables`. */
export function javascriptIn(precision: Precision): Language {
  return {
    ...{ number: "const", slot: "const", equal: "===", unequal: "!==" },
    literal: (value) => numberText(precision === "float32" ? Math.fround(value) : value),
    application: (name, operands) => applicationText(name, operands, precision),
  };
}

/** Expressions as text: declarations of repeated parts, then a text for each expression. */
export interface Text {
  readonly declarations: string;
  readonly results: readonly string[];
}

/** Writes expressions that share parts, rounding every application; `reads` are names of local variables. */
export function textOf(
  expressions: readonly Expression[],
  reads: readonly string[],
  language: Language,
): Text {
  const uses = usesOf(expressions);
  const names = new Map<Expression, string>();
  const declarations: string[] = [];
  for (const [part, count] of uses) {
    if (count < 2) continue;
    const written = text(part);
    const name = `t${names.size}`;
    names.set(part, name);
    declarations.push(`${language.number} ${name} = ${written};`);
  }
  return { declarations: declarations.join(" "), results: expressions.map(text) };

  function text(expression: Expression): string {
    switch (expression.kind) {
      case "read":
        return at(reads, expression.read);
      case "literal":
        return language.literal(expression.value);
      case "apply": {
        const known = names.get(expression);
        if (known !== undefined) return known;
        const { function: name, operands } = expression;
        if (name === "select") {
          return `(${claim(at(operands, 0))} ? ${text(at(operands, 1))} : ${text(at(operands, 2))})`;
        }
        return language.application(name, operands.map(text));
      }
    }
  }

  /** Writes the truth value of an expression: whether it is not 0. */
  function claim(expression: Expression): string {
    if (expression.kind === "literal") {
      return `0 ${expression.value === 0 ? language.unequal : language.equal} 0`;
    }
    if (expression.kind === "apply" && !names.has(expression)) {
      const { function: name, operands } = expression;
      if (name === "less") return `${text(at(operands, 0))} < ${text(at(operands, 1))}`;
      if (name === "equal") return `${text(at(operands, 0))} ${language.equal} ${text(at(operands, 1))}`;
      if (name === "select") {
        return `(${claim(at(operands, 0))} ? ${claim(at(operands, 1))} : ${claim(at(operands, 2))})`;
      }
    }
    return `${text(expression)} ${language.unequal} 0`;
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
