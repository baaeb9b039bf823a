import { ok, type Result } from "../result.ts";
import type { Shape, ShapeFault } from "../shape.ts";
import { arrayApi, type NoAttributes, type Signature } from "./signature.ts";
import { squareMatrices } from "./square.ts";

export const det: Signature<"ring", NoAttributes> = {
  needs: "ring",
  arity: 1,
  attributes: {},
  smoothness: "smooth",
  shape(_attributes, [x = []]): Result<Shape, ShapeFault> {
    const matrices = squareMatrices(x);
    return matrices.ok ? ok(matrices.value.batch) : matrices;
  },
  summary:
    "the determinant over the last two axes, for each entry of the leading axes; 1 of a matrix without rows",
  domain: "everywhere, singular matrices too: it is a polynomial, and so is its derivative; at most 8 rows",
  convention: "none needed",
  source: arrayApi("linalg.det"),
};
