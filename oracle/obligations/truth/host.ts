import { InvariantError } from "../../../spec/shapes/index.ts";
import { binadeOf } from "../../../spec/wire/index.ts";

/**
 * A host is the arithmetic that rewritten code computes with: its operators, `Math` and `Number`. Numbers of
 * the code itself stay JavaScript's; what is made of a symbol is the host's.
 */
export interface Host {
  readonly operators: Readonly<Record<string, (...operands: readonly unknown[]) => unknown>>;
  readonly math: Readonly<Record<string, unknown>>;
  readonly number: Readonly<Record<string, unknown>>;
  /** Returns the greatest power of two that is not greater than a size. */
  binade(x: unknown): unknown;
}

export type Binary = "add" | "subtract" | "multiply" | "divide";
export type Comparing = "less" | "atMost" | "greater" | "atLeast" | "same";

/** What is left to say of a kind of numbers: how they are computed, compared and written. */
interface Kind<T> {
  is(x: unknown): x is T;
  compute(name: Binary, x: number | T, y: number | T): unknown;
  compare(name: Comparing, x: number | T, y: number | T): boolean;
  negative(x: T): T;
  size(x: T): T;
  root(x: T): T;
  floor(x: T): T;
  binade(x: T): T;
}

const native: Readonly<Record<Binary, (x: number, y: number) => number>> = {
  add: (x, y) => x + y,
  subtract: (x, y) => x - y,
  multiply: (x, y) => x * y,
  divide: (x, y) => x / y,
};

const compared: Readonly<Record<Comparing, (x: number, y: number) => boolean>> = {
  less: (x, y) => x < y,
  atMost: (x, y) => x <= y,
  greater: (x, y) => x > y,
  atLeast: (x, y) => x >= y,
  same: (x, y) => x === y,
};

/** Makes a host of a kind of numbers: JavaScript's numbers compute among themselves as they do. */
export function hostOf<T>(kind: Kind<T>): Host {
  const isNumber = (x: unknown): x is number => typeof x === "number";
  const numberOf = (x: unknown): number | T => {
    if (isNumber(x) || kind.is(x)) return x;
    throw new InvariantError(`the code computes with ${String(x)}`);
  };
  const binary =
    (name: Binary) =>
    (a: unknown, b: unknown): unknown => {
      if (isNumber(a) && isNumber(b)) return native[name](a, b);
      if (typeof a === "string" || typeof b === "string") return `${String(a)}${String(b)}`;
      const [x, y] = [numberOf(a), numberOf(b)];
      return shortened(name, x, y) ?? kind.compute(name, x, y);
    };
  /** What is neutral or absorbs, and what is not finite, is decided as JavaScript does. */
  const shortened = (name: Binary, x: number | T, y: number | T): unknown => {
    if (isNumber(x) && !Number.isFinite(x)) {
      if (Number.isNaN(x) || name === "add" || name === "subtract") return x;
      throw new InvariantError(`an infinity is multiplied or divided by a symbol`);
    }
    if (isNumber(y) && !Number.isFinite(y)) {
      if (Number.isNaN(y) || name === "add") return y;
      if (name === "subtract") return -y;
      throw new InvariantError(`a symbol is multiplied or divided by an infinity`);
    }
    if (name === "add" && x === 0) return y;
    if ((name === "add" || name === "subtract") && y === 0) return x;
    if (name === "multiply" && (x === 0 || y === 0)) return 0;
    if (name === "multiply" && x === 1) return y;
    if ((name === "multiply" || name === "divide") && y === 1) return x;
    return name === "divide" && x === 0 ? 0 : undefined;
  };
  const comparison =
    (name: Comparing) =>
    (a: unknown, b: unknown): boolean => {
      if (!kind.is(a) && !kind.is(b)) return name === "same" ? a === b : compared[name](Number(a), Number(b));
      if ((!kind.is(a) && !isNumber(a)) || (!kind.is(b) && !isNumber(b))) return false;
      // A symbol is finite.
      if (isNumber(a) && !Number.isFinite(a)) return compared[name](a, 0);
      if (isNumber(b) && !Number.isFinite(b)) return compared[name](0, b);
      return kind.compare(name, a, b);
    };
  const same = comparison("same");
  const multiply = binary("multiply");
  const unary =
    (of: (x: T) => unknown, otherwise: (x: number) => unknown) =>
    (x: unknown): unknown =>
      kind.is(x) ? of(x) : otherwise(Number(x));
  const extreme =
    (name: "greater" | "less", otherwise: (...all: number[]) => number) =>
    (...all: readonly unknown[]): unknown => {
      if (all.every(isNumber)) return otherwise(...all);
      if (all.some((x) => isNumber(x) && Number.isNaN(x))) return Number.NaN;
      const isFurther = comparison(name);
      return all.reduce((most, x) => (isFurther(x, most) ? x : most));
    };
  const root = unary(kind.root, Math.sqrt);
  const add = binary("add");
  return {
    operators: {
      add,
      subtract: binary("subtract"),
      multiply,
      divide: binary("divide"),
      remainder: (x, y) => Number(x) % Number(y),
      power: (x, y) => {
        if (isNumber(x) && isNumber(y)) return x ** y;
        if (!isNumber(y) || !Number.isInteger(y) || y < 1) throw new InvariantError("no power of a symbol");
        return Array.from({ length: y }, () => x).reduce(multiply);
      },
      negative: unary(kind.negative, (x) => -x),
      less: comparison("less"),
      atMost: comparison("atMost"),
      greater: comparison("greater"),
      atLeast: comparison("atLeast"),
      same,
      differs: (x, y) => !same(x, y),
    },
    math: {
      ...Object.fromEntries(Object.getOwnPropertyNames(Math).map((name) => [name, Reflect.get(Math, name)])),
      abs: unary(kind.size, Math.abs),
      sqrt: root,
      floor: unary(kind.floor, Math.floor),
      ceil: unary((x) => kind.negative(kind.floor(kind.negative(x))), Math.ceil),
      max: extreme("greater", Math.max),
      min: extreme("less", Math.min),
      hypot: (...all: readonly unknown[]) => root(all.map((x) => multiply(x, x)).reduce((x, y) => add(x, y))),
    },
    number: {
      ...Object.fromEntries(
        Object.getOwnPropertyNames(Number).map((name) => [name, Reflect.get(Number, name)]),
      ),
      isFinite: (x: unknown) => kind.is(x) || Number.isFinite(x),
      isNaN: (x: unknown) => !kind.is(x) && Number.isNaN(x),
    },
    binade: unary(kind.binade, binadeOf),
  };
}

/** Tells whether scaling by a number is exact, but for what is tiny: it is a power of two. */
export function isPower(x: unknown): boolean {
  return typeof x === "number" && x > 0 && Math.abs(Math.log2(x)) < 100 && Number.isInteger(Math.log2(x));
}
