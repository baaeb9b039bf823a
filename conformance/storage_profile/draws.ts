import fc from "fast-check";
import {
  codeBits,
  codeLimits,
  exponentBias,
  groupSizeOf,
  type StorageType,
} from "../../reference/numerics/storage/index.ts";
import type { Shape } from "../../spec/shapes/index.ts";
import type { StorageKind } from "./framework.ts";
import type { Kept } from "./words.ts";

/** Lists the types asked about: every kind, narrow and wide, with and without groups. */
const types: readonly StorageType[] = [
  { kind: "float32" },
  { kind: "int32" },
  ...[4, 8, 12, 16].map((bits): StorageType => ({ kind: "sym_int32", bits })),
  ...[2, 3, 4, 5, 6, 7, 8, 12, 16, 24].map((bits): StorageType => ({ kind: "sym", bits })),
  ...[3, 4, 8].map((bits): StorageType => ({ kind: "sym", bits, groupSize: 3 })),
  ...[1, 2, 3, 4, 5, 8, 12, 16].map((bits): StorageType => ({ kind: "asym", bits })),
  ...[4, 8].map((bits): StorageType => ({ kind: "asym", bits, groupSize: 3 })),
  { kind: "bfp", mantissaBits: 4, exponentBits: 8 },
  { kind: "bfp", mantissaBits: 8, exponentBits: 5, groupSize: 4 },
  { kind: "bfp", mantissaBits: 5, exponentBits: 2 },
];

/** Kinds whose codes are on a grid. */
export const scaledKinds: readonly StorageKind[] = ["sym_int32", "sym", "asym", "bfp"];

/** Kinds whose codes are packed into bytes. */
export const packedKinds: readonly StorageKind[] = ["sym", "asym", "bfp"];

/** Returns the types asked about, of the kinds `of` that the framework has; maybe none. */
export function typesOf(has: readonly StorageKind[], of: readonly StorageKind[]): readonly StorageType[] {
  return types.filter(({ kind }) => has.includes(kind) && of.includes(kind));
}

/** Draws one of the types, each kind equally often. */
export function evenly(of: readonly StorageType[]): fc.Arbitrary<StorageType> {
  const kinds = [...new Set(of.map(({ kind }) => kind))];
  return fc.oneof(...kinds.map((one) => fc.constantFrom(...of.filter(({ kind }) => kind === one))));
}

/** Numbers, and a type to quantise them in. */
export interface Loose {
  readonly type: StorageType;
  readonly shape: Shape;
  readonly values: readonly number[];
}

const fround = Math.fround;

/** Draws numbers of all sizes, often with a tie between two codes among them. */
export function looseNumbers(of: readonly StorageType[]): fc.Arbitrary<Loose> {
  return fc
    .record({
      type: evenly(of),
      elements: fc.array(element, { minLength: 1, maxLength: 12 }),
      /** If true, the first element makes the step 1, so that halves are ties. */
      isFilled: fc.boolean(),
      exponent: fc.integer({ min: -20, max: 20 }),
      form: fc.nat(3),
    })
    .map(({ type, elements, isFilled, exponent, form }) => {
      const [least, greatest] = codeLimits(Math.min(codeBits(type), 24), type.kind !== "asym");
      const fill = type.kind === "asym" ? greatest - least : greatest;
      const numbers = isFilled ? [fill, ...elements.slice(1).map((x) => clamp(x, fill))] : elements;
      const values = numbers.map((x) => fround(type.kind === "int32" ? Math.trunc(x) : x * 2 ** exponent));
      return { type, shape: shapeOf(values.length, form), values };
    });
}

/**
 * Draws float32 numbers of a range, most of them evenly: doubles are drawn by their bits, and are next to 0
 * nearly always.
 */
export function numbersBetween(least: number, most: number): fc.Arbitrary<number> {
  return fc.oneof(
    {
      weight: 3,
      arbitrary: fc.integer({ min: least * 2 ** 20, max: most * 2 ** 20 }).map((n) => n / 2 ** 20),
    },
    { weight: 1, arbitrary: fc.double({ min: least, max: most, noNaN: true }).map(fround) },
  );
}

const clamp = (x: number, most: number): number => Math.min(Math.max(x, -most), most);

const element: fc.Arbitrary<number> = fc.oneof(
  fc.integer({ min: -20, max: 20 }).map((halves) => halves / 2),
  numbersBetween(-9, 9),
);

/** Shapes elements as a vector, a row, a column, or two rows. */
function shapeOf(count: number, form: number): Shape {
  if (form === 1) return [1, count];
  if (form === 2) return [count, 1];
  return form === 3 && count % 2 === 0 ? [2, count / 2] : [count];
}

/** Draws tensors with any codes on any grids, most of which do not use their whole grid. */
export function keptTensors(of: readonly StorageType[], most = 12): fc.Arbitrary<Kept> {
  return fc
    .record({
      type: evenly(of),
      words: fc.array(fc.nat(2 ** 31 - 1), { minLength: 1, maxLength: most }),
      scales: fc.array(
        fc.record({ digits: fc.nat(2 ** 23 - 1), exponent: fc.integer({ min: -8, max: 8 }) }),
        {
          minLength: most,
          maxLength: most,
        },
      ),
      zero: fc.nat(2 ** 16 - 1),
      form: fc.nat(3),
    })
    .map(({ type, words, scales, zero, form }) => {
      const groups = Math.ceil(words.length / groupSizeOf(type, words.length));
      const bits = Math.min(codeBits(type), 24);
      const [least, greatest] = codeLimits(bits, type.kind !== "asym");
      const lowest = type.kind === "bfp" ? -greatest : least;
      const codes = words.map((word) => lowest + (word % (greatest - lowest + 1)));
      const grids = scales.slice(0, groups).map(({ digits, exponent }) => ({
        scale:
          type.kind === "bfp" ? 2 ** blockExponent(type.exponentBits, exponent) : scaleOf(digits, exponent),
        zero: type.kind === "asym" ? zero % (greatest + 1) : 0,
      }));
      const hasGrids = type.kind !== "float32" && type.kind !== "int32";
      return { type, shape: shapeOf(codes.length, form), codes, grids: hasGrids ? grids : [] };
    });
}

/** Clamps to an exponent that the bits of a block's exponent can hold. */
function blockExponent(bits: number, drawn: number): number {
  const bias = exponentBias(bits);
  return Math.min(Math.max(drawn, -bias), 2 ** bits - 1 - bias);
}

const scaleOf = (digits: number, exponent: number): number => (1 + digits / 2 ** 23) * 2 ** exponent;
