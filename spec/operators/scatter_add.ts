import { ok, type Result } from "../result.ts";
import { formatShape, isSameShape, type Shape, type ShapeFault, shapeFault } from "../shape.ts";
import { gatheredShape, rowsUse } from "./gather.ts";
import { nameSchema, onnx, type Signature } from "./signature.ts";

/** The name of the entry of Δ, of shape `[..., k]`, whose rows are indices into the first `k` axes of x. */
export interface ScatterAddAttributes {
  readonly indices: string;
}

export const scatterAdd: Signature<"additive", ScatterAddAttributes> = {
  needs: "additive",
  arity: 2,
  attributes: { indices: nameSchema },
  smoothness: "linear",
  shape({ indices }, [x = [], updates = []], environment): Result<Shape, ShapeFault> {
    const expected = gatheredShape(x, indices, environment);
    if (!expected.ok || isSameShape(expected.value, updates)) return expected.ok ? ok(x) : expected;
    return shapeFault(
      "shape/mismatch",
      `the updates have shape ${formatShape(updates)}, not ${formatShape(expected.value)}.`,
      "one block of x's last axes for each row of the indices",
    );
  },
  indexUse: ({ indices }, [x = []], environment) => rowsUse(x, indices, environment),
  summary: "x with each block of the updates added where its row of the indices says; parents are x, updates",
  domain: "every index is at least 0 and below the extent of its axis",
  convention: "none needed; updates of a repeated row all count",
  source: onnx("ScatterND"),
};
