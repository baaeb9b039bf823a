import {
  type FlatTensor,
  type NodeOf,
  nodeId,
  present,
  type Shape,
  shapesOf,
  sizeOf,
} from "../../../spec/index.ts";
import { type Answer, type Differentiable, type EagerLibrary, Unsupported } from "./library.ts";
import type { Run } from "./run.ts";

/** How the inner graph is run, in the library: as everything else is. */
export type Runner = <T>(library: EagerLibrary<T>, run: Run<T>) => T[];

/**
 * The value of a `differentiate`: the library's own `vjp` or `jvp` of the inner graph as a function of the input it is taken with
 * respect to; the other operands are captured. Whoever differentiates the graph around it differentiates this too. A library without
 * forward mode is asked for the derivative of its `vjp` with respect to the cotangent, in which that is linear.
 * Uses its operands up if the library has ownership.
 */
export function differentiated<T>(
  library: EagerLibrary<T>,
  run: Run<T>,
  { attributes: { graph, mode, of, wrt } }: NodeOf<"differentiate">,
  operands: readonly T[],
  runInner: Runner,
): T {
  const primals = operands.slice(0, -1);
  const x = present(primals[wrt], "the operand of wrt");
  const perturbation = present(operands.at(-1), "the tangent or the cotangent");
  const zeros = (id: number): T =>
    library.tensor(zerosOf(present(shapesOf(graph)[id], "a shape")), run.dtype);
  const share = (tensor: T): T => library.ownership?.share(tensor) ?? tensor;

  const inner: Differentiable<T> = ([varied]) => {
    const inputsAndTaps = primals.map((captured, place) =>
      place === wrt && varied !== undefined ? varied : share(captured),
    );
    return runInner(library, { ...run, graph, inputsAndTaps, ids: [of] });
  };
  const pulled = (cotangent: T): T =>
    only(library, "vjp", library.vjp?.(inner, [share(x)], [cotangent])) ?? zeros(nodeId(wrt));
  const pushed = (tangent: T): T => {
    if (library.jvp !== undefined) {
      return only(library, "jvp", library.jvp(inner, [share(x)], [tangent])) ?? zeros(of);
    }
    const transposed: Differentiable<T> = ([cotangent]) => [pulled(cotangent ?? zeros(of))];
    return only(library, "vjp", library.vjp?.(transposed, [zeros(of)], [tangent])) ?? zeros(of);
  };

  const derivative = mode === "vjp" ? pulled(perturbation) : pushed(perturbation);
  for (const primal of primals) library.ownership?.release(primal);
  return derivative;
}

/** The only tensor of an answer that is there at once. */
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
