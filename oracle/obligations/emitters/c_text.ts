import { type ScalarFunction, scalarFunctions } from "../../../engines/compile/plan/index.ts";
import { at, InvariantError, present } from "../../../spec/shapes/index.ts";
import type { Arithmetic } from "../rewrites/index.ts";

/** A number that is known, a number of any kind, or a place in an array. */
type Value<T> =
  | { readonly kind: "integer"; readonly integer: number }
  | { readonly kind: "number"; readonly number: T }
  | { readonly kind: "place"; readonly array: (T | number | undefined)[]; readonly place: number };

/** Names of a function that runs, with their values; those of a block are there until it ends. */
type Names<T> = Map<string, Value<T>>;

/** What the functions of a file are applied to. */
export interface Given<T> {
  readonly sources: readonly (readonly T[])[];
  readonly indices: readonly (readonly number[])[];
  /** Numbers of the workspace. */
  readonly workspace: number;
}

/**
 * Runs a function of a file that the engine in C has written, over any scalars, and returns the workspace.
 * Loops and places are numbers, and are run; of the rest it knows what files have: declarations, sums,
 * products, comparisons, calls of kernels and of functions of numbers. Throws {@link InvariantError} for what
 * it does not know, for a place outside an array and for a number that nobody has written.
 */
export function runC<T>(
  text: string,
  name: string,
  arithmetic: Arithmetic<T>,
  { sources, indices, workspace }: Given<T>,
): readonly (T | undefined)[] {
  const arena = new Array<T | undefined>(workspace).fill(undefined);
  const arrays = [...sources, ...indices, arena];
  const functions = new Map(
    [...text.matchAll(/^(?:\w+ )*?void (\w+)\(([^)]*)\) \{\n([\s\S]*?)^\}/gm)].map(
      ([, found = "", parameters = "", body = ""]) => [found, { parameters: namesOf(parameters), body }],
    ),
  );
  new Runner(functions, arithmetic).call(
    name,
    arrays.map((array) => ({ kind: "place", array: array === arena ? arena : [...array], place: 0 })),
  );
  return arena;
}

interface CFunction {
  readonly parameters: readonly string[];
  readonly body: string;
}

function namesOf(parameters: string): readonly string[] {
  return parameters.split(",").map((one) => present(/(\w+)\s*$/.exec(one)?.[1], "a parameter's name"));
}

const tokens = /\s*(\d[\d.]*(?:e[+-]?\d+)?f?|\w+|[<=!]=|\+\+|\+=|[^\s])/y;

class Runner<T> {
  readonly #functions: ReadonlyMap<string, CFunction>;
  readonly #arithmetic: Arithmetic<T>;
  #words: readonly string[] = [];
  #next = 0;
  #names: Names<T> = new Map();

  constructor(functions: ReadonlyMap<string, CFunction>, arithmetic: Arithmetic<T>) {
    this.#functions = functions;
    this.#arithmetic = arithmetic;
  }

  call(name: string, operands: readonly Value<T>[]): void {
    const { parameters, body } = present(this.#functions.get(name), `the function ${name}`);
    const [words, next, names] = [this.#words, this.#next, this.#names];
    this.#words = wordsOf(body);
    this.#next = 0;
    this.#names = new Map(parameters.map((parameter, n) => [parameter, at(operands, n)]));
    while (this.#next < this.#words.length) this.#statement();
    this.#words = words;
    this.#next = next;
    this.#names = names;
  }

  get #word(): string {
    return this.#words[this.#next] ?? "";
  }

  #take(word?: string): string {
    const found = this.#word;
    if (word !== undefined && found !== word) throw new InvariantError(`"${found}" stands for "${word}"`);
    this.#next += 1;
    return found;
  }

  #has(word: string): boolean {
    if (this.#word !== word) return false;
    this.#next += 1;
    return true;
  }

  #statement(): void {
    if (this.#has("{")) {
      const outer = this.#names;
      this.#names = new Map(outer);
      while (!this.#has("}")) this.#statement();
      this.#names = outer;
    } else if (this.#word === "FEW" || this.#word === "LANES") {
      this.#take();
      this.#statement();
    } else if (this.#has("for")) this.#loop();
    else if (this.#word === "const" || this.#word === "T") this.#declaration();
    else if (this.#functions.has(this.#word)) {
      const name = this.#take();
      this.call(name, this.#operands());
      this.#take(";");
    } else if (this.#word === "(" && this.#words[this.#next + 1] === "void") {
      while (this.#take() !== ";");
    } else {
      const place = this.#element();
      this.#take("=");
      const value = this.#number(this.#expression());
      if (place.kind !== "place") throw new InvariantError("a number has no place");
      place.array[place.place] = value;
      this.#take(";");
    }
  }

  #loop(): void {
    this.#take("(");
    this.#take("I");
    const index = this.#take();
    this.#take("=");
    let round = this.#integer(this.#expression());
    this.#take(";");
    const condition = this.#next;
    const outer = this.#names;
    const runs = (): boolean => {
      this.#names = new Map(outer).set(index, { kind: "integer", integer: round });
      this.#next = condition;
      const goesOn = this.#integer(this.#expression()) !== 0;
      this.#take(";");
      return goesOn;
    };
    for (;;) {
      const goesOn = runs();
      this.#take(index);
      const step = this.#take() === "++" ? 1 : this.#integer(this.#expression());
      this.#take(")");
      if (!goesOn) break;
      this.#statement();
      round += step;
    }
    this.#names = outer;
    this.#skip();
  }

  /** Goes over a statement without running it. */
  #skip(): void {
    let depth = 0;
    for (;;) {
      const word = this.#take();
      if (word === "") throw new InvariantError("a statement has an end");
      if (word === "{" || word === "(") depth += 1;
      if (word === "}" || word === ")") depth -= 1;
      if (depth === 0 && (word === ";" || word === "}")) return;
    }
  }

  #declaration(): void {
    this.#has("const");
    this.#take("T");
    const name = this.#take();
    const array: (T | undefined)[] = [undefined];
    if (this.#has("[")) {
      array.length = this.#integer(this.#expression());
      this.#take("]");
    } else {
      this.#take("=");
      array[0] = this.#number(this.#expression());
    }
    this.#names.set(name, { kind: "place", array, place: 0 });
    this.#take(";");
  }

  #operands(): readonly Value<T>[] {
    const operands: Value<T>[] = [];
    this.#take("(");
    while (!this.#has(")")) {
      operands.push(this.#expression());
      this.#has(",");
    }
    return operands;
  }

  #expression(): Value<T> {
    const left = this.#sum();
    const word = this.#word;
    if (word !== "<" && word !== "==") return left;
    this.#take();
    const right = this.#sum();
    if (left.kind === "integer" && right.kind === "integer")
      return integer(Number(word === "<" ? left.integer < right.integer : left.integer === right.integer));
    return this.#applied(word === "<" ? "less" : "equal", [left, right]);
  }

  #sum(): Value<T> {
    let left = this.#product();
    while (this.#word === "+" || this.#word === "-") {
      const isSum = this.#take() === "+";
      const right = this.#product();
      if (left.kind === "place" && right.kind === "integer" && isSum && !this.#isNumber(left))
        left = { ...left, place: left.place + right.integer };
      else if (left.kind === "integer" && right.kind === "integer")
        left = integer(isSum ? left.integer + right.integer : left.integer - right.integer);
      else left = this.#applied(isSum ? "add" : "subtract", [left, right]);
    }
    return left;
  }

  #product(): Value<T> {
    let left = this.#sign();
    while (this.#word === "*" || this.#word === "/") {
      const isProduct = this.#take() === "*";
      const right = this.#sign();
      if (left.kind === "integer" && right.kind === "integer")
        left = integer(isProduct ? left.integer * right.integer : Math.trunc(left.integer / right.integer));
      else left = this.#applied(isProduct ? "multiply" : "divide", [left, right]);
    }
    return left;
  }

