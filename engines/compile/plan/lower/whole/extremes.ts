import { at, type Shape, sizeOf, stridesOf } from "../../../../../spec/shapes/index.ts";
import { apply, type Expression, literal, read } from "../../expression.ts";
import type { Access, Read, ValueId } from "../../program.ts";
import { type Draft, stacked } from "../draft.ts";
import type { Application, Lowering } from "../lowering.ts";

/** Accesses of a reduction: to its operand, its result, and a counter along the reduced axes. */
interface Loops {
  readonly over: Shape;
  /** Finds the operand's elements, from loops over the result and over the reduced axes. */
  readonly inner: Access;
  /** Finds the result's elements, from loops over the operand. */
  readonly outer: Access;
  /** Finds the counter of the reduced axes, from loops over the operand. */
  readonly counted: Access;
}

type Extreme = "max" | "min";

function loopsOf({ attributes: { axes }, shapes, shape }: Application<Extreme>): Loops {
  const x = at(shapes, 0);
  const isReduced = (axis: number): boolean => axes.includes(axis);
  const strides = stridesOf(x);
  const over = x.filter((_, axis) => isReduced(axis));
  const along =
    shape.length === x.length
      ? strides.map((stride, axis) => (isReduced(axis) ? 0 : stride))
      : strides.filter((_, axis) => !isReduced(axis));
  const kept = stridesOf(x.map((extent, axis) => (isReduced(axis) ? 1 : extent)));
  const counts = stridesOf(x.map((extent, axis) => (isReduced(axis) ? extent : 1)));
  const affine = (parts: readonly number[]): Access => ({ offset: 0, strides: parts, indirections: [] });
  return {
    over,
    inner: affine([...along, ...strides.filter((_, axis) => isReduced(axis))]),
    outer: affine(kept.map((stride, axis) => (isReduced(axis) ? 0 : stride))),
    counted: affine(counts.map((stride, axis) => (isReduced(axis) ? stride : 0))),
  };
}

/** Folds an expression of the elements by maximum. */
function largest(
  draft: Draft,
  application: Application<Extreme>,
  reads: readonly Read[],
  of: Expression,
): ValueId {
  const { over } = loopsOf(application);
  return draft.append({
    kind: "fold",
    operation: "maximum",
    shape: application.shape,
    over,
    reads,
    expression: of,
  });
}

/** Makes `0, 1, 2, …` over the reduced axes. */
function counting(draft: Draft, over: Shape): ValueId {
  const extent = sizeOf(over);
  const counts = draft.append({
    kind: "scan",
    shape: [extent],
    axis: 0,
    direction: 1,
    reads: [],
    expression: literal(1),
  });
  return draft.map([extent], [draft.whole(counts)], apply("subtract", read(0), literal(1)));
}

/** Finds, for each result, the number of its first extreme element: the least where they are equal. */
function firstPlace(
  draft: Draft,
  application: Application<Extreme>,
  value: ValueId,
  counts: ValueId,
): ValueId {
  const { inner, over } = loopsOf(application);
  const own = stridesOf(application.shape);
  const reads: Read[] = [
    { value: at(application.operands, 0), ...inner },
    { value, offset: 0, strides: [...own, ...over.map(() => 0)], indirections: [] },
    { value: counts, offset: 0, strides: [...own.map(() => 0), ...stridesOf(over)], indirections: [] },
  ];
  const place = apply(
    "select",
    apply("equal", read(0), read(1)),
    apply("negative", read(2)),
    literal(Number.NEGATIVE_INFINITY),
  );
  return largest(draft, application, reads, place);
}

/** Is 1 at the first extreme element of each reduction, else 0: read 0 counts, read 1 is minus the place. */
const isPlace = apply("equal", apply("negative", read(0)), read(1));

function extreme(isLargest: boolean): Lowering<Extreme> {
  const signed = (x: Expression): Expression => (isLargest ? x : apply("negative", x));
  return {
    forward(draft, application) {
      const x = { value: at(application.operands, 0), ...loopsOf(application).inner };
      const value = largest(draft, application, [x], signed(read(0)));
      return isLargest ? value : draft.map(application.shape, [draft.whole(value)], signed(read(0)));
    },
    /** The tangent of the first extreme element is selected by a sum with zeros. */
    tangent(draft, application, value, { count, values: [xDot] }) {
      if (xDot === undefined) return undefined;
      const { over, inner } = loopsOf(application);
      const { shape, shapes } = application;
      const counts = counting(draft, over);
      const place = firstPlace(draft, application, value, counts);
      const own = stridesOf(shape);
      const size = sizeOf(at(shapes, 0));
      const reads: Read[] = [
        { value: counts, offset: 0, strides: [0, ...own.map(() => 0), ...stridesOf(over)], indirections: [] },
        { value: place, offset: 0, strides: [0, ...own, ...over.map(() => 0)], indirections: [] },
        { value: xDot, ...stacked(inner, size) },
      ];
      return draft.append({
        kind: "fold",
        operation: "add",
        shape: [count, ...shape],
        over,
        reads,
        expression: apply("select", isPlace, read(2), literal(0)),
      });
    },
    cotangents(draft, application, value, c, isWanted) {
      if (!isWanted(0)) return [];
      const { over, outer, counted } = loopsOf(application);
      const counts = counting(draft, over);
      const place = firstPlace(draft, application, value, counts);
      const reads: Read[] = [
        { value: counts, ...counted },
        { value: place, ...outer },
        { value: c, ...outer },
      ];
      return [draft.map(at(application.shapes, 0), reads, apply("select", isPlace, read(2), literal(0)))];
    },
  };
}

/** The largest element takes one pass; its cotangent goes to the first of equals. */
export const max: Lowering<Extreme> = extreme(true);

/** The least element is minus the largest of the negated ones. */
export const min: Lowering<Extreme> = extreme(false);
