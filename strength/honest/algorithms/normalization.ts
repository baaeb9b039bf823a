import type { OperatorName } from "../../../spec/index.ts";
import {
  type Algorithm,
  type Answer,
  type Float,
  item,
  type Question,
  type Row,
  rowAt,
} from "./algorithm.ts";
import { type Moment, pairwise, textbook, twoPasses, welford } from "./variance.ts";

/** A normalisation computes these before it multiplies. */
interface Statistics {
  readonly mean: number;
  /** This is the reciprocal of the root of variance plus epsilon. */
  readonly reciprocal: number;
}

function statistics(float: Float, x: Row, epsilon: number, moments: Moment, wrong: number): Statistics {
  const { mean, squares } = moments(float, x);
  const variance = float.divide(squares, x.length - wrong);
  return { mean, reciprocal: float.divide(1, float.sqrt(float.add(variance, epsilon))) };
}

/** Returns the scale or offset at an element: layers have one for each, a batch one for all. */
function factor(x: Row, i: number): number {
  return x.length === 1 ? item(x, 0) : item(x, i);
}

/** Returns one for each element, or their sum. */
function gathered(float: Float, bars: Row, like: Row): Row {
  return like.length === bars.length ? bars : [float.sum(bars)];
}

type Form = (float: Float, question: Question, known: Statistics) => Answer;

/** Computes (x − m) · r · γ + β. Source: Ioffe and Szegedy, "Batch normalization", 2015, §3. */
const written: Form = (float, { operands, tangents, cotangent }, { mean, reciprocal }) => {
  const { add, subtract, multiply, divide, sum, dot } = float;
  const [x, scale, offset] = [rowAt(operands, 0), rowAt(operands, 1), rowAt(operands, 2)];
  const [xDot, scaleDot, offsetDot] = [rowAt(tangents, 0), rowAt(tangents, 1), rowAt(tangents, 2)];
  const n = x.length;
  const standard = x.map((a) => multiply(subtract(a, mean), reciprocal));
  const meanDot = divide(sum(xDot), n);
  const along = divide(dot(standard, xDot), n);
  const g = cotangent.map((c, i) => multiply(c, factor(scale, i)));
  const [total, projected] = [divide(sum(g), n), divide(dot(g, standard), n)];
  const pulled = (v: Row, m: number, s: number): Row =>
    v.map((a, i) => multiply(reciprocal, subtract(subtract(a, m), multiply(item(standard, i), s))));
  const standardDot = pulled(xDot, meanDot, along);
  return {
    value: standard.map((a, i) => add(multiply(a, factor(scale, i)), factor(offset, i))),
    tangent: standardDot.map((a, i) =>
      add(
        add(multiply(a, factor(scale, i)), multiply(item(standard, i), factor(scaleDot, i))),
        factor(offsetDot, i),
      ),
    ),
    cotangents: [
      pulled(g, total, projected),
      gathered(
        float,
        cotangent.map((c, i) => multiply(c, item(standard, i))),
        scale,
      ),
      gathered(float, cotangent, offset),
    ],
  };
};