  #sign(): Value<T> {
    if (!this.#has("-")) return this.#element();
    const operand = this.#sign();
    return operand.kind === "integer" ? integer(-operand.integer) : this.#applied("negative", [operand]);
  }

  /** Reads a name, a number, a call, what brackets hold, or an element of an array. */
  #element(): Value<T> {
    const word = this.#take();
    if (word === "(") {
      if (this.#word === "T" || this.#word === "I") {
        const isPlace = this.#take() === "I";
        this.#take(")");
        return isPlace ? integer(this.#integer(this.#sign())) : this.#sign();
      }
      const inner = this.#expression();
      this.#take(")");
      return inner;
    }
    if (/^\d+$/.test(word)) return integer(Number(word));
    if (/^\d/.test(word)) {
      const number = this.#arithmetic.literal(Number(word.replace(/f$/, "")));
      return { kind: "number", number };
    }
    if (this.#word === "(") return this.#applied(functionOf(word), this.#operands());
    const found = present(this.#names.get(word), `the name ${word}`);
    if (!this.#has("[")) return found;
    const place = this.#integer(this.#expression());
    this.#take("]");
    if (found.kind !== "place") throw new InvariantError(`${word} is no array`);
    const whole = { ...found, place: found.place + place };
    if (whole.place < 0 || whole.place >= whole.array.length)
      throw new InvariantError(`${word} has no place ${place}`);
    return whole;
  }

  #isNumber({ array, place }: Extract<Value<T>, { kind: "place" }>): boolean {
    return array.length === 1 && place === 0 && array[0] !== undefined;
  }

  #applied(name: ScalarFunction, operands: readonly Value<T>[]): Value<T> {
    const numbers = operands.map((operand) => this.#number(operand));
    return { kind: "number", number: this.#arithmetic.apply(name, numbers) };
  }

  #number(value: Value<T>): T {
    if (value.kind === "number") return value.number;
    if (value.kind === "integer") return this.#arithmetic.literal(value.integer);
    const found = value.array[value.place];
    if (found === undefined || typeof found === "number") throw new InvariantError("a number is read");
    return found;
  }

  #integer(value: Value<T>): number {
    if (value.kind === "integer") return value.integer;
    const found = value.kind === "place" ? value.array[value.place] : undefined;
    if (typeof found !== "number") throw new InvariantError("a place is known");
    return found;
  }
}

function integer<T>(value: number): Value<T> {
  return { kind: "integer", integer: value };
}

function isScalarFunction(name: string): name is ScalarFunction {
  return Object.hasOwn(scalarFunctions, name);
}

function functionOf(word: string): ScalarFunction {
  const name = word.replace(/_T$/, "");
  if (!isScalarFunction(name)) throw new InvariantError(`no function ${word}`);
  return name;
}

function wordsOf(text: string): readonly string[] {
  const words: string[] = [];
  tokens.lastIndex = 0;
  for (let found = tokens.exec(text); found !== null; found = tokens.exec(text)) words.push(found[1] ?? "");
  return words;
}
