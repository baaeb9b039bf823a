import { coefficients } from "../../coefficients.ts";
import { literalText } from "../number.ts";
import type { Chunks } from "./chunk.ts";

const [LN2_HIGH, LN2_LOW] = coefficients.float64.ln2;

/** `atan(k/8)` as the sum of two numbers, for k from 0 to 8. */
const ATAN_HIGH = [
  0, 0.12435499454676144, 0.24497866312686414, 0.35877067027057225, 0.4636476090008061, 0.5585993153435624,
  0.6435011087932844, 0.7188299996216245, 0.7853981633974483,
];
const ATAN_LOW = [
  0, -3.1253241424539383e-18, 1.0698755618734451e-17, -2.4623815582638635e-17, 2.2698777452961687e-17,
  -5.4556305485916264e-18, 1.5834785051444286e-17, -2.1478388444456983e-17, 3.061616997868383e-17,
];

/** Writes a number as a `double`. */
const d = (value: number): string => literalText(value, "float64");

/** Writes `Σ terms[i] zⁱ`, the last term first. */
const horner = (terms: readonly number[], z: string): string =>
  terms.slice(0, -1).reduceRight((text, term) => `(${d(term)} + ${z} * ${text})`, d(terms.at(-1) ?? 0));

/**
 * The other elementary functions, in float64, from those of vectors. A float32 file rounds their answers.
 * Their largest errors are `ownAccuracy`.
 */
