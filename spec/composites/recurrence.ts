import type { Value } from "../construction/value.ts";
import type { NoAttributes } from "../operators/index.ts";
import { formatShape, isSameShape, type Shape, type ShapeFault } from "../shapes/index.ts";
import { transposed } from "./attention.ts";
import type { Composite } from "./composite.ts";

/** Returns PyTorch's page of `name`. */
function torch(name: string): string {
  return `https://docs.pytorch.org/docs/stable/generated/torch.nn.${name}.html`;
}

/** A fault unless x is [N, I], each state [N, H], w_ih [g·H, I], w_hh [g·H, H] and each bias [g·H]. */
function refuseCell(
  gates: number,
  x: Shape,
  states: readonly Shape[],
  wIn: Shape,
  wHidden: Shape,
  biases: readonly Shape[],
): ShapeFault | undefined {
  const [batch = 0, inputs = 0] = x;
  const hidden = states[0]?.[1] ?? 0;
  const isFitting =
    isSameShape(x, [batch, inputs]) &&
    states.every((state) => isSameShape(state, [batch, hidden])) &&
    isSameShape(wIn, [gates * hidden, inputs]) &&
    isSameShape(wHidden, [gates * hidden, hidden]) &&
    biases.every((bias) => isSameShape(bias, [gates * hidden]));
  if (isFitting) return undefined;
  return {
    code: "shape/mismatch",
    message: `${[x, ...states, wIn, wHidden, ...biases].map(formatShape).join(", ")} do not fit.`,
    hint: `x [N, I], states [N, H], w_ih [${gates}H, I], w_hh [${gates}H, H], biases [${gates}H]`,
  };
}

/** Returns `x wᵀ` */
function weighted(x: Value, w: Value): Value {
  return x.matmul(transposed(w));
}

/** Returns the columns of gate `index`. */
function gate(x: Value, index: number, hidden: number): Value {
  const [batch = 0] = x.shape;
  return x.slice({ starts: [0, index * hidden], stops: [batch, (index + 1) * hidden], steps: [1, 1] });
}

export const elmanCell: Composite<NoAttributes> = {
  arity: 5,
  attributes: {},
  smoothness: "smooth",
  summary:
    "tanh(x w_ihᵀ + h w_hhᵀ + b), the next h [N, H]: operands x [N, I], h, w_ih [H, I], w_hh [H, H], b [H]",
  domain: "everywhere",
  convention: "none needed",
  source: torch("RNNCell"),
  refuse: (_attributes, [x = [], h = [], wIn = [], wHidden = [], b = []]) =>
    refuseCell(1, x, [h], wIn, wHidden, [b]),
  expand: (_scope, _attributes, x: Value, h: Value, wIn: Value, wHidden: Value, b: Value) =>
    weighted(x, wIn).add(weighted(h, wHidden)).add(b).tanh(),
  example: { attributes: {}, operands: [[2, 2], [2, 3], [3, 2], [3, 3], [3]] },
};

/** The result is one of the two next states. */
export interface LstmCellAttributes {
  readonly output: "hidden" | "cell";
}

export const lstmCell: Composite<LstmCellAttributes> = {
  arity: 6,
  attributes: { output: { enum: ["hidden", "cell"] } },
  smoothness: "smooth",
  summary:
    "the next cell σ(f) c + σ(i) tanh(g), or the next hidden state σ(o) tanh(cell); i, f, g, o are the quarters of x w_ihᵀ + h w_hhᵀ + b: operands x [N, I], h, c [N, H], w_ih [4H, I], w_hh [4H, H], b [4H]",
  domain: "everywhere",
  convention: "none needed",
  source: torch("LSTMCell"),
  refuse: (_attributes, [x = [], h = [], c = [], wIn = [], wHidden = [], b = []]) =>
    refuseCell(4, x, [h, c], wIn, wHidden, [b]),
  expand(_scope, { output }, x: Value, h: Value, c: Value, wIn: Value, wHidden: Value, b: Value) {
    const hidden = h.shape[1] ?? 0;
    const gates = weighted(x, wIn).add(weighted(h, wHidden)).add(b);
    const forgotten = gate(gates, 1, hidden).sigmoid().multiply(c);
    const written = gate(gates, 0, hidden)
      .sigmoid()
      .multiply(gate(gates, 2, hidden).tanh());
    const cell = forgotten.add(written);
    return output === "cell" ? cell : gate(gates, 3, hidden).sigmoid().multiply(cell.tanh());
  },
  example: { attributes: { output: "hidden" }, operands: [[1, 2], [1, 2], [1, 2], [8, 2], [8, 2], [8]] },
};

export const gruCell: Composite<NoAttributes> = {
  arity: 6,
  attributes: {},
  smoothness: "smooth",
  summary:
    "(1 − z) n + z h, where z = σ(z₁ + z₂), n = tanh(n₁ + σ(r₁ + r₂) n₂); r₁, z₁, n₁ are the thirds of x w_ihᵀ + b_ih, the others of h w_hhᵀ + b_hh: operands x [N, I], h [N, H], w_ih [3H, I], w_hh [3H, H], b_ih, b_hh [3H]",
  domain: "everywhere",
  convention: "none needed",
  source: torch("GRUCell"),
  refuse: (_attributes, [x = [], h = [], wIn = [], wHidden = [], ...biases]) =>
    refuseCell(3, x, [h], wIn, wHidden, biases),
  expand(scope, _attributes, x: Value, h: Value, wIn: Value, wHidden: Value, bIn: Value, bHidden: Value) {
    const hidden = h.shape[1] ?? 0;
    const fromInput = weighted(x, wIn).add(bIn);
    const fromHidden = weighted(h, wHidden).add(bHidden);
    const both = (index: number): Value =>
      gate(fromInput, index, hidden)
        .add(gate(fromHidden, index, hidden))
        .sigmoid();
    const [reset, update] = [both(0), both(1)];
    const proposed = gate(fromInput, 2, hidden)
      .add(reset.multiply(gate(fromHidden, 2, hidden)))
      .tanh();
    return scope.subtract(1, update).multiply(proposed).add(update.multiply(h));
  },
  example: { attributes: {}, operands: [[1, 2], [1, 2], [6, 2], [6, 2], [6], [6]] },
};
