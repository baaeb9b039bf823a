/** Gives scalars where vectors were asked for. */
import { hostile, say } from "./honest.ts";

hostile("evaluate", ({ id, point }) => {
  const scalar = { shape: [], base64: point.inputs[0]?.base64 };
  say({ id, kind: "tensors", tensors: [scalar, scalar] });
});
