import { present, type Shape, sizeOf, stridesOf } from "../../../spec/index.ts";

/** Plain numbers in a shape, row by row. */
export interface Numbers {
  readonly shape: Shape;
  readonly data: readonly number[];
}

/** A place in an array: an index for each axis. */
export type Place = readonly number[];

/** Returns the places of a shape, row by row. */
export function placesOf(shape: Shape): Place[] {
  const strides = stridesOf(shape);
  return Array.from({ length: sizeOf(shape) }, (_, position) =>
    shape.map((extent, axis) => Math.floor(position / (strides[axis] ?? 1)) % extent),
  );
}

/** Returns the array whose element at each place is `element(place)`. */
export function build(shape: Shape, element: (place: Place) => number): Numbers {
  return { shape, data: placesOf(shape).map(element) };
}

/** Returns the element at a place. */
export function get({ shape, data }: Numbers, place: Place): number {
  const strides = stridesOf(shape);
  const position = place.reduce((sum, index, axis) => sum + index * (strides[axis] ?? 0), 0);
  return present(data[position], "element");
}

/** Returns, for each place of the result of a reduction, `f` of the elements that go into it, row by row. */
export function reduce(
  x: Numbers,
  { axes, keepdims }: { readonly axes: readonly number[]; readonly keepdims: boolean },
  f: (elements: readonly number[]) => number,
): Numbers {
  const kept = x.shape.map((extent, axis) => (axes.includes(axis) ? 1 : extent));
  const full = build(kept, (place) =>
    f(
      placesOf(x.shape)
        .filter((other) => other.every((index, axis) => axes.includes(axis) || index === place[axis]))
        .map((other) => get(x, other)),
    ),
  );
  return keepdims ? full : { ...full, shape: x.shape.filter((_, axis) => !axes.includes(axis)) };
}

/** `f` of each row of elements along the axis, which may change the rows' length. */
export function alongAxis(
  x: Numbers,
  axis: number,
  f: (elements: readonly number[]) => readonly number[],
  extent: number = x.shape[axis] ?? 0,
): Numbers {
  return build(x.shape.with(axis, extent), (place) => {
    const row = Array.from({ length: x.shape[axis] ?? 0 }, (_, i) => get(x, place.with(axis, i)));
    return present(f(row)[place[axis] ?? 0], "element of a row");
  });
}
