import type { Random } from "fast-check";
import type { Case } from "../../oracle/case/case.ts";
import {
  type CompositeName,
  checkGraph,
  composites,
  type DataType,
  type FlatTensor,
  formats,
  type Graph,
  nodeId,
  present,
  type Shape,
  shapesOf,
  sizeOf,
} from "../../spec/index.ts";

/** Operands are ill-scaled in one of these ways. */
export const regimes = [
  "ordinary",
  "mean ≫ spread",
  "spread 1e-4",
  "hundreds apart",
  "far tails",
  "graded",
  "cancelling",
  "long rows",
] as const;

export type Regime = (typeof regimes)[number];

/** A long row has this many elements. */
const LONG = 48;

/** Draws evenly from −1 to 1. */
function even(random: Random): number {
  return 2 * random.nextDouble() - 1;
}

/** Draws so many numbers of a regime. A matrix is cancelling if it is nearly of rank 1. */
function numbers(random: Random, shape: Shape, regime: Regime): number[] {
  const row = (of: (i: number) => number): number[] => Array.from({ length: sizeOf(shape) }, (_, i) => of(i));
  const side = random.nextDouble() < 0.5 ? -1 : 1;
  switch (regime) {
    case "ordinary":
    case "long rows":
      return row(() => 4 * even(random));
    case "mean ≫ spread":
      return row(() => side * 1000 + even(random));
    case "spread 1e-4":
      return row(() => side * (1 + 1e-4 * even(random)));
    case "hundreds apart":
      return row(() => 300 * even(random));
    case "far tails":
      return row(() => (random.nextDouble() < 0.5 ? -1 : 1) * (8 + 32 * random.nextDouble()));
    case "graded":
      return row(() => even(random) * 10 ** (4 * even(random)));
    case "cancelling": {
      const columns = shape.at(-1) ?? 1;
      const [left, right] = [row(() => 4 * even(random)), row(() => even(random) + 2)];
      return row((i) => {
        const [r, c] = [Math.floor(i / columns), i % columns];
        return (
          (c % 2 === 0 ? 1 : -1) * (left[r] ?? 1) * (right[c - (c % 2)] ?? 1) * (1 + 1e-3 * even(random))
        );
      });
    }
  }
}

/** Some operands are of a kind: probabilities, variances, lower bounds. */
const kinds: { readonly [K in CompositeName]?: { readonly [place: number]: (x: number) => number } } = {
  batch_norm_eval: { 4: (x) => Math.abs(x) },
  bce_with_logits: { 1: (x) => Math.abs(x) % 1 },
  kl_div: { 1: (x) => Math.abs(x) },
  clip: { 1: (x) => -Math.abs(x), 2: (x) => Math.abs(x) },
};

/** A factor needs a matrix that is symmetric and definite, GGᵀ and a little of the identity. */
function definite(g: readonly number[], order: number): number[] {
  return g.map((_, at) => {
    const [i, j] = [Math.floor(at / order), at % order];
    let entry = i === j ? 1e-3 : 0;
    for (let k = 0; k < order; k++) entry += (g[i * order + k] ?? 0) * (g[j * order + k] ?? 0);
    return entry;
  });
}

/** These are asked at the attributes or shapes of more than their row's example. */
const variants: { readonly [K in CompositeName]?: readonly { attributes?: object; operands?: Shape[] }[] } = {
  gelu: [{}, { attributes: { approximate: "none" } }],
  inv: [{}, { operands: [[3, 3]] }],
  cholesky: [{}, { operands: [[3, 3]] }],
  // A normalised row of two elements is (1, −1), whatever they are.
  transformer_block: [
    {
      attributes: { heads: 2 },
      operands: [[2, 4], [4], [4], [4, 4], [4, 4], [4, 4], [4, 4], [4], [4], [4, 6], [6], [6, 4], [4]],
    },
  ],
};

/** Returns the graphs at which a composite is asked: of one node, the operands its inputs. */
export function graphsOf(op: CompositeName, regime: Regime): readonly Graph[] {
  const { attributes, operands, environment = [] } = composites[op].example;
  const extent = (size: number): number => (regime === "long rows" && size === 3 ? LONG : size);
  return (variants[op] ?? [{}]).flatMap((variant) => {
    if (variant.operands !== undefined && regime === "long rows") return [];
    const shapes = variant.operands ?? operands.map((shape) => shape.map(extent));
    const epsilon = "epsilon" in attributes ? { epsilon: 1e-5 } : {};
    const checked = checkGraph({
      format: "adjudge.graph.v1",
      inputs: shapes.map((shape, place) => ({ name: `x${place}`, shape })),
      environment,
      nodes: [
        {
          op,
          attributes: { ...attributes, ...epsilon, ...variant.attributes },
          parents: shapes.map((_, place) => place),
        },
      ],
    });
    return checked.ok && shapes.length > 0 ? [checked.value] : [];
  });
}

/** Draws a case of a composite whose first operand is of a regime, and the others are, or are ordinary. */
export function drawIllScaled(
  random: Random,
  op: CompositeName,
  graph: Graph,
  regime: Regime,
  dtype: DataType,
): Case {
  const { round } = formats[dtype];
  const kindsOf = kinds[op] ?? {};
  const flat = (shape: Shape, data: readonly number[]): FlatTensor => ({
    shape,
    data: Float64Array.from(data, round),
  });
  const plain = (shape: Shape): FlatTensor => flat(shape, numbers(random, shape, "ordinary"));
  const shape = present(shapesOf(graph).at(-1), "the shape of the value");
  return {
    graph,
    point: {
      inputs: graph.inputs.map((input, place) => {
        const isPlain = place > 0 && random.nextDouble() < 0.5;
        const drawn = numbers(random, input.shape, isPlain ? "ordinary" : regime);
        const numbersOf = op === "cholesky" ? definite(drawn, input.shape.at(-1) ?? 1) : drawn;
        return flat(input.shape, numbersOf.map(kindsOf[place] ?? ((x) => x)));
      }),
      environment: new Map(
        graph.environment.map((entry) => [
          entry.name,
          flat(entry.shape, new Array(sizeOf(entry.shape)).fill(1)),
        ]),
      ),
    },
    tangents: graph.inputs.map((input) => plain(input.shape)),
    seeds: [{ id: nodeId(graph.inputs.length), cotangent: plain(shape) }],
  };
}
