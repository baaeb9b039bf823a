import type { BernoulliMaskAttributes } from "../../spec/operators/index.ts";
import { present } from "../../spec/shapes/index.ts";
import { indexEntry } from "../environment.ts";
import { tensor } from "../tensor.ts";
import type { Rule } from "./rule.ts";
import { threefry2x32 } from "./threefry.ts";

/** 1 where the element's random bits, as a fraction of 2³², are at least the rate; nothing is pulled back. */
export const bernoulliMask: Rule<"semiring", BernoulliMaskAttributes> = {
  forward({ algebra, attributes: { key, rate }, environment, shape }) {
    const words = indexEntry(environment, key);
    const [k0, k1] = [present(words[0], "first word of a key"), present(words[1], "second word of a key")];
    return tensor(shape, (position) => {
      const [a, b] = threefry2x32([k0, k1], [0, position]);
      return ((a ^ b) >>> 0) / 2 ** 32 >= rate ? algebra.one : algebra.zero;
    });
  },
  vjp: () => [],
  validate({ attributes: { key }, environment }) {
    const isWord = (word: number): boolean => Number.isInteger(word) && word >= 0 && word < 2 ** 32;
    const odd = indexEntry(environment, key).find((word) => !isWord(word));
    if (odd === undefined) return undefined;
    return {
      code: "bernoulli/key",
      message: `${odd} of the key ${JSON.stringify(key)} is no word of 32 bits.`,
      hint: "both words are integers from 0 to 4294967295",
    };
  },
};
