import type { Sums } from "../../../spec/operators/index.ts";
import { at } from "../../../spec/shapes/index.ts";
import { rationalOf } from "../../algebras/rational.ts";
import { sameAxes, sameAxis } from "../axis_links.ts";
import { known } from "../constants.ts";
import { type Grid, unknownOfBlock } from "../grid.ts";
import type { DimensionRulesOf, Gridded } from "../rule.ts";
import { askAlikeAlong, askMoved } from "./moved.ts";

/** The terms of a sum have one dimension. */
export const sums: DimensionRulesOf<keyof Sums> = {
  sum: {
    constant: ({ attributes: { axes }, operands: [x = []], constants: [value] }) => {
      const count = axes.reduce((product, axis) => product * at(x, axis), 1);
      if (count === 0) return known.zero;
      return value && known.field.multiply(value, rationalOf(BigInt(count), 1n));
    },
    axes: ({ attributes: { axes, keepdims }, operands: [x = []] }) => {
      let place = 0;
      return x.flatMap((_, axis) => {
        const isKept = !axes.includes(axis);
        if (!isKept && !keepdims) return [];
        const own = place++;
        return isKept ? [sameAxis(0, axis, "result", own)] : [];
      });
    },
    equations: (node) => {
      const { axes, keepdims } = node.attributes;
      const [x = []] = node.operands;
      askAlikeAlong(node, 0, axes);
      askMoved(node, (coordinates) => {
        let place = 0;
        const from = x.map((_, axis) => {
          if (!axes.includes(axis)) return at(coordinates, place++);
          if (keepdims) place++;
          return 0;
        });
        return { operand: 0, coordinates: from };
      });
    },
  },
  cumulative_sum: {
    constant: ({ constants: [x] }) => (known.isZero(x) ? x : undefined),
    axes: ({ result }) => sameAxes(0, "result", result.length),
    equations: (node) => {
      askAlikeAlong(node, 0, [node.attributes.axis]);
      askMoved(node, (coordinates) => ({ operand: 0, coordinates }));
    },
  },
  matmul: {
    constant: ({ constants: [x, y], operands: [left = []] }) =>
      known.isZero(x) || known.isZero(y) || left.at(-1) === 0 ? known.zero : undefined,
    axes: ({ result }) => {
      const batch = result.length - 2;
      const [rows, columns] = [batch, batch + 1];
      return [
        ...sameAxes(0, "result", batch),
        ...sameAxes(1, "result", batch),
        sameAxis(0, rows, "result", rows),
        sameAxis(1, columns, "result", columns),
        sameAxis(0, columns, 1, rows),
      ];
    },
    equations: (node) => {
      const [x, y] = [at(node.grids, 0), at(node.grids, 1)];
      for (const batch of batchesOf(node.own)) askProduct(node, batch, [x, y, node.own]);
    },
  },
};

/** The block numbers of the leading axes of a stack of matrices. */
export function* batchesOf({ starts }: Grid): Generator<readonly number[]> {
  const counts = starts.slice(0, -2).map(({ length }) => length);
  const total = counts.reduce((product, count) => product * count, 1);
  for (let i = 0; i < total; i++) {
    let rest = i;
    yield counts
      .toReversed()
      .map((count) => {
        const block = rest % count;
        rest = Math.floor(rest / count);
        return block;
      })
      .reverse();
  }
}

/** The numbers of blocks of the last two axes. */
export function matrixOf({ starts }: Grid): readonly [rows: number, columns: number] {
  return [at(starts, starts.length - 2).length, at(starts, starts.length - 1).length];
}

/**
 * Z = X Y: each x_ik y_kj is a z_ij. The n·m equations with k = 0, n·k with j = 0, k·m with i = 0 suffice.
 */
function askProduct(
  { ask }: Gridded<unknown>,
  batch: readonly number[],
  [x, y, z]: readonly [Grid, Grid, Grid],
): void {
  const [[rows, inner], [, columns]] = [matrixOf(x), matrixOf(y)];
  const all = (count: number, from = 0): number[] =>
    Array.from({ length: Math.max(0, count - from) }, (_, i) => i + from);
  const xAt = (i: number, k: number): number => unknownOfBlock(x, [...batch, i, k]);
  const yAt = (k: number, j: number): number => unknownOfBlock(y, [...batch, k, j]);
  const zAt = (i: number, j: number): number => unknownOfBlock(z, [...batch, i, j]);
  for (const i of all(rows)) {
    for (const j of all(columns)) ask("result", [zAt(i, j), 1n], [xAt(i, 0), -1n], [yAt(0, j), -1n]);
  }
  for (const k of all(inner, 1)) {
    const first = (i: number, j: number): void =>
      ask("agree", [xAt(i, k), 1n], [yAt(k, j), 1n], [xAt(i, 0), -1n], [yAt(0, j), -1n]);
    if (columns > 0) for (const i of all(rows)) first(i, 0);
    if (rows > 0) for (const j of all(columns, 1)) first(0, j);
  }
}
