import type { Lookups } from "../../../spec/operators/index.ts";
import { at, present } from "../../../spec/shapes/index.ts";
import { sameAxis } from "../axis_links.ts";
import { known } from "../constants.ts";
import { corners, unknownAt } from "../grid.ts";
import type { DimensionRule, DimensionRulesOf, Placed } from "../rule.ts";
import { askAlikeAlong, askMoved } from "./moved.ts";
import { askSame, folded } from "./pointwise.ts";

/** Takes along one axis, whatever the indices say: what lies along it is of one dimension. */
function along<A extends { readonly axis: number }>(): DimensionRule<A> {
  return {
    constant: folded((x) => x),
    axes: ({ attributes: { axis }, result }) =>
      result.flatMap((_, i) => (i === axis ? [] : [sameAxis(0, i, "result", i)])),
    equations: (node) => {
      const { axis } = node.attributes;
      if (node.own.count === 0) return;
      askAlikeAlong(node, 0, [axis]);
      askMoved(node, (coordinates) => ({ operand: 0, coordinates: coordinates.with(axis, 0) }));
    },
  };
}

/** Counts the leading axes of x that a row of indices picks, and the axes that number the rows. */
function rowsOf({ indices }: Placed<unknown>): readonly [depth: number, rows: number] {
  const shape = present(indices, "the shape of the indices");
  return [at(shape, shape.length - 1), shape.length - 1];
}

function leading(depth: number): number[] {
  return Array.from({ length: depth }, (_, axis) => axis);
}

/** Lookups keep dimensions, wherever the indices point. */
export const lookups: DimensionRulesOf<keyof Lookups> = {
  take: along(),
  take_along_axis: along(),
  gather: {
    constant: folded((x) => x),
    axes: (node) => {
      const [depth, rows] = rowsOf(node);
      return at(node.operands, 0)
        .slice(depth)
        .map((_, i) => sameAxis(0, depth + i, "result", rows + i));
    },
    equations: (node) => {
      const [depth, rows] = rowsOf(node);
      if (node.own.count === 0) return;
      askAlikeAlong(node, 0, leading(depth));
      const origin = leading(depth).map(() => 0);
      askMoved(node, (coordinates) => ({
        operand: 0,
        coordinates: [...origin, ...coordinates.slice(rows)],
      }));
    },
  },
  scatter_add: {
    constant: ({ constants: [x, updates] }) =>
      known.isZero(x) && known.isZero(updates) ? known.zero : undefined,
    axes: (node) => {
      const [depth, rows] = rowsOf(node);
      return node.result.flatMap((_, axis) => [
        sameAxis(0, axis, "result", axis),
        ...(axis < depth ? [] : [sameAxis(1, axis - depth + rows, "result", axis)]),
      ]);
    },
    equations: (node) => {
      const [depth, rows] = rowsOf(node);
      const [x, updates] = [at(node.grids, 0), at(node.grids, 1)];
      if (!node.isZero(0)) {
        for (let i = 0; i < x.count; i++) askSame(node, "result", node.own.first + i, x.first + i);
      }
      if (node.isZero(1) || updates.count === 0) return;
      // Whatever is updated, it may be anywhere along the first axes.
      const origin = leading(depth).map(() => 0);
      let unknown = node.own.first;
      for (const corner of corners(node.own)) {
        const start = corner.map((place, axis) => (axis < depth ? 0 : place));
        askSame(node, "agree", unknown, unknownAt(node.own, start));
        unknown += 1;
      }
      unknown = updates.first;
      for (const corner of corners(updates)) {
        askSame(node, "agree", unknownAt(node.own, [...origin, ...corner.slice(rows)]), unknown);
        unknown += 1;
      }
    },
  },
};
