import { addTensors, type Tensor, zeros } from "../../../reference/index.ts";
import { type Additive, ok } from "../../../spec/shapes/index.ts";
import type { Loop } from "./definition.ts";

/** Each fault changes one thing in the dense loop. */
interface Fault {
  /** Ids are visited in this order. */
  order?(size: number): readonly number[];
  /** Returns what a slot holds after a contribution. */
  added?<S>(algebra: Additive<S>, slot: Tensor<S>, contribution: Tensor<S>): Tensor<S>;
  /** A contribution goes to a slot so much further. */
  readonly shift?: number;
  readonly startsAtZero?: true;
  readonly clearsVisited?: true;
  readonly keepsLastContributionOnly?: true;
}

const descending = (size: number): readonly number[] =>
  Array.from({ length: size }, (_, id) => size - 1 - id);

/** Plants a fault in the dense loop. */
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

/** This assigns `grads[pid] := g`. */
export const overwriting: Loop = faulty({ added: (_algebra, _slot, contribution) => contribution });

/** This assigns `grads[pid] := g + grads[pid]`, which differs only where `+` does not commute. */
export const reversedAddition: Loop = faulty({
  added: (algebra, slot, contribution) => addTensors(algebra, contribution, slot),
});

/** This visits `0, 1, …`: consumers after what they consume. */
export const ascending: Loop = faulty({ order: (size) => [...descending(size)].reverse() });

/** This visits the last id after all others. */
export const lastIdLast: Loop = faulty({
  order: (size) => [...descending(size).slice(1), ...descending(size).slice(0, 1)],
});

/** This starts with zeros, not with the seed. */
export const seedless: Loop = faulty({ startsAtZero: true });

/** This hands a contribution to the slot after the parent's. */
export const shifted: Loop = faulty({ shift: 1 });

/** This forgets all of a node's contributions but the last. */
export const lastContributionOnly: Loop = faulty({ keepsLastContributionOnly: true });

/** This clears the slots it has visited, as a tape does that frees what it no longer needs. */
export const clearing: Loop = faulty({ clearsVisited: true });
