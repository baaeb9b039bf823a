import type { Seed } from "../../spec/graph/index.ts";
import { at, type NodeId, nodeId } from "../../spec/shapes/index.ts";
import type { Step } from "./kernel.ts";
import { type Layout, sizeAt } from "./layout.ts";
import { type Machine, outside } from "./machine.ts";

/** Computes every value, first to last. */
export function runForward(machine: Machine, steps: readonly Step[]): void {
  for (const step of steps) step.rules.forward(machine, step);
}

/** Computes every tangent, first to last, from the values. */
export function runTangents(machine: Machine, steps: readonly Step[]): void {
  for (const step of steps) step.rules.jvp(machine, step);
}

/** The four phases of a reverse sweep, in order, in the sparse form of [SEMANTICS §4, §7]. */
export interface Reverse {
  /** Empties all slots. An empty slot is −0, the neutral element of IEEE addition. */
  empty(machine: Machine, layout: Layout): void;
  /** Puts the seeds into their slots. */
  plant(machine: Machine, layout: Layout, seeds: readonly Seed[]): void;
  /**
   * Pulls every cotangent back, last node first, without nodes that nothing reached. `settled` gets each id
   * that is reached, when nothing more is added to its cotangent.
   */
  sweep(machine: Machine, layout: Layout, settled?: (id: NodeId) => void): void;
  /** Sets the slots that nothing reached to +0. */
  finish(machine: Machine, layout: Layout): void;
}

/** Pulls one node's cotangent back. An iterator would cost a scalar node more than its arithmetic. */
export function pullBack(machine: Machine, step: Step): void {
  const { cotangents, reached } = machine;
  const { folds, receivers } = step;
  for (let n = 0; n < folds.length; n++) {
    const { from, size } = folds[n] ?? outside();
    cotangents.fill(-0, from, from + size);
  }
  step.rules.vjp(machine, step);
  for (let n = 0; n < folds.length; n++) {
    const { from, into, size } = folds[n] ?? outside();
    for (let i = 0; i < size; i++) {
      cotangents[into + i] = (cotangents[into + i] ?? outside()) + (cotangents[from + i] ?? outside());
    }
  }
  for (let n = 0; n < receivers.length; n++) reached[receivers[n] ?? outside()] = 1;
}

/** Tells of the inputs that were reached, last first. */
function settleInputs({ reached }: Machine, inputs: number, settled: (id: NodeId) => void): void {
  for (let id = inputs - 1; id >= 0; id--) if (reached[id] === 1) settled(nodeId(id));
}

/** The interpreter's reverse sweep. */
export const reverse: Reverse = {
  empty({ cotangents, reached, work }) {
    cotangents.fill(-0, 0, work);
    reached.fill(0);
  },
  plant({ cotangents, reached }, { offsets }, seeds) {
    for (const { id, cotangent } of seeds) {
      cotangents.set(cotangent.data, at(offsets, id));
      reached[id] = 1;
    }
  },
  sweep(machine, { steps, graph }, settled) {
    for (let n = steps.length - 1; n >= 0; n--) {
      const step = steps[n] ?? outside();
      if (machine.reached[step.id] !== 1) continue;
      settled?.(step.id);
      pullBack(machine, step);
    }
    if (settled !== undefined) settleInputs(machine, graph.inputs.length, settled);
  },
  finish({ cotangents, reached }, { offsets }) {
    for (let id = 0; id < reached.length; id++) {
      const offset = at(offsets, id);
      if (reached[id] === 0) cotangents.fill(0, offset, offset + sizeAt(offsets, id));
    }
  },
};
