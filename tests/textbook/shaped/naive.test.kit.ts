import { type CompositeAttributes, type CompositeName, present } from "../../../spec/index.ts";
import { alongAxis, build, get, type Numbers, placesOf, reduce } from "./arrays.test.kit.ts";
import {
  choleskyFactor,
  eachMatrix,
  eliminated,
  identity,
  substituted,
  transposed,
} from "./matrices.test.kit.ts";

/** The composites that reduce, move and order elements, and those that multiply and factor matrices. */
export const shapedNames = [
  "mean",
  "prod",
  "max",
  "min",
  "var",
  "logsumexp",
  "norm",
  "cumulative_prod",
  "argmax",
  "stack",
  "split",
  "flip",
  "roll",
  "tile",
  "one_hot",
  "diagonal",
  "tril",
  "triu",
  "sort",
  "top_k",
  "vecdot",
  "outer",
  "einsum",
  "trace",
  "inv",
  "cholesky",
  "triangular_solve",
] as const satisfies readonly CompositeName[];

export type ShapedName = (typeof shapedNames)[number];

/** The value of a composite, from its definition and element by element. */
export type Naive<A> = (
  attributes: A,
  operands: readonly Numbers[],
  indices: (name: string) => readonly number[],
) => Numbers;

const nothing: Numbers = { shape: [0], data: [] };
const sum = (elements: readonly number[]): number => elements.reduce((a, b) => a + b, 0);
const product = (elements: readonly number[]): number => elements.reduce((a, b) => a * b, 1);

/** The matrices' rows and columns, last of the shape. */
const extentsOf = ({ shape }: Numbers): readonly [number, number] => [shape.at(-2) ?? 0, shape.at(-1) ?? 0];

/** Returns x where `keeps(row, column)`, else 0. */
function masked(x: Numbers, keeps: (row: number, column: number) => boolean): Numbers {
  return build(x.shape, (place) => (keeps(place.at(-2) ?? 0, place.at(-1) ?? 0) ? get(x, place) : 0));
}

function diagonalOf(x: Numbers, offset: number): Numbers {
  const [rows, columns] = extentsOf(x);
  const on = Array.from({ length: rows }, (_, row) => row).filter(
    (row) => row + offset >= 0 && row + offset < columns,
  );
  return build([...x.shape.slice(0, -2), on.length], (place) => {
    const row = present(on[place.at(-1) ?? 0], "row of a diagonal");
    return get(x, [...place.slice(0, -1), row, row + offset]);
  });
}

/** Every assignment of indices to names, one after the other. */
function einsum(equation: string, operands: readonly Numbers[]): Numbers {
  const [left = "", right = ""] = equation.split("->");
  const terms = left.split(",");
  const names = [...new Set(terms.join(""))];
  const extentOf = (name: string): number => {
    const place = terms.findIndex((term) => term.includes(name));
    return operands[place]?.shape[terms[place]?.indexOf(name) ?? 0] ?? 0;
  };
  const summed = names.filter((name) => !right.includes(name));
  return build([...right].map(extentOf), (place) =>
    sum(
      placesOf(summed.map(extentOf)).map((inner) => {
        const indexOf = (name: string): number =>
          (right.includes(name) ? place[right.indexOf(name)] : inner[summed.indexOf(name)]) ?? 0;
        return product(operands.map((x, i) => get(x, [...(terms[i] ?? "")].map(indexOf))));
      }),
    ),
  );
}

