import type { OperatorName } from "../../../spec/index.ts";

/** A row of numbers; a matrix is its rows, one after the other. */
export type Row = readonly number[];

/** Arithmetic in a precision: what a float operation does, rounded. */
export interface Float {
  readonly round: (x: number) => number;
  readonly add: (x: number, y: number) => number;
  readonly subtract: (x: number, y: number) => number;
  readonly multiply: (x: number, y: number) => number;
  readonly divide: (x: number, y: number) => number;
  readonly sqrt: (x: number) => number;
  readonly exp: (x: number) => number;
  readonly log: (x: number) => number;
  readonly sum: (x: Row) => number;
  readonly dot: (x: Row, y: Row) => number;
}

/** The arithmetic of IEEE 754 with a rounding, and the host's functions. Sums go from left to right. */
export function floatWith(round: (x: number) => number): Float {
  const add = (x: number, y: number): number => round(x + y);
  const multiply = (x: number, y: number): number => round(x * y);
  const sum = (x: Row): number => x.reduce(add, 0);
  return {
    round,
    add,
    multiply,
    sum,
    subtract: (x, y) => round(x - y),
    divide: (x, y) => round(x / y),
    sqrt: (x) => round(Math.sqrt(x)),
    exp: (x) => round(Math.exp(x)),
    log: (x) => round(Math.log(x)),
    dot: (x, y) => sum(x.map((a, i) => multiply(a, item(y, i)))),
  };
}

/** The element of a row that is long enough. */
export function item(x: Row, i: number): number {
  return x[i] ?? Number.NaN;
}

/** One composite at one point: its operands with their tangents, the cotangent of its value, and its attributes. */
export interface Question {
  readonly operands: readonly Row[];
  readonly tangents: readonly Row[];
  readonly cotangent: Row;
  /** The order of matrices, or how many elements are reduced. */
  readonly order: number;
  /** The columns of right-hand sides. */
  readonly columns: number;
  readonly epsilon: number;
  readonly correction: number;
  readonly upper: boolean;
}

/** What an engine answers. */
export interface Answer {
  readonly value: Row;
  readonly tangent: Row;
  /** By operand. */
  readonly cotangents: readonly Row[];
}

/** An algorithm for a composite, its value and derivatives, as an engine runs it. */
export interface Algorithm {
  readonly composite: OperatorName;
  readonly name: string;
  /** Where it is published. */
  readonly source: string;
  answer(float: Float, question: Question): Answer;
}

/** The operand, or the tangent, at a place. */
export function rowAt(rows: readonly Row[], place: number): Row {
  return rows[place] ?? [];
}
