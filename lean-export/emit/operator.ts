import type { Rational } from "../../reference/index.ts";
import type {
  BinaryName,
  Choices,
  LinearAlgebra,
  PadAttributes,
  SliceAttributes,
  UnaryName,
} from "../../spec/operators/index.ts";
import { assertNever, type Shape } from "../../spec/shapes/index.ts";

/**
 * The operators of `Adjudge.Operator`, with their names and attributes there: what the kernel knows of an
 * operator. Indices are written out, because Δ holds scalars alone.
 */
export type LeanOperator =
  | { readonly kind: "constant"; readonly entry: number }
  | { readonly kind: "add" | "subtract" | "negative" | "multiply" | "divide" | "stop_gradient" | "matmul" }
  | { readonly kind: keyof Choices | keyof LinearAlgebra }
  | { readonly kind: "sum"; readonly axes: readonly number[]; readonly keepdims: boolean }
  | { readonly kind: "broadcast_to" | "reshape"; readonly shape: Shape }
  | { readonly kind: "permute_dims"; readonly axes: readonly number[] }
  | { readonly kind: "take"; readonly axis: number; readonly indices: readonly number[] }
  | { readonly kind: "concat" | "cumulative_sum"; readonly axis: number }
  | ({ readonly kind: "slice" } & SliceAttributes)
  | ({ readonly kind: "pad" } & PadAttributes)
  | ({ readonly kind: "take_along_axis"; readonly axis: number } & IndexEntry)
  | ({ readonly kind: "gather" | "scatter_add" } & IndexEntry)
  | { readonly kind: "iota"; readonly shape: Shape; readonly axis: number }
  | {
      readonly kind: "bernoulli_mask";
      readonly shape: Shape;
      readonly key: readonly [number, number];
      readonly rate: Rational;
    }
  | { readonly kind: "elementary"; readonly f: UnaryName | BinaryName };

/** What an index entry of Δ holds, written at the operator: its shape, and its indices in row-major order. */
export interface IndexEntry {
  readonly entry: Shape;
  readonly indices: readonly number[];
}

/** An instruction of `Adjudge.Program`: an operator, its parents' ids, and the claimed shape of its value. */
export interface Instruction {
  readonly operator: LeanOperator;
  readonly parents: readonly number[];
  readonly shape: Shape;
}

/** Returns a list of whole numbers as a Lean term. */
export function leanNaturals(numbers: readonly number[]): string {
  return `[${numbers.join(", ")}]`;
}

/** An attribute of an operator in Lean; a text is the name of an elementary function. */
export type LeanAttribute = boolean | number | bigint | string | readonly number[];

/** Returns the attributes of an operator, in the order of its constructor. */
export function attributesOf(operator: LeanOperator): readonly LeanAttribute[] {
  switch (operator.kind) {
    case "constant":
      return [operator.entry];
    case "add":
    case "subtract":
    case "negative":
    case "multiply":
    case "divide":
    case "stop_gradient":
    case "matmul":
    case "relu":
    case "floor":
    case "maximum":
    case "less":
    case "equal":
    case "where":
    case "det":
    case "solve":
      return [];
    case "sum":
      return [operator.axes, operator.keepdims];
    case "broadcast_to":
    case "reshape":
      return [operator.shape];
    case "permute_dims":
      return [operator.axes];
    case "take":
      return [operator.axis, operator.indices];
    case "concat":
    case "cumulative_sum":
      return [operator.axis];
    case "slice":
      return [operator.starts, operator.stops, operator.steps];
    case "pad":
      return [operator.low, operator.high, operator.interior];
    case "take_along_axis":
      return [operator.axis, operator.entry, operator.indices];
    case "gather":
    case "scatter_add":
      return [operator.entry, operator.indices];
    case "iota":
      return [operator.shape, operator.axis];
    case "bernoulli_mask":
      return [operator.shape, ...operator.key, operator.rate.numerator, operator.rate.denominator];
    case "elementary":
      return [operator.f];
    default:
      return assertNever(operator);
  }
}

/** The operator and its attributes as a Lean term of type `Operator`. */
export function leanOperator(operator: LeanOperator): string {
  const attributes = attributesOf(operator).map((attribute) => {
    if (typeof attribute === "object") return leanNaturals(attribute);
    return typeof attribute === "string" ? `.${attribute}` : String(attribute);
  });
  return [constructorOf(operator), ...attributes].join(" ");
}

/** Returns a constructor in Lean, where `where` is a keyword but for in a longer name. */
function constructorOf({ kind }: LeanOperator): string {
  return kind === "where" ? "Operator.where" : `.${kind}`;
}

/** Returns the instruction as a Lean term of type `Instruction`. */
export function leanInstruction({ operator, parents, shape }: Instruction): string {
  return `⟨${leanOperator(operator)}, ${leanNaturals(parents)}, ${leanNaturals(shape)}⟩`;
}
