import type { Graph } from "../graph/graph.ts";
import type { Point, Seed } from "../graph/point.ts";
import type { OperatorName } from "../operators/operators.ts";
import type { NodeId } from "../shapes/node_id.ts";
import type { DataType } from "../wire/precision.ts";
import type {
  Accumulation,
  Conventions,
  EstimateLaw,
  Mode,
  TapeDescription,
  TapeLife,
} from "../wire/protocol.ts";
import type { SavedFormat } from "../wire/saved_format.ts";
import type { FlatTensor } from "../wire/tensor.ts";
import type { ProgramEngine } from "./program_engine.ts";
import type { Reply } from "./reply.ts";
import type { OpenTape } from "./tape_engine.ts";

/** What an engine says of itself. */
export interface Description {
  readonly name: string;
  readonly version: string;
  readonly language: string;
  /** Where it comes from: repository, documentation. */
  readonly links: readonly string[];
  readonly dtypes: readonly DataType[];
  readonly operators: readonly OperatorName[];
  readonly modes: readonly Mode[];
  readonly conventions: Conventions;
  /** The largest error of an operator's forward value, in units in the last place, where it differs from the default standard. */
  readonly accuracy: Partial<Readonly<Record<OperatorName, number>>>;
  /** How operators add up, where it is better than in any order in the precision itself. */
  readonly accumulation?: Partial<Readonly<Record<OperatorName, Accumulation>>>;
  /** The format in which it keeps what a reverse rule reads of a run, where that is narrower than the precision computed in. */
  readonly saved?: SavedFormat;
}

/** The reference's own conventions, to which an engine is held unless it declares others. */
export const referenceConventions: Conventions = {
  maximumAtTie: "first",
  reluAtZero: "zero",
  compositeKinks: "reference",
  subnormals: "gradual",
  zeros: "unsigned",
};

/** Those of an engine that owes the reference's bits. */
export const bitExactConventions: Conventions = { ...referenceConventions, zeros: "signed" };

/**
 * An automatic-differentiation engine, in this process or behind a pipe; the judge cannot tell which.
 * Every answer is awaited and none rejects: a failure is a {@link Reply}.
 */
export interface Engine extends AsyncDisposable {
  /** Whether it may be asked before it has answered, and then answers in order. Else the judge waits for each answer. */
  readonly queues?: boolean;
  describe(): Description;
  /** Prepares a graph for a precision. Loaded programs are independent of each other. */
  load(graph: Graph, dtype: DataType): Promise<Reply<LoadedGraph>>;
  /** The graph that is sent on in place of this one, by an engine that writes composites out for another one. */
  sent?(graph: Graph): Graph;
  /** Where it runs programs with memory itself. */
  readonly programs?: ProgramEngine;
  /** Where its users record tapes, and sweep them: then what it loads has {@link LoadedGraph.record}. */
  readonly tapes?: TapeDescription;
  /** The directions of which it answers forward gradients: then what it loads has {@link LoadedGraph.forwardGradient}. */
  readonly estimates?: readonly EstimateLaw[];
}

/** The direction of a forward gradient: a tangent for each input, or what the engine draws by a law from a seed, which is a natural number below 2³². */
export type Along =
  | { readonly law: "given"; readonly tangents: readonly FlatTensor[] }
  | { readonly law: Exclude<EstimateLaw, "given">; readonly seed: number };

/**
 * A loaded graph. All calls may be repeated in any order; each is a function of its arguments alone.
 * The answers are the caller's to keep.
 */
export interface LoadedGraph {
  /** The value of every node (`ss`), in order; the inputs are not repeated. */
  evaluate(point: Point): Promise<Reply<readonly FlatTensor[]>>;
  /** The tangent of every node along one tangent per input. */
  jvp(point: Point, tangents: readonly FlatTensor[]): Promise<Reply<readonly FlatTensor[]>>;
  /** The cotangent of every input (`Γ`). */
  vjp(point: Point, seeds: readonly Seed[]): Promise<Reply<readonly FlatTensor[]>>;
  /** The cotangent of every id (`Γ ++ ss`), each including its own seed. */
  backwardDense(point: Point, seeds: readonly Seed[]): Promise<Reply<readonly FlatTensor[]>>;
  /**
   * Runs the graph at a point, and keeps what sweeps need that begin at these ids. Tapes are independent of each other and of all other calls. Hooks hang
   * on the ids of `hooks`, which is empty unless the engine promises them.
   */
  record?(
    point: Point,
    life: TapeLife,
    of: readonly NodeId[],
    hooks?: readonly NodeId[],
  ): Promise<Reply<OpenTape>>;
  /** The estimate `(∇f · v) v` of the gradient of `f = Σ ⟨c, node⟩`, over the seeds, for every input, by one forward sweep along `v`. */
  forwardGradient?(point: Point, seeds: readonly Seed[], along: Along): Promise<Reply<readonly FlatTensor[]>>;
  /** Frees what {@link Engine.load} prepared, and its tapes. */
  unload(): Promise<void>;
}

/** What a loaded graph is asked: where, along which tangents, and which cotangents are pulled back. */
export interface Asked {
  readonly point: Point;
  readonly tangents: readonly FlatTensor[];
  readonly seeds: readonly Seed[];
}

/** The answer to what is asked, in one mode. */
export function answerIn(
  program: LoadedGraph,
  mode: Mode,
  { point, tangents, seeds }: Asked,
): Promise<Reply<readonly FlatTensor[]>> {
  switch (mode) {
    case "evaluate":
      return program.evaluate(point);
    case "jvp":
      return program.jvp(point, tangents);
    case "vjp":
      return program.vjp(point, seeds);
    case "backward_dense":
      return program.backwardDense(point, seeds);
  }
}
