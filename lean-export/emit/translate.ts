import { type Environment, integer, rationalFromNumber, type Tensor } from "../../reference/index.ts";
import { rules } from "../../reference/operators/index.ts";
import {
  type BinaryName,
  binaryNames,
  type NeedOf,
  type PrimitiveAttributes,
  type PrimitiveName,
  primitiveNames,
  primitives,
  type UnaryName,
  unaryNames,
} from "../../spec/operators/index.ts";
import {
  at,
  fail,
  type Levels,
  ok,
  present,
  type Result,
  type Shape,
  type ShapeFault,
  sizeOf,
} from "../../spec/shapes/index.ts";
import type { IndexEntry, LeanOperator } from "./operator.ts";

/** A node as a translation sees it: no numbers but indices. */
export interface NodeSight<A> {
  readonly attributes: A;
  readonly parents: readonly Shape[];
  readonly shape: Shape;
  /** A run over the integers. Of its entries only indices are read; real numbers are left out. */
  readonly environment: Environment<bigint>;
}

/** A node is translated into this. */
export type Translation =
  | { readonly kind: "operator"; readonly operator: LeanOperator }
  /** The entry of Δ of that name. */
  | { readonly kind: "entry"; readonly name: string }
  /** An entry of Δ more with these numbers, which attributes determine; the operator, if each is exact. */
  | { readonly kind: "literals"; readonly numbers: readonly number[]; readonly exact?: LeanOperator };

type Translations = {
  readonly [K in PrimitiveName]?: (node: NodeSight<PrimitiveAttributes[K]>) => Translation;
};

/** The operators of `Adjudge.Operator`. Those that are missing need real numbers. */
const translations: Translations = {
  constant: ({ attributes: { name } }) => ({ kind: "entry", name }),
  full: ({ attributes: { value }, shape }) => ({
    kind: "literals",
    numbers: new Array<number>(sizeOf(shape)).fill(value),
  }),
  iota: ({ attributes: { axis }, shape }) => ({
    kind: "literals",
    numbers: coordinatesAlong(shape, axis),
    exact: { kind: "iota", shape, axis },
  }),
  bernoulli_mask: ({ attributes: { key, rate }, environment, shape }) => {
    const [k0 = 0, k1 = 0] = indicesOf(environment, key);
    return operator({ kind: "bernoulli_mask", shape, key: [k0, k1], rate: rationalFromNumber(rate) });
  },
  stop_gradient: () => operator({ kind: "stop_gradient" }),
  negative: () => operator({ kind: "negative" }),
  add: () => operator({ kind: "add" }),
  subtract: () => operator({ kind: "subtract" }),
  multiply: () => operator({ kind: "multiply" }),
  divide: () => operator({ kind: "divide" }),
  sum: ({ attributes: { axes, keepdims } }) => operator({ kind: "sum", axes, keepdims }),
  broadcast_to: ({ attributes: { shape } }) => operator({ kind: "broadcast_to", shape }),
  reshape: ({ attributes: { shape } }) => operator({ kind: "reshape", shape }),
  permute_dims: ({ attributes: { axes } }) => operator({ kind: "permute_dims", axes }),
  concat: ({ attributes: { axis } }) => operator({ kind: "concat", axis }),
  take: ({ attributes: { axis, indices }, environment }) =>
    operator({ kind: "take", axis, indices: indicesOf(environment, indices) }),
  slice: ({ attributes: { starts, stops, steps } }) => operator({ kind: "slice", starts, stops, steps }),
  pad: ({ attributes: { low, high, interior } }) => operator({ kind: "pad", low, high, interior }),
  take_along_axis: ({ attributes: { axis, indices }, environment }) =>
    operator({ kind: "take_along_axis", axis, ...entryOf(environment, indices) }),
  gather: ({ attributes: { indices }, environment }) =>
    operator({ kind: "gather", ...entryOf(environment, indices) }),
  scatter_add: ({ attributes: { indices }, environment }) =>
    operator({ kind: "scatter_add", ...entryOf(environment, indices) }),
  cumulative_sum: ({ attributes: { axis } }) => operator({ kind: "cumulative_sum", axis }),
  matmul: () => operator({ kind: "matmul" }),
  relu: () => operator({ kind: "relu" }),
  floor: () => operator({ kind: "floor" }),
  maximum: () => operator({ kind: "maximum" }),
  less: () => operator({ kind: "less" }),
  equal: () => operator({ kind: "equal" }),
  where: () => operator({ kind: "where" }),
  det: () => operator({ kind: "det" }),
  solve: () => operator({ kind: "solve" }),
};

