import { type Additive, at, nodeId, type Shape } from "../../spec/shapes/index.ts";
import type { Context, SparseContext } from "../context.ts";
import { addTensors, sumTensors, type Tensor, zeros } from "../tensor.ts";

/** The cotangents of one sweep are added up here. Each sweep has its own slots. */
export interface Slots<S> {
  /** Returns the cotangent of an id, when no later node is left: nothing is added to it from then on. */
  settled(id: number): Tensor<S>;
  /** Adds what a node contributes. */
  add(contributions: SparseContext<S>): void;
  /** Returns all cotangents. */
  all(): Context<S>;
}

/** Makes a sweep's slots with these seeds, zero elsewhere. `inputs` is how many ids are Γ's. */
export type SlotsOf = <S>(
  additive: Additive<S>,
  shapes: readonly Shape[],
  inputs: number,
  seed: SparseContext<S>,
) => Slots<S>;

/**
 * The dense form [SEMANTICS §3.7]: the seed, the contributions from the latest reader on, and one zero if one
 * was left out. Law: with these, a sweep from the last node to the first has the bits of {@link
 * backpropAllCtx}.
 */
export const denseSlots: SlotsOf = (additive, shapes, inputs, seed) => {
  if (additive.sum !== undefined) return summedSlots(additive, shapes, seed);
  const cotangents = shapes.map((shape, id) => seed.get(nodeId(id)) ?? zeros(additive, shape));
  const listed = shapes.map(() => 0);
  return {
    settled: (id) => {
      const laterNodes = Math.min(shapes.length - 1 - id, shapes.length - inputs);
      const slot = at(cotangents, id);
      if (at(listed, id) >= laterNodes) return slot;
      const settled = addTensors(additive, slot, zeros(additive, slot.shape));
      cotangents[id] = settled;
      return settled;
    },
    add: (contributions) => {
      for (const [parent, bar] of contributions) {
        cotangents[parent] = addTensors(additive, at(cotangents, parent), bar);
        listed[parent] = at(listed, parent) + 1;
      }
    },
    all: () => cotangents,
  };
};

/** Slots over an algebra with sums of its own: a slot's terms wait for its turn, and are summed as one. */
function summedSlots<S>(additive: Additive<S>, shapes: readonly Shape[], seed: SparseContext<S>): Slots<S> {
  const terms = shapes.map((shape, id) => [seed.get(nodeId(id)) ?? zeros(additive, shape)]);
  const settled = (id: number): Tensor<S> => {
    const sum = sumTensors(additive, at(terms, id));
    terms[id] = [sum];
    return sum;
  };
  return {
    settled,
    add: (contributions) => {
      for (const [parent, bar] of contributions) at(terms, parent).push(bar);
    },
    all: () => shapes.map((_, id) => settled(id)),
  };
}
