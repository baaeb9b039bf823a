import type * as estree from "acorn";
import { InvariantError } from "../../../spec/shapes/index.ts";
import type { Body, Case, Expression, Field, Pattern, Statement } from "./syntax.ts";

/**
 * These operators of two operands are known; of the others no function of the project on numbers has need.
 */
const binary: ReadonlySet<string> = new Set(
  "?? || && | ^ & === !== < > <= >= << >> >>> + - * / % **".split(" "),
);
const assigning: ReadonlySet<string> = new Set("= += -= *= |= &= ^= <<= >>= >>>= ??=".split(" "));
const unary: ReadonlySet<string> = new Set(["-", "+", "!", "~", "typeof"]);

/**
 * Reads functions of the project from the syntax tree of their module: declarations, expressions and control
 * flow as its style has them, and no more. Throws {@link InvariantError} for what it does not know, so that
 * no function is read as another one.
 */
export class Reading {
  readonly #text: string;

  /** The text of the module is what a fault shows a piece of. */
  constructor(text: string) {
    this.#text = text;
  }

  function(node: {
    readonly params: readonly estree.Pattern[];
    readonly body: estree.BlockStatement | estree.Expression;
    readonly async: boolean;
    readonly generator: boolean;
    readonly start: number;
    readonly end: number;
  }): { readonly parameters: readonly Pattern[]; readonly body: Body } {
    if (node.async || node.generator) throw this.#unread(node);
    const parameters = node.params.map((parameter) => this.#pattern(parameter));
    const body: Body =
      node.body.type === "BlockStatement"
        ? this.#block(node.body)
        : { kind: "expression", value: this.expression(node.body) };
    return { parameters, body };
  }

  expression(node: estree.Expression | estree.Super): Expression {
    switch (node.type) {
      case "Literal":
        return { kind: "literal", value: this.#literal(node) };
      case "Identifier":
        return node.name === "undefined"
          ? { kind: "literal", value: undefined }
          : { kind: "name", name: node.name };
      case "ThisExpression":
        return { kind: "name", name: "this" };
      case "TemplateLiteral":
        return {
          kind: "template",
          texts: node.quasis.map(({ value }) => value.cooked ?? value.raw),
          values: node.expressions.map((value) => this.expression(value)),
        };
      case "ChainExpression":
        return this.expression(node.expression);
      case "MemberExpression":
        return {
          kind: "member",
          of: this.expression(node.object),
          key: this.#key(node),
          isOptional: node.optional,
        };
      case "CallExpression":
        if (node.optional) throw this.#unread(node);
        return {
          kind: "call",
          callee: this.expression(node.callee),
          operands: this.#items(node.arguments, node),
        };
      case "NewExpression":
        return {
          kind: "new",
          callee: this.expression(node.callee),
          operands: this.#items(node.arguments, node),
        };
      case "UnaryExpression":
        if (!unary.has(node.operator)) throw this.#unread(node);
        return { kind: "unary", operator: node.operator, operand: this.expression(node.argument) };
      case "UpdateExpression":
        if (node.prefix) throw this.#unread(node);
        return {
          kind: "assign",
          operator: node.operator,
          to: this.expression(node.argument),
          value: { kind: "literal", value: 1 },
        };
      case "BinaryExpression":
      case "LogicalExpression":
        if (!binary.has(node.operator) || node.left.type === "PrivateIdentifier") throw this.#unread(node);
        return {
          kind: "binary",
          operator: node.operator,
          left: this.expression(node.left),
          right: this.expression(node.right),
        };
      case "AssignmentExpression": {
        if (!assigning.has(node.operator)) throw this.#unread(node);
        return {
          kind: "assign",
          operator: node.operator,
          to: this.#assigned(node.left),
          value: this.expression(node.right),
        };
      }
      case "ConditionalExpression":
        return {
          kind: "conditional",
          condition: this.expression(node.test),
          yes: this.expression(node.consequent),
          no: this.expression(node.alternate),
        };
      case "ArrowFunctionExpression":
        return { kind: "function", ...this.function(node) };
      case "ArrayExpression":
        return { kind: "array", items: this.#items(node.elements, node) };
      case "ObjectExpression":
        return { kind: "object", fields: node.properties.map((property) => this.#field(property)) };
      default:
        throw this.#unread(node);
    }
  }

  /** Reads a name, a member or a list of such. */
  #assigned(node: estree.Pattern): Expression {
    if (node.type === "Identifier" || node.type === "MemberExpression") return this.expression(node);
    if (node.type !== "ArrayPattern") throw this.#unread(node);
    const items = node.elements.map((item) => {
      if (item === null) throw this.#unread(node);
      return this.#assigned(item);
    });
    return { kind: "array", items };
  }

  #unread({ start, end }: { readonly start: number; readonly end: number }): InvariantError {
    return new InvariantError(
      `a function is not read at ${this.#text.slice(start, Math.min(end, start + 80))}`,
    );
  }

  #literal(node: estree.Literal): number | bigint | string | boolean {
    const { value } = node;
    if (value == null || typeof value === "object") throw this.#unread(node);
    return value;
  }

  #key({ computed, property }: estree.MemberExpression): Expression {
    if (property.type === "PrivateIdentifier") return { kind: "literal", value: `#${property.name}` };
    if (!computed && property.type === "Identifier") return { kind: "literal", value: property.name };
    return this.expression(property);
  }

  #items(
    items: readonly (estree.Expression | estree.SpreadElement | null)[],
    node: estree.Expression,
  ): readonly Expression[] {
    return items.map((item) => {
      if (item === null) throw this.#unread(node);
      if (item.type !== "SpreadElement") return this.expression(item);
      return { kind: "spread", operand: this.expression(item.argument) };
    });
  }

