import type { OperatorName } from "../../../spec/index.ts";

/** A row lists numbers; a matrix is the list of its rows, one after the other. */
export type Row = readonly number[];

/** Each operation of this arithmetic is rounded to a precision. */
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

/** Makes IEEE 754 arithmetic with a rounding, and the host's functions. Sums go from left to right. */
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

/** Returns an element of a row that is long enough. */
export function item(x: Row, i: number): number {
  return x[i] ?? Number.NaN;
}

/** A question is a composite at a point: operands, tangents, the value's cotangent, attributes. */
export interface Question {
  readonly operands: readonly Row[];
  readonly tangents: readonly Row[];
  readonly cotangent: Row;
  /** This is the order of matrices, or the number of elements that are reduced. */
  readonly order: number;
  /** Right-hand sides have this many columns. */
  readonly columns: number;
  readonly epsilon: number;
  readonly correction: number;
  readonly upper: boolean;
}

/** An engine answers this. */
export interface Answer {
  readonly value: Row;
  readonly tangent: Row;
  /** Each operand has a cotangent. */
  readonly cotangents: readonly Row[];
}

/** An algorithm computes a composite's value and derivatives as an engine does. */
export interface Algorithm {
  readonly composite: OperatorName;
  readonly name: string;
  /** It is published here. */
  readonly source: string;
  answer(float: Float, question: Question): Answer;
}

/** Returns the operand or tangent at a place. */
export function rowAt(rows: readonly Row[], place: number): Row {
  return rows[place] ?? [];
}
