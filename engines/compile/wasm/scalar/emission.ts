import binaryen from "binaryen";
import { at, present } from "../../../../spec/shapes/index.ts";
import { type Application, applicationsOf, type Expression } from "../../plan/index.ts";
import { appliedCode, type Functions } from "../functions.ts";
import type { Code } from "../lanes.ts";

/** The variables of a function under construction, after its parameters. */
export class Variables {
  readonly #parameters: number;
  readonly types: binaryen.Type[] = [];

  constructor(parameters: number) {
    this.#parameters = parameters;
  }

  add(type: binaryen.Type): number {
    return this.#parameters + this.types.push(type) - 1;
  }
}

/** Statements that compute expressions, and the code of each result, which may be asked for repeatedly. */
export interface Emission {
  readonly statements: readonly Code[];
  readonly results: readonly (() => Code)[];
}

/** Writes expressions on vectors, each part once. `reads` gives the code of a read, evaluated once, first. */
export function emission(
  functions: Functions,
  variables: Variables,
  expressions: readonly Expression[],
  reads: (read: number) => Code,
  active: number,
): Emission {
  const { module, lanes } = functions;
  const statements: Code[] = [];
  const known = new Map<Expression, () => Code>();
  const loaded = new Map<number, () => Code>();
  const kept = (code: Code): (() => Code) => {
    const variable = variables.add(binaryen.v128);
    statements.push(module.local.set(variable, code));
    return () => module.local.get(variable, binaryen.v128);
  };
  const operand = (expression: Expression): (() => Code) => {
    if (expression.kind === "literal") return () => lanes.literal(expression.value);
    if (expression.kind === "apply")
      return present(known.get(expression), "an application before what uses it");
    const value = loaded.get(expression.read) ?? kept(reads(expression.read));
    loaded.set(expression.read, value);
    return value;
  };
  /** Sets all bits where the expression is not 0. */
  const mask = (expression: Expression): Code => {
    if (expression.kind === "apply") {
      const { function: name, operands } = expression;
      const comparison = name === "less" ? "lt" : name === "equal" ? "eq" : undefined;
      if (comparison !== undefined) {
        return lanes.arithmetic[comparison](operand(at(operands, 0))(), operand(at(operands, 1))());
      }
    }
    return lanes.arithmetic.ne(operand(expression)(), lanes.literal(0));
  };
  for (const part of expressions.flatMap(applicationsOf)) {
    if (known.has(part)) continue;
    known.set(part, kept(codeOf(part)));
  }
  return { statements, results: expressions.map(operand) };

  function codeOf(part: Application): Code {
    const { function: name, operands } = part;
    if (name === "less" || name === "equal") return module.v128.and(mask(part), lanes.literal(1));
    if (name !== "select") return appliedCode(functions, name, operands.map(operand), active, false);
    const [x, y] = [at(operands, 1), at(operands, 2)];
    return module.v128.bitselect(operand(x)(), operand(y)(), mask(at(operands, 0)));
  }
}
