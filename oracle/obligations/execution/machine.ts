import { InvariantError, present } from "../../../spec/shapes/index.ts";
import { Arithmetic, compared } from "./arithmetic.ts";
import { doubleView, methodOf, nativeOf, newNative, storedIn, templateOf } from "./natives.ts";
import type { Way } from "./paths.ts";
import type { Declared, Program } from "./program.ts";
import type { Body, Expression, Pattern, Statement } from "./syntax.ts";
import { Callable, Digits, DoubleWords, Fields, List, Unknown, type Value } from "./values.ts";

/** What a block of statements came to. */
type Outcome =
  | { readonly kind: "on" | "break" | "continue" }
  | { readonly kind: "return"; readonly value: Value };

const on: Outcome = { kind: "on" };

/** A loop that turns more often than this does not end on its own. */
const MOST_TURNS = 10_000;

/** Names in a block, in those around it, and in the module. */
class Scope {
  readonly module: string;
  readonly #around: Scope | undefined;
  readonly #values = new Map<string, Value>();

  constructor(module: string, around?: Scope) {
    this.module = module;
    this.#around = around;
  }

  declare(name: string, value: Value): void {
    this.#values.set(name, value);
  }

  holderOf(name: string): Map<string, Value> | undefined {
    return this.#values.has(name) ? this.#values : this.#around?.holderOf(name);
  }
}

/**
 * Runs functions of a program on one way: JavaScript on values that are known, and {@link Arithmetic} on
 * unknown ones. A condition on unknowns is decided by the way.
 */
export class Machine {
  readonly #program: Program;
  readonly #arithmetic: Arithmetic;
  readonly #instead: ReadonlyMap<string, Value>;
  readonly #globals = new Map<string, Map<string, Value>>();

  /** Names in `instead` mean these values, whatever a module declares. */
  constructor(program: Program, way: Way, instead: Readonly<Record<string, Value>> = {}) {
    this.#program = program;
    this.#arithmetic = new Arithmetic(way);
    this.#instead = new Map(Object.entries(instead));
  }

  get arithmetic(): Arithmetic {
    return this.#arithmetic;
  }

