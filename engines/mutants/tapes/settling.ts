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

/** The interpreter's sweep, telling of each operand what one reader gives it, of a seed by itself, and of no sum. */
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

/** The interpreter's sweep, telling of an id when the first contribution, or its seed, has come to it. */
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

/** Goes through the nodes that are reached, last first: their operands, each once, and how they pull back. */
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
