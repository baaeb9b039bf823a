import type { NetworkName } from "../../oracle/generate/network_composites.ts";
import type { Builder, CompositeRows } from "../../spec/index.ts";

/** The cotangents of a composite at a point, by hand or literature, and a fault with others. */
export interface Claim {
  readonly op: NetworkName;
  readonly title: string;
  /** Inputs first; the last value is seeded with `cotangent`. */
  readonly write: (builder: Builder) => unknown;
  readonly inputs: readonly (readonly number[])[];
  readonly environment?: Readonly<Record<string, readonly number[]>>;
  readonly cotangent: readonly number[];
  /** Each input has its expected cotangent. */
  readonly expected: readonly (readonly number[])[];
  readonly wrong: Partial<CompositeRows>;
}
