import { float64 } from "../../../reference/index.ts";
import { hostUlps } from "../../../spec/contract/index.ts";
import {
  type BinaryName,
  binaryNames,
  CORRECTLY_ROUNDED,
  type Elementary,
  elementary,
  type UnaryName,
  unaryNames,
} from "../../../spec/operators/index.ts";
import { type Field, present } from "../../../spec/shapes/index.ts";
import { binadeOf } from "../../../spec/wire/index.ts";
import { forwardUlps, type Standard } from "../standard/index.ts";
import { binaryGrowths, growths } from "./growth.ts";

/** A ball is a float64 and how far the real number that it stands for may be from it. */
export interface Ball {
  readonly value: number;
  readonly slack: number;
}

/** This factor covers the roundings of a handful of float operations that compute a bound. */
export const UPWARDS: number = 1 + 2 ** -48;

/** This summand covers their underflows. */
export const UNDERFLOWS: number = 4 * Number.MIN_VALUE;

const ROUNDOFF = 2 ** -53;

/** Returns how far a result that is off by so many ulps may be from the exact one of its operands. */
export function roundingOfBall(value: number, ulps: number): number {
  return 2 * ulps * ROUNDOFF * binadeOf(value * UPWARDS) + UNDERFLOWS;
}

/** Returns the same of float64 arithmetic, or of a function of the host. */
export function driftOfBall(value: number, name: UnaryName | BinaryName | undefined): number {
  return roundingOfBall(value, name === undefined ? CORRECTLY_ROUNDED : hostUlps[name]);
}

const kept = new WeakMap<Standard, boolean>();

/** Tells whether the reference in float64, on this host, keeps to a standard and so to every bound. */
export function isKeptByReference(standard: Standard): boolean {
  const { dtype, flushesSubnormals, accumulation } = standard;
  const isKept =
    kept.get(standard) ??
    (dtype === "float64" &&
      !flushesSubnormals &&
      [...unaryNames, ...binaryNames].every((name) => hostUlps[name] <= forwardUlps(standard, name)) &&
      Object.values(accumulation).every(({ width }) => width !== "exact"));
  kept.set(standard, isKept);
  return isKept;
}

/** Returns `value` with `propagated`, the error that its operands pass on, and a rounding of so many ulps. */
function rounded(value: number, propagated: number, ulps: number): Ball {
  return { value, slack: (propagated + roundingOfBall(value, ulps)) * UPWARDS };
}

const reals = present(float64.levels.orderedReal, "the elementary functions of float64");

function unary(name: UnaryName): (x: Ball) => Ball {
  return (x) => {
    const propagated = x.slack === 0 ? 0 : growths[name](x.value, x.slack, x.slack);
    return rounded(reals[name](x.value), propagated, hostUlps[name]);
  };
}

function binary(name: BinaryName): (x: Ball, y: Ball) => Ball {
  return (x, y) => {
    const isExact = x.slack === 0 && y.slack === 0;
    const propagated = isExact
      ? 0
      : binaryGrowths[name](x.value, y.value, x.slack, y.slack, x.slack, y.slack);
    return rounded(reals[name](x.value, y.value), propagated, hostUlps[name]);
  };
}

const field: Field<Ball> = {
  zero: { value: 0, slack: 0 },
  one: { value: 1, slack: 0 },
  add: (x, y) => {
    const value = x.value + y.value;
    const slack = x.slack + y.slack;
    if (isExactSum(x.value, y.value)) return { value, slack: slack * UPWARDS };
    return { value, slack: (slack + ROUNDOFF * binadeOf(value)) * UPWARDS };
  },
  detach: (x) => x,
  multiply: (x, y) => {
    const value = x.value * y.value;
    // Zero times anything finite is zero; otherwise the product is NaN.
    if (isExactly(0, x) || isExactly(0, y)) return { value, slack: 0 * (x.slack + y.slack) };
    if (isExactly(1, x) || isExactly(1, y)) return { value, slack: x.slack + y.slack };
    if (x.slack === 0 && y.slack === 0 && isExactProduct(x.value, y.value)) return { value, slack: 0 };
    const propagated =
      x.slack === 0 && y.slack === 0
        ? 0
        : Math.abs(x.value) * y.slack + Math.abs(y.value) * x.slack + x.slack * y.slack;
    return rounded(value, propagated, CORRECTLY_ROUNDED);
  },
  literal: (x) => ({ value: x, slack: 0 }),
  negative: (x) => ({ value: -x.value, slack: x.slack }),
  divide: (x, y) => {
    const value = x.value / y.value;
    if (x.slack === 0 && y.slack === 0) {
      return isExactProduct(value, y.value) && value * y.value === x.value
        ? { value, slack: 0 }
        : rounded(value, 0, CORRECTLY_ROUNDED);
    }
    const room = Math.abs(y.value) - y.slack;
    const propagated = room > 0 ? (x.slack + Math.abs(value) * UPWARDS * y.slack) / room : Number.NaN;
    return rounded(value, propagated, CORRECTLY_ROUNDED);
  },
};

/** Tells whether a sum is exact in float64: its error is a number (Knuth, TAOCP 2, §4.2.2, theorem B). */
function isExactSum(x: number, y: number): boolean {
  const sum = x + y;
  const back = sum - x;
  return x - (sum - back) + (y - back) === 0;
}

/** Tells whether two numbers of 24 digits are multiplied without rounding or underflow. */
function isExactProduct(x: number, y: number): boolean {
  const isShort = Math.fround(x) === x && Math.fround(y) === y;
  return isShort && (x === 0 || y === 0 || Math.abs(x * y) > 2 ** -900);
}

function isExactly(size: number, { value, slack }: Ball): boolean {
  return slack === 0 && Math.abs(value) === size;
}

/** This is the reference's float64 arithmetic, with running error analysis of its own roundings. */
export const balls: Field<Ball> & Elementary<Ball> = { ...field, ...elementary(unary, binary) };

/** Returns a ball that holds the floor of every number of `x`. */
export function floorOfBall({ value, slack }: Ball): Ball {
  const [low, high] = [Math.floor(value - slack * UPWARDS), Math.floor(value + slack * UPWARDS)];
  return low === high || slack === 0
    ? { value: Math.floor(value), slack: 0 }
    : { value: low, slack: high - low };
}
