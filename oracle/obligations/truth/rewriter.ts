import type { Node } from "acorn";
import { InvariantError } from "../../../spec/shapes/index.ts";
import type { Source } from "../source.ts";

/** A module whose operators are calls of a host's functions imports and exports these names. */
export interface Rewritten {
  readonly imports: readonly {
    readonly names: readonly (readonly [name: string, as: string])[];
    readonly from: string;
  }[];
  /** These are all names that the module defines, those that it keeps to itself too. */
  readonly defined: readonly string[];
  readonly reexports: readonly { readonly names: readonly string[] | "all"; readonly from: string }[];
  /** Of the names that were to be replaced, the module defines these itself, under names with `$own`. */
  readonly replaced: readonly string[];
  readonly body: string;
}

const functions: Readonly<Partial<Record<string, string>>> = {
  "===": "same",
  "!==": "differs",
  "<": "less",
  "<=": "atMost",
  ">": "greater",
  ">=": "atLeast",
  "+": "add",
  "-": "subtract",
  "*": "multiply",
  "/": "divide",
  "%": "remainder",
  "**": "power",
};

/**
 * Writes a module of JavaScript anew, in which each operator on numbers is a call: `$.add(x, y)` for `x + y`.
 * Functions and constants of the names in `instead` get other names, so that their uses mean what is given.
 */
export function rewritten(source: Source, instead: ReadonlySet<string> = new Set()): Rewritten {
  const writer = new Writer(source.text, instead);
  const imports: Rewritten["imports"][number][] = [];
  const reexports: Rewritten["reexports"][number][] = [];
  const defined: string[] = [];
  const body: string[] = [];
  for (const node of source.tree.body) {
    if (node.type === "ImportDeclaration") {
      const names = node.specifiers.map(({ local, ...given }): readonly [string, string] => {
        if (!("imported" in given)) throw new InvariantError(`a whole module is imported as ${local.name}`);
        return [nameOf(given.imported), local.name];
      });
      imports.push({ names, from: `${node.source.value}` });
    } else if (node.type === "ExportAllDeclaration") {
      reexports.push({ names: "all", from: `${node.source.value}` });
    } else if (node.type === "ExportNamedDeclaration" && node.declaration == null) {
      const names = node.specifiers.map(({ exported }) => nameOf(exported));
      if (node.source != null) reexports.push({ names, from: `${node.source.value}` });
    } else {
      const declared = node.type === "ExportNamedDeclaration" ? (node.declaration ?? node) : node;
      body.push(writer.written(declared));
      if (declared.type === "FunctionDeclaration" || declared.type === "ClassDeclaration")
        defined.push(declared.id.name);
      else if (declared.type === "VariableDeclaration")
        for (const { id } of declared.declarations) if (id.type === "Identifier") defined.push(id.name);
    }
  }
  const isOwn = (name: string): boolean => !writer.replaced.has(name);
  return {
    imports,
    defined: defined.filter(isOwn),
    reexports,
    replaced: [...writer.replaced],
    body: body.join("\n"),
  };
}

const nameOf = (node: Node): string =>
  "name" in node ? `${node.name}` : "value" in node ? `${node.value}` : "";

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && "type" in value && "start" in value;
}

/** Returns what a node of a syntax tree holds, in the order of the text. */
function within(node: Node): readonly Node[] {
  const found = Object.values(node)
    .flat()
    .filter(isNode)
    .toSorted((a, b) => a.start - b.start);
  // A property that is a name alone stands where its value begins.
  return found.filter(
    (child) =>
      !found.some((other) => other !== child && other.start === child.start && isValueOf(other, node)),
  );
}

const isValueOf = (child: Node, node: Node): boolean =>
  node.type === "Property" && Reflect.get(node, "value") === child;

/** Copies the text of a syntax tree, except for operators that compute. */
class Writer {
  readonly #text: string;
  readonly #instead: ReadonlySet<string>;
  readonly replaced = new Set<string>();

  constructor(text: string, instead: ReadonlySet<string>) {
    this.#text = text;
    this.#instead = instead;
  }

  written(node: Node): string {
    switch (node.type) {
      case "BinaryExpression": {
        const [left, right, operator] = [part(node, "left"), part(node, "right"), operatorOf(node)];
        const name = functions[operator];
        return name === undefined ? this.#copied(node) : this.#call(name, left, right);
      }
      case "AssignmentExpression": {
        const [left, right, operator] = [part(node, "left"), part(node, "right"), operatorOf(node)];
        const name = operator.endsWith("=") ? functions[operator.slice(0, -1)] : undefined;
        if (name === undefined || operator === "===") return this.#copied(node);
        return `${this.written(left)} = ${this.#call(name, left, right)}`;
      }
      case "UnaryExpression":
        return operatorOf(node) === "-" ? this.#call("negative", part(node, "argument")) : this.#copied(node);
      case "VariableDeclaration": {
        const text = this.#copied(node);
        return text.startsWith("using") ? text.replace("using", "const") : text;
      }
      // Texts are joined as they are.
      case "TemplateLiteral":
        return this.#text.slice(node.start, node.end);
      default:
        return this.#copied(node);
    }
  }

  #call(name: string, ...operands: readonly Node[]): string {
    const written = operands.map((operand) =>
      operand.type === "SequenceExpression" ? `(${this.written(operand)})` : this.written(operand),
    );
    return `$.${name}(${written.join(", ")})`;
  }

  /** Copies a node: what it holds is written, and what is between is as it was. */
  #copied(node: Node): string {
    const named =
      node.type === "FunctionDeclaration" || node.type === "VariableDeclarator" ? "id" : undefined;
    let at = node.start;
    let text = "";
    for (const child of within(node)) {
      text += this.#text.slice(at, child.start);
      const isName = named !== undefined && child === Reflect.get(node, named) && child.type === "Identifier";
      const name = isName ? nameOf(child) : "";
      if (this.#instead.has(name)) this.replaced.add(name);
      text += this.#instead.has(name) ? `${name}$own` : this.written(child);
      at = child.end;
    }
    return text + this.#text.slice(at, node.end);
  }
}

function part(node: Node, name: string): Node {
  const found: unknown = Reflect.get(node, name);
  if (!isNode(found)) throw new InvariantError(`${node.type} has no ${name}`);
  return found;
}

const operatorOf = (node: Node): string => `${Reflect.get(node, "operator")}`;
