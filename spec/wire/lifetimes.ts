import type { DataType } from "./precision.ts";

/** A block has so many elements, which take so many bytes. */
interface SizedJson {
  readonly elements: number;
  readonly bytes: number;
}

/** A run stores this from one step to another, at a place. */
interface HeldJson extends SizedJson {
  /** People call it so: `3 matmul`. */
  readonly says: string;
  readonly born: number;
  readonly last: number;
  /** The plan puts it at this place, in elements. */
  readonly place: number;
}

/** The last forward step that reads it, and the nodes whose rules do. */
interface ReadJson extends HeldJson {
  readonly lastForward: number;
  readonly neededBy: readonly number[];
}

/** A value of a run. */
export type LifetimeJson =
  | (ReadJson & { readonly kind: "primal"; readonly id: number; readonly isResult: boolean })
  | (ReadJson & { readonly kind: "entry"; readonly name: string })
  | (HeldJson & { readonly kind: "cotangent"; readonly id: number; readonly isWanted: boolean });

/** `adjudge.lifetimes.v1`: how long a run needs its values, and the room that they take. */
export interface LifetimesJson {
  readonly format: "adjudge.lifetimes.v1";
  readonly dtype: DataType;
  readonly of: readonly number[];
  readonly wrt: readonly number[];
  /** The step at which the cotangents of the results are put in. */
  readonly turn: number;
  readonly steps: readonly (
    | { readonly kind: "forward" | "reverse"; readonly id: number }
    | { readonly kind: "turn" }
  )[];
  readonly values: readonly LifetimeJson[];
  readonly lowerBound: SizedJson & { readonly step: number };
  /** The plan whose places are told, and what each takes that was made. */
  readonly plan: "best-fit" | "size" | "optimum";
  readonly peaks: Partial<
    Readonly<Record<LifetimesJson["plan"], SizedJson & { readonly isProved: boolean }>>
  >;
}
