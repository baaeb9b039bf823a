import { InvariantError } from "../../../spec/shapes/index.ts";
import type { Body, Case, Expression, Field, Pattern, Statement } from "./syntax.ts";
import { type Token, tokensOf } from "./tokens.ts";

/** How tightly binary operators bind; `**` binds to the right. */
const precedences: Readonly<Partial<Record<string, number>>> = {
  "??": 1,
  "||": 2,
  "&&": 3,
  "|": 4,
  "^": 5,
  "&": 6,
  "===": 7,
  "!==": 7,
  "<": 8,
  ">": 8,
  "<=": 8,
  ">=": 8,
  "<<": 9,
  ">>": 9,
  ">>>": 9,
  "+": 10,
  "-": 10,
  "*": 11,
  "/": 11,
  "%": 11,
  "**": 12,
};

const assigning: readonly string[] = ["=", "+=", "-=", "*=", "|=", "&=", "^=", "<<=", ">>=", ">>>=", "??="];

/**
 * Parses functions of the project: declarations, expressions and control flow as its style has them, and no
 * more. Types are passed over. Throws {@link InvariantError} for what it does not know, so that no function
 * is read as another one.
 */
export class Parser {
  readonly #tokens: readonly Token[];
  #at = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  /** Reads `(parameters): type { body }`, which follows the name of a function or a method. */
  functionAfterName(): { readonly parameters: readonly Pattern[]; readonly body: Body } {
    if (this.#is("<")) this.#passType([]);
    const parameters = this.#parameters();
    if (this.#take(":")) this.#passType(["{"]);
    return { parameters, body: this.#block() };
  }

  /** Reads `: type = value`, which follows the name of a constant. */
  valueAfterName(): Expression {
    if (this.#take(":")) this.#passType(["="]);
    this.#expect("=");
    return this.expression();
  }

  expression(): Expression {
    if (this.#isArrow()) return this.#arrow();
    const left = this.#conditional();
    const operator = this.#next().text;
    if (!assigning.includes(operator) || this.#next().kind !== "mark") return left;
    this.#at += 1;
    return { kind: "assign", operator, to: left, value: this.expression() };
  }

  #next(ahead: number = 0): Token {
    return this.#tokens[this.#at + ahead] ?? { kind: "end", text: "the end" };
  }

  #is(text: string, ahead: number = 0): boolean {
    const next = this.#next(ahead);
    return next.text === text && (next.kind === "mark" || next.kind === "name");
  }

  #take(text: string): boolean {
    const isThere = this.#is(text);
    if (isThere) this.#at += 1;
    return isThere;
  }

  #expect(text: string): void {
    if (!this.#take(text)) throw this.#fault(text);
  }

  #fault(wanted: string): InvariantError {
    const near = this.#tokens.slice(Math.max(0, this.#at - 6), this.#at + 4).map(({ text }) => text);
    return new InvariantError(`a function is not read at ${near.join(" ")}: ${wanted} is wanted`);
  }

  /** Passes a comma between the items of a list, which may follow the last one too. */
  #separate(end: string): void {
    if (!this.#take(",") && !this.#is(end)) throw this.#fault(`, or ${end}`);
  }

  #name(): string {
    const next = this.#next();
    if (next.kind !== "name") throw this.#fault("a name");
    this.#at += 1;
    return next.text;
  }

  /** Passes over a type, up to one of the marks outside of its brackets, or over a list in angles. */
  #passType(ends: readonly string[]): void {
    let depth = 0;
    for (let isFirst = true; ; isFirst = false) {
      const { text, kind } = this.#next();
      if (kind === "end") throw this.#fault("a type");
      if (depth === 0 && !isFirst && (ends.length === 0 || ends.includes(text))) return;
      if (["(", "[", "{", "<"].includes(text)) depth += 1;
      if ([")", "]", "}", ">"].includes(text)) depth -= 1;
      if (text === ">>" || text === ">>>") depth -= text.length;
      this.#at += 1;
      if (depth === 0 && ends.length === 0) return;
    }
  }

  #parameters(): readonly Pattern[] {
    this.#expect("(");
    const parameters: Pattern[] = [];
    while (!this.#take(")")) {
      parameters.push(this.#pattern([",", ")", "="]));
      this.#separate(")");
    }
    return parameters;
  }

  #pattern(ends: readonly string[]): Pattern {
    const pattern = this.#take("{") ? this.#fields() : this.#take("[") ? this.#items() : undefined;
    const name = pattern === undefined ? this.#name() : "";
    this.#take("?");
    if (this.#take(":")) this.#passType(ends);
    if (pattern !== undefined) return pattern;
    const usual = ends.includes(",") && this.#take("=") ? this.expression() : undefined;
    return { kind: "name", name, ...(usual === undefined ? {} : { usual }) };
  }

