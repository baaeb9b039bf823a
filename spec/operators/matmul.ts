import { ok, type Result } from "../result.ts";
import { formatShape, isSameShape, type Shape, type ShapeFault, shapeFault } from "../shape.ts";
import { arrayApi, type NoAttributes, type Signature } from "./signature.ts";

export const matmul: Signature<"semiring", NoAttributes> = {
  needs: "semiring",
  arity: 2,
  attributes: {},
  smoothness: "smooth",
  shape(_attributes, [x = [], y = []]): Result<Shape, ShapeFault> {
    const [rows, inner] = x.slice(-2);
    const [inner2, columns] = y.slice(-2);
    const batch = x.slice(0, -2);
    if (rows === undefined || inner === undefined || inner2 === undefined || columns === undefined) {
      return shapeFault(
        "shape/rank",
        "both operands need at least two axes.",
        "reshape a vector to a row or a column",
      );
    }
    if (inner !== inner2 || !isSameShape(batch, y.slice(0, -2))) {
      return shapeFault(
        "shape/mismatch",
        `${formatShape(x)} and ${formatShape(y)} do not multiply.`,
        "the shapes are [...batch,n,k] and [...batch,k,m]; make a broadcast explicit with broadcast_to",
      );
    }
    return ok([...batch, rows, columns]);
  },
  summary: "the matrix product over the last two axes, for each entry of equal leading axes",
  domain: "everywhere; zero where the inner extent is 0",
  convention: "none needed",
  source: arrayApi("matmul"),
};
