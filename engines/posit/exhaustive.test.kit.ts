import { greatestCode, notReal, type Posit, posit } from "../../reference/numerics/index.ts";
import {
  type Algebra,
  type OrderedReal,
  type PositFormat,
  present,
  standardPosit,
} from "../../spec/index.ts";
import type { PositArithmetic, PositCode } from "./arithmetic.ts";

/** Returns the reference's posits of a format. */
function referenceOf(format: PositFormat): OrderedReal<Posit, boolean> {
  const made = posit(format);
  if (!made.ok) throw new Error(made.error.message);
  const algebra: Algebra<Posit, boolean> = made.value;
  return present(algebra.levels.orderedReal, "the reals");
}

/** An operation of two posits, and the reference's of that name. */
export type Dyad = "add" | "subtract" | "multiply" | "divide";

/** An operation of one posit. */
export type Monad = "sqrt" | "negative" | "floor";

/** Returns the reference's operation on codes that are numbers. */
function referenceDyad(a: OrderedReal<Posit, boolean>, name: Dyad): (x: Posit, y: Posit) => Posit {
  return name === "subtract" ? (x, y) => a.add(x, a.negative(y)) : a[name];
}

/** Lists every code of a width, NaR first. */
export function codesOf(width: number): readonly PositCode[] {
  const least = Number(notReal(standardPosit(width)));
  return Array.from({ length: Number(greatestCode(standardPosit(width))) - least + 1 }, (_, n) => least + n);
}

/** Returns the first pair for which an operation is not the reference's. */
export function firstWrongPair(
  engine: PositArithmetic,
  name: Dyad,
  pairs: Iterable<readonly [PositCode, PositCode]>,
): string | undefined {
  const reference = referenceDyad(referenceOf(engine.format), name);
  for (const [x, y] of pairs) {
    const expected = Number(reference(BigInt(x), BigInt(y)));
    const found = engine[name](x, y);
    if (!Object.is(found + 0, expected + 0)) return `${name} of ${x} and ${y}: ${found}, not ${expected}`;
  }
  return undefined;
}

/** Returns the first code for which an operation is not the reference's. */
export function firstWrongCode(
  engine: PositArithmetic,
  name: Monad,
  codes: Iterable<PositCode>,
): string | undefined {
  const reference = referenceOf(engine.format)[name];
  for (const x of codes) {
    const expected = Number(reference(BigInt(x)));
    const found = engine[name](x);
    if (!Object.is(found + 0, expected + 0)) return `${name} of ${x}: ${found}, not ${expected}`;
  }
  return undefined;
}

/** Yields every pair of codes. */
export function* pairsOf(codes: readonly PositCode[]): Generator<readonly [PositCode, PositCode]> {
  for (const x of codes) for (const y of codes) yield [x, y];
}
