import { map, type Node, type Tensor } from "../../reference/index.ts";
import { gridLosses, gridTypes } from "../../reference/numerics/storage/index.ts";
import { present } from "../../spec/shapes/index.ts";
import { type DataType, type GridName, isGridName } from "../../spec/wire/index.ts";
import { UPWARDS } from "./ball.ts";
import { displaced, narrowed, withoutBound } from "./bounded.ts";
import type { Centre } from "./centre.ts";
import { type Bounded, radius } from "./radius.ts";
import { formatOf, type Standard } from "./standard.ts";

/** A node whose reverse rule reads values as they were kept, where that was in a narrower format. */
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

/** Whether keeping a value may make another of it, in any of its elements: then what a rule does at a singular one is not what it does at what was kept. */
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

/** What is known of values as they come back, if they are kept in another format. */
function keepingOf<C>(standard: Standard, centre: Centre<C>): Keeping<C> | undefined {
  const { saved } = standard;
  if (saved === undefined) return undefined;
  return isGridName(saved) ? asCodes(saved, standard, centre) : asNumbers(saved, standard, centre);
}

/** Each number rounded to a format. */
function asNumbers<C>(saved: DataType, standard: Standard, centre: Centre<C>): Keeping<C> {
  const narrow: Standard = { ...standard, ...formatOf(saved, false) };
  // A power of two is a number of any format's digits, but not of its range.
  const kept = (x: Bounded<C>): Bounded<C> =>
    x.magnitude > narrow.largest ? withoutBound(x) : narrowed(centre, narrow, standard, x, false);
  return (value) => map(value, kept);
}

/** Each number moved by what its code on the grid of its tensor loses, whichever tensor in reach an engine has there. */
function asCodes<C>(saved: GridName, standard: Standard, centre: Centre<C>): Keeping<C> {
  const endsOf = (x: Bounded<C>): readonly [low: number, high: number] => {
    const { value, slack } = centre.ball(x.centre);
    const reach = radius(centre, standard, x) + slack;
    // The ends are rounded themselves.
    const outwards = reach === 0 ? 0 : (reach + Math.abs(value) * 2 ** -52) * UPWARDS;
    return [value - outwards, value + outwards];
  };
  return ({ shape, data }) => {
    const ends = data.map(endsOf);
    const losses = gridLosses(gridTypes[saved], {
      low: ends.map(([low]) => low),
      high: ends.map(([, high]) => high),
    });
    return { shape, data: data.map((x, i) => displaced(centre, standard, x, present(losses[i], "a loss"))) };
  };
}
