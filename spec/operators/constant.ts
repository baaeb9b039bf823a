import { ok, type Result } from "../result.ts";
import { type Shape, type ShapeFault, shapeFault } from "../shape.ts";
import { nameSchema, type Signature } from "./signature.ts";

/** The name of the entry of Δ to read. */
export interface ConstantAttributes {
  readonly name: string;
}

export const constant: Signature<"additive", ConstantAttributes> = {
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
};