  /** Calls a function of a module. */
  call(module: string, name: string, operands: readonly Value[]): Value {
    return called(this.#named(name, new Scope(module)), operands, name);
  }

  /** Applies an operator to values, or makes a number or a big integer of one. */
  operate(operator: string, x: Value, y?: Value): Value {
    return operator === "BigInt" || operator === "Number"
      ? called(nativeOf(this.#arithmetic, operator), [x], operator)
      : this.#binary(operator, x, y);
  }

  /** Calls a method of a class on the fields of an object, private ones among them. */
  callMethod(module: string, name: string, self: Fields, operands: readonly Value[]): Value {
    return this.#method(module, name, self).call(operands);
  }

  #method(module: string, name: string, self: Fields): Callable {
    const scope = new Scope(module);
    scope.declare("this", self);
    return this.#closure(this.#program.method(name, module), scope);
  }

  #closure(
    { ...declared }: Declared | { parameters: readonly Pattern[]; body: Body },
    scope: Scope,
  ): Callable {
    if (!("parameters" in declared)) throw new InvariantError("a constant is no function");
    const { parameters, body } = declared;
    return new Callable((operands) => {
      const inner = new Scope(scope.module, scope);
      for (const [place, pattern] of parameters.entries()) this.#bind(pattern, operands[place], inner);
      if (body.kind === "expression") return this.#value(body.value, inner);
      const outcome = this.#block(body.statements, inner);
      return outcome.kind === "return" ? outcome.value : undefined;
    });
  }

  /** Finds a name in the scopes, in the modules, or among what the host offers. */
  #named(name: string, scope: Scope): Value {
    const held = scope.holderOf(name);
    if (held !== undefined) return held.get(name);
    const own = this.#globals.get(scope.module) ?? new Map<string, Value>();
    this.#globals.set(scope.module, own);
    if (!own.has(name)) own.set(name, this.#global(name, scope.module));
    return own.get(name);
  }

  #global(name: string, module: string): Value {
    if (this.#instead.has(name)) return this.#instead.get(name);
    const declared = this.#program.declared(name, module);
    if (declared === undefined) return nativeOf(this.#arithmetic, name);
    // What another module declares is made there, and once.
    if (declared.module !== module) return this.#named(name, new Scope(declared.module));
    const within = new Scope(module);
    return declared.kind === "function"
      ? this.#closure(declared, within)
      : this.#value(declared.value, within);
  }

  #bind(pattern: Pattern, value: Value, scope: Scope): void {
    switch (pattern.kind) {
      case "name": {
        const isUsual = value === undefined && pattern.usual !== undefined;
        scope.declare(pattern.name, isUsual ? this.#value(pattern.usual, scope) : value);
        return;
      }
      case "items": {
        if (!(value instanceof List)) throw new InvariantError("no list is taken apart");
        for (const [place, item] of pattern.items.entries())
          if (item !== undefined) this.#bind(item, value.items[place], scope);
        return;
      }
      case "fields": {
        if (!(value instanceof Fields)) throw new InvariantError("no object is taken apart");
        for (const { key, pattern: field } of pattern.fields) this.#bind(field, value.of.get(key), scope);
        if (pattern.rest !== undefined) {
          const taken = new Set(pattern.fields.map(({ key }) => key));
          scope.declare(pattern.rest, new Fields(new Map([...value.of].filter(([key]) => !taken.has(key)))));
        }
      }
    }
  }

  #block(statements: readonly Statement[], scope: Scope): Outcome {
    for (const statement of statements) {
      const outcome = this.#statement(statement, scope);
      if (outcome.kind !== "on") return outcome;
    }
    return on;
  }

  #statement(statement: Statement, scope: Scope): Outcome {
    switch (statement.kind) {
      case "declare":
        this.#bind(
          statement.pattern,
          statement.value === undefined ? undefined : this.#value(statement.value, scope),
          scope,
        );
        return on;
      case "expression":
        this.#effect(statement.value, scope);
        return on;
      case "return":
        return {
          kind: "return",
          value: statement.value === undefined ? undefined : this.#value(statement.value, scope),
        };
      case "throw":
        throw new InvariantError("a program throws");
      case "if": {
        const taken = this.#truth(this.#value(statement.condition, scope)) ? statement.yes : statement.no;
        return taken === undefined ? on : this.#statement(taken, new Scope(scope.module, scope));
      }
      case "loop":
        return this.#loop(statement, new Scope(scope.module, scope));
      case "each": {
        const list = this.#value(statement.of, scope);
        if (!(list instanceof List)) throw new InvariantError("a loop is over no list");
        for (const item of list.items) {
          const inner = new Scope(scope.module, scope);
          this.#bind(statement.pattern, item, inner);
          const outcome = this.#statement(statement.body, inner);
          if (outcome.kind === "break") return on;
          if (outcome.kind === "return") return outcome;
        }
        return on;
      }
      case "switch":
        return this.#switch(statement, new Scope(scope.module, scope));
      case "break":
      case "continue":
        return { kind: statement.kind };
      case "block":
        return this.#block(statement.statements, new Scope(scope.module, scope));
    }
  }

  #loop({ first, condition, step, body }: Statement & { readonly kind: "loop" }, scope: Scope): Outcome {
    this.#block(first, scope);
    for (let turn = 0; turn < MOST_TURNS; turn++) {
      if (condition !== undefined && !this.#truth(this.#value(condition, scope))) return on;
      const outcome = this.#statement(body, new Scope(scope.module, scope));
      if (outcome.kind === "break") return on;
      if (outcome.kind === "return") return outcome;
      if (step !== undefined) this.#effect(step, scope);
    }
    throw new InvariantError("a loop of a program does not end");
  }

  #switch({ value, cases }: Statement & { readonly kind: "switch" }, scope: Scope): Outcome {
    const tested = this.#value(value, scope);
    const start = cases.findIndex(
      (one) => one.value !== undefined && this.#compared("===", tested, this.#value(one.value, scope)),
    );
    const from = start >= 0 ? start : cases.findIndex((one) => one.value === undefined);
    for (const { statements } of from < 0 ? [] : cases.slice(from)) {
      const outcome = this.#block(statements, scope);
      if (outcome.kind === "break") return on;
      if (outcome.kind !== "on") return outcome;
    }
    return on;
  }

  /** Runs an expression whose value nobody asks for. */
  #effect(expression: Expression, scope: Scope): void {
    if (expression.kind !== "assign") {
      this.#value(expression, scope);
      return;
    }
    const { operator, to, value } = expression;
    const own = { "++": "+", "--": "-" }[operator];
    if (own === undefined) this.#value(expression, scope);
    else this.#store(to, this.#binary(own, this.#value(to, scope), this.#value(value, scope)), scope);
  }

  #value(expression: Expression, scope: Scope): Value {
    switch (expression.kind) {
      case "literal":
        return expression.value;
      case "template":
        return templateOf(
          expression.texts,
          expression.values.map((value) => this.#value(value, scope)),
        );
      case "name":
        return this.#named(expression.name, scope);
      case "member":
        return this.#member(expression, scope);
      case "call":
        return this.#call(expression, scope);
      case "new":
        return this.#new(expression, scope);
      case "unary":
        return this.#unary(expression.operator, this.#value(expression.operand, scope));
      case "binary":
        return this.#either(expression, scope);
      case "conditional":
        return this.#truth(this.#value(expression.condition, scope))
          ? this.#value(expression.yes, scope)
          : this.#value(expression.no, scope);
      case "assign":
        return this.#assigned(expression, scope);
      case "function":
        return this.#closure(expression, scope);
      case "array":
        return new List(this.#list(expression.items, scope));
      case "object":
        return this.#object(expression, scope);
      case "spread":
        throw new InvariantError("a spread stands alone");
    }
  }

  #list(items: readonly Expression[], scope: Scope): readonly Value[] {
    return items.flatMap((item) => {
      if (item.kind !== "spread") return [this.#value(item, scope)];
      const list = this.#value(item.operand, scope);
      if (list instanceof List) return list.items;
      throw new InvariantError("what is spread is no list");
    });
  }

  #object({ fields }: Expression & { readonly kind: "object" }, scope: Scope): Fields {
    const of = new Map<string, Value>();
    for (const field of fields) {
      if (field.kind === "field") of.set(field.name, this.#value(field.value, scope));
      else {
        const other = this.#value(field.operand, scope);
        if (!(other instanceof Fields)) throw new InvariantError("what is spread is no object");
        for (const [name, value] of other.of) of.set(name, value);
      }
    }
    return new Fields(of);
  }

  #call({ callee, operands }: Expression & { readonly kind: "call" }, scope: Scope): Value {
    const values = this.#list(operands, scope);
    if (callee.kind === "member") return this.#callMember(callee, values, scope);
    const name = callee.kind === "name" ? callee.name : callee.kind;
    return called(this.#value(callee, scope), values, name);
  }

  #callMember(
    { of, key }: Expression & { readonly kind: "member" },
    values: readonly Value[],
    scope: Scope,
  ): Value {
    const owner = this.#value(of, scope);
    const name = String(this.#value(key, scope));
    if (owner instanceof Fields) {
      const own = owner.of.get(name);
      return own === undefined
        ? this.callMethod(scope.module, name, owner, values)
        : called(own, values, name);
    }
    return called(methodOf(this.#arithmetic, owner, name), values, name);
  }

  #member({ of, key, isOptional }: Expression & { readonly kind: "member" }, scope: Scope): Value {
    const owner = this.#value(of, scope);
    const at = this.#value(key, scope);
    if (owner === undefined && isOptional) return undefined;
    if (owner instanceof Fields) return owner.of.get(String(at));
    if (owner instanceof List) return at === "length" ? owner.items.length : owner.items[this.#place(at)];
    if (owner instanceof Digits && at === "length") return owner.items.length;
    if (typeof owner === "string" && at === "length") return owner.length;
    throw new InvariantError(`${String(at)} is asked of what has no parts`);
  }

  /** Returns the index of an element, which is known on each way. */
  #place(at: Value): number {
    if (typeof at === "number") return at;
    if (at instanceof Unknown) return Number(this.#arithmetic.way.pick(at.word));
    throw new InvariantError("an element is asked for at what is no index");
  }

  #new({ callee, operands }: Expression & { readonly kind: "new" }, scope: Scope): Value {
    const name = callee.kind === "name" ? callee.name : "";
    if (name === "DataView") return doubleView(this.#arithmetic);
    const stored = storedIn(this.#arithmetic, name);
    if (stored !== undefined) {
      const length = this.#place(this.#value(present(operands[0], "a length"), scope));
      return new List(
        Array.from({ length }, () => 0),
        stored,
      );
    }
    return newNative(name);
  }

  #assigned({ operator, to, value }: Expression & { readonly kind: "assign" }, scope: Scope): Value {
    if (operator === "++" || operator === "--") throw new InvariantError("the value of a step is used");
    const given = this.#value(value, scope);
    const stored =
      operator === "=" ? given : this.#binary(operator.slice(0, -1), this.#value(to, scope), given);
    this.#store(to, stored, scope);
    return stored;
  }

  #store(to: Expression, value: Value, scope: Scope): void {
    if (to.kind === "name") {
      const holder = scope.holderOf(to.name);
      if (holder === undefined) throw new InvariantError(`${to.name} is assigned and not declared`);
      holder.set(to.name, value);
      return;
    }
    if (to.kind === "array" && value instanceof List) {
      for (const [place, item] of to.items.entries()) this.#store(item, value.items[place], scope);
      return;
    }
    if (to.kind !== "member") throw new InvariantError("nothing that can be assigned");
    const owner = this.#value(to.of, scope);
    const at = this.#value(to.key, scope);
    if (owner instanceof Fields) owner.of.set(String(at), value);
    else if (owner instanceof List) owner.items[this.#place(at)] = owner.stored(value);
    else throw new InvariantError("a part of what has none is assigned");
  }

  /** Computes `&&`, `||` and `??`, of which the right side may not run, and the others. */
  #either({ operator, left, right }: Expression & { readonly kind: "binary" }, scope: Scope): Value {
    const first = this.#value(left, scope);
    if (operator === "&&") return this.#truth(first) ? this.#value(right, scope) : first;
    if (operator === "||") return this.#truth(first) ? first : this.#value(right, scope);
    if (operator === "??") return first === undefined ? this.#value(right, scope) : first;
    return this.#binary(operator, first, this.#value(right, scope));
  }

  #truth(value: Value): boolean {
    if (typeof value === "boolean") return value;
    if (value instanceof Unknown) return this.#arithmetic.compare("!==", value, 0);
    return Boolean(value);
  }

  #unary(operator: string, x: Value): Value {
    if (operator === "!") return !this.#truth(x);
    if (x instanceof Unknown) {
      if (operator === "-") return this.#arithmetic.negative(x);
      if (operator === "~") return this.#arithmetic.complement(x);
    }
    if (x instanceof DoubleWords && operator === "-")
      return new DoubleWords(this.#binary("^", x.high, -0x80000000), x.low);
    if (typeof x === "bigint") return operator === "-" ? -x : ~x;
    if (typeof x === "number") return operator === "-" ? -x : operator === "~" ? ~x : x;
    throw new InvariantError(`${operator} of no number`);
  }

  #binary(operator: string, x: Value, y: Value): Value {
    if (isComparison(operator)) return this.#compared(operator, x, y);
    if (x instanceof DoubleWords) return this.#doubles(operator, x, y);
    const arithmetic = this.#arithmetic;
    if (!(x instanceof Unknown) && !(y instanceof Unknown)) return known(operator, x, y);
    switch (operator) {
      case "+":
        return arithmetic.add(x, y);
      case "-":
        return arithmetic.subtract(x, y);
      case "*":
        return arithmetic.multiply(x, y);
      case "/":
        return arithmetic.divide(x, y);
      case "%":
        return arithmetic.remainder(x, y);
      case "&":
      case "|":
      case "^":
        return arithmetic.bitwise(operator, x, y);
      case "<<":
      case ">>":
      case ">>>":
        return arithmetic.shift(operator, x, y);
      case "**":
        if (x === 2 && y instanceof Unknown) return 2 ** Number(arithmetic.way.pick(y.word));
    }
    throw new InvariantError(`${operator} of unknowns is not known`);
  }

  #compared(relation: Relation, x: Value, y: Value): boolean {
    if (x instanceof DoubleWords) return this.#comparedToZero(relation, x, y);
    if (x instanceof Unknown || y instanceof Unknown) {
      if (isNumeric(x) && isNumeric(y)) return this.#arithmetic.compare(relation, x, y);
      return relation === "!==";
    }
    if (relation === "===") return x === y;
    if (relation === "!==") return x !== y;
    if (!isNumeric(x) || !isNumeric(y)) throw new InvariantError(`${relation} of no numbers`);
    return known(relation, x, y) === true;
  }

  /** Computes `x − x`, which tells what is finite. */
  #doubles(operator: string, x: DoubleWords, y: Value): Value {
    if (operator !== "-" || y !== x) throw new InvariantError(`${operator} of doubles is not known`);
    const exponent = this.#binary("&", this.#binary(">>>", x.high, 20), 0x7ff);
    return this.#compared("===", exponent, 0x7ff) ? Number.NaN : 0;
  }

  #comparedToZero(relation: Relation, x: DoubleWords, y: Value): boolean {
    if (y !== 0) throw new InvariantError("a double is compared to what is not 0");
    const size = this.#binary("&", x.high, 0x7fffffff);
    const isZero = (): boolean => this.#compared("===", size, 0) && this.#compared("===", x.low, 0);
    switch (relation) {
      case "===":
        return isZero();
      case "!==":
        return !isZero();
      case "<":
        return this.#compared("<", x.high, 0) && !isZero();
      case ">":
        return this.#compared(">=", x.high, 0) && !isZero();
      default:
        throw new InvariantError(`${relation} of a double is not known`);
    }
  }
}