/** Computes x · a + b, a = r γ, b = β − m a. Source: PyTorch's layer_norm_kernel.cpp. */
const fused: Form = (float, question, { mean, reciprocal }) => {
  const { add, subtract, multiply, divide, sum, dot } = float;
  const { operands, tangents, cotangent } = question;
  const [x, scale, offset] = [rowAt(operands, 0), rowAt(operands, 1), rowAt(operands, 2)];
  const [xDot, scaleDot, offsetDot] = [rowAt(tangents, 0), rowAt(tangents, 1), rowAt(tangents, 2)];
  const n = x.length;
  const shift = multiply(-mean, reciprocal);
  const standard = x.map((a) => add(multiply(a, reciprocal), shift));
  const g = cotangent.map((c, i) => multiply(c, factor(scale, i)));
  const [ds, db] = [dot(g, x), sum(g)];
  const r3 = multiply(multiply(multiply(reciprocal, reciprocal), reciprocal), divide(1, n));
  const b = multiply(subtract(multiply(db, mean), ds), r3);
  const c = subtract(multiply(-b, mean), multiply(multiply(db, reciprocal), divide(1, n)));
  const meanDot = multiply(sum(xDot), divide(1, n));
  const along = multiply(dot(standard, xDot), divide(1, n));
  return {
    value: x.map((a, i) => {
      const slope = multiply(reciprocal, factor(scale, i));
      return add(multiply(a, slope), subtract(factor(offset, i), multiply(mean, slope)));
    }),
    tangent: xDot.map((a, i) => {
      const moved = multiply(subtract(subtract(a, meanDot), multiply(item(standard, i), along)), reciprocal);
      return add(
        add(multiply(moved, factor(scale, i)), multiply(item(standard, i), factor(scaleDot, i))),
        factor(offsetDot, i),
      );
    }),
    cotangents: [
      x.map((a, i) => add(add(multiply(reciprocal, item(g, i)), multiply(b, a)), c)),
      gathered(
        float,
        cotangent.map((v, i) => multiply(v, item(standard, i))),
        scale,
      ),
      gathered(float, cotangent, offset),
    ],
  };
};

/** Computes dx = r/n (n γ c − Σ γ c − x̂ Σ γ c x̂). Source: PyTorch's layer_norm_kernel.cu. */
const scaledBackward: Form = (float, question, known) => {
  const { subtract, multiply, divide, sum, dot } = float;
  const answer = written(float, question, known);
  const { operands, cotangent } = question;
  const [x, scale] = [rowAt(operands, 0), rowAt(operands, 1)];
  const n = x.length;
  const standard = x.map((a) => multiply(subtract(a, known.mean), known.reciprocal));
  const g = cotangent.map((c, i) => multiply(c, factor(scale, i)));
  const [total, projected] = [sum(g), dot(g, standard)];
  const share = multiply(divide(1, n), known.reciprocal);
  const xBar = g.map((a, i) =>
    multiply(share, subtract(subtract(multiply(n, a), total), multiply(item(standard, i), projected))),
  );
  return { ...answer, cotangents: [xBar, ...answer.cotangents.slice(1)] };
};

function normalization(
  composite: OperatorName,
  name: string,
  source: string,
  moments: Moment,
  form: Form,
  wrong: number = 0,
): Algorithm {
  return {
    composite,
    name,
    source,
    answer: (float, question) =>
      form(float, question, statistics(float, rowAt(question.operands, 0), question.epsilon, moments, wrong)),
  };
}

const kernels = "https://github.com/pytorch/pytorch/blob/main/aten/src/ATen/native/";

function family(composite: OperatorName): Algorithm[] {
  return [
    normalization(composite, "two passes", "https://arxiv.org/abs/1502.03167", twoPasses, written),
    normalization(composite, "Welford, fused", `${kernels}cpu/layer_norm_kernel.cpp`, welford, fused),
    normalization(composite, "pairwise, fused", `${kernels}cpu/moments_utils.h`, pairwise, fused),
    normalization(
      composite,
      "Welford, scaled",
      `${kernels}cuda/layer_norm_kernel.cu`,
      welford,
      scaledBackward,
    ),
  ];
}

/** Computes the value from what each operand is multiplied by, and derivatives from x̂ = (x − m) r. */
type Applied = (
  float: Float,
  known: Record<"a" | "scale" | "offset" | "mean" | "reciprocal" | "wrong", number>,
) => number;

