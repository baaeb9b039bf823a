import { at, floatAt } from "../../spec/index.ts";
import type { Seed } from "../engine.ts";
import type { Step } from "./kernel.ts";
import { type Layout, sizeAt } from "./layout.ts";
import { add, type Machine } from "./machine.ts";

/** Computes every value, first to last. */
export function runForward(machine: Machine, steps: readonly Step[]): void {
  for (let n = 0; n < steps.length; n++) {
    const step = at(steps, n);
    step.rules.forward(machine, step);
  }
}

/** Computes every tangent, first to last; the values are there. */
export function runTangents(machine: Machine, steps: readonly Step[]): void {
  for (let n = 0; n < steps.length; n++) {
    const step = at(steps, n);
    step.rules.jvp(machine, step);
  }
}

/** The four phases of a reverse sweep, in order. The sparse form of [SEMANTICS §4, §7]. */
export interface Reverse {
  /** Empties all slots. An empty slot is −0, the neutral element of IEEE addition. */
  empty(machine: Machine, layout: Layout): void;
  /** Puts the seeds into their slots. */
  plant(machine: Machine, layout: Layout, seeds: readonly Seed[]): void;
  /** Pulls every cotangent back to the operands, last node first; nodes that nothing reached are not visited. */
  sweep(machine: Machine, layout: Layout): void;
  /** Makes +0 of the slots that nothing reached. */
  finish(machine: Machine, layout: Layout): void;
}

/** Pulls the cotangent of one node back to its operands. */
export function pullBack(machine: Machine, step: Step): void {
  const { cotangents, reached } = machine;
  const { folds, receivers } = step;
  for (let n = 0; n < folds.length; n++) {
    const { from, size } = at(folds, n);
    cotangents.fill(-0, from, from + size);
  }
  step.rules.vjp(machine, step);
  for (let n = 0; n < folds.length; n++) {
    const { from, into, size } = at(folds, n);
    for (let i = 0; i < size; i++) add(cotangents, into + i, floatAt(cotangents, from + i));
  }
  for (let n = 0; n < receivers.length; n++) reached[at(receivers, n)] = 1;
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
  sweep(machine, { steps }) {
    for (let n = steps.length - 1; n >= 0; n--) {
      const step = at(steps, n);
      if (machine.reached[step.id] === 1) pullBack(machine, step);
    }
  },
  finish({ cotangents, reached }, { offsets }) {
    for (let id = 0; id < reached.length; id++) {
      const offset = at(offsets, id);
      if (reached[id] === 0) cotangents.fill(0, offset, offset + sizeAt(offsets, id));
    }
  },
};
