import {
  type Algebra,
  expand,
  graph,
  nodeId,
  present,
  type Graph as WrittenGraph,
} from "../../spec/index.ts";
import type { Context } from "../context.ts";
import { noEnvironment } from "../hand.test.kit.ts";
import { interpret } from "../interpret.ts";
import { tensor } from "../tensor.ts";
import type { Problem } from "./sloped.ts";

/** Graphs with few numbers to perturb; of rational operations, and of any. */
export const rationalGraphs: Readonly<Record<string, WrittenGraph>> = {
  "a product of four": graph(({ input }) => {
    const x = input("x", [4]);
    x.multiply(x)
      .multiply(x)
      .sum({ axes: [0], keepdims: false });
  }),
  "a quotient": graph(({ input }) => {
    const [x, y] = [input("x", [2]), input("y", [2])];
    x.divide(y.add(x))
      .multiply(y)
      .sum({ axes: [0], keepdims: false });
  }),
  "two layers": graph(({ input }) => {
    const [w, v] = [input("w", [2, 2]), input("v", [2, 1])];
    const h = w.matmul(w).relu().matmul(v);
    h.multiply(h).sum({ axes: [0, 1], keepdims: false });
  }),
};

/** Of these graphs only numbers that mean nothing are known, but exactly. */
export const formalGraphs: Readonly<Record<string, WrittenGraph>> = {
  ...rationalGraphs,
  "elementary functions": graph(({ input, atan2 }) => {
    const [x, y] = [input("x", [3]), input("y", [])];
    atan2(x.exp(), y.log().broadcast_to({ shape: [3] }))
      .pow(x)
      .sum({ axes: [0], keepdims: false });
  }),
  softmax: graph(({ input }) => {
    input("x", [2, 2])
      .softmax({ axis: 1 })
      .log()
      .max({ axes: [1], keepdims: false })
      .sum({ axes: [0], keepdims: false });
  }),
  "a value without slope": graph(({ input }) => {
    const x = input("x", [3]);
    x.stop_gradient()
      .multiply(x)
      .tanh()
      .sum({ axes: [0], keepdims: false });
  }),
};

/** The derivative of a graph's last value, seeded with 2, by all its inputs, whose numbers all differ. */
export function problemOf<S, B>(written: WrittenGraph, algebra: Algebra<S, B>): Problem<S> {
  const { graph: program } = expand(written);
  const meaning = interpret(program, algebra);
  if (!meaning.ok) throw new Error(JSON.stringify(meaning.error));
  const field = present(algebra.levels.field, "a field");
  let drawn = 0;
  const x: Context<S> = program.inputs.map(({ shape }) =>
    tensor(shape, () => {
      drawn += 1;
      return field.literal(drawn + 1 / (1 + drawn * drawn * 4));
    }),
  );
  const last = nodeId(program.inputs.length + program.nodes.length - 1);
  return {
    field,
    graph: meaning.value,
    x,
    environment: noEnvironment,
    seeds: new Map([[last, { shape: [], data: [field.literal(2)] }]]),
    wrt: program.inputs.map((_, id) => nodeId(id)),
  };
}
