import { type Algorithm, type Float, item, type Question, type Row, rowAt } from "./algorithm.ts";
import { product, transposed } from "./matrices.ts";

/** Attention is of `order` keys and `columns` numbers in each; `upper` says that it is causal. */
interface Attention {
  readonly q: Row;
  readonly k: Row;
  readonly v: Row;
  readonly mask: Row;
  readonly depth: number;
  readonly keys: number;
  readonly queries: number;
  readonly width: number;
  readonly isCausal: boolean;
}

function read({ operands, order, columns, upper }: Question): Attention {
  const [q, k, v, mask] = [rowAt(operands, 0), rowAt(operands, 1), rowAt(operands, 2), rowAt(operands, 3)];
  const size = { depth: columns, keys: order, queries: q.length / columns, width: v.length / order };
  return { q, k, v, mask, ...size, isCausal: upper };
}

/** Returns the rows of scores, where −∞ is hidden, with the products as an algorithm scales them. */
type Scores = (float: Float, of: Attention) => Row;

/** Returns the value from the scores. */
type Weighted = (float: Float, scores: Row, of: Attention) => Row;

function hidden(float: Float, products: Row, { mask, keys, isCausal }: Attention): Row {
  return products.map((x, place) => {
    if (isCausal && place % keys > Math.floor(place / keys)) return Number.NEGATIVE_INFINITY;
    return mask.length === 0 ? x : float.add(x, item(mask, place));
  });
}

/** Divides the products, or multiplies them by a reciprocal, or scales the queries, or both by a root. */
const scalings: Readonly<Record<"quotients" | "products" | "queries" | "roots", Scores>> = {
  quotients(float, of) {
    const root = float.sqrt(of.depth);
    return hidden(
      float,
      productsOf(float, of.q, of.k, of).map((x) => float.divide(x, root)),
      of,
    );
  },
  products(float, of) {
    const scale = float.divide(1, float.sqrt(of.depth));
    return hidden(
      float,
      productsOf(float, of.q, of.k, of).map((x) => float.multiply(x, scale)),
      of,
    );
  },
  queries(float, of) {
    const scale = float.divide(1, float.sqrt(of.depth));
    return hidden(
      float,
      productsOf(
        float,
        of.q.map((x) => float.multiply(x, scale)),
        of.k,
        of,
      ),
      of,
    );
  },
  roots(float, of) {
    const root = float.sqrt(float.divide(1, float.sqrt(of.depth)));
    const scaled = (x: Row): Row => x.map((a) => float.multiply(a, root));
    return hidden(float, productsOf(float, scaled(of.q), scaled(of.k), of), of);
  },
};

function productsOf(float: Float, q: Row, k: Row, { depth, keys }: Attention): Row {
  return product(float, q, transposed(k, keys, depth), depth);
}

/** Asks for each query's row of scores and each column of the values. */
function byRow(of: Attention, answer: (scores: Row, column: Row) => number, scores: Row): Row {
  const { queries, keys, width, v } = of;
  return Array.from({ length: queries * width }, (_, place) => {
    const row = Math.floor(place / width);
    const column = Array.from({ length: keys }, (__, key) => item(v, key * width + (place % width)));
    return answer(scores.slice(row * keys, (row + 1) * keys), column);
  });
}

/** Computes the weights, and then their products with the values. */
const inTwoPasses: Weighted = (float, scores, of) =>
  byRow(of, (row, column) => float.dot(weightsOf(float, row), column), scores);

function weightsOf(float: Float, row: Row): Row {
  const greatest = Math.max(...row);
  const powers = row.map((x) => float.exp(float.subtract(x, greatest)));
  const total = float.sum(powers);
  return powers.map((power) => float.divide(power, total));
}

/** Takes one pass, in blocks, and rescales where a greatest element is passed by more than a threshold. */
const inBlocks =
  (size: number, threshold = 0): Weighted =>
  (float, scores, of) =>
    byRow(
      of,
      (row, column) => {
        let [greatest, sum, value] = [Number.NEGATIVE_INFINITY, 0, 0];
        for (let start = 0; start < row.length; start += size) {
          const block = row.slice(start, start + size);
          const reached = Math.max(...block);
          if (reached === Number.NEGATIVE_INFINITY) continue;
          const next = reached > greatest + threshold ? reached : greatest;
          const factor =
            greatest === Number.NEGATIVE_INFINITY ? 0 : float.exp(float.subtract(greatest, next));
          const powers = block.map((x) => float.exp(float.subtract(x, next)));
          sum = float.add(float.multiply(sum, factor), float.sum(powers));
          const added = float.dot(powers, column.slice(start, start + size));
          value = float.add(float.multiply(value, factor), added);
          greatest = next;
        }
        return float.divide(value, sum);
      },
      scores,
    );

/** Takes powers of 2 of scores times log₂ e, from which the greatest times log₂ e is subtracted. */
const byPowersOf2: Weighted = (float, scores, of) => {
  const log2e = float.round(Math.LOG2E);
  return byRow(
    of,
    (row, column) => {
      const top = float.multiply(Math.max(...row), log2e);
      const powers = row.map((x) => float.round(2 ** float.round(x * log2e - top)));
      return float.multiply(float.dot(powers, column), float.divide(1, float.sum(powers)));
    },
    scores,
  );
};

