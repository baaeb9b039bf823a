import type { Real } from "../shapes/index.ts";

/** A slope is written with these: the elementary functions, and a choice by sign. */
export interface Sloped<S, B> extends Real<S> {
  less(x: S, y: S): B;
  select(condition: B, x: S, y: S): S;
}

/**
 * These slopes keep all their digits where they decay, and are the same functions as those of the table. That
 * of tanh is 1/cosh² x = 4t/(1 + t)² with t = e^(−2|x|); the table has 1 − y², of which nothing is left where
 * y rounds to 1. An engine that declares `slopes: accurate` owes them.
 */
export const accurateSlopes = {
  tanh: <S, B>(a: Sloped<S, B>, x: S): S => {
    const double = a.add(x, x);
    const t = a.exp(a.select(a.less(x, a.zero), double, a.negative(double)));
    const [twice, sum] = [a.add(t, t), a.add(a.one, t)];
    return a.divide(a.add(twice, twice), a.multiply(sum, sum));
  },
} as const;

/**
 * Many engines take these slopes from the function's value `y`, where the table takes them from the operand:
 * y + 1 for eˣ. Where the slope decays, nothing is left of it.
 */
export const slopesFromValue = {
  expm1: <S>(a: Pick<Real<S>, "add" | "one">, y: S): S => a.add(y, a.one),
} as const;

/** Tells whether an operator has an accurate slope beside that of the table. */
export function hasAccurateSlope(name: string): name is keyof typeof accurateSlopes {
  return Object.hasOwn(accurateSlopes, name);
}

/** Tells whether an operator's slope may be taken from its value, unlike the table's. */
export function hasSlopeFromValue(name: string): name is keyof typeof slopesFromValue {
  return Object.hasOwn(slopesFromValue, name);
}
