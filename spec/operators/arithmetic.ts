import { arrayApi, elementwise, type NoAttributes, type Signature } from "./signature.ts";

/** The signatures of arithmetic. */
export interface Arithmetic {
  readonly stop_gradient: Signature<"additive", NoAttributes>;
  readonly negative: Signature<"ring", NoAttributes>;
  readonly add: Signature<"additive", NoAttributes>;
  readonly subtract: Signature<"ring", NoAttributes>;
  readonly multiply: Signature<"semiring", NoAttributes>;
  readonly divide: Signature<"field", NoAttributes>;
}

/** Arithmetic, element by element. */
export const arithmetic: Arithmetic = {
  stop_gradient: elementwise("additive", 1, {
    smoothness: "piecewise",
    summary: "x, treated as a constant by differentiation",
    domain: "everywhere",
    convention:
      "tangent and cotangent are zero by definition, so the operator is not the derivative of its value",
    source: "https://docs.jax.dev/en/latest/_autosummary/jax.lax.stop_gradient.html",
  }),
  negative: elementwise("ring", 1, {
    smoothness: "linear",
    summary: "−x",
    domain: "everywhere",
    convention: "none needed",
    source: arrayApi("negative"),
  }),
  add: elementwise("additive", 2, {
    smoothness: "linear",
    summary: "x + y",
    domain: "everywhere",
    convention: "none needed",
    source: arrayApi("add"),
  }),
  subtract: elementwise("ring", 2, {
    smoothness: "linear",
    summary: "x − y",
    domain: "everywhere",
    convention: "none needed",
    source: arrayApi("subtract"),
  }),
  multiply: elementwise("semiring", 2, {
    smoothness: "smooth",
    summary: "x · y",
    domain: "everywhere",
    convention: "none needed",
    source: arrayApi("multiply"),
  }),
  divide: elementwise("field", 2, {
    smoothness: "smooth",
    summary: "x / y",
    domain: "y ≠ 0; at 0 there is no value in a field, and IEEE 754's quotient over floats",
    convention: "none needed",
    source: arrayApi("divide"),
  }),
};
