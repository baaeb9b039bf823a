import type { Random } from "fast-check";
import type { Range } from "../../spec/documents/index.ts";
import { floatAt, type Shape, sizeOf } from "../../spec/shapes/index.ts";
import {
  type DataType,
  type DomainPartJson,
  type FlatTensor,
  formats,
  type Special,
} from "../../spec/wire/index.ts";
import { happens, oneOf } from "../random/index.ts";

const usual: readonly Special[] = ["ends", "kinks", "equal", "zeros", "small", "large"];

/** A temper says of which kind the numbers of a point are: generic, or special ones among them. */
export type PointTemper = "generic" | Special;

/** Draws a temper; half of the points are generic. */
export function drawPointTemper(random: Random, ranges: readonly Range[]): PointTemper {
  if (happens(random, 1, 2)) return "generic";
  const offered = [...new Set(ranges.flatMap(({ special = usual }) => special))];
  return offered.length === 0 ? "generic" : oneOf(random, ["generic", ...offered]);
}

/** A tensor is drawn so. */
interface Drawing {
  readonly random: Random;
  readonly dtype: DataType;
  readonly temper: PointTemper;
  /** Kinks of the function may lie at these numbers. */
  readonly kinks: readonly number[];
}

/** Draws a tensor of a range: its numbers are of the precision, and in the range. */
export function drawIn(range: Range, shape: Shape, drawing: Drawing): FlatTensor {
  const size = sizeOf(shape);
  const { random, dtype } = drawing;
  const round = (x: number): number => formats[dtype].round(x);
  if (range.integers !== undefined) {
    const most = range.integers - 1;
    return { shape, data: Float64Array.from({ length: size }, () => random.nextInt(0, most)) };
  }
  const data = new Float64Array(size);
  const shared = numberOf(range, 0, drawing);
  for (let i = 0; i < size; i++) data[i] = shaped(range, elementOf(range, i, shared, drawing), drawing);
  structured(range, shape, data);
  return { shape, data: data.map((x) => clamped(range, round(x), round)) };
}

/** Draws one number: of the temper in half of the places, so that special numbers stand beside others. */
function elementOf(range: Range, place: number, shared: number, drawing: Drawing): number {
  const { random, temper, kinks } = drawing;
  const isOffered = temper !== "generic" && (range.special ?? usual).includes(temper);
  const generic = numberOf(range, place, drawing);
  if (!isOffered || happens(random, 1, 2)) return generic;
  switch (temper) {
    case "ends":
      return oneOf(random, [range.low ?? generic, range.high ?? generic]);
    case "kinks":
      return kinks[random.nextInt(0, Math.max(kinks.length - 1, 0))] ?? generic;
    case "equal":
      return shared;
    case "zeros":
      return oneOf(random, [0, 0, -0, 1, -1]);
    case "small":
      return generic * 2 ** -random.nextInt(6, 30);
    case "large":
      return generic * 2 ** random.nextInt(3, 9);
    case "infinite":
      return oneOf(random, [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]);
    case "nan":
      return Number.NaN;
  }
}

/** Draws a generic number of a range, without its structure. */
function numberOf({ low, high, like, values }: Range, place: number, { random }: Drawing): number {
  const part = random.nextDouble();
  if (like !== undefined) {
    const own = like.data[place % Math.max(like.data.length, 1)] ?? 0;
    return own + (part - 0.5) * sizeNear(like, own);
  }
  if (low !== undefined && high !== undefined) return low + part * (high - low);
  // Values of some size on either side of 0: the logarithms of few functions' scales lie elsewhere.
  const size = values === "normal" ? normal(random) : (part - 0.5) * 6;
  if (low !== undefined) return low + Math.abs(size);
  return high === undefined ? size : high - Math.abs(size);
}

/** Returns how far numbers near `x` may lie: half of it, or of what the others are. */
function sizeNear({ data }: FlatTensor, x: number): number {
  if (x !== 0) return Math.abs(x);
  const sizes = data.map(Math.abs).filter((size) => size > 0 && Number.isFinite(size));
  return sizes.length === 0 ? 1 : sizes.reduce((sum, size) => sum + size, 0) / sizes.length;
}

