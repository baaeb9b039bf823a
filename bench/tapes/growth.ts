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

/** A system under the name that the tables have. */
export interface NamedSystem {
  readonly name: string;
  readonly system: TapeSystem;
  /** The longest run that it is asked for, in nodes, where memory and not work is in the way. */
  readonly longest?: number;
}

/** Graphs of derivatives have some nodes for each, and a context for all. */
const LONGEST_GRAPH = 100_000;

/**
 * Every tape system over floats, and the two that place snapshots with as many as a run of a million steps wants. Posits and codes take what floats of their width
 * take, but for a scale, and are left out.
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

/** A run ready to be recorded. */
export interface Prepared {
  readonly subject: Subject<number>;
  readonly point: TapePoint<number>;
}

/** The graph of a problem over float64, its composites written out. */
export function prepared({ graph, point }: Problem, watch?: Watch): Prepared {
  const { graph: written } = expand(graph);
  const storage = { keeping: keptIn };
  const subject = subjectOf(written, float64, watch === undefined ? storage : { ...storage, watch });
  if (!subject.ok) throw new InvariantError("floats have all operations");
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

/** What a system takes for one sweep from the last node; or the code of what it refuses. */
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

/** A measure, and of how large a run. */
export interface Sized {
  readonly size: number;
  readonly nodes: number;
  readonly measure: Measure;
}

/** How far a system was followed along a family, and why no further. */
export interface Growth {
  readonly system: string;
  readonly reached: readonly Sized[];
  /** Absent where the largest size was reached. */
  readonly stopped?: string;
}

/** Nodes computed that one measurement may take, as the one before foretells. */
const MOST_WORK = 10_000_000;

/** Whether a system is followed to a run of so many nodes; the reason, if not. Counted, so that every machine stops at the same size. */
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

/** The exponent by which a figure grew between the last two sizes; `undefined` where it is 0 or there is one size. */
export function exponentOf(
  reached: readonly Sized[],
  figure: (measure: Measure) => number,
): number | undefined {
  const [before, last] = [reached.at(-2), reached.at(-1)];
  if (before === undefined || last === undefined) return undefined;
  const [from, to] = [figure(before.measure), figure(last.measure)];
  return from > 0 && to > 0 ? Math.log(to / from) / Math.log(last.size / before.size) : undefined;
}
