import type { Step } from "../kernel.ts";
import { clear, contribute, type Machine, outside } from "../machine.ts";

/**
 * Contributes to the first operand what `scatter` sums up in the work space, from +0. A sum is finished
 * before the slot sees it, and an element without terms is contributed +0, as the definition demands.
 */
export function contributeSums(
  machine: Machine,
  step: Step,
  scatter: (machine: Machine, step: Step) => void,
): void {
  const { cotangents, work } = machine;
  const { xSize, xBar } = step;
  clear(cotangents, work, xSize);
  scatter(machine, step);
  for (let i = 0; i < xSize; i++) contribute(machine, xBar + i, cotangents[work + i] ?? outside());
}
