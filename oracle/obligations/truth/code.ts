import { compileFunction } from "node:vm";
import * as mpfrs from "../../../reference/algebras/mpfr.ts";
import * as reference from "../../../reference/index.ts";
import * as operatorRules from "../../../reference/operators/index.ts";
import * as composites from "../../../spec/composites/index.ts";
import * as contract from "../../../spec/contract/index.ts";
import * as operators from "../../../spec/operators/index.ts";
import * as shapes from "../../../spec/shapes/index.ts";
import { InvariantError } from "../../../spec/shapes/index.ts";
import * as wire from "../../../spec/wire/index.ts";
import { ending, sourceOf } from "../source.ts";
import type { Host } from "./host.ts";
import { type Rewritten, rewritten } from "./rewriter.ts";

/** The names that a module exports, or imports. */
export type Names = Readonly<Record<string, unknown>>;

/** A fault is planted in the text of a module: this piece of code is replaced, where it stands once. */
export interface Edit {
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

/** The modules beside the oracle's truth are used as they are, but for what replaces some of their names. */
const beside: Readonly<Record<string, Names>> = {
  "reference/index": { ...reference },
  "reference/operators/index": { ...operatorRules },
  "reference/algebras/mpfr": { ...mpfrs },
  "spec/composites/index": { ...composites },
  "spec/contract/index": { ...contract },
  "spec/operators/index": { ...operators },
  "spec/shapes/index": { ...shapes },
  "spec/wire/index": { ...wire },
};

/** Code that is rewritten is named by its file, with this behind it. */
export const REWRITTEN = "?rewritten";

const root = new URL("../../truth/", import.meta.url);

/** Tells whether the piece of code that is to be replaced stands in its module once. */
export function hasPlace({ file, from }: Edit): boolean {
  return sourceOf(`oracle/truth/${file}`).hasOnce(from);
}

/**
 * A module that is rewritten and compiled: called with a host and what it imports, it returns what it
 * defines.
 */
interface Compiled extends Omit<Rewritten, "body"> {
  readonly call: (...given: readonly unknown[]) => unknown;
}

const compiled = new Map<string, Compiled>();

/** Compiles a module, in which functions of these names are replaced by what is given in their place. */
function compiledOf(file: string, edits: readonly Edit[], instead: readonly string[]): Compiled {
  const own = edits.filter((edit) => edit.file === file);
  const key = JSON.stringify([file, own, instead]);
  const known = compiled.get(key);
  if (known !== undefined) return known;
  const source = own.reduce(
    (before, { from, to }) => {
      const after = before.planted(from, to);
      if (!after.ok) throw new InvariantError(`oracle/truth/${file} has ${after.error}`);
      return after.value;
    },
    sourceOf(`oracle/truth/${file}`),
  );
  const { body, ...rest } = rewritten(source, new Set(instead));
  const imported = rest.imports.flatMap(({ names }) => names.map(([, as]) => as));
  const names = [...imported, ...rest.replaced];
  const defined = [...rest.defined, ...rest.replaced];
  const text = `const { ${names.join(", ")} } = $imports;\n${body}\nreturn { ${defined.join(", ")} };`;
  const made = compileFunction(text, ["$", "Math", "Number", "Float64Array", "$imports"], {
    filename: `${new URL(file + ending, root).href}${REWRITTEN}`,
  });
  const call: Compiled["call"] = (...given) => Reflect.apply(made, undefined, given);
  compiled.set(key, { ...rest, call });
  return { ...rest, call };
}

/** Code of `oracle/truth` that computes with a host's numbers. */
export class Code {
  readonly #host: Host;
  readonly #edits: readonly Edit[];
  readonly #instead: Readonly<Record<string, unknown>>;
  readonly #modules = new Map<string, Names>();

  /** `instead` has functions that stand for those of these names, and of `Math`: what is known of them. */
  constructor(host: Host, edits: readonly Edit[], instead: Names = {}) {
    this.#host = host;
    this.#edits = edits;
    this.#instead = { binadeOf: host.binade, ...instead };
  }

  /** Returns what a module defines; the file is named from `oracle/truth` on, without its ending. */
  module(file: string): Names {
    const known = this.#modules.get(file);
    if (known !== undefined) return known;
    const { imports, reexports, call } = compiledOf(file, this.#edits, Object.keys(this.#instead));
    const given: Record<string, unknown> = { ...this.#instead };
    for (const { names, from } of imports) {
      const module = this.#from(file, from);
      for (const [name, as] of names) given[as] = this.#instead[name] ?? module[name];
    }
    const math = { ...this.#host.math, ...(isNames(this.#instead.Math) ? this.#instead.Math : {}) };
    const own = call(this.#host.operators, math, this.#host.number, Numbers, given);
    if (!isNames(own)) throw new InvariantError(`${file} exports nothing`);
    const made: Names = Object.assign(
      {},
      ...reexports.map(({ from, names }) => {
        const module = this.#from(file, from);
        return names === "all" ? module : Object.fromEntries(names.map((name) => [name, module[name]]));
      }),
      own,
    );
    this.#modules.set(file, made);
    return made;
  }

  #from(file: string, from: string): Names {
    const path = new URL(from, new URL(file, root)).href.replace(/\.[jt]s$/, "");
    if (path.startsWith(root.href)) return this.module(path.slice(root.href.length));
    const name = Object.keys(beside).find((end) => path.endsWith(`/${end}`));
    // What is not here is needed by other parts of a module than those that are called.
    return beside[name ?? ""] ?? {};
  }
}

/** Arrays of float64 hold what they are given. */
class Numbers extends Array<unknown> {
  constructor(length: number) {
    super(length);
    this.fill(0);
  }
}

function isNames(value: unknown): value is Names {
  return typeof value === "object" && value !== null;
}

/** Returns what stands at a path of names in a value that rewritten code made. */
export function got(value: unknown, ...path: readonly string[]): unknown {
  return path.reduce((whole: unknown, name) => (isNames(whole) ? whole[name] : undefined), value);
}

/** Calls a function that rewritten code made. */
export function called(value: unknown, ...given: readonly unknown[]): unknown {
  if (typeof value !== "function") throw new InvariantError("the code has no such function");
  return value(...given);
}

/** Returns a method of an object that rewritten code made. */
export function method(object: unknown, name: string): (...given: readonly unknown[]) => unknown {
  const found = got(object, name);
  if (typeof found !== "function") throw new InvariantError(`the code has no method ${name}`);
  return (...given) => Reflect.apply(found, object, given);
}
