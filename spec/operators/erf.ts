import { elementwise, type NoAttributes, type Signature } from "./signature.ts";

export const erf: Signature<"real", NoAttributes> = elementwise("real", 1, {
  smoothness: "smooth",
  summary: "the error function, 2/√π times the integral of e^(−t²) from 0 to x",
  domain: "everywhere",
  convention: "none needed",
  source: "https://onnx.ai/onnx/operators/onnx__Erf.html",
});
