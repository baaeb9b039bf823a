import type { Random } from "fast-check";
import { type Shape, sizeOf } from "../../spec/shapes/index.ts";
import { happens, oneOf } from "../random/index.ts";
import type { CaseProfile } from "./profile.ts";

/** Draws two extents of the profile's and a third, which is 1 in every second case and 0 in every tenth. */
export function drawExtents(profile: CaseProfile, random: Random): readonly [number, ...number[]] {
  const { extents } = profile;
  const draw = (): number => extents[random.nextInt(0, extents.length - 1)] ?? 1;
  const die = random.nextInt(0, 9);
  return [draw(), draw(), die === 0 ? 0 : die <= 5 ? 1 : draw()];
}

/** Draws a shape of the given extents with at most the profile's rank and elements. */
function drawShape(profile: CaseProfile, random: Random, extents: readonly [number, ...number[]]): Shape {
  if (profile.maximumRank === 0) return [];
  if (profile.shapes !== undefined) return oneOf(random, profile.shapes);
  const rank = oneOf(random, profile.ranks);
  const shape: number[] = [];
  while (shape.length < Math.min(rank, profile.maximumRank)) shape.push(oneOf(random, extents));
  return fitted(profile, random, shape);
}

/**
 * Shrinks a shape to the profile's elements: one of more than three axes is thinned anywhere, to keep its
 * rank, and any other loses its last axes.
 */
function fitted({ maximumElements }: CaseProfile, random: Random, shape: Shape): Shape {
  const fit = [...shape];
  if (fit.length > 3) {
    for (const axis of shuffledAxes(random, fit.length)) if (sizeOf(fit) > maximumElements) fit[axis] = 1;
  }
  while (sizeOf(fit) > maximumElements) fit.pop();
  return fit;
}

/**
 * Draws the shapes of a case's inputs. Each after the first repeats an earlier one, or thins one so that it
 * broadcasts back, or is new: most operators need operands of equal shape.
 */
export function drawInputShapes(
  profile: CaseProfile,
  random: Random,
  extents: readonly [number, ...number[]],
): readonly Shape[] {
  const count = random.nextInt(...profile.inputs);
  const shapes: Shape[] = [];
  while (shapes.length < count) {
    const earlier = shapes[random.nextInt(0, Math.max(shapes.length - 1, 0))];
    const die = random.nextInt(0, 5);
    if (earlier === undefined || die === 0) shapes.push(drawShape(profile, random, extents));
    else shapes.push(die < 3 ? earlier : fitted(profile, random, thinned(random, earlier)));
  }
  return shapes;
}

/** Returns the nearest shape that an engine takes of every tensor, if it takes some alone. */
export function promisedShape({ promised }: CaseProfile, shape: Shape): Shape {
  const { ranks, extents } = promised?.limits?.every ?? {};
  const { least = 0, greatest = Number.POSITIVE_INFINITY } = extents ?? {};
  const missing = Math.max((ranks?.least ?? 0) - shape.length, 0);
  const ones: Shape = new Array(missing).fill(1);
  const axes = [...ones, ...shape].slice(0, ranks?.greatest);
  return axes.map((extent) => Math.min(Math.max(extent, least), greatest));
}

/** Returns a shape that broadcasts to `shape`: some leading axes are dropped, some extents are 1. */
function thinned(random: Random, shape: Shape): Shape {
  const left = happens(random, 1, 2) ? shape.slice(random.nextInt(0, shape.length)) : shape;
  return left.map((extent) => (happens(random, 1, 3) ? 1 : extent));
}

/** Returns a shape that `shape` broadcasts to: some extents of 1 are stretched, perhaps an axis is added. */
export function stretched(
  random: Random,
  shape: Shape,
  extents: readonly [number, ...number[]],
  maximumRank: number,
): Shape {
  const wide = shape.map((extent) =>
    extent === 1 && happens(random, 5, 6) ? oneOf(random, extents) : extent,
  );
  const grows = wide.length < maximumRank && happens(random, 1, 2);
  return grows ? [oneOf(random, extents), ...wide] : wide;
}

/** Returns a shape of as many elements: flat, with an axis of extent 1 more or fewer, or permuted. */
export function refolded(random: Random, shape: Shape, maximumRank: number): Shape {
  const ways: readonly [Shape, ...Shape[]] = [
    [sizeOf(shape)],
    shape.filter((extent) => extent !== 1),
    shape.toReversed(),
    [1, ...shape],
    [...shape, 1],
  ];
  const chosen = oneOf(random, ways);
  return chosen.length <= maximumRank ? chosen : shape;
}

/** Permutes the axes of a rank: not at all, backwards, by a rotation, or at random. */
export function turnedAxes(random: Random, rank: number): number[] {
  const die = random.nextInt(0, 7);
  if (die > 2) return shuffledAxes(random, rank);
  const axes = Array.from({ length: rank }, (_, axis) => axis);
  if (die < 2) return die === 0 ? axes : axes.toReversed();
  const by = random.nextInt(Math.min(1, rank), Math.max(rank - 1, 0));
  return axes.map((axis) => (axis + by) % rank);
}

/** Permutes the axes of a rank at random. */
export function shuffledAxes(random: Random, rank: number): number[] {
  const axes = Array.from({ length: rank }, (_, axis) => axis);
  for (let i = rank - 1; i > 0; i--) {
    const j = random.nextInt(0, i);
    [axes[i], axes[j]] = [axes[j] ?? 0, axes[i] ?? 0];
  }
  return axes;
}
