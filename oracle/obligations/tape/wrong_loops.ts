import { addTensors, type Tensor, zeros } from "../../../reference/index.ts";
import { type Additive, ok } from "../../../spec/shapes/index.ts";
import type { Loop } from "./definition.ts";

/** Where a loop goes astray; each is the dense loop but for one thing. */
interface Fault {
  /** The ids in the order of visits. */
  order?(size: number): readonly number[];
  /** What a slot holds after a contribution. */
  added?<S>(algebra: Additive<S>, slot: Tensor<S>, contribution: Tensor<S>): Tensor<S>;
  /** Where a contribution goes. */
  readonly shift?: number;
  readonly startsAtZero?: true;
  readonly clearsVisited?: true;
  readonly keepsLastContributionOnly?: true;
}

const descending = (size: number): readonly number[] =>
  Array.from({ length: size }, (_, id) => size - 1 - id);

/** The dense loop with a fault planted in it. */
function faulty(fault: Fault): Loop {
  const { order = descending, added = addTensors, shift = 0 } = fault;
  return (algebra, tape, seed) => {
    const grads = seed.map((slot) => (fault.startsAtZero ? zeros(algebra, slot.shape) : slot));
    for (const id of order(tape.length)) {
      const [node, upstream] = [tape[id], grads[id]];
      if (node === undefined || upstream === undefined) continue;
      const given = node.backward(upstream);
      if (!given.ok) return given;
      for (const { parent, cotangent } of fault.keepsLastContributionOnly
        ? given.value.slice(-1)
        : given.value) {
        const slot = grads[parent + shift];
        if (slot !== undefined) grads[parent + shift] = added(algebra, slot, cotangent);
      }
      if (fault.clearsVisited) grads[id] = zeros(algebra, upstream.shape);
    }
    return ok(grads);
  };
}

/** `grads[pid] := g`. */
export const overwriting: Loop = faulty({ added: (_algebra, _slot, contribution) => contribution });

/** `grads[pid] := g + grads[pid]`: another number only where `+` does not commute. */
export const reversedAddition: Loop = faulty({
  added: (algebra, slot, contribution) => addTensors(algebra, contribution, slot),
});

/** Visits `0, 1, …`: consumers after what they consume. */
export const ascending: Loop = faulty({ order: (size) => [...descending(size)].reverse() });

/** Visits the last id after all others. */
export const lastIdLast: Loop = faulty({
  order: (size) => [...descending(size).slice(1), ...descending(size).slice(0, 1)],
});

/** Begins with zeros, not with the seed. */
export const seedless: Loop = faulty({ startsAtZero: true });

/** Hands a contribution to the slot after the parent's. */
export const shifted: Loop = faulty({ shift: 1 });

/** Forgets all of a node's contributions but the last. */
export const lastContributionOnly: Loop = faulty({ keepsLastContributionOnly: true });

/** Clears the slots it has visited, as a tape does that frees what it needs no more. */
export const clearing: Loop = faulty({ clearsVisited: true });
