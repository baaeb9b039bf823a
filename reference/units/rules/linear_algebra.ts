import type { LinearAlgebra } from "../../../spec/operators/index.ts";
import { at } from "../../../spec/shapes/index.ts";
import { sameAxes, sameAxis } from "../axis_links.ts";
import { known } from "../constants.ts";
import { type Grid, rangeOf, unknownOfBlock } from "../grid.ts";
import type { DimensionRulesOf, UnknownTerm } from "../rule.ts";
import { batchesOf, matrixOf } from "./sums.ts";

/** A solved matrix maps dimensions to others, so each element is a quotient; so with a determinant. */
export const linearAlgebra: DimensionRulesOf<keyof LinearAlgebra> = {
  solve: {
    constant: ({ constants: [, b] }) => (known.isZero(b) ? b : undefined),
    axes: ({ result }) => {
      const batch = result.length - 2;
      const [rows, columns] = [batch, batch + 1];
      return [
        ...sameAxes(0, "result", batch),
        ...sameAxes(1, "result", batch),
        sameAxis(0, rows, 1, rows),
        sameAxis(0, columns, "result", rows),
        sameAxis(1, columns, "result", columns),
      ];
    },
    equations: (node) => {
      const [a, b, x] = [at(node.grids, 0), at(node.grids, 1), node.own];
      const [[rows, inner], [, columns]] = [matrixOf(a), matrixOf(b)];
      if (node.isZero(0)) return;
      for (const batch of batchesOf(x)) {
        const [aAt, bAt, xAt] = [a, b, x].map(
          (grid) => (i: number, j: number) => unknownOfBlock(grid, [...batch, i, j]),
        );
        if (aAt === undefined || bAt === undefined || xAt === undefined) return;
        const product = (i: number, j: number, k: number): readonly UnknownTerm[] => [
          [xAt(j, k), 1n],
          [aAt(i, j), 1n],
          [bAt(i, k), -1n],
        ];
        for (let j = 0; j < inner; j++) {
          for (let k = 0; k < columns; k++) node.ask("result", ...product(0, j, k));
        }
        for (let i = 1; i < rows; i++) {
          for (let j = 0; j < inner && columns > 0; j++) node.ask("agree", ...product(i, j, 0));
          for (let k = 1; k < columns && inner > 0; k++) node.ask("agree", ...product(i, 0, k));
        }
      }
    },
  },
  det: {
    constant: ({ operands: [x = []] }) => (x.at(-1) === 0 ? known.one : undefined),
    axes: ({ result }) => sameAxes(0, "result", result.length),
    equations: (node) => {
      const x = at(node.grids, 0);
      if (node.isZero(0)) return;
      const [rows, columns] = matrixOf(x);
      let unknown = node.own.first;
      for (const batch of batchesOf(x)) {
        const xAt = (i: number, j: number): number => unknownOfBlock(x, [...batch, i, j]);
        node.ask("result", [unknown, 1n], ...diagonalOf(x, xAt));
        for (let i = 1; i < rows; i++) {
          for (let j = 1; j < columns; j++) {
            node.ask("agree", [xAt(i, j), 1n], [xAt(0, 0), 1n], [xAt(i, 0), -1n], [xAt(0, j), -1n]);
          }
        }
        unknown += 1;
      }
    },
  },
};

/**
 * The product of a diagonal, taken away. Element `i` is the first of row `i` times the first of column `i`
 * over the first of all, if elements are quotients. That holds even if rows and columns change dimension
 * elsewhere.
 */
function diagonalOf(x: Grid, xAt: (i: number, j: number) => number): UnknownTerm[] {
  const [rows, columns] = matrixOf(x);
  const [rowAxis, columnAxis] = [x.shape.length - 2, x.shape.length - 1];
  const width = (axis: number, block: number): bigint => {
    const [start, end] = rangeOf(x, axis, block);
    return BigInt(end - start);
  };
  return [
    ...Array.from({ length: rows }, (_, i): UnknownTerm => [xAt(i, 0), -width(rowAxis, i)]),
    ...Array.from({ length: columns }, (_, j): UnknownTerm => [xAt(0, j), -width(columnAxis, j)]),
    [xAt(0, 0), BigInt(at(x.shape, rowAxis))],
  ];
}
