import type { ScalarFunction } from "../../../engines/compile/plan/index.ts";
import type { Arithmetic } from "./arithmetic.ts";

/**
 * These scalars are terms over functions `add`, `multiply`, … of a sort `Scalar`. A {@link Theory} says
 * what these are, so that one formula is asked of several algebras. Equal terms are one definition;
 * `definitions` lists them, operands first.
 */
export class Terms implements Arithmetic<string> {
  readonly #known = new Map<string, string>();
  readonly #definitions: string[] = [];
  readonly #functions = new Set<ScalarFunction>();
  readonly #literals = new Map<string, number>();
  readonly #parameters: ReadonlyMap<number, string>;

  /** Some literals stand for any number, under the names in `parameters`. */
  constructor(parameters: ReadonlyMap<number, string> = new Map()) {
    this.#parameters = parameters;
  }

  literal(value: number): string {
    const parameter = this.#parameters.get(value);
    if (parameter !== undefined) return parameter;
    const negated = this.#parameters.get(-value);
    if (negated !== undefined) return this.apply("negative", [negated]);
    const name = nameOfLiteral(value);
    this.#literals.set(name, value);
    return name;
  }

  apply(name: ScalarFunction, operands: readonly string[]): string {
    this.#functions.add(name);
    const term = `(${name} ${operands.join(" ")})`;
    const known = this.#known.get(term);
    if (known !== undefined) return known;
    const fresh = `t${this.#known.size}`;
    this.#known.set(term, fresh);
    this.#definitions.push(`(define-fun ${fresh} () Scalar ${term})`);
    return fresh;
  }

  get definitions(): readonly string[] {
    return this.#definitions;
  }

  get functions(): ReadonlySet<ScalarFunction> {
    return this.#functions;
  }

  /** Lists the literals in use, by the names that stand for them. */
  get literals(): ReadonlyMap<string, number> {
    return this.#literals;
  }
}

/** Names a literal: `zero`, `minus_zero`, `one`, `minus_infinity`, `number_0_5`. */
export function nameOfLiteral(value: number): string {
  if (value === 0) return Object.is(value, -0) ? "minus_zero" : "zero";
  if (value === 1) return "one";
  const magnitude = Number.isFinite(value) ? String(Math.abs(value)).replaceAll(/\W/g, "_") : "infinity";
  if (Number.isNaN(value)) return "not_a_number";
  const name = Number.isFinite(value) ? `number_${magnitude}` : magnitude;
  return value < 0 ? `minus_${name}` : name;
}
