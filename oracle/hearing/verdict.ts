import type { OperatorName } from "../../spec/composites/index.ts";
import type { Graph } from "../../spec/graph/index.ts";
import type { NodeId } from "../../spec/shapes/index.ts";
import type { TapeCase } from "../../spec/tapes/index.ts";
import type { Case } from "../case/index.ts";
import type { Finding } from "./finding.ts";

/** The node to blame is the one whose own inputs were right and whose output is not. */
export interface Blame {
  readonly id: NodeId;
  /** This is the node's operator; `undefined` for an input, whose cotangent only accumulates. */
  readonly op: OperatorName | undefined;
  /** This is wrong at the node: its value, its tangent, the cotangents it hands on, or their sum. */
  readonly part: "value" | "tangent" | "cotangent" | "accumulation";
  readonly sentence: string;
}

/** A witness lets anybody see a disagreement again and believe it: finding, case, and who is to blame. */
export interface Witness extends Finding {
  readonly case: Case;
  /** The engine was sent this in place of the case's graph, with composites that it lacks expanded. */
  readonly sent?: Graph;
  readonly blame: Blame;
  /** If a tape's sweep went wrong, this has all that was done; `case` asks about the graph. */
  readonly script?: { readonly case: TapeCase; readonly step: number };
}

/** A verdict is of one case. An approximation or a time-out never accuses; no case run is never green. */
export type Verdict =
  | { readonly kind: "agrees" }
  | { readonly kind: "disagrees"; readonly witness: Witness }
  | { readonly kind: "undecided"; readonly cause: string }
  | { readonly kind: "unsupported"; readonly reason: string }
  /** `case` is the smallest case found that leads to the same message, if the engine survives it. */
  | { readonly kind: "crashed"; readonly message: string; readonly case?: Case };
