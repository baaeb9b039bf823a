import { at, pair, type Shape, sizeOf, stridesOf } from "../../../../spec/shapes/index.ts";
import { apply, type Expression, read } from "../expression.ts";
import type { Access, Read, ValueId } from "../program.ts";
import { allows } from "../rewrite.ts";
import { type Draft, stacked } from "./draft.ts";
import type { Dots, Lowering } from "./lowering.ts";

const product = apply("multiply", read(0), read(1));

/** Makes an access without lookups. */
function affine(strides: readonly number[]): Access {
  return { offset: 0, strides, indirections: [] };
}

export const sum: Lowering<"sum"> = {
  forward: (draft, { attributes: { axes }, operands, shapes, shape }) =>
    summed(draft, at(operands, 0), at(shapes, 0), axes, shape, undefined),
  tangent: (draft, { attributes: { axes }, shapes, shape }, _value, { count, values: [xDot] }) =>
    xDot === undefined ? undefined : summed(draft, xDot, at(shapes, 0), axes, shape, count),
  cotangents(draft, { attributes: { axes }, shapes }, _value, c, isWanted) {
    const from = at(shapes, 0);
    const strides = stridesOf(from.map((extent, axis) => (axes.includes(axis) ? 1 : extent)));
    const repeated = affine(strides.map((stride, axis) => (axes.includes(axis) ? 0 : stride)));
    return isWanted(0) ? [draft.move(c, repeated, from)] : [];
  },
};

/** Sums over the axes, in one tensor or in each of `count` tensors. */
function summed(
  draft: Draft,
  x: ValueId,
  from: Shape,
  axes: readonly number[],
  shape: Shape,
  count: number | undefined,
): ValueId {
  const strides = stridesOf(from);
  const isSummed = (axis: number): boolean => axes.includes(axis);
  const kept = strides.filter((_, axis) => !isSummed(axis));
  const over = strides.filter((_, axis) => isSummed(axis));
  // With `keepdims` the result has axes of extent 1, along which nothing moves.
  const along =
    shape.length === from.length ? strides.map((stride, axis) => (isSummed(axis) ? 0 : stride)) : kept;
  const access = affine([...along, ...over]);
  return draft.append({
    kind: "fold",
    operation: "add",
    shape: count === undefined ? shape : [count, ...shape],
    over: from.filter((_, axis) => isSummed(axis)),
    reads: [{ value: x, ...(count === undefined ? access : stacked(access, sizeOf(from))) }],
    expression: read(0),
  });
}

/** The extents of a product of stacks of matrices. */
interface Extents {
  readonly batch: Shape;
  readonly rows: number;
  readonly inner: number;
  readonly columns: number;
}

function extentsOf(shapes: readonly Shape[]): Extents {
  const [x, y] = pair(shapes);
  const [rows, inner] = pair(x.slice(-2));
  return { batch: x.slice(0, -2), rows, inner, columns: at(y, y.length - 1) };
}

/** Makes the access to a stack of matrices from the loops over its batch and three further loops. */
function matrix(
  batch: Shape,
  rows: number,
  columns: number,
  places: readonly ["row" | "column" | "none", "row" | "column" | "none", "row" | "column" | "none"],
): Access {
  const size = rows * columns;
  const outer = stridesOf(batch).map((stride) => stride * size);
  return affine([
    ...outer,
    ...places.map((place) => (place === "row" ? columns : place === "column" ? 1 : 0)),
  ]);
}

function fold(
  draft: Draft,
  shape: Shape,
  inner: number,
  reads: readonly Read[],
  expression: Expression,
): ValueId {
  return draft.append({ kind: "fold", operation: "add", shape, over: [inner], reads, expression });
}

/** A matrix product is a fold of products, which the backends recognise. */
export const matmul: Lowering<"matmul"> = {
  forward(draft, { operands, shapes, shape }) {
    const [x, y] = pair(operands);
    const { batch, rows, inner, columns } = extentsOf(shapes);
    const left = matrix(batch, rows, inner, ["row", "none", "column"]);
    const right = matrix(batch, inner, columns, ["none", "column", "row"]);
    return fold(
      draft,
      shape,
      inner,
      [
        { value: x, ...left },
        { value: y, ...right },
      ],
      product,
    );
  },
  tangent(draft, { operands, shapes, shape, regime }, _value, dots) {
    const [x, y] = pair(operands);
    const { batch, rows, inner, columns } = extentsOf(shapes);
    const left = matrix(batch, rows, inner, ["row", "none", "column"]);
    const right = matrix(batch, inner, columns, ["none", "column", "row"]);
    const split = allows(regime, "split_tangents");
    return productTangent(
      draft,
      { value: x, ...left },
      { value: y, ...right },
      dots,
      shapes,
      shape,
      inner,
      split,
    );
  },
  cotangents(draft, { operands, shapes }, _value, c, isWanted) {
    const [x, y] = pair(operands);
    const [xShape, yShape] = pair(shapes);
    const { batch, rows, inner, columns } = extentsOf(shapes);
    const toLeft = [
      { value: c, ...matrix(batch, rows, columns, ["row", "none", "column"]) },
      { value: y, ...matrix(batch, inner, columns, ["none", "row", "column"]) },
    ];
    const toRight = [
      { value: x, ...matrix(batch, rows, inner, ["column", "none", "row"]) },
      { value: c, ...matrix(batch, rows, columns, ["none", "column", "row"]) },
    ];
    // xBar[i,k] = Σ_j c[i,j] y[k,j], and yBar[k,j] = Σ_i x[i,k] c[i,j].
    return [
      isWanted(0) ? fold(draft, xShape, columns, toLeft, product) : undefined,
      isWanted(1) ? fold(draft, yShape, rows, toRight, product) : undefined,
    ];
  },
};

/** Writes the tangents of a fold of products: one fold of `ẋ y + x ẏ`, or, split, the sum of two folds. */
function productTangent(
  draft: Draft,
  x: Read,
  y: Read,
  { count, values: [xDot, yDot] }: Dots,
  shapes: readonly Shape[],
  shape: Shape,
  inner: number,
  split: boolean,
): ValueId | undefined {
  if (xDot === undefined && yDot === undefined) return undefined;
  const [xShape, yShape] = pair(shapes);
  const result = [count, ...shape];
  const still = (operand: Read): Read => ({ value: operand.value, ...stacked(operand, 0) });
  const moving = (operand: Read, dot: ValueId, size: number): Read => ({
    value: dot,
    ...stacked(operand, size),
  });
  const xMoving = xDot === undefined ? undefined : moving(x, xDot, sizeOf(xShape));
  const yMoving = yDot === undefined ? undefined : moving(y, yDot, sizeOf(yShape));
  if (split) {
    const left = xMoving && fold(draft, result, inner, [xMoving, still(y)], product);
    const right = yMoving && fold(draft, result, inner, [still(x), yMoving], product);
    if (left === undefined || right === undefined) return left ?? right;
    return draft.add(left, right);
  }
  const reads = [still(x), still(y)];
  const dotOf = (dot: Read | undefined): Expression =>
    dot === undefined ? { kind: "literal", value: 0 } : read(reads.push(dot) - 1);
  const fromX = apply("multiply", dotOf(xMoving), read(1));
  const fromY = apply("multiply", read(0), dotOf(yMoving));
  return fold(draft, result, inner, reads, apply("add", fromX, fromY));
}
