import { type Movement, sliceAxis } from "../../../spec/operators/index.ts";
import { at, type Shape, sizeOf } from "../../../spec/shapes/index.ts";
import { coordinatesOf, positionOf } from "../../operators/index.ts";
import { type AxisLink, sameAxes, sameAxis } from "../axis_links.ts";
import { known } from "../constants.ts";
import type { DimensionRulesOf, Placed } from "../rule.ts";
import { askMoved } from "./moved.ts";
import { folded } from "./pointwise.ts";

/** A moved operand that is one number everywhere stays that number. */
const kept = folded((x) => x);

/** Elements take their dimension along. */
export const movement: DimensionRulesOf<keyof Movement> = {
  broadcast_to: {
    constant: kept,
    axes: (node) => {
      const [x, lead] = broadcastFrom(node);
      return x.flatMap((extent, axis) =>
        extent === node.result[axis + lead] ? [sameAxis(0, axis, "result", axis + lead)] : [],
      );
    },
    equations: (node) => {
      const [x, lead] = broadcastFrom(node);
      askMoved(node, (coordinates) => ({
        operand: 0,
        coordinates: x.map((extent, axis) => (extent === 1 ? 0 : at(coordinates, axis + lead))),
      }));
    },
  },
  reshape: {
    constant: kept,
    axes: ({ operands: [x = []], result }) => regrouped(x, result),
    equations: (node) => {
      const [x = []] = node.operands;
      askMoved(node, (coordinates) => ({
        operand: 0,
        coordinates: coordinatesOf(x, positionOf(node.result, coordinates)),
      }));
    },
  },
  permute_dims: {
    constant: kept,
    axes: ({ attributes: { axes } }) => axes.map((axis, place) => sameAxis(0, axis, "result", place)),
    equations: (node) => {
      const { axes } = node.attributes;
      askMoved(node, (coordinates) => ({
        operand: 0,
        coordinates: axes.map((_, axis) => at(coordinates, axes.indexOf(axis))),
      }));
    },
  },
  concat: {
    constant: ({ constants }) => {
      const [first] = constants;
      const isAll = constants.every(
        (x) => x !== undefined && first !== undefined && known.field.equal(x, first) === true,
      );
      return isAll ? first : undefined;
    },
    axes: (node) => {
      const { axis } = node.attributes;
      const begins = joints(node);
      return node.operands.flatMap((shape, place) =>
        shape.map((count, i): AxisLink => {
          if (i !== axis) return sameAxis(place, i, "result", i);
          const [part, whole] = [{ of: place, axis }, { of: "result", axis } as const];
          return { kind: "part", part, whole, first: at(begins, place), step: 1, count };
        }),
      );
    },
    equations: (node) => {
      const { axis } = node.attributes;
      const begins = joints(node);
      askMoved(node, (coordinates) => {
        const place = at(coordinates, axis);
        const operand = begins.findLastIndex(
          (begin, i) => begin <= place && at(at(node.operands, i), axis) > 0,
        );
        return { operand, coordinates: coordinates.with(axis, place - at(begins, operand)) };
      });
    },
  },
  slice: {
    constant: kept,
    axes: (node) =>
      slicedFrom(node).map(({ first, step, count }, axis) => ({
        kind: "part",
        part: { of: "result", axis },
        whole: { of: 0, axis },
        first,
        step,
        count,
      })),
    equations: (node) => {
      const sliced = slicedFrom(node);
      askMoved(node, (coordinates) => ({
        operand: 0,
        coordinates: sliced.map(({ first, step }, axis) => first + step * at(coordinates, axis)),
      }));
    },
  },
  pad: {
    constant: ({ constants: [x] }) => (known.isZero(x) ? x : undefined),
    axes: ({ attributes: { low, interior }, operands: [x = []] }) =>
      x.map((count, axis) => ({
        kind: "part",
        part: { of: 0, axis },
        whole: { of: "result", axis },
        first: at(low, axis),
        step: at(interior, axis) + 1,
        count,
      })),
    equations: (node) => {
      const { low, interior } = node.attributes;
      const [x = []] = node.operands;
      askMoved(node, (coordinates) => {
        const places = coordinates.map((place, axis) => (place - at(low, axis)) / (at(interior, axis) + 1));
        const isOfX = places.every(
          (place, axis) => Number.isInteger(place) && place >= 0 && place < at(x, axis),
        );
        return isOfX ? { operand: 0, coordinates: places } : undefined;
      });
    },
  },
};

function broadcastFrom({ operands: [x = []], result }: Placed<unknown>): readonly [x: Shape, lead: number] {
  return [x, result.length - x.length];
}

/** Finds where each operand of a joint begins along the axis. */
function joints({ attributes: { axis }, operands }: Placed<{ readonly axis: number }>): number[] {
  let end = 0;
  return operands.map((shape) => {
    const begin = end;
    end += at(shape, axis);
    return begin;
  });
}

type Slice = Placed<{
  readonly starts: readonly number[];
  readonly stops: readonly number[];
  readonly steps: readonly number[];
}>;

function slicedFrom({ attributes: { starts, stops, steps }, operands: [x = []] }: Slice) {
  return x.map((extent, axis) => {
    const step = at(steps, axis);
    return { ...sliceAxis(extent, at(starts, axis), at(stops, axis), step), step };
  });
}

/**
 * A reshape in runs of axes with equally many elements on both sides, each as short as it may be: one axis
 * for one is the same axis, and axes of extent 1 are nobody's.
 */
function regrouped(from: Shape, to: Shape): AxisLink[] {
  if (sizeOf(from) === 0)
    return from.length === to.length && from.every((n, i) => n === to[i])
      ? sameAxes(0, "result", from.length)
      : [];
  const links: AxisLink[] = [];
  let [i, j] = [0, 0];
  while (i < from.length && j < to.length) {
    const run = { left: [i], right: [j] };
    let [left, right] = [at(from, i++), at(to, j++)];
    while (left !== right) {
      if (left < right) {
        left *= at(from, i);
        run.left.push(i++);
      } else {
        right *= at(to, j);
        run.right.push(j++);
      }
    }
    const [a, b] = [
      run.left.filter((axis) => at(from, axis) > 1),
      run.right.filter((axis) => at(to, axis) > 1),
    ];
    if (a.length === 1 && b.length === 1) links.push(sameAxis(0, at(a, 0), "result", at(b, 0)));
    else if (a.length > 0) {
      const places = [
        ...a.map((axis) => ({ of: 0, axis })),
        ...b.map((axis) => ({ of: "result" as const, axis })),
      ];
      links.push({ kind: "regrouped", axes: places });
    }
  }
  return links;
}
