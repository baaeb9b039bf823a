import { elementwise, type NoAttributes, type Signature } from "./signature.ts";

export const relu: Signature<"ordered", NoAttributes> = elementwise("ordered", 1, {
  smoothness: "piecewise",
  summary: "the larger of x and 0",
  domain: "everywhere; of NaN it is NaN, with derivative 0",
  convention: "the derivative at 0 is 0",
  source: "https://onnx.ai/onnx/operators/onnx__Relu.html",
});
