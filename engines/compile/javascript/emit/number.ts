/**
 * Writes a number so that it reads back the same, including −0, infinities and NaN. Negative numbers get
 * parentheses, so that an operator may precede them.
 */
export function numberText(value: number): string {
  return value < 0 || Object.is(value, -0) ? `(${Object.is(value, -0) ? "-0" : value})` : `${value}`;
}
