import type { Random } from "fast-check";
import type { Point } from "../../spec/graph/index.ts";
import type { EnvironmentEntry } from "../../spec/operators/index.ts";
import { at, present } from "../../spec/shapes/index.ts";
import type { FlatTensor } from "../../spec/wire/index.ts";
import { happens } from "../random/index.ts";

/** Lists NaN, infinities, zeros, the ends of the formats, and arguments hard to reduce, in both signs. */
export const edges: readonly number[] = [
  Number.NaN,
  Number.POSITIVE_INFINITY,
  ...[0, 1, 2 ** -1074, 2 ** -1030, 2 ** -149, 2 ** -130, 1e-300, 1e300, 1e-40, 1e38, 1e5, 123_456.75],
  ...[1e15, 710, 1000, 88.5, 104, 745, 0.5, 2 ** 1023],
  // Here exp is below 1e-300, expm1 −1 but for less than an ulp, and whole numbers leave 31, 32 or 53 bits.
  ...[700, 45, 2 ** 31 + 0.5, 2 ** 32 + 0.5, 2 ** 53],
].flatMap((x) => [x, -x]);

/** At these powers of two posits have their ends, the thresholds next to those, and half an ulp at 1. */
const positExponents = [
  ...[-24, 24, -56, 56, -120, 120],
  ...[-22, -20, -18, -16, -12, -4, -3, -1, 0, 1, 2, 4, 12, 16, 18, 20, 22],
];

/** Lists NaR, 0, the ends, and short numbers where precision changes: rounding thresholds are near them. */
export const positEdges: readonly number[] = [
  ...Array.from({ length: 4 }, () => [Number.NaN, 0, 2 ** 24, 2 ** -24, 2 ** 56, 2 ** -56]).flat(),
  ...positExponents.flatMap((exponent) => [1, 1.125, 1.5].map((digits) => digits * 2 ** exponent)),
];

/** Some numbers of a point are replaced. */
export interface Replacements {
  readonly numbers: readonly number[];
  /** A case uses only so many of the numbers, in both signs. */
  readonly few: number;
  /** They are strewn over one case of so many. */
  readonly every: number;
  /** One tensor of three has one of the numbers throughout, and of the others about half of the elements. */
  readonly areUniform: boolean;
}

/** Replaces numbers of a point. */
export function strewn(
  point: Point,
  declared: readonly EnvironmentEntry[],
  { numbers, few, every, areUniform }: Replacements,
  random: Random,
): Point {
  if (!happens(random, 1, every)) return point;
  const drawn = (from: readonly number[]): number => at(from, random.nextInt(0, from.length - 1));
  const chosen = Array.from({ length: few }, () => drawn(numbers)).flatMap((x) => [x, -x]);
  const replaced = ({ shape, data }: FlatTensor): FlatTensor => {
    const only = areUniform && happens(random, 1, 3) ? drawn(chosen) : undefined;
    return { shape, data: data.map((x) => only ?? (happens(random, 1, 2) ? drawn(chosen) : x)) };
  };
  const entries = declared.map(({ name, kind }): [string, FlatTensor] => {
    const entry = present(point.environment.get(name), "an entry");
    return [name, kind === "real" ? replaced(entry) : entry];
  });
  return { inputs: point.inputs.map(replaced), environment: new Map(entries) };
}
