import {
  type CompositeName,
  type CompositeRows,
  compositeNames,
  type Graph,
  type OperatorName,
  type PrimitiveName,
  primitiveNames,
} from "../../spec/index.ts";
import type { DataType, Engine, Program, Reply } from "../engine.ts";
import {
  interpreterEngine,
  type Kernel,
  type Parts,
  type Reverse,
  soundParts,
} from "../interpreter/index.ts";

/** What a mutant says of itself. */
interface About {
  readonly name: string;
  /** What is wrong, in one sentence. */
  readonly fault: string;
  /** The entry in the catalogue of published defects it is modelled on; `""` for a fault anybody might make. */
  readonly source: string;
}

/** The interpreter with one planted fault: what a judge must be able to tell from a right engine. */
export interface Mutant extends About {
  /** The one operator whose rules are wrong; `undefined` where it is not a rule that is. */
  readonly operator: OperatorName | undefined;
  /** A fresh engine with the fault. It says in its description that it is a mutant. */
  engine(): Engine;
}

/** The interpreter with `change` in place of its own parts. */
export function plant(about: About, change: Partial<Parts>): Mutant {
  const { kernels, composites } = { ...soundParts, ...change };
  return {
    ...about,
    operator:
      primitiveNames.find((op) => kernels[op] !== soundParts.kernels[op]) ??
      compositeNames.find((op) => composites[op] !== soundParts.composites[op]),
    engine: () => interpreterEngine(`mutant: ${about.name}`, change),
  };
}

/** The interpreter's kernels with a change to one of them. */
export function withKernel<K extends PrimitiveName>(op: K, change: Partial<Kernel<K>>): Partial<Parts> {
  const { kernels } = soundParts;
  return { kernels: { ...kernels, [op]: { ...kernels[op], ...change } } };
}

/** The table of composites with another expansion of one of them. */
export function withExpansion<K extends CompositeName>(
  op: K,
  expand: CompositeRows[K]["expand"],
): Partial<Parts> {
  const { composites } = soundParts;
  return { composites: { ...composites, [op]: { ...composites[op], expand } } };
}

/** The interpreter's reverse sweep with a change to some of its phases. */
export function withReverse(change: Partial<Reverse>): Partial<Parts> {
  return { reverse: { ...soundParts.reverse, ...change } };
}

/** A graph that the interpreter has loaded. */
interface Loaded {
  readonly graph: Graph;
  readonly program: Program;
  /** The same graph, loaded once more, in any precision. */
  again(dtype: DataType): Promise<Reply<Program>>;
}

/** The interpreter, sound inside, whose loaded programs are called in a wrong way. */
export function plantAround(about: About, change: (loaded: Loaded) => Partial<Program>): Mutant {
  const engine = (): Engine => {
    const inner = interpreterEngine(`mutant: ${about.name}`);
    return {
      describe: () => inner.describe(),
      async load(graph, dtype) {
        const reply = await inner.load(graph, dtype);
        if (reply.kind !== "result") return reply;
        const program = reply.value;
        const again = (other: DataType): Promise<Reply<Program>> => inner.load(graph, other);
        return { kind: "result", value: { ...program, ...change({ graph, program, again }) } };
      },
      [Symbol.asyncDispose]: () => inner[Symbol.asyncDispose](),
    };
  };
  return { ...about, operator: undefined, engine };
}

/** The interpreter, sound inside, given another graph with the same ids and shapes: a wrong optimisation. */
export function plantRewrite(about: About, rewrite: (graph: Graph) => Graph): Mutant {
  const engine = (): Engine => {
    const inner = interpreterEngine(`mutant: ${about.name}`);
    return {
      describe: () => inner.describe(),
      load: (graph, dtype) => inner.load(rewrite(graph), dtype),
      [Symbol.asyncDispose]: () => inner[Symbol.asyncDispose](),
    };
  };
  return { ...about, operator: undefined, engine };
}
