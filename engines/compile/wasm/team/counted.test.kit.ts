import type { Stage } from "./stages.ts";

/** The words that threads of a test share. */
export interface Given {
  readonly control: Int32Array<SharedArrayBuffer>;
  /** The number of runs; what two threads have computed; what came too early; then the count of each part. */
  readonly words: Int32Array<SharedArrayBuffer>;
}

/** The stages have so many parts. */
export const sizes: readonly number[] = [16, 1, 5, 16, 2];

/** Makes stages that count what is computed, as thread 1 or 2, and what before the stage before had ended. */
export function countedStages(words: Int32Array<SharedArrayBuffer>, thread: 1 | 2): readonly Stage[] {
  let first = 4;
  let before = 0;
  return sizes.map((parts) => {
    const [mine, from] = [first, before];
    before = first;
    first += parts;
    return {
      parts,
      compute: (part) => {
        // A part takes a while, so that others have time to come.
        Atomics.wait(words, 0, Atomics.load(words, 0), 0.05);
        Atomics.add(words, thread, 1);
        const runs = Atomics.load(words, 0);
        for (let word = from; word < mine && from > 0; word++) {
          if (Atomics.load(words, word) !== runs) Atomics.add(words, 3, 1);
        }
        Atomics.add(words, mine + part, 1);
      },
    };
  });
}
