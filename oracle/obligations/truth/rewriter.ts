import { InvariantError } from "../../../spec/shapes/index.ts";

/** A token is a word, a number, a text or a mark of JavaScript, without the space around it. */
export type Tokens = readonly string[];

const TOKEN =
  /\s+|\/\/[^\n]*|\/\*[\s\S]*?\*\/|(?<token>0x[\da-fA-F]+|\d[\d_]*(?:\.\d+)?(?:e[+-]?\d+)?n?|#?[A-Za-z_$][\w$]*|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`|=>|\.\.\.|\?\?=|\?\.|\?\?|\*\*|===|!==|>>>|<<|>>|<=|>=|&&|\|\||\+\+|--|\+=|-=|\*=|\/=|[{}()[\];,<>+\-*/%&|^!~?:=.])/y;

/** Splits a JavaScript text into tokens. Throws {@link InvariantError} for what this subset has not. */
export function tokensOf(text: string): Tokens {
  const tokens: string[] = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < text.length) {
    const at = TOKEN.lastIndex;
    const match = TOKEN.exec(text);
    if (match === null) throw new InvariantError(`no token: ${text.slice(at, at + 30)}`);
    if (match.groups?.token !== undefined) tokens.push(match.groups.token);
  }
  return tokens;
}

/** A module whose operators are calls of a host's functions imports and exports these names. */
export interface Rewritten {
  readonly imports: readonly {
    readonly names: readonly (readonly [name: string, as: string])[];
    from: string;
  }[];
  readonly exports: readonly string[];
  /** These are all names that the module defines, those that it keeps to itself too. */
  readonly defined: readonly string[];
  readonly reexports: readonly { readonly names: readonly string[] | "all"; readonly from: string }[];
  readonly body: string;
}

/** The binary operators, from those that bind least; those that compute are calls of a host's functions. */
const levels: readonly (readonly string[])[] = [
  ["??"],
  ["||"],
  ["&&"],
  ["|"],
  ["^"],
  ["&"],
  ["===", "!=="],
  ["<", "<=", ">", ">=", "in", "instanceof"],
  ["<<", ">>", ">>>"],
  ["+", "-"],
  ["*", "/", "%"],
];

const functions: ReadonlyMap<string, string> = new Map([
  ["===", "same"],
  ["!==", "differs"],
  ["<", "less"],
  ["<=", "atMost"],
  [">", "greater"],
  [">=", "atLeast"],
  ["+", "add"],
  ["-", "subtract"],
  ["*", "multiply"],
  ["/", "divide"],
  ["%", "remainder"],
]);

/**
 * Writes a module of JavaScript anew, in which each operator on numbers is a call: `$.add(x, y)` for `x + y`.
 */
export function rewritten(tokens: Tokens): Rewritten {
  return new Rewriter(tokens).module();
}

/** Reads tokens by recursive descent and writes them again; it knows the statements that the oracle uses. */
class Rewriter {
  readonly #tokens: Tokens;
  #at = 0;
  readonly #imports: Rewritten["imports"][number][] = [];
  readonly #exports: string[] = [];
  readonly #defined: string[] = [];
  readonly #reexports: Rewritten["reexports"][number][] = [];

  constructor(tokens: Tokens) {
    this.#tokens = tokens;
  }

  module(): Rewritten {
    const body: string[] = [];
    while (this.#at < this.#tokens.length) body.push(this.#topLevel());
    return {
      imports: this.#imports,
      exports: this.#exports,
      defined: this.#defined,
      reexports: this.#reexports,
      body: body.join("\n"),
    };
  }

  /** Returns the token that comes next, or a later one. */
  #ahead(by: number): string {
    return this.#tokens[this.#at + by] ?? "";
  }

