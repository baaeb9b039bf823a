import type { Value } from "../../../spec/builder/index.ts";
import { at } from "../../../spec/shapes/index.ts";
import { along, axesOf, type Fusion, folded, type Hand, ofRank, total, transposed, width } from "./hand.ts";

/** Returns weights for the last axis of x, to as many columns. */
function weights({ other, one }: Hand, x: Value, columns: number = one(1, 2, 3)): Value {
  return other([...x.shape.slice(0, -2), width(x), columns]);
}

/** Returns a matrix, or a batch of them, of the shape of `x` with another number of rows. */
function rows({ other }: Hand, x: Value, count: number): Value {
  return other([...x.shape.slice(0, -2), count, width(x)]);
}

/** Products of matrices, what is done to their operands and what becomes of their results. */
const matrices: ReadonlyMap<string, Fusion> = ofRank(2, {
  "all of a product summed": (hand, x) => {
    const y = x.matmul(weights(hand, x));
    const axes = hand.vary(axesOf(y), axesOf(y).slice(1), axesOf(y).slice(0, -1));
    return y.sum({ axes, keepdims: hand.one(true, false) });
  },
  "mean of a product": (hand, x) => {
    const y = x.matmul(weights(hand, x));
    return y.mean({ axes: hand.vary(axesOf(y), [0]), keepdims: false });
  },
  "greatest of a product": (hand, x) => {
    const y = x.matmul(weights(hand, x));
    if (hand.one(true, false)) return y.argmax({ axis: hand.axis(y), keepdims: true });
    return y.max({ axes: hand.vary(axesOf(y), [0]), keepdims: false });
  },
  "an elementwise product summed": ({ vary, other }, x) => {
    const y = x.multiply(other(x.shape));
    return y.sum({ axes: vary(axesOf(y), axesOf(y).slice(1), []), keepdims: vary(false, true) });
  },
  "a square summed": ({ again }, x) => total(x.multiply(again(x))),
  "trace of a product": (hand, x) =>
    x.matmul(rows(hand, transposed(x), width(x))).trace({ offset: hand.vary(0, 1) }),
  "diagonal of a product": (hand, x) => {
    const y = rows(hand, x, hand.one(1, 2, 3));
    return x.matmul(transposed(y)).diagonal({ offset: hand.vary(0, 1, -1) });
  },
  "product plus a row": (hand, x) => {
    const y = x.matmul(weights(hand, x));
    return y.multiply(hand.vary(1, 0.5, 0)).add(hand.other(hand.vary([width(y)], y.shape)));
  },
  "product plus a scaled matrix": (hand, x) => {
    const y = x.matmul(weights(hand, x));
    return hand
      .other(y.shape)
      .multiply(hand.vary(0.5, 0, 1))
      .add(y);
  },
  "product, row, rectified": (hand, x) => {
    const y = x.matmul(weights(hand, x));
    const z = y.add(hand.other([width(y)]));
    return hand.make.apply(hand.vary("relu", "tanh", "sigmoid"), {}, [z]);
  },
  "two products added": (hand, x) => {
    const columns = hand.one(1, 2, 3);
    const [y, z] = [
      x.matmul(weights(hand, x, columns)),
      hand.other(x.shape).matmul(weights(hand, x, columns)),
    ];
    return hand.make.apply(hand.vary("add", "subtract"), {}, [y, z]);
  },
  "product after product": (hand, x) => {
    const y = x.matmul(weights(hand, x));
    return y.matmul(weights(hand, y));
  },
  "product with a product": (hand, x) => {
    const y = weights(hand, x);
    return x.matmul(y.matmul(weights(hand, y)));
  },
  "turned left operand": (hand, x) => transposed(x).matmul(rows(hand, transposed(x), x.shape.at(-2) ?? 1)),
  "turned right operand": (hand, x) => x.matmul(transposed(rows(hand, x, hand.one(1, 2, 3)))),
  "both operands turned": (hand, x) => {
    const y = transposed(x);
    return y.matmul(transposed(rows(hand, y, hand.one(1, 2, 3))));
  },
  "product turned": (hand, x) => transposed(x.matmul(weights(hand, x))),
  "a matrix with itself": ({ again }, x) => x.matmul(transposed(again(x))),
  "sum of matrices multiplied": (hand, x) => x.add(hand.other(x.shape)).matmul(weights(hand, x)),
  "two products of one operand": (hand, x) => {
    const [y, z] = [x.matmul(weights(hand, x)), x.matmul(weights(hand, x))];
    return hand.make.concat(y, z, { axis: y.shape.length - 1 });
  },
  "product of joined operands": (hand, x) => {
    const [axis, y] = [hand.vary(x.shape.length - 2, x.shape.length - 1), hand.other(x.shape)];
    const joined = hand.make.concat(x, y, { axis });
    return joined.matmul(weights(hand, joined));
  },
  "product of taken rows": (hand, x) => {
    const axis = hand.vary(x.shape.length - 2, x.shape.length - 1);
    const y = x.take({ axis, indices: hand.indices([2], [at(x.shape, axis)]) });
    return y.matmul(weights(hand, y));
  },
  "taken from a product": (hand, x) => {
    const y = x.matmul(weights(hand, x));
    const axis = y.shape.length - hand.vary(1, 2);
    return y.take({ axis, indices: hand.indices([2], [at(y.shape, axis)]) });
  },
  "part of a product": (hand, x) => {
    const y = x.matmul(weights(hand, x, 3));
    return y.slice(along(y, y.shape.length - 1, hand.vary(1, 0), 3, hand.vary(1, 2)));
  },
  "scaled operand": (hand, x) => x.multiply(hand.vary(0.5, -1)).matmul(weights(hand, x)),
  "scaled product": (hand, x) => x.matmul(weights(hand, x)).multiply(hand.vary(0.5, 1, 0)),
  "operand scaled along its rows": (hand, x) =>
    x.multiply(hand.other(hand.vary([width(x)], [x.shape.at(-2) ?? 1, 1]))).matmul(weights(hand, x)),
  "product of one column": (hand, x) => {
    const y = x.sum({ axes: [x.shape.length - 1], keepdims: true });
    return y.matmul(hand.other([...x.shape.slice(0, -2), 1, hand.one(1, 2, 3)]));
  },
  "product with zeros": ({ make, vary, one }, x) =>
    x.matmul(make.full({ shape: [...x.shape.slice(0, -2), width(x), one(1, 2)], value: vary(0, 1) })),
  "padded operand": (hand, x) => {
    const [none, last] = [
      x.shape.map(() => 0),
      x.shape.map((_, axis) => (axis === x.shape.length - 1 ? 1 : 0)),
    ];
    const y = x.pad({ low: hand.vary(none, last), high: last, interior: none });
    return y.matmul(weights(hand, y));
  },
  "system of a product": (hand, x) => {
    const y = x.matmul(transposed(x));
    const unit = hand.make.full({ shape: y.shape, value: 16 });
    const a = y.add(unit.tril({ offset: 0 }).triu({ offset: 0 }));
    switch (hand.one("solve", "inv", "cholesky", "det")) {
      case "solve":
        return a.solve(x);
      case "inv":
        return a.inv().matmul(x);
      case "cholesky":
        return a.cholesky({ upper: hand.vary(false, true) });
      case "det":
        return a.det();
    }
  },
});

