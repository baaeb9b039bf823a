/**
 * The messages between the judge and an engine in another process, as types; `docs/protocol.md` is the text
 * and `spec/schema/protocol.schema.json` the schema. Both ends share them.
 */

import type { OperatorName } from "../composites/index.ts";
import type { Graph } from "../graph/index.ts";
import type { Program, StatementKind } from "../programs/index.ts";
import type { Shape } from "../shapes/index.ts";
import type { PointJson, SeedJson } from "./case.ts";
import type { DataType, SavedFormat } from "./precision.ts";
import type { FunctionVerdictJson } from "./question.ts";
import type { TensorJson } from "./tensor.ts";

/** The version of the protocol, in both `hello`s. */
export const PROTOCOL_VERSION = 1;

/** The most characters of a reason or a message. */
export const MAXIMUM_WORDS: number = 2 ** 16;

/** The most tapes of all loaded graphs that are not released, at one time. */
export const MAXIMUM_TAPES = 64;

/** A tape can be swept once, or as often as one likes until it is released. */
export type TapeLife = "once" | "until released";

/** An engine describes its tapes by these. Lives are promises. */
export interface TapeDescription {
  readonly lives: readonly TapeLife[];
  /** Is true if the engine releases tapes. If not, the judge sweeps a released tape no more. */
  readonly releases: boolean;
  /** Is there where the engine's users hang functions on what they record, which a sweep calls. */
  readonly hooks?: true;
}

/** An engine can be asked for one of these. */
export type Mode = "evaluate" | "jvp" | "vjp" | "backward_dense";

/**
 * An engine chooses these where the mathematics leaves a choice [SEMANTICS §6.5]. A declared choice is judged
 * as a choice; what is not declared is judged by the reference's convention.
 */
export interface Conventions {
  /** It says who gets the cotangent of `maximum` at a tie. Reference: `first`. */
  readonly maximumAtTie: "first" | "second" | "split" | "both" | "neither";
  /** The derivative of `relu` at 0. Reference: `zero`. */
  readonly reluAtZero: "zero" | "half" | "one";
  /**
   * Composites have the reference's derivatives at their kinks and ties (`abs` at 0, `max` of equal
   * elements), or any that lie between those of either side. Reference: `reference`.
   */
  readonly compositeKinks: "reference" | "own";
  /** Subnormal numbers are computed with, or replaced by zero. Reference: `gradual`. */
  readonly subnormals: "gradual" | "flushed";
  /**
   * A zero among the values has the sign that IEEE 754 gives it, or either. Taken for `unsigned`, though the
   * reference's zeros have their signs.
   */
  readonly zeros: "signed" | "unsigned";
  /**
   * It says what `maximum` is where an operand is NaN: NaN, the other operand, as IEEE 754-2008's `maxNum`,
   * or the operand at one place, as `x < y ? y : x` and `y < x ? x : y` have it. Unless declared, any.
   */
  readonly maximumAtNaN?: "nan" | "number" | "first" | "second";
  /** It says what `relu` is of NaN. Unless declared, either. */
  readonly reluAtNaN?: "nan" | "zero";
  /**
   * It says whether cotangents of 0 are left out, or multiplied by slopes that are infinite or no number,
   * which makes NaN [SEMANTICS §4]. Unless declared, either.
   */
  readonly zeroCotangents?: "sparse" | "dense";
  /**
   * Where a value, a slope or what comes is no finite number, IEEE 754's answer to the reference's formula is
   * given, or an own one. Taken for `own`.
   */
  readonly singularPoints?: "reference" | "own";
}

/**
 * It says how an operator adds up many numbers, in its value and in its derivatives. What is not declared is
 * bounded for any order in the precision that is computed in.
 */
export interface Accumulation {
  /**
   * Partial sums, and the products in them, are held in this width before one rounding to the precision that
   * is computed in; `exact`: the true sum is rounded. A width that is no wider changes nothing.
   */
  readonly width?: "float32" | "float64" | "exact";
  /**
   * `sequential`: one after the other, in the row-major order of what is summed, in the precision itself; a
   * primitive alone has such an order.
   */
  readonly order?: "any" | "sequential";
}

/** Promised values: each number or text in one is among these, within the bounds, and of the form. */
export interface Limit {
  readonly among?: readonly (number | string | boolean)[];
  readonly least?: number;
  readonly greatest?: number;
  readonly form?: "integer" | "last" | "trailing" | "symmetric";
}

/** By operator the limits of its attributes, `ranks` and `extents`; those of `every` hold everywhere. */
export type Limits = Readonly<Record<string, Readonly<Record<string, Limit>>>>;

