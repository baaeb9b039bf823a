import { elementwise, type NoAttributes, type Signature } from "./signature.ts";

export const stopGradient: Signature<"additive", NoAttributes> = elementwise("additive", 1, {
  smoothness: "piecewise",
  summary: "x, treated as a constant by differentiation",
  domain: "everywhere",
  convention:
    "tangent and cotangent are zero by definition, so the operator is not the derivative of its value",
  source: "https://docs.jax.dev/en/latest/_autosummary/jax.lax.stop_gradient.html",
});
