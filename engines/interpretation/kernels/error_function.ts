const ROOT_OF_PI = Math.sqrt(Math.PI);

/**
 * Returns the error function [A&S: Abramowitz and Stegun, "Handbook of Mathematical Functions", 1964]: near 0
 * the series 2/√π · e^(−x²) · x (1 + 2x²/3 (1 + 2x²/5 (1 + …))) [7.1.6], then 1 less the complement, from 6
 * on 1.
 */
export function errorFunction(x: number): number {
  if (x < 0) return -errorFunction(-x);
  if (x > 1) return x < 6 ? 1 - complement(x) : 1;
  const square = 2 * x * x;
  let series = 1;
  for (let n = 24; n >= 1; n--) series = 1 + (square / (2 * n + 1)) * series;
  return (2 / ROOT_OF_PI) * x * (Math.exp(-x * x) * series);
}

/** Computes `e^(−x²)/√π` by the fraction `x + ½/(x + 1/(x + 3⁄2/(x + …)))` [A&S 7.1.14], from inside. */
function complement(x: number): number {
  let fraction = x;
  for (let n = Math.ceil(220 / (x * x)); n >= 1; n--) fraction = x + n / 2 / fraction;
  // The square of a short number is exact, and the rest of x² is small, so that no rounding is magnified.
  const short = Math.round(x * 2 ** 22) / 2 ** 22;
  const bell = Math.exp(-short * short) * Math.exp(-(x - short) * (x + short));
  return ((1 / ROOT_OF_PI) * bell) / fraction;
}
