import {
  formatShape,
  isSameShape,
  ok,
  type Result,
  type Shape,
  type ShapeFault,
  shapeFault,
} from "../shapes/index.ts";
import {
  arrayApi,
  axesSchema,
  axisSchema,
  existingAxis,
  type NoAttributes,
  type Signature,
} from "./signature.ts";

/** These axes are summed (`[]`: none), and stay with extent 1 or not. */
export interface SumAttributes {
  readonly axes: readonly number[];
  readonly keepdims: boolean;
}

/** The axis along which sums run. */
export interface CumulativeSumAttributes {
  readonly axis: number;
}

/** The signatures of sums. */
export interface Sums {
  readonly sum: Signature<"additive", SumAttributes>;
  readonly cumulative_sum: Signature<"additive", CumulativeSumAttributes>;
  readonly matmul: Signature<"semiring", NoAttributes>;
}

/** These operators add elements up. */
export const sums: Sums = {
  sum: {
    needs: "additive",
    arity: 1,
    attributes: { axes: axesSchema, keepdims: { type: "boolean" } },
    smoothness: "linear",
    shape({ axes, keepdims }, [x = []]): Result<Shape, ShapeFault> {
      for (const axis of axes) {
        const exists = existingAxis(axis, x.length);
        if (!exists.ok) return exists;
      }
      if (new Set(axes).size < axes.length) {
        return shapeFault("shape/axis-twice", "an axis is named twice.", "name each axis once");
      }
      if (keepdims) return ok(x.map((extent, axis) => (axes.includes(axis) ? 1 : extent)));
      return ok(x.filter((_, axis) => !axes.includes(axis)));
    },
    summary: "the sum over the axes; zero where there is nothing to sum",
    domain: "everywhere",
    convention: "none needed",
    source: arrayApi("sum"),
  },
  cumulative_sum: {
    needs: "additive",
    arity: 1,
    attributes: { axis: axisSchema },
    smoothness: "linear",
    shape({ axis }, [x = []]): Result<Shape, ShapeFault> {
      const exists = existingAxis(axis, x.length);
      return exists.ok ? ok(x) : exists;
    },
    summary: "at index i along the axis the sum of the elements up to and with i",
    domain: "everywhere",
    convention: "none needed",
    source: arrayApi("cumulative_sum"),
  },
  matmul: {
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
  },
};
