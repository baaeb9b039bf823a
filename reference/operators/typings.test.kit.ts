import fc from "fast-check";
import {
  type EnvironmentEntry,
  forBinary,
  forUnary,
  type PrimitiveAttributes,
  type PrimitiveName,
  present,
  type Shape,
} from "../../spec/index.ts";
import { modularOperations as field, type Residue, residue } from "../algebras/modular.ts";
import type { Environment, EnvironmentValue } from "../environment.ts";
import { type Tensor, zeros } from "../tensor.ts";

/** An operator's attributes, with shapes and declarations that fit them. */
interface Typing<A> {
  readonly attributes: A;
  readonly operands: readonly Shape[];
  readonly environment: readonly EnvironmentEntry[];
  /** The declared indices are drawn numbers, each column of rows reduced modulo the extent it indexes. */
  readonly limits: readonly number[];
}

const typing = <A>(
  attributes: A,
  operands: readonly Shape[],
  environment: readonly EnvironmentEntry[] = [],
  limits: readonly number[] = [1],
): Typing<A> => ({ attributes, operands, environment, limits });

const extents = fc.integer({ min: 0, max: 3 });
const shapes: fc.Arbitrary<Shape> = fc.array(extents, { maxLength: 3 });
const withAxes: fc.Arbitrary<Shape> = fc.array(extents, { minLength: 1, maxLength: 3 });

/** A yes or no for each of up to three axes. */
const choices = fc.tuple(fc.boolean(), fc.boolean(), fc.boolean());

/** Operands of one shape. */
const alike = (count: number): fc.Arbitrary<Typing<Readonly<Record<never, never>>>> =>
  shapes.map((shape) => typing({}, new Array<Shape>(count).fill(shape)));

/** Square matrices have these orders. */
const orders4 = fc.integer({ min: 0, max: 4 });

const orders = (rank: number): fc.Arbitrary<number[]> => {
  const axes = Array.from({ length: rank }, (_, axis) => axis);
  return fc.shuffledSubarray(axes, { minLength: rank, maxLength: rank });
};

/** An operand with an axis or more, and an entry `i` of `rows` rows of indices into its first axes. */
const rows: fc.Arbitrary<{ x: Shape; rows: Shape; block: Shape; index: EnvironmentEntry; limits: Shape }> = fc
  .tuple(withAxes, fc.nat(2), fc.array(extents, { maxLength: 2 }))
  .map(([x, drawn, lead]) => {
    const depth = 1 + (drawn % x.length);
    const limits = x.slice(0, depth);
    const rows = limits.includes(0) ? [0] : lead;
    const index = { name: "i", kind: "index", shape: [...rows, depth] } as const;
    return { x, rows, block: x.slice(depth), index, limits };
  });

/** Start, stop and step of an axis, anywhere. */
const ranges = fc.tuple(
  fc.integer({ min: -5, max: 5 }),
  fc.integer({ min: -5, max: 5 }),
  fc.constantFrom(1, 2, 3, -1, -2),
);

/** Three counts for each of up to three axes. */
const paddings = fc.array(fc.tuple(fc.nat(2), fc.nat(2), fc.nat(2)), { minLength: 3, maxLength: 3 });

