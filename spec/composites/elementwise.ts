import type { Value } from "../construction/value.ts";
import { arrayApi, type NoAttributes } from "../operators/index.ts";
import { type Composite, elementwiseComposite } from "./composite.ts";

/** |x|: at 0 a constant is taken, 0 · 0, which for NaN is NaN. */
export const abs: Composite<NoAttributes> = elementwiseComposite(1, {
  smoothness: "piecewise",
  summary: "x without its sign",
  domain: "everywhere",
  convention: "the derivative at 0 is 0",
  source: arrayApi("abs"),
  expand: (scope, _attributes, x: Value) => {
    const constant = x.stop_gradient();
    const rest = scope.less(0, x).where(x, constant.multiply(constant));
    return x.less(0).where(x.negative(), rest);
  },
});

export const sign: Composite<NoAttributes> = elementwiseComposite(1, {
  smoothness: "piecewise",
  summary: "1 where x > 0, −1 where x < 0, else x",
  domain: "everywhere",
  convention: "no cotangent passes",
  source: arrayApi("sign"),
  expand: (_scope, _attributes, x: Value) => {
    const fixed = x.stop_gradient();
    return fixed.less(0).where(-1, fixed.negative().less(0).where(1, fixed));
  },
});

export const square: Composite<NoAttributes> = elementwiseComposite(1, {
  smoothness: "smooth",
  summary: "x · x",
  domain: "everywhere",
  convention: "none needed",
  source: arrayApi("square"),
  expand: (_scope, _attributes, x: Value) => x.multiply(x),
});

export const reciprocal: Composite<NoAttributes> = elementwiseComposite(1, {
  smoothness: "smooth",
  summary: "1 / x",
  domain: "no value at 0",
  convention: "none needed",
  source: arrayApi("reciprocal"),
  expand: (scope, _attributes, x: Value) => scope.divide(1, x),
});

export const ceil: Composite<NoAttributes> = elementwiseComposite(1, {
  smoothness: "piecewise",
  summary: "the least integer that is not below x",
  domain: "everywhere",
  convention: "no cotangent passes",
  source: arrayApi("ceil"),
  expand: (_scope, _attributes, x: Value) => x.negative().floor().negative(),
});

/** ⌊x⌋ or one more: one more where the rest is over ½, and where it is ½ and ⌊x⌋ odd: 2⌊(⌊x⌋ + 1)/2⌋. */
export const round: Composite<NoAttributes> = elementwiseComposite(1, {
  smoothness: "piecewise",
  summary: "the nearest integer; of two, the even one",
  domain: "everywhere",
  convention: "no cotangent passes",
  source: arrayApi("round"),
  expand: (scope, _attributes, x: Value) => {
    const whole = x.floor();
    const rest = x.subtract(whole);
    const even = whole.add(1).divide(2).floor().multiply(2);
    return rest.less(0.5).where(whole, scope.less(0.5, rest).where(whole.add(1), even));
  },
});

export const identity: Composite<NoAttributes> = elementwiseComposite(1, {
  smoothness: "linear",
  summary: "x",
  domain: "everywhere",
  convention: "none needed",
  source: "https://onnx.ai/onnx/operators/onnx__Identity.html",
  expand: (_scope, _attributes, x: Value) => x,
});

export const minimum: Composite<NoAttributes> = elementwiseComposite(2, {
  smoothness: "piecewise",
  summary: "the smaller of x and y",
  domain: "everywhere",
  convention: "at a tie the whole cotangent goes to the first operand",
  source: arrayApi("minimum"),
  expand: (_scope, _attributes, x: Value, y: Value) => x.negative().maximum(y.negative()).negative(),
});

export const clip: Composite<NoAttributes> = elementwiseComposite(3, {
  smoothness: "piecewise",
  summary: "x, but not below the second operand and not above the third",
  domain: "everywhere; if the bounds cross, the upper one",
  convention: "at a bound the whole cotangent goes to x",
  source: arrayApi("clip"),
  expand: (_scope, _attributes, x: Value, low: Value, high: Value) => x.maximum(low).minimum(high),
});

export const remainder: Composite<NoAttributes> = elementwiseComposite(2, {
  smoothness: "piecewise",
  summary: "x − ⌊x/y⌋ · y, which has the sign of y",
  domain: "no value where y = 0",
  convention: "at a jump ⌊x/y⌋ is constant",
  source: arrayApi("remainder"),
  expand: (_scope, _attributes, x: Value, y: Value) => x.subtract(x.divide(y).floor().multiply(y)),
});

/** A negative zero shows in its reciprocal. */
export const copysign: Composite<NoAttributes> = elementwiseComposite(2, {
  smoothness: "piecewise",
  summary: "|x| with the sign of y, that of a zero too",
  domain: "undecided where y = 0, unless the engine tells its zeros apart",
  convention: "the derivative in x is 0 at 0; none in y",
  source: arrayApi("copysign"),
  expand: (scope, _attributes, x: Value, y: Value) => {
    const isNegative = y.less(0).logical_or(scope.divide(1, y.stop_gradient()).less(0));
    const size = x.abs();
    return isNegative.where(size.negative(), size);
  },
});
