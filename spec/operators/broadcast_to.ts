import { ok, type Result } from "../result.ts";
import { formatShape, type Shape, type ShapeFault, shapeFault } from "../shape.ts";
import { arrayApi, type Signature, shapeSchema } from "./signature.ts";

/** The shape to stretch to. */
export interface BroadcastToAttributes {
  readonly shape: Shape;
}

export const broadcastTo: Signature<"additive", BroadcastToAttributes> = {
  needs: "additive",
  arity: 1,
  attributes: { shape: shapeSchema },
  smoothness: "linear",
  shape({ shape }, [x = []]): Result<Shape, ShapeFault> {
    const lead = shape.length - x.length;
    const fits = lead >= 0 && x.every((extent, axis) => extent === 1 || extent === shape[axis + lead]);
    if (fits) return ok(shape);
    return shapeFault(
      "shape/broadcast",
      `${formatShape(x)} does not broadcast to ${formatShape(shape)}.`,
      "aligned at the right, each extent must be equal or 1",
    );
  },
  summary: "x with axes of extent 1 repeated, and new axes in front, up to the shape",
  domain: "everywhere",
  convention: "none needed",
  source: arrayApi("broadcast_to"),
};
