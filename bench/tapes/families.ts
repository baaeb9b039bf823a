import { graph, nodeId, type PrimitiveGraph } from "../../spec/index.ts";
import { ba } from "../gradbench/graphs/ba.ts";
import { det } from "../gradbench/graphs/det.ts";
import { gmm } from "../gradbench/graphs/gmm.ts";
import { ht } from "../gradbench/graphs/ht.ts";
import { kmeans } from "../gradbench/graphs/kmeans.ts";
import { llsq } from "../gradbench/graphs/llsq.ts";
import { lse } from "../gradbench/graphs/lse.ts";
import { lstm } from "../gradbench/graphs/lstm.ts";
import { ode } from "../gradbench/graphs/ode.ts";
import { objectiveOf, type Problem, tensor } from "../gradbench/graphs/problem.ts";
import { EVALUATION_SEED, numpyUniform } from "../gradbench/points.ts";
import { mlp } from "../workloads/mlp.ts";

/** A family's runs differ in their length alone. */
export interface Family {
  readonly name: string;
  /** The sizes of a family count these. */
  readonly counts: string;
  readonly sizes: readonly number[];
  at(size: number): Problem;
}

/** Networks have so few rows and units, since the reference multiplies element by element. */
const BATCH = 4;
const WIDTH = 8;

/** Draws uniform numbers from [−1/√n, 1/√n), fixed by their place in the stream. */
function weights(shape: readonly number[], from: number, fanIn: number): ReturnType<typeof tensor> {
  const size = shape.reduce((product, extent) => product * extent, 1);
  const drawn = numpyUniform(EVALUATION_SEED, from, size);
  return tensor(
    shape,
    drawn.map((x) => (2 * x - 1) / Math.sqrt(fanIn)),
  );
}

/** Builds sin of sin of … x as a graph itself, since the builder would name a million values. */
export function chain(length: number): Problem {
  const written: PrimitiveGraph = {
    format: "adjudge.graph.v1",
    inputs: [{ name: "x", shape: [] }],
    environment: [],
    nodes: Array.from({ length }, (_, id) => sineOf(id)),
  };
  return {
    name: `chain of ${length}`,
    graph: written,
    point: { inputs: [tensor([], [0.5])], environment: new Map() },
    outputs: [objectiveOf(written)],
  };
}

/** Builds rectified layers of equal width, with the mean cross-entropy behind them. */
export function perceptron(depth: number): Problem {
  return mlp({ batch: BATCH, widths: Array.from({ length: depth + 1 }, () => WIDTH) });
}

/** Builds a state that goes through tanh(h W + x U), with the same x at every step. */
function recurrent(steps: number): Problem {
  const state = 4;
  const written = graph(({ input, parameter }) => {
    const [w, u] = [input("W", [state, state]), input("U", [state, state])];
    let h = input("h", [1, state]);
    const x = parameter("x", [1, state]);
    for (let step = 0; step < steps; step++) h = h.matmul(w).add(x.matmul(u)).tanh();
    return h.sum({ axes: [0, 1], keepdims: false });
  });
  return {
    name: `recurrent net of ${steps} steps`,
    graph: written,
    point: {
      inputs: [weights([state, state], 0, 1), weights([state, state], 16, 1), weights([1, state], 32, 1)],
      environment: new Map([["x", weights([1, state], 36, 1)]]),
    },
    outputs: [objectiveOf(written)],
  };
}

/** Builds a transformer block over this many positions: two heads, no position masked. */
function attentionBlock(positions: number): Problem {
  const [width, hidden] = [WIDTH, 2 * WIDTH];
  const shapes = [
    [positions, width],
    [width],
    [width],
    [width, width],
    [width, width],
    [width, width],
    [width, width],
    [width],
    [width],
    [width, hidden],
    [hidden],
    [hidden, width],
    [width],
  ] as const;
  const written = graph((builder) => {
    const operands = shapes.map((shape, place) => builder.input(`x${place}`, shape));
    const attributes = { heads: 2, causal: false, epsilon: 2 ** -10 };
    return builder.apply("transformer_block", attributes, operands).sum({ axes: [0, 1], keepdims: false });
  });
  return {
    name: `attention over ${positions} positions`,
    graph: written,
    point: {
      inputs: shapes.map((shape, place) => weights(shape, 1000 * place, place === 0 ? 1 : width)),
      environment: new Map(),
    },
    outputs: [objectiveOf(written)],
  };
}

/** These families of graphs grow to any size. */
export const families: readonly Family[] = [
  { name: "chain", counts: "sines", sizes: [10, 100, 1000, 10_000, 100_000, 1_000_000], at: chain },
  { name: "MLP", counts: "layers", sizes: [4, 16, 64, 256], at: perceptron },
  { name: "RNN", counts: "steps", sizes: [10, 100, 1000, 10_000], at: recurrent },
  { name: "attention", counts: "positions", sizes: [4, 8, 16, 32], at: attentionBlock },
];

/** GradBench has these nine functions, here with small sizes. */
export const gradBench: readonly (readonly [name: string, problem: () => Problem])[] = [
  ["lse", () => lse(64)],
  ["ode", () => ode(5, 8)],
  ["kmeans", () => kmeans({ k: 3, n: 12, d: 2 })],
  ["llsq", () => llsq(16, 8)],
  ["det", () => det(5)],
  ["gmm", () => gmm({ d: 3, k: 2, n: 5 })],
  ["lstm", () => lstm({ layers: 2, characters: 8, bits: 4 })],
  ["ba", () => ba({ cameras: 2, points: 3, observations: 5 })],
  ["ht", () => ht({ vertices: 12, triangles: 6, correspondences: 4 })],
];

function sineOf(id: number): PrimitiveGraph["nodes"][number] {
  return { op: "sin", attributes: {}, parents: [nodeId(id)] };
}