/** Computes exp(x − l), where l is the logarithm of the sum of exponentials. */
const byLogarithms: Weighted = (float, scores, of) =>
  byRow(of, (row, column) => float.dot(keptWeights(float, row), column), scores);

/** Computes the weights' tangent or cotangent, w (ẋ − Σ w ẋ). */
function pulled(float: Float, w: Row, x: Row): Row {
  const mean = float.dot(w, x);
  return w.map((a, i) => float.multiply(a, float.subtract(item(x, i), mean)));
}

/** Returns exp(x − l), as FlashAttention's sweep has the weights. */
function keptWeights(float: Float, row: Row): Row {
  const greatest = Math.max(...row);
  const sum = float.sum(row.map((x) => float.exp(float.subtract(x, greatest))));
  const l = float.add(greatest, float.log(sum));
  return row.map((x) => float.exp(float.subtract(x, l)));
}

function attention(
  name: string,
  source: string,
  scores: Scores,
  weighted: Weighted,
  sweepWeights: (float: Float, row: Row) => Row = weightsOf,
): Algorithm {
  return {
    composite: "scaled_dot_product_attention",
    name,
    source,
    answer(float, question) {
      const of = read(question);
      const found = scores(float, of);
      return { value: weighted(float, found, of), ...derivatives(float, found, of, question, sweepWeights) };
    },
  };
}

/** Returns the derivatives that all of them have, from the weights. */
function derivatives(
  float: Float,
  scores: Row,
  of: Attention,
  { tangents, cotangent }: Question,
  sweepWeights: (float: Float, row: Row) => Row,
): { readonly tangent: Row; readonly cotangents: readonly Row[] } {
  const { q, k, v, depth, keys, queries, width } = of;
  const scale = float.divide(1, float.sqrt(depth));
  const rows = (x: Row): Row[] =>
    Array.from({ length: queries }, (_, i) => x.slice(i * keys, (i + 1) * keys));
  const weights = rows(scores).map((row) => sweepWeights(float, row));
  const pull = (x: Row): Row => rows(x).flatMap((row, i) => pulled(float, weights[i] ?? [], row));
  const times = (x: Row): Row => x.map((a) => float.multiply(a, scale));
  const sum = (...all: Row[]): Row =>
    all.reduce((x, y) => (y.length === 0 ? x : x.map((a, i) => float.add(a, item(y, i)))));
  const w = weights.flat();
  const [qDot, kDot, vDot, maskDot] = [0, 1, 2, 3].map((place) => rowAt(tangents, place));
  const scoresDot = sum(
    times(sum(productsOf(float, qDot ?? [], k, of), productsOf(float, q, kDot ?? [], of))),
    maskDot ?? [],
  );
  const tangent = sum(product(float, pull(scoresDot), v, keys), product(float, w, vDot ?? [], keys));
  const bars = pull(product(float, cotangent, transposed(v, keys, width), width));
  return {
    tangent,
    cotangents: [
      times(product(float, bars, k, keys)),
      times(product(float, transposed(bars, queries, keys), q, queries)),
      product(float, transposed(w, queries, keys), cotangent, queries),
      ...(of.mask.length === 0 ? [] : [bars]),
    ],
  };
}

const flash = "https://arxiv.org/abs/2205.14135";
const pytorch = "_scaled_dot_product_attention_math in https://github.com/pytorch/pytorch";

export const attentions: readonly Algorithm[] = [
  attention("two passes", "https://arxiv.org/abs/1706.03762", scalings.quotients, inTwoPasses),
  attention("both scaled by a root", pytorch, scalings.roots, inTwoPasses),
  attention("one pass", "https://arxiv.org/abs/2112.05682", scalings.queries, inBlocks(1)),
  attention("blocks of two", flash, scalings.products, inBlocks(2), keptWeights),
  attention(
    "blocks that rescale late",
    "https://github.com/Dao-AILab/flash-attention",
    scalings.products,
    inBlocks(1, 5.5),
  ),
  attention("powers of 2", "https://arxiv.org/abs/2307.08691", scalings.products, byPowersOf2),
  attention(
    "exp of x − logsumexp",
    "https://doi.org/10.1093/imanum/draa038, (1.2)",
    scalings.queries,
    byLogarithms,
    keptWeights,
  ),
];

/** These have a scale of few digits, or do not rescale. */
export const wrongAttentions: readonly Algorithm[] = [
  attention(
    "a scale of four digits",
    "planted",
    (float, of) => {
      const scale = float.round(Math.round(1e4 / Math.sqrt(of.depth)) / 1e4);
      return hidden(
        float,
        productsOf(float, of.q, of.k, of).map((x) => float.multiply(x, scale)),
        of,
      );
    },
    inTwoPasses,
  ),
  attention("one pass that does not rescale", "planted", scalings.products, (float, scores, of) =>
    byRow(
      of,
      (row, column) => {
        const powers = row.map((x, i) => float.exp(float.subtract(x, Math.max(...row.slice(0, i + 1)))));
        return float.divide(float.dot(powers, column), float.sum(powers));
      },
      scores,
    ),
  ),
];
