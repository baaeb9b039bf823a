import type { Node } from "../../spec/graph/index.ts";
import type { Distribution, Statement } from "../../spec/programs/index.ts";
import type { Shape } from "../../spec/shapes/index.ts";

/*
 * A program in which every name is assigned once [SEMANTICS §10.11]. There is no memory in it: a location is the tensor that it holds at the
 * moment, and a write makes another one. Where control meets, blocks have parameters.
 */

/** A program as functions, the entry first: a procedure is a function for each way in which its references share locations. */
export interface SsaForm {
  readonly functions: readonly SsaFunction[];
}

/** A function: its first block is where it begins, and returns with the results, then with what its locations hold. */
export interface SsaFunction {
  readonly name: string;
  /** Values and the offsets of references, in the order of the procedure; then the contents of the locations. */
  readonly parameters: readonly SsaValue[];
  readonly blocks: readonly SsaBlock[];
}

/** Instructions without a decision among them. */
export interface SsaBlock {
  readonly label: string;
  /** What is different from one jump here to another. */
  readonly parameters: readonly SsaValue[];
  readonly body: readonly SsaInstruction[];
  readonly end: SsaEnd;
}

/** What is assigned once: known by identity, and by a name that no other has in its function. */
export type SsaValue = SsaTensor | SsaCount;

/** A tensor: a value, or the contents of a location. */
export interface SsaTensor {
  readonly kind: "tensor";
  readonly name: string;
  readonly shape: Shape;
}

/** A natural number: the turn of a loop, or where a view begins. */
export interface SsaCount {
  readonly kind: "count";
  readonly name: string;
}

/** A natural number, known or not. */
export type SsaIndex = number | SsaCount;

/** What is passed on: to a function, or to a block. */
export type SsaOperand = SsaTensor | SsaIndex;

/** A view that begins where the run says. */
export interface SsaView {
  readonly offset: SsaIndex;
  readonly shape: Shape;
  readonly strides: readonly number[];
}

/** What is done; `do` tells which. What has a `to` assigns it. */
export type SsaInstruction =
  | {
      readonly do: "apply";
      readonly to: SsaTensor;
      readonly node: Node;
      readonly operands: readonly SsaTensor[];
    }
  /** A number as a scalar. */
  | { readonly do: "scalar"; readonly to: SsaTensor; readonly of: SsaIndex }
  /** `from + Σ of · times`. */
  | { readonly do: "count"; readonly to: SsaCount; readonly from: number; readonly terms: readonly SsaTerm[] }
  /** The contents where the view sees them. */
  | { readonly do: "read"; readonly to: SsaTensor; readonly contents: SsaTensor; readonly view: SsaView }
  /** The contents with other elements where the view sees them. */
  | {
      readonly do: "write";
      readonly to: SsaTensor;
      readonly contents: SsaTensor;
      readonly view: SsaView;
      readonly from: SsaTensor;
      readonly statement: Statement;
    }
  /** From the generator, which counts on, or with a key. Draws, receipts and sendings happen in their order. */
  | {
      readonly do: "draw";
      readonly to: SsaTensor;
      readonly from: Distribution;
      readonly key: readonly [SsaIndex, SsaIndex] | undefined;
    }
  | { readonly do: "receive"; readonly to: SsaTensor; readonly channel: string }
  | { readonly do: "send"; readonly channel: string; readonly from: SsaTensor }
  | { readonly do: "retain"; readonly of: SsaTensor }
  /** Results, then the contents of the locations that were passed. */
  | {
      readonly do: "call";
      readonly to: readonly SsaTensor[];
      readonly callee: string;
      readonly operands: readonly SsaOperand[];
    }
  | {
      readonly do: "differentiate";
      readonly to: SsaTensor;
      readonly callee: string;
      readonly mode: "vjp" | "jvp";
      readonly of: number;
      readonly wrt: number;
      readonly operands: readonly SsaTensor[];
    };

/** So many times a number. */
export interface SsaTerm {
  readonly of: SsaCount;
  readonly times: number;
}

/** Where control goes on, and what is different there. */
export interface SsaJump {
  readonly label: string;
  readonly operands: readonly SsaOperand[];
}

/** How a block ends. A `branch` is a decision. */
export type SsaEnd =
  | { readonly kind: "jump"; readonly to: SsaJump }
  | {
      readonly kind: "branch";
      readonly condition: SsaTensor;
      readonly body: SsaJump;
      readonly otherwise: SsaJump;
    }
  /** A loop that was told how often. */
  | {
      readonly kind: "turn";
      readonly turn: SsaIndex;
      readonly times: number;
      readonly body: SsaJump;
      readonly after: SsaJump;
    }
  | { readonly kind: "return"; readonly values: readonly SsaTensor[] }
  /** No run goes on here: the name is written through a view that sees an element twice. */
  | { readonly kind: "stop"; readonly name: string };
