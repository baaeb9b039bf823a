import { assertNever, type Shape } from "../../spec/shapes/index.ts";

/**
 * The operators of `Adjudge.Operator`, with their names and attributes there: what the kernel knows of an
 * operator. Indices are written out, because Δ holds scalars alone.
 */
export type LeanOperator =
  | { readonly kind: "constant"; readonly entry: number }
  | { readonly kind: "add" | "subtract" | "negative" | "multiply" | "divide" | "stop_gradient" | "matmul" }
  | { readonly kind: "sum"; readonly axes: readonly number[]; readonly keepdims: boolean }
  | { readonly kind: "broadcast_to" | "reshape"; readonly shape: Shape }
  | { readonly kind: "permute_dims"; readonly axes: readonly number[] }
  | { readonly kind: "take"; readonly axis: number; readonly indices: readonly number[] }
  | { readonly kind: "concat" | "cumulative_sum"; readonly axis: number }
  | { readonly kind: "gather"; readonly shape: Shape; readonly sources: readonly number[] }
  | { readonly kind: "scatter"; readonly shape: Shape; readonly targets: readonly number[] };

/** An instruction of `Adjudge.Program`: an operator, its parents' ids, and the claimed shape of its value. */
export interface Instruction {
  readonly operator: LeanOperator;
  readonly parents: readonly number[];
  readonly shape: Shape;
}

/** Returns a list of natural numbers as a Lean term. */
export function leanNaturals(numbers: readonly number[]): string {
  return `[${numbers.join(", ")}]`;
}

/** The operator and its attributes as a Lean term of type `Operator`. */
function leanOperator(operator: LeanOperator): string {
  switch (operator.kind) {
    case "constant":
      return `.constant ${operator.entry}`;
    case "add":
    case "subtract":
    case "negative":
    case "multiply":
    case "divide":
    case "stop_gradient":
    case "matmul":
      return `.${operator.kind}`;
    case "sum":
      return `.sum ${leanNaturals(operator.axes)} ${operator.keepdims}`;
    case "broadcast_to":
    case "reshape":
      return `.${operator.kind} ${leanNaturals(operator.shape)}`;
    case "permute_dims":
      return `.permute_dims ${leanNaturals(operator.axes)}`;
    case "take":
      return `.take ${operator.axis} ${leanNaturals(operator.indices)}`;
    case "concat":
    case "cumulative_sum":
      return `.${operator.kind} ${operator.axis}`;
    case "gather":
      return `.gather ${leanNaturals(operator.shape)} ${leanNaturals(operator.sources)}`;
    case "scatter":
      return `.scatter ${leanNaturals(operator.shape)} ${leanNaturals(operator.targets)}`;
    default:
      return assertNever(operator);
  }
}

/** Returns the instruction as a Lean term of type `Instruction`. */
export function leanInstruction({ operator, parents, shape }: Instruction): string {
  return `⟨${leanOperator(operator)}, ${leanNaturals(parents)}, ${leanNaturals(shape)}⟩`;
}
