/** `2/√π` */
const SCALE: number = 2 / Math.sqrt(Math.PI);

/**
 * Returns the error function in float64, with the reference's bits. It is written again because an engine
 * must not share code with the reference that judges it. It uses the series up to 1 [Abramowitz & Stegun
 * 7.1.6], the continued fraction of the complement beyond [7.1.14], and ±1 from 6 on.
 */
export function errorFunction(x: number): number {
  const z = Math.abs(x);
  if (Number.isNaN(z)) return x;
  const sign = Math.sign(x);
  if (z >= 6) return sign;
  if (z > 1) return sign * (1 - complement(z));
  const square = 2 * z * z;
  let sum = 1;
  for (let odd = 49; odd > 1; odd -= 2) sum = 1 + (square / odd) * sum;
  return SCALE * x * (Math.exp(-z * z) * sum);
}

function complement(z: number): number {
  // Only the upper half of the bits of z has an exact square.
  const head = Math.round(z * 2 ** 22) * 2 ** -22;
  const bell = Math.exp(-head * head) * Math.exp(-(z - head) * (z + head));
  let denominator = z;
  for (let n = Math.ceil(220 / (z * z)); n > 0; n--) denominator = z + n / 2 / denominator;
  return ((SCALE / 2) * bell) / denominator;
}
