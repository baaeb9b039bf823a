import { ok, type Result } from "../result.ts";
import { isSameShape, type Shape, type ShapeFault, shapeFault } from "../shape.ts";
import { indexEntryShape, nameSchema, type Signature, shapeSchema } from "./signature.ts";

/** The shape of the mask, the entry of Δ that holds the key, two words of 32 bits, and how many are 0. */
export interface BernoulliMaskAttributes {
  readonly shape: Shape;
  readonly key: string;
  /** The probability of 0, as that of dropout. */
  readonly rate: number;
}

/**
 * The mask is a function of its key and shape: with `(a, b)` Threefry-2x32-20 of the counter `(0, i)`, element `i` in
 * row-major order has the bits `a xor b`, as `jax.random.bits` of 32 bits has them where
 * `jax_threefry_partitionable` is set, which is the default.
 */
export const bernoulliMask: Signature<"semiring", BernoulliMaskAttributes> = {
  needs: "semiring",
  arity: 0,
  attributes: { shape: shapeSchema, key: nameSchema, rate: { type: "number", minimum: 0, maximum: 1 } },
  smoothness: "linear",
  shape({ shape, key }, _parents, environment): Result<Shape, ShapeFault> {
    const words = indexEntryShape(key, environment);
    if (!words.ok || isSameShape(words.value, [2])) return words.ok ? ok(shape) : words;
    return shapeFault("shape/key", "a key is two words.", "declare the entry with shape [2]");
  },
  indexUse: ({ key }) => ({ name: key, limits: [2 ** 32] }),
  summary:
    "1 where bits / 2³² is at least the rate, else 0; the bits of element i are the two words of Threefry-2x32-20 of the key and the counter (0, i), one xor the other",
  domain: "the two words of the key are below 2³²",
  convention: "none needed: the same key gives the same mask, and nothing depends on an operand",
  source: "https://www.thesalmons.org/john/random123/papers/random123sc11.pdf",
};
