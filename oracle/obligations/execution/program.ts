import { readFileSync } from "node:fs";
import { fail, InvariantError, ok, type Result } from "../../../spec/shapes/index.ts";
import { Parser } from "./parser.ts";
import type { Body, Expression, Pattern } from "./syntax.ts";
import { tokensOf } from "./tokens.ts";

/** A function's parameters and body, or the value of a constant. */
export type Declared =
  | {
      readonly kind: "function";
      readonly module: string;
      readonly parameters: readonly Pattern[];
      readonly body: Body;
    }
  | { readonly kind: "constant"; readonly module: string; readonly value: Expression };

/** A planted fault replaces a piece of a module's text. */
export interface Plant {
  readonly module: string;
  readonly from: string;
  readonly to: string;
}

/**
 * Modules of the project as they are written, or compiled: the functions and constants that stand at the left
 * margin of each, and methods of its classes. Names are looked up in the module that uses them, and then in
 * the others.
 */
export class Program {
  readonly #texts: ReadonlyMap<string, string>;
  readonly #declared = new Map<string, Declared | undefined>();

  private constructor(texts: ReadonlyMap<string, string>) {
    this.#texts = texts;
  }

  /** Reads modules by their paths from the root of the project, without `.ts`. */
  static of(modules: readonly string[]): Program {
    const ending = import.meta.url.endsWith(".ts") ? "ts" : "js";
    const text = (path: string): string =>
      readFileSync(new URL(`../../../${path}.${ending}`, import.meta.url), "utf8");
    return new Program(new Map(modules.map((path) => [path, text(path)])));
  }

  /** Makes the same with a fault. Fails, saying why, if the piece is not there once. */
  planted({ module, from, to }: Plant): Result<Program, string> {
    const text = this.#texts.get(module) ?? "";
    const words = tokensOf(from).map((token) => token.text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
    const pattern = new RegExp(words.join("\\s*"), "g");
    const count = text.match(pattern)?.length ?? 0;
    if (count !== 1) return fail(`${module} has ${from} in ${count} places, and not in one`);
    return ok(new Program(new Map([...this.#texts, [module, text.replace(pattern, () => to)]])));
  }

  /** Finds what a name means in a module; `undefined` if no module declares it. */
  declared(name: string, module: string): Declared | undefined {
    const own = this.#inModule(name, module);
    if (own !== undefined) return own;
    const others = [...this.#texts.keys()].flatMap((path) =>
      path === module ? [] : (this.#inModule(name, path) ?? []),
    );
    if (others.length > 1) throw new InvariantError(`two modules declare ${name}`);
    return others[0];
  }

  /** Finds a method of a class. */
  method(name: string, module: string): Declared {
    const text = this.#texts.get(module) ?? "";
    const start = new RegExp(`^[ \\t]+(?:get )?${name}\\(`, "m").exec(text);
    if (start === null) throw new InvariantError(`${module} has no method ${name}`);
    const from = start.index + start[0].length - 1;
    const indent = /^[ \t]+/.exec(start[0])?.[0] ?? "";
    const to = text.indexOf(`\n${indent}}`, from);
    return functionIn(text.slice(from, to + indent.length + 2), module);
  }

  #inModule(name: string, module: string): Declared | undefined {
    const key = `${module} ${name}`;
    if (this.#declared.has(key)) return this.#declared.get(key);
    const found = declaredIn(this.#texts.get(module) ?? "", name, module);
    this.#declared.set(key, found);
    return found;
  }
}

function declaredIn(text: string, name: string, module: string): Declared | undefined {
  const escaped = name.replace("$", "\\$");
  const start = new RegExp(`^(?:export )?(function|const) ${escaped}(?![\\w$])`, "m").exec(text);
  if (start === null) return undefined;
  const from = start.index + start[0].length;
  if (start[1] === "function") {
    const end = text.indexOf("\n}", from);
    return functionIn(text.slice(from, end + 2), module);
  }
  const end = /;[ \t]*(?:\r?\n(?=\S|\r?\n)|\s*$)/.exec(text.slice(from));
  const value = text.slice(from, end === null ? undefined : from + end.index + 1);
  return { kind: "constant", module, value: new Parser(tokensOf(value)).valueAfterName() };
}

function functionIn(text: string, module: string): Declared {
  return { kind: "function", module, ...new Parser(tokensOf(text)).functionAfterName() };
}
