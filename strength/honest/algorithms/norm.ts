import { type Algorithm, type Float, item, type Row, rowAt } from "./algorithm.ts";

type Length = (float: Float, x: Row) => number;

const plain: Length = (float, x) => float.sqrt(float.dot(x, x));

/** Keeps a running scale and a sum of squares by it. Source: `dnrm2` of the BLAS, Lawson et al., 1979. */
const runningScale: Length = ({ add, multiply, divide, sqrt }, x) => {
  let [scale, squares] = [0, 1];
  for (const a of x.map(Math.abs)) {
    if (a === 0) continue;
    const ratio = scale < a ? divide(scale, a) : divide(a, scale);
    const square = multiply(ratio, ratio);
    squares = scale < a ? add(1, multiply(squares, square)) : add(squares, square);
    scale = Math.max(scale, a);
  }
  return multiply(scale, sqrt(squares));
};

/** Scales by the greatest size. Source: Higham, §27.8. */
const byGreatest: Length = (float, x) => {
  const greatest = Math.max(...x.map(Math.abs));
  if (greatest === 0) return 0;
  const ratios = x.map((a) => float.divide(a, greatest));
  return float.multiply(greatest, float.sqrt(float.dot(ratios, ratios)));
};

/** Scales by a power of two. Source: Blue, "A portable Fortran program to find the Euclidean norm", 1978. */
const byPowerOfTwo: Length = (float, x) => {
  const power = 2 ** Math.floor(Math.log2(Math.max(...x.map(Math.abs))));
  if (!Number.isFinite(power) || power === 0) return plain(float, x);
  const ratios = x.map((a) => float.divide(a, power));
  return float.multiply(power, float.sqrt(float.dot(ratios, ratios)));
};

function norm(name: string, source: string, length: Length, isQuotientFirst: boolean): Algorithm {
  return {
    composite: "norm",
    name,
    source,
    answer(float, { operands, tangents, cotangent }) {
      const x = rowAt(operands, 0);
      const value = length(float, x);
      const unit = x.map((a) => float.divide(a, value));
      const share = float.divide(item(cotangent, 0), value);
      return {
        value: [value],
        tangent: [
          isQuotientFirst
            ? float.dot(unit, rowAt(tangents, 0))
            : float.divide(float.dot(x, rowAt(tangents, 0)), value),
        ],
        cotangents: [
          x.map((a, i) =>
            isQuotientFirst ? float.multiply(item(unit, i), item(cotangent, 0)) : float.multiply(a, share),
          ),
        ],
      };
    },
  };
}

export const norms: readonly Algorithm[] = [
  norm("root of the sum of squares", "Golub and Van Loan, §2.2", plain, false),
  norm("running scale", "https://doi.org/10.1145/355841.355847", runningScale, true),
  norm("by the greatest", "Higham, §27.8", byGreatest, false),
  norm("by a power of two", "https://doi.org/10.1145/355769.355771", byPowerOfTwo, true),
];

export const wrongNorms: readonly Algorithm[] = [
  norm(
    "a root by one step of Newton's method",
    "planted",
    (float, x) => {
      const squares = float.dot(x, x);
      const guess = 2 ** Math.round(Math.log2(squares) / 2);
      return float.multiply(0.5, float.add(guess, float.divide(squares, guess)));
    },
    false,
  ),
  norm(
    "the greatest, and a third of the others",
    "planted",
    (float, x) => {
      const sizes = x.map(Math.abs).toSorted((a, b) => b - a);
      return float.add(item(sizes, 0), float.divide(float.sum(sizes.slice(1)), 3));
    },
    true,
  ),
];
