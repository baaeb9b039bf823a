import type { Composite, CompositeAttributes, Value } from "../../../spec/index.ts";
import type { ShapedName } from "./naive.test.kit.ts";

/** Expansions that are wrong in one way, each named for it. */
export type WrongExpansions<A> = Readonly<Record<string, Composite<A>["expand"]>>;

/** The reduced axes in front, as one; they are the first ones. */
function flattened(x: Value, count: number): Value {
  const rest = x.shape.slice(count);
  const size = x.shape.slice(0, count).reduce((product, extent) => product * extent, 1);
  return x.reshape({ shape: [size, ...rest] });
}

/** Elements `first`, `first + step`, … along axis 0. */
function every(x: Value, first: number, step: number, stop: number = x.shape[0] ?? 0): Value {
  const others = x.shape.slice(1);
  return x.slice({
    starts: [first, ...others.map(() => 0)],
    stops: [stop, ...others],
    steps: [step, ...others.map(() => 1)],
  });
}

/** Returns a fold that joins the first half with the second: at a tie the first of all need not win. */
function foldedHalves(x: Value, join: (a: Value, b: Value) => Value): Value {
  const extent = x.shape[0] ?? 0;
  if (extent <= 1) return x;
  const half = Math.floor(extent / 2);
  const pairs = join(every(x, 0, 1, half), every(x, half, 1, 2 * half));
  const round = extent % 2 === 0 ? pairs : pairs.concat(every(x, 2 * half, 1), { axis: 0 });
  return foldedHalves(round, join);
}

/** The last two axes exchanged. */
function transposed(x: Value): Value {
  const { length } = x.shape;
  return x.permute_dims({ axes: [...Array(length - 2).keys(), length - 1, length - 2] });
}

