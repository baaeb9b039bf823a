import type { Value } from "../construction/value.ts";
import { indexEntryShape, nameSchema, onnx } from "../operators/index.ts";
import { formatShape } from "../shapes/index.ts";
import type { Composite } from "./composite.ts";

/** The name of the entry of Δ that holds the indices, of rank 1. */
export interface EmbeddingAttributes {
  readonly indices: string;
}

export const embedding: Composite<EmbeddingAttributes> = {
  arity: 1,
  attributes: { indices: nameSchema },
  smoothness: "linear",
  summary: "the rows of the table [V, D] at the indices; a row may occur more than once",
  domain: "every index is at least 0 and below V",
  convention: "none needed; cotangents of a repeated row add up",
  source: onnx("Gather"),
  refuse({ indices }, [x = []], environment) {
    if (x.length !== 2) {
      return {
        code: "shape/rank",
        message: `the table has shape ${formatShape(x)}, not [V, D].`,
        hint: "use take for other ranks",
      };
    }
    const entry = indexEntryShape(indices, environment);
    if (!entry.ok) return entry.error;
    if (entry.value.length === 1) return undefined;
    return {
      code: "graph/environment",
      message: `the indices have shape ${formatShape(entry.value)}, not [n].`,
      hint: "list the indices in one row, and reshape the result",
    };
  },
  expand: (_scope, { indices }, x: Value) => x.take({ axis: 0, indices }),
  example: {
    attributes: { indices: "i" },
    operands: [[4, 2]],
    environment: [{ name: "i", shape: [3], kind: "index" }],
  },
};

/** The name of the entry of Δ that holds the key, two words of 32 bits, and the share that is dropped. */
export interface DropoutAttributes {
  readonly key: string;
  readonly rate: number;
}

export const dropout: Composite<DropoutAttributes> = {
  arity: 1,
  attributes: { key: nameSchema, rate: { type: "number", minimum: 0, maximum: 1 } },
  smoothness: "linear",
  summary: "x / (1 − rate) where bernoulli_mask of the key is 1, else 0; 0 everywhere at rate 1",
  domain: "everywhere; dropped elements may be anything",
  convention: "no cotangent reaches a dropped element",
  source: onnx("Dropout"),
  expand(scope, { key, rate }, x: Value) {
    const mask = scope.bernoulli_mask({ shape: x.shape, key, rate });
    // At rate 1 nothing is kept; dividing by 0 all the same would make 0 · ∞ of a dropped cotangent.
    const share = rate < 1 ? scope.full({ shape: [], value: 1 }).subtract(rate) : 1;
    return mask.where(x.divide(share), 0);
  },
  example: {
    attributes: { key: "key", rate: 0.25 },
    operands: [[2, 3]],
    environment: [{ name: "key", shape: [2], kind: "index" }],
  },
};
