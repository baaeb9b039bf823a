import { ok, type Result } from "../result.ts";
import { formatShape, isSameShape, type Shape, type ShapeFault, shapeFault } from "../shape.ts";
import { arrayApi, type NoAttributes, type Signature } from "./signature.ts";
import { squareMatrices } from "./square.ts";

export const solve: Signature<"field", NoAttributes> = {
  needs: "field",
  arity: 2,
  attributes: {},
  smoothness: "smooth",
  shape(_attributes, [a = [], b = []]): Result<Shape, ShapeFault> {
    const matrices = squareMatrices(a);
    if (!matrices.ok) return matrices;
    const { batch, order } = matrices.value;
    const [rows, columns] = b.slice(-2);
    if (rows === undefined || columns === undefined) {
      return shapeFault("shape/rank", "the right-hand sides are a matrix.", "reshape a vector to a column");
    }
    if (rows !== order || !isSameShape(batch, b.slice(0, -2))) {
      return shapeFault(
        "shape/mismatch",
        `${formatShape(a)} and ${formatShape(b)} are no system of equations.`,
        "the shapes are [...batch,n,n] and [...batch,n,m]; make a broadcast explicit with broadcast_to",
      );
    }
    return ok(b);
  },
  summary:
    "the X with A X = B over the last two axes, for each entry of equal leading axes; parents are A, B",
  domain: "regular matrices A of at most 8 rows; elsewhere a division by zero",
  convention: "none needed",
  source: arrayApi("linalg.solve"),
};
