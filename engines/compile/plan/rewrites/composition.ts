import { at, isSameShape, type Shape, stridesOf } from "../../../../spec/shapes/index.ts";
import type { Access, Body, Indirection, Piece, Read } from "../program.ts";
import { alongExtents, isIdentity } from "./access.ts";

/**
 * The index of a producer's loop nest as a function of its consumer's: along the producer's axis `a`, for the
 * consumer's index `i`, `offsets[a] + Σ steps[j][a] i[j]`, plus `scale · index[…]` on axis 0 for each lookup.
 */
interface Correspondence {
  readonly offsets: readonly number[];
  readonly steps: readonly (readonly number[])[];
  readonly lookups: readonly Indirection[];
}

/** A body that computes elements of a value, with where they lie in it. */
export interface Producer {
  readonly body: Body;
  readonly extents: Shape;
  /** Is true if the loop computes every element of the value, in row-major order. */
  readonly isWhole: boolean;
  /** Returns the same with as few axes as possible; made when it is first asked for. */
  readonly merged: () => Merged;
}

/** The loop of a producer with mergeable axes merged, and no axis of extent 1. */
interface Merged {
  readonly extents: Shape;
  readonly place: Access;
  readonly reads: readonly Read[];
}

/** Makes the producer of all elements of a map. */
export function wholeProducer(body: Body, shape: Shape): Producer {
  const place = (): Access => ({ offset: 0, strides: stridesOf(shape), indirections: [] });
  return producerOf(body, shape, place, true);
}

/** Makes the producer of a piece's elements. */
export function pieceProducer(piece: Piece): Producer {
  return producerOf(piece, piece.shape, () => piece.place, false);
}

function producerOf(body: Body, extents: Shape, place: () => Access, isWhole: boolean): Producer {
  let known: Merged | undefined;
  return { body, extents, isWhole, merged: () => (known ??= merged(body, extents, place())) };
}

/**
 * Expresses the producer's reads in the loops of a consumer over `extents` that reads its value by `access`.
 * Returns `undefined` if that read leaves the producer's elements, or positions are not affine in the index.
 * Law: the producer's expression over these reads is the element that `access` finds. Cost: rank × rank.
 */
export function readsThrough(
  producer: Producer,
  access: Access,
  extents: Shape,
): readonly Read[] | undefined {
  if (isElementwise(producer, access, extents))
    return producer.body.reads.map((read) => alongExtents(read, extents));
  const correspondence = correspondenceOf(producer, access, extents);
  if (correspondence === undefined) return undefined;
  const composed: Read[] = [];
  for (const read of producer.merged().reads) {
    const through = composedRead(read, correspondence);
    if (through === undefined) return undefined;
    composed.push(through);
  }
  return composed;
}

/** Says whether {@link readsThrough} finds reads. */
export function isReadThrough(producer: Producer, access: Access, extents: Shape): boolean {
  return isElementwise(producer, access, extents) || readsThrough(producer, access, extents) !== undefined;
}

/** Says whether a consumer over the producer's own shape, which is not empty, reads elements in turn. */
function isElementwise({ isWhole, extents: own }: Producer, access: Access, extents: Shape): boolean {
  return isWhole && isSameShape(own, extents) && !extents.includes(0) && isIdentity(access, extents);
}

