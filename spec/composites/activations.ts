import type { Value } from "../construction/value.ts";
import { arrayApi, type NoAttributes } from "../operators/index.ts";
import { type Composite, elementwiseComposite, elementwiseWith } from "./composite.ts";

/** Returns ONNX's page of `name`. */
function onnx(name: string): string {
  return `https://onnx.ai/onnx/operators/onnx__${name}.html`;
}

/**
 * Both branches are finite wherever x is: each sees x cut off at 0 on its other side. At the cut the
 * cotangent goes to x, the first operand of a tie, so the derivative at 0 is right in the branch that is
 * taken.
 */
function negativePart(x: Value): Value {
  return x.minimum(0);
}

function positivePart(x: Value): Value {
  return x.maximum(0);
}

export const sigmoid: Composite<NoAttributes> = elementwiseComposite(1, {
  smoothness: "smooth",
  summary: "1 / (1 + e⁻ˣ)",
  domain: "everywhere",
  convention: "none needed",
  source: onnx("Sigmoid"),
  expand: (scope, _attributes, x: Value) => {
    const small = negativePart(x).exp();
    const left = small.divide(small.add(1));
    const right = scope.divide(1, positivePart(x).negative().exp().add(1));
    return x.less(0).where(left, right);
  },
});

export const softplus: Composite<NoAttributes> = elementwiseComposite(1, {
  smoothness: "smooth",
  summary: "ln(1 + eˣ)",
  domain: "everywhere",
  convention: "none needed",
  source: onnx("Softplus"),
  expand: (_scope, _attributes, x: Value) => {
    const left = negativePart(x).exp().log1p();
    const right = x.add(positivePart(x).negative().exp().log1p());
    return x.less(0).where(left, right);
  },
});

/** The larger of the two, and softplus of minus their distance; the branch decides which is which. */
export const logaddexp: Composite<NoAttributes> = elementwiseComposite(2, {
  smoothness: "smooth",
  summary: "ln(eˣ + eʸ)",
  domain: "everywhere but at infinities of one sign",
  convention: "none needed",
  source: arrayApi("logaddexp"),
  expand: (_scope, _attributes, x: Value, y: Value) => {
    const distance = x.subtract(y);
    const below = y.add(negativePart(distance).exp().log1p());
    const above = x.add(positivePart(distance).negative().exp().log1p());
    return x.less(y).where(below, above);
  },
});

export const silu: Composite<NoAttributes> = elementwiseComposite(1, {
  smoothness: "smooth",
  summary: "x / (1 + e⁻ˣ)",
  domain: "everywhere",
  convention: "none needed",
  source: onnx("Swish"),
  expand: (_scope, _attributes, x: Value) => x.multiply(x.sigmoid()),
});

/** The slope left of 0. */
export interface LeakyReluAttributes {
  readonly slope: number;
}

export const leakyRelu: Composite<LeakyReluAttributes> = elementwiseWith(
  1,
  { slope: { type: "number" } },
  { slope: 0.125 },
  {
    smoothness: "piecewise",
    summary: "x where x > 0, else slope · x",
    domain: "everywhere",
    convention: "the derivative at 0 is the slope",
    source: onnx("LeakyRelu"),
    expand: (scope, { slope }, x: Value) => scope.less(0, x).where(x, x.multiply(slope)),
  },
);

/** The limit for x → −∞, negated. */
export interface EluAttributes {
  readonly alpha: number;
}

export const elu: Composite<EluAttributes> = elementwiseWith(
  1,
  { alpha: { type: "number" } },
  { alpha: 1.5 },
  {
    smoothness: "piecewise",
    summary: "x where x > 0, else α(eˣ − 1)",
    domain: "everywhere",
    convention: "the derivative at 0 is α",
    source: onnx("Elu"),
    expand: (scope, { alpha }, x: Value) =>
      scope.less(0, x).where(x, negativePart(x).expm1().multiply(alpha)),
  },
);

/** These attributes say whether Φ is exact or the approximation by tanh that the paper gives. */
export interface GeluAttributes {
  readonly approximate: "none" | "tanh";
}

/** x · Φ(x), where Φ is the normal distribution function. */
export const gelu: Composite<GeluAttributes> = elementwiseWith<GeluAttributes>(
  1,
  { approximate: { enum: ["none", "tanh"] } },
  { approximate: "tanh" },
  {
    smoothness: "smooth",
    summary: "x/2 · (1 + erf(x/√2)), or x/2 · (1 + tanh(√(2/π) (x + 0.044715 x³)))",
    domain: "everywhere",
    convention: "none needed",
    source: onnx("Gelu"),
    expand: (scope, { approximate }, x: Value) => {
      const { shape } = x;
      const two = scope.full({ shape, value: 2 });
      if (approximate === "none") return x.divide(2).multiply(x.divide(two.sqrt()).erf().add(1));
      const pi = scope.full({ shape, value: 1 }).atan().multiply(4);
      const cubic = x.add(x.multiply(x).multiply(x).multiply(0.044715));
      return x.divide(2).multiply(cubic.multiply(two.divide(pi).sqrt()).tanh().add(1));
    },
  },
);
