import { at } from "../../../../spec/shapes/index.ts";
import { coefficients } from "../../coefficients.ts";

const { exp, sin, cos, ln2, expNormal } = coefficients.float64;

/** Writes `Σ terms[i] xⁱ` by halving: pairs of terms are joined with `x`, then `x²` and so on. */
function polynomial(terms: readonly string[], powers: readonly string[]): string {
  const first = at(terms, 0);
  if (terms.length === 1) return first;
  const joined = terms.flatMap((even, n) => {
    const odd = terms[n + 1];
    if (n % 2 === 1) return [];
    return [odd === undefined ? even : `(${even} + ${at(powers, 0)} * ${odd})`];
  });
  return polynomial(joined, powers.slice(1));
}

const of = (terms: readonly number[], powers: readonly string[]): string =>
  polynomial(
    terms.map((term) => `(${term})`),
    powers,
  );

/** Adding and subtracting this number rounds to an integer. */
const ROUNDER = 1.5 * 2 ** 52;

/** π/2 in four parts; the first two are so short that their products with a number of 20 bits are exact. */
const PARTS = [1.570796325802803, 9.920935184482005e-10, 6.12323399538461e-17, 3.5215598651832e-27];

/**
 * Writes the sine (or cosine) as one function that is small enough to be inlined, because a call would
 * allocate an object for each number. Both polynomials go into a table, so that no branch is mispredicted.
 */
function circular(name: "sin" | "cos"): string {
  const sine = (r: string): string => `${r} + (z * ${r}) * ${of(sin, ["z", "z2", "z4"])}`;
  const cosine = `1 - (z * 0.5 - z2 * ${of(cos, ["z", "z2", "z4"])})`;
  return `function ${name}(x) {
  const a = Math.abs(x);
  if (a < 0.78) {
    ${name === "sin" ? `if (a < ${2 ** -27}) return x;` : ""}
    const z = x * x, z2 = z * z, z4 = z2 * z2;
    return ${name === "sin" ? sine("x") : cosine};
  }
  if (!(a <= ${2 ** 20})) return Math.${name}(x);
  const q = (a * ${2 / Math.PI} + ${ROUNDER}) - ${ROUNDER};
  const e = (a - q * ${PARTS[0]}) - q * ${PARTS[1]}, t = q * ${PARTS[2]}, n = e - t;
  const r = n + (((e - n) - t) - q * ${PARTS[3]}), z = r * r, z2 = z * z, z4 = z2 * z2;
  pair[0] = ${sine("r")};
  pair[1] = ${cosine};
  const k = ${name === "sin" ? "q + 2 * ((x < 0) | 0)" : "q + 1"};
  return pair[k & 1] * (1 - (k & 2));
}`;
}

/**
 * The text of `exp`, `sin` and `cos`, which V8 inlines; calls of the host's functions would spill all
 * registers. The operations are those of the vector functions, so that bits and accuracy are theirs; where
 * those leave their usual branch, and for NaN, the host answers.
 */
export const ownFunctions: string = `
const powers = Float64Array.from({ length: 2048 }, (_, n) => 2 ** (n - 1023));
const pair = new Float64Array(2);
function exp(x) {
  if (!(x >= -${expNormal} && x <= ${expNormal})) return Math.exp(x);
  const k = (x * ${Math.LOG2E} + ${ROUNDER}) - ${ROUNDER};
  const r = (x - k * ${ln2[0]}) - k * ${ln2[1]}, r2 = r * r, r4 = r2 * r2, r8 = r4 * r4;
  return ((r + r2 * ${of([0.5, ...exp], ["r", "r2", "r4", "r8"])}) + 1) * powers[k + 1023];
}
${circular("sin")}
${circular("cos")}`;
