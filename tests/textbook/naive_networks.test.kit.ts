import type { NetworkName } from "../../oracle/generate/network_composites.ts";
import { type CompositeAttributes, type FlatTensor, present, type Shape } from "../../spec/index.ts";
import {
  at,
  each,
  fill,
  indices,
  meanOf,
  product,
  scalar,
  total,
  transpose,
} from "./naive_tensors.test.kit.ts";
import { avgPool, conv, convTranspose, maxPool } from "./naive_windows.test.kit.ts";

/**
 * Finds the data of the index entry that an attribute names. For dropout, `mask` of the shape of x is the
 * mask.
 */
type Entries = (name: string) => FlatTensor;

/** A composite from the textbook, by loops over numbers, with nothing of its expansion. */
export type Naive<A> = (attributes: A, operands: readonly FlatTensor[], entries: Entries) => FlatTensor;

const sigmoid = (x: number): number => 1 / (1 + Math.exp(-x));

/** Computes Φ by Simpson's rule on the density, which is smooth: more digits than any test here looks at. */
function normal(x: number): number {
  const steps = 2000;
  const density = (t: number): number => Math.exp(-(t * t) / 2) / Math.sqrt(2 * Math.PI);
  const width = x / steps;
  let sum = density(0) + density(x);
  for (let i = 1; i < steps; i++) sum += (i % 2 === 0 ? 2 : 4) * density(i * width);
  return 0.5 + (sum * width) / 3;
}

function operand(operands: readonly FlatTensor[], place: number): FlatTensor {
  return present(operands[place], "operand");
}

/** Returns the elements of x whose index agrees with `index` on `axes`. */
function slab(x: FlatTensor, index: readonly number[], axes: readonly number[]): number[] {
  const found: number[] = [];
  for (const other of indices(x.shape)) {
    if (axes.every((axis) => other[axis] === index[axis])) found.push(at(x, ...other));
  }
  return found;
}

function standard(x: number, seen: readonly number[], epsilon: number): number {
  const mean = meanOf(seen);
  const variance = meanOf(seen.map((y) => (y - mean) ** 2));
  return (x - mean) / Math.sqrt(variance + epsilon);
}

function axesBut(shape: Shape, axes: readonly number[]): number[] {
  return shape.map((_, axis) => axis).filter((axis) => !axes.includes(axis));
}

function layerNorm(
  x: FlatTensor,
  scale: FlatTensor,
  offset: FlatTensor,
  axes: readonly number[],
  epsilon: number,
): FlatTensor {
  const own = axes.toSorted();
  return fill(x.shape, (index) => {
    const place = own.map((axis) => index[axis] ?? 0);
    const y = standard(at(x, ...index), slab(x, index, axesBut(x.shape, axes)), epsilon);
    return y * at(scale, ...place) + at(offset, ...place);
  });
}

/** ln Σ eˣ along an axis; the operands are small. */
function logSum(x: FlatTensor, index: readonly number[], axis: number): number {
  return Math.log(total(slab(x, index, axesBut(x.shape, [axis])).map(Math.exp)));
}

function logSoftmax(x: FlatTensor, axis: number): FlatTensor {
  return fill(x.shape, (index) => at(x, ...index) - logSum(x, index, axis));
}

/** Takes one row of queries at a time; what is hidden is left out of the sums. */
function attention(
  causal: boolean,
  q: FlatTensor,
  k: FlatTensor,
  v: FlatTensor,
  mask?: FlatTensor,
): FlatTensor {
  const [depth = 0, keys = 0] = [q.shape.at(-1), k.shape.at(-2)];
  const isOneRow = mask !== undefined && mask.shape[0] === 1;
  return fill([...q.shape.slice(0, -1), v.shape.at(-1) ?? 0], (index) => {
    const batch = index.slice(0, -2);
    const [i = 0, column = 0] = index.slice(-2);
    let [above, below] = [0, 0];
    for (let j = 0; j < keys && !(causal && j > i); j++) {
      const dots = Array.from({ length: depth }, (_, d) => at(q, ...batch, i, d) * at(k, ...batch, j, d));
      const shift = mask === undefined ? 0 : at(mask, isOneRow ? 0 : i, j);
      const weight = Math.exp(total(dots) / Math.sqrt(depth) + shift);
      above += weight * at(v, ...batch, j, column);
      below += weight;
    }
    return above / below;
  });
}

/** Returns the columns `from` to `to` of a matrix. */
function columns(x: FlatTensor, from: number, to: number): FlatTensor {
  return fill([x.shape[0] ?? 0, to - from], ([i = 0, j = 0]) => at(x, i, from + j));
}

