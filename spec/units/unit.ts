import { fail, ok, type Result } from "../shapes/index.ts";
import {
  baseDimension,
  type Dimension,
  dimensionless,
  isSameDimension,
  powerOf,
  productOf,
} from "./dimension.ts";
import { type Exponent, exponentOf } from "./exponent.ts";

/**
 * A unit: what is measured, and how many coherent units it is. That number is a product of primes with
 * rational exponents, a vector as a dimension is, so `km^(1/2)` has one. The two are kept apart. Numbers that
 * are independent of the primes stand for themselves: π, and what is known by measurement alone.
 */
export interface Unit {
  readonly dimension: Dimension;
  /** Primes, as decimal numbers, and constants by their names, with their exponents. */
  readonly scale: Dimension;
}

/** The unit of a number. */
export const one: Unit = { dimension: dimensionless, scale: dimensionless };

/** Returns the product of two units. */
export function timesUnit(x: Unit, y: Unit): Unit {
  return { dimension: productOf(x.dimension, y.dimension), scale: productOf(x.scale, y.scale) };
}

/** Returns a unit to a power. */
export function unitToThe(x: Unit, exponent: Exponent): Unit {
  return { dimension: powerOf(x.dimension, exponent), scale: powerOf(x.scale, exponent) };
}

/** Says whether two units are one: the same dimension at the same scale. */
export function isSameUnit(x: Unit, y: Unit): boolean {
  return isSameDimension(x.dimension, y.dimension) && isSameDimension(x.scale, y.scale);
}

/** The largest number that a scale may have as a factor: its primes are found by division. */
export const MAXIMUM_FACTOR: number = 10 ** 12;

/** Returns a positive integer's scale; a sentence if 0 or over {@link MAXIMUM_FACTOR}. Cost: its root. */
export function scaleOf(integer: number): Result<Dimension, string> {
  if (integer < 1 || integer > MAXIMUM_FACTOR) return fail("a factor is an integer from 1 to 10¹²");
  const primes = new Map<string, Exponent>();
  let rest = integer;
  for (let prime = 2; prime * prime <= rest; prime += prime === 2 ? 1 : 2) {
    let times = 0n;
    for (; rest % prime === 0; rest /= prime) times += 1n;
    if (times > 0n) primes.set(prime.toString(), exponentOf(times));
  }
  if (rest > 1) primes.set(rest.toString(), exponentOf(1n));
  return ok(primes);
}

/** Returns the unit that is a constant, by its name. */
export function constantScale(name: string): Unit {
  return { dimension: dimensionless, scale: baseDimension(name) };
}

/** Sorts primes by their size, constants behind them. */
export function inScaleOrder(x: string, y: string): number {
  const [a, b] = [Number(x), Number(y)];
  if (Number.isNaN(a) && Number.isNaN(b)) return x < y ? -1 : 1;
  return Number.isNaN(a) ? 1 : Number.isNaN(b) ? -1 : a - b;
}

/** Returns ten to a power, as a scale. */
export function powerOfTen(exponent: number): Dimension {
  if (exponent === 0) return dimensionless;
  const power = exponentOf(BigInt(exponent));
  return new Map([
    ["2", power],
    ["5", power],
  ]);
}

/** Returns `10³` for a power of ten, `2²·3` for another scale, `1` for none. */
export function formatScale(scale: Dimension): string {
  const [two, five] = [scale.get("2"), scale.get("5")];
  const isTens =
    scale.size === 2 &&
    two !== undefined &&
    five !== undefined &&
    two.numerator * five.denominator === five.numerator * two.denominator;
  const shown: Dimension = isTens ? new Map([["10", two]]) : scale;
  const primes = [...shown].sort(([a], [b]) => inScaleOrder(a, b));
  return primes.length === 0 ? "1" : primes.map(([prime, power]) => prime + written(power)).join("·");
}

function written({ numerator, denominator }: Exponent): string {
  if (denominator !== 1n) return `^(${numerator}/${denominator})`;
  return numerator === 1n ? "" : `^${numerator}`;
}
