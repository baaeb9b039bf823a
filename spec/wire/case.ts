import type { Graph } from "../graph/index.ts";
import type { Call } from "./call.ts";
import type { TensorJson } from "./tensor.ts";

/** A point on the wire. Users choose the keys of `environment`: read it by `Object.entries` or `hasOwn`. */
export interface PointJson {
  readonly inputs: readonly TensorJson[];
  readonly environment: { readonly [name: string]: TensorJson };
}

/** A seed on the wire. */
export interface SeedJson {
  readonly id: number;
  readonly cotangent: TensorJson;
}

/** One question to an engine, as a file or inside a verdict. */
export interface CaseJson {
  readonly format: "adjudge.case.v1";
  readonly graph: Graph;
  readonly point: PointJson;
  /** There is one tangent for each input. */
  readonly tangents: readonly TensorJson[];
  /** There is at most one seed for each id. */
  readonly seeds: readonly SeedJson[];
  /** The calls that the case is asked; each mode once, unless it has some. */
  readonly calls?: readonly Call[];
  /** The note tells people what the case is about. */
  readonly note?: string;
}
