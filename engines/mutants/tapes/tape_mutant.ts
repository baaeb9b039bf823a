import type { Engine, LoadedGraph, OpenTape } from "../../../spec/contract/index.ts";
import type { Graph, Point, Seed } from "../../../spec/graph/index.ts";
import type { NodeId } from "../../../spec/shapes/index.ts";
import type { DataType, FlatTensor, TapeLife } from "../../../spec/wire/index.ts";
import type { Reverse } from "../../interpretation/index.ts";
import { interpreterEngine } from "../../interpreter/index.ts";

/** An engine with one fault in the rules of its tapes, which a judge must tell from a right engine. */
export interface TapeEngineMutant {
  readonly name: string;
  /** One sentence says what is wrong. */
  readonly fault: string;
  /** The published defect that it is modelled on; `""` for a fault anybody might make. */
  readonly source: string;
  /** Makes a fresh engine with the fault, whose description says that it is a mutant. */
  engine(): Engine;
}

/** A recording by a right engine, with its arguments. */
export interface Recording {
  readonly graph: Graph;
  readonly point: Point;
  readonly life: TapeLife;
  readonly of: readonly NodeId[];
  readonly hooks: readonly NodeId[];
  /** Makes a right tape, of this point or another, with these hooks or others. */
  right(point?: Point, life?: TapeLife, hooks?: readonly NodeId[]): Promise<OpenTape>;
}

/** A fault: a tape in place of the right one. Each engine gets its own, which may remember recordings. */
export type TapeFault = () => (recording: Recording) => Promise<OpenTape>;

/** A row of a family: a fault under its name, in the tape or in the sweep itself. */
export type TapeRow = {
  readonly fault: string;
  readonly source?: string;
} & ({ readonly change: TapeFault } | { readonly reverse: Reverse });

/** Makes the mutants of a family, a row for each, under its name. */
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

/** Is thrown where the right tape could not be recorded; it never leaves this file. */
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

/** Returns what `body` returns, unless a right tape could not be recorded for it. */
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

/** Copies a point. */
export function copyOf({ inputs, environment }: Point): Point {
  return {
    inputs: inputs.map(copiedTensor),
    environment: new Map([...environment].map(([name, tensor]) => [name, copiedTensor(tensor)])),
  };
}

/** Copies a tensor. */
export function copiedTensor({ shape, data }: FlatTensor): FlatTensor {
  return { shape, data: data.slice() };
}

/** Adds tensors one by one. */
export function summed(some: readonly FlatTensor[], others: readonly FlatTensor[]): FlatTensor[] {
  return some.map(({ shape, data }, i) => ({
    shape,
    data: data.map((x, n) => x + (others[i]?.data[n] ?? 0)),
  }));
}

/** Joins seeds; those at one id are added up. */
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
