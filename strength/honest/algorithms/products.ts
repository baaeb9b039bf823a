import { type Algorithm, type Float, item, type Row, rowAt } from "./algorithm.ts";

type Scan = (float: Float, x: Row) => Row;

/** Multiplies one after the other. */
const inSequence: Scan = ({ multiply }, x) => {
  let product = 1;
  return x.map((a, i) => {
    product = i === 0 ? a : multiply(product, a);
    return product;
  });
};

/** Multiplies at distances 1, 2, 4, …. Source: Hillis, Steele, "Data parallel algorithms", 1986. */
const inRounds: Scan = ({ multiply }, x) => {
  let products = x;
  for (let reach = 1; reach < x.length; reach *= 2) {
    const before = products;
    products = before.map((a, i) => (i < reach ? a : multiply(item(before, i - reach), a)));
  }
  return products;
};

/** Joins two halves. Source: Blelloch, "Prefix sums and their applications", 1990. */
const inHalves: Scan = (float, x) => {
  if (x.length < 2) return x;
  const half = Math.floor(x.length / 2);
  const [first, second] = [inHalves(float, x.slice(0, half)), inHalves(float, x.slice(half))];
  return [...first, ...second.map((a) => float.multiply(item(first, half - 1), a))];
};

/** Computes derivatives: of value i along operand j, in sums. */
interface Slopes {
  tangent(float: Float, x: Row, y: Row, xDot: Row): Row;
  cotangent(float: Float, x: Row, y: Row, c: Row): Row;
}

/** Divides sums of c y by x, {@link byRecurrence} where x is 0. Source: PyTorch's `cumprod_backward`. */
const byQuotients: Slopes = {
  tangent: (float, x, y, xDot) => (x.includes(0) ? byRecurrence : quotients).tangent(float, x, y, xDot),
  cotangent: (float, x, y, c) => (x.includes(0) ? byRecurrence : quotients).cotangent(float, x, y, c),
};

const quotients: Slopes = {
  tangent: ({ add, divide, multiply }, x, y, xDot) => {
    let total = 0;
    return y.map((a, i) => {
      total = add(total, divide(item(xDot, i), item(x, i)));
      return multiply(a, total);
    });
  },
  cotangent: ({ add, divide, multiply }, x, y, c) => {
    let total = 0;
    const bars = x.map(() => 0);
    for (let i = x.length - 1; i >= 0; i--) {
      total = add(total, multiply(item(c, i), item(y, i)));
      bars[i] = divide(total, item(x, i));
    }
    return bars;
  },
};

/** Differentiates the recurrence yᵢ = yᵢ₋₁ xᵢ, without a quotient. */
const byRecurrence: Slopes = {
  tangent: ({ add, multiply }, x, y, xDot) => {
    let before = 0;
    return x.map((a, i) => {
      before = i === 0 ? item(xDot, 0) : add(multiply(before, a), multiply(item(y, i - 1), item(xDot, i)));
      return before;
    });
  },
  cotangent: ({ add, multiply }, x, y, c) => {
    let after = 0;
    const bars = x.map(() => 0);
    for (let i = x.length - 1; i >= 0; i--) {
      after = add(item(c, i), after);
      bars[i] = i === 0 ? after : multiply(after, item(y, i - 1));
      after = multiply(after, item(x, i));
    }
    return bars;
  },
};

function scan(name: string, source: string, products: Scan, { tangent, cotangent }: Slopes): Algorithm {
  return {
    composite: "cumulative_prod",
    name,
    source,
    answer(float, question) {
      const x = rowAt(question.operands, 0);
      const y = products(float, x);
      return {
        value: y,
        tangent: tangent(float, x, y, rowAt(question.tangents, 0)),
        cotangents: [cotangent(float, x, y, question.cotangent)],
      };
    },
  };
}

export const cumulativeProducts: readonly Algorithm[] = [
  scan(
    "in sequence; recurrence",
    "https://numpy.org/doc/stable/reference/generated/numpy.cumprod.html",
    inSequence,
    byRecurrence,
  ),
  scan(
    "in sequence; quotients",
    "cumprod_backward in https://github.com/pytorch/pytorch/blob/main/torch/csrc/autograd/FunctionsManual.cpp",
    inSequence,
    byQuotients,
  ),
  scan("in rounds; recurrence", "https://doi.org/10.1145/7902.7903", inRounds, byRecurrence),
  scan("in halves; quotients", "https://www.cs.cmu.edu/~guyb/papers/Ble93.pdf", inHalves, byQuotients),
];

export const wrongCumulativeProducts: readonly Algorithm[] = [
  scan(
    "by logarithms",
    "planted",
    (float, x) => {
      let total = 0;
      let sign = 1;
      return x.map((a) => {
        total = float.add(total, float.log(Math.abs(a)));
        sign *= Math.sign(a);
        return sign * float.exp(total);
      });
    },
    byRecurrence,
  ),
  scan("a cotangent that does not add up", "planted", inSequence, {
    ...byRecurrence,
    cotangent: ({ multiply }, _x, y, c) => c.map((a, i) => (i === 0 ? a : multiply(a, item(y, i - 1)))),
  }),
];