/** Attends head by head, each through its own columns of the projections. Operands of rank 2. */
function multiHead(heads: number, causal: boolean, operands: readonly FlatTensor[]): FlatTensor {
  const [query, source, wq, wk, wv, wo] = [0, 1, 2, 3, 4, 5].map((place) => operand(operands, place));
  if (!query || !source || !wq || !wk || !wv || !wo) throw new Error("six operands");
  const [inner, values] = [(wq.shape[1] ?? 0) / heads, (wv.shape[1] ?? 0) / heads];
  const results = Array.from({ length: heads }, (_, h) => {
    const part = (w: FlatTensor, width: number): FlatTensor => columns(w, h * width, (h + 1) * width);
    const q = product(query, part(wq, inner));
    return attention(causal, q, product(source, part(wk, inner)), product(source, part(wv, values)));
  });
  const all = fill([query.shape[0] ?? 0, heads * values], ([i = 0, j = 0]) => {
    return at(present(results[Math.floor(j / values)], "head"), i, j % values);
  });
  return product(all, wo);
}

/** `x w_ihᵀ + h w_hhᵀ + b`, the two halves apart. */
function gates(x: FlatTensor, w: FlatTensor, b?: FlatTensor): FlatTensor {
  const sum = product(x, transpose(w));
  return fill(sum.shape, ([n = 0, g = 0]) => at(sum, n, g) + (b === undefined ? 0 : at(b, g)));
}

/** The mean over all elements of a function of two operands. */
function loss(operands: readonly FlatTensor[], f: (x: number, y: number) => number): FlatTensor {
  const [x, y] = [operand(operands, 0), operand(operands, 1)];
  return scalar(meanOf([...x.data].map((element, i) => f(element, y.data[i] ?? 0))));
}

function batchNorm(
  { axis, epsilon }: CompositeAttributes["batch_norm_train"],
  operands: readonly FlatTensor[],
  statistics: (index: readonly number[]) => readonly [mean: number, variance: number],
): FlatTensor {
  const [x, scale, offset] = [operand(operands, 0), operand(operands, 1), operand(operands, 2)];
  return fill(x.shape, (index) => {
    const channel = index[axis] ?? 0;
    const [mean, variance] = statistics(index);
    return (
      ((at(x, ...index) - mean) / Math.sqrt(variance + epsilon)) * at(scale, channel) + at(offset, channel)
    );
  });
}

