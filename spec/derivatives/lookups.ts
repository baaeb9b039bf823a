import { sliceAlong } from "../composites/index.ts";
import type { Scope, Value } from "../construction/value.ts";
import type { Lookups } from "../operators/index.ts";
import { at as entry, type Shape } from "../shapes/index.ts";
import { linear, operandAt, shapeOfOperand } from "./linear.ts";
import { type DerivativesOf, zerosLike } from "./rule.ts";

/**
 * These operators move elements by indices in Δ. `scatter_add` returns rows. No primitive adds along an axis,
 * and Δ gets no new entries, so each place sums the cotangents whose index, looked up among place numbers, is
 * its own.
 */
export const lookups: DerivativesOf<keyof Lookups> = {
  take: linear((at, c) => {
    const { axis, indices } = at.attributes;
    const shape = shapeOfOperand(at);
    const digits = digitsOfPlaces(at.scope, entry(shape, axis));
    return collected(
      at.scope,
      c,
      axis,
      digits.map((places) => {
        const picked = places.take({ axis: 0, indices });
        return along(picked, axis, c.shape);
      }),
      digits,
    );
  }),
  take_along_axis: linear((at, c) => {
    const { axis, indices } = at.attributes;
    const shape = shapeOfOperand(at);
    const digits = digitsOfPlaces(at.scope, entry(shape, axis));
    const picked = digits.map((places) => along(places, axis, shape).take_along_axis({ axis, indices }));
    return collected(at.scope, c, axis, picked, digits);
  }),
  gather: linear((at, c) => zerosLike(at.scope, operandAt(at, 0)).scatter_add(c, at.attributes)),
  scatter_add: {
    cotangents: ({ attributes }, c) => [() => c, () => c.gather(attributes)],
    tangent: (at, [dx, updates]) =>
      updates === undefined ? dx : at.again(dx ?? zerosLike(at.scope, operandAt(at, 0)), updates),
  },
};

/** Integers below this are told apart in every format there is: bfloat16 has eight bits. */
const BASE = 256;

/** Returns the numbers 0 … `extent` − 1 as digits to the base {@link BASE}, a vector each, last first. */
function digitsOfPlaces(scope: Scope, extent: number): Value[] {
  if (extent <= BASE) return [scope.iota({ shape: [extent], axis: 0 })];
  const rows = Math.ceil(extent / BASE);
  const inRows = (digits: Value): Value => sliceAlong(digits.reshape({ shape: [rows * BASE] }), 0, 0, extent);
  const shape = [rows, BASE];
  const others = digitsOfPlaces(scope, rows).map((digits) =>
    inRows(digits.reshape({ shape: [rows, 1] }).broadcast_to({ shape })),
  );
  return [inRows(scope.iota({ shape, axis: 1 })), ...others];
}

/** A vector laid along an axis of a shape, the same everywhere else. */
function along(vector: Value, axis: number, shape: Shape): Value {
  const laid = shape.map((_, i) => (i === axis ? entry(vector.shape, 0) : 1));
  return vector
    .reshape({ shape: laid })
    .broadcast_to({ shape: shape.map((extent, i) => (i === axis ? entry(vector.shape, 0) : extent)) });
}

/**
 * Along the axis, at each place the sum of the elements of `c` for which `picked` has the place's digits.
 * What is not picked is left out and not multiplied by 0, so that infinities stay where they belong.
 */
function collected(
  scope: Scope,
  c: Value,
  axis: number,
  picked: readonly Value[],
  digits: readonly Value[],
): Value {
  const spread = (x: Value): Value =>
    x.reshape({ shape: [...c.shape.slice(0, axis + 1), 1, ...c.shape.slice(axis + 1)] });
  const extent = entry(entry(digits, 0).shape, 0);
  const shape = [...c.shape.slice(0, axis + 1), extent, ...c.shape.slice(axis + 1)];
  const isPicked = digits
    .map((places, which) =>
      along(places, axis + 1, shape).equal(spread(entry(picked, which)).broadcast_to({ shape })),
    )
    .reduce((all, isEqual) => all.multiply(isEqual));
  return scope.where(isPicked, spread(c), 0).sum({ axes: [axis], keepdims: false });
}
