import type { Block, Procedure, Program, StatementOf } from "../../spec/programs/index.ts";
import type { FlatTensor } from "../../spec/wire/index.ts";
import type { Memory } from "./memory.ts";
import type { Declared, Surroundings } from "./operation.ts";
import type { Operations } from "./operations.ts";
import type { Trace } from "./trace.ts";
import type { Bound, Held, Names, Place } from "./value.ts";

/** A call may use up this much. */
interface Limits {
  /** Executed statements and turns of loops. */
  readonly statements: number;
  /** Elements of all locations together. */
  readonly elements: number;
  /** Calls inside calls. */
  readonly calls: number;
}

/** The limits of a call. */
export const limits: Limits = { statements: 2 ** 20, elements: 2 ** 24, calls: 256 };

/** These counts say how far a call is. */
export interface Progress {
  statements: number;
  elements: number;
  drawn: number;
  /** The number of tensors received, by channel. */
  readonly received: Map<string, number>;
  readonly sent: { readonly channel: string; readonly value: FlatTensor }[];
}

/** A run shares these with those inside it. */
export interface Setting {
  /** Makes the runs inside. */
  readonly runOf: RunOf;
  readonly program: Program;
  readonly operations: Operations;
  readonly memory: Memory;
  readonly isSingle: boolean;
  /** Is true if values have tangents. */
  readonly isForward: boolean;
  readonly declared: Declared;
  readonly surroundings: Surroundings;
  readonly received: ReadonlyMap<string, readonly FlatTensor[]>;
  readonly key: readonly [number, number];
  readonly progress: Progress;
}

/** Makes a run: `Run`, unless a fault is planted. */
export type RunOf = new (setting: Setting, trace: Trace) => Runner;

/** A run as those around it see it. */
export interface Runner {
  /** The persistent locations of the entry, once that has begun. */
  readonly places: readonly Place[];
  enter(parameters: readonly Held[], state: readonly Held[]): readonly Held[];
  procedure(
    procedure: Procedure,
    operands: readonly Bound[],
    outer: Names | undefined,
    manner: Manner,
  ): readonly Held[];
  block(block: Block, names: Names, manner: Manner): Leaving | undefined;
  /** Differentiates a procedure at values, and at copies of locations. */
  derived(
    called: Procedure,
    asked: Derivation,
    operands: readonly string[],
    along: string,
    names: Names,
    manner: Manner,
  ): Held;
}

/** This derivative is asked for. */
export type Derivation = Pick<StatementOf<"differentiate">, "mode" | "of" | "wrt">;

/** A block that does not run to its end leaves the loop around, or the procedure with these results. */
export type Leaving = { readonly kind: "break" } | Returning;

export interface Returning {
  readonly kind: "return";
  readonly results: readonly Held[];
}

/** A block runs at a depth of calls, and within `no_grad` it is constant under differentiation. */
export interface Manner {
  readonly depth: number;
  readonly isConstant: boolean;
}

/** The manner of the entry. */
export const stillManner: Manner = { depth: 0, isConstant: false };
