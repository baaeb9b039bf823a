import {
  type Engine,
  type LoadedGraph,
  type Reply,
  referenceConventions,
} from "../../spec/contract/index.ts";
import { type Conventions, checkCase, type FlatTensor } from "../../spec/index.ts";
import { readText } from "../../spec/text/index.ts";
import type { Case } from "../case/case.ts";

/** Returns the cases of a text, by name. */
export function casesOf(text: string): readonly (readonly [string, Case])[] {
  const read = readText(text);
  if (!read.ok) throw new Error(JSON.stringify(read.error));
  return read.value.map(({ name = "", json }) => {
    const checked = checkCase(json);
    if (!checked.ok) throw new Error(JSON.stringify(checked.error));
    return [name, checked.value];
  });
}

/** Returns an engine that declares these conventions beside the ties of the reference, and no accuracy. */
export function declaring(inner: Engine, conventions: Partial<Conventions>): Engine {
  const all = { ...referenceConventions, ...conventions };
  return {
    describe: () => ({ ...inner.describe(), accuracy: {}, accumulation: {}, conventions: all }),
    load: (graph, dtype) => inner.load(graph, dtype),
    [Symbol.asyncDispose]: () => inner[Symbol.asyncDispose](),
  };
}

/** A number is answered here: in this mode, at this place among the tensors, at this element. */
export interface Place {
  readonly mode: "evaluate" | "jvp" | "vjp" | "backward_dense";
  readonly tensor: number;
  readonly element: number;
}

/** Returns an engine whose numbers are mapped. */
export function answering(inner: Engine, name: string, f: (x: number, place: Place) => number): Engine {
  const mapped = (reply: Reply<readonly FlatTensor[]>, mode: Place["mode"]): Reply<readonly FlatTensor[]> => {
    if (reply.kind !== "result") return reply;
    const value = reply.value.map(({ shape, data }, tensor) => ({
      shape,
      data: data.map((x, element) => f(x, { mode, tensor, element })),
    }));
    return { kind: "result", value };
  };
  return {
    describe: () => ({ ...inner.describe(), name }),
    async load(graph, dtype): Promise<Reply<LoadedGraph>> {
      const loaded = await inner.load(graph, dtype);
      if (loaded.kind !== "result") return loaded;
      const program = loaded.value;
      return {
        kind: "result",
        value: {
          ...program,
          evaluate: async (point) => mapped(await program.evaluate(point), "evaluate"),
          jvp: async (point, tangents) => mapped(await program.jvp(point, tangents), "jvp"),
          vjp: async (point, seeds) => mapped(await program.vjp(point, seeds), "vjp"),
          backwardDense: async (point, seeds) =>
            mapped(await program.backwardDense(point, seeds), "backward_dense"),
        },
      };
    },
    [Symbol.asyncDispose]: () => inner[Symbol.asyncDispose](),
  };
}
