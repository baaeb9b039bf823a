import {
  type Environment,
  evaluate,
  forwardGradient,
  interpret,
  type Tensor,
  tensor,
} from "../../reference/package.ts";
import {
  type Algebra,
  expand,
  type Graph,
  graph,
  nodeId,
  present,
  shapesOf,
  sizeOf,
} from "../../spec/index.ts";

/** This many points, the moved corners of a square, belong to two classes that no line separates. */
const POINTS = 16;

/** The hidden layer has this many units. */
const WIDTH = 8;

/** This network of 33 weights learns the exclusive or; its last value is the mean squared error. */
const network: Graph = graph(({ input, parameter }) => {
  const [w1, b1] = [input("w1", [2, WIDTH]), input("b1", [WIDTH])];
  const [w2, b2] = [input("w2", [WIDTH, 1]), input("b2", [1])];
  const hidden = parameter("points", [POINTS, 2]).matmul(w1).add(b1).tanh();
  const missed = hidden
    .matmul(w2)
    .add(b2)
    .subtract(parameter("classes", [POINTS, 1]));
  missed
    .multiply(missed)
    .sum({ axes: [0, 1], keepdims: false })
    .divide(POINTS);
});

/** Draws numbers in [0, 1) from a seed: Marsaglia's xorshift32. */
function randomFrom(seed: number): () => number {
  let state = seed >>> 0 || 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return state / 2 ** 32;
  };
}

/** A training starts with quarters and the like, so that every format has them. */
const round = (x: number): number => Math.round(x * 64) / 64;

/** A descent estimates along this many directions, or takes the gradient by reverse mode. */
export interface Descent {
  readonly rate: number;
  readonly steps: number;
  /** Without a number it is reverse mode. */
  readonly directions?: number;
  readonly seed: number;
}

/** Lists a training's losses, the first before any step. Cost: each step sweeps once a direction, or back. */
export function lossesOf<S, B>(
  algebra: Algebra<S, B>,
  toNumber: (x: S) => number,
  descent: Descent,
): number[] {
  const field = present(algebra.levels.field, "a field");
  const { graph: program } = expand(network);
  const interpreted = interpret(program, algebra);
  const meaning = present(interpreted.ok ? interpreted.value : undefined, "a meaning");
  const start = randomFrom(7);
  const drawn = (shape: readonly number[], size: number): Tensor<S> =>
    tensor(shape, () => field.literal(round((2 * start() - 1) * size)));
  let weights = program.inputs.map(({ shape }) => drawn(shape, 1));
  const corners = Array.from({ length: POINTS }, (_, n) => [n & 1, (n >> 1) & 1] as const);
  const points = corners.flatMap(([x, y]) =>
    [x, y].map((z) => field.literal(round(2 * z - 1 + 0.2 * (start() - 0.5)))),
  );
  const classes = corners.map(([x, y]) => field.literal(x === y ? -1 : 1));
  const environment: Environment<S> = new Map([
    ["points", { kind: "real", tensor: { shape: [POINTS, 2], data: points } }],
    ["classes", { kind: "real", tensor: { shape: [POINTS, 1], data: classes } }],
  ]);
  const last = nodeId(shapesOf(program).length - 1);
  const wrt = program.inputs.map((_, id) => nodeId(id));
  const seeds = new Map([[last, { shape: [], data: [field.one] }]]);
  const rate = field.literal(-descent.rate);
  const random = randomFrom(descent.seed);
  const lossNow = (): number => {
    const [loss] = evaluate(meaning, weights, environment).at(-1)?.data ?? [];
    return toNumber(present(loss, "a loss"));
  };
  const losses = [lossNow()];
  for (let step = 0; step < descent.steps; step++) {
    const problem = { field, graph: meaning, x: weights, environment, seeds, wrt };
    const gradient = estimated(problem, descent.directions, random);
    let from = 0;
    weights = weights.map((w) => {
      const own = gradient.slice(from, from + sizeOf(w.shape));
      from += own.length;
      return {
        shape: w.shape,
        data: w.data.map((x, i) => field.add(x, field.multiply(rate, own[i] ?? field.zero))),
      };
    });
    losses.push(lossNow());
  }
  return losses;
}

function estimated<S>(
  problem: forwardGradient.Problem<S>,
  directions: number | undefined,
  random: () => number,
): readonly S[] {
  const { field } = problem;
  if (directions === undefined) return forwardGradient.gradientOf(problem);
  const sloped = forwardGradient.slopedByInputs(problem);
  const minusOne = field.negative(field.one);
  const drawn = Array.from({ length: directions }, () => ({
    scale: field.one,
    entries: Array.from({ length: sloped.dimension }, () => (random() < 0.5 ? minusOne : field.one)),
  }));
  return forwardGradient.averaged(field)(sloped, drawn);
}
