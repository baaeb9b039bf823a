import { shapesOf } from "../../../spec/expansion/index.ts";
import type { NodeOf } from "../../../spec/graph/index.ts";
import { present, type Shape, sizeOf } from "../../../spec/shapes/index.ts";
import type { DataType, FlatTensor } from "../../../spec/wire/index.ts";
import { type Answer, type Differentiable, type EagerLibrary, type Run, Unsupported } from "./library.ts";

/** Runs the inner graph in the library, as everything else is run. */
export type Runner = <T>(library: EagerLibrary<T>, run: Run<T>) => T[];

/** The outer graph, whose precision and environment the inner one has. */
type Around<T> = Pick<Run<T>, "environment" | "dtype">;

/**
 * Returns the value of a `differentiate`: the derivative of the inner graph as a function of one input; the
 * other operands are captured. Consumes its operands if the library has ownership.
 */
export function differentiated<T>(
  library: EagerLibrary<T>,
  { environment, dtype }: Around<T>,
  { attributes: { graph, mode, of, wrt } }: NodeOf<"differentiate">,
  operands: readonly T[],
  runInner: Runner,
): T {
  const primals = operands.slice(0, -1);
  const perturbation = present(operands.at(-1), "the tangent or the cotangent");
  const share = (tensor: T): T => library.ownership?.share(tensor) ?? tensor;
  const inner = (varied: T): T => {
    const inputsAndTaps = primals.map((captured, place) => (place === wrt ? varied : share(captured)));
    const [value] = runInner(library, { graph, environment, dtype, inputsAndTaps, ids: [of] });
    return present(value, "the value of the inner graph");
  };
  const shapes = shapesOf(graph);
  const asked = {
    mode,
    dtype,
    of: present(shapes[of], "the shape of the value"),
    wrt: present(shapes[wrt], "the shape of the input"),
  };
  const x = present(primals[wrt], "the operand of wrt");
  const derivative = derivativeOf(library, asked, inner, share(x), perturbation);
  for (const primal of primals) library.ownership?.release(primal);
  return derivative;
}

/** It asks for a derivative of a function of one tensor, with the shapes of value and tensor. */
export interface AskedDerivative {
  readonly mode: "jvp" | "vjp";
  readonly dtype: DataType;
  readonly of: Shape;
  readonly wrt: Shape;
}

/**
 * Returns the library's own `vjp` or `jvp` of a function of one tensor at `x`, possibly inside a function
 * that it differentiates too; without forward mode the derivative of `vjp` by the cotangent, in which that is
 * linear. Consumes `x` and the perturbation if the library has ownership, as `inner` consumes its argument.
 * Fails: {@link Unsupported} where the library answers later.
 */
export function derivativeOf<T>(
  library: EagerLibrary<T>,
  { mode, dtype, of, wrt }: AskedDerivative,
  inner: (varied: T) => T,
  x: T,
  perturbation: T,
): T {
  const zeros = (shape: Shape): T => library.tensor(zerosOf(shape), dtype);
  const share = (tensor: T): T => library.ownership?.share(tensor) ?? tensor;
  const f: Differentiable<T> = ([varied]) => [inner(present(varied, "the input"))];
  const pulled = (at: T, cotangent: T): T =>
    only(library, "vjp", library.vjp?.(f, [at], [cotangent])) ?? zeros(wrt);
  if (mode === "vjp") return pulled(x, perturbation);
  if (library.jvp !== undefined) {
    return only(library, "jvp", library.jvp(f, [x], [perturbation])) ?? zeros(of);
  }
  const transposed: Differentiable<T> = ([cotangent]) => [pulled(share(x), cotangent ?? zeros(of))];
  const pushed = only(library, "vjp", library.vjp?.(transposed, [zeros(of)], [perturbation])) ?? zeros(of);
  library.ownership?.release(x);
  return pushed;
}

/** Returns the only tensor of an answer that is there at once. */
function only<T>(
  { description }: EagerLibrary<T>,
  mode: "jvp" | "vjp",
  answer: Answer<readonly (T | undefined | null)[]> | undefined,
): T | undefined {
  if (answer === undefined || answer instanceof Promise) {
    throw new Unsupported(`${description.name} has no ${mode} within a function`);
  }
  return answer[0] ?? undefined;
}

function zerosOf(shape: Shape): FlatTensor {
  return { shape, data: new Float64Array(sizeOf(shape)) };
}
