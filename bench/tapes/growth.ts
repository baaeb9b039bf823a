import { floatTapes } from "../../conformance/testees/tapes.ts";
import {
  binomialTape,
  type EnvironmentValue,
  float64,
  keptIn,
  type Measure,
  onlineTape,
  type Subject,
  subjectOf,
  type TapePoint,
  type TapeSystem,
  type Watch,
} from "../../reference/package.ts";
import { expand, InvariantError, isFloatType, isGridName, nodeId, present } from "../../spec/index.ts";
import type { Problem } from "../gradbench/graphs/problem.ts";

/** Tables name a system so. */
export interface NamedSystem {
  readonly name: string;
  readonly system: TapeSystem;
  /** It is asked for runs of at most this many nodes, where memory is the limit, not work. */
  readonly longest?: number;
}

/** Graphs of derivatives have some nodes for each node, and a context for all. */
const LONGEST_GRAPH = 100_000;

/**
 * Lists every tape system over floats, and the two that place snapshots with as many as a run of a million
 * steps wants. Posits and codes are left out, since they take what floats of their width take, but for a
 * scale.
 */
export const measuredSystems: readonly NamedSystem[] = [
  ...floatTapes
    .filter(({ saved = "float64" }) => !isGridName(saved) && isFloatType(saved))
    .map(({ name, system }) => ({
      name,
      system,
      ...(name === "derived" || name === "transposed" ? { longest: LONGEST_GRAPH } : {}),
    })),
  { name: "checkpointed, 20 slots", system: binomialTape(20) },
  { name: "checkpointed-online, 20 slots", system: onlineTape(20) },
];

/** This run is ready to be recorded. */
export interface Prepared {
  readonly subject: Subject<number>;
  readonly point: TapePoint<number>;
}

/** Prepares a problem's graph over float64, with its composites expanded. */
export function prepared({ graph, point }: Problem, watch?: Watch): Prepared {
  const { graph: written } = expand(graph);
  const storage = { keeping: keptIn };
  const subject = subjectOf(written, float64, watch === undefined ? storage : { ...storage, watch });
  if (!subject.ok) throw new InvariantError("floats lack an operation of the graph");
  const environment = new Map(
    graph.environment.map(({ name, kind, shape }): [string, EnvironmentValue<number>] => {
      const flat = present(point.environment.get(name), "an entry of Δ");
      const data = [...flat.data];
      return kind === "real"
        ? [name, { kind, tensor: { shape, data } }]
        : [name, { kind, shape, indices: data }];
    }),
  );
  const x = point.inputs.map(({ shape, data }) => ({ shape, data: [...data] }));
  return { subject: subject.value, point: { x, environment } };
}

/** Measures one sweep from the last node; returns the code of what the system refuses. */
export function measured(
  { system }: NamedSystem,
  { subject, point }: Prepared,
):
  | { readonly kind: "measured"; readonly measure: Measure }
  | { readonly kind: "refused"; readonly code: string } {
  const last = nodeId(subject.shapes.length - 1);
  const recorded = system.record(subject, point, [last]);
  if (!recorded.ok) return { kind: "refused", code: recorded.error.map(({ code }) => code).join(" ") };
  const swept = recorded.value.backward(new Map([[last, { shape: [], data: [1] }]]));
  if (!swept.ok) throw new InvariantError(swept.error.message);
  const measure = recorded.value.measure();
  recorded.value.release();
  return { kind: "measured", measure };
}

/** This is a measure of a run of this many nodes. */
export interface Sized {
  readonly size: number;
  readonly nodes: number;
  readonly measure: Measure;
}

/** A system was followed along a family to this size, and no further for this reason. */
export interface Growth {
  readonly system: string;
  readonly reached: readonly Sized[];
  /** If it is missing, the largest size was reached. */
  readonly stopped?: string;
}

/** One measurement may compute this many nodes, as the one before predicts. */
const MOST_WORK = 10_000_000;

/** Says why a system is not followed to this many nodes; counted, so that machines stop alike. */
export function stopBefore(
  { longest = Number.POSITIVE_INFINITY }: NamedSystem,
  reached: readonly Sized[],
  nodes: number,
): string | undefined {
  if (nodes > longest) return `a graph for more than ${longest.toLocaleString("en")} nodes`;
  const [before, last] = [reached.at(-2), reached.at(-1)];
  if (last === undefined) return undefined;
  const work = (of: Sized): number => 2 * of.nodes + of.measure.recomputedOperations;
  const exponent =
    before === undefined ? 1 : Math.log(work(last) / work(before)) / Math.log(last.nodes / before.nodes);
  const foretold = work(last) * (nodes / last.nodes) ** exponent;
  return foretold > MOST_WORK ? "too slow" : undefined;
}

/** Returns the exponent of growth between the last two sizes; `undefined` if it is 0 or there is one size. */
export function exponentOf(
  reached: readonly Sized[],
  figure: (measure: Measure) => number,
): number | undefined {
  const [before, last] = [reached.at(-2), reached.at(-1)];
  if (before === undefined || last === undefined) return undefined;
  const [from, to] = [figure(before.measure), figure(last.measure)];
  return from > 0 && to > 0 ? Math.log(to / from) / Math.log(last.size / before.size) : undefined;
}
