import { at, type NodeId } from "../shapes/index.ts";
import { one, timesUnit, type Unit } from "./unit.ts";

/** Each place along an axis has its unit. */
export interface MixedAxis {
  readonly axis: number;
  readonly units: readonly Unit[];
}

/** A tensor's elements are measured in `unit`, times the units of their places along axes. */
export interface Measure {
  readonly unit: Unit;
  readonly along: readonly MixedAxis[];
}

/** A value that has a measure: an input or a node by its id, an entry of Δ by its name. */
export type Measured =
  | { readonly kind: "id"; readonly id: NodeId }
  | { readonly kind: "entry"; readonly name: string };

/** A declaration says that a value is measured so. */
export interface Declaration {
  readonly of: Measured;
  readonly measure: Measure;
  /** It stands at this place of the document. */
  readonly pointer: string;
}

/** These are declared of a graph's values. */
export interface Declarations {
  /** The names of the bases, in the order in which they are written. */
  readonly bases: readonly string[];
  readonly declared: readonly Declaration[];
}

/** Declares nothing, over some bases. */
export function undeclared(bases: readonly string[] = []): Declarations {
  return { bases, declared: [] };
}

/** Returns the unit of the element at these coordinates. */
export function unitAt({ unit, along }: Measure, coordinates: readonly number[]): Unit {
  return along.reduce(
    (product, { axis, units }) => timesUnit(product, at(units, at(coordinates, axis))),
    unit,
  );
}

/** Returns one unit for all elements. */
export function measuredIn(unit: Unit = one): Measure {
  return { unit, along: [] };
}
