import { readNumeral } from "../../reference/algebras/symbolic/index.ts";
import { InvariantError, present } from "../../spec/shapes/index.ts";
import type { Obligation } from "./obligation.ts";
import {
  addPolynomials,
  constantPolynomial,
  multiplyPolynomials,
  negatePolynomial,
  type Polynomial,
  textOfPolynomial,
  variablePolynomial,
  zeroPolynomial,
} from "./polynomial.ts";
import { readSExpressions, type SExpression, showSExpression } from "./solve/index.ts";

/**
 * A goal is decided by equal terms on both sides of its equations; or by equal normal forms, with definitions
 * expanded, sums and products as polynomials, and operands of symmetric functions sorted; or by a solver
 * alone.
 */
export type Decider = "same term" | "normal form" | "solver";

/**
 * Finds what decides an obligation's goal, from its text alone. Law: what does not need the solver holds in
 * every model, with or without the hypotheses; `solver` only says that normal forms do not decide. Cost: the
 * number of monomials, up to {@link MONOMIALS} for a product.
 */
export function deciderOf({ declarations, goal }: Obligation): Decider {
  const claims = expressionsIn(goal).flatMap(claimsIn);
  if (claims.every((claim) => hasOneSide(claim, showSExpression))) return "same term";
  const normal = new NormalForms(expressionsIn(declarations));
  const written = claims.flatMap((claim) => claimsIn(normal.writtenOut(claim)));
  return written.every((claim) => hasOneSide(claim, (side) => normal.textOf(side)))
    ? "normal form"
    : "solver";
}

/** Tells whether a claim is an equation whose sides have the same text. */
function hasOneSide(claim: SExpression, textOf: (side: SExpression) => string): boolean {
  return typeof claim !== "string" && claim[0] === "=" && new Set(claim.slice(1).map(textOf)).size === 1;
}

/** Splits a goal into the parts of conjunctions and the conclusions of implications. */
function claimsIn(goal: SExpression): readonly SExpression[] {
  if (goal === "true") return [];
  if (typeof goal === "string") return [goal];
  if (goal[0] === "and") return goal.slice(1).flatMap(claimsIn);
  return goal[0] === "=>" ? claimsIn(present(goal.at(-1), "a conclusion")) : [goal];
}

function expressionsIn(text: string): readonly SExpression[] {
  const read = readSExpressions(text);
  if (!read.ok) throw new InvariantError(`an obligation's text is not SMT-LIB: ${read.error}`);
  return read.value;
}

/** A product of more monomials is not multiplied out. */
const MONOMIALS = 4_096;

/** These functions are symmetric; a rounding mode is sorted along with the operands, which does no harm. */
const symmetric: ReadonlySet<string> = new Set(["=", "and", "or", "fp.eq", "fp.add", "fp.mul"]);

/** A definition is a function of a script; a name for a term has no parameters. */
interface Definition {
  readonly parameters: readonly string[];
  readonly body: SExpression;
}

/** Computes normal forms under a script's definitions: polynomials of all terms but sums and products. */
class NormalForms {
  readonly #definitions = new Map<string, Definition>();
  readonly #named = new Map<string, Polynomial>();
  readonly #atoms = new Map<string, string>();

  constructor(declarations: readonly SExpression[]) {
    for (const [command, name, parameters, , body] of declarations) {
      if (command !== "define-fun" || typeof name !== "string" || body === undefined) continue;
      const names = Array.isArray(parameters) ? parameters.map(([parameter]) => String(parameter)) : [];
      this.#definitions.set(name, { parameters: names, body });
    }
  }

  /** Expands a name by its definition; returns any other term as it is. */
  writtenOut(term: SExpression): SExpression {
    return (typeof term === "string" ? this.#definitions.get(term)?.body : undefined) ?? term;
  }

  /** Returns a text that is the same for equal normal forms. */
  textOf(term: SExpression): string {
    return textOfPolynomial(this.#of(term, new Map()));
  }

  #of(term: SExpression, bound: ReadonlyMap<string, Polynomial>): Polynomial {
    const number = readNumeral(term);
    if (number !== undefined) return constantPolynomial(number);
    if (typeof term === "string") return bound.get(term) ?? this.#ofName(term);
    const [head, ...operands] = term;
    if (head === "let") return this.#ofLet(operands, bound);
    // Other binders, and indexed terms like `(_ bv0 8)`, are equal to nothing but themselves.
    if (typeof head !== "string" || ["_", "forall", "exists", "match", "!"].includes(head))
      return this.#atom([`${this.#atoms.size} ${showSExpression(term)}`]);
    const values = operands.map((operand) => this.#of(operand, bound));
    const definition = this.#definitions.get(head);
    if (definition === undefined) return this.#applied(head, values);
    return this.#of(
      definition.body,
      new Map(definition.parameters.map((name, index) => [name, present(values[index], "an operand")])),
    );
  }

  #ofLet([bindings, body]: readonly SExpression[], bound: ReadonlyMap<string, Polynomial>): Polynomial {
    const values = Array.isArray(bindings)
      ? bindings.map(([name, value]) => [String(name), this.#of(value, bound)] as const)
      : [];
    return this.#of(present(body, "the body of a let"), new Map([...bound, ...values]));
  }

  #ofName(name: string): Polynomial {
    const known = this.#named.get(name);
    if (known !== undefined) return known;
    const definition = this.#definitions.get(name);
    const value = definition === undefined ? this.#atom([name]) : this.#of(definition.body, new Map());
    this.#named.set(name, value);
    return value;
  }

  #applied(head: string, values: readonly Polynomial[]): Polynomial {
    const [first = zeroPolynomial, ...others] = values;
    switch (head) {
      case "+":
        return values.reduce(addPolynomials, zeroPolynomial);
      case "-":
        return others.length === 0
          ? negatePolynomial(first)
          : others.reduce((sum, value) => addPolynomials(sum, negatePolynomial(value)), first);
      case "*":
        return others.reduce((product, value) => this.#product(product, value), first);
      default:
        return this.#application(head, values);
    }
  }

  #product(x: Polynomial, y: Polynomial): Polynomial {
    return x.size * y.size > MONOMIALS ? this.#application("*", [x, y]) : multiplyPolynomials(x, y);
  }

  #application(head: string, values: readonly Polynomial[]): Polynomial {
    // The parentheses keep these apart from all symbols.
    const operands = values.map((value) => this.#nameOf(`(${textOfPolynomial(value)})`));
    return this.#atom([head, ...(symmetric.has(head) ? operands.toSorted() : operands)]);
  }

  #atom(parts: readonly string[]): Polynomial {
    return variablePolynomial(this.#nameOf(parts.join(" ")));
  }

  #nameOf(text: string): string {
    const name = this.#atoms.get(text) ?? `a${this.#atoms.size}`;
    this.#atoms.set(text, name);
    return name;
  }
}