  #field(property: estree.Property | estree.SpreadElement): Field {
    if (property.type === "SpreadElement")
      return { kind: "spread", operand: this.expression(property.argument) };
    const { kind, key, value } = property;
    if (kind !== "init" || property.method || property.computed || key.type !== "Identifier")
      throw this.#unread(property);
    return { kind: "field", name: key.name, value: this.expression(value) };
  }

  #pattern(node: estree.Pattern): Pattern {
    switch (node.type) {
      case "Identifier":
        return { kind: "name", name: node.name };
      case "AssignmentPattern": {
        const pattern = this.#pattern(node.left);
        if (pattern.kind !== "name") throw this.#unread(node);
        return { ...pattern, usual: this.expression(node.right) };
      }
      case "ArrayPattern":
        return {
          kind: "items",
          items: node.elements.map((item) => (item === null ? undefined : this.#pattern(item))),
        };
      case "ObjectPattern": {
        const fields: { readonly key: string; readonly pattern: Pattern }[] = [];
        let rest: string | undefined;
        for (const property of node.properties)
          if (property.type === "RestElement") {
            if (property.argument.type !== "Identifier") throw this.#unread(node);
            rest = property.argument.name;
          } else {
            if (property.computed || property.key.type !== "Identifier") throw this.#unread(node);
            fields.push({ key: property.key.name, pattern: this.#pattern(property.value) });
          }
        return { kind: "fields", fields, ...(rest === undefined ? {} : { rest }) };
      }
      default:
        throw this.#unread(node);
    }
  }

  #block({ body }: estree.BlockStatement): Body & { readonly kind: "block" } {
    return { kind: "block", statements: this.#all(body) };
  }

  #all(statements: readonly estree.Statement[]): readonly Statement[] {
    return statements.flatMap((statement) => this.#statements(statement));
  }

  #statement(node: estree.Statement): Statement {
    const statements = this.#statements(node);
    const [only] = statements;
    return statements.length === 1 && only !== undefined ? only : { kind: "block", statements };
  }

  /** Reads a statement: several, if it declares several names. */
  #statements(node: estree.Statement): readonly Statement[] {
    switch (node.type) {
      case "BlockStatement":
        return [this.#block(node)];
      case "EmptyStatement":
        return [];
      case "VariableDeclaration":
        return this.#declarations(node);
      case "ReturnStatement":
        return [
          { kind: "return", value: node.argument == null ? undefined : this.expression(node.argument) },
        ];
      case "ThrowStatement":
        return [{ kind: "throw", value: this.expression(node.argument) }];
      case "ExpressionStatement":
        return [{ kind: "expression", value: this.expression(node.expression) }];
      case "IfStatement": {
        const no = node.alternate == null ? undefined : this.#statement(node.alternate);
        return [
          { kind: "if", condition: this.expression(node.test), yes: this.#statement(node.consequent), no },
        ];
      }
      case "BreakStatement":
      case "ContinueStatement":
        if (node.label != null) throw this.#unread(node);
        return [{ kind: node.type === "BreakStatement" ? "break" : "continue" }];
      case "SwitchStatement": {
        const cases: readonly Case[] = node.cases.map(({ test, consequent }) => ({
          value: test == null ? undefined : this.expression(test),
          statements: this.#all(consequent),
        }));
        return [{ kind: "switch", value: this.expression(node.discriminant), cases }];
      }
      default:
        return [this.#loop(node)];
    }
  }

  #loop(node: estree.Statement): Statement {
    switch (node.type) {
      case "WhileStatement": {
        const [condition, body] = [this.expression(node.test), this.#statement(node.body)];
        return { kind: "loop", first: [], condition, step: undefined, body };
      }
      case "ForStatement": {
        const { init, test, update } = node;
        return {
          kind: "loop",
          first:
            init == null
              ? []
              : init.type === "VariableDeclaration"
                ? this.#declarations(init)
                : [{ kind: "expression", value: this.expression(init) }],
          condition: test == null ? undefined : this.expression(test),
          step: update == null ? undefined : this.expression(update),
          body: this.#statement(node.body),
        };
      }
      case "ForOfStatement": {
        const [declared] = node.left.type === "VariableDeclaration" ? node.left.declarations : [];
        if (declared === undefined || node.await) throw this.#unread(node);
        const [pattern, of] = [this.#pattern(declared.id), this.expression(node.right)];
        return { kind: "each", pattern, of, body: this.#statement(node.body) };
      }
      default:
        throw this.#unread(node);
    }
  }

  #declarations(node: estree.VariableDeclaration): readonly Statement[] {
    if (node.kind !== "const" && node.kind !== "let") throw this.#unread(node);
    return node.declarations.map(({ id, init }) => ({
      kind: "declare",
      pattern: this.#pattern(id),
      value: init == null ? undefined : this.expression(init),
    }));
  }
}
