import type { Value } from "../../../spec/builder/index.ts";
import { type Shape, sizeOf } from "../../../spec/shapes/index.ts";
import { elementTypes } from "./wire/model.ts";

/** A value that is the same at every point: numbers of the file, or what follows from them exactly. */
export interface Known {
  readonly kind: "known";
  /** The code of its element type. */
  readonly type: number;
  readonly shape: Shape;
  readonly data: Float64Array;
  /** Its name in the file, if it has one. */
  readonly name?: string;
  /** It is stored among the model's weights, and stays an entry of Δ whatever its numbers are. */
  readonly isStored?: true;
}

/** A value that is computed from inputs of the graph. Integers and truths are numbers then too. */
export interface Live {
  readonly kind: "live";
  readonly type: number;
  readonly value: Value;
}

/** A result that a node has, and that nothing can say here; only who reads it is refused. */
export interface Absent {
  readonly kind: "absent";
  readonly why: string;
}

/** The value of a name in a file. */
export type Operand = Known | Live | Absent;

const floats: readonly number[] = [
  elementTypes.float,
  elementTypes.float16,
  elementTypes.double,
  elementTypes.bfloat16,
];

/** Tells whether elements of this type are floats. */
export function isFloat(type: number): boolean {
  return floats.includes(type);
}

/** Returns the name of an element type. */
export function typeName(type: number): string {
  const found = Object.entries(elementTypes).find(([, code]) => code === type);
  return found?.[0] ?? `type ${type}`;
}

export function known(
  type: number,
  shape: Shape,
  data: Float64Array | readonly number[],
  name?: string,
): Known {
  return {
    kind: "known",
    type,
    shape: [...shape],
    data: Float64Array.from(data),
    ...(name === undefined ? {} : { name }),
  };
}

/** Returns a vector of integers. */
export function integers(data: readonly number[]): Known {
  return known(elementTypes.int64, [data.length], data);
}

/** Returns the shape of a value. */
export function shapeOf(operand: Known | Live): Shape {
  return operand.kind === "known" ? operand.shape : operand.value.shape;
}

/** Returns the number that all elements are, if there is one and a `full` node can say it. */
export function uniform({ data, shape }: Known): number | undefined {
  const [first = 0] = data;
  const isOne = sizeOf(shape) > 0 && data.every((x) => Object.is(x, first));
  return isOne && Number.isFinite(first) && !Object.is(first, -0) ? first : undefined;
}
