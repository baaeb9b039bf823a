import { sizeOf } from "../../../spec/index.ts";
import {
  headerOf,
  prepareMinors,
  runMinors,
  runMinorTangents,
  type Work,
} from "../../plan/routines/minors.ts";
import type { Kernel, Step } from "../kernel.ts";
import { contribute, type Machine } from "../machine.ts";

/** What the routines of `minors.ts` work with. */
export function workOf({ isSingle }: Machine, { table, scratch }: Step): Work {
  return { table, scratch, isSingle };
}

/** Table and scratch space: of `minors.ts`. */
export const det: Kernel<"det"> = {
  firstReceiver: 0,
  prepare({ parents: [x = []] }) {
    return prepareMinors(sizeOf(x.slice(0, -2)), x.at(-1) ?? 0, 0);
  },
  scratchLength: (table) => 2 * headerOf(table).length,
  forward(machine, step) {
    const { count, n, determinant } = headerOf(step.table);
    for (let b = 0; b < count; b++) {
      runMinors(workOf(machine, step), machine.values, step.x + b * n * n, "determinant");
      machine.values[step.out + b] = step.scratch[determinant] ?? 0;
    }
  },
  jvp(machine, step) {
    const { count, n, length, determinant } = headerOf(step.table);
    for (let b = 0; b < count; b++) {
      runMinors(workOf(machine, step), machine.values, step.x + b * n * n, "determinant");
      runMinorTangents(workOf(machine, step), machine.tangents, step.x + b * n * n, "determinant");
      machine.tangents[step.out + b] = step.scratch[length + determinant] ?? 0;
    }
  },
  vjp(machine, step) {
    const { count, n, cofactors } = headerOf(step.table);
    for (let b = 0; b < count; b++) {
      runMinors(workOf(machine, step), machine.values, step.x + b * n * n, "cofactors");
      const c = machine.cotangents[step.out + b] ?? 0;
      for (let i = 0; i < n * n; i++) {
        contribute(machine, step.xBar + b * n * n + i, c * (step.scratch[cofactors + i] ?? 0));
      }
    }
  },
};
