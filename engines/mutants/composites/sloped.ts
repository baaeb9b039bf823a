import type { Value } from "../../../spec/index.ts";

/** The value of one expression with the derivatives of another of its shape: a forward and a backward that do not belong together. */
export function sloped(value: Value, slope: Value): Value {
  return value.stop_gradient().add(slope.subtract(slope.stop_gradient()));
}
