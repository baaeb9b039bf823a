import { type Coefficients, HALF_PI, SHORT_HALF_PI } from "../../coefficients.ts";
import type { Precision } from "../../plan/index.ts";
import { literalText } from "../number.ts";
import type { Chunks } from "./chunk.ts";
import { polynomialText } from "./polynomial.ts";

/** What the text of a format is made of. */
const formats = {
  float64: { suffix: "D", type: "double", word: "uint64_t", width: 64, fraction: 52, bias: 1023 },
  float32: { suffix: "F", type: "float", word: "uint32_t", width: 32, fraction: 23, bias: 127 },
} as const;

/**
 * The functions that loops of vectors call, in one precision: `exp`, `expm1`, `log`, `log1p`, `tanh`, `erf`
 * without a branch, `sin` and `cos` with one for large arguments. The bits are those of the WebAssembly
 * engine, whose algorithms they are; errors are within `vectorAccuracy`.
 */
export function elementaryChunks(precision: Precision, coefficients: Coefficients): Chunks {
  const { suffix: S, type: T, word: U, width, fraction, bias } = formats[precision];
  const n = (value: number): string => literalText(value, precision);
  const power = (exponent: number): string => `((${U})${exponent + bias} << ${fraction})`;
  const sum = (terms: readonly number[], x: string): string => polynomialText(terms.map(n), x);
  const [high, low] = coefficients.ln2.map(n);
  const [least, greatest] = coefficients.expRange.map(n);
  const rounder = n(1.5 * 2 ** fraction);
  const normal = n(coefficients.expNormal);
  const smallest = n(2 ** (1 - bias));
  const half = precision === "float64" ? "0x3FE6A09E667F3BCDu" : "0x3F3504F3u";
  const name = (some: string): string => `${some}_${S}`;
  const parts = (x: string): string => `
  ${U} distance = bits_${S}(${x}) - ${half};
  ${T} count = number_${S}(((distance + ${power(1)}) >> ${fraction}) | ${power(fraction)}) - ${n(2 ** fraction + bias + 1)};
  ${T} significand = number_${S}((distance & (((${U})1 << ${fraction}) - 1)) + ${half});`;
  const reduced =
    precision === "float64"
      ? `
  double quotient = a * ${n(2 / Math.PI)} + ${rounder};
  double count = quotient - ${rounder};
  double exact = (a - count * ${n(HALF_PI[0])}) - count * ${n(HALF_PI[1])};
  double third = count * ${n(HALF_PI[2])};
  double rounded = exact - third;
  r = rounded + (((exact - rounded) - third) - count * ${n(HALF_PI[3])});
  turns += bits_D(quotient);`
      : `
  double quotient = (double)a * ${2 / Math.PI} + ${1.5 * 2 ** 52};
  double count = quotient - ${1.5 * 2 ** 52};
  r = (float)(((double)a - count * ${SHORT_HALF_PI[0]}) - count * ${SHORT_HALF_PI[1]});
  turns += (uint32_t)bits_D(quotient);`;
  return {
    [name("bits")]: {
      needs: [],
      text: `
HELPER ${U} bits_${S}(${T} x) { union { ${T} x; ${U} u; } v; v.x = x; return v.u; }
HELPER ${T} number_${S}(${U} u) { union { ${T} x; ${U} u; } v; v.u = u; return v.x; }
HELPER ${T} absolute_${S}(${T} x) { return number_${S}(bits_${S}(x) & ~((${U})1 << ${width - 1})); }
HELPER ${T} signed_${S}(${T} x, ${T} y) { return number_${S}(bits_${S}(x) ^ (bits_${S}(y) & ((${U})1 << ${width - 1}))); }`,
    },
    // Bits are chosen, and nothing branches: GCC 12.2 makes masked loads of branches, and loses their order
    // where rows are loaded together (most likely https://gcc.gnu.org/PR114375), with -O2 -mavx2.
    [name("select")]: {
      needs: [name("bits")],
      text: `
/* y, or z where x is 0; NaN is not 0. */
HELPER ${T} select_${S}(${T} x, ${T} y, ${T} z) {
  ${U} mask = -(${U})(x == 0);
  return number_${S}((bits_${S}(y) & ~mask) | (bits_${S}(z) & mask));
}`,
    },
    [name("floor")]: {
      needs: [name("bits")],
      text: `
HELPER ${T} floor_${S}(${T} x) {
  ${T} a = absolute_${S}(x);
  ${T} r = signed_${S}((a + ${n(2 ** fraction)}) - ${n(2 ** fraction)}, x);
  ${T} below = r > x ? r - ${n(1)} : r;
  return a < ${n(2 ** fraction)} ? signed_${S}(absolute_${S}(below), x) : x;
}`,
    },
    [name("sqrt")]: {
      needs: [name("bits")],
      text: rootText(precision),
    },
    [name("exp")]: {
      needs: [name("bits")],
      text: `
/* 2^k of an integer k where it is normal. */
HELPER ${T} power_${S}(${T} k) { return number_${S}((bits_${S}(k + ${rounder}) << ${fraction}) + ${power(0)}); }
/* e^r - 1 - r for |r| <= ln 2 / 2. */
HELPER ${T} exp_tail_${S}(${T} r) { return (r * r) * ${sum([0.5, ...coefficients.exp], "r")}; }
/* x = k ln 2 + r, and 2^k in two steps, of which the second may round. */
HELPER ${T} exp_${S}(${T} x) {
  ${T} most = ${greatest} < x ? ${greatest} : x;
  ${T} y = most < ${least} ? ${least} : most;
  ${T} k = (y * ${n(Math.LOG2E)} + ${rounder}) - ${rounder};
  ${T} r = (y - k * ${high}) - k * ${low};
  ${T} h = (k * ${n(0.5)} + ${rounder}) - ${rounder};
  return (((r + exp_tail_${S}(r)) + ${n(1)}) * power_${S}(h)) * power_${S}(k - h);
}`,
    },
    [name("expm1")]: {
      needs: [name("exp")],
      text: `
HELPER ${T} expm1_${S}(${T} x) {
  ${T} y = absolute_${S}(x) <= ${normal} ? x : ${n(0)};
  ${T} k = (y * ${n(Math.LOG2E)} + ${rounder}) - ${rounder};
  ${T} rough = y - k * ${high};
  ${T} rest = k * ${low};
  ${T} r = rough - rest;
  ${T} lost = (rough - r) - rest;
  ${T} p = power_${S}(k);
  ${T} whole = p - ${n(1)};
  ${T} part = p * r;
  ${T} sum = whole + part;
  ${T} inner = sum + (((whole - sum) + part) + p * (exp_tail_${S}(r) + lost));
  ${T} outer = exp_${S}(x) - ${n(1)};
  ${T} found = absolute_${S}(x) <= ${normal} ? inner : outer;
  return x == ${n(0)} ? x : found;
}`,
    },
    [name("log")]: {
      needs: [name("bits")],
      text: `
/* k ln 2 + log(1 + f) for 1 + f from 1/sqrt 2 to sqrt 2. */
HELPER ${T} log_sum_${S}(${T} k, ${T} f) {
  ${T} s = f / (f + ${n(2)});
  ${T} z = s * s;
  ${T} bend = s * (f - z * ${sum(coefficients.log, "z")});
  return k * ${high} + (f - (bend - k * ${low}));
}
HELPER ${T} log_special_${S}(${T} x, ${T} r) {
  ${T} zero = x == ${n(0)} ? -INFINITE_${S} : r;
  ${T} above = x == INFINITE_${S} ? INFINITE_${S} : zero;
  return ${n(0)} <= x ? above : NOT_A_NUMBER_${S};
}
HELPER ${T} log_${S}(${T} x) {
  ${T} y = x < ${smallest} ? x * ${n(2 ** (fraction + 1))} : x;${parts("y")}
  ${T} k = x < ${smallest} ? count - ${n(fraction + 1)} : count;
  return log_special_${S}(x, log_sum_${S}(k, significand - ${n(1)}));
}`,
    },
    [name("log1p")]: {
      needs: [name("log")],
      text: `
HELPER ${T} log1p_${S}(${T} x) {
  ${T} y = ${n(1)} + x;
  ${T} of_x = y - ${n(1)};
  ${T} lost = (${n(1)} - (y - of_x)) + (x - of_x);${parts("y")}
  ${T} scale = number_${S}(bits_${S}(${n(1)}) - (bits_${S}(y) - bits_${S}(significand)));
  ${T} f = (significand - ${n(1)}) + lost * scale;
  ${T} near = x == ${n(0)} ? x : log_sum_${S}(count, f);
  ${T} far = log_${S}(y);
  return log_special_${S}(y, ${n(2 ** (bias - 1))} <= y ? far : near);
}`,
    },
    [name("erf")]: {
      needs: [name("exp")],
      text: `
HELPER ${T} erf_${S}(${T} x) {
  ${T} a = absolute_${S}(x);
  ${T} z = a * a;
  ${T} inner = a + a * ${sum(coefficients.erf, "z")};
  ${T} most = ${n(coefficients.erfOne)} < a ? ${n(coefficients.erfOne)} : a;
  ${T} t = most - ${n(1)};
  ${T} outer = ${n(1)} - exp_${S}(${sum(coefficients.erfTail, "t")});
  return signed_${S}(a < ${n(1)} ? inner : outer, x);
}`,
    },
    [name("tanh")]: {
      needs: [name("exp")],
      text: `
/* a + a^3 N(a^2) / D(a^2) for small a = |x|, else 1 - 2 / (e^2a + 1). */
HELPER ${T} tanh_${S}(${T} x) {
  ${T} a = absolute_${S}(x);
  int is_small = a < ${n(9 / 16)};
  ${T} z = a * a;
  ${T} capped = ${n(22)} < a ? ${n(22)} : a;
  ${T} y = capped + capped;
  ${T} k = (y * ${n(Math.LOG2E)} + ${rounder}) - ${rounder};
  ${T} r = (y - k * ${high}) - k * ${low};
  ${T} p = ((r + exp_tail_${S}(r)) + ${n(1)}) * power_${S}(k);
  ${T} numerator = is_small ? (a * z) * ${sum(coefficients.tanhNumerator, "z")} : ${n(-2)};
  ${T} denominator = is_small ? ${sum(coefficients.tanhDenominator, "z")} : p + ${n(1)};
  return signed_${S}((is_small ? a : ${n(1)}) + numerator / denominator, x);
}`,
    },
    [name("circular")]: {
      needs: [name("bits"), "bits_D", "turns"],
      text: `
/* The sine, in \`turns\` quarter turns more, of the remainder r by a quarter turn. */
HELPER ${T} circular_of_remainder_${S}(${T} r, ${U} turns) {
  ${T} z = r * r;
  ${T} sine = r + (z * r) * ${sum(coefficients.sin, "z")};
  ${T} half = z * ${n(0.5)};
  ${T} cosine = ${n(1)} - (half - (z * z) * ${sum(coefficients.cos, "z")});
  return number_${S}(bits_${S}(turns & 1 ? cosine : sine) ^ ((turns & 2) << ${width - 2}));
}
/* The sine of a from 0 to 2^20, in \`turns\` quarter turns more: there is no branch. */
HELPER ${T} circular_near_${S}(${T} a, ${U} turns) {
  ${T} r;${reduced}
  return circular_of_remainder_${S}(r, turns);
}
/* The same of any a that is not negative. */
HELPER ${T} circular_${S}(${T} a, ${U} turns) {
  if (a <= ${n(2 ** 20)}) return circular_near_${S}(a, turns);
  int more;
  ${T} r = (${T})remainder_of_quarter_turns(a, &more);
  return circular_of_remainder_${S}(r, turns + (${U})more);
}`,
    },
    [name("sin")]: {
      needs: [name("circular")],
      text: `
HELPER ${T} sin_near_${S}(${T} x) { return signed_${S}(circular_near_${S}(absolute_${S}(x), 0), x); }
HELPER ${T} sin_${S}(${T} x) { return signed_${S}(circular_${S}(absolute_${S}(x), 0), x); }`,
    },
    [name("cos")]: {
      needs: [name("circular")],
      text: `
HELPER ${T} cos_near_${S}(${T} x) { return circular_near_${S}(absolute_${S}(x), 1); }
HELPER ${T} cos_${S}(${T} x) { return circular_${S}(absolute_${S}(x), 1); }`,
    },
  };
}

