import type { MethodDefinition, Program as Tree } from "acorn";
import { fail, InvariantError, ok, present, type Result } from "../../../spec/shapes/index.ts";
import { type Source, sourceOf } from "../source.ts";
import { Reading } from "./reading.ts";
import type { Body, Expression, Pattern } from "./syntax.ts";

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
 * Modules of the project as they are written, or compiled: the functions and constants that each declares
 * outermost, and methods of its classes. Names are looked up in the module that uses them, and then in the
 * others.
 */
export class Program {
  readonly #sources: ReadonlyMap<string, Source>;
  readonly #declared = new Map<string, Declared | undefined>();

  private constructor(sources: ReadonlyMap<string, Source>) {
    this.#sources = sources;
  }

  /** Reads modules by their paths from the root of the project, without `.ts`. */
  static of(modules: readonly string[]): Program {
    return new Program(new Map(modules.map((path) => [path, sourceOf(path)])));
  }

  /** Makes the same with a fault. Fails, saying why, if the piece is not there once. */
  planted({ module, from, to }: Plant): Result<Program, string> {
    const planted = this.#source(module).planted(from, to);
    return planted.ok
      ? ok(new Program(new Map([...this.#sources, [module, planted.value]])))
      : fail(`${module} has ${planted.error}`);
  }

  /** Finds what a name means in a module; `undefined` if no module declares it. */
  declared(name: string, module: string): Declared | undefined {
    const own = this.#inModule(name, module);
    if (own !== undefined) return own;
    const others = [...this.#sources.keys()].flatMap((path) =>
      path === module ? [] : (this.#inModule(name, path) ?? []),
    );
    if (others.length > 1) throw new InvariantError(`two modules declare ${name}`);
    return others[0];
  }

  /** Finds a method of a class. */
  method(name: string, module: string): Declared {
    const { text, tree } = this.#source(module);
    for (const statement of outermost(tree)) {
      const members = statement.type === "ClassDeclaration" ? statement.body.body : [];
      for (const member of members)
        if (member.type === "MethodDefinition" && keyOf(member) === name)
          return { kind: "function", module, ...new Reading(text).function(member.value) };
    }
    throw new InvariantError(`${module} has no method ${name}`);
  }

  #source(module: string): Source {
    return present(this.#sources.get(module), `the module ${module}`);
  }

  #inModule(name: string, module: string): Declared | undefined {
    const key = `${module} ${name}`;
    if (this.#declared.has(key)) return this.#declared.get(key);
    const found = declaredIn(this.#source(module), name, module);
    this.#declared.set(key, found);
    return found;
  }
}

/** Returns the name of a method, with `#` if it is private; `undefined` if it is computed. */
function keyOf({ key }: MethodDefinition): string | undefined {
  if (key.type === "PrivateIdentifier") return `#${key.name}`;
  return key.type === "Identifier" ? key.name : undefined;
}

/** The statements of a module; of what is exported, what declares it. */
const outermost = (tree: Tree) =>
  tree.body.map((statement) =>
    statement.type === "ExportNamedDeclaration" ? (statement.declaration ?? statement) : statement,
  );

function declaredIn({ text, tree }: Source, name: string, module: string): Declared | undefined {
  const reading = new Reading(text);
  for (const statement of outermost(tree)) {
    if (statement.type === "FunctionDeclaration" && statement.id?.name === name)
      return { kind: "function", module, ...reading.function(statement) };
    if (statement.type !== "VariableDeclaration" || statement.kind !== "const") continue;
    for (const { id, init } of statement.declarations)
      if (id.type === "Identifier" && id.name === name && init != null)
        return { kind: "constant", module, value: reading.expression(init) };
  }
  return undefined;
}
