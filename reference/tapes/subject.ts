import type { PrimitiveGraph } from "../../spec/graph/index.ts";
import type { Additive, Algebra, Issue, Result, Semiring, Shape } from "../../spec/shapes/index.ts";
import type { SavedFormat } from "../../spec/wire/index.ts";
import type { Context } from "../context.ts";
import type { Environment } from "../environment.ts";
import { contextShapes, type GraphData } from "../graph.ts";
import { interpret } from "../interpret.ts";
import type { Tensor } from "../tensor.ts";
import type { Encoded } from "./encoded.ts";
import type { Watch } from "./meter.ts";

/** A graph as it was written, and what graphs mean over the algebra: for systems that write other graphs. */
export interface Written<S> {
  readonly graph: PrimitiveGraph;
  /** Numbers, where the algebra has some. */
  readonly semiring: Semiring<S> | undefined;
  /** Fails as {@link interpret} does. */
  meaningOf(graph: PrimitiveGraph): Result<GraphData<S>, Issue[]>;
}

/** A tape records this: three functions for each node, and a graph unless they were written by hand. */
export interface Subject<S> {
  readonly additive: Additive<S>;
  readonly data: GraphData<S>;
  /** The shapes of Γ and of all nodes. */
  readonly shapes: readonly Shape[];
  readonly written: Written<S> | undefined;
  /** A stored element takes so many bits. */
  readonly bitsPerElement: number;
  /** Keeps a value in a narrower format; where elements are no floats, none is narrower. */
  readonly keeping: ((format: SavedFormat) => (value: Tensor<S>) => Encoded<S>) | undefined;
  /** Is told what a tape of it reads and writes. */
  readonly watch?: Watch | undefined;
}

/** Elements are stored so. */
export type Storage<S> = Partial<Pick<Subject<S>, "bitsPerElement" | "keeping" | "watch">>;

/** A subject is recorded at this point. */
export interface TapePoint<S> {
  readonly x: Context<S>;
  readonly environment: Environment<S>;
}

/** A double has so many bits. */
const USUAL_BITS = 64;

/** Returns a graph of primitives over an algebra. Fails as {@link interpret} does. */
export function subjectOf<S, B>(
  graph: PrimitiveGraph,
  algebra: Algebra<S, B>,
  storage: Storage<S> = {},
): Result<Subject<S>, Issue[]> {
  const meaning = interpret(graph, algebra);
  if (!meaning.ok) return meaning;
  const written: Written<S> = {
    graph,
    semiring: algebra.levels.semiring,
    meaningOf: (other) => interpret(other, algebra),
  };
  return { ok: true, value: subjectOfData(algebra.additive, meaning.value, written, storage) };
}

/** Returns graph data, which owe no law. Systems that need the written graph refuse data without it. */
export function subjectOfData<S>(
  additive: Additive<S>,
  data: GraphData<S>,
  written?: Written<S>,
  { bitsPerElement = USUAL_BITS, keeping, watch }: Storage<S> = {},
): Subject<S> {
  return { additive, data, shapes: contextShapes(data), written, bitsPerElement, keeping, watch };
}