type Relation = "<" | "<=" | ">" | ">=" | "===" | "!==";

function isComparison(operator: string): operator is Relation {
  return ["<", "<=", ">", ">=", "===", "!=="].includes(operator);
}

function isNumeric(value: Value): boolean {
  return value instanceof Unknown || typeof value === "number" || typeof value === "bigint";
}

function called(value: Value, operands: readonly Value[], name: string): Value {
  if (value instanceof Callable) return value.call(operands);
  const own = value instanceof Fields ? value.of.get("call") : undefined;
  if (own instanceof Callable) return own.call(operands);
  throw new InvariantError(`${name} is called and is no function`);
}

/** Computes with known numbers as JavaScript does. */
function known(operator: string, x: Value, y: Value): Value {
  if (typeof x === "bigint" && typeof y === "bigint") return knownIntegers(operator, x, y);
  if (typeof x === "number" && typeof y === "number") return knownNumbers(operator, x, y);
  if (operator === "<") return String(x) < String(y);
  throw new InvariantError(`${operator} of ${typeof x} and ${typeof y}`);
}

function knownIntegers(operator: string, x: bigint, y: bigint): Value {
  switch (operator) {
    case "+":
      return x + y;
    case "-":
      return x - y;
    case "*":
      return x * y;
    case "/":
      return x / y;
    case "%":
      return x % y;
    case "&":
      return x & y;
    case "|":
      return x | y;
    case "^":
      return x ^ y;
    case "<<":
      return x << y;
    case ">>":
      return x >> y;
    case "**":
      return x ** y;
    case "<":
    case "<=":
    case ">":
    case ">=":
      return compared(operator, x, y);
    default:
      throw new InvariantError(`${operator} of big integers`);
  }
}

function knownNumbers(operator: string, x: number, y: number): Value {
  switch (operator) {
    case "+":
      return x + y;
    case "-":
      return x - y;
    case "*":
      return x * y;
    case "/":
      return x / y;
    case "%":
      return x % y;
    case "&":
      return x & y;
    case "|":
      return x | y;
    case "^":
      return x ^ y;
    case "<<":
      return x << y;
    case ">>":
      return x >> y;
    case ">>>":
      return x >>> y;
    case "**":
      return x ** y;
    case "<":
    case "<=":
    case ">":
    case ">=":
      return compared(operator, x, y);
    default:
      throw new InvariantError(`${operator} of numbers`);
  }
}
