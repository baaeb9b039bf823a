import type { Graph } from "../graph/index.ts";

/** Each place along an axis has its unit. */
export interface MixedAxisJson {
  readonly axis: number;
  readonly units: readonly string[];
}

/** A unit, or a unit times one for each place along some axes. */
export type MeasureJson = string | { readonly unit?: string; readonly along: readonly MixedAxisJson[] };

/** `adjudge.units.v1`: what values of a graph are measured in, beside the graph or around it. */
export interface UnitsJson {
  readonly format: "adjudge.units.v1";
  readonly note?: string;
  readonly bases?: readonly string[];
  readonly units?: Readonly<Record<string, string>>;
  readonly inputs?: Readonly<Record<string, MeasureJson>>;
  readonly environment?: Readonly<Record<string, MeasureJson>>;
  readonly nodes?: Readonly<Record<string, MeasureJson>>;
  readonly graph?: Graph;
}
