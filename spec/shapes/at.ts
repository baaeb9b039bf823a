import { InvariantError } from "./result.ts";

/**
 * Returns the element at `index`. Throws {@link InvariantError} if there is none, since a substitute would
 * pass for an answer. For lists only: typed arrays have their own, so that machine code sees one kind of
 * array at each place.
 */
export function at<T extends NonNullable<unknown>>(elements: readonly T[], index: number): T {
  const element = elements[index];
  return element === undefined ? nothingAt(index, elements.length) : element;
}

/** Returns both elements of a list of two. Throws {@link InvariantError} for another length. */
export function pair<T extends NonNullable<unknown>>(elements: readonly T[]): readonly [T, T] {
  if (elements.length !== 2) throw new InvariantError(`${elements.length} elements are no pair`);
  return [at(elements, 0), at(elements, 1)];
}

/** Is {@link at} for the numbers that engines compute with. */
export function floatAt(numbers: Float64Array | Float32Array, index: number): number {
  const number = numbers[index];
  return number === undefined ? nothingAt(index, numbers.length) : number;
}

/** Is {@link at} for offsets, ids and indices. */
export function integerAt(integers: Int32Array | Uint32Array, index: number): number {
  const integer = integers[index];
  return integer === undefined ? nothingAt(index, integers.length) : integer;
}

/** {@link at} for codes and marks. */
export function byteAt(bytes: Uint8Array, index: number): number {
  const byte = bytes[index];
  return byte === undefined ? nothingAt(index, bytes.length) : byte;
}

function nothingAt(index: number, length: number): never {
  throw new InvariantError(`there is no element ${index} among ${length}`);
}
