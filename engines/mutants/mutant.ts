import type { PrimitiveName } from "../../spec/index.ts";
import type { Engine } from "../engine.ts";
import {
  interpreterEngine,
  type Kernel,
  type Parts,
  type Reverse,
  soundParts,
} from "../interpreter/index.ts";

/** The interpreter with one planted fault: what a judge must be able to tell from a right engine. */
export interface Mutant {
  readonly name: string;
  /** What is wrong, in one sentence. */
  readonly fault: string;
  /** The entry in the catalogue of published defects it is modelled on; `""` for a fault anybody might make. */
  readonly source: string;
  /** A fresh engine with the fault. It says in its description that it is a mutant. */
  engine(): Engine;
}

/** The interpreter with `change` in place of its own parts. */
export function plant(about: Pick<Mutant, "name" | "fault" | "source">, change: Partial<Parts>): Mutant {
  return { ...about, engine: () => interpreterEngine(`mutant: ${about.name}`, change) };
}

/** The interpreter's kernels with a change to one of them. */
export function withKernel<K extends PrimitiveName>(op: K, change: Partial<Kernel<K>>): Partial<Parts> {
  const { kernels } = soundParts;
  return { kernels: { ...kernels, [op]: { ...kernels[op], ...change } } };
}

/** The interpreter's reverse sweep with a change to some of its phases. */
export function withReverse(change: Partial<Reverse>): Partial<Parts> {
  return { reverse: { ...soundParts.reverse, ...change } };
}
