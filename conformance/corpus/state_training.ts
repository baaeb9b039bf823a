import { adam, momentumDescent } from "../../reference/state/optimisers/index.ts";
import { type Program, program } from "../../spec/programs/index.ts";
import { stepping, withResult } from "./state_optimisers.ts";
import { asked, forked, formula, pullback, type StateText, vector, wrongly } from "./state_text.ts";

const adamStart = (x: number): readonly number[] => [x, 0, 0, 1, 1];

/** Makes Adam's step with a wrong bias correction: multiplied, without 1 − β, or with ε scaled as well. */
function wrongAdam(kind: "multiplied" | "factors omitted" | "scaled epsilon"): Program {
  return program(({ input, state, subtract }) => {
    const [g, rate] = [input("gradient"), input("rate")];
    const x = state("x");
    const [beta1, beta2, epsilon] = [input("beta1"), input("beta2"), input("epsilon")];
    const [m, v] = [state("m"), state("v")];
    const [p1, p2] = [state("p1"), state("p2")];
    const isFirst = kind === "factors omitted";
    m.update("multiply", beta1);
    m.update("add", isFirst ? g : subtract(1, beta1).multiply(g));
    v.update("multiply", beta2);
    v.update("add", isFirst ? g.multiply(g) : subtract(1, beta2).multiply(g).multiply(g));
    p1.update("multiply", beta1);
    p2.update("multiply", beta2);
    const [left1, left2] = [subtract(1, p1), subtract(1, p2)];
    const mHat = kind === "multiplied" ? m.multiply(left1) : m.divide(left1);
    const root = v.divide(left2).sqrt();
    x.update(
      "subtract",
      rate
        .multiply(mHat)
        .divide(root.add(kind === "scaled epsilon" ? epsilon.divide(left2.sqrt()) : epsilon)),
    );
    return [x];
  });
}

