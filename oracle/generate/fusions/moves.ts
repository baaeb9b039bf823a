import type { Value } from "../../../spec/builder/index.ts";
import { at, sizeOf } from "../../../spec/shapes/index.ts";
import {
  along,
  axesOf,
  type Fusion,
  type Hand,
  ofRank,
  total,
  transposed,
  transposing,
  width,
} from "./hand.ts";

/** Cuts x in two along an axis: what is before the middle, and the rest, which may be as long. */
function halves(x: Value, axis: number): readonly [Value, Value] {
  const extent = at(x.shape, axis);
  const middle = Math.floor(extent / 2);
  return [x.slice(along(x, axis, 0, middle)), x.slice(along(x, axis, middle, extent))];
}

/** Returns the first and the last part of x that are as long as each other. */
function ends(x: Value, axis: number): readonly [Value, Value] {
  const extent = at(x.shape, axis);
  const length = Math.ceil(extent / 2);
  return [x.slice(along(x, axis, 0, length)), x.slice(along(x, axis, extent - length, extent))];
}

/** Reduces x over some axes, by an operator that is drawn. */
function reduced({ one }: Hand, x: Value, axes: readonly number[], keepdims: boolean): Value {
  const attributes = { axes, keepdims };
  return one<(y: Value) => Value>(
    (y) => y.sum(attributes),
    (y) => y.sum(attributes),
    (y) => y.max(attributes),
    (y) => y.min(attributes),
    (y) => y.mean(attributes),
    (y) => y.prod(attributes),
    (y) => y.logsumexp(attributes),
    (y) => y.var({ ...attributes, correction: 0 }),
    (y) => y.argmax({ axis: axes[0] ?? 0, keepdims }),
  )(x);
}

