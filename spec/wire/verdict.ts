import type { OperatorName } from "../composites/index.ts";
import type { TapeCaseJson } from "../tapes/index.ts";
import type { CaseJson } from "./case.ts";
import type { Mode } from "./protocol.ts";

/** A law between an engine's own answers. */
export type LawName =
  | "adjointness"
  | "linearity"
  | "repeatability"
  | "order independence"
  | "forward = reverse";

/** The JSON form of a witness: all that shows a disagreement again. Numbers are exact texts. */
export interface WitnessJson {
  readonly case: CaseJson;
  readonly question: Mode | "sweep" | "hook" | LawName;
  readonly id: number;
  readonly element: number;
  readonly answer: string;
  readonly expected: string;
  readonly bound: string;
  readonly blame: BlameJson;
  /** A sweep of a tape has its script, and the step that went wrong. */
  readonly script?: { readonly case: TapeCaseJson; readonly step: number };
}

/** The JSON form of the blame; without `op` the id is an input's. */
export interface BlameJson {
  readonly id: number;
  readonly op?: OperatorName;
  readonly part: "value" | "tangent" | "cotangent" | "accumulation";
  readonly sentence: string;
}

/** The JSON form of a verdict. */
export type VerdictJson =
  | { readonly kind: "agrees" }
  | { readonly kind: "disagrees"; readonly witness: WitnessJson }
  | { readonly kind: "undecided"; readonly cause: string }
  | { readonly kind: "unsupported"; readonly reason: string }
  | { readonly kind: "crashed"; readonly message: string; readonly case?: CaseJson };
