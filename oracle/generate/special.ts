import type { Random } from "fast-check";
import { happens, oneOf } from "../random/index.ts";
import { edges } from "./edges.ts";

/** Draws a number between two powers of two. */
function between(random: Random, least: number, most: number): number {
  return (1 + random.nextInt(0, 7) / 8) * 2 ** random.nextInt(least, most);
}

/** Draws a number below all normal ones. */
function subnormal(random: Random): number {
  return random.nextInt(1, 2 ** random.nextInt(1, 30)) * Number.MIN_VALUE;
}

function signed(random: Random, x: number): number {
  return happens(random, 1, 2) ? x : -x;
}

type Class = (random: Random) => number;

/** Numbers of these classes have short exact forms. */
const short: readonly [Class, ...Class[]] = [
  (random) => oneOf(random, [0, -0, 1, -1]),
  (random) => signed(random, between(random, -24, 24)),
  (random) => random.nextInt(-800, 800) / 8,
  // The neighbours of ±1.
  (random) => signed(random, 1 + signed(random, 2 ** -random.nextInt(1, 52))),
];

/** A function of these numbers overflows, underflows, saturates, or loses what it reduces them by. */
const finite: readonly [Class, ...Class[]] = [
  ...short,
  (random) => edges[random.nextInt(0, edges.length - 1)] ?? 0,
  (random) => signed(random, subnormal(random)),
  (random) => signed(random, between(random, -1071, 1022)),
  // The squares, and products of two, are next to the ends of the format.
  (random) => signed(random, between(random, 505, 515)),
  (random) => signed(random, between(random, -537, -505)),
  // So are the exponentials.
  (random) =>
    signed(random, Math.log(happens(random, 1, 2) ? subnormal(random) : between(random, 900, 1022))),
  (random) => signed(random, Math.log(between(random, -150, 127))),
  (random) => (random.nextInt(-4000, 4000) * Math.PI) / 4,
  (random) => signed(random, 2 ** random.nextInt(24, 62) + oneOf(random, [-1, -0.5, 0.5, 1])),
];

const any: readonly [Class, ...Class[]] = [
  ...finite,
  (random) => oneOf(random, [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]),
  (random) => oneOf(random, [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]),
];

/** Numbers are drawn from short ones alone, from finite ones, or from all. */
export type Extent = "short" | "finite" | "any";

const classes: Readonly<Record<Extent, readonly [Class, ...Class[]]>> = { short, finite, any };

/** Draws a number of one of the classes in which conventions, ranges and precision show. */
export function specialNumber(random: Random, extent: Extent): number {
  const x = oneOf(random, classes[extent])(random);
  return extent === "any" || Number.isFinite(x) ? x : 1;
}