/** Joining what was cut, cutting what was joined, and parts that meet. */
const joins: ReadonlyMap<string, Fusion> = ofRank(1, {
  "cut and joined": ({ make, vary, axis }, x) => {
    const along = axis(x);
    const [first, second] = halves(x, along);
    const [a, b] = vary([first, second], [second, first]);
    return make.concat(a, b, { axis: along });
  },
  "joined and cut": ({ make, vary, axis, other }, x) => {
    const place = axis(x);
    const joined = make.concat(x, other(x.shape), { axis: place });
    const extent = at(x.shape, place);
    return joined.slice(along(joined, place, vary(0, extent, 1), vary(extent, 2 * extent)));
  },
  "joined, cut, joined": ({ make, vary, axis, other }, x) => {
    const place = axis(x);
    const joined = make.concat(x, other(x.shape), { axis: place });
    const part = joined.slice(along(joined, place, vary(0, 1), at(x.shape, place)));
    return make.concat(part, joined, { axis: place });
  },
  "split and stacked": ({ make, vary }, x) => {
    const sections = at(x.shape, 0);
    const part = (index: number): Value => x.split({ axis: 0, sections, part: index });
    return make.stack(part(0), part(vary(sections - 1, 0)), { axis: vary(0, x.shape.length) });
  },
  "stacked, a function, split": ({ make, vary, other }, x) => {
    const stacked = make.stack(x, other(x.shape), x, { axis: 0 }).tanh();
    return stacked.split({ axis: 0, sections: 3, part: vary(1, 0, 2) });
  },
  "joined functions": ({ make, vary, axis, other }, x) =>
    make.concat(x.relu(), make.apply(vary("relu", "tanh"), {}, [other(x.shape)]), { axis: axis(x) }),
  "joined with itself": ({ make, axis, again }, x) => make.concat(x, again(x), x, { axis: axis(x) }),
  "two parts multiplied": ({ make, vary, axis }, x) => {
    const [first, second] = ends(x, axis(x));
    return make.apply(
      vary("multiply", "add", "subtract", "divide"),
      {},
      vary([first, second], [second, first]),
    );
  },
  "sum of two parts' product": ({ vary, axis }, x) => {
    const [first, second] = ends(x, axis(x));
    return vary(true, false) ? total(first.multiply(second)) : first.vecdot(second, { axis: 0 });
  },
  "even and odd places": ({ make, vary, axis }, x) => {
    const place = axis(x);
    const extent = at(x.shape, place) - (at(x.shape, place) % 2);
    const every = (start: number): Value => x.slice(along(x, place, start, extent, 2));
    return make.apply(vary("multiply", "subtract"), {}, [every(0), every(1)]);
  },
  "with itself backwards": ({ vary, axis }, x) => x.multiply(x.flip({ axes: vary([axis(x)], axesOf(x)) })),
  "differences of neighbours": ({ vary, axis }, x) => {
    const place = axis(x);
    const extent = at(x.shape, place);
    return x
      .slice(along(x, place, vary(1, 0), extent))
      .subtract(x.slice(along(x, place, 0, extent - vary(1, 0))));
  },
  "a slice of a slice": ({ vary, one, axis }, x) => {
    const place = axis(x);
    const first = x.slice(along(x, place, vary(1, 0), at(x.shape, place), one(1, 2)));
    return first.slice(along(first, place, vary(0, -1), vary(at(first.shape, place), -9), vary(1, -1)));
  },
  "a slice of what was padded": ({ vary, axis }, x) => {
    const place = axis(x);
    const counts = x.shape.map((_, i) => (i === place ? 1 : 0));
    const none = x.shape.map(() => 0);
    const padded = x.pad({ low: counts, high: counts, interior: vary(none, counts) });
    return padded.slice(along(padded, place, vary(1, 0), at(padded.shape, place) - vary(1, 0)));
  },
  "padded twice": ({ vary, axis }, x) => {
    const counts = x.shape.map((_, i) => (i === axis(x) ? 1 : 0));
    const none = x.shape.map(() => 0);
    return x
      .pad({ low: counts, high: none, interior: none })
      .pad({ low: none, high: counts, interior: vary(none, counts) });
  },
  "sum of what was padded": ({ vary }, x) => {
    const [none, one] = [x.shape.map(() => 0), x.shape.map(() => 1)];
    return total(x.pad({ low: one, high: vary(none, one), interior: vary(none, one) }).multiply(vary(2, -1)));
  },
  "a sum of ones so far": ({ make, vary, axis }, x) => {
    const ones = make.full({ shape: x.shape, value: vary(1, 0, 0.5) });
    return ones.cumulative_sum({ axis: axis(x) }).multiply(x);
  },
  "sums so far and back": ({ vary, axis }, x) => {
    const place = axis(x);
    const sums = x.flip({ axes: [place] }).cumulative_sum({ axis: vary(place, 0) });
    return sums.flip({ axes: [place] });
  },
  "rolled back": ({ vary, axis }, x) => {
    const place = axis(x);
    return x.roll({ shift: 1, axis: place }).roll({ shift: vary(-1, 1), axis: vary(place, 0) });
  },
  "sorted twice": ({ vary, axis }, x) => {
    const place = axis(x);
    return x
      .sort({ axis: place, descending: false })
      .sort({ axis: vary(place, 0), descending: vary(true, false) });
  },
  "sorted and cut": ({ vary, axis }, x) => {
    const place = axis(x);
    const y = x.sort({ axis: place, descending: vary(true, false) });
    return y.slice(along(y, place, 0, vary(1, 2)));
  },
});