/** The operators that Lean's kernel can follow: those whose values are in any ordered field. */
export const exportableOperators: readonly PrimitiveName[] = primitiveNames.filter(
  (op) => op in translations,
);

const elementaryNames: readonly PrimitiveName[] = [...unaryNames, ...binaryNames];

/** Those that it can follow where a table says what the elementary functions are. */
export const tabledOperators: readonly PrimitiveName[] = [...exportableOperators, ...elementaryNames];

/** Those of the first whose values are in any ordered ring: all but division. */
export const ringOperators: readonly PrimitiveName[] = exportableOperators.filter(
  (op) => integer.levels[primitives[op].needs] !== undefined,
);

/** Those of them whose roundings are followed: of a choice between inexact numbers nothing is known. */
export const roundedOperators: readonly PrimitiveName[] = exportableOperators.filter(
  (op) => primitives[op].needs !== "ordered" && op !== "det" && op !== "solve",
);

/**
 * Returns the node in Lean; `undefined` where its operator is none that the kernel can follow. Fails: what
 * the operator refuses of its indices.
 */
export function translate<K extends PrimitiveName>(
  op: K,
  node: NodeSight<PrimitiveAttributes[K]>,
): Result<Translation, ShapeFault> | undefined {
  if (isElementary(op)) return ok(operator({ kind: "elementary", f: op }));
  const translation: Translations[K] = translations[op];
  if (translation === undefined) return undefined;
  // Division, which the integers lack, has no precondition.
  const level: Levels<bigint, boolean>[NeedOf[K]] | undefined = integer.levels[primitives[op].needs];
  const fault = level && rules[op].validate?.({ ...applied(node), algebra: level });
  return fault === undefined ? ok(translation(node)) : fail(fault);
}

function isElementary(op: PrimitiveName): op is UnaryName | BinaryName {
  return elementaryNames.includes(op);
}

function operator(leanOperator: LeanOperator): Translation {
  return { kind: "operator", operator: leanOperator };
}

/** Makes a tensor of positions, for preconditions, which depend on shapes and indices alone. */
function positionsOf(shape: Shape): Tensor<bigint> {
  return { shape, data: Array.from({ length: sizeOf(shape) }, (_, position) => BigInt(position)) };
}

function applied<A>({ attributes, parents, shape, environment }: NodeSight<A>): {
  algebra: typeof operations;
  attributes: A;
  operands: Tensor<bigint>[];
  environment: Environment<bigint>;
  shape: Shape;
} {
  return { algebra: operations, attributes, operands: parents.map(positionsOf), environment, shape };
}

const operations = present(integer.levels.ring, "the ring of integers");

/** The coordinate along an axis of each element. */
function coordinatesAlong(shape: Shape, axis: number): readonly number[] {
  const inner = sizeOf(shape.slice(axis + 1));
  return Array.from(
    { length: sizeOf(shape) },
    (_, position) => Math.floor(position / inner) % at(shape, axis),
  );
}

function entryOf(environment: Environment<bigint>, name: string): IndexEntry {
  const entry = environment.get(name);
  return { entry: entry?.kind === "index" ? entry.shape : [], indices: indicesOf(environment, name) };
}

function indicesOf(environment: Environment<bigint>, name: string): readonly number[] {
  const entry = environment.get(name);
  return entry?.kind === "index" ? entry.indices : [];
}
