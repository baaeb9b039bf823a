import { arrayApi, elementwise, type NoAttributes, type Signature } from "./signature.ts";

/** The signatures of choices. */
export interface Choices {
  readonly relu: Signature<"ordered", NoAttributes>;
  readonly floor: Signature<"ordered", NoAttributes>;
  readonly maximum: Signature<"ordered", NoAttributes>;
  readonly less: Signature<"ordered", NoAttributes>;
  readonly equal: Signature<"ordered", NoAttributes>;
  readonly where: Signature<"ordered", NoAttributes>;
}

/** These operators compare their operands, element by element. */
export const choices: Choices = {
  relu: elementwise("ordered", 1, {
    smoothness: "piecewise",
    summary: "the larger of x and 0",
    domain: "everywhere; of NaN it is NaN, with derivative 0",
    convention: "the derivative at 0 is 0",
    source: "https://onnx.ai/onnx/operators/onnx__Relu.html",
  }),
  floor: elementwise("ordered", 1, {
    smoothness: "piecewise",
    summary: "the greatest integer that is not greater than x",
    domain: "everywhere",
    convention: "not differentiated: the cotangent is zero, at the jumps too",
    source: arrayApi("floor"),
  }),
  maximum: elementwise("ordered", 2, {
    smoothness: "piecewise",
    summary: "the larger of x and y",
    domain: "everywhere; NaN where x or y is, and the cotangent goes to it, to y if both are",
    convention: "at a tie the whole cotangent goes to the first operand",
    source: arrayApi("maximum"),
  }),
  less: elementwise("ordered", 2, {
    smoothness: "piecewise",
    summary: "1 where x < y, else 0",
    domain: "everywhere; comparison with a NaN is false, so 0",
    convention: "not differentiated: both cotangents are zero, at ties too",
    source: arrayApi("less"),
  }),
  equal: elementwise("ordered", 2, {
    smoothness: "piecewise",
    summary: "1 where x = y, else 0",
    domain: "everywhere; 0 and −0 are equal; comparison with a NaN is false, so 0",
    convention: "not differentiated: both cotangents are zero, at ties too",
    source: arrayApi("equal"),
  }),
  where: elementwise("ordered", 3, {
    smoothness: "piecewise",
    summary: "x where the condition is not zero, else y; parents are condition, x, y",
    domain: "everywhere; the operand not chosen contributes nothing, not even a NaN",
    convention: "the condition is not differentiated: its cotangent is zero",
    source: arrayApi("where"),
  }),
};