/** Asks the testee who it is; the first request. */
export interface HelloRequest {
  readonly id: number;
  readonly kind: "hello";
  readonly protocol: typeof PROTOCOL_VERSION;
}

/** Prepares a graph, under a number of the judge's choice, for a precision. */
export interface LoadRequest {
  readonly id: number;
  readonly kind: "load";
  readonly program: number;
  readonly dtype: DataType;
  readonly graph: Graph;
}

/** Asks for the value of every node. */
export interface EvaluateRequest {
  readonly id: number;
  readonly kind: "evaluate";
  readonly program: number;
  readonly point: PointJson;
}

/** Asks for the tangent of every node along one tangent per input. */
export interface JvpRequest {
  readonly id: number;
  readonly kind: "jvp";
  readonly program: number;
  readonly point: PointJson;
  readonly tangents: readonly TensorJson[];
}

/** Asks for the cotangent of every input (`vjp`) or of every id (`backward_dense`). */
export interface PullbackRequest {
  readonly id: number;
  readonly kind: "vjp" | "backward_dense";
  readonly program: number;
  readonly point: PointJson;
  readonly seeds: readonly SeedJson[];
}

/** Prepares a program with memory, under a number of the judge's, in a precision: a session begins. */
export interface LoadProgramRequest {
  readonly id: number;
  readonly kind: "load_program";
  readonly program: number;
  readonly dtype: DataType;
  readonly source: Program;
}

/** Asks for one call of a loaded program's entry, and a derivative of it. */
export interface RunRequest {
  readonly id: number;
  readonly kind: "run";
  readonly program: number;
  readonly mode: "evaluate" | "jvp" | "vjp";
  readonly parameters: readonly TensorJson[];
  readonly environment: PointJson["environment"];
  readonly received: { readonly [channel: string]: readonly TensorJson[] };
  /** The session begins anew with this; without it the call finds what the last one has left. */
  readonly session?: {
    readonly state: readonly TensorJson[];
    readonly generator: { readonly key: readonly [number, number]; readonly drawn: number };
  };
  /** The parameters have these, then the persistent locations; only `jvp` has some. */
  readonly tangents: readonly TensorJson[];
  /** Results have these, by their places; only `vjp` has some. */
  readonly seeds: readonly SeedJson[];
}

/** Runs a loaded graph at a point, and saves under the judge's number what sweeps from some ids need. */
export interface RecordRequest {
  readonly id: number;
  readonly kind: "record";
  readonly program: number;
  readonly tape: number;
  readonly point: PointJson;
  readonly life: TapeLife;
  /** Seeds may be put at these ids. */
  readonly of: readonly number[];
  /** Hooks are attached to these ids; to none if it is left out. */
  readonly hooks?: readonly number[];
}

/** Asks for every input's cotangent by a sweep of a tape. The engine may refuse seeds that do not fit. */
export interface SweepRequest {
  readonly id: number;
  readonly kind: "sweep";
  readonly tape: number;
  readonly seeds: readonly SeedJson[];
}

/** The directions of an engine's forward gradients: given ones, and those that it draws by a law. */
export const estimateLaws = ["given", "rademacher", "gaussian"] as const;
export type EstimateLaw = (typeof estimateLaws)[number];

/** A forward gradient's direction on the wire: a tangent for each input, or a law and a draw's seed. */
export type AlongJson =
  | { readonly law: "given"; readonly tangents: readonly TensorJson[] }
  | { readonly law: Exclude<EstimateLaw, "given">; readonly seed: number };

/** Asks for the estimate `(∇f · v) v` of the gradient of `f = Σ ⟨c, node⟩` by one sweep along `v`. */
export interface ForwardGradientRequest {
  readonly id: number;
  readonly kind: "forward_gradient";
  readonly program: number;
  readonly point: PointJson;
  readonly seeds: readonly SeedJson[];
  readonly along: AlongJson;
}

/** Gives up what a tape keeps. */
export interface ReleaseRequest {
  readonly id: number;
  readonly kind: "release";
  readonly tape: number;
}

/**
 * Asks for the next question about a function of the testee's own, under a number of the judge's; with `like`
 * for that question once more: at other shapes of its inputs, or as the function is at a point.
 */
export interface BringRequest {
  readonly id: number;
  readonly kind: "bring";
  readonly program: number;
  readonly like?: number;
  readonly shapes?: readonly Shape[];
  readonly at?: PointJson;
}

/** Tells what was found out about a question; that, and all brought like it, is asked no more. */
export interface VerdictRequest {
  readonly id: number;
  readonly kind: "verdict";
  readonly program: number;
  readonly verdict: FunctionVerdictJson;
}

