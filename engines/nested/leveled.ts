import type { Value } from "../../spec/builder/index.ts";
import { InvariantError, type Shape } from "../../spec/shapes/index.ts";

/** A differentiation under way; those inside it have greater numbers. */
export type Level = ForwardLevel | TapeLevel;

/** A differentiation by dual numbers. */
export interface ForwardLevel {
  readonly kind: "forward";
  readonly number: number;
}

/** A differentiation by a tape, which grows while its inner graph is evaluated. */
export interface TapeLevel {
  readonly kind: "tape";
  readonly number: number;
  readonly tape: Tape;
}

/** The operations on cells, in order. */
interface Tape {
  readonly entries: Entry[];
  /** The number of places taken. */
  places: number;
}

/** An operation that was applied to cells of a tape. */
export interface Entry {
  readonly place: number;
  /** Each operand has its place on the tape; `undefined` if it is not on it. */
  readonly operandPlaces: readonly (number | undefined)[];
  /** Returns an operand's cotangent, from that of the value; `undefined` for zero. */
  pull(operand: number, cotangent: Leveled): Leveled | undefined;
}

/** A value with what each differentiation under way knows of it, the innermost one on the outside. */
export type Leveled = Plain | Dual | Cell;

/** A value that no differentiation perturbs. */
interface Plain {
  readonly kind: "plain";
  readonly value: Value;
}

/** A value with its tangent of one level; both may belong to outer levels. */
interface Dual {
  readonly kind: "dual";
  readonly level: ForwardLevel;
  readonly primal: Leveled;
  readonly tangent: Leveled;
}

/** A value with its place on the tape of one level. */
interface Cell {
  readonly kind: "cell";
  readonly level: TapeLevel;
  readonly primal: Leveled;
  readonly place: number;
}

/** Makes a value without any level. */
export function plain(value: Value): Leveled {
  return { kind: "plain", value };
}

/** Returns the innermost level that perturbs one of the values; `undefined` if none does. */
export function innermost(values: readonly Leveled[]): Level | undefined {
  return values.reduce<Level | undefined>((found, value) => {
    if (value.kind === "plain") return found;
    return found === undefined || found.number < value.level.number ? value.level : found;
  }, undefined);
}

/** Returns the value as outer levels see it. */
export function lowered(value: Leveled, level: Level): Leveled {
  return belongsTo(value, level) ? value.primal : value;
}

/** Returns the tangent at a level; `undefined` for zero. */
export function tangentAt(value: Leveled, level: Level): Leveled | undefined {
  return value.kind === "dual" && belongsTo(value, level) ? value.tangent : undefined;
}

/** Returns the place on the tape of a level; `undefined` if the value is not on it. */
export function placeAt(value: Leveled, level: Level): number | undefined {
  return value.kind === "cell" && belongsTo(value, level) ? value.place : undefined;
}

function belongsTo(value: Leveled, { kind, number }: Level): value is Dual | Cell {
  return value.kind !== "plain" && value.level.kind === kind && value.level.number === number;
}

/** Removes the levels that `drops` names from a value. */
export function without(value: Leveled, drops: (level: Level) => boolean): Leveled {
  if (value.kind === "plain") return value;
  const primal = without(value.primal, drops);
  if (drops(value.level)) return primal;
  return value.kind === "dual"
    ? { ...value, primal, tangent: without(value.tangent, drops) }
    : { ...value, primal };
}

/** Returns the value that no level perturbs. */
export function bottom(value: Leveled): Value {
  return value.kind === "plain" ? value.value : bottom(value.primal);
}

/** Returns the value at the outermost level. Throws {@link InvariantError} if an ended level perturbs it. */
export function settled(value: Leveled): Value {
  if (value.kind !== "plain") throw new InvariantError(`level ${value.level.number} is over`);
  return value.value;
}

export function shapeOf(value: Leveled): Shape {
  return bottom(value).shape;
}