function normal(random: Random): number {
  const [u, angle] = [1 - random.nextDouble(), random.nextDouble()];
  return Math.sqrt(-2 * Math.log(u)) * Math.cos(2 * Math.PI * angle);
}

/** Gives a number what each number of a structure has. */
function shaped({ values }: Range, x: number, { random }: Drawing): number {
  if (values !== "positive" && values !== "probabilities") return x;
  return x === 0 ? random.nextDouble() + 2 ** -10 : Math.abs(x);
}

/** Gives rows or matrices their structure. */
function structured({ values }: Range, shape: Shape, data: Float64Array): void {
  const last = shape.at(-1) ?? 1;
  if (values === "probabilities") eachRow(data, last, normalise);
  if (values === "sorted") eachRow(data, last, (row) => row.sort());
  if (values === "spd" && shape.length >= 2) eachRow(data, last * last, (matrix) => definite(matrix, last));
}

function eachRow(data: Float64Array, length: number, change: (row: Float64Array) => void): void {
  if (length === 0) return;
  for (let start = 0; start < data.length; start += length) change(data.subarray(start, start + length));
}

function normalise(row: Float64Array): void {
  const sum = row.reduce((total, x) => total + x, 0);
  row.forEach((x, i) => {
    row[i] = x / sum;
  });
}

/** Replaces M by M Mᵀ / n + 1, which is symmetric to the bit. */
function definite(matrix: Float64Array, n: number): void {
  const m = matrix.slice();
  for (let i = 0; i < n; i++) {
    for (let j = 0; j <= i; j++) {
      let sum = 0;
      for (let k = 0; k < n; k++) sum += floatAt(m, i * n + k) * floatAt(m, j * n + k);
      const entry = sum / n + (i === j ? 1 : 0);
      matrix[i * n + j] = entry;
      matrix[j * n + i] = entry;
    }
  }
}

/** Puts a number back into a box that it has left by a special draw, or by being rounded. */
function clamped({ low, high, like, values }: Range, x: number, round: (x: number) => number): number {
  if (Number.isNaN(x) || like !== undefined || values !== undefined) return x;
  const [least, most] = [low ?? Number.NEGATIVE_INFINITY, high ?? Number.POSITIVE_INFINITY];
  if (x < least) return inside(round(least), least, most);
  return x > most ? inside(round(most), least, most) : x;
}

/** An end that is no number of the precision may be rounded out of the box; then the middle is in it. */
function inside(x: number, least: number, most: number): number {
  return x >= least && x <= most ? x : (least + most) / 2;
}

/** Tells whether a tensor may stand in place of one that was drawn. */
export function isIn(range: Range, drawn: FlatTensor, other: FlatTensor): boolean {
  const { low, high, integers, values, like } = range;
  if (values !== undefined && values !== "normal")
    return isSame(drawn, other) || isOfStructure(values, other);
  return other.data.every((x, i) => {
    if (Object.is(x, drawn.data[i])) return true;
    if (integers !== undefined) return Number.isInteger(x) && x >= 0 && x < integers;
    if (like !== undefined && (x === 0 || Math.sign(x) !== Math.sign(drawn.data[i] ?? 0))) return false;
    return !(x < (low ?? Number.NEGATIVE_INFINITY) || x > (high ?? Number.POSITIVE_INFINITY));
  });
}

function isSame(one: FlatTensor, other: FlatTensor): boolean {
  return one.data.every((x, i) => Object.is(x, other.data[i]));
}

/** Tells whether numbers that were changed one by one still have a structure. */
function isOfStructure(values: NonNullable<DomainPartJson["values"]>, { shape, data }: FlatTensor): boolean {
  if (values === "positive") return data.every((x) => x > 0);
  if (values !== "sorted") return false;
  const last = shape.at(-1) ?? 1;
  return data.every((x, i) => i % last === 0 || floatAt(data, i - 1) <= x);
}
