import type { Graph } from "../../spec/graph/index.ts";
import type { OperatorName } from "../../spec/operators/index.ts";
import type { NodeId } from "../../spec/shapes/index.ts";
import type { TapeCase } from "../../spec/tapes/index.ts";
import type { Case } from "../case/index.ts";
import type { Finding } from "./finding.ts";

/** The one node whose own inputs were right and whose output is not. */
export interface Blame {
  readonly id: NodeId;
  /** The node's operator; for an input, whose cotangent only accumulates, `undefined`. */
  readonly op: OperatorName | undefined;
  /** What is wrong at the node: its value, its tangent, the cotangents it hands on, or their sum. */
  readonly part: "value" | "tangent" | "cotangent" | "accumulation";
  readonly sentence: string;
}

/** Everything needed to see a disagreement again, and to believe it: the finding, its case, and who is to blame. */
export interface Witness extends Finding {
  readonly case: Case;
  /** What the engine was sent in place of the case's graph, where composites that it lacks were written out. */
  readonly sent?: Graph;
  readonly blame: Blame;
  /** Of a sweep of a tape: all that was done, and the step that went wrong, of which `case` is the question about the graph. */
  readonly script?: { readonly case: TapeCase; readonly step: number };
}

/** The outcome of one case. An approximation or a time-out is never an accusation; a case not run is never green. */
export type Verdict =
  | { readonly kind: "agrees" }
  | { readonly kind: "disagrees"; readonly witness: Witness }
  | { readonly kind: "undecided"; readonly cause: string }
  | { readonly kind: "unsupported"; readonly reason: string }
  /** `case` is the smallest case found that leads to the same message, where the engine survives it. */
  | { readonly kind: "crashed"; readonly message: string; readonly case?: Case };
