import { at, type NodeId, nodeId } from "../../../spec/shapes/index.ts";
import {
  type Arena,
  type Layout,
  type Machine,
  pullBack,
  type Reverse,
  reverse,
  sizeAt,
} from "../../interpretation/index.ts";

/** The interpreter's sweep, which reports each contribution and each seed by itself, but no sum. */
export const tellingParts: Reverse = {
  ...reverse,
  sweep(machine, layout, settled) {
    if (settled === undefined) return reverse.sweep(machine, layout);
    settleReached(machine, settled);
    backwards(machine, layout, (operands, pull) => {
      const earlier = operands.map((id) => ({ slot: slotAt(machine, layout, id), was: machine.reached[id] }));
      const sums = earlier.map(({ slot }) => slot.slice());
      for (const [n, id] of operands.entries()) {
        at(earlier, n).slot.fill(-0);
        machine.reached[id] = 0;
      }
      pull();
      for (const [n, id] of operands.entries()) {
        if (machine.reached[id] === 1) settled(nodeId(id));
        const { slot, was } = at(earlier, n);
        slot.set(slot.map((x, i) => (at(sums, n)[i] ?? 0) + x));
        if (was === 1) machine.reached[id] = 1;
      }
    });
  },
};

/** The interpreter's sweep, which reports an id at its first contribution, or its seed. */
export const tellingAtFirst: Reverse = {
  ...reverse,
  sweep(machine, layout, settled) {
    if (settled === undefined) return reverse.sweep(machine, layout);
    const { reached } = machine;
    settleReached(machine, settled);
    backwards(machine, layout, (operands, pull) => {
      const fresh = operands.filter((id) => reached[id] === 0);
      pull();
      for (const id of fresh) if (reached[id] === 1) settled(nodeId(id));
    });
  },
};

function settleReached({ reached }: Machine, settled: (id: NodeId) => void): void {
  for (let id = reached.length - 1; id >= 0; id--) if (reached[id] === 1) settled(nodeId(id));
}

/** Visits the reached nodes, last first, with their distinct operands and their pullback. */
function backwards(
  machine: Machine,
  { steps, graph }: Layout,
  visit: (operands: readonly number[], pull: () => void) => void,
): void {
  for (const step of steps.toReversed()) {
    if (machine.reached[step.id] !== 1) continue;
    const { parents } = at(graph.nodes, step.id - graph.inputs.length);
    visit([...new Set<number>(parents)], () => pullBack(machine, step));
  }
}

function slotAt({ cotangents }: Machine, { offsets }: Layout, id: number): Arena {
  const offset = at(offsets, id);
  return cotangents.subarray(offset, offset + sizeAt(offsets, id));
}
