import { isSameShape, ok, type Result, type Shape, type ShapeFault, shapeFault } from "../shapes/index.ts";
import {
  arrayApi,
  axisSchema,
  existingAxis,
  indexEntryShape,
  nameSchema,
  type Signature,
  shapeSchema,
} from "./signature.ts";

/** The name of the entry of Δ to read. */
export interface ConstantAttributes {
  readonly name: string;
}

/** The shape of the value, and the number that every element is. */
export interface FullAttributes {
  readonly shape: Shape;
  readonly value: number;
}

/** The shape of the value, and the axis along which it counts. */
export interface IotaAttributes {
  readonly shape: Shape;
  readonly axis: number;
}

/** The shape of the mask, the entry of Δ that holds the key, two words of 32 bits, and how many are 0. */
export interface BernoulliMaskAttributes {
  readonly shape: Shape;
  readonly key: string;
  /** The probability of 0, as that of dropout. */
  readonly rate: number;
}

/** The signatures of sources. */
export interface Sources {
  readonly constant: Signature<"additive", ConstantAttributes>;
  readonly full: Signature<"semiring", FullAttributes>;
  readonly iota: Signature<"semiring", IotaAttributes>;
  readonly bernoulli_mask: Signature<"semiring", BernoulliMaskAttributes>;
}

/** The values that depend on no operand. */
export const sources: Sources = {
  constant: {
    needs: "additive",
    arity: 0,
    attributes: { name: nameSchema },
    smoothness: "linear",
    shape({ name }, _parents, environment): Result<Shape, ShapeFault> {
      const entry = environment.find((candidate) => candidate.name === name);
      if (entry?.kind === "real") return ok(entry.shape);
      return shapeFault(
        "graph/environment",
        "the name is not an environment entry of kind real.",
        "declare it under environment, or name the right entry",
      );
    },
    summary: "the value of an entry of Δ, which is never differentiated",
    domain: "everywhere",
    convention: "none needed",
    source: "https://onnx.ai/onnx/operators/onnx__Constant.html",
  },
  full: {
    needs: "semiring",
    arity: 0,
    attributes: {
      shape: shapeSchema,
      value: { type: "number", minimum: -Number.MAX_VALUE, maximum: Number.MAX_VALUE },
    },
    smoothness: "linear",
    shape: ({ shape }) => ok(shape),
    summary:
      "one number everywhere: the float64 that the attribute denotes, rounded to the precision computed in",
    domain: "everywhere; a value of −0 is read as 0",
    convention: "none needed",
    source: arrayApi("full"),
  },
  iota: {
    needs: "semiring",
    arity: 0,
    attributes: { shape: shapeSchema, axis: axisSchema },
    smoothness: "linear",
    shape({ shape, axis }): Result<Shape, ShapeFault> {
      const exists = existingAxis(axis, shape.length);
      return exists.ok ? ok(shape) : exists;
    },
    summary: "0, 1, 2, … along the axis, the same along all others",
    domain: "everywhere",
    convention: "none needed",
    source: "https://openxla.org/stablehlo/spec#iota",
  },
  /**
   * The mask is a function of its key and shape: with `(a, b)` Threefry-2x32-20 of the counter `(0, i)`,
   * element `i` in row-major order has the bits `a xor b`, as `jax.random.bits` of 32 bits has them where
   * `jax_threefry_partitionable` is set, which is the default.
   */
  bernoulli_mask: {
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
  },
};
