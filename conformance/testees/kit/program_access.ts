import { isWhole, positionsOf, type View, wholeView } from "../../../spec/programs/index.ts";
import { isSameShape, type Shape, sizeOf } from "../../../spec/shapes/index.ts";
import type { Workbench } from "./workbench.ts";

/** A location of a library whose tensors never change: it stands for another tensor after each write. */
interface Location<T> {
  readonly shape: Shape;
  tensor: T;
  isReleased: boolean;
}

/** A location, seen through a view. */
export interface Reference<T> {
  readonly kind: "reference";
  readonly location: Location<T>;
  readonly view: View;
  /** Values read and written through it are constant under differentiation. */
  readonly isDetached: boolean;
}

/** Makes a location that stands for this tensor. */
export function located<T>(tensor: T, shape: Shape): Reference<T> {
  const location = { shape, tensor, isReleased: false };
  return { kind: "reference", location, view: wholeView(shape), isDetached: false };
}

/** Returns what a reference sees: the whole location, or some elements of its row. */
export function seenIn<T>(bench: Workbench<T>, { location, view }: Reference<T>): T {
  const { tensor, shape } = location;
  if (isWhole(view, sizeOf(shape))) return reshaped(bench, tensor, shape, view.shape);
  const row = reshaped(bench, tensor, shape, [sizeOf(shape)]);
  return reshaped(bench, bench.taken(row, positionsOf(view)), [sizeOf(view.shape)], view.shape);
}

/** Writes through a reference: a part is picked from the old and the new elements in one row. */
export function overwrite<T>(bench: Workbench<T>, { location, view }: Reference<T>, value: T): void {
  const { shape } = location;
  const size = sizeOf(shape);
  if (isWhole(view, size)) {
    location.tensor = reshaped(bench, value, view.shape, shape);
    return;
  }
  const sources = Array.from({ length: size }, (_, position) => position);
  for (const [place, position] of positionsOf(view).entries()) sources[position] = size + place;
  const rows = [
    reshaped(bench, location.tensor, shape, [size]),
    reshaped(bench, value, view.shape, [sizeOf(view.shape)]),
  ];
  const row = bench.applied({ op: "concat", attributes: { axis: 0 } }, rows);
  location.tensor = reshaped(bench, bench.taken(row, sources), [size], shape);
}

/** Reshapes a tensor. */
export function reshaped<T>(bench: Workbench<T>, tensor: T, from: Shape, shape: Shape): T {
  return isSameShape(from, shape)
    ? tensor
    : bench.applied({ op: "reshape", attributes: { shape } }, [tensor]);
}