/** Each composite has at least one expansion that the tests must refuse. */
export const wrongExpansions: { readonly [K in ShapedName]: WrongExpansions<CompositeAttributes[K]> } = {
  mean: {
    "divides by the size of the whole": (_scope, attributes, x) =>
      x.sum(attributes).divide(x.shape.reduce((product, extent) => product * extent, 1)),
  },
  prod: {
    "goes by logarithms": (_scope, attributes, x) => x.log().sum(attributes).exp(),
    "is 0 of nothing": (_scope, attributes, x) =>
      x.shape.includes(0) ? x.sum(attributes) : x.prod(attributes),
  },
  max: {
    "joins halves, so that another one wins a tie": (_scope, attributes, x) => {
      const { axes, keepdims } = attributes;
      if (axes.some((axis) => axis >= axes.length)) return x.max(attributes);
      const { shape } = x.sum({ axes, keepdims });
      return foldedHalves(flattened(x, axes.length), (a, b) => a.maximum(b)).reshape({ shape });
    },
    "gives every largest its share": (_scope, { axes, keepdims }, x) => {
      const isLargest = x.equal(x.max({ axes, keepdims: true }));
      return isLargest.multiply(x).sum({ axes, keepdims }).divide(isLargest.sum({ axes, keepdims }));
    },
  },
  min: {
    "prefers the last at a tie": (_scope, attributes, x) =>
      x
        .flip({ axes: [...x.shape.keys()] })
        .min({ ...attributes, keepdims: true })
        .flip({ axes: [...x.shape.keys()] })
        .reshape({ shape: x.sum(attributes).shape }),
  },
  var: {
    "forgets the correction": (_scope, { axes, keepdims }, x) => x.var({ axes, keepdims, correction: 0 }),
    "holds the mean fixed and forgets the count": (_scope, { axes, keepdims }, x) =>
      x
        .subtract(x.mean({ axes, keepdims: true }))
        .square()
        .sum({ axes, keepdims }),
  },
  logsumexp: {
    overflows: (_scope, attributes, x) => x.exp().sum(attributes).log(),
    "differentiates what it takes out and not what it puts back": (_scope, { axes, keepdims }, x) => {
      const largest = x.max({ axes, keepdims: true });
      const rest = x.subtract(largest).exp().sum({ axes, keepdims: true }).log();
      return rest.add(largest.stop_gradient()).sum({ axes, keepdims });
    },
  },
  norm: {
    "is the sum of absolute values": (_scope, attributes, x) => x.abs().sum(attributes),
  },
  cumulative_prod: {
    "divides, so that zeros are lost": (_scope, { axis }, x) => x.log().cumulative_sum({ axis }).exp(),
    "looks back one place only": (_scope, { axis }, x) => {
      const extent = x.shape[axis] ?? 0;
      if (extent < 2) return x.cumulative_prod({ axis });
      const before = x.roll({ shift: 1, axis });
      const isFirst = x.equal(0).logical_or(1).cumulative_sum({ axis }).equal(1);
      return isFirst.where(x, x.multiply(before));
    },
  },
  argmax: {
    "prefers the last at a tie": (_scope, attributes, x) => {
      const extent = x.shape[attributes.axis] ?? 0;
      return x
        .flip({ axes: [attributes.axis] })
        .argmax(attributes)
        .negative()
        .add(extent - 1);
    },
    "is the largest element": (_scope, { axis, keepdims }, x) => x.max({ axes: [axis], keepdims }),
  },
  stack: {
    "always stacks in front": (_scope, _attributes, x, ...others) => x.stack(...others, { axis: 0 }),
  },
  split: {
    "always takes the first part": (_scope, attributes, x) => x.split({ ...attributes, part: 0 }),
  },
  flip: {
    "flips every axis": (_scope, _attributes, x) => x.flip({ axes: [...x.shape.keys()] }),
  },
  roll: {
    "rolls the other way": (_scope, { shift, axis }, x) => x.roll({ shift: 0 - shift, axis }),
  },
  tile: {
    "repeats elements instead of the whole": (_scope, { repetitions }, x) => {
      const [times = 1] = repetitions.slice(-1);
      if (repetitions.length !== x.shape.length + 1) return x.tile({ repetitions });
      const wide = x.stack(...Array<Value>(Math.max(times - 1, 0)).fill(x), { axis: x.shape.length });
      const shape = [...x.shape.slice(0, -1), (x.shape.at(-1) ?? 1) * times];
      return wide.reshape({ shape }).tile({ repetitions: repetitions.with(-1, 1) });
    },
  },
  one_hot: {
    "is the other way round": (scope, { indices, classes }) =>
      scope.one_hot({ indices, classes }).flip({ axes: [1] }),
  },
  diagonal: {
    "goes to the other side": (_scope, { offset }, x) => x.diagonal({ offset: 0 - offset }),
  },
  tril: {
    "leaves out its diagonal": (_scope, { offset }, x) => x.tril({ offset: offset - 1 }),
    "is the upper one": (_scope, { offset }, x) => x.triu({ offset }),
  },
  triu: {
    "leaves out its diagonal": (_scope, { offset }, x) => x.triu({ offset: offset + 1 }),
  },
  sort: {
    "is not stable": (_scope, { axis, descending }, x) => x.flip({ axes: [axis] }).sort({ axis, descending }),
    "pulls back to the sorted places": (_scope, attributes, x) =>
      x.subtract(x.stop_gradient()).add(x.stop_gradient().sort(attributes)),
    "ignores the direction": (_scope, { axis }, x) => x.sort({ axis, descending: false }),
  },
  top_k: {
    "takes the smallest": (_scope, { axis, k }, x) => x.negative().top_k({ axis, k }).negative(),
  },
  vecdot: {
    "always goes along the last axis": (_scope, _attributes, x, y) =>
      x.vecdot(y, { axis: x.shape.length - 1 }),
    "holds the second operand fixed": (_scope, attributes, x, y) => x.vecdot(y.stop_gradient(), attributes),
  },
  outer: {
    "takes the first vector twice where it can": (_scope, _attributes, x, y) =>
      x.shape[0] === y.shape[0] ? x.outer(x) : x.outer(y.negative()),
  },
  einsum: {
    "keeps the order of the operands' axes": (_scope, { equation }, x, ...others) => {
      const [left = "", right = ""] = equation.split("->");
      const order = [...new Set(left.replaceAll(",", ""))].filter((name) => right.includes(name));
      const sorted = x.einsum(...others, { equation: `${left}->${order.join("")}` });
      return sorted.reshape({ shape: [...right].map((name) => sorted.shape[order.indexOf(name)] ?? 0) });
    },
    "takes a sum for a diagonal": (_scope, { equation }, x, ...others) => {
      const [left = "", right = ""] = equation.split("->");
      const [first = ""] = left.split(",");
      if (new Set(first).size === first.length || others.length > 0) return x.einsum(...others, { equation });
      const summed = x.sum({ axes: [first.lastIndexOf(first[0] ?? "")], keepdims: false });
      const names = first.slice(0, -1);
      return summed.shape.length === names.length && right === ""
        ? summed.sum({ axes: [...names].map((_, axis) => axis), keepdims: false })
        : x.einsum({ equation });
    },
  },
  trace: {
    "always sums the main diagonal": (_scope, _attributes, x) => x.trace({ offset: 0 }),
    "is of the transpose": (_scope, attributes, x) => transposed(x).trace(attributes),
  },
  inv: {
    "is of the transpose": (_scope, _attributes, a) => transposed(a).inv(),
  },
  cholesky: {
    "reads the lower triangle alone": (scope, attributes, a) => {
      const lower = a.tril({ offset: 0 });
      return scope.cholesky(lower.add(transposed(a.tril({ offset: -1 }))), attributes);
    },
    "is always the lower one": (_scope, _attributes, a) => a.cholesky({ upper: false }),
  },
  triangular_solve: {
    "reads the whole matrix": (_scope, _attributes, a, b) => a.solve(b),
    "is always of the lower triangle": (_scope, _attributes, a, b) => a.triangular_solve(b, { upper: false }),
  },
};
