import type { Graph, Point, Seed } from "../graph/index.ts";
import type { NodeId } from "../shapes/index.ts";
import type { PointJson, SeedJson, TapeLife } from "../wire/index.ts";

/** A refusal is `never` right, `may` be right, or is the only right answer. */
export type Refusal = "never" | "may" | "must";

/** A tape case: graphs, and what is done with tapes of them. */
export interface TapeCase {
  readonly graphs: readonly Graph[];
  readonly steps: readonly TapeStep[];
  readonly note?: string;
}

/** Runs a graph at a point, and keeps under a name what sweeps need. */
export interface RecordStep {
  readonly do: "record";
  readonly tape: string;
  /** The graph has this place among the case's graphs. */
  readonly graph: number;
  readonly point: Point;
  readonly life: TapeLife;
  /** The ids that seeds may stand at. */
  readonly of: readonly NodeId[];
  /** A user's hook hangs on these ids; there is no hook without them. */
  readonly hooks?: readonly NodeId[];
}

/** Asks a tape for the cotangents of the inputs. */
export interface SweepStep {
  readonly do: "sweep";
  readonly tape: string;
  /** These fit the graph, unless the sweep must be refused. */
  readonly seeds: readonly Seed[];
  /** A refusal is never right, may be right, or is the only right answer. */
  readonly refuse: Refusal;
  /** Begun before the step before it, a sweep too, is answered. */
  readonly together?: true;
}

/** Gives up what a tape keeps; twice is once. */
export interface ReleaseStep {
  readonly do: "release";
  readonly tape: string;
}

/** One thing that is done with a tape. */
export type TapeStep = RecordStep | SweepStep | ReleaseStep;

/** {@link TapeStep} as JSON. */
export type TapeStepJson =
  | (Omit<RecordStep, "point" | "of" | "hooks"> & {
      readonly point: PointJson;
      readonly of: readonly number[];
      readonly hooks?: readonly number[];
    })
  | (Omit<SweepStep, "seeds"> & { readonly seeds: readonly SeedJson[] })
  | ReleaseStep;

/** {@link TapeCase} as JSON. */
export interface TapeCaseJson {
  readonly format: "adjudge.tape-case.v1";
  readonly graphs: readonly Graph[];
  readonly steps: readonly TapeStepJson[];
  readonly note?: string;
}