/** The square root, rounded correctly: the machine's instruction, or bit by bit. */
function rootText(precision: Precision): string {
  const { suffix: S, type: T, word: U, fraction, bias } = formats[precision];
  const isDouble = precision === "float64";
  const builtin = isDouble ? "__builtin_sqrt" : "__builtin_sqrtf";
  return `
#if defined(__NO_MATH_ERRNO__) && (defined(__SSE2__) || defined(__aarch64__))
HELPER ${T} sqrt_${S}(${T} x) { return ${builtin}(x); }
#elif defined(__SSE2__)
HELPER ${T} sqrt_${S}(${T} x) { ${T} r; __asm__("sqrts${isDouble ? "d" : "s"} %1, %0" : "=x"(r) : "x"(x)); return r; }
#elif defined(__aarch64__)
HELPER ${T} sqrt_${S}(${T} x) { ${T} r; __asm__("fsqrt %${isDouble ? "d" : "s"}0, %${isDouble ? "d" : "s"}1" : "=w"(r) : "w"(x)); return r; }
#else
static ${T} sqrt_${S}(${T} x) {
  ${U} u = bits_${S}(x);
  if (x == 0 || x != x || u == bits_${S}(INFINITE_${S})) return x;
  if (x < 0) return NOT_A_NUMBER_${S};
  int e = (int)(u >> ${fraction}) - ${bias};
  ${U} m = u & (((${U})1 << ${fraction}) - 1);
  if (e == ${-bias}) {
    e += 1;
    while (!(m >> ${fraction})) { m <<= 1; e -= 1; }
  } else m |= (${U})1 << ${fraction};
  if (e & 1) { m <<= 1; e -= 1; }
  /* One bit of the root at a time, and one more to round by; what is left is never half a unit. */
  ${U} root = 0, rest = 0;
  for (int i = 0; i <= ${fraction + 1}; i++) {
    rest = (rest << 2) | (m >> ${fraction} & 3);
    m = (m & (((${U})1 << ${fraction}) - 1)) << 2;
    ${U} t = (root << 2) | 1;
    root <<= 1;
    if (rest >= t) { rest -= t; root |= 1; }
  }
  root = (root >> 1) + (root & 1);
  return number_${S}(root + ((${U})(e / 2 + ${bias - 1}) << ${fraction}));
}
#endif`;
}
