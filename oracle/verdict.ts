import type { Mode } from "../engines/index.ts";
import type { NodeId, OperatorName } from "../spec/index.ts";
import type { Case } from "./case.ts";

/** What was asked when the answer was wrong: a mode of the engine, or a law between its own answers. */
export type Question =
  | Mode
  | "adjointness"
  | "linearity"
  | "repeatability"
  | "order independence"
  | "forward = reverse";

/** The one node whose own inputs were right and whose output is not. */
export interface Blame {
  readonly id: NodeId;
  /** The node's operator; for an input, whose cotangent only accumulates, `undefined`. */
  readonly op: OperatorName | undefined;
  /** What is wrong at the node: its value, its tangent, the cotangents it hands on, or their sum. */
  readonly part: "value" | "tangent" | "cotangent" | "accumulation";
  readonly sentence: string;
}

/** Everything needed to see a disagreement again, and to believe it. Numbers are in exact text form. */
export interface Witness {
  readonly case: Case;
  readonly question: Question;
  /** The id and element of the first component that is out of bounds. */
  readonly id: NodeId;
  readonly element: number;
  readonly answer: string;
  /** The true value, or for a law the value it must equal. */
  readonly expected: string;
  /** The derived bound on |answer − expected|. */
  readonly bound: string;
  readonly blame: Blame;
}

/** The outcome of one case. An approximation or a time-out is never an accusation; a case not run is never green. */
export type Verdict =
  | { readonly kind: "agrees" }
  | { readonly kind: "disagrees"; readonly witness: Witness }
  | { readonly kind: "undecided"; readonly cause: string }
  | { readonly kind: "unsupported"; readonly reason: string }
  | { readonly kind: "crashed"; readonly message: string };
