import {
  type CompositeName,
  type CompositeRows,
  compositeNames,
  type OperatorName,
} from "../../spec/composites/index.ts";
import type { Engine, LoadedGraph, Reply } from "../../spec/contract/index.ts";
import type { Graph } from "../../spec/graph/index.ts";
import { type PrimitiveName, primitiveNames } from "../../spec/operators/index.ts";
import type { DataType } from "../../spec/wire/index.ts";
import { type Kernel, type Parts, type Reverse, soundParts } from "../interpretation/index.ts";
import { interpreterEngine } from "../interpreter/index.ts";

/** The interpreter with one planted fault, which a judge must tell from a right engine. */
export interface Mutant {
  readonly name: string;
  /** One sentence says what is wrong. */
  readonly fault: string;
  /** The published defect that it is modelled on; `""` for a fault anybody might make. */
  readonly source: string;
  /** The one operator whose rules are wrong; `undefined` if the fault is not in a rule. */
  readonly operator: OperatorName | undefined;
  /** Makes a fresh engine with the fault, whose description says that it is a mutant. */
  engine(): Engine;
}

/** The source of a fault of a wrapper around the interpreter that 5,000 random cases and the suite passed. */
export const survivor = "a wrapper that every search let pass";

/** A fault, and how it is planted. */
type Row = Change & {
  readonly fault: string;
  readonly source?: string;
};

/** A mutant does this otherwise than the interpreter. */
type Change =
  | { /** Parts of its own. */ readonly change: Partial<Parts> }
  /** The core is sound, but its loaded programs are called in a wrong way. */
  | { readonly around: (loaded: Loaded) => Partial<LoadedGraph> }
  /** The core is sound, but gets another graph with the same ids and shapes: a wrong optimisation. */
  | { readonly rewrite: (graph: Graph) => Graph };

/** A graph that the interpreter has loaded. */
interface Loaded {
  readonly graph: Graph;
  readonly program: LoadedGraph;
  /** Loads the same graph once more, in any precision. */
  again(dtype: DataType): Promise<Reply<LoadedGraph>>;
}

/** Makes the mutants of a family, a row for each, under its name. */
export function mutantTable(rows: Readonly<Record<string, Row>>): readonly Mutant[] {
  return Object.entries(rows).map(([name, row]) => {
    const { fault, source = "" } = row;
    return { name, fault, source, operator: operatorOf(row), engine: () => planted(`mutant: ${name}`, row) };
  });
}

/** Returns the operator whose kernel or expansion is not the interpreter's. */
function operatorOf(row: Change): OperatorName | undefined {
  if (!("change" in row)) return undefined;
  const { kernels, composites } = { ...soundParts, ...row.change };
  return (
    primitiveNames.find((op) => kernels[op] !== soundParts.kernels[op]) ??
    compositeNames.find((op) => composites[op] !== soundParts.composites[op])
  );
}

/** Makes the engine with a fault. If it turns a graph into none, it answers that it failed. */
function planted(name: string, row: Change): Engine {
  const engine =
    "change" in row ? interpreterEngine(name, row.change) : changed(interpreterEngine(name), row);
  const load: Engine["load"] = (graph, dtype) =>
    engine
      .load(graph, dtype)
      .catch((thrown: unknown) => ({ kind: "error", message: `${name} cannot load this: ${thrown}` }));
  return { ...engine, load };
}

function changed(inner: Engine, row: Exclude<Change, { readonly change: unknown }>): Engine {
  return {
    describe: () => inner.describe(),
    async load(graph, dtype) {
      if ("rewrite" in row) return inner.load(row.rewrite(graph), dtype);
      const reply = await inner.load(graph, dtype);
      if (reply.kind !== "result") return reply;
      const program = reply.value;
      const again = (other: DataType): Promise<Reply<LoadedGraph>> => inner.load(graph, other);
      return { kind: "result", value: { ...program, ...row.around({ graph, program, again }) } };
    },
    [Symbol.asyncDispose]: () => inner[Symbol.asyncDispose](),
  };
}

/** Changes one of the interpreter's kernels. */
export function withKernel<K extends PrimitiveName>(op: K, change: Partial<Kernel<K>>): Partial<Parts> {
  const { kernels } = soundParts;
  return { kernels: { ...kernels, [op]: { ...kernels[op], ...change } } };
}

/** Changes one expansion in the table of composites. */
export function withExpansion<K extends CompositeName>(
  op: K,
  expand: CompositeRows[K]["expand"],
): Partial<Parts> {
  const { composites } = soundParts;
  return { composites: { ...composites, [op]: { ...composites[op], expand } } };
}

/** Changes some phases of the interpreter's reverse sweep. */
export function withReverse(change: Partial<Reverse>): Partial<Parts> {
  return { reverse: { ...soundParts.reverse, ...change } };
}
