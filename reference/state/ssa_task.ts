import type { Procedure, Program } from "../../spec/programs/index.ts";
import type { Site } from "./ssa_stand.ts";

/** What a procedure is given for a parameter: a reference as what is known of it. */
export type Given =
  | { readonly kind: "value" }
  | {
      readonly kind: "reference";
      /** Among the locations that are passed. */
      readonly site: number;
      readonly strides: readonly number[];
      readonly isDetached: boolean;
      /** Whether it begins with the location. */
      readonly isAtStart: boolean;
    };

/** The function that a procedure is where it is given this, and these locations. */
export type Callee = (
  procedure: string,
  given: readonly Given[],
  sites: readonly Site[],
  isConstant: boolean,
) => string;

/** What a writer is told. */
export interface Task {
  readonly program: Program;
  readonly procedure: Procedure;
  readonly name: string;
  /** The locations that are passed, and returned. */
  readonly sites: readonly Site[];
  /** By parameter; the entry knows its locations by their names. */
  readonly given: "entry" | readonly Given[];
  readonly isConstant: boolean;
  readonly callee: Callee;
}
