import { positionsOf, type View } from "../../spec/programs/index.ts";
import { at, type Tensor } from "../tensor.ts";

/** The elements of a location, which are overwritten in place. */
export type Memory<S> = S[];

/** Reads what a memory holds where a view sees it. */
export function readMemory<S>(memory: Readonly<Memory<S>>, view: View): Tensor<S> {
  const whole: Tensor<S> = { shape: [memory.length], data: memory };
  return { shape: view.shape, data: positionsOf(view).map((position) => at(whole, position)) };
}

/** Overwrites what a view sees; the value was read before, however it overlaps. */
export function writeMemory<S>(memory: Memory<S>, view: View, value: Tensor<S>): void {
  for (const [i, position] of positionsOf(view).entries()) memory[position] = at(value, i);
}
