import type { OperatorName } from "../composites/index.ts";
import type { Graph, Point, Seed } from "../graph/index.ts";
import type { NodeId } from "../shapes/index.ts";
import type {
  Accumulation,
  Conventions,
  DataType,
  EstimateLaw,
  FlatTensor,
  Limits,
  Mode,
  SavedFormat,
  TapeDescription,
  TapeLife,
} from "../wire/index.ts";
import type { ProgramEngine } from "./program_engine.ts";
import type { Reply } from "./reply.ts";
import type { OpenTape } from "./tape_engine.ts";

/** An engine describes itself by these. */
export interface Description {
  readonly name: string;
  readonly version: string;
  readonly language: string;
  /** Links to its repository and documentation. */
  readonly links: readonly string[];
  readonly dtypes: readonly DataType[];
  readonly operators: readonly OperatorName[];
  readonly modes: readonly Mode[];
  readonly conventions: Conventions;
  /** The largest errors of operators' values, in units in the last place, unless they have the default. */
  readonly accuracy: Partial<Readonly<Record<OperatorName, number>>>;
  /** Operators add up so, if that is better than any order in the precision itself. */
  readonly accumulation?: Partial<Readonly<Record<OperatorName, Accumulation>>>;
  /** It promises no more of its operators than this. */
  readonly limits?: Limits;
  /** If it has limits, the expansions of these composites must lie within them. */
  readonly written?: readonly OperatorName[];
  /** The format of the forward values that it keeps for its reverse sweep, if narrower than the precision. */
  readonly saved?: SavedFormat;
  /** Its slopes keep their digits where they decay; undeclared, they may be taken from the value. */
  readonly slopes?: "accurate";
  /** It gives a question the same answer, to the bit, whenever it is asked; undeclared it owes its bounds. */
  readonly repeatable?: boolean;
}

/** The reference's conventions, to which an engine is held unless it declares others. */
export const referenceConventions: Conventions = {
  maximumAtTie: "first",
  reluAtZero: "zero",
  compositeKinks: "reference",
  subnormals: "gradual",
  zeros: "unsigned",
};

/** The conventions of an engine that owes the reference's bits. */
export const bitExactConventions: Conventions = {
  ...referenceConventions,
  zeros: "signed",
  zeroCotangents: "sparse",
  singularPoints: "reference",
};

/**
 * An automatic-differentiation engine, in this process or behind a pipe; the judge cannot tell which. Every
 * answer is awaited and none rejects: a failure is a {@link Reply}.
 */
export interface Engine extends AsyncDisposable {
  /** It takes questions before it has answered, and answers in order; by default the judge waits. */
  readonly queues?: boolean;
  /** Is told that those whose answers were lost at its end are asked again, so that it does not count. */
  forgive?(): void;
  describe(): Description;
  /** Prepares a graph for a precision. Loaded graphs are independent of each other. */
  load(graph: Graph, dtype: DataType): Promise<Reply<LoadedGraph>>;
  /** Returns the graph that is sent in place of this one, if composites are expanded on the way. */
  sent?(graph: Graph): Graph;
  /** Is present if it runs programs with memory itself. */
  readonly programs?: ProgramEngine;
  /** Is present if its users record and sweep tapes; then graphs have {@link LoadedGraph.record}. */
  readonly tapes?: TapeDescription;
  /** The directions of its forward gradients; then graphs have {@link LoadedGraph.forwardGradient}. */
  readonly estimates?: readonly EstimateLaw[];
}

/** The direction of a forward gradient: given tangents, or a draw by a law from a seed below 2³². */
export type Along =
  | { readonly law: "given"; readonly tangents: readonly FlatTensor[] }
  | { readonly law: Exclude<EstimateLaw, "given">; readonly seed: number };

/**
 * A loaded graph. All calls may be repeated in any order; each is a function of its arguments alone. The
 * caller may keep the answers.
 */
export interface LoadedGraph {
  /** Computes the value of every node (`ss`), in order, without the inputs. */
  evaluate(point: Point): Promise<Reply<readonly FlatTensor[]>>;
  /** Computes the tangent of every node along one tangent per input. */
  jvp(point: Point, tangents: readonly FlatTensor[]): Promise<Reply<readonly FlatTensor[]>>;
  /** Computes the cotangent of every input (`Γ`). */
  vjp(point: Point, seeds: readonly Seed[]): Promise<Reply<readonly FlatTensor[]>>;
  /** Computes the cotangent of every id (`Γ ++ ss`), each including its own seed. */
  backwardDense(point: Point, seeds: readonly Seed[]): Promise<Reply<readonly FlatTensor[]>>;
  /**
   * Runs the graph at a point, and keeps what sweeps from these ids need. Tapes are independent of everything
   * else. Hooks are attached to the ids of `hooks`, which is empty unless the engine promises hooks.
   */
  record?(
    point: Point,
    life: TapeLife,
    of: readonly NodeId[],
    hooks?: readonly NodeId[],
  ): Promise<Reply<OpenTape>>;
  /** Estimates the gradient of `f = Σ ⟨c, node⟩` over the seeds by `(∇f · v) v`, in one forward sweep. */
  forwardGradient?(point: Point, seeds: readonly Seed[], along: Along): Promise<Reply<readonly FlatTensor[]>>;
  /** Frees what {@link Engine.load} prepared, and its tapes. */
  unload(): Promise<void>;
}

/** A loaded graph is asked at a point, with tangents, and cotangents to pull back. */
export interface Asked {
  readonly point: Point;
  readonly tangents: readonly FlatTensor[];
  readonly seeds: readonly Seed[];
}

/** Asks a loaded graph in one mode. */
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