/** Frees what `load` or `load_program` prepared, and the tapes of the graph. */
export interface UnloadRequest {
  readonly id: number;
  readonly kind: "unload";
  readonly program: number;
}

/** The judge sends one of these. */
export type RequestMessage =
  | HelloRequest
  | LoadRequest
  | EvaluateRequest
  | JvpRequest
  | PullbackRequest
  | LoadProgramRequest
  | RunRequest
  | RecordRequest
  | SweepRequest
  | ReleaseRequest
  | ForwardGradientRequest
  | UnloadRequest
  | BringRequest
  | VerdictRequest;

/** A testee says this of itself. Its operators, precisions and modes are promises. */
export interface HelloReply {
  readonly id: number;
  readonly kind: "hello";
  readonly protocol: typeof PROTOCOL_VERSION;
  readonly name: string;
  readonly version: string;
  readonly language: string;
  readonly links: readonly string[];
  readonly dtypes: readonly DataType[];
  readonly operators: readonly OperatorName[];
  readonly modes: readonly Mode[];
  readonly conventions?: Partial<Conventions>;
  /** The largest error of an operator's forward value in ulps, where it is not the default profile's. */
  readonly accuracy?: Partial<Readonly<Record<OperatorName, number>>>;
  /** It says how operators add up, where it is better than in any order in the precision. */
  readonly accumulation?: Partial<Readonly<Record<OperatorName, Accumulation>>>;
  /** What it promises of its operators, where that is not all. */
  readonly limits?: Limits;
  /** The format in which it keeps what a reverse rule reads, if narrower than that it computes in. */
  readonly saved?: SavedFormat;
  /** Slopes keep their digits where they decay, as that of `tanh` does. */
  readonly slopes?: "accurate";
  /** It gives a question the same answer, to the bit, whenever it is asked. */
  readonly repeatable?: boolean;
  /** It describes the tapes that users record and sweep; without it the testee is asked for none. */
  readonly tapes?: TapeDescription;
  /** The directions of which it answers forward gradients; without them it is asked for none. */
  readonly estimates?: readonly EstimateLaw[];
  /** The statements of programs that it runs; without them it is asked for the graphs of their runs. */
  readonly statements?: readonly StatementKind[];
  /** It knows other names of persistent locations; else its programs begin with views instead. */
  readonly aliases?: true;
  /** It brings questions about functions of its own. */
  readonly brings?: boolean;
  /** It says whose random numbers its programs draw. */
  readonly draws?: "state" | "own";
}

/** The question that `bring` asks for, to be checked by itself; `done` if there is none left. */
export interface QuestionReply {
  readonly id: number;
  readonly kind: "question";
  readonly question: object;
}

/** `load`, `load_program`, `record`, `release` and `unload` went well. */
export interface DoneReply {
  readonly id: number;
  readonly kind: "done";
}

/** The tensors asked for, in order. */
export interface TensorsReply {
  readonly id: number;
  readonly kind: "tensors";
  readonly tensors: readonly TensorJson[];
  /** A sweep of a tape with hooks reports their calls, in order. */
  readonly calls?: readonly SeedJson[];
}

/** A call of a program has left this behind. */
export interface RanReply {
  readonly id: number;
  readonly kind: "ran";
  readonly results: readonly TensorJson[];
  /** The persistent locations hold this when all is done, a sweep included. */
  readonly state: readonly TensorJson[];
  readonly sent: readonly { readonly channel: string; readonly value: TensorJson }[];
  /** The state's generator has been drawn from so often. */
  readonly drawn: number;
  /** An engine with its own generator has drawn these, in order. */
  readonly draws?: readonly TensorJson[];
  /** `vjp`: cotangents of parameters and locations; `jvp`: tangents of results and locations. */
  readonly derivative: readonly TensorJson[];
  /** `vjp`: the cotangent of the value at each execution of `retain`. */
  readonly retained: readonly TensorJson[];
}

/** The engine says no: a program has overwritten what its sweep needs, or a tape cannot be swept. */
export interface RefusedReply {
  readonly id: number;
  readonly kind: "refused";
  readonly reason: string;
  /** The calls of hooks before it was refused, if there were any. */
  readonly calls?: readonly SeedJson[];
}

/** The engine does not have this; never an accusation. */
export interface UnsupportedReply {
  readonly id: number;
  readonly kind: "unsupported";
  readonly reason: string;
}

/** It should have worked and did not. */
export interface ErrorReply {
  readonly id: number;
  readonly kind: "error";
  readonly message: string;
}

/** A testee sends these. */
export type ReplyMessage =
  | HelloReply
  | DoneReply
  | QuestionReply
  | TensorsReply
  | RanReply
  | RefusedReply
  | UnsupportedReply
  | ErrorReply;
