import { type Context, map, type Tensor } from "../../../reference/index.ts";
import type { PrimitiveNode } from "../../../spec/graph/index.ts";
import type { PrimitiveName } from "../../../spec/operators/index.ts";
import {
  anything,
  type FloatSet,
  floatSet,
  isOnly,
  mayBe,
  ofKinds,
  union,
  withoutSigns,
} from "../sets/float_set.ts";
import type { Standard } from "../standard/index.ts";

/** These operators only move elements. */
export const moving: ReadonlySet<PrimitiveName> = new Set([
  "broadcast_to",
  "reshape",
  "permute_dims",
  "concat",
  "take",
  "slice",
  "pad",
  "take_along_axis",
  "gather",
]);

/** These operators pass on a zero as it is; the root does (IEEE 754, §6.3). */
const passing: ReadonlySet<PrimitiveName> = new Set([
  ...moving,
  "constant",
  "stop_gradient",
  "where",
  "sqrt",
]);

/** IEEE 754 fixes the sign of these operators' zeros (§6.3), or they pass on a zero as it is. */
const signing: ReadonlySet<PrimitiveName> = new Set([
  ...passing,
  "negative",
  "add",
  "subtract",
  "multiply",
  "divide",
]);

/** Every engine writes these operators' derivatives alike, with no factor that could be 0. */
export const plain: ReadonlySet<PrimitiveName> = new Set([
  "broadcast_to",
  "reshape",
  "permute_dims",
  "concat",
  "slice",
  "pad",
  "stop_gradient",
  "negative",
  "add",
  "subtract",
  "sum",
]);

/** Opens choices by a NaN, which some engines pass on, and the signs of zeros but for {@link signing}. */
export function withFreedom(
  { conventions }: Standard,
  { op, parents }: PrimitiveNode,
  value: Tensor<FloatSet>,
  context: Context<FloatSet>,
): Tensor<FloatSet> {
  if (op !== "relu" && op !== "maximum" && op !== "where")
    return signing.has(op) ? value : map(value, withoutSigns);
  const isDeclared = conventions.singularPoints === "reference";
  return map(value, (set, position) => {
    const operands = parents.map((parent) => context[parent]?.data[position] ?? anything);
    const [x = anything, y = anything, z = anything] = operands;
    if (op === "where") return mayBe(x, "nan") && !isDeclared ? union(set, y, z) : set;
    const at = conventions[op === "relu" ? "reluAtNaN" : "maximumAtNaN"] ?? (isDeclared ? "nan" : "any");
    return withoutSigns(op === "relu" ? reluOf(at, set, x) : maximumOf(at, set, x, y));
  });
}

/**
 * Returns what an engine may have of a value: unless it declares that its zeros have signs, −0 may be +0
 * wherever it is given or passed on, and a zero that is computed may have either sign. `op` is missing where
 * the value is given.
 */
export function withZerosDeclared(
  { conventions }: Standard,
  op: PrimitiveName | undefined,
  value: Tensor<FloatSet>,
): Tensor<FloatSet> {
  if (conventions.zeros === "signed") return value;
  const isPassed = op === undefined || passing.has(op);
  return map(value, (set) => (isPassed && !mayBe(set, "-0") ? set : withoutSigns(set)));
}

/** Returns `relu`, which NaN may make NaN or 0. */
function reluOf(atNaN: string, set: FloatSet, x: FloatSet): FloatSet {
  if (!mayBe(x, "nan") || atNaN === "nan") return set;
  const zeros = ofKinds("0");
  if (atNaN === "any") return union(set, zeros);
  return union(withoutNaN(set), zeros);
}

/** Returns `maximum`, which NaN may make NaN, the other operand, or that at one place. */
function maximumOf(atNaN: string, set: FloatSet, x: FloatSet, y: FloatSet): FloatSet {
  const [isX, isY] = [mayBe(x, "nan"), mayBe(y, "nan")];
  if (!(isX || isY) || atNaN === "nan") return set;
  if (atNaN === "any") return union(set, x, y);
  const numbers = isOnly(x, "nan") || isOnly(y, "nan") ? [] : [withoutNaN(set)];
  const places = { first: [x], second: [y], number: [...(isX ? [y] : []), ...(isY ? [x] : [])] };
  const taken = atNaN === "first" || atNaN === "second" ? places[atNaN] : places.number;
  const both = isX && isY ? [ofKinds("nan")] : [];
  const ofNumber =
    atNaN === "number" ? taken.map(withoutNaN).filter(({ pieces }) => pieces.length > 0) : taken;
  return union(...numbers, ...ofNumber, ...both);
}

function withoutNaN({ pieces }: FloatSet): FloatSet {
  return floatSet(pieces.filter(({ kind }) => kind !== "nan"));
}
