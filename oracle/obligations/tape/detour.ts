import {
  addTensors,
  backward,
  backwardDenseAll,
  type Tape,
  type TapeNode,
  type Tensor,
} from "../../../reference/index.ts";
import { type Additive, type Algebra, ok, present } from "../../../spec/index.ts";

/** A tape of three scalars: node 1 may stand between the output 2 and the input 0. */
export interface Detour<S> {
  /** What node 1 gives to the input for its cotangent. */
  pull(cotangent: S): S;
  /** What the output gives to the input; that comes before what node 1 gives. */
  direct(cotangent: S): S;
  /** What the output gives to node 1; nothing if missing. */
  viaMiddle?(cotangent: S): S;
}

/** The tape of a detour. */
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

/** A sparse loop from the last id on. */
export type SparseLoop = <S>(
  algebra: Additive<S>,
  tape: Tape<S>,
  seed: Tensor<S>,
) => ReadonlyMap<number, Tensor<S>>;

/** The sparse loop that runs. */
const realSparseLoop: SparseLoop = (algebra, tape, seed) => {
  const grads = backward(algebra, tape, tape.length - 1, seed);
  return grads.ok ? grads.value : new Map();
};

/** A sparse loop where a slot that holds something does otherwise than add. */
function sparseLoop(
  second: <S>(algebra: Additive<S>, slot: Tensor<S>, contribution: Tensor<S>) => Tensor<S>,
  needsVisit: (id: number, size: number) => boolean = () => true,
): SparseLoop {
  return (algebra, tape, seed) => {
    const grads = new Map([[tape.length - 1, seed]]);
    for (let id = tape.length - 1; id >= 0; id--) {
      const upstream = grads.get(id);
      if (upstream === undefined || !needsVisit(id, tape.length)) continue;
      const given = present(tape[id], "a node").backward(upstream);
      for (const { parent, cotangent } of given.ok ? given.value : []) {
        const slot = grads.get(parent);
        grads.set(parent, slot === undefined ? cotangent : second(algebra, slot, cotangent));
      }
    }
    return grads;
  };
}

/** Keeps the last contribution alone. */
export const sparseOverwriting: SparseLoop = sparseLoop((_algebra, _slot, contribution) => contribution);

/** Passes over nodes that have received something, all but the output. */
export const sparseForgetting: SparseLoop = sparseLoop(addTensors, (id, size) => id === size - 1);

/** Doubles what it adds: the cotangents it hands on are not those of the dense loop. */
export const sparseDoubling: SparseLoop = sparseLoop((algebra, slot, contribution) =>
  addTensors(algebra, addTensors(algebra, slot, contribution), contribution),
);

/** The first id where the dense and a sparse loop hold different cotangents, in words; nothing if they agree wherever the sparse one has any. */
export function sparseDifference<S, B>(
  algebra: Algebra<S, B>,
  detour: Detour<S>,
  seed: S,
  loop: SparseLoop = realSparseLoop,
): string | undefined {
  const tape = detourTape(algebra.additive.zero, detour);
  const output: Tensor<S> = { shape: [], data: [seed] };
  const dense = backwardDenseAll(algebra.additive, tape, tape.length - 1, output);
  if (!dense.ok) return dense.error.message;
  for (const [id, { data }] of loop(algebra.additive, tape, output)) {
    const [want, got] = [present(dense.value[id]?.data[0], "a slot"), present(data[0], "a scalar")];
    if (!algebra.isSame(want, got)) {
      return `slot ${id} is ${algebra.format(got)}, in the dense loop ${algebra.format(want)}`;
    }
  }
  return undefined;
}
