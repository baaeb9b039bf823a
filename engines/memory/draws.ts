import type { Distribution } from "../../spec/programs/index.ts";
import { randomBits, randomKey } from "../interpretation/index.ts";

/** Returns the elements that a key of two words draws [SEMANTICS §10.7]: 0 or 1, or multiples of 2⁻³². */
export function drawnElements(
  from: Distribution,
  size: number,
  [k0, k1]: readonly [number, number],
): Float64Array<ArrayBuffer> {
  return Float64Array.from({ length: size }, (_, position) => {
    const fraction = randomBits(k0, k1, 0, position) / 2 ** 32;
    if (from.kind === "uniform") return fraction;
    return fraction >= from.rate ? 1 : 0;
  });
}

/** Returns the key of the generator's draw of this number, from 0 on. */
export function keyOfDraw([k0, k1]: readonly [number, number], number: number): readonly [number, number] {
  return randomKey(k0, k1, 0, number);
}