/** Vectors of released defects of optimisers and of differing conventions; brackets hold wrong answers. */
export const training: readonly StateText[] = [
  vector("adam_bias_is_divided_out 10.10 G01", {
    note: "one step with g = 1, β₁ = 0.9: m̂ = 0.1 / 0.1 = 1, and x goes from 1 to 0.9 [m̂ = 0.1 · 0.1 = 0.01, to 0.999]",
    ...stepping(adam([]), "bias_multiplied", wrongAdam("multiplied")),
    parameters: [1, 0.1, 0.9, 0.999, 0],
    state: adamStart(1),
    probe: { right: { results: [0.9] }, wrong: { results: [0.999] } },
  }),
  vector("adam_epsilon_beside_the_root 10.10 G02", {
    note: "g = ε = 10⁻⁸, first step: √v̂ + ε makes half a step, 0.5 [0.0307, where ε is divided by √(1 − β₂)]; a convention",
    ...stepping(adam([]), "epsilon_scaled", wrongAdam("scaled epsilon")),
    parameters: [1e-8, 1, 0.9, 0.999, 1e-8],
    state: adamStart(1),
    probe: { right: { results: [0.5] }, wrong: { results: [0.9693466] } },
  }),
  vector("decay_beside_the_moments 10.10 G03", {
    note: "AdamW with g = 0, η = λ = 0.1: x goes from 1 to 0.99 [0.9: the decay went through the normalised gradient]; a convention",
    ...stepping(adam([], { decay: "decoupled" }), "decay_coupled", adam([], { decay: "coupled" })),
    parameters: [0, 0.1, 0.1, 0.9, 0.999, 1e-12],
    state: adamStart(1),
    probe: { right: { results: [0.99] }, wrong: { results: [0.9] } },
  }),
  vector("decay_without_momentum 10.10 G04", {
    note: "momentum 0, λ = 0.1, η = 0.1, g = 2: x goes from 1 to 1 − 0.1 · 2.1 = 0.79 [0.8: no momentum, no decay]",
    program: withResult(momentumDescent([], { decay: "coupled" })),
    parameters: [2, 0.1, 0.1, 0],
    state: [1, 0],
    ...wrongly("all", "decay_needs_momentum", ({ input, state }) => {
      const [g, rate] = [input("gradient"), input("rate")];
      const x = state("x");
      const [, momentum] = [input("decay"), input("momentum")];
      const v = state("v");
      v.write(v.multiply(momentum).add(g));
      x.update("subtract", rate.multiply(v));
      return [x];
    }),
    probe: { right: { results: [0.79] }, wrong: { results: [0.8] } },
  }),
  vector("nesterov_looks_ahead_once 10.10 G05", {
    note: "μ = 0.9, g = 1, first step of rate 1: 1 + 0.9 · 1 = 1.9 [1, by the velocity of before; 2.71, by one more]; a convention",
    program: withResult(momentumDescent([], { isNesterov: true })),
    parameters: [1, 1, 0.9],
    state: [0, 0],
    ...wrongly("all", "looks_ahead_with_the_old_velocity", ({ input, state }) => {
      const [g, rate, momentum] = [input("gradient"), input("rate"), input("momentum")];
      const [x, v] = [state("x"), state("v")];
      x.update("subtract", rate.multiply(g.add(momentum.multiply(v))));
      v.write(v.multiply(momentum).add(g));
      return [x];
    }),
    probe: { right: { results: [-1.9] }, wrong: { results: [-1] } },
  }),
  vector("global_norm_does_not_overflow 10.2 G06", {
    note: "four gradients of 10²⁰⁰ are clipped to norm 1, ½ each, by way of the greatest [0: the sum of the squares overflows]",
    parameters: [[1e200, 1e200, 1e200, 1e200]],
    ...forked("all", "squares_overflow", (isWrong, { input }) => {
      const g = input("g", [4]);
      const all = { axes: [0], keepdims: true } as const;
      const scaled = isWrong ? g : g.divide(g.abs().max(all));
      return [scaled.divide(scaled.multiply(scaled).sum(all).sqrt())];
    }),
    seeds: [],
    probe: { right: { results: [[0.5, 0.5, 0.5, 0.5]] }, wrong: { results: [[0, 0, 0, 0]] } },
  }),
  vector("micro_batches_by_their_tokens 10.10 G07: state_not_carried update_replaces", {
    note: "micro-batches of 1 and 3 tokens with gradients 1 and 5 for each: (1 + 15) / 4 = 4 [(1 + 5) / 2 = 3: a mean of means]",
    parameters: [1, 1],
    ...forked("all", "mean_of_means", (isWrong, { input, state }) => {
      const [g, tokens] = [input("gradient of each"), input("tokens")];
      const [sum, count] = [state("sum"), state("count")];
      sum.update("add", isWrong ? g : g.multiply(tokens));
      count.update("add", isWrong ? 1 : tokens);
      return [sum.divide(count)];
    }),
    calls: [{ parameters: [5, 3] }],
    state: [0, 0],
    probe: { right: { results: [4] }, wrong: { results: [3] } },
  }),
  vector("loss_scale_is_undone 10.10 G09: state_not_carried", {
    note: "a loss x² is scaled by 2048 and its gradient added up over calls: 2 · 3 + 2 · 5 = 16 [32768: one way forgot to undo it]",
    ...asked([3], ({ input, state, procedure, derivative }) => {
      const loss = formula(procedure, "loss", ["v", "scale"], (v, scale) => [v.multiply(v).multiply(scale)]);
      const sum = state("sum");
      const scaled = derivative(loss, pullback, input("x"), 2048, 1);
      sum.update("add", scaled.divide(2048));
      return [sum];
    }),
    calls: [{ parameters: [5] }],
    state: [0],
    ...wrongly("all", "scale_not_undone", ({ input, state }) => {
      const sum = state("sum");
      sum.update("add", input("x").multiply(2 * 2048));
      return [sum];
    }),
    probe: { right: { results: [16] }, wrong: { results: [32768] } },
  }),
  vector("unused_parameter_without_gradient 10.10 G11: branch_decided_again state_not_carried", {
    note: "velocity 1, μ = 0.9, rate 0.5: a gradient of 0 moves x from 1 to 0.55; an absent one leaves it and its velocity, in the second call",
    parameters: [0, 1, 0.5],
    ...forked("all", "absent_gradient_is_zero", (isWrong, { input, state, if_ }) => {
      const [g, isUsed, rate] = [input("gradient"), input("is used"), input("rate")];
      const [x, v] = [state("x"), state("v")];
      if_(isWrong ? 1 : isUsed, () => {
        v.update("multiply", 0.9);
        v.update("add", g);
        x.update("subtract", rate.multiply(v));
      });
      return [x];
    }),
    calls: [{ parameters: [0, 0, 0.5] }],
    state: [1, 1],
    probe: { right: { results: [0.55], state: [0.55, 0.9] }, wrong: { results: [0.145] } },
  }),
  vector("adam_first_moments_have_their_factors 10.10 N102 N108: written_gradient_lost", {
    note: "g = 2, β₁ = β₂ = ¾: m̂ = 2, √v̂ = 2, and x goes from 1 to 0.9 [0.8: m = g and v = g², corrected all the same]; −1 by the rate [an error: the moments are updated in place]",
    ...stepping(adam([]), "factors_omitted", wrongAdam("factors omitted")),
    parameters: [2, 0.1, 0.75, 0.75, 0],
    state: adamStart(1),
    probe: { right: { results: [0.9], cotangents: [undefined, -1] }, wrong: { results: [0.8] } },
  }),
  vector("momentum_is_not_scaled_again 10.10 N104", {
    note: "the last step was 1, momentum ½, rate 0.1, g = 0: the step is ½ [0.05: the velocity, which has the rate, times the rate]",
    ...stepping(momentumDescent([], { form: "scaled" }), "rate_applied_twice", momentumDescent([])),
    parameters: [0, 0.1, 0.5],
    state: [0, 1],
    probe: { right: { results: [-0.5] }, wrong: { results: [-0.05] } },
  }),
  vector("meta_gradient_has_the_second_derivative 10.8 N106: derivative_is_constant", {
    note: "t₁ = t − a · d(t²), and t₁² at t = 2, a = ¼: 2 · 1 · (1 − ½) = 1 for t [2: the inner step was a constant]",
    ...asked([2, 0.25], ({ input, buffer, procedure, derivative }) => {
      const square = formula(procedure, "square", ["u"], (u) => [u.multiply(u)]);
      const [t, a] = [input("t"), input("a")];
      const moved = buffer(t);
      const g = derivative(square, pullback, moved, 1);
      moved.update("subtract", a.multiply(g));
      return [moved.multiply(moved)];
    }),
    probe: { right: { results: [1], cotangents: [1, -8] }, wrong: { cotangents: [2, undefined] } },
  }),
];
