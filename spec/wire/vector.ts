import type { Graph } from "../graph/index.ts";
import type { PointJson, SeedJson } from "./case.ts";
import type { DataType } from "./precision.ts";
import type { TensorJson } from "./tensor.ts";

/** One number, an interval around it, or NaN, as text: `1/3`, `-inf`; ends are hexadecimal floats. */
export type MemberSet =
  | { readonly kind: "exact"; readonly value: string }
  | { readonly kind: "enclosure"; readonly low: string; readonly high: string }
  | { readonly kind: "nan" };

/**
 * A set of numbers says what is true of one component. `exact` and `enclosure` hold one number, known or
 * enclosed; `one_of` leaves a choice, and `hull` everything between its members; `any` accuses nobody;
 * `undecided` says that the truth is not known.
 */
export type ComponentSet =
  | MemberSet
  | { readonly kind: "one_of" | "hull"; readonly members: readonly MemberSet[] }
  | { readonly kind: "any" | "undecided" };

/** The sets of the tensor at an id, row-major. */
export interface ComponentsAt {
  readonly id: number;
  readonly sets: readonly ComponentSet[];
}

/** True answers to a case lie in these sets, at the ids that tell. */
export interface Expected {
  readonly values: readonly ComponentsAt[];
  readonly tangents: readonly ComponentsAt[];
  readonly cotangents: readonly ComponentsAt[];
}

/** A choice that the mathematics leaves to the engine, and the names of what engines choose. */
export interface Policy {
  readonly name: string;
  readonly choices: readonly string[];
}

/** Flags mark special vectors; `generic_cotangent`, `empty` and `undecided` follow from the content. */
export type VectorFlag =
  | "kink"
  | "tie"
  | "singular"
  | "empty"
  | "overflow"
  | "underflow"
  | "cancellation"
  | "generic_cotangent"
  | "hidden_by_ones"
  | "undecided";

/** A case with the truth about it, as a file of a suite. */
export interface VectorJson {
  readonly format: "adjudge.vector.v1";
  /** The SHA-256 of the content, {@link vectorId}. */
  readonly id: string;
  /** The clause of SEMANTICS.md that is tested. */
  readonly clause: string;
  /** The note tells people what the vector is about. */
  readonly note: string;
  /** Entries of the catalogue of defects. */
  readonly defects: readonly string[];
  readonly links: readonly string[];
  readonly graph: Graph;
  readonly point: PointJson;
  readonly tangents: readonly TensorJson[];
  readonly seeds: readonly SeedJson[];
  /** The precision in which the vector tells most; the sets hold in every one. */
  readonly dtype: DataType;
  /** It is there if the answer is a choice. */
  readonly policy?: Policy;
  readonly expected: Expected;
  readonly flags: readonly VectorFlag[];
}
