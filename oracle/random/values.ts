import type { Random } from "fast-check";

/** A temper says which numbers a tensor of a point is drawn from. */
export type Temper = "signed" | "positive" | "special" | "mask";

/** Every drawn number is an integer multiple of ⅛: exact in float16, and its products short in binary. */
const GRAIN = 1 / 8;

/** Conventions and signs of zero show at these numbers. */
const SPECIALS: readonly number[] = [0, -0, 1, -1];

/** Draws one of `choices`, each equally likely. */
export function oneOf<T>(random: Random, choices: readonly [T, ...T[]]): T {
  return choices[random.nextInt(0, choices.length - 1)] ?? choices[0];
}

/** Returns true with probability `hits / outOf`. */
export function happens(random: Random, hits: number, outOf: number): boolean {
  return random.nextInt(1, outOf) <= hits;
}

/** Draws a tensor's temper; two of five are positive, so that `log` and `sqrt` find operands. */
export function drawTemper(random: Random): Temper {
  return oneOf(random, ["signed", "positive", "positive", "special", "special"]);
}

function drawElement(random: Random, temper: Temper, drawn: readonly number[]): number {
  if (temper === "positive") return random.nextInt(1, 24) * GRAIN;
  if (temper === "mask") return happens(random, 1, 2) ? 0 : oneOf(random, [1, -1, 0.5]);
  const die = temper === "special" ? random.nextInt(0, 9) : 9;
  if (die < 4) return SPECIALS[die] ?? 0;
  if (die < 6) return drawn[random.nextInt(0, Math.max(drawn.length - 1, 0))] ?? 0;
  return random.nextInt(-24, 24) * GRAIN;
}

/**
 * Draws a tensor of a point: small dyadic numbers, in the `special` temper mixed with 0, −0, ±1 and copies
 * of numbers drawn before in this case. Appends what it draws to `drawn`.
 */
export function drawElements(random: Random, size: number, temper: Temper, drawn: number[]): Float64Array {
  const elements = new Float64Array(size);
  for (let i = 0; i < size; i++) {
    const element = drawElement(random, temper, drawn);
    elements[i] = element;
    drawn.push(element);
  }
  return elements;
}

/** There are this many odd numerators before they repeat. */
const NUMERATORS = 128;

/**
 * Makes a source of generic numbers for tangents and cotangents: odd multiples of ⅛ below 32, of either
 * sign, no two of one magnitude within 128 draws. None is ±1, so forgetting to multiply by one shows; no two
 * are equal, so adding the wrong ones shows. One case of ten has zeros of either sign.
 */
export function genericSource(random: Random): () => number {
  const start = random.nextInt(0, NUMERATORS - 1);
  const stride = 2 * random.nextInt(0, NUMERATORS / 2 - 1) + 1;
  const hasZeros = happens(random, 1, 10);
  let position = start;
  return () => {
    position = (position + stride) % NUMERATORS;
    const bits = random.nextInt(0, 15);
    const sign = (bits & 1) === 0 ? 1 : -1;
    return hasZeros && bits < 4 ? sign * 0 : sign * (2 * position + 1) * GRAIN;
  };
}

/** Sources that are not generic draw numbers of one of these manners; the last is never finite throughout. */
const manners = ["equal", "zeros", "huge", "tiny", "subnormal", "mixed", "not finite"] as const;
type Manner = (typeof manners)[number];

/** Finite manners are drawn so much more often than the one that is not. */
const FINITE_WEIGHT = 2;

/** In float32 only numbers scaled by the smaller are finite: the larger comes where infinities may. */
const scales = [2 ** 100, 2 ** 100, 2 ** 340] as const;

const notFinite = [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY] as const;

/** Makes what a manner does to each number of a source. */
function mannered(random: Random, manner: Manner, source: () => number, isAny: boolean): () => number {
  const equal = happens(random, 1, 3) ? 1 : source();
  const drawn = oneOf(random, scales);
  const scale = isAny ? drawn : scales[0];
  switch (manner) {
    case "equal":
      return () => equal;
    case "zeros":
      return () => (happens(random, 1, 3) ? source() : source() * 0);
    case "huge":
      return () => source() * scale;
    case "tiny":
      return () => source() / scale;
    case "subnormal":
      return () => (source() / GRAIN) * Number.MIN_VALUE;
    case "mixed":
      return () => source() * oneOf(random, [1, 1 / scale, scale]);
    case "not finite":
      return () => (happens(random, 1, 3) ? oneOf(random, notFinite) : source());
  }
}

/**
 * Makes a source of tangents or cotangents of a generic one, in one case of twelve: all equal, mostly zero,
 * huge or tiny (beyond 1e30), subnormal, of all magnitudes; beyond 1e100, infinite and NaN only if `isAny`.
 */
export function wildSource(random: Random, source: () => number, isAny: boolean): () => number {
  if (!happens(random, 1, 12)) return source;
  const last = FINITE_WEIGHT * (manners.length - 1) - (isAny ? 0 : 1);
  const manner = manners[Math.floor(random.nextInt(0, last) / FINITE_WEIGHT)];
  return manner === undefined ? source : mannered(random, manner, source, isAny);
}

/** Draws `size` numbers from a source. */
export function drawFrom(source: () => number, size: number): Float64Array {
  const elements = new Float64Array(size);
  for (let i = 0; i < size; i++) elements[i] = source();
  return elements;
}