  #take(expected?: string): string {
    const token = this.#ahead(0);
    if (expected !== undefined && token !== expected) {
      const around = this.#tokens.slice(Math.max(0, this.#at - 10), this.#at + 5).join(" ");
      throw new InvariantError(`${expected} is expected in: ${around}`);
    }
    this.#at++;
    return token;
  }

  #takes(token: string): boolean {
    if (this.#ahead(0) !== token) return false;
    this.#at++;
    return true;
  }

  #topLevel(): string {
    if (this.#takes("import")) return this.#import();
    if (!this.#takes("export")) return this.#definition();
    if (this.#takes("*")) {
      this.#take("from");
      this.#reexports.push({ names: "all", from: this.#text() });
      return "";
    }
    if (this.#ahead(0) === "{") {
      const names = this.#names().map(([name]) => name);
      if (this.#takes("from")) this.#reexports.push({ names, from: this.#text() });
      else this.#exports.push(...names);
      this.#takes(";");
      return "";
    }
    const name = this.#ahead(1);
    this.#exports.push(name === "*" ? this.#ahead(2) : name);
    return this.#definition();
  }

  #definition(): string {
    const name = this.#ahead(1);
    if (["function", "const", "class"].includes(this.#ahead(0)) && /^\w/.test(name)) this.#defined.push(name);
    return this.#statement();
  }

  #import(): string {
    const names = this.#names();
    this.#take("from");
    this.#imports.push({ names, from: this.#text() });
    return "";
  }

  #text(): string {
    const text = this.#take().slice(1, -1);
    this.#takes(";");
    return text;
  }

  #names(): (readonly [string, string])[] {
    const names: (readonly [string, string])[] = [];
    this.#take("{");
    while (!this.#takes("}")) {
      const name = this.#take();
      if (name === ",") continue;
      names.push([name, this.#takes("as") ? this.#take() : name]);
    }
    return names;
  }

  #statement(): string {
    switch (this.#ahead(0)) {
      case "{":
        return this.#block();
      case ";":
        return this.#take();
      case "const":
      case "let":
        return this.#ended(this.#declaration());
      case "function":
        return this.#function();
      case "class":
        return this.#class();
      case "if": {
        const head = `${this.#take()} ${this.#condition()} ${this.#statement()}`;
        return this.#takes("else") ? `${head} else ${this.#statement()}` : head;
      }
      case "while":
        return `${this.#take()} ${this.#condition()} ${this.#statement()}`;
      case "for":
        return this.#for();
      case "switch":
        return this.#switch();
      case "return":
      case "throw": {
        const word = this.#take();
        return this.#ended(this.#ahead(0) === ";" ? word : `${word} ${this.#expression()}`);
      }
      case "break":
      case "continue":
        return this.#ended(this.#take());
      case "using":
        this.#take();
        return this.#ended(`const ${this.#expression()}`);
      default:
        return this.#ended(this.#expression());
    }
  }

  #ended(statement: string): string {
    this.#takes(";");
    return `${statement};`;
  }

  #declaration(): string {
    return `${this.#take()} ${this.#expression()}`;
  }

  #condition(): string {
    this.#take("(");
    const condition = this.#expression();
    this.#take(")");
    return `(${condition})`;
  }

  #for(): string {
    this.#take("for");
    this.#take("(");
    if (this.#ahead(0) === "const" && this.#tokens.indexOf("of", this.#at) >= 0) {
      const start = this.#at;
      this.#take();
      const name = this.#postfix();
      if (this.#takes("of")) {
        const all = this.#expression();
        this.#take(")");
        return `for (const ${name} of ${all}) ${this.#statement()}`;
      }
      this.#at = start;
    }
    const [start, end, step] = [";", ";", ")"].map((mark) => {
      const part =
        this.#ahead(0) === mark ? "" : this.#ahead(0) === "let" ? this.#declaration() : this.#expression();
      this.#take(mark);
      return part;
    });
    return `for (${start}; ${end}; ${step}) ${this.#statement()}`;
  }

  #switch(): string {
    let text = `${this.#take()} ${this.#condition()} {`;
    this.#take("{");
    while (!this.#takes("}")) {
      if (this.#takes("default")) text += " default";
      else {
        this.#take("case");
        text += ` case ${this.#expression()}`;
      }
      this.#take(":");
      text += ":";
      while (!["case", "default", "}"].includes(this.#ahead(0))) text += ` ${this.#statement()}`;
    }
    return `${text} }`;
  }

  #block(): string {
    const statements: string[] = [];
    this.#take("{");
    while (!this.#takes("}")) statements.push(this.#statement());
    return `{ ${statements.join("\n")} }`;
  }

  #function(): string {
    this.#take("function");
    const star = this.#takes("*") ? "*" : "";
    const name = this.#ahead(0) === "(" ? "" : this.#take();
    return `function${star} ${name}${this.#list("(", ")")} ${this.#block()}`;
  }

  #class(): string {
    let text = `${this.#take()} ${this.#take()}`;
    if (this.#takes("implements")) this.#take();
    if (this.#ahead(0) === "extends") text += ` ${this.#take()} ${this.#postfix()}`;
    this.#take("{");
    const members: string[] = [];
    while (!this.#takes("}")) if (!this.#takes(";")) members.push(this.#member());
    return `${text} { ${members.join("\n")} }`;
  }

  #member(): string {
    const words: string[] = [];
    while (["static", "get", "set"].includes(this.#ahead(0)) && this.#ahead(1) !== "(")
      words.push(this.#take());
    const name = this.#name();
    words.push(name);
    if (this.#ahead(0) === "(") return `${words.join(" ")}${this.#list("(", ")")} ${this.#block()}`;
    return this.#ended(this.#takes("=") ? `${words.join(" ")} = ${this.#assignment()}` : words.join(" "));
  }

  /** Reads the name of a member or property, which may be computed. */
  #name(): string {
    if (!this.#takes("[")) return this.#take();
    const name = this.#expression();
    this.#take("]");
    return `[${name}]`;
  }

  #expression(): string {
    let text = this.#assignment();
    while (this.#takes(",")) text += `, ${this.#assignment()}`;
    return text;
  }

  #assignment(): string {
    if (this.#ahead(0) === "yield") return `${this.#take()} ${this.#assignment()}`;
    if (this.#isArrow()) {
      const parameters = this.#ahead(0) === "(" ? this.#list("(", ")") : this.#take();
      this.#take("=>");
      if (this.#ahead(0) === "{") return `${parameters} => ${this.#block()}`;
      return `${parameters} => (${this.#assignment()})`;
    }
    const left = this.#conditional();
    const mark = this.#ahead(0);
    if (mark === "=" || mark === "??=") return `${left} ${this.#take()} ${this.#assignment()}`;
    if (!/^[+\-*/]=$/.test(mark)) return left;
    this.#take();
    return `${left} = $.${functions.get(mark.slice(0, 1))}(${left}, ${this.#assignment()})`;
  }

  #isArrow(): boolean {
    if (this.#ahead(1) === "=>") return true;
    if (this.#ahead(0) !== "(") return false;
    let depth = 0;
    for (let by = 0; ; by++) {
      const token = this.#ahead(by);
      if (token === "") return false;
      if ("([{".includes(token)) depth++;
      if (")]}".includes(token)) depth--;
      if (depth === 0) return this.#ahead(by + 1) === "=>";
    }
  }

  #conditional(): string {
    const condition = this.#binary(0);
    if (!this.#takes("?")) return condition;
    const yes = this.#assignment();
    this.#take(":");
    return `(${condition} ? ${yes} : ${this.#assignment()})`;
  }

  #binary(level: number): string {
    const marks = levels[level];
    if (marks === undefined) return this.#unary();
    let left = this.#binary(level + 1);
    while (marks.includes(this.#ahead(0))) {
      const mark = this.#take();
      const right = this.#binary(level + 1);
      const name = functions.get(mark);
      left = name === undefined ? `(${left} ${mark} ${right})` : `$.${name}(${left}, ${right})`;
    }
    return left;
  }

  #unary(): string {
    if (this.#takes("-")) return `$.negative(${this.#unary()})`;
    if (["!", "typeof", "void", "++", "--"].includes(this.#ahead(0)))
      return `${this.#take()} ${this.#unary()}`;
    const base = this.#postfix();
    return this.#takes("**") ? `$.power(${base}, ${this.#unary()})` : base;
  }

  #postfix(): string {
    let text = this.#takes("new") ? `new ${this.#take()}` : this.#primary();
    for (;;) {
      switch (this.#ahead(0)) {
        case ".":
          text += this.#take() + this.#take();
          break;
        case "?.":
          text += this.#take();
          if (this.#ahead(0) !== "(" && this.#ahead(0) !== "[") text += this.#take();
          break;
        case "(":
          text += this.#list("(", ")");
          break;
        case "[":
          text += this.#list("[", "]");
          break;
        case "++":
        case "--":
          return text + this.#take();
        default:
          return text;
      }
    }
  }

  #primary(): string {
    switch (this.#ahead(0)) {
      case "(": {
        this.#take();
        const inner = this.#expression();
        this.#take(")");
        return `(${inner})`;
      }
      case "[":
        return this.#list("[", "]");
      case "{":
        return this.#object();
      case "function":
        return this.#function();
      default:
        return this.#take();
    }
  }

  /** Reads arguments, parameters or elements; patterns and their defaults are read as expressions. */
  #list(open: string, close: string): string {
    const elements: string[] = [];
    this.#take(open);
    while (!this.#takes(close)) {
      if (this.#ahead(0) === ",") elements.push("");
      else elements.push((this.#takes("...") ? "..." : "") + this.#assignment());
      if (this.#ahead(0) !== close) this.#take(",");
    }
    return `${open}${elements.join(", ")}${close}`;
  }

  #object(): string {
    const properties: string[] = [];
    this.#take("{");
    while (!this.#takes("}")) {
      properties.push(this.#property());
      if (this.#ahead(0) !== "}") this.#take(",");
    }
    return `{ ${properties.join(", ")} }`;
  }

  #property(): string {
    if (this.#takes("...")) return `...${this.#assignment()}`;
    const isGetter = this.#ahead(0) === "get" && !"(,:}".includes(this.#ahead(1));
    const words = isGetter ? `${this.#take()} ` : this.#takes("*") ? "*" : "";
    const name = this.#name();
    if (this.#ahead(0) === "(") return `${words}${name}${this.#list("(", ")")} ${this.#block()}`;
    if (this.#takes(":")) return `${name}: ${this.#assignment()}`;
    return this.#takes("=") ? `${name} = ${this.#assignment()}` : name;
  }
}
