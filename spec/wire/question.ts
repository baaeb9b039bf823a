import type { Graph } from "../graph/index.ts";
import type { PointJson } from "./case.ts";
import type { DataType } from "./precision.ts";
import type { HelloReply } from "./protocol.ts";
import type { TensorJson } from "./tensor.ts";

/** A function can be asked for its values, and for derivatives in either direction, in this order. */
export const functionModes = ["evaluate", "vjp", "jvp"] as const;
export type FunctionMode = (typeof functionModes)[number];

/** Numbers of these classes are drawn beside generic ones. */
export type Special = "ends" | "kinks" | "equal" | "zeros" | "small" | "large" | "infinite" | "nan";

/** A range on the wire says which tensors a function can be asked at; one without members is all. */
export interface DomainPartJson<T = TensorJson> {
  readonly low?: number;
  readonly high?: number;
  /** Numbers are near to these, and elsewhere of their size. */
  readonly like?: T;
  /** Rows of the last axis sum to 1 or are sorted, matrices of the last two are positive definite. */
  readonly values?: "positive" | "probabilities" | "spd" | "sorted" | "normal";
  /** They are integers from 0 up to and without this one. */
  readonly integers?: number;
  /** Which special numbers are drawn: all but infinities and NaN unless told. */
  readonly special?: readonly Special[];
}

/** A function with derivatives of its own, as a question on the wire; `docs/protocol.md` is the text. */
export interface QuestionJson extends Pick<HelloReply, "accuracy" | "accumulation"> {
  readonly format: "adjudge.question.v1";
  readonly name: string;
  readonly graph: Graph;
  readonly outputs: readonly number[];
  readonly environment: PointJson["environment"];
  readonly wrt?: readonly number[];
  readonly modes: readonly FunctionMode[];
  readonly dtype: DataType;
  readonly points: number;
  readonly seed: number;
  readonly at?: readonly PointJson[];
  readonly domain?: {
    readonly inputs?: readonly DomainPartJson[];
    readonly environment?: { readonly [name: string]: DomainPartJson };
  };
  /** The function is this derivative of the graph, of which the next is taken, and so on. */
  readonly derive?: readonly ("vjp" | "jvp")[];
  readonly digits?: number;
  readonly sources?: readonly (string | null)[];
  /** It can be brought again for smaller extents of its inputs. */
  readonly resizes?: boolean;
  /** The graph holds at one point alone, where a branch was taken: it is brought again for each. */
  readonly pointwise?: boolean;
}

/** The verdict on a question, on the wire. */
export interface FunctionVerdictJson {
  readonly kind: "agrees" | "disagrees" | "differs" | "imprecise" | "undecided" | "unsupported" | "crashed";
  /** One line, and all that is told. */
  readonly headline: string;
  readonly text: string;
  readonly points: number;
  readonly numbers: number;
  readonly decided: number;
  /** `disagrees`, `differs` and `imprecise` have one: what was asked, answered, and is right. */
  readonly witness?: {
    readonly point: PointJson;
    readonly seeds: readonly { readonly id: number; readonly cotangent: TensorJson }[];
    readonly tangents: readonly TensorJson[];
    readonly mode: FunctionMode;
    /** The input (`vjp`) or output whose number is wrong, by place, and where in it. */
    readonly place: number;
    readonly element: readonly number[];
    readonly answered: string;
    readonly expected: string;
    readonly allowed: string;
    readonly blame: string;
  };
}
