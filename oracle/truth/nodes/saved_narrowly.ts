import { map, type Node, type Tensor } from "../../../reference/index.ts";
import { gridLosses, gridTypes } from "../../../reference/numerics/storage/index.ts";
import { present } from "../../../spec/shapes/index.ts";
import { type DataType, type GridName, isGridName } from "../../../spec/wire/index.ts";
import { type Bounded, displaced, narrowed, radius, withoutBound } from "../bound/index.ts";
import { type Centre, UPWARDS } from "../centre/index.ts";
import { formatOf, type Standard } from "../standard/index.ts";

/** Returns a node whose reverse rule reads values as they were kept, in a narrower format. */
export function savedNarrowly<C>(
  node: Node<Bounded<C>>,
  standard: Standard,
  centre: Centre<C>,
): Node<Bounded<C>> {
  const kept = keepingOf(standard, centre);
  if (kept === undefined) return node;
  return {
    ...node,
    vjp: (context, environment, c) => {
      const read = [...context];
      for (const id of node.reads) read[id] = kept(present(context[id], "a value"));
      return node.vjp(read, environment, c);
    },
  };
}

/** Returns a function that tells whether keeping changes a value; then singular values say nothing. */
export function movedWhenKept<C>(
  standard: Standard,
  centre: Centre<C>,
): ((value: Tensor<Bounded<C>>) => boolean) | undefined {
  const kept = keepingOf(standard, centre);
  if (kept === undefined) return undefined;
  const reach = (x: Bounded<C>): number => radius(centre, standard, x);
  return (value) => {
    const read = kept(value).data;
    return value.data.some((x, i) => !(reach(present(read[i], "an element")) <= reach(x)));
  };
}

type Keeping<C> = (value: Tensor<Bounded<C>>) => Tensor<Bounded<C>>;

/** Returns what is known of values as they come back, if they are kept in another format. */
function keepingOf<C>(standard: Standard, centre: Centre<C>): Keeping<C> | undefined {
  const { saved } = standard;
  if (saved === undefined) return undefined;
  return isGridName(saved) ? asCodes(saved, standard, centre) : asNumbers(saved, standard, centre);
}

/** Rounds each number to a format. */
function asNumbers<C>(saved: DataType, standard: Standard, centre: Centre<C>): Keeping<C> {
  const narrow: Standard = { ...standard, ...formatOf(saved, false) };
  // A power of two is a number of any format's digits, but not of its range.
  const kept = (x: Bounded<C>): Bounded<C> =>
    x.magnitude > narrow.largest ? withoutBound(x) : narrowed(centre, narrow, standard, x, false);
  return (value) => map(value, kept);
}

/** Moves each number by the most that its code on the grid loses, of any tensor in reach. */
function asCodes<C>(saved: GridName, standard: Standard, centre: Centre<C>): Keeping<C> {
  const endsOf = (x: Bounded<C>): readonly [low: number, high: number] => {
    const { value, slack } = centre.ball(x.centre);
    const reach = radius(centre, standard, x) + slack;
    // The ends are rounded themselves.
    const outwards = reach === 0 ? 0 : (reach + Math.abs(value) * 2 ** -52) * UPWARDS;
    return [value - outwards, value + outwards];
  };
  return (value) => {
    const ends = value.data.map(endsOf);
    const losses = gridLosses(gridTypes[saved], {
      low: ends.map(([low]) => low),
      high: ends.map(([, high]) => high),
    });
    return map(value, (x, i) => displaced(centre, standard, x, present(losses[i], "a loss")));
  };
}
