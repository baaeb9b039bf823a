import type { Scope, Value } from "../construction/value.ts";
import { type EnvironmentEntry, indexEntryShape, type NoAttributes, nameSchema } from "../operators/index.ts";
import { formatShape, isSameShape, type Shape, type ShapeFault, sizeOf } from "../shapes/index.ts";
import type { Composite } from "./composite.ts";
import { refuseDifferent } from "./refusals.ts";

/** Returns PyTorch's page of `name`. */
function torch(name: string): string {
  return `https://docs.pytorch.org/docs/stable/generated/torch.nn.functional.${name}.html`;
}

/** The mean of all elements, a scalar. */
function meanOf(x: Value): Value {
  return x.mean({ axes: x.shape.map((_, axis) => axis), keepdims: false });
}

/** A loss does not broadcast. */
function refusePair(operands: readonly Shape[]): ShapeFault | undefined {
  return refuseDifferent(operands) ?? refuseEmpty(operands[0] ?? []);
}

function refuseEmpty(x: Shape): ShapeFault | undefined {
  if (sizeOf(x) > 0) return undefined;
  return {
    code: "shape/empty",
    message: "there is nothing to take a mean of.",
    hint: "give a loss at least one element",
  };
}

const pair = {
  operands: [
    [2, 3],
    [2, 3],
  ],
} as const;

export const mse: Composite<NoAttributes> = {
  arity: 2,
  attributes: {},
  smoothness: "smooth",
  summary: "the mean of (x − y)² over all elements",
  domain: "at least one element",
  convention: "none needed",
  source: torch("mse_loss"),
  refuse: (_attributes, operands) => refusePair(operands),
  expand: (_scope, _attributes, x: Value, y: Value) => meanOf(x.subtract(y).square()),
  example: { attributes: {}, ...pair },
};

/** The distance at which the loss becomes linear. */
export interface HuberAttributes {
  readonly delta: number;
}

export const huber: Composite<HuberAttributes> = {
  arity: 2,
  attributes: { delta: { type: "number", exclusiveMinimum: 0, maximum: Number.MAX_VALUE } },
  smoothness: "piecewise",
  summary: "the mean of d²/2 where |d| ≤ δ, else δ(|d| − δ/2), for d = x − y",
  domain: "at least one element",
  convention: "none needed: both branches have one derivative where they meet",
  source: torch("huber_loss"),
  refuse: (_attributes, operands) => refusePair(operands),
  expand(_scope, { delta }, x: Value, y: Value) {
    const distance = x.subtract(y);
    const size = distance.abs();
    const isNear = size.less_equal(delta);
    const near = isNear.where(distance, 0).square().divide(2);
    return meanOf(isNear.where(near, size.subtract(delta / 2).multiply(delta)));
  },
  example: { attributes: { delta: 0.5 }, ...pair },
};

/** The name of the entry of Δ that holds a class for each row. */
export interface LabelAttributes {
  readonly labels: string;
}

function refuseLabels(
  { labels }: LabelAttributes,
  [x = []]: readonly Shape[],
  environment: readonly EnvironmentEntry[],
): ShapeFault | undefined {
  const entry = indexEntryShape(labels, environment);
  if (!entry.ok) return entry.error;
  const [rows = 0] = x;
  if (x.length === 2 && isSameShape(entry.value, [rows])) return refuseEmpty(x);
  return {
    code: "shape/mismatch",
    message: `x has shape ${formatShape(x)}, and the labels ${formatShape(entry.value)}.`,
    hint: "x is [N, C], and the labels are [N]",
  };
}

/** Returns 1 at each row's label: rows of the identity matrix. */
function labelled(scope: Scope, { labels }: LabelAttributes, classes: number): Value {
  const shape = [classes, classes];
  const identity = scope.iota({ shape, axis: 0 }).equal(scope.iota({ shape, axis: 1 }));
  return identity.take({ axis: 0, indices: labels });
}

const rowsExample = {
  attributes: { labels: "labels" },
  operands: [[2, 3]],
  environment: [{ name: "labels", shape: [2], kind: "index" }],
} as const;

export const nll: Composite<LabelAttributes> = {
  arity: 1,
  attributes: { labels: nameSchema },
  smoothness: "linear",
  summary:
    "minus the mean of the elements of x [N, C] at each row's label; x are logarithms of probabilities",
  domain: "every label is at least 0 and below C; what is at no label may be anything",
  convention: "no cotangent reaches what is at no label",
  source: torch("nll_loss"),
  refuse: refuseLabels,
  expand(scope, attributes, x: Value) {
    const [rows = 0, classes = 0] = x.shape;
    const chosen = labelled(scope, attributes, classes).where(x, 0);
    return chosen.sum({ axes: [0, 1], keepdims: false }).divide(-rows);
  },
  example: rowsExample,
};

export const crossEntropy: Composite<LabelAttributes> = {
  arity: 1,
  attributes: { labels: nameSchema },
  smoothness: "smooth",
  summary: "minus the mean of log_softmax of x [N, C] at each row's label",
  domain: "every label is at least 0 and below C",
  convention: "none needed",
  source: torch("cross_entropy"),
  refuse: refuseLabels,
  expand: (_scope, { labels }, x: Value) => x.log_softmax({ axis: 1 }).nll({ labels }),
  example: rowsExample,
};

/** At 0, |x| and the positive part of x take the same branch, so their halves give the slope ½. */
export const bceWithLogits: Composite<NoAttributes> = {
  arity: 2,
  attributes: {},
  smoothness: "smooth",
  summary: "the mean of −y ln σ(x) − (1 − y) ln(1 − σ(x)) over all elements",
  domain: "at least one element",
  convention: "none needed",
  source: torch("binary_cross_entropy_with_logits"),
  refuse: (_attributes, operands) => refusePair(operands),
  expand(_scope, _attributes, x: Value, y: Value) {
    const isNegative = x.less(0);
    const tail = isNegative.where(x, x.negative()).exp().log1p();
    return meanOf(isNegative.where(0, x).subtract(x.multiply(y)).add(tail));
  },
  example: { attributes: {}, ...pair },
};

export const klDiv: Composite<NoAttributes> = {
  arity: 2,
  attributes: {},
  smoothness: "smooth",
  summary: "the mean of y (ln y − x) over all elements, 0 where y is 0; x are logarithms of probabilities",
  domain: "y ≥ 0; at least one element",
  convention: "where y is 0, both cotangents are 0",
  source: torch("kl_div"),
  refuse: (_attributes, operands) => refusePair(operands),
  expand(_scope, _attributes, x: Value, y: Value) {
    const isAbsent = y.equal(0);
    const present = isAbsent.where(1, y);
    return meanOf(isAbsent.where(0, present.multiply(present.log().subtract(x))));
  },
  example: { attributes: {}, ...pair },
};