/** Products of more than two axes, and what einsum writes of them: diagonals, sums, all orders. */
const equations: ReadonlyMap<string, Fusion> = ofRank(2, {
  "elementwise by an equation": ({ make, vary, other }, x) => {
    const y = x.reshape({ shape: folded(x) });
    return make.einsum(y, other(y.shape), {
      equation: vary("ij,ij->ij", "ij,ij->ji", "ij,ij->i", "ij,ij->"),
    });
  },
  "one axis multiplied": ({ make, vary, other }, x) => {
    const y = x.reshape({ shape: folded(x) });
    return make.einsum(y, other([width(x)]), { equation: vary("ij,j->ij", "ij,j->i", "ij,j->ji", "ij,j->") });
  },
  "a diagonal of three axes": ({ make, vary, one, other }) => {
    const [n, m] = [one(2, 3), one(1, 2)];
    return make.einsum(other([n, n, m]), { equation: vary("iij->ij", "iij->j", "iij->ji", "iij->") });
  },
  "two diagonals of four axes": ({ make, vary, one, other }) => {
    const [n, m] = [one(2, 3), one(1, 2)];
    return make.einsum(other([n, n, m, m]), {
      equation: vary("iijj->ij", "iijj->ji", "iijj->i", "iijj->"),
    });
  },
  "a diagonal across four axes": ({ make, vary, one, other }) => {
    const [n, m, k] = [one(2, 3), one(1, 2), one(1, 2)];
    const spread = other([n, m, n, k]);
    return make.einsum(spread, other([k, m]), {
      equation: vary("ijik,kj->i", "ijik,kj->ij", "ijik,kj->kj", "ijik,kj->"),
    });
  },
  "batches contracted": ({ make, vary, one, other }) => {
    const [b, i, j, k] = [one(1, 2), one(1, 2), one(2, 3), one(1, 2)];
    return make.einsum(other([b, i, j]), other([b, j, k]), {
      equation: vary("bij,bjk->bik", "bij,bjk->bki", "bij,bjk->ik", "bij,bjk->"),
    });
  },
  "three operands": ({ make, vary, one, other }) => {
    const [i, j, k] = [one(1, 2), one(2, 3), one(1, 2)];
    return make.einsum(other([i, j]), other([j, k]), other([i]), {
      equation: vary("ij,jk,i->k", "ij,jk,i->ik", "ij,jk,i->"),
    });
  },
  "a batch of one": (hand, x) => {
    const y = x.reshape({ shape: [...x.shape.slice(0, -2).map(() => 1), ...folded(x)] });
    const z = y.matmul(weights(hand, y));
    return z.reshape({ shape: z.shape.filter((extent, axis) => extent !== 1 || axis >= z.shape.length - 2) });
  },
  "one operand repeated for a batch": (hand, x) => {
    const batch = hand.one(2, 3);
    const [y, z] = [x.broadcast_to({ shape: [batch, ...x.shape] }), x.multiply(hand.vary(1, -1))];
    return y.matmul(transposed(z.broadcast_to({ shape: [batch, ...x.shape] })));
  },
  "products of vectors": ({ vary, again }, x) => x.vecdot(again(x), { axis: vary(x.shape.length - 1, 0) }),
  "an outer product summed": ({ make, vary, one, other }) => {
    const y = make.outer(other([one(2, 3)]), other([one(2, 3)]));
    return y.sum({ axes: vary([0, 1], [0], [1]), keepdims: false });
  },
});

/** Patterns of products, by the kinds of rules that rewrite them. */
export const products: ReadonlyMap<string, ReadonlyMap<string, Fusion>> = new Map([
  ["products", matrices],
  ["equations", equations],
]);
