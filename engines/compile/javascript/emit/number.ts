/**
 * The text of a number that reads back as the same number: −0, the infinities and NaN too. A negative one stands in parentheses,
 * so that an operator may precede it.
 */
export function numberText(value: number): string {
  return value < 0 || Object.is(value, -0) ? `(${Object.is(value, -0) ? "-0" : value})` : `${value}`;
}
