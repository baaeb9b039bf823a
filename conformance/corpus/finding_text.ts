import type { OperatorName } from "../../spec/operators/index.ts";
import type { DataType } from "../../spec/wire/index.ts";
import type { VectorText } from "./vector_text.ts";

/** A fault of a published engine, as a case that shows it; `docs/findings.md` tells of it. */
export interface FindingText extends VectorText {
  /** The bundled engine that has the fault. */
  readonly engine: "jaxjs" | "tfjs" | "jax" | "autograd" | "pytorch" | "tinygrad" | "candle" | "gorgonia";
  readonly dtype: DataType;
  readonly verdict: "disagrees" | "crashed";
  /** The operator to blame; without one the engine accumulates cotangents wrongly. */
  readonly blames?: OperatorName;
}
