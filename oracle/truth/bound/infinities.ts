import type { UnaryName } from "../../../spec/operators/index.ts";
import { type Centre, UPWARDS } from "../centre/index.ts";
import { forwardUlps, type Standard } from "../standard/index.ts";
import { type Bounded, hasBound, radius } from "./radius.ts";

/** An infinity has this sign. */
export type Sign = NonNullable<Bounded<unknown>["infinity"]>;

/** Returns the infinity of this sign, which every honest engine has exactly. */
export function infinite<C>({ field }: Centre<C>, sign: Sign): Bounded<C> {
  const x = sign * Number.POSITIVE_INFINITY;
  return {
    centre: field.literal(x),
    error: Number.NaN,
    magnitude: Number.POSITIVE_INFINITY,
    terms: 1,
    grain: 0,
    infinity: sign,
  };
}

/** Returns the 0 that IEEE 754 makes of a finite number and an infinity, with no error. */
function zeroOf<C>({ field }: Centre<C>): Bounded<C> {
  return { centre: field.zero, error: 0, magnitude: 0, terms: 1, grain: Number.POSITIVE_INFINITY };
}

/** Returns the sign that a number has in every honest engine; `undefined` if it may be 0 or is not known. */
function signOf<C>(centre: Centre<C>, standard: Standard, x: Bounded<C>): Sign | undefined {
  if (x.infinity !== undefined) return x.infinity;
  const { value, slack } = centre.ball(x.centre);
  const isCertain = Math.abs(value) > (slack + radius(centre, standard, x)) * UPWARDS;
  return isCertain ? signed(value) : undefined;
}

function signed(x: number): Sign {
  return x < 0 ? -1 : 1;
}

/** Returns the sum of an infinity and a finite number, or of equal infinities; `undefined` of others. */
export function infiniteSum<C>(p: Bounded<C>, q: Bounded<C>): Bounded<C> | undefined {
  if (p.infinity === undefined) return q.infinity !== undefined && hasBound(p) ? q : undefined;
  return p.infinity === q.infinity || hasBound(q) ? p : undefined;
}

/** Returns the product of an infinity and a number that is not 0; `undefined` of others. */
export function infiniteProduct<C>(
  centre: Centre<C>,
  standard: Standard,
  p: Bounded<C>,
  q: Bounded<C>,
): Bounded<C> | undefined {
  if (p.infinity === undefined && q.infinity === undefined) return undefined;
  const [a, b] = [signOf(centre, standard, p), signOf(centre, standard, q)];
  return a === undefined || b === undefined ? undefined : infinite(centre, signed(a * b));
}

/** Returns the quotient of an infinity and a finite number, either way round; `undefined` of others. */
export function infiniteQuotient<C>(
  centre: Centre<C>,
  standard: Standard,
  p: Bounded<C>,
  q: Bounded<C>,
): Bounded<C> | undefined {
  if (q.infinity !== undefined) return hasBound(p) ? zeroOf(centre) : undefined;
  return hasBound(q) ? infiniteProduct(centre, standard, p, q) : undefined;
}

/** These are the values of functions at −∞ and ∞ [IEEE 754-2019, §9.2.1]. */
const limits: { readonly [N in UnaryName]?: readonly [number | undefined, number | undefined] } = {
  exp: [0, Number.POSITIVE_INFINITY],
  expm1: [-1, Number.POSITIVE_INFINITY],
  log: [undefined, Number.POSITIVE_INFINITY],
  log1p: [undefined, Number.POSITIVE_INFINITY],
  log2: [undefined, Number.POSITIVE_INFINITY],
  sqrt: [undefined, Number.POSITIVE_INFINITY],
  tanh: [-1, 1],
  erf: [-1, 1],
  sinh: [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY],
  cosh: [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY],
  asinh: [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY],
  acosh: [undefined, Number.POSITIVE_INFINITY],
};

/**
 * Returns a function's value at an infinity, if it has one there; else `undefined`. A limit other than 0 may
 * be off as any value of the function: a polynomial that ends the range need not meet it.
 */
export function valueAtInfinity<C>(
  centre: Centre<C>,
  standard: Standard,
  name: UnaryName,
  { infinity }: Bounded<C>,
): Bounded<C> | undefined {
  if (infinity === undefined) return undefined;
  const value = limits[name]?.[infinity < 0 ? 0 : 1];
  if (value === undefined) return undefined;
  if (!Number.isFinite(value)) return infinite(centre, signed(value));
  if (value === 0) return zeroOf(centre);
  const error = 2 * forwardUlps(standard, name) * standard.unitRoundoff;
  return { centre: centre.field.literal(value), error, magnitude: (1 + error) * UPWARDS, terms: 1, grain: 0 };
}