/** Every composite of networks. */
export const naives: { readonly [K in NetworkName]: Naive<CompositeAttributes[K]> } = {
  conv,
  conv_transpose: convTranspose,
  max_pool: maxPool,
  avg_pool: avgPool,
  softmax: ({ axis }, operands) => each(logSoftmax(operand(operands, 0), axis), Math.exp),
  log_softmax: ({ axis }, operands) => logSoftmax(operand(operands, 0), axis),
  layer_norm: ({ axes, epsilon }, operands) =>
    layerNorm(operand(operands, 0), operand(operands, 1), operand(operands, 2), axes, epsilon),
  batch_norm_train: (attributes, operands) => {
    const x = operand(operands, 0);
    return batchNorm(attributes, operands, (index) => {
      const seen = slab(x, index, [attributes.axis]);
      const mean = meanOf(seen);
      return [mean, meanOf(seen.map((y) => (y - mean) ** 2))];
    });
  },
  batch_norm_eval: (attributes, operands) =>
    batchNorm(attributes, operands, (index) => {
      const channel = index[attributes.axis] ?? 0;
      return [at(operand(operands, 3), channel), at(operand(operands, 4), channel)];
    }),
  group_norm: ({ groups, epsilon }, operands) => {
    const [x, scale, offset] = [operand(operands, 0), operand(operands, 1), operand(operands, 2)];
    const size = (x.shape[1] ?? 0) / groups;
    return fill(x.shape, (index) => {
      const group = Math.floor((index[1] ?? 0) / size);
      const seen: number[] = [];
      for (const other of indices(x.shape)) {
        if (other[0] === index[0] && Math.floor((other[1] ?? 0) / size) === group) seen.push(at(x, ...other));
      }
      return standard(at(x, ...index), seen, epsilon) * at(scale, index[1] ?? 0) + at(offset, index[1] ?? 0);
    });
  },
  embedding: ({ indices: name }, operands, entries) => {
    const [table, rows] = [operand(operands, 0), entries(name)];
    return fill([rows.data.length, table.shape[1] ?? 0], ([i = 0, j = 0]) =>
      at(table, rows.data[i] ?? -1, j),
    );
  },
  dropout: ({ rate }, operands, entries) => {
    const mask = entries("mask");
    return each(operand(operands, 0), (x, i) => (mask.data[i] === 1 ? x / (1 - rate) : 0));
  },
  scaled_dot_product_attention: ({ causal }, operands) =>
    attention(causal, operand(operands, 0), operand(operands, 1), operand(operands, 2), operands[3]),
  multi_head_attention: ({ heads, causal }, operands) => multiHead(heads, causal, operands),
  elman_cell: (_attributes, operands) => {
    const [x, h, wIn, wHidden, b] = [0, 1, 2, 3, 4].map((place) => operand(operands, place));
    if (!x || !h || !wIn || !wHidden) throw new Error("five operands");
    const hidden = gates(h, wHidden);
    return each(gates(x, wIn, b), (g, i) => Math.tanh(g + (hidden.data[i] ?? 0)));
  },
  lstm_cell: ({ output }, operands) => {
    const [x, h, c, wIn, wHidden, b] = [0, 1, 2, 3, 4, 5].map((place) => operand(operands, place));
    if (!x || !h || !c || !wIn || !wHidden) throw new Error("six operands");
    const hidden = gates(h, wHidden);
    const all = each(gates(x, wIn, b), (g, i) => g + (hidden.data[i] ?? 0));
    return fill(c.shape, ([n = 0, k = 0]) => {
      const size = c.shape[1] ?? 0;
      const [i = 0, f = 0, g = 0, o = 0] = [0, 1, 2, 3].map((which) => at(all, n, which * size + k));
      const cell = sigmoid(f) * at(c, n, k) + sigmoid(i) * Math.tanh(g);
      return output === "cell" ? cell : sigmoid(o) * Math.tanh(cell);
    });
  },
  gru_cell: (_attributes, operands) => {
    const [x, h, wIn, wHidden, bIn, bHidden] = [0, 1, 2, 3, 4, 5].map((place) => operand(operands, place));
    if (!x || !h || !wIn || !wHidden) throw new Error("six operands");
    const [fromInput, fromHidden] = [gates(x, wIn, bIn), gates(h, wHidden, bHidden)];
    return fill(h.shape, ([row = 0, k = 0]) => {
      const size = h.shape[1] ?? 0;
      const both = (which: number): readonly [number, number] => [
        at(fromInput, row, which * size + k),
        at(fromHidden, row, which * size + k),
      ];
      const [[r1, r2], [z1, z2], [n1, n2]] = [both(0), both(1), both(2)];
      const z = sigmoid(z1 + z2);
      return (1 - z) * Math.tanh(n1 + sigmoid(r1 + r2) * n2) + z * at(h, row, k);
    });
  },
  transformer_block: ({ heads, causal, epsilon }, operands) => {
    const [x, scale1, offset1, wq, wk, wv, wo, scale2, offset2, w1, b1, w2, b2] = operands;
    if (!x || !scale1 || !offset1 || !wq || !wk || !wv || !wo) throw new Error("thirteen operands");
    if (!scale2 || !offset2 || !w1 || !b1 || !w2 || !b2) throw new Error("thirteen operands");
    const first = layerNorm(x, scale1, offset1, [1], epsilon);
    const seen = multiHead(heads, causal, [first, first, wq, wk, wv, wo]);
    const y = each(x, (element, i) => element + (seen.data[i] ?? 0));
    const inner = product(layerNorm(y, scale2, offset2, [1], epsilon), w1);
    const hidden = fill(inner.shape, ([i = 0, j = 0]) => {
      const z = at(inner, i, j) + at(b1, j);
      return z * normal(z);
    });
    const more = product(hidden, w2);
    return fill(x.shape, ([i = 0, j = 0]) => at(y, i, j) + at(more, i, j) + at(b2, j));
  },
  mse: (_attributes, operands) => loss(operands, (x, y) => (x - y) ** 2),
  huber: ({ delta }, operands) =>
    loss(operands, (x, y) => {
      const distance = Math.abs(x - y);
      return distance <= delta ? distance ** 2 / 2 : delta * (distance - delta / 2);
    }),
  cross_entropy: ({ labels }, operands, entries) => {
    const x = operand(operands, 0);
    const chosen = [...entries(labels).data].map((label, row) => at(x, row, label) - logSum(x, [row, 0], 1));
    return scalar(-meanOf(chosen));
  },
  nll: ({ labels }, operands, entries) => {
    const x = operand(operands, 0);
    return scalar(-meanOf([...entries(labels).data].map((label, row) => at(x, row, label))));
  },
  bce_with_logits: (_attributes, operands) =>
    loss(operands, (x, y) => -y * Math.log(sigmoid(x)) - (1 - y) * Math.log(sigmoid(-x))),
  kl_div: (_attributes, operands) => loss(operands, (x, y) => (y === 0 ? 0 : y * (Math.log(y) - x))),
};