/** These are written from the array API's sentences, with no regard for cost. */
export const naive: { readonly [K in ShapedName]: Naive<CompositeAttributes[K]> } = {
  mean: (attributes, [x = nothing]) => reduce(x, attributes, (all) => sum(all) / all.length),
  prod: (attributes, [x = nothing]) => reduce(x, attributes, product),
  max: (attributes, [x = nothing]) => reduce(x, attributes, (all) => Math.max(...all)),
  min: (attributes, [x = nothing]) => reduce(x, attributes, (all) => Math.min(...all)),
  var: (attributes, [x = nothing]) =>
    reduce(x, attributes, (all) => {
      const mean = sum(all) / all.length;
      return sum(all.map((y) => (y - mean) ** 2)) / Math.max(all.length - attributes.correction, 0);
    }),
  logsumexp: (attributes, [x = nothing]) => reduce(x, attributes, (all) => Math.log(sum(all.map(Math.exp)))),
  norm: (attributes, [x = nothing]) => reduce(x, attributes, (all) => Math.sqrt(sum(all.map((y) => y * y)))),
  cumulative_prod: ({ axis }, [x = nothing]) =>
    alongAxis(x, axis, (all) => all.map((_, i) => product(all.slice(0, i + 1)))),
  argmax: ({ axis, keepdims }, [x = nothing]) =>
    reduce(x, { axes: [axis], keepdims }, (all) => all.indexOf(Math.max(...all))),
  stack: ({ axis }, operands) => {
    const { shape } = operands[0] ?? nothing;
    return build(shape.toSpliced(axis, 0, operands.length), (place) =>
      get(operands[place[axis] ?? 0] ?? nothing, place.toSpliced(axis, 1)),
    );
  },
  split: ({ axis, sections, part }, [x = nothing]) => {
    const extent = (x.shape[axis] ?? 0) / sections;
    return build(x.shape.with(axis, extent), (place) =>
      get(x, place.with(axis, part * extent + (place[axis] ?? 0))),
    );
  },
  flip: ({ axes }, [x = nothing]) =>
    build(x.shape, (place) =>
      get(
        x,
        place.map((index, axis) => (axes.includes(axis) ? (x.shape[axis] ?? 0) - 1 - index : index)),
      ),
    ),
  roll: ({ shift, axis }, [x = nothing]) =>
    alongAxis(x, axis, (all) => {
      const rolled = [...all];
      for (let i = 0; i < Math.abs(shift); i++) {
        if (shift > 0) rolled.unshift(...rolled.splice(-1));
        else rolled.push(...rolled.splice(0, 1));
      }
      return rolled;
    }),
  tile: ({ repetitions }, [x = nothing]) => {
    const rank = Math.max(repetitions.length, x.shape.length);
    const filled = (list: readonly number[]): number[] => [...Array(rank - list.length).fill(1), ...list];
    const [shape, times] = [filled(x.shape), filled(repetitions)];
    return build(
      shape.map((extent, axis) => extent * (times[axis] ?? 1)),
      (place) =>
        get(
          { ...x, shape },
          place.map((index, axis) => index % (shape[axis] ?? 1)),
        ),
    );
  },
  one_hot: ({ indices, classes }, _operands, entry) =>
    build([entry(indices).length, classes], ([row = 0, column = 0]) =>
      entry(indices)[row] === column ? 1 : 0,
    ),
  diagonal: ({ offset }, [x = nothing]) => diagonalOf(x, offset),
  tril: ({ offset }, [x = nothing]) => masked(x, (row, column) => column <= row + offset),
  triu: ({ offset }, [x = nothing]) => masked(x, (row, column) => column >= row + offset),
  sort: ({ axis, descending }, [x = nothing]) =>
    alongAxis(x, axis, (all) => all.toSorted((a, b) => (descending ? b - a : a - b))),
  top_k: ({ axis, k }, [x = nothing]) => alongAxis(x, axis, (all) => all.toSorted((a, b) => b - a), k),
  vecdot: ({ axis }, [x = nothing, y = nothing]) =>
    reduce(
      build(x.shape, (place) => get(x, place) * get(y, place)),
      { axes: [axis], keepdims: false },
      sum,
    ),
  outer: (_attributes, [x = nothing, y = nothing]) =>
    build([...x.shape, ...y.shape], ([i = 0, j = 0]) => get(x, [i]) * get(y, [j])),
  einsum: ({ equation }, operands) => einsum(equation, operands),
  trace: ({ offset }, [x = nothing]) => {
    const on = diagonalOf(x, offset);
    return reduce(on, { axes: [on.shape.length - 1], keepdims: false }, sum);
  },
  inv: (_attributes, [a = nothing]) =>
    eachMatrix([a], a.shape.at(-1) ?? 0, (matrix = []) => eliminated(matrix, identity(matrix.length))),
  cholesky: ({ upper }, [a = nothing]) =>
    eachMatrix([a], a.shape.at(-1) ?? 0, (matrix = []) =>
      upper ? transposed(choleskyFactor(matrix)) : choleskyFactor(matrix),
    ),
  triangular_solve: ({ upper }, [a = nothing, b = nothing]) =>
    eachMatrix([b, a], b.shape.at(-1) ?? 0, (right = [], matrix = []) => substituted(matrix, right, upper)),
};
