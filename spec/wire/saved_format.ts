import type { DataType } from "./precision.ts";

/**
 * Integer codes on a grid for a whole tensor: `sym8` has 8 bits around 0 and a scale from the greatest size,
 * `asym8` counts from 0 on, with a zero point, from least to greatest: `reference/numerics/storage/`.
 */
export const gridNames = ["sym4", "sym8", "sym12", "sym16", "asym4", "asym8", "asym12", "asym16"] as const;
export type GridName = (typeof gridNames)[number];

/** A tape may keep values in these: numbers of a precision, or codes of which a tensor has the scale. */
export type SavedFormat = DataType | GridName;

/** Tells whether a format is one of codes. */
export function isGridName(format: string): format is GridName {
  return (gridNames as readonly string[]).includes(format);
}

/** Tells whether a format has so few bits that an answer within the bounds that it leaves proves nothing. */
export function isCoarse(format: SavedFormat): boolean {
  return format === "sym4" || format === "asym4";
}
