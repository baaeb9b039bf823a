import type { OperatorName } from "../../spec/operators/index.ts";
import type { DataType } from "../../spec/wire/index.ts";
import type { VectorText } from "./vector_text.ts";

/** A fault of an engine that people use, as a case that shows it; the text is in `docs/findings.md`. */
export interface FindingText extends VectorText {
  /** The bundled engine it was found in. */
  readonly engine: "jaxjs" | "tfjs" | "jax" | "autograd" | "pytorch" | "tinygrad" | "candle" | "gorgonia";
  readonly dtype: DataType;
  readonly verdict: "disagrees" | "crashed";
  /** The operator to blame; without one the fault is in how cotangents are put together. */
  readonly blames?: OperatorName;
}
