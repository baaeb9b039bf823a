import {
  type Composite,
  type CompositeRows,
  composites,
  type NoAttributes,
  type Value,
} from "../../spec/index.ts";
import type { Claim } from "./claim.test.kit.ts";
import { wrongRows } from "./wrong_networks.test.kit.ts";

const { exp, log } = Math;
const sigmoid = (x: number): number => 1 / (1 + exp(-x));
const three = [0, 1, 2];
const whole = exp(0) + exp(1) + exp(2);
const p = three.map((x) => exp(x) / whole);

/** The derivative through the denominator is forgotten. */
const leakySoftmax: CompositeRows["softmax"] = {
  ...composites.softmax,
  expand: (_scope, { axis }, x: Value) =>
    x.exp().divide(
      x
        .exp()
        .sum({ axes: [axis], keepdims: true })
        .stop_gradient(),
    ),
};
const leakyLogSoftmax: CompositeRows["log_softmax"] = {
  ...composites.log_softmax,
  expand: (_scope, { axis }, x: Value) =>
    x.subtract(x.logsumexp({ axes: [axis], keepdims: true }).stop_gradient()),
};

/** relu and |x| each choose their own derivative at 0. */
const kinkedBce: Composite<NoAttributes> = {
  ...composites.bce_with_logits,
  expand: (_scope, _attributes, x: Value, y: Value) =>
    x
      .relu()
      .subtract(x.multiply(y))
      .add(x.abs().negative().exp().log1p())
      .mean({ axes: [0], keepdims: false }),
};
/** ln 0 times 0, of which the value is left out and the derivative is not. */
export const unguardedKl: Composite<NoAttributes> = {
  ...composites.kl_div,
  expand: (_scope, _attributes, x: Value, y: Value) =>
    y
      .equal(0)
      .where(0, y.multiply(y.log().subtract(x)))
      .mean({ axes: [0], keepdims: false }),
};

const zeros = [0, 0, 0, 0];

/** These claims are about softmax and the losses. */
export const lossClaims: readonly Claim[] = [
  {
    op: "softmax",
    title: "pulls c back to p (c − ⟨p, c⟩)",
    write: ({ input }) => input("x", [3]).softmax({ axis: 0 }),
    inputs: [three],
    cotangent: [1, -2, 4],
    expected: [
      p.map((pi, i) => pi * (([1, -2, 4][i] ?? 0) - ((p[0] ?? 0) - 2 * (p[1] ?? 0) + 4 * (p[2] ?? 0)))),
    ],
    wrong: { softmax: leakySoftmax },
  },
  {
    op: "softmax",
    title: "does not overflow at 1000",
    write: ({ input }) => input("x", [2]).softmax({ axis: 0 }),
    inputs: [[1000, 1000]],
    cotangent: [1, 0],
    expected: [[0.25, -0.25]],
    wrong: { softmax: leakySoftmax },
  },
  {
    op: "log_softmax",
    title: "pulls c back to c − p Σc",
    write: ({ input }) => input("x", [3]).log_softmax({ axis: 0 }),
    inputs: [three],
    cotangent: [1, -2, 4],
    expected: [p.map((pi, i) => ([1, -2, 4][i] ?? 0) - 3 * pi)],
    wrong: { log_softmax: leakyLogSoftmax },
  },
  {
    op: "cross_entropy",
    title: "pulls 1 back to (p − y)/N",
    write: ({ input, indices }) => input("x", [2, 3]).cross_entropy({ labels: indices("labels", [2]) }),
    inputs: [[...three, 0, 0, 0]],
    environment: { labels: [2, 0] },
    cotangent: [1],
    expected: [[(p[0] ?? 0) / 2, (p[1] ?? 0) / 2, ((p[2] ?? 0) - 1) / 2, (1 / 3 - 1) / 2, 1 / 6, 1 / 6]],
    wrong: { log_softmax: leakyLogSoftmax },
  },
  {
    op: "nll",
    title: "pulls 1 back to −1/N at each label",
    write: ({ input, indices }) => input("x", [2, 3]).nll({ labels: indices("labels", [2]) }),
    inputs: [[-1, -2, -3, -4, -5, -6]],
    environment: { labels: [2, 0] },
    cotangent: [8],
    expected: [[0, 0, -4, -4, 0, 0]],
    wrong: { nll: wrongRows.nll },
  },
  {
    op: "mse",
    title: "pulls 1 back to 2 (x − y)/n",
    write: ({ input }) => input("x", [2]).mse(input("y", [2])),
    inputs: [
      [3, 1],
      [1, 4],
    ],
    cotangent: [1],
    expected: [
      [2, -3],
      [-2, 3],
    ],
    wrong: { mse: wrongRows.mse },
  },
  {
    op: "huber",
    title: "has one slope where its branches meet, and δ beyond",
    write: ({ input }) => input("x", [4]).huber(input("y", [4]), { delta: 0.5 }),
    inputs: [[0.5, -0.5, 0.25, -3], zeros],
    cotangent: [4],
    expected: [
      [0.5, -0.5, 0.25, -0.5],
      [-0.5, 0.5, -0.25, 0.5],
    ],
    wrong: { huber: wrongRows.huber },
  },
  {
    op: "bce_with_logits",
    title: "pulls 1 back to (σ(x) − y)/n, at 0 too",
    write: ({ input }) => input("x", [4]).bce_with_logits(input("y", [4])),
    inputs: [
      [0, 2, -3, 800],
      [1, 0, 0.5, 1],
    ],
    cotangent: [4],
    expected: [
      [-0.5, sigmoid(2), sigmoid(-3) - 0.5, 0],
      [0, -2, 3, -800],
    ],
    wrong: { bce_with_logits: kinkedBce },
  },
  {
    op: "kl_div",
    title: "pulls back nothing where y is 0",
    write: ({ input }) => input("x", [2]).kl_div(input("y", [2])),
    inputs: [
      [-1, -2],
      [0, 0.5],
    ],
    cotangent: [2],
    expected: [
      [0, -0.5],
      [0, log(0.5) + 1 + 2],
    ],
    wrong: { kl_div: unguardedKl },
  },
];