  #fields(): Pattern {
    const fields: { readonly key: string; readonly pattern: Pattern }[] = [];
    let rest: string | undefined;
    while (!this.#take("}")) {
      if (this.#take("...")) rest = this.#name();
      else {
        const key = this.#name();
        const pattern = this.#take(":") ? this.#inner() : this.#withUsual(key);
        fields.push({ key, pattern });
      }
      this.#separate("}");
    }
    return { kind: "fields", fields, ...(rest === undefined ? {} : { rest }) };
  }

  #items(): Pattern {
    const items: (Pattern | undefined)[] = [];
    while (!this.#take("]")) {
      if (this.#take(",")) {
        items.push(undefined);
        continue;
      }
      items.push(this.#inner());
      this.#separate("]");
    }
    return { kind: "items", items };
  }

  #inner(): Pattern {
    if (this.#take("{")) return this.#fields();
    return this.#take("[") ? this.#items() : this.#withUsual(this.#name());
  }

  #withUsual(name: string): Pattern {
    const usual = this.#take("=") ? this.expression() : undefined;
    return { kind: "name", name, ...(usual === undefined ? {} : { usual }) };
  }

  #block(): Body & { readonly kind: "block" } {
    this.#expect("{");
    const statements: Statement[] = [];
    while (!this.#take("}")) statements.push(...this.#statements());
    return { kind: "block", statements };
  }

  #statement(): Statement {
    const statements = this.#statements();
    const [only] = statements;
    return statements.length === 1 && only !== undefined ? only : { kind: "block", statements };
  }

  #statements(): readonly Statement[] {
    if (this.#is("{")) return [this.#block()];
    if (this.#take(";")) return [];
    if (this.#is("const") || this.#is("let")) return this.#declarations();
    if (this.#take("return")) return [{ kind: "return", value: this.#valueUpToEnd() }];
    if (this.#take("throw")) return [{ kind: "throw", value: this.#terminated() }];
    if (this.#take("if")) return [this.#if()];
    if (this.#take("while")) {
      const condition = this.#inParentheses();
      return [{ kind: "loop", first: [], condition, step: undefined, body: this.#statement() }];
    }
    if (this.#take("for")) return [this.#for()];
    if (this.#take("switch")) return [this.#switch()];
    for (const kind of ["break", "continue"] as const)
      if (this.#take(kind)) {
        this.#take(";");
        return [{ kind }];
      }
    return [{ kind: "expression", value: this.#terminated() }];
  }

  #terminated(): Expression {
    const value = this.expression();
    if (!this.#take(";") && !this.#is("}")) throw this.#fault(";");
    return value;
  }

  #valueUpToEnd(): Expression | undefined {
    return this.#take(";") || this.#is("}") ? undefined : this.#terminated();
  }

  #declarations(): readonly Statement[] {
    this.#at += 1;
    const declared: Statement[] = [];
    do {
      const pattern = this.#pattern(["=", ";"]);
      const value = this.#take("=") ? this.expression() : undefined;
      declared.push({ kind: "declare", pattern, value });
    } while (this.#take(","));
    if (!this.#take(";") && !this.#is("}")) throw this.#fault(";");
    return declared;
  }

  #inParentheses(): Expression {
    this.#expect("(");
    const value = this.expression();
    this.#expect(")");
    return value;
  }

  #if(): Statement {
    const condition = this.#inParentheses();
    const yes = this.#statement();
    return { kind: "if", condition, yes, no: this.#take("else") ? this.#statement() : undefined };
  }

  #for(): Statement {
    this.#expect("(");
    const start = this.#at;
    if (this.#take("const") || this.#take("let")) {
      const pattern = this.#inner();
      if (this.#take("of")) {
        const of = this.expression();
        this.#expect(")");
        return { kind: "each", pattern, of, body: this.#statement() };
      }
      this.#at = start;
    }
    const first = this.#statements();
    const condition = this.#is(";") ? undefined : this.expression();
    this.#expect(";");
    const step = this.#is(")") ? undefined : this.expression();
    this.#expect(")");
    return { kind: "loop", first, condition, step, body: this.#statement() };
  }

  #switch(): Statement {
    const value = this.#inParentheses();
    this.#expect("{");
    const cases: Case[] = [];
    while (!this.#take("}")) {
      const tested = this.#take("default") ? undefined : this.#caseValue();
      this.#expect(":");
      const statements: Statement[] = [];
      while (!this.#is("case") && !this.#is("default") && !this.#is("}"))
        statements.push(...this.#statements());
      cases.push({ value: tested, statements });
    }
    return { kind: "switch", value, cases };
  }

  #caseValue(): Expression {
    this.#expect("case");
    return this.expression();
  }

  /** Tells whether an arrow function follows: a name and `=>`, or parentheses and `=>` or `: type =>`. */
  #isArrow(): boolean {
    if (this.#next().kind === "name" && this.#is("=>", 1)) return true;
    if (!this.#is("(")) return false;
    let depth = 0;
    for (let ahead = 0; this.#next(ahead).kind !== "end"; ahead++) {
      if (this.#is("(", ahead)) depth += 1;
      if (this.#is(")", ahead)) depth -= 1;
      if (depth > 0) continue;
      return this.#is("=>", ahead + 1) || (this.#is(":", ahead + 1) && this.#isTypeUpToArrow(ahead + 2));
    }
    return false;
  }

  /** Tells a result's type from what follows the `:` of a conditional. */
  #isTypeUpToArrow(start: number): boolean {
    let ahead = start;
    while (this.#next(ahead).kind === "name" || this.#is("|", ahead) || this.#is(".", ahead)) ahead += 1;
    return this.#is("=>", ahead);
  }

  #arrow(): Expression {
    const parameters: readonly Pattern[] = this.#is("(")
      ? this.#parameters()
      : [{ kind: "name", name: this.#name() }];
    if (this.#take(":")) this.#passType(["=>"]);
    this.#expect("=>");
    const body: Body = this.#is("{") ? this.#block() : { kind: "expression", value: this.expression() };
    return { kind: "function", parameters, body };
  }

  #conditional(): Expression {
    const condition = this.#binary(1);
    if (!this.#take("?")) return condition;
    const yes = this.expression();
    this.#expect(":");
    return { kind: "conditional", condition, yes, no: this.expression() };
  }

  #binary(least: number): Expression {
    let left = this.#unary();
    for (;;) {
      const { text: operator, kind } = this.#next();
      const precedence = kind === "mark" ? precedences[operator] : undefined;
      if (precedence === undefined || precedence < least) return left;
      this.#at += 1;
      const right = this.#binary(operator === "**" ? precedence : precedence + 1);
      left = { kind: "binary", operator, left, right };
    }
  }

  #unary(): Expression {
    for (const operator of ["-", "+", "!", "~", "typeof"])
      if (this.#take(operator)) return { kind: "unary", operator, operand: this.#unary() };
    if (this.#take("new")) {
      const callee: Expression = { kind: "name", name: this.#name() };
      if (this.#is("<")) this.#passType([]);
      return this.#after({ kind: "new", callee, operands: this.#is("(") ? this.#operands() : [] });
    }
    const value = this.#after(this.#primary());
    for (const mark of ["++", "--"])
      if (this.#take(mark)) {
        const one: Expression = { kind: "literal", value: 1 };
        return { kind: "assign", operator: mark, to: value, value: one };
      }
    if (this.#take("as")) {
      if (!this.#take("const")) throw this.#fault("as const");
    }
    return value;
  }

  #after(start: Expression): Expression {
    let value = start;
    for (;;) {
      if (this.#take("."))
        value = {
          kind: "member",
          of: value,
          key: { kind: "literal", value: this.#name() },
          isOptional: false,
        };
      else if (this.#take("?.")) {
        const key: Expression = this.#take("[") ? this.#closed() : { kind: "literal", value: this.#name() };
        value = { kind: "member", of: value, key, isOptional: true };
      } else if (this.#take("["))
        value = { kind: "member", of: value, key: this.#closed(), isOptional: false };
      else if (this.#is("(")) value = { kind: "call", callee: value, operands: this.#operands() };
      else return value;
    }
  }

  #closed(): Expression {
    const key = this.expression();
    this.#expect("]");
    return key;
  }

  #operands(): readonly Expression[] {
    this.#expect("(");
    return this.#listUpTo(")");
  }

  #listUpTo(end: string): readonly Expression[] {
    const list: Expression[] = [];
    while (!this.#take(end)) {
      list.push(this.#take("...") ? { kind: "spread", operand: this.expression() } : this.expression());
      this.#separate(end);
    }
    return list;
  }

  #primary(): Expression {
    const next = this.#next();
    this.#at += 1;
    if (next.kind === "literal") return { kind: "literal", value: next.value };
    if (next.kind === "template")
      return {
        kind: "template",
        texts: next.texts,
        values: next.sources.map((source) => new Parser(tokensOf(source)).expression()),
      };
    if (next.kind === "name") return nameOrWord(next.text);
    if (next.text === "(") {
      const value = this.expression();
      this.#expect(")");
      return value;
    }
    if (next.text === "[") return { kind: "array", items: this.#listUpTo("]") };
    if (next.text === "{") return { kind: "object", fields: this.#objectFields() };
    this.#at -= 1;
    throw this.#fault("an expression");
  }

  #objectFields(): readonly Field[] {
    const fields: Field[] = [];
    while (!this.#take("}")) {
      if (this.#take("...")) fields.push({ kind: "spread", operand: this.expression() });
      else {
        const name = this.#name();
        const value: Expression = this.#take(":") ? this.expression() : { kind: "name", name };
        fields.push({ kind: "field", name, value });
      }
      this.#separate("}");
    }
    return fields;
  }
}

function nameOrWord(name: string): Expression {
  switch (name) {
    case "true":
    case "false":
      return { kind: "literal", value: name === "true" };
    case "undefined":
      return { kind: "literal", value: undefined };
    default:
      return { kind: "name", name };
  }
}
