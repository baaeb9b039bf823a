import { isSameShape, type Shape } from "../../spec/shapes/index.ts";

/** A policy changes every shape of a case at once: some axes go, the others get new extents. */
export interface Policy {
  /** Lists the axes of `shape` that stay, in order. */
  axes(shape: Shape): readonly number[];
  extent(shape: Shape, axis: number): number;
  /** Where an extent shrinks or its axis goes, the first elements stay, or the last. */
  readonly keeps: "first" | "last";
}

/** Lists every axis of a shape. */
export const allAxes = (shape: Shape): readonly number[] => shape.map((_, axis) => axis);

type Rule = Omit<Policy, "keeps">;

/** Drops some axes and keeps all extents. */
function dropping(isDropped: (shape: Shape, axis: number) => boolean): Rule {
  return {
    axes: (shape) => allAxes(shape).filter((axis) => !isDropped(shape, axis)),
    extent: (shape, axis) => shape[axis] ?? 1,
  };
}

/** Maps extents and keeps all axes. */
function mapping(extent: (extent: number, shape: Shape, axis: number) => number): Rule {
  return { axes: allAxes, extent: (shape, axis) => extent(shape[axis] ?? 1, shape, axis) };
}

/** Lists the extents to try for `extent`: smaller ones, or plain ones in place of 0, which is special. */
function otherExtents(extent: number): readonly number[] {
  return [...new Set([1, 2, extent - 1])].filter((other) => other > 0 && (other < extent || extent === 0));
}

/** Lists rules for all shapes alike, the boldest first. */
function* uniformRules(shapes: readonly Shape[]): Generator<Rule> {
  yield dropping(() => true);
  yield dropping((shape, axis) => shape[axis] === 1);
  yield mapping(() => 1);
  yield mapping((extent) => Math.min(extent, 2));
  const highest = shapes.reduce((rank, shape) => Math.max(rank, shape.length), 0);
  for (let target = 0; target < highest; target++) {
    yield dropping((_shape, axis) => axis === target);
    yield dropping((shape, axis) => shape.length - 1 - axis === target);
    yield dropping((shape, axis) => shape.length === highest && axis === target);
  }
  for (const extent of new Set(shapes.flat())) {
    for (const other of otherExtents(extent)) yield mapping((e) => (e === extent ? other : e));
  }
}

/** Lists rules for one shape wherever it occurs: an axis less, or a smaller extent along one. */
function* rulesFor(target: Shape): Generator<Rule> {
  for (const [place, extent] of target.entries()) {
    const concerns = (shape: Shape, axis: number): boolean => axis === place && isSameShape(shape, target);
    yield dropping(concerns);
    for (const other of otherExtents(extent)) {
      yield mapping((e, shape, axis) => (concerns(shape, axis) ? other : e));
    }
  }
}

/** Lists policies worth trying on a case with these shapes. */
export function* policies(shapes: readonly Shape[]): Generator<Policy> {
  const distinct = shapes.filter((shape, i) => shapes.findIndex((other) => isSameShape(other, shape)) === i);
  for (const rule of uniformRules(distinct)) {
    yield { ...rule, keeps: "first" };
    yield { ...rule, keeps: "last" };
  }
  for (const shape of distinct) {
    for (const rule of rulesFor(shape)) {
      yield { ...rule, keeps: "first" };
      yield { ...rule, keeps: "last" };
    }
  }
}
