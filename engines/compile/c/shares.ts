import { at, sizeOf, stridesOf } from "../../../spec/shapes/index.ts";
import { type Nest, type Place, part, tile } from "../javascript/index.ts";
import { allows, costOf, type Expression, SHARED } from "../plan/index.ts";
import {
  areNeighbours,
  areVectorsOf,
  isVectorAlong,
  laneAlong,
  movesWith,
  type Total,
  VECTOR,
  type Writing,
} from "./blocks.ts";

/** So many shares has a long sum, by however many threads it is computed: its bits are the same. */
export const SHARES = 16;

/** Says whether a nest has enough to do for several threads. */
export function isWorthSharing({ loops }: Nest, expression: Expression): boolean {
  return sizeOf(loops.map(({ extent }) => extent)) * costOf(expression) >= SHARED;
}

/** So many numbers are copied at most to where lanes are neighbours. */
const mostCopied = 2 ** 20;

/** A nest after a copy of an operand: the rounds of its last free loop visit neighbours. */
interface Copied {
  readonly copies: readonly Nest[];
  readonly nest: Nest;
  /** The numbers of the copy, in `scratch`. */
  readonly size: number;
}

/**
 * Finds the operand of a product that stands in the way of vectors, as the second of `A Bᵀ`. It is copied if
 * each of its elements is read for eight rows or more.
 */
export function copiedOperand(
  { loops, places }: Nest,
  expression: Expression,
  use: Total,
  { scalars }: Writing,
): Copied | undefined {
  const along = loops.findLastIndex(({ isOrdered }) => !isOrdered);
  const unit = VECTOR / (scalars.precision === "float32" ? 4 : 8);
  if (along < 0 || !areVectorsOf(expression, use) || areNeighbours(places, along)) return undefined;
  const far = places.flatMap((place, n) =>
    isVectorAlong(place, along) && place.lookups.length === 0 ? [] : [n],
  );
  const [operand, ...more] = far;
  if (operand === undefined || more.length > 0 || operand === places.length - 1) return undefined;
  if (at(places, places.length - 1).position.strides[along] !== 1) return undefined;
  const place = at(places, operand);
  // The copy's last axis is that of the lanes; an axis that the operand ignores has one element.
  const others = loops.flatMap((_, n) => (n !== along && movesWith(place, n) ? [n] : []));
  const extents = [...others, along].map((n) => at(loops, n).extent);
  const size = sizeOf(extents);
  const times = sizeOf(loops.map(({ extent }) => extent)) / size;
  if (at(loops, along).extent < unit || times < 8 || size > mostCopied) return undefined;
  const inner = stridesOf(extents);
  const strides = loops.map((_, n) => (n === along ? 1 : (inner[others.indexOf(n)] ?? 0)));
  const copied: Place = { array: "scratch", position: { offset: 0, strides }, lookups: [] };
  // Lines of the operand that are read by turns stay near until they are read whole.
  const order = [along, ...others];
  const whole = {
    loops: order.map((n) => ({ extent: at(loops, n).extent, width: 1, isOrdered: false })),
    places: [moved(place, order), moved(copied, order)],
  };
  const widths = order.map((n) => (n === along ? VECTOR / 4 : 1));
  return {
    copies: tile(whole, widths).map((some) => laneAlong(some, 0)),
    nest: { loops, places: places.with(operand, copied) },
    size,
  };
}

/** Returns a place in a nest of some of its loops. */
function moved({ array, position, lookups }: Place, loops: readonly number[]): Place {
  const strides = (some: Place["position"]): readonly number[] => loops.map((n) => at(some.strides, n));
  return {
    array,
    position: { ...position, strides: strides(position) },
    lookups: lookups.map((lookup) => ({
      ...lookup,
      position: { ...lookup.position, strides: strides(lookup.position) },
    })),
  };
}

/** Divides a long total into shares of its own, and joins them. */
export function sharesOf(
  { loops, places }: Nest,
  { isRunning }: Total,
  { regime }: Writing,
): { readonly parts: Nest; readonly joint: Nest; readonly rest: Nest | undefined } | undefined {
  const [loop, ...others] = loops;
  if (loop === undefined || others.length > 0 || !loop.isOrdered || isRunning) return undefined;
  // A share without a number would be a loop that is not written.
  if (!allows(regime, "reassociation") || loop.extent < SHARES) return undefined;
  const count = Math.floor(loop.extent / SHARES);
  const divided = ({ offset, strides: [stride = 0] }: Place["position"]): Place["position"] => ({
    offset,
    strides: [stride * count, stride],
  });
  const result = at(places, places.length - 1);
  const share: Place = { array: "scratch", position: { offset: 0, strides: [1, 0] }, lookups: [] };
  const whole = { loops, places };
  const left = loop.extent - count * SHARES;
  return {
    parts: {
      loops: [
        { extent: SHARES, width: 1, isOrdered: false },
        { extent: count, width: 1, isOrdered: true },
      ],
      places: [
        ...places.slice(0, -1).map((place) => ({
          ...place,
          position: divided(place.position),
          lookups: place.lookups.map((lookup) => ({ ...lookup, position: divided(lookup.position) })),
        })),
        share,
      ],
    },
    joint: {
      loops: [{ extent: SHARES, width: 1, isOrdered: true }],
      places: [{ ...share, position: { offset: 0, strides: [1] } }, result],
    },
    rest: left === 0 ? undefined : part(whole, 0, count * SHARES, left, 1),
  };
}
