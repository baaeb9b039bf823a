/** An axis of a node's operand, or of its result. */
export interface AxisPlace {
  readonly of: number | "result";
  readonly axis: number;
}

/**
 * A link says how axes of a node hang together, so that where elements of different dimension meet along one
 * is known for the other. `same`: place `i` of one is place `i` of the other; `part`: place `j` of the part
 * is place `first + j · step` of the whole; `regrouped`: the axes are read as one and cut anew.
 */
export type AxisLink =
  | { readonly kind: "same"; readonly a: AxisPlace; readonly b: AxisPlace }
  | {
      readonly kind: "part";
      readonly part: AxisPlace;
      readonly whole: AxisPlace;
      readonly first: number;
      readonly step: number;
      readonly count: number;
    }
  | { readonly kind: "regrouped"; readonly axes: readonly AxisPlace[] };

/** The first `rank` axes of both, one by one. */
export function sameAxes(a: number | "result", b: number | "result", rank: number): AxisLink[] {
  return Array.from({ length: rank }, (_, axis) => sameAxis(a, axis, b, axis));
}

/** One axis of each. */
export function sameAxis(a: number | "result", axis: number, b: number | "result", other: number): AxisLink {
  return { kind: "same", a: { of: a, axis }, b: { of: b, axis: other } };
}
