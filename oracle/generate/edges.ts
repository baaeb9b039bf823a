import type { Random } from "fast-check";
import { at, type EnvironmentEntry, type FlatTensor, type Point, present } from "../../spec/index.ts";
import { happens } from "./values.ts";

/** NaN, infinities, zeros, the ends of the formats' ranges, and arguments that take long to reduce. */
export const edges: readonly number[] = [
  Number.NaN,
  Number.POSITIVE_INFINITY,
  ...[0, 1, 2 ** -1074, 2 ** -1030, 2 ** -149, 2 ** -130, 1e-300, 1e300, 1e-40, 1e38, 1e5, 123_456.75],
  ...[1e15, 710, 1000, 88.5, 104, 745, 0.5, 2 ** 1023],
].flatMap((x) => [x, -x]);

/** A point with about half of its real numbers replaced, each by any of `numbers`. */
export function strewn(
  { inputs, environment }: Point,
  declared: readonly EnvironmentEntry[],
  numbers: readonly number[],
  random: Random,
): Point {
  const replaced = ({ shape, data }: FlatTensor): FlatTensor => ({
    shape,
    data: data.map((x) => (happens(random, 1, 2) ? at(numbers, random.nextInt(0, numbers.length - 1)) : x)),
  });
  const entries = declared.map(({ name, kind }): [string, FlatTensor] => {
    const entry = present(environment.get(name), "an entry");
    return [name, kind === "real" ? replaced(entry) : entry];
  });
  return { inputs: inputs.map(replaced), environment: new Map(entries) };
}