/** Every operator with attributes, shapes and declarations that fit, corners among them. */
export const typings: { readonly [K in PrimitiveName]: fc.Arbitrary<Typing<PrimitiveAttributes[K]>> } = {
  constant: shapes.map((shape) => typing({ name: "c" }, [], [{ name: "c", kind: "real", shape }])),
  full: fc
    .tuple(shapes, fc.integer({ min: -9, max: 9 }))
    .map(([shape, value]) => typing({ shape, value }, [])),
  iota: fc
    .tuple(withAxes, fc.nat(2))
    .map(([shape, axis]) => typing({ shape, axis: axis % shape.length }, [])),
  bernoulli_mask: shapes.map((shape) =>
    typing({ shape, key: "k", rate: 0.5 }, [], [{ name: "k", kind: "index", shape: [2] }], [2 ** 32]),
  ),
  stop_gradient: alike(1),
  negative: alike(1),
  ...forUnary(() => alike(1)),
  ...forBinary(() => alike(2)),
  relu: alike(1),
  floor: alike(1),
  add: alike(2),
  subtract: alike(2),
  multiply: alike(2),
  divide: alike(2),
  maximum: alike(2),
  less: alike(2),
  equal: alike(2),
  where: alike(3),
  sum: fc
    .tuple(shapes, fc.boolean(), choices)
    .map(([shape, keepdims, summed]) =>
      typing({ axes: [...shape.keys()].filter((axis) => summed[axis]), keepdims }, [shape]),
    ),
  broadcast_to: fc.tuple(shapes, shapes, choices).map(([lead, shape, stretched]) => {
    const operand = shape.map((extent, axis) => (stretched[axis] ? 1 : extent));
    return typing({ shape: [...lead, ...shape] }, [operand]);
  }),
  reshape: shapes.chain((shape) =>
    orders(shape.length).map((axes) =>
      typing({ shape: [1, ...axes.map((axis) => present(shape[axis], "an extent"))] }, [shape]),
    ),
  ),
  // Cubes too: only among equal extents does a wrong permutation go by unnoticed.
  permute_dims: fc
    .oneof(shapes, fc.constant([2, 2, 2]))
    .chain((shape) => orders(shape.length).map((axes) => typing({ axes }, [shape]))),
  concat: fc
    .tuple(withAxes, fc.nat(2), fc.array(extents, { minLength: 1, maxLength: 3 }))
    .map(([shape, drawn, joined]) => {
      const axis = drawn % shape.length;
      return typing(
        { axis },
        joined.map((extent) => shape.with(axis, extent)),
      );
    }),
  take: fc.tuple(withAxes, fc.nat(2), extents).map(([shape, drawn, count]) => {
    const axis = drawn % shape.length;
    const extent = shape[axis] ?? 0;
    const indices = { name: "i", kind: "index", shape: [extent === 0 ? 0 : count] } as const;
    return typing({ axis, indices: "i" }, [shape], [indices], [extent]);
  }),
  slice: fc.tuple(shapes, fc.tuple(ranges, ranges, ranges)).map(([shape, drawn]) => {
    const used = drawn.slice(0, shape.length);
    const starts = used.map(([start]) => start);
    const stops = used.map(([, stop]) => stop);
    const steps = used.map(([, , step]) => step);
    return typing({ starts, stops, steps }, [shape]);
  }),
  pad: fc.tuple(shapes, paddings).map(([shape, drawn]) => {
    const used = drawn.slice(0, shape.length);
    const low = used.map(([count]) => count);
    const high = used.map(([, count]) => count);
    const interior = used.map(([, , count]) => count);
    return typing({ low, high, interior }, [shape]);
  }),
  take_along_axis: fc.tuple(withAxes, fc.nat(2), extents).map(([shape, drawn, count]) => {
    const axis = drawn % shape.length;
    const extent = shape[axis] ?? 0;
    const indices = { name: "i", kind: "index", shape: shape.with(axis, extent === 0 ? 0 : count) } as const;
    return typing({ axis, indices: "i" }, [shape], [indices], [extent]);
  }),
  gather: rows.map(({ x, index, limits }) => typing({ indices: "i" }, [x], [index], limits)),
  scatter_add: rows.map(({ x, rows: lead, block, index, limits }) =>
    typing({ indices: "i" }, [x, [...lead, ...block]], [index], limits),
  ),
  cumulative_sum: fc
    .tuple(withAxes, fc.nat(2))
    .map(([shape, axis]) => typing({ axis: axis % shape.length }, [shape])),
  matmul: fc.tuple(fc.array(extents, { maxLength: 1 }), extents, extents, extents).map(([batch, n, k, m]) =>
    typing({}, [
      [...batch, n, k],
      [...batch, k, m],
    ]),
  ),
  solve: fc.tuple(fc.array(extents, { maxLength: 1 }), orders4, extents).map(([batch, n, m]) =>
    typing({}, [
      [...batch, n, n],
      [...batch, n, m],
    ]),
  ),
  det: fc
    .tuple(fc.array(extents, { maxLength: 1 }), orders4)
    .map(([batch, n]) => typing({}, [[...batch, n, n]])),
};

/** Residues: few, so that ties and zeros are common, or any. */
const residues = fc.oneof(
  fc.integer({ min: -2, max: 2 }).map((x) => residue(BigInt(x))),
  fc.bigInt({ min: 0n, max: 2n ** 61n - 2n }),
);

/** Draws tensors of a shape. */
export function tensors(shape: Shape): fc.Arbitrary<Tensor<Residue>> {
  const size = zeros(field, shape).data.length;
  return fc.array(residues, { minLength: size, maxLength: size }).map((data) => ({ shape, data }));
}

/** Draws the entries that a typing declares. */
export function environments({ environment, limits }: Typing<unknown>): fc.Arbitrary<Environment<Residue>> {
  const entries = environment.map(({ name, kind, shape }) =>
    fc.tuple(
      fc.constant(name),
      tensors(shape).map((drawn): EnvironmentValue<Residue> => {
        if (kind === "real") return { kind, tensor: drawn };
        const limitAt = (position: number): number => Math.max(limits[position % limits.length] ?? 1, 1);
        return {
          kind,
          shape,
          indices: drawn.data.map((x, position) => Number(x % BigInt(limitAt(position)))),
        };
      }),
    ),
  );
  return fc.tuple(...entries).map((pairs) => new Map(pairs));
}
