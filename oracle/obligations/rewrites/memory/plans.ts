import {
  type LoopProgram,
  type Passes,
  plan,
  type Regime,
  soundPasses,
  writtenOut,
} from "../../../../engines/compile/plan/index.ts";
import { lower } from "../../../../engines/compile/plan/lower/index.ts";
import { graph } from "../../../../spec/builder/index.ts";
import type { Graph } from "../../../../spec/graph/index.ts";
import { InvariantError, nodeId } from "../../../../spec/shapes/index.ts";

/** These graphs' plans put values in each other's place, with every kind of instruction. */
export const graphs: Readonly<Record<string, Graph>> = {
  dense: graph(({ input, parameter }) => {
    const [w, v] = [input("w", [3, 4]), input("v", [4, 2])];
    const hidden = parameter("x", [5, 3]).matmul(w).tanh();
    hidden
      .matmul(v)
      .sigmoid()
      .subtract(parameter("y", [5, 2]))
      .multiply(hidden.matmul(v))
      .sum({
        axes: [0, 1],
        keepdims: false,
      });
  }),
  transposed: graph(({ input }) => {
    const x = input("x", [3, 3]);
    const powers = x.matmul(x).exp();
    const turned = powers.multiply(powers.permute_dims({ axes: [1, 0] })).matmul(x);
    turned
      .permute_dims({ axes: [1, 0] })
      .sin()
      .matmul(turned);
  }),
  attention: graph(({ input, parameter }) => {
    const [q, k, v] = [input("q", [3, 2]), input("k", [4, 2]), parameter("v", [4, 2])];
    const scores = q.matmul(k.permute_dims({ axes: [1, 0] }));
    scores
      .softmax({ axis: 1 })
      .matmul(v)
      .tanh()
      .matmul(k.permute_dims({ axes: [1, 0] }));
  }),
  embedding: graph(({ input, indices }) => {
    const [table, w] = [input("table", [6, 3]), input("w", [3, 3])];
    const rows = table.take({ axis: 0, indices: indices("k", [3]) }).matmul(w);
    const sums = rows.cumulative_sum({ axis: 0 }).sin();
    sums.multiply(rows).matmul(sums.slice({ starts: [2, 0], stops: [-4, 3], steps: [-1, 1] }));
  }),
  convolution: graph(({ input, parameter }) => {
    const [w, v] = [input("w", [2, 1, 2]), input("v", [1, 2, 2])];
    const attributes = { strides: [1], padding: [[1, 0]], dilations: [1], groups: 1 } as const;
    parameter("x", [1, 1, 6]).conv(w, attributes).tanh().conv(v, attributes).square();
  }),
  chain: graph(({ input }) => {
    const [x, w] = [input("x", [2, 1]), input("w", [2, 2])];
    let y = x;
    for (let n = 0; n < 5; n++) y = w.matmul(y).sin();
  }),
  scattered: graph(({ input, indices }) => {
    let y = input("x", [3, 1]);
    for (let n = 0; n < 4; n++) {
      const part = y.slice({ starts: [1, 0], stops: [3, 1], steps: [1, 1] });
      y = y.sin().scatter_add(part, { indices: indices(`k${n}`, [2, 1]) });
    }
  }),
};

/** Lowers values and gradients of a graph to one program of loops, as an engine does. */
function loweredOf(written: Graph, regime: Regime): LoopProgram {
  const { graph: expanded, output } = writtenOut(written, regime, undefined);
  const ids = expanded.inputs.map((_, id) => nodeId(id));
  return lower(
    expanded,
    { values: [nodeId(output)], cotangents: { ids, seeds: [{ id: nodeId(output), from: "source" }] } },
    regime,
  );
}

/** Plans that program as the planner does. */
export function plannedOf(written: Graph, regime: Regime): LoopProgram {
  return plan(loweredOf(written, regime), { regime, precision: "float64" }).program;
}

/** Plans it, bit-exact, in the least memory. Throws {@link InvariantError} if no value is recomputed. */
export function frugalOf(written: Graph, passes: Passes = soundPasses): LoopProgram {
  const options = { regime: "bit_exact", precision: "float64", budgetBytes: 1, passes } as const;
  const { program, report } = plan(loweredOf(written, "bit_exact"), options);
  if ((report.checkpointing?.recomputed ?? 0) === 0) throw new InvariantError("nothing is computed again");
  return program;
}