function correspondenceOf(producer: Producer, access: Access, consumer: Shape): Correspondence | undefined {
  const { place, extents } = producer.merged();
  const { isWhole } = producer;
  // A lookup is known to stay within its axis only if it moves along the outermost axis of the whole value.
  if (access.indirections.length > 0 && (!isWhole || place.strides.length === 0)) return undefined;
  if (access.indirections.some(({ scale }) => scale % at(place.strides, 0) !== 0)) return undefined;
  // Start at the corner where every position of consumer and producer is least.
  let least = access.offset - place.offset;
  least += lowest(access.strides, consumer) - lowest(place.strides, extents);
  if (least < 0) return undefined;
  const order = place.strides
    .map((_, axis) => axis)
    .sort((a, b) => Math.abs(at(place.strides, b)) - Math.abs(at(place.strides, a)));
  const offsets = digits(least, place, order);
  if (offsets === undefined) return undefined;
  const highest = [...offsets];
  const steps: number[][] = [];
  for (let axis = 0; axis < access.strides.length; axis++) {
    const stride = at(access.strides, axis);
    const last = at(consumer, axis) - 1;
    const step = last === 0 ? order.map(() => 0) : digits(Math.abs(stride), place, order);
    if (step === undefined) return undefined;
    for (let a = 0; a < step.length; a++) {
      const digit = at(step, a);
      highest[a] = at(highest, a) + digit * last;
      if (stride < 0) {
        offsets[a] = at(offsets, a) + digit * last;
        step[a] = -digit;
      }
    }
    steps.push(step);
  }
  if (highest.some((digit, a) => digit >= at(extents, a))) return undefined;
  for (let a = 0; a < place.strides.length; a++) {
    if (at(place.strides, a) >= 0) continue;
    offsets[a] = at(extents, a) - 1 - at(offsets, a);
    for (const step of steps) step[a] = -at(step, a);
  }
  const lookups = access.indirections.map((lookup) => ({
    ...lookup,
    scale: lookup.scale / at(place.strides, 0),
  }));
  return { offsets, steps, lookups };
}

/** Returns the sum of negative strides, each as often as its axis allows: 0 or less. */
function lowest(strides: readonly number[], extents: Shape): number {
  let sum = 0;
  for (let axis = 0; axis < strides.length; axis++)
    if (at(strides, axis) < 0) sum += at(strides, axis) * (at(extents, axis) - 1);
  return sum;
}

/** Writes `position` as whole steps along the axes of a place, the longest first; else `undefined`. */
function digits(position: number, place: Access, order: readonly number[]): number[] | undefined {
  const found = place.strides.map(() => 0);
  let rest = position;
  for (const axis of order) {
    const stride = Math.abs(at(place.strides, axis));
    const digit = Math.floor(rest / stride);
    found[axis] = digit;
    rest -= digit * stride;
  }
  return rest === 0 ? found : undefined;
}

function composedRead(read: Read, { offsets, steps, lookups }: Correspondence): Read | undefined {
  const along = (strides: readonly number[], coordinates: readonly number[]): number => {
    let sum = 0;
    for (let a = 0; a < strides.length; a++) sum += at(strides, a) * at(coordinates, a);
    return sum;
  };
  const composed = (offset: number, strides: readonly number[]): { offset: number; strides: number[] } => ({
    offset: offset + along(strides, offsets),
    strides: steps.map((step) => along(strides, step)),
  });
  // A lookup inside a lookup cannot be expressed.
  if (lookups.length > 0 && read.indirections.some(({ strides }) => at(strides, 0) !== 0)) return undefined;
  const own = read.indirections.map(({ index, offset, strides, scale }) => ({
    index,
    ...composed(offset, strides),
    scale,
  }));
  const moved = lookups.flatMap((lookup) => {
    const outer = at(read.strides, 0);
    return outer === 0 ? [] : [{ ...lookup, scale: lookup.scale * outer }];
  });
  return { value: read.value, ...composed(read.offset, read.strides), indirections: [...own, ...moved] };
}

/** Drops axes of extent 1, and merges neighbouring axes along which place and reads continue evenly. */
function merged(body: Body, extents: Shape, place: Access): Merged {
  const accesses = [place, ...body.reads].flatMap((access) => [access, ...access.indirections]);
  const groups: { last: number; extent: number }[] = [];
  for (let axis = 0; axis < extents.length; axis++) {
    const extent = at(extents, axis);
    if (extent === 1) continue;
    const group = groups.at(-1);
    const goesOn =
      group !== undefined &&
      accesses.every(({ strides }) => at(strides, group.last) === at(strides, axis) * extent);
    if (goesOn) groups.splice(-1, 1, { last: axis, extent: group.extent * extent });
    else groups.push({ last: axis, extent });
  }
  const strides = (all: readonly number[]): number[] => groups.map(({ last }) => at(all, last));
  const through = <Kind extends Access>(access: Kind): Kind => ({
    ...access,
    strides: strides(access.strides),
    indirections: access.indirections.map((one) => ({ ...one, strides: strides(one.strides) })),
  });
  return {
    extents: groups.map(({ extent }) => extent),
    place: through(place),
    reads: body.reads.map(through),
  };
}