export const otherChunks: Chunks = {
  log2_D: {
    needs: ["log_D"],
    text: `
static double log2_D(double x) {
  double y = x < 2.2250738585072014e-308 ? x * 9007199254740992.0 : x;
  uint64_t distance = bits_D(y) - 0x3FE6A09E667F3BCDu;
  double k = number_D(((distance + ((uint64_t)1024 << 52)) >> 52) | ((uint64_t)1075 << 52)) - 4503599627371520.0;
  double f = number_D((distance & (((uint64_t)1 << 52) - 1)) + 0x3FE6A09E667F3BCDu) - 1.0;
  double l = log_sum_D(0.0, f);
  return log_special_D(x, (x < y ? k - 53.0 : k) + (l * 1.4426950408889634 + l * 2.0355273740931033e-17));
}`,
  },
  tan_D: {
    needs: ["sin_D", "cos_D"],
    text: "static double tan_D(double x) { return sin_D(x) / cos_D(x); }",
  },
  atan_D: {
    needs: ["bits_D"],
    text: `
/* atan(k/8) = high + low. */
static const double atan_high[] = { ${ATAN_HIGH.map(d).join(", ")} };
static const double atan_low[] = { ${ATAN_LOW.map(d).join(", ")} };
/* The angle of (x, y) for x, y >= 0 and not both 0; neither is infinite. */
static double angle(double y, double x) {
  int is_steep = y > x;
  double n = is_steep ? x : y, m = is_steep ? y : x;
  double q = n / m;
  int k = (int)(q * 8.0 + 0.5);
  double c = k * 0.125;
  double t = k == 0 ? q : (q - c) / (1.0 + q * c);
  double z = t * t;
  double tail = t * (z * ${horner(
    Array.from({ length: 7 }, (_, n) => (n % 2 === 0 ? -1 : 1) / (2 * n + 3)),
    "z",
  )});
  if (!is_steep) return atan_high[k] + (t + (tail + atan_low[k]));
  double head = 1.5707963267948966 - atan_high[k];
  double lost = (1.5707963267948966 - head) - atan_high[k];
  return head - (t + (tail + (atan_low[k] - (lost + 6.123233995736766e-17))));
}
static double atan_D(double x) {
  double a = absolute_D(x);
  if (!(a < 1152921504606846976.0)) return x != x ? x : signed_D(1.5707963267948966, x);
  return signed_D(angle(a, 1.0), x);
}`,
  },
  atan2_D: {
    needs: ["atan_D"],
    text: `
static double atan2_D(double y, double x) {
  if (x != x || y != y) return x + y;
  double a = absolute_D(y), b = absolute_D(x), r;
  if (a == 0) r = 0;
  else if (a == INFINITE_D) r = b == INFINITE_D ? 0.7853981633974483 : 1.5707963267948966;
  else if (b == INFINITE_D) r = 0;
  else if (b > a) { r = a / b; if (r > 7.450580596923828e-09) r = angle(a, b); }
  else r = angle(a, b);
  if (bits_D(x) >> 63) r = 3.141592653589793 - (r - 1.2246467991473532e-16);
  return signed_D(r, y);
}`,
  },
  asin_D: {
    needs: ["atan2_D", "sqrt_D"],
    text: `
static double asin_D(double x) {
  double a = absolute_D(x);
  return a < 7.450580596923828e-09 ? x : atan2_D(x, sqrt_D((1.0 - a) * (1.0 + a)));
}`,
  },
  acos_D: {
    needs: ["atan2_D", "sqrt_D"],
    text: "static double acos_D(double x) { return atan2_D(sqrt_D((1.0 - x) * (1.0 + x)), x); }",
  },
  sinh_D: {
    needs: ["exp_D", "expm1_D"],
    text: `
static double sinh_D(double x) {
  double a = absolute_D(x);
  if (a < 22.0) { double e = expm1_D(a); return signed_D(0.5 * (e + e / (e + 1.0)), x); }
  double h = exp_D(a < 700.0 ? a : a * 0.5);
  return signed_D(a < 700.0 ? 0.5 * h : (0.5 * h) * h, x);
}`,
  },
  cosh_D: {
    needs: ["exp_D"],
    text: `
static double cosh_D(double x) {
  double a = absolute_D(x);
  double h = exp_D(a < 700.0 ? a : a * 0.5);
  return a < 700.0 ? 0.5 * h + 0.5 / h : (0.5 * h) * h;
}`,
  },
  asinh_D: {
    needs: ["log_D", "log1p_D", "sqrt_D"],
    text: `
static double asinh_D(double x) {
  double a = absolute_D(x), r;
  if (a > 268435456.0) r = log_D(a) + 0.6931471805599453;
  else if (a > 2.0) r = log_D(2.0 * a + 1.0 / (sqrt_D(a * a + 1.0) + a));
  else r = log1p_D(a + a * a / (1.0 + sqrt_D(1.0 + a * a)));
  return signed_D(r, x);
}`,
  },
  acosh_D: {
    needs: ["log_D", "log1p_D", "sqrt_D"],
    text: `
static double acosh_D(double x) {
  double t = x - 1.0;
  if (!(t >= 0)) return NOT_A_NUMBER_D;
  if (x > 268435456.0) return log_D(x) + 0.6931471805599453;
  if (x > 2.0) return log_D(2.0 * x - 1.0 / (x + sqrt_D(x * x - 1.0)));
  return log1p_D(t + sqrt_D(2.0 * t + t * t));
}`,
  },
  atanh_D: {
    needs: ["log1p_D"],
    text: `
static double atanh_D(double x) {
  double a = absolute_D(x), t = a + a;
  return signed_D(0.5 * log1p_D(a < 0.5 ? t + t * a / (1.0 - a) : t / (1.0 - a)), x);
}`,
  },
  pow_D: {
    needs: ["exp_D", "floor_D"],
    text: `
/* x y = the product and what it loses [Dekker]. */
static double product_D(double x, double y, double *lost) {
  double p = x * y, a = x * 134217729.0, b = y * 134217729.0;
  double u = a - (a - x), v = b - (b - y), s = x - u, t = y - v;
  *lost = ((u * v - p) + u * t + s * v) + s * t;
  return p;
}
/* e^(y log x), with the logarithm to twice the digits. */
static double pow_D(double x, double y) {
  double a = absolute_D(x), b = absolute_D(y);
  if (y == 0 || x == 1.0) return 1.0;
  if (x != x || y != y) return x + y;
  int is_integer = b >= 4503599627370496.0 || floor_D(y) == y;
  int is_odd = is_integer && b < 9007199254740992.0 && floor_D(y * 0.5) * 2.0 != y;
  int is_minus = is_odd && bits_D(x) >> 63;
  if (a == 1.0 && b == INFINITE_D) return 1.0;
  if (x < 0 && !is_integer && a < INFINITE_D && b < INFINITE_D) return NOT_A_NUMBER_D;
  int grows = (a > 1.0) == (y > 0);
  double limit = grows ? INFINITE_D : 0.0;
  if (a == 1.0) return is_minus ? -1.0 : 1.0;
  if (a == 0 || a == INFINITE_D || b > 18446744073709551616.0) return is_minus ? -limit : limit;
  double scaled = a < 2.2250738585072014e-308 ? a * 9007199254740992.0 : a;
  uint64_t distance = bits_D(scaled) - 0x3FE6A09E667F3BCDu;
  double k = number_D(((distance + ((uint64_t)1024 << 52)) >> 52) | ((uint64_t)1075 << 52)) - 4503599627371520.0;
  double m = number_D((distance & (((uint64_t)1 << 52) - 1)) + 0x3FE6A09E667F3BCDu);
  if (a < scaled) k -= 53.0;
  /* s = (m - 1) / (m + 1), in two parts, as are z = s^2 and all that follows. */
  double f = m - 1.0, g = m + 1.0, g_low = m - (g - 1.0), e;
  double s = f / g, p = product_D(s, g, &e);
  double s_low = (((f - p) - e) - s * g_low) / g;
  double z_low, z = product_D(s, s, &z_low);
  z_low += 2.0 * s * s_low;
  double rest = z * ${horner(
    Array.from({ length: 14 }, (_, n) => 1 / (2 * n + 5)),
    "z",
  )};
  double c = 0.3333333333333333 + rest, c_low = ((0.3333333333333333 - c) + rest) + 1.850371707708594e-17;
  double w_low, w = product_D(z, c, &w_low);
  w_low += z * c_low + z_low * c;
  double v_low, v = product_D(s, w, &v_low);
  v_low += s * w_low + s_low * w;
  double l = s + v, l_low = ((s - l) + v) + (v_low + s_low);
  double whole = k * ${d(LN2_HIGH)}, log = whole + 2.0 * l;
  double back = log - whole;
  double log_low = ((whole - (log - back)) + (2.0 * l - back)) + (2.0 * l_low + k * ${d(LN2_LOW)});
  double t = log * y;
  if (!(absolute_D(t) < 800.0)) return is_minus ? -limit : limit;
  double t_low;
  t = product_D(log, y, &t_low);
  t_low += log_low * y;
  double r = exp_D(t);
  r = r + r * t_low;
  return is_minus ? -r : r;
}`,
  },
  hypot_D: {
    needs: ["sqrt_D", "bits_D"],
    text: `
static double hypot_D(double x, double y) {
  double a = absolute_D(x), b = absolute_D(y);
  if (a == INFINITE_D || b == INFINITE_D) return INFINITE_D;
  double m = a > b ? a : b, n = a > b ? b : a;
  if (!(m > 0)) return a + b;
  double scale = m > 1e150 ? 2.409919865102884e-181 : m < 1e-150 ? 4.149515568880993e+180 : 1.0;
  double back = m > 1e150 ? 4.149515568880993e+180 : m < 1e-150 ? 2.409919865102884e-181 : 1.0;
  m *= scale;
  n *= scale;
  return sqrt_D(m * m + n * n) * back;
}`,
  },
};
