import { formats, isGridName, type SavedFormat } from "../../spec/wire/index.ts";
import { bytesOf, decode, encode, gridTypes, halfAway } from "../numerics/storage/index.ts";
import { map, type Tensor } from "../tensor.ts";

/** A value in a narrower form. */
export interface Encoded<S> {
  /** The value takes so many bits. */
  readonly bits: number;
  decode(): Tensor<S>;
}

/**
 * Keeps numbers in a format: each rounded, or all as codes on a grid of their own, rounded half away. A
 * tensor without a finite float32 is kept in float32. Law: `round(x)`, or at most `gridLosses` away. Cost:
 * linear.
 */
export function keptIn(format: SavedFormat): (value: Tensor<number>) => Encoded<number> {
  return isGridName(format)
    ? onGrid(gridTypes[format])
    : (value) => inNumbers(value, formats[format].round, formats[format].bytes);
}

function onGrid(
  type: (typeof gridTypes)[keyof typeof gridTypes],
): (value: Tensor<number>) => Encoded<number> {
  return (value) => {
    const stored = encode(type, value.data, halfAway);
    if (!stored.ok) return inNumbers(value, Math.fround, 4);
    const decoded = { shape: value.shape, data: decode(stored.value) };
    return { bits: 8 * bytesOf(stored.value), decode: () => decoded };
  };
}

function inNumbers(value: Tensor<number>, round: (x: number) => number, bytes: number): Encoded<number> {
  const rounded = map(value, round);
  return { bits: 8 * bytes * value.data.length, decode: () => rounded };
}