/** A mean and a variance are given. `wrong` is the reciprocal root of the variance without ε. */
function withGivenStatistics(name: string, source: string, value: Applied): Algorithm {
  return {
    composite: "batch_norm_eval",
    name,
    source,
    answer(float, { operands, tangents, cotangent, epsilon }) {
      const { add, subtract, multiply, divide, sqrt, sum, dot } = float;
      const x = rowAt(operands, 0);
      const [scale, offset, mean, variance] = [1, 2, 3, 4].map((place) => item(rowAt(operands, place), 0));
      if (scale === undefined || offset === undefined || mean === undefined || variance === undefined)
        throw new Error("five operands");
      const [scaleDot, offsetDot, meanDot, varianceDot] = [1, 2, 3, 4].map((place) =>
        item(rowAt(tangents, place), 0),
      );
      const shifted = add(variance, epsilon);
      const reciprocal = divide(1, sqrt(shifted));
      const wrong = divide(1, sqrt(variance));
      const slope = multiply(scale, reciprocal);
      const standard = x.map((a) => multiply(subtract(a, mean), reciprocal));
      const byVariance = divide(-0.5, shifted);
      return {
        value: x.map((a) => value(float, { a, scale, offset, mean, reciprocal, wrong })),
        tangent: standard.map((a, i) => {
          const moved = subtract(item(rowAt(tangents, 0), i), meanDot ?? Number.NaN);
          const turned = multiply(multiply(a, scale), multiply(byVariance, varianceDot ?? Number.NaN));
          const factors = add(multiply(a, scaleDot ?? Number.NaN), offsetDot ?? Number.NaN);
          return add(add(multiply(moved, slope), turned), factors);
        }),
        cotangents: [
          cotangent.map((c) => multiply(c, slope)),
          [dot(cotangent, standard)],
          [sum(cotangent)],
          [-multiply(sum(cotangent), slope)],
          [multiply(multiply(dot(cotangent, standard), scale), byVariance)],
        ],
      };
    },
  };
}

const folded = (shift: "reciprocal" | "wrong"): Applied => {
  return ({ add, subtract, multiply }, known) => {
    const slope = multiply(known.reciprocal, known.scale);
    const moved = multiply(known.mean, multiply(known[shift], known.scale));
    return add(multiply(known.a, slope), subtract(known.offset, moved));
  };
};

const withGiven: readonly Algorithm[] = [
  withGivenStatistics(
    "written",
    "https://arxiv.org/abs/1502.03167",
    ({ add, subtract, multiply }, { a, scale, offset, mean, reciprocal }) =>
      add(multiply(multiply(subtract(a, mean), reciprocal), scale), offset),
  ),
  withGivenStatistics("folded", `${kernels}cpu/batch_norm_kernel.cpp`, folded("reciprocal")),
];

export const normalizations: readonly Algorithm[] = [
  ...family("layer_norm"),
  ...family("batch_norm_train"),
  ...family("group_norm"),
  ...withGiven,
];

/** Computes x a + (β − m a′), where a′ forgets ε. */
const foldedApart: Form = (float, question, known) => {
  const answer = fused(float, question, known);
  const { add, subtract, multiply, divide, sqrt } = float;
  const { operands, epsilon } = question;
  const root = divide(1, known.reciprocal);
  const wrong = divide(1, sqrt(subtract(multiply(root, root), epsilon)));
  return {
    ...answer,
    value: rowAt(operands, 0).map((a, i) => {
      const scale = factor(rowAt(operands, 1), i);
      const shift = multiply(known.mean, multiply(wrong, scale));
      const moved = subtract(factor(rowAt(operands, 2), i), shift);
      return add(multiply(a, multiply(known.reciprocal, scale)), moved);
    }),
  };
};

export const wrongNormalizations: readonly Algorithm[] = [
  normalization("layer_norm", "E[x²] − E[x]²", "planted", textbook, written),
  normalization("layer_norm", "the unbiased variance", "planted", welford, fused, 1),
  normalization("layer_norm", "x a − m a′, where a′ forgets ε", "planted", twoPasses, foldedApart),
  normalization("batch_norm_train", "E[x²] − E[x]²", "planted", textbook, fused),
  normalization("group_norm", "E[x²] − E[x]²", "planted", textbook, fused),
  withGivenStatistics("x a − m a′, where a′ forgets ε", "planted", folded("wrong")),
  normalization(
    "batch_norm_train",
    "mean and variance held fixed in the sweep",
    "planted",
    welford,
    (float, question, known) => {
      const answer = written(float, question, known);
      const scale = rowAt(question.operands, 1);
      const xBar = question.cotangent.map((c, i) =>
        float.multiply(float.multiply(c, factor(scale, i)), known.reciprocal),
      );
      return { ...answer, cotangents: [xBar, ...answer.cotangents.slice(1)] };
    },
  ),
];