/** Reads and writes by index: of what was written, of equal values, into constants. */
const scatters: ReadonlyMap<string, Fusion> = ofRank(1, {
  "a number scattered": ({ make, vary, indices }, x) => {
    const rows = indices([3, 1], [at(x.shape, 0)]);
    return x.scatter_add(make.full({ shape: [3, ...x.shape.slice(1)], value: vary(1, 0, 0.5) }), {
      indices: rows,
    });
  },
  "one row scattered": ({ vary, other, indices }, x) => {
    const rows = indices([3, 1], [at(x.shape, 0)]);
    const row = other(vary(x.shape.slice(1), [3, ...x.shape.slice(1).map(() => 1)], [])).broadcast_to({
      shape: [3, ...x.shape.slice(1)],
    });
    return x.scatter_add(row, { indices: rows });
  },
  "scattered over a constant": ({ make, vary, other, indices }, x) => {
    const base = make.full({ shape: x.shape, value: vary(0, 1) });
    return base
      .scatter_add(other([2, ...x.shape.slice(1)]), { indices: indices([2, 1], [at(x.shape, 0)]) })
      .multiply(x);
  },
  "equal updates": ({ make, vary, other, again, indices }, x) => {
    const row = other([1, ...x.shape.slice(1)]);
    const updates = make.concat(row, again(row), row, { axis: 0 });
    return x.scatter_add(updates, { indices: indices([3, 1], [vary(1, at(x.shape, 0))]) });
  },
  "written twice": ({ vary, other, indices }, x) => {
    const [rows, others] = [indices([2, 1], [at(x.shape, 0)]), indices([2, 1], [at(x.shape, 0)])];
    const updates = other([2, ...x.shape.slice(1)]);
    return x.scatter_add(updates, { indices: rows }).scatter_add(updates, { indices: vary(rows, others) });
  },
  "read where it was written": ({ vary, other, indices }, x) => {
    const [rows, others] = [indices([2, 1], [at(x.shape, 0)]), indices([2, 1], [at(x.shape, 0)])];
    return x
      .scatter_add(other([2, ...x.shape.slice(1)]), { indices: rows })
      .gather({ indices: vary(rows, others) });
  },
  "written where it was read": ({ vary, indices }, x) => {
    const [rows, others] = [indices([2, 1], [at(x.shape, 0)]), indices([2, 1], [at(x.shape, 0)])];
    return x.scatter_add(x.gather({ indices: rows }), { indices: vary(rows, others) });
  },
  "taken from what was taken": ({ vary, axis, indices }, x) => {
    const place = axis(x);
    const y = x.take({ axis: place, indices: indices([3], [at(x.shape, place)]) });
    const next = vary(place, 0);
    return y.take({ axis: next, indices: indices([2], [at(y.shape, next)]) });
  },
  "taken from what was joined": ({ make, axis, other, indices }, x) => {
    const place = axis(x);
    const joined = make.concat(x, other(x.shape), { axis: place });
    return joined.take({ axis: place, indices: indices([3], [at(joined.shape, place)]) });
  },
  "single places taken apart": ({ make, vary, axis, indices }, x) => {
    const place = axis(x);
    const part = (): Value => x.take({ axis: place, indices: indices([1], [at(x.shape, place)]) });
    return make.apply(vary("multiply", "add"), {}, [part(), part()]);
  },
  "taken from what was repeated": ({ one, indices }, x) => {
    const wide = x.broadcast_to({ shape: [one(2, 3), ...x.shape] });
    return wide.gather({ indices: indices([2, 1], [at(wide.shape, 0)]) });
  },
  "along an axis after sorting": ({ vary, axis, indices }, x) => {
    const place = axis(x);
    const y = x.sort({ axis: place, descending: vary(false, true) });
    const counts = x.shape.with(place, 2);
    return y.take_along_axis({ axis: place, indices: indices(counts, [at(x.shape, place)]) });
  },
});

