import type { Precision } from "./plan/index.ts";

/**
 * The constants of the vector functions in one precision. Each polynomial has the least maximum of the
 * function's relative error (Remez exchange in 60 digits). Its coefficients are rounded one by one, refitting
 * the rest each time, but for those of erf. Errors are relative to the function, at 4000 points of the final
 * polynomial.
 */
export interface Coefficients {
  /** ln 2 = high + low; an exponent times `high` is exact. */
  readonly ln2: readonly [high: number, low: number];
  /** `(eʳ − 1 − r − r²/2) / r³` for |r| ≤ ½ ln 2. */
  readonly exp: readonly number[];
  /** Up to here `exp` is normal, and its exponent may be added to that of a number in (½, 2). */
  readonly expNormal: number;
  /** Below the first, `exp` is 0; above the second, ∞. */
  readonly expRange: readonly [number, number];
  /** `(2 artanh(√z) / √z − 2) / z` for √z ≤ (√2 − 1)/(√2 + 1). */
  readonly log: readonly number[];
  /** `(sin(√z) / √z − 1) / z` for √z ≤ π/4. */
  readonly sin: readonly number[];
  /** `(cos √z − 1 + z/2) / z²` for √z ≤ π/4. */
  readonly cos: readonly number[];
  /** `(tanh(√z) / √z − 1) / z = numerator / denominator` for √z ≤ 9/16; the denominator begins with 1. */
  readonly tanhNumerator: readonly number[];
  readonly tanhDenominator: readonly number[];
  /** `erf(√z) / √z − 1` for z ≤ 1. */
  readonly erf: readonly number[];
  /** `log(1 − erf(t + 1))` for t ≥ 0, where erf is less than 1, to an error relative to erf. */
  readonly erfTail: readonly number[];
  /** From here on `erf` is 1. */
  readonly erfOne: number;
}

/**
 * The constants by precision. The errors of exp, log, sin, cos, tanh and erf are 2⁻⁵⁶, 2⁻⁵⁹, 2⁻⁵⁸, 2⁻⁶³,
 * 2⁻⁵⁸ and 2⁻⁵⁴; in float32 2⁻²⁷, 2⁻³⁰, 2⁻²⁸, 2⁻³², 2⁻²⁷ and 2⁻²⁶.
 */
export const coefficients: Readonly<Record<Precision, Coefficients>> = {
  float64: {
    ln2: [0.6931471805598903, 5.497923018708371e-14],
    exp: [
      0.16666666666666433, 0.04166666666660339, 0.008333333333499912, 0.0013888888927054074,
      0.00019841269468047577, 2.480150832668945e-5, 2.7557637770648977e-6, 2.7625326391661896e-7,
      2.4979433132983333e-8,
    ],
    expNormal: 708,
    expRange: [-746, 710],
    log: [
      0.6666666666666735, 0.3999999999940937, 0.28571428743681226, 0.22222198429622184, 0.18183572317358415,
      0.1531383321181997, 0.14798247562821906,
    ],
    sin: [
      -0.16666666666666632, 0.008333333333322455, -0.0001984126982981365, 2.7557313687739886e-6,
      -2.5050756752668344e-8, 1.58966846898068e-10,
    ],
    cos: [
      0.0416666666666666, -0.0013888888888874441, 2.4801587289636473e-5, -2.755731438757469e-7,
      2.087572708141097e-9, -1.1359804038443e-11,
    ],
    tanhNumerator: [-0.3333333333333333, -0.020499863100466236, -0.00019922519572707317],
    tanhDenominator: [1, 0.4614995893013935, 0.02329274940308664, 0.00020658424363256746],
    erf: [
      0.12837916709551256, -0.3761263890318352, 0.11283791670944184, -0.026866170643111375,
      0.005223977606117888, -0.0008548325929296267, 0.000120552935766364, -1.4924712301692296e-5,
      1.6447131617450236e-6, -1.620631443373565e-7, 1.37109844723906e-8, -7.779477863943643e-10,
    ],
    erfTail: [
      -1.8496055099332482, -2.6389675142347775, -0.8431072563593307, -0.04156109802667492,
      0.010033825195079869, -0.001977901310477484, 0.00023731679698971162, 2.6295384175115187e-5,
      -2.719724393256325e-5, 9.669092522303216e-6, -2.1297358601741226e-6, 2.0325236278628638e-7,
      5.881780368876974e-8, -3.3691385894618915e-8, 8.596919939980556e-9, -1.332579645843319e-9,
      1.2070594434473951e-10, -4.928434874168706e-12,
    ],
    erfOne: 5.94,
  },
  float32: {
    ln2: [0.693145751953125, 1.428606765330187e-6],
    exp: [0.16666533052921295, 0.04166916012763977, 0.008367919363081455, 0.001367647317238152],
    expNormal: 87,
    expRange: [-104, 89],
    log: [0.6666677594184875, 0.3997756838798523, 0.29871460795402527],
    sin: [-0.16666655242443085, 0.008332190103828907, -0.00019518405315466225],
    cos: [0.04166664555668831, -0.00138873013202101, 2.4430670237052254e-5],
    tanhNumerator: [-0.33333319425582886],
    tanhDenominator: [1, 0.3999909460544586, -0.001855088397860527],
    erf: [
      0.12837916612625122, -0.3761262595653534, 0.1128358542919159, -0.026853810995817184,
      0.00518832728266716, -0.0008010192541405559, 7.853860006434843e-5,
    ],
    erfTail: [
      -1.8496055603027344, -2.6389667987823486, -0.8431175947189331, -0.04150349274277687,
      0.009895446710288525, -0.001829367596656084, 0.00018637375615071505,
    ],
    erfOne: 4,
  },
};

/**
 * π/2 for the remainder of a float64. The first two parts end at 2⁻⁵³, so that both subtractions are exact;
 * the third has 33 bits. Their sum is off by 2⁻¹⁴¹; the least remainder of a number up to 2²⁰ is about 2⁻⁵⁸.
 */
export const HALF_PI: readonly [number, number, number, number] = [
  1.570796325802803, 9.920935184482005e-10, 6.12323399538461e-17, 3.5215598651832e-27,
];

/** π/2 for the remainder of a float32, which is at least about 2⁻³⁰: off by 2⁻⁸⁷. */
export const SHORT_HALF_PI: readonly [number, number] = [1.5707963267341256, 6.077100506506192e-11];
