import type { Nest, Place } from "./nest.ts";

/** More copies times applications than these would not stay in registers. */
const most = 64;

/** An ordered loop that is longer is not unrolled. */
const longestWrittenOut = 8;

/** So many rounds of an accumulation are unrolled along each loop. */
export interface Widths {
  readonly widths: readonly number[];
  /** Is true if copies of ordered rounds have their own totals. */
  readonly isSplit: boolean;
  /** Is true if the remainder of an ordered loop is a nest of its own that continues the totals. */
  readonly isInParts: boolean;
}

/**
 * Chooses widths for a nest that accumulates. A single total waits for each addition, so that several results
 * grow side by side: along two free loops if each spares a read of the other (the 4 by 4 tile of a matrix
 * product), else along one, preferably one that reads neighbours. A single sum is split into several totals
 * if allowed; a single maximum never waits, so that its rounds are just unrolled.
 */
export function accumulationWidths(
  nest: Nest,
  applications: number,
  operation: "add" | "maximum",
  maySplit: boolean,
): Widths {
  const { loops, places } = nest;
  const reads = places.slice(0, -1);
  const free = loops.flatMap(({ isOrdered }, n) => (isOrdered ? [] : [n]));
  const work = Math.max(1, applications);
  const last = loops.length - 1;
  const innermost = loops[last];
  const isShort =
    innermost?.isOrdered === true &&
    innermost.extent <= longestWrittenOut &&
    innermost.extent * work <= most / 2;
  const copied = isShort ? innermost.extent * work : work;
  const widths = loops.map(({ extent }, n) => (isShort && n === last ? extent : 1));
  const sparing = free.filter(
    (n) => reads.some((place) => moves(place, n)) && reads.some((place) => !moves(place, n)),
  );
  const [first, second] = sparing.slice(-2);
  if (first !== undefined && second !== undefined && copied * 4 <= most) {
    const width = copied * 16 <= most ? 4 : 2;
    widths[first] = width;
    widths[second] = width;
    return { widths, isSplit: false, isInParts: false };
  }
  const near = free.findLast((n) => reads.some(({ position }) => position.strides[n] === 1));
  const along = near ?? second ?? first ?? free.at(-1);
  if (along !== undefined) {
    widths[along] = copied * 8 <= most / 2 ? 8 : copied * 4 <= most ? 4 : 1;
    return { widths, isSplit: false, isInParts: false };
  }
  const isOneLoop = loops.length === 1;
  if (isShort || innermost === undefined || !(maySplit || (operation === "maximum" && isOneLoop))) {
    return { widths, isSplit: false, isInParts: false };
  }
  widths[last] = work <= 8 ? 4 : 2;
  return { widths, isSplit: operation === "add", isInParts: true };
}

function moves({ position, lookups }: Place, loop: number): boolean {
  return [position, ...lookups.map((lookup) => lookup.position)].some(({ strides }) => strides[loop] !== 0);
}
