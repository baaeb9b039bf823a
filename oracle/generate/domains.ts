/** The margin kept from poles, from the ends of domains, and from points without a derivative. */
export const MARGIN: number = 2 ** -6;

const { MAX_VALUE } = Number;

type Smooth =
  | "expm1"
  | "log1p"
  | "log2"
  | "tan"
  | "asin"
  | "acos"
  | "atan"
  | "sinh"
  | "cosh"
  | "asinh"
  | "acosh"
  | "atanh"
  | "erf";

type Domains = { readonly [F in Smooth]: readonly [number, number] };

/**
 * Where operands of an elementary function of one operand are looked for: inside its domain, away from its poles, and where it
 * neither overflows nor is flat to rounding.
 */
export const domains: Domains = {
  expm1: [-10, 10],
  log1p: [MARGIN - 1, MAX_VALUE],
  log2: [MARGIN, MAX_VALUE],
  tan: [-1.5, 1.5],
  asin: [MARGIN - 1, 1 - MARGIN],
  acos: [MARGIN - 1, 1 - MARGIN],
  atan: [-MAX_VALUE, MAX_VALUE],
  sinh: [-10, 10],
  cosh: [-10, 10],
  asinh: [-MAX_VALUE, MAX_VALUE],
  acosh: [1 + MARGIN, MAX_VALUE],
  atanh: [MARGIN - 1, 1 - MARGIN],
  erf: [-4, 4],
};
