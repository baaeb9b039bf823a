import {
  definitionsOf,
  type ScalarTerm,
  subterms,
  uninterpreted,
  type WrittenTerms,
  writeTerms,
} from "../../reference/algebras/symbolic/index.ts";
import { elementary } from "../../spec/operators/index.ts";
import {
  type Algebra,
  everyLevel,
  InvariantError,
  type OrderedReal,
  present,
} from "../../spec/shapes/index.ts";
import type { Model } from "./obligation.ts";
import { readSExpressions, showSExpression } from "./solve/index.ts";

/** Terms over uninterpreted operations with a name for each part of them, so that a model can be asked for all that it says of them. */
export interface NamedTerms {
  readonly parts: readonly Exclude<ScalarTerm, { readonly kind: "selection" }>[];
  /** Of each part, in their order. */
  readonly names: readonly string[];
  /** The text of one of the parts. */
  readonly nameOf: (term: ScalarTerm) => string;
  /** The definitions of the names, a line each. */
  readonly definitions: string;
}

/** Names every part of the terms; the prefix keeps what two calls name apart. Cost: linear. */
export function nameParts(terms: readonly ScalarTerm[], prefix: string): NamedTerms {
  const parts = subterms(terms).flatMap((term) =>
    term.kind === "literal" || term.kind === "variable" || term.kind === "application" ? [term] : [],
  );
  // Each is written once for itself, so that it counts as shared where it is used at all.
  const texts: WrittenTerms = writeTerms([...parts, ...parts], uninterpreted, prefix);
  const names = texts.texts.slice(0, parts.length);
  const byTerm = new Map<ScalarTerm, string>(
    parts.map((term, index) => [term, present(names[index], "a name")]),
  );
  return {
    parts,
    names,
    nameOf: (term) => present(byTerm.get(term), "the name of a part"),
    definitions: definitionsOf(texts),
  };
}

/** Operations of finitely many elements, as a model says them. */
export interface OperationTable {
  /** What a variable or a literal is. */
  element(name: string): string | undefined;
  /** What an operation makes of elements. */
  result(operator: string, operands: readonly string[]): string | undefined;
}

/** What a model says of one term: of a constant, or of a function of elements. */
interface Said {
  readonly operator: string;
  readonly operands: readonly string[];
  readonly element: string;
}

/** Throws {@link InvariantError} where a function has two results at one place. */
function tableFrom(said: readonly Said[]): OperationTable {
  const results = new Map<string, string>();
  for (const { operator, operands, element } of said) {
    const key = keyOf(operator, operands);
    if ((results.get(key) ?? element) !== element)
      throw new InvariantError(`the model gives ${key} two values`);
    results.set(key, element);
  }
  return {
    element: (name) => results.get(name),
    result: (operator, operands) => results.get(keyOf(operator, operands)),
  };
}

/** Reads what a model says of named terms. Throws {@link InvariantError} where that is of no function, or not said. */
export function tableOf(model: Model, named: readonly NamedTerms[]): OperationTable {
  return tableFrom(
    named.flatMap(({ parts, nameOf }) => {
      const elementOf = (term: ScalarTerm): string => saidOf(model, nameOf(term));
      return parts.map(
        (part): Said =>
          part.kind === "application"
            ? { operator: part.operator, operands: part.operands.map(elementOf), element: elementOf(part) }
            : { operator: nameOf(part), operands: [], element: elementOf(part) },
      );
    }),
  );
}

/** Reads what a model says of constants, and of functions of terms that it was asked for too. Throws as {@link tableOf} does. */
export function tableOfAsked(model: Model, asked: readonly string[]): OperationTable {
  return tableFrom(
    asked.map((text): Said => {
      const read = readSExpressions(text);
      const [term] = read.ok ? read.value : [];
      const [operator, ...operands] = typeof term === "string" ? [term] : (term ?? []);
      return {
        operator: showSExpression(present(operator, "a function")),
        operands: operands.map((operand) => saidOf(model, showSExpression(operand))),
        element: saidOf(model, text),
      };
    }),
  );
}

function saidOf(model: Model, text: string): string {
  return present(model.get(text), `what the model says of ${text}`);
}

function keyOf(operator: string, operands: readonly string[]): string {
  return [operator, ...operands].join(" ");
}

/** What stands where a table says nothing: for a literal, and for an operation. */
export interface Completion {
  literal(name: string): string;
  result(operator: string, operands: readonly string[]): string;
}

/** For tables that must say everything. Throws {@link InvariantError}. */
const nothingMissing: Completion = {
  literal: (name) => {
    throw new InvariantError(`the model does not say what ${name} is`);
  },
  result: (operator, operands) => {
    throw new InvariantError(`the model does not say what ${keyOf(operator, operands)} is`);
  },
};

/**
 * The algebra whose elements are those of a model, by its tables: real code runs over it. There is no order; elements are equal if they are
 * the same.
 */
export function finiteAlgebra(
  table: OperationTable,
  completion: Completion = nothingMissing,
): Algebra<string, boolean> {
  const literal = (value: number): string => {
    const name = uninterpreted.literal(value).text;
    return table.element(name) ?? completion.literal(name);
  };
  const operation =
    (operator: string) =>
    (...operands: readonly string[]): string =>
      table.result(operator, operands) ?? completion.result(operator, operands);
  const unordered = (): never => {
    throw new InvariantError("the elements of a model have no order");
  };
  const all: OrderedReal<string, boolean> = {
    get zero() {
      return literal(0);
    },
    get one() {
      return literal(1);
    },
    literal,
    detach: (x) => x,
    add: operation("add"),
    multiply: operation("multiply"),
    negative: operation("negative"),
    divide: operation("divide"),
    ...elementary(operation, operation),
    less: unordered,
    equal: (x, y) => x === y,
    select: (condition, x, y) => (condition ? x : y),
    floor: operation("floor"),
  };
  return {
    name: "finite",
    additive: all,
    levels: everyLevel(all),
    isSame: (x, y) => x === y,
    format: (x) => x,
    parse: () => undefined,
  };
}