/** Other orders and shapes of the same elements, and reductions of those. */
const views: ReadonlyMap<string, Fusion> = ofRank(2, {
  "reshaped and back": ({ vary }, x) => {
    const shape = vary([sizeOf(x.shape)], x.shape.toReversed(), [1, ...x.shape]);
    return x
      .reshape({ shape })
      .sin()
      .reshape({ shape: vary(x.shape, x.shape.toReversed()) });
  },
  "permuted and back": ({ vary }, x) => {
    const axes = vary(transposing(x), axesOf(x).toReversed());
    const inverse = axesOf(x).map((axis) => axes.indexOf(axis));
    return x.permute_dims({ axes }).permute_dims({ axes: vary(inverse, axesOf(x).toReversed()) });
  },
  "permuted, reshaped, permuted": (_, x) => {
    const y = transposed(x).reshape({ shape: x.shape });
    return transposed(y).multiply(transposed(x));
  },
  "a reduction of what was permuted": (hand, x) => {
    const y = x.permute_dims({ axes: hand.vary(transposing(x), axesOf(x).toReversed(), axesOf(x)) });
    return reduced(hand, y, hand.one(axesOf(y), [hand.axis(y)], [0]), hand.one(true, false));
  },
  "a reduction of what was reshaped": (hand, x) => {
    const { shape } = x;
    const y = x.reshape({ shape: hand.vary([sizeOf(shape)], shape.toReversed(), [...shape, 1]) });
    return reduced(hand, y, hand.one(axesOf(y), [hand.axis(y)]), hand.one(true, false));
  },
  "a reduction of what was repeated": (hand, x) => {
    const count = hand.one(2, 3);
    const y = x.broadcast_to({ shape: [count, ...x.shape] });
    return reduced(hand, y, hand.vary([0], axesOf(y), [1]), hand.one(true, false));
  },
  "a reduction of what was joined": (hand, x) => {
    const joined = hand.make.concat(x, hand.other(x.shape), { axis: hand.axis(x) });
    return reduced(hand, joined, hand.vary(axesOf(joined), [hand.axis(x)]), false);
  },
  "a reduction of what was padded": (hand, x) => {
    const [none, some] = [x.shape.map(() => 0), x.shape.map(() => 1)];
    const y = x.pad({ low: some, high: hand.vary(none, some), interior: none });
    return reduced(hand, y, hand.one(axesOf(y), [hand.axis(y)]), false);
  },
  "a reduction of a constant": (hand, x) => {
    const y = hand.make.full({ shape: x.shape, value: hand.vary(1, 0) });
    return reduced(hand, y, hand.one(axesOf(y), [hand.axis(y)]), true).multiply(x);
  },
  "a reduction of a reduction": (hand, x) => {
    const keepdims = hand.one(true, false);
    const y = x.sum({ axes: [hand.axis(x)], keepdims });
    return y.sum({ axes: hand.vary(axesOf(y), [0]), keepdims: hand.one(true, false) });
  },
  "the greatest of the greatest": (hand, x) => {
    const y = x.max({ axes: [hand.axis(x)], keepdims: true });
    const attributes = { axes: axesOf(y), keepdims: true };
    return hand.vary(true, false) ? y.max(attributes) : y.min(attributes);
  },
  "a reduction taken away": (hand, x) =>
    x.subtract(reduced(hand, x, hand.vary([hand.axis(x)], axesOf(x)), true)),
  "a reduction repeated": ({ vary, axis }, x) =>
    x
      .sum({ axes: [axis(x)], keepdims: true })
      .broadcast_to({ shape: x.shape })
      .multiply(vary(0.5, 1)),
  "mean by hand": ({ vary, axis }, x) => {
    const place = axis(x);
    return x.sum({ axes: vary([place], axesOf(x)), keepdims: true }).divide(vary(at(x.shape, place), 2));
  },
  "a place of the greatest, hot": ({ make, axis }, x) => {
    const along = { axis: axis(x), keepdims: true };
    return make.where(x.equal(x.max({ axes: [along.axis], keepdims: true })), x, x.argmax(along));
  },
  "joined views": ({ make, vary, axis }, x) =>
    make.concat(x.reshape({ shape: x.shape }), x.flip({ axes: vary([], [0]) }), { axis: axis(x) }),
  "permuted parts joined": ({ make, other }, x) =>
    make.concat(transposed(x), transposed(other(x.shape)), { axis: 0 }),
  "repeated, then a function": ({ vary, one, other }, x) => {
    const wide = x.broadcast_to({ shape: [one(2, 3), ...x.shape] });
    return wide.exp().multiply(other(vary(x.shape, wide.shape)));
  },
  "repeated by tiles and summed": ({ vary }, x) => total(x.tile({ repetitions: vary([2], [2, 2], [1, 2]) })),
  "flipped twice": ({ vary }, x) => x.flip({ axes: vary([0], axesOf(x)) }).flip({ axes: vary([0], [1]) }),
  "halves above and below": ({ vary }, x) =>
    x.tril({ offset: vary(0, -1) }).add(x.triu({ offset: vary(1, 0) })),
  "above and below": ({ vary }, x) => x.tril({ offset: vary(0, 1) }).triu({ offset: vary(0, -1) }),
  "diagonal of the permuted": ({ vary }, x) => transposed(x).diagonal({ offset: vary(0, 1, -1) }),
  "product of exponentials": ({ vary, axis }, x) =>
    x.exp().prod({ axes: vary([axis(x)], []), keepdims: false }),
  "last axis joined with the rows": ({ make }, x) =>
    make
      .stack(x, x.sin(), { axis: x.shape.length })
      .reshape({ shape: [...x.shape.slice(0, -1), 2 * width(x)] }),
});

/** Patterns that move or collect elements, by the kinds of rules that rewrite them. */
export const moves: ReadonlyMap<string, ReadonlyMap<string, Fusion>> = new Map([
  ["joining and cutting", joins],
  ["scattering", scatters],
  ["views and reductions", views],
]);
