import { at, pair } from "../../../../spec/shapes/index.ts";
import type { ScalarFunction } from "../../plan/index.ts";
import type { Arithmetic } from "../emit/arithmetic.ts";

/** The number of a scalar in its program; operands have smaller ones. */
export type ScalarId = number;

/** A scalar is one of these; `maximum` is that of folds. */
export type Scalar =
  | { readonly kind: "literal"; readonly value: number }
  | { readonly kind: "element"; readonly source: number; readonly position: number }
  | {
      readonly kind: "apply";
      readonly function: ScalarFunction | "maximum";
      readonly operands: readonly ScalarId[];
    };

/** Scalars are fewer than this, so that two of them make one exact key. */
const mostScalars = 2 ** 22;

/**
 * The scalars of a program, each distinct one once; sums and products have no order. Units, double negations,
 * constants, and the +0 that a sum begins with if the first term cannot be −0 are left out on the way, as
 * IEEE arithmetic allows. A `fast` table leaves out every added zero.
 */
export class Scalars {
  readonly all: Scalar[] = [];
  readonly #arithmetic: Arithmetic;
  readonly #isFast: boolean;
  readonly #neverNegativeZero: boolean[] = [];
  readonly #literals = new Map<number, ScalarId>();
  readonly #elements: Map<number, ScalarId>[] = [];
  readonly #applications = new Map<ScalarFunction | "maximum", Map<number | string, ScalarId>>();
  #negativeZero: ScalarId | undefined;

  constructor(arithmetic: Arithmetic, isFast: boolean) {
    this.#arithmetic = arithmetic;
    this.#isFast = isFast;
  }

  /** Returns a number of the program, rounded to its precision. */
  literal(value: number): ScalarId {
    return this.#number(this.#arithmetic === "float64" ? value : Math.fround(value));
  }

  #number(value: number): ScalarId {
    if (Object.is(value, -0)) {
      this.#negativeZero ??= this.#push({ kind: "literal", value }, false);
      return this.#negativeZero;
    }
    const known = this.#literals.get(value);
    if (known !== undefined) return known;
    const id = this.#push({ kind: "literal", value }, true);
    this.#literals.set(value, id);
    return id;
  }

  /** Returns an element of a source. */
  element(source: number, position: number): ScalarId {
    this.#elements[source] ??= new Map();
    const elements = this.#elements[source];
    const known = elements.get(position);
    if (known !== undefined) return known;
    const id = this.#push({ kind: "element", source, position }, false);
    elements.set(position, id);
    return id;
  }

  /** Applies a function to earlier scalars, or returns a scalar that is the same number. */
  apply(name: ScalarFunction | "maximum", ...operands: readonly ScalarId[]): ScalarId {
    switch (name) {
      case "negative":
        return this.#negative(at(operands, 0));
      case "add":
        return this.#sum(...pair(operands));
      case "subtract":
        return this.#difference(...pair(operands));
      case "multiply":
        return this.#product(...pair(operands));
      case "divide":
        return this.#quotient(...pair(operands));
      case "maximum": {
        const [x, y] = pair(operands);
        return this.#is(x, -Infinity) ? y : this.#make(name, operands, this.#never(x) && this.#never(y));
      }
      case "less":
      case "equal":
      case "exp":
      case "cosh":
        return this.#make(name, operands, true);
      case "select":
        return this.#make(
          name,
          operands,
          operands.slice(1).every((choice) => this.#never(choice)),
        );
      default:
        return this.#make(name, operands);
    }
  }

  #sum(x: ScalarId, y: ScalarId): ScalarId {
    if (this.#is(x, -0)) return y;
    if (this.#is(y, -0)) return x;
    if (this.#is(x, 0) && (this.#isFast || this.#never(y))) return y;
    if (this.#is(y, 0) && (this.#isFast || this.#never(x))) return x;
    const [minusX, minusY] = [this.#negated(x), this.#negated(y)];
    if (minusY !== undefined) return this.#difference(x, minusY);
    if (minusX !== undefined) return this.#difference(y, minusX);
    const never = this.#never(x) || this.#never(y);
    return this.#constant(x, y, (a, b) => a + b) ?? this.#make("add", x < y ? [x, y] : [y, x], never);
  }

  #difference(x: ScalarId, y: ScalarId): ScalarId {
    if (this.#is(y, 0)) return x;
    const minusY = this.#negated(y);
    if (minusY !== undefined) return this.#sum(x, minusY);
    return this.#constant(x, y, (a, b) => a - b) ?? this.#make("subtract", [x, y], this.#never(x));
  }

  #product(x: ScalarId, y: ScalarId): ScalarId {
    if (this.#is(x, 1)) return y;
    if (this.#is(y, 1)) return x;
    if (this.#is(x, -1)) return this.#negative(y);
    if (this.#is(y, -1)) return this.#negative(x);
    return this.#constant(x, y, (a, b) => a * b) ?? this.#make("multiply", x < y ? [x, y] : [y, x], x === y);
  }

  #quotient(x: ScalarId, y: ScalarId): ScalarId {
    if (this.#is(y, 1)) return x;
    return this.#constant(x, y, (a, b) => a / b) ?? this.#make("divide", [x, y]);
  }

  #negative(x: ScalarId): ScalarId {
    return this.#constant(x, x, (a) => -a) ?? this.#negated(x) ?? this.#make("negative", [x]);
  }

  /** Returns the scalar that `x` negates. */
  #negated(x: ScalarId): ScalarId | undefined {
    const scalar = at(this.all, x);
    return scalar.kind === "apply" && scalar.function === "negative" ? scalar.operands[0] : undefined;
  }

  #is(x: ScalarId, value: number): boolean {
    const scalar = at(this.all, x);
    return scalar.kind === "literal" && Object.is(scalar.value, value);
  }

  #never(x: ScalarId): boolean {
    return this.#neverNegativeZero[x] === true;
  }

  #constant(x: ScalarId, y: ScalarId, meaning: (x: number, y: number) => number): ScalarId | undefined {
    const [left, right] = [at(this.all, x), at(this.all, y)];
    if (left.kind !== "literal" || right.kind !== "literal") return undefined;
    const value = meaning(left.value, right.value);
    return this.#number(this.#arithmetic === "float32" ? Math.fround(value) : value);
  }

  #make(name: ScalarFunction | "maximum", operands: readonly ScalarId[], never = false): ScalarId {
    let known = this.#applications.get(name);
    if (known === undefined) {
      known = new Map();
      this.#applications.set(name, known);
    }
    // The key is unique among applications of one function, which all have equally many operands.
    const key =
      operands.length > 2 ? `${operands}` : operands.reduce((sum, operand) => sum * mostScalars + operand);
    const found = known.get(key);
    if (found !== undefined) return found;
    const id = this.#push({ kind: "apply", function: name, operands }, never);
    known.set(key, id);
    return id;
  }

  #push(scalar: Scalar, never: boolean): ScalarId {
    this.#neverNegativeZero.push(never);
    return this.all.push(scalar) - 1;
  }
}
