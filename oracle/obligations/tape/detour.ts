import {
  backward,
  backwardDenseAll,
  type Tape,
  type TapeNode,
  type Tensor,
} from "../../../reference/index.ts";
import { type Algebra, ok, present } from "../../../spec/shapes/index.ts";

/** A detour is a tape of three scalars, where node 1 may lie between output 2 and input 0. */
export interface Detour<S> {
  /** Gives to the input what node 1 makes of its cotangent. */
  pull(cotangent: S): S;
  /** Gives to the input directly from the output, before node 1 does. */
  direct(cotangent: S): S;
  /** Gives to node 1 from the output; if it is missing, nothing. */
  viaMiddle?(cotangent: S): S;
}

/** Makes the tape of a detour. */
export function detourTape<S>(zero: S, { pull, direct, viaMiddle }: Detour<S>): Tape<S> {
  const node = (name: string, gives: readonly (readonly [number, (c: S) => S])[]): TapeNode<S> => ({
    name,
    value: { shape: [], data: [zero] },
    requiresGrad: true,
    parents: gives.map(([parent]) => parent),
    backward: ({ data }) =>
      ok(
        gives.map(([parent, give]) => ({
          parent,
          cotangent: { shape: [], data: [give(present(data[0], "a scalar"))] },
        })),
      ),
  });
  return [
    node("input", []),
    node("middle", [[0, pull]]),
    node("output", [[0, direct], ...(viaMiddle ? [[1, viaMiddle] as const] : [])]),
  ];
}

/** Tells the first id where the sparse loop's cotangent is not the dense one's; else `undefined`. */
export function sparseDifference<S, B>(
  algebra: Algebra<S, B>,
  detour: Detour<S>,
  seed: S,
): string | undefined {
  const tape = detourTape(algebra.additive.zero, detour);
  const output: Tensor<S> = { shape: [], data: [seed] };
  const dense = backwardDenseAll(algebra.additive, tape, tape.length - 1, output);
  const sparse = backward(algebra.additive, tape, tape.length - 1, output);
  if (!dense.ok) return dense.error.message;
  if (!sparse.ok) return sparse.error.message;
  for (const [id, { data }] of sparse.value) {
    const [want, got] = [present(dense.value[id]?.data[0], "a slot"), present(data[0], "a scalar")];
    if (!algebra.isSame(want, got)) {
      return `slot ${id} is ${algebra.format(got)}, in the dense loop ${algebra.format(want)}`;
    }
  }
  return undefined;
}
