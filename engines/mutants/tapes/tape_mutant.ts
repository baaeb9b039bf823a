import type { Engine, LoadedGraph, OpenTape } from "../../../spec/contract/index.ts";
import type { Graph, Point, Seed } from "../../../spec/graph/index.ts";
import type { NodeId } from "../../../spec/shapes/index.ts";
import type { DataType, FlatTensor, TapeLife } from "../../../spec/wire/index.ts";
import type { Reverse } from "../../interpretation/index.ts";
import { interpreterEngine } from "../../interpreter/index.ts";

/** An engine with one fault in the manners of its tapes: what a judge of tapes must be able to tell from a right engine. */
export interface TapeEngineMutant {
  readonly name: string;
  /** What is wrong, in one sentence. */
  readonly fault: string;
  /** The entry in the catalogue of published defects it is modelled on; `""` for a fault anybody might make. */
  readonly source: string;
  /** A fresh engine with the fault. It says in its description that it is a mutant. */
  engine(): Engine;
}

/** How a right engine records: what it is given, and which graph that is of. */
export interface Recording {
  readonly graph: Graph;
  readonly point: Point;
  readonly life: TapeLife;
  readonly of: readonly NodeId[];
  readonly hooks: readonly NodeId[];
  /** A right tape, of this point or another, with these hooks or others. */
  right(point?: Point, life?: TapeLife, hooks?: readonly NodeId[]): Promise<OpenTape>;
}

/** A fault: the tape that takes the place of the right one. It is made anew for each engine, and may remember what it has recorded. */
export type TapeFault = () => (recording: Recording) => Promise<OpenTape>;

/** A row of a family: a fault under its name, in the tape or in the sweep itself. */
export type TapeRow = {
  readonly fault: string;
  readonly source?: string;
} & ({ readonly change: TapeFault } | { readonly reverse: Reverse });

/** The mutants of a family: a row for each, under its name. */
export function tapeMutantTable(rows: Readonly<Record<string, TapeRow>>): readonly TapeEngineMutant[] {
  return Object.entries(rows).map(([name, row]) => ({
    name,
    fault: row.fault,
    source: row.source ?? "",
    engine: () =>
      "reverse" in row
        ? interpreterEngine(`mutant: ${name}`, { reverse: row.reverse })
        : withFault(interpreterEngine(`mutant: ${name}`), row.change()),
  }));
}

/** Thrown where the right tape could not be recorded; it never leaves this file. */
class Unrecorded extends Error {}

function withFault(engine: Engine, faulty: ReturnType<TapeFault>): Engine {
  return {
    ...engine,
    load: async (graph: Graph, dtype: DataType) => {
      const loaded = await engine.load(graph, dtype);
      if (loaded.kind !== "result") return loaded;
      return { kind: "result", value: { ...loaded.value, record: recordOf(loaded.value, graph, faulty) } };
    },
  };
}

function recordOf(
  program: LoadedGraph,
  graph: Graph,
  faulty: ReturnType<TapeFault>,
): NonNullable<LoadedGraph["record"]> {
  return async (point, life, of, hooks = []) => {
    const right: Recording["right"] = async (at = point, other = life, hung = hooks) => {
      const recorded = await program.record?.(at, other, of, hung);
      if (recorded?.kind !== "result") throw new Unrecorded(recorded?.kind);
      return recorded.value;
    };
    const tape = await recorded(() => faulty({ graph, point, life, of, hooks, right }));
    if ("kind" in tape) return tape;
    const sweep: OpenTape["sweep"] = async (seeds, hook) => recorded(() => tape.sweep(seeds, hook));
    return { kind: "result", value: { sweep, release: () => tape.release() } };
  };
}

/** What `body` gives, unless a right tape could not be recorded for it. */
async function recorded<R>(
  body: () => Promise<R>,
): Promise<R | { readonly kind: "error"; readonly message: string }> {
  try {
    return await body();
  } catch (problem) {
    if (problem instanceof Unrecorded) return { kind: "error", message: "the right tape was not recorded" };
    throw problem;
  }
}

/** A copy of a point that nobody else holds. */
export function copyOf({ inputs, environment }: Point): Point {
  return {
    inputs: inputs.map(copiedTensor),
    environment: new Map([...environment].map(([name, tensor]) => [name, copiedTensor(tensor)])),
  };
}

/** A copy of a tensor. */
export function copiedTensor({ shape, data }: FlatTensor): FlatTensor {
  return { shape, data: data.slice() };
}

/** The sums of tensors, one by one. */
export function summed(some: readonly FlatTensor[], others: readonly FlatTensor[]): FlatTensor[] {
  return some.map(({ shape, data }, i) => ({
    shape,
    data: data.map((x, n) => x + (others[i]?.data[n] ?? 0)),
  }));
}

/** Seeds of both, those at one id added up. */
export function seedsTogether(some: readonly Seed[], others: readonly Seed[]): Seed[] {
  const ids = [...new Set([...some, ...others].map(({ id }) => id))];
  return ids.flatMap((id) => {
    const own = [...some, ...others].filter((seed) => seed.id === id).map(({ cotangent }) => cotangent);
    const [first, ...rest] = own;
    if (first === undefined) return [];
    const cotangent = rest.reduce((sum, next) => summed([sum], [next])[0] ?? sum, first);
    return [{ id, cotangent }];
  });
}
