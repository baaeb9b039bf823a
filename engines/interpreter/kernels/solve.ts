import { sizeOf } from "../../../spec/index.ts";
import { headerOf, prepareMinors, runMinors, runMinorTangents } from "../../plan/routines/minors.ts";
import { storeSolution, storeSolutionCotangent, storeSolutionTangent } from "../../plan/routines/solution.ts";
import type { Kernel, Step } from "../kernel.ts";
import { contribute, type Machine, rounded } from "../machine.ts";
import { workOf } from "./det.ts";

/** `aBar[i,k] −= Σ_j bBar[i,j] · x[k,j]`, then `bBar` itself is handed on. */
function contributeBoth(
  machine: Machine,
  { scratch, table }: Step,
  from: number,
  x: number,
  aBar: number,
  bBar: number,
): void {
  const { isSingle, values } = machine;
  const { n, m } = headerOf(table);
  for (let i = 0; i < n; i++) {
    for (let k = 0; k < n; k++) {
      let total = 0;
      for (let j = 0; j < m; j++) {
        const term = (scratch[from + i * m + j] ?? 0) * (values[x + k * m + j] ?? 0);
        total = rounded(total + rounded(term, isSingle), isSingle);
      }
      contribute(machine, aBar + i * n + k, -total);
    }
  }
  for (let i = 0; i < n * m; i++) contribute(machine, bBar + i, scratch[from + i] ?? 0);
}

/** Table: of `minors.ts`. Scratch space: that of `minors.ts`, and behind it one cotangent of the right-hand sides. */
export const solve: Kernel<"solve"> = {
  firstReceiver: 0,
  prepare({ parents: [a = [], b = []] }) {
    return prepareMinors(sizeOf(a.slice(0, -2)), a.at(-1) ?? 0, b.at(-1) ?? 0);
  },
  scratchLength(table) {
    const { n, m, length } = headerOf(table);
    return 2 * length + n * m;
  },
  forward(machine, step) {
    const { count, n, m } = headerOf(step.table);
    const { values } = machine;
    const work = workOf(machine, step);
    for (let index = 0; index < count; index++) {
      const sides = index * n * m;
      runMinors(work, values, step.x + index * n * n, "cofactors");
      storeSolution(work, { numbers: values, at: step.y + sides }, { numbers: values, at: step.out + sides });
    }
  },
  jvp(machine, step) {
    const { count, n, m } = headerOf(step.table);
    const { values, tangents } = machine;
    const work = workOf(machine, step);
    for (let index = 0; index < count; index++) {
      const [matrix, at] = [index * n * n, step.y + index * n * m];
      runMinors(work, values, step.x + matrix, "cofactors");
      runMinorTangents(work, tangents, step.x + matrix, "cofactors");
      const xDot = { numbers: tangents, at: step.out + index * n * m };
      storeSolutionTangent(work, { numbers: values, at }, { numbers: tangents, at }, xDot);
    }
  },
  vjp(machine, step) {
    const { count, n, m, length } = headerOf(step.table);
    const work = workOf(machine, step);
    const bBar = { numbers: step.scratch, at: 2 * length };
    for (let index = 0; index < count; index++) {
      const [matrix, sides] = [index * n * n, index * n * m];
      runMinors(work, machine.values, step.x + matrix, "cofactors");
      storeSolutionCotangent(work, { numbers: machine.cotangents, at: step.out + sides }, bBar);
      contributeBoth(machine, step, bBar.at, step.out + sides, step.xBar + matrix, step.yBar + sides);
    }
  },
};
