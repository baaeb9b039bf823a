import {
  adagrad,
  adam,
  gradientDescent,
  keptDescent,
  keptMomentum,
  momentumDescent,
  rmsprop,
} from "../../reference/state/optimisers/index.ts";
import { type Program, type ProgramValue, program } from "../../spec/programs/index.ts";
import { at } from "../../spec/shapes/index.ts";
import { numbers } from "./case_text.ts";
import { asked, byValue, formula, pullback, type StateText, vector, wrongly } from "./state_text.ts";

/** Adds the optimiser's parameter to the results, so that its step has cotangents. */
export function withResult(optimiser: Program): Program {
  const [entry, ...rest] = optimiser.procedures;
  const x = at(optimiser.state, 0);
  return entry === undefined
    ? optimiser
    : { ...optimiser, procedures: [{ ...entry, results: [x] }, ...rest] };
}

/** Makes two steps of one parameter, with these rates after the gradient. */
function twoSteps(...rates: readonly number[]): Pick<StateText, "parameters" | "calls"> {
  return { parameters: [2, ...rates], calls: [{ parameters: [-1, ...rates] }] };
}

/** Asks an optimiser's step, beside a wrong one that starts from the same state. */
export function stepping(
  optimiser: Program,
  name: string,
  wrong: Program,
): Pick<StateText, "program" | "wrong"> {
  return {
    program: withResult(optimiser),
    wrong: { [name]: { part: "all", program: withResult(wrong) } },
  };
}

/** Makes a program that accumulates gradients, each transformed by `kept`. */
function addedUp(kept: (gradient: ProgramValue) => ProgramValue): Program {
  return program(({ input, state }) => {
    const sum = state("sum", [2]);
    sum.update("add", kept(input("gradient", [2])));
    return [sum];
  });
}

/** Vectors of optimisers: an in-place step for each call, state between calls, differentiated training. */
export const optimisers: readonly StateText[] = [
  vector("descent_with_decay 10.10: state_not_carried", {
    note: "x ← x − η (g + λ x), two steps: the decay is of x as it was before the step",
    ...stepping(
      gradientDescent([], { decay: "coupled" }),
      "decay_forgotten",
      ignoring(gradientDescent([]), ["decay"]),
    ),
    ...twoSteps(0.125, 0.5),
    state: [3],
  }),
  vector("heavy_ball 10.10: state_not_carried", {
    note: "v ← μ v + g, x ← x − η v, two steps: the velocity is that of all steps",
    ...stepping(momentumDescent([]), "nesterov_for_heavy_ball", momentumDescent([], { isNesterov: true })),
    ...twoSteps(0.125, 0.5),
    state: [3, 0],
  }),
  vector("rate_within_the_velocity 10.10: state_not_carried", {
    note: "v ← μ v + η g: the rate changes between the steps, and the old velocity keeps the old rate",
    ...stepping(momentumDescent([], { form: "scaled" }), "rate_outside_the_velocity", momentumDescent([])),
    parameters: [2, 0.5, 0.5],
    calls: [{ parameters: [-1, 0.125, 0.5] }],
    state: [3, 0],
  }),
  vector("nesterov 10.10: state_not_carried", {
    note: "x ← x − η (g + μ v) with the new velocity, two steps",
    ...stepping(momentumDescent([], { isNesterov: true }), "momentum_for_nesterov", momentumDescent([])),
    ...twoSteps(0.125, 0.5),
    state: [3, 0],
  }),
  vector("nesterov_with_the_rate_within 10.10: state_not_carried", {
    note: "v ← μ v + η g, x ← x − (η g + μ v), with coupled decay",
    ...stepping(
      momentumDescent([], { isNesterov: true, form: "scaled", decay: "coupled" }),
      "nesterov_with_the_rate_outside",
      momentumDescent([], { isNesterov: true, decay: "coupled" }),
    ),
    parameters: [2, 0.5, 0.25, 0.5],
    calls: [{ parameters: [-1, 0.125, 0.25, 0.5] }],
    state: [3, 1],
  }),
  vector("adagrad_steps 10.10: state_not_carried update_replaces", {
    note: "s ← s + g², x ← x − η g / (√s + ε): the sum is of all squares, the newest among them",
    ...stepping(adagrad([]), "epsilon_inside", adagrad([], { epsilonPlace: "inside" })),
    ...twoSteps(0.5, 0.25),
    state: [3, 1],
  }),
  vector("rmsprop_steps 10.10: state_not_carried", {
    note: "s ← ρ s + (1 − ρ) g², x ← x − η g / (√s + ε)",
    ...stepping(rmsprop([]), "epsilon_inside", rmsprop([], { epsilonPlace: "inside" })),
    ...twoSteps(0.5, 0.75, 0.25),
    state: [3, 0],
  }),
  vector("rmsprop_centred 10.10: state_not_carried", {
    note: "s − m² for s: with the mean of the gradients taken off the mean of their squares",
    ...stepping(rmsprop([], { isCentred: true }), "mean_not_taken_off", withState(rmsprop([]), "m")),
    ...twoSteps(0.5, 0.75, 0.25),
    state: [3, 1, 0],
  }),
  vector("adam_steps 10.10: state_not_carried saved_value_not_kept", {
    note: "two steps of Adam: moments and the powers of β live on, and each step is corrected with its own power",
    ...stepping(adam([]), "bias_not_corrected", adam([], { isCorrected: false })),
    ...twoSteps(0.5, 0.5, 0.75, 0.25),
    state: [3, 0, 0, 1, 1],
  }),
  vector("gradient_is_only_read 10.10 Q05: state_not_carried", {
    note: "the parameter is kept in codes of 4 bits, and the gradient, whose own grid is not full, is left as it is: −1 becomes −1.07 where it is written back",
    ...stepping(
      keptDescent([3], { bits: 4, what: "parameter" }),
      "gradient_written_back",
      keptDescent([3], { bits: 4, what: "parameterAndGradient" }),
    ),
    parameters: [0.125],
    calls: [{ parameters: [0.125] }],
    state: numbers("[3, -2, 1], [1.5, -1, 0.5]"),
    probe: { right: { state: [undefined, [1.5, -1, 0.5]] } },
  }),
  vector("velocity_is_kept_too 10.10: state_not_carried", {
    note: "parameter and velocity are kept in codes of 4 bits, each on a grid of its own, and the gradient is left as it is",
    links: ["https://github.com/es-ude/OnDeviceTraining/issues/203"],
    ...stepping(
      keptMomentum([3], { bits: 4, what: "parameter" }),
      "gradient_written_back",
      keptMomentum([3], { bits: 4, what: "parameterAndGradient" }),
    ),
    parameters: [0.125, 0.5],
    calls: [{ parameters: [0.25, 0.5] }],
    state: numbers("[3, -2, 1], [1.5, -1, 0.5], [0.5, 0.25, 1]"),
  }),
  vector("small_updates_add_up 10.10 Q06: state_not_carried update_replaces", {
    note: "three gradients of 0.3 and 0.4 are added up in calls of their own: on a fixed grid of ones each of them is nothing",
    program: addedUp((g) => g),
    parameters: [[0.3, 0.4]],
    calls: [{ parameters: [[0.3, 0.4]] }, { parameters: [[0.3, 0.4]] }],
    state: [[0, 0]],
    probe: { right: { state: [[0.9, 1.2]] }, wrong: { state: [[0, 0]] } },
    wrong: { fixed_grid: { part: "all", program: addedUp((g) => g.add(0.5).floor()) } },
  }),
  vector("rate_of_a_schedule 10.10: state_not_carried no_grad_writes_lost", {
    note: "the step itself counts its calls and takes η / n: the count lives on, and is constant",
    ...asked([2, 0.5], ({ input, state, noGrad }) => {
      const [g, rate] = [input("g"), input("rate")];
      const [x, n] = [state("x"), state("n")];
      noGrad(() => n.update("add", 1));
      x.update("subtract", rate.divide(n).multiply(g));
      return [x];
    }),
    calls: [{ parameters: [2, 0.5] }, { parameters: [2, 0.5] }],
    state: [3, 0],
  }),
  vector("tied_parameters 10.2: derivative_by_the_first", {
    note: "one location is read in two places of the loss x² y: one step with the summed gradient, 18 + 9, at 3",
    ...asked([0.125], ({ input, state, procedure, derivative }) => {
      const loss = formula(procedure, "loss", ["a", "b"], (a, b) => [a.multiply(a).multiply(b)]);
      const x = state("x");
      const rate = input("rate");
      const slope = (wrt: number) => derivative(loss, { mode: "vjp", of: 0, wrt }, x, x, 1);
      const gradient = slope(0).add(slope(1));
      x.update("subtract", rate.multiply(gradient));
      return [x];
    }),
    state: [3],
    ...wrongly("all", "updated_for_each_place", ({ input, state }) => {
      const x = state("x");
      const rate = input("rate");
      x.update("subtract", rate.multiply(x.multiply(x).multiply(2)));
      x.update("subtract", rate.multiply(x.multiply(x)));
      return [x];
    }),
    probe: { right: { results: [-0.375] } },
  }),
  vector("accumulated_over_calls 10.10: state_not_carried update_replaces branch_decided_again", {
    note: "gradients are added over calls, and the last call makes one step with their mean and clears them",
    ...asked([2, 0, 0.5], ({ input, state, if_ }) => {
      const [g, isLast, rate] = [input("g"), input("is last"), input("rate")];
      const [x, sum, n] = [state("x"), state("sum"), state("n")];
      sum.update("add", g);
      n.update("add", 1);
      if_(isLast, () => {
        x.update("subtract", rate.multiply(sum).divide(n));
        sum.write(0);
        n.write(0);
      });
      return [x];
    }),
    calls: [{ parameters: [4, 1, 0.5] }, { parameters: [6, 1, 0.5] }],
    state: [3, 0, 0],
  }),
  vector("hypergradient_of_the_rate 10.8: loop_one_turn_short derivative_is_constant", {
    note: "two steps of descent on a x²/2: x (1 − η a)², whose derivative by η is −2 a x (1 − η a), −6 for a = 2, x = 3, η = ¼",
    ...asked([3, 0.25, 2], ({ input, buffer, procedure, derivative, for_ }) => {
      const loss = formula(procedure, "loss", ["p", "a"], (p, a) => [
        p.multiply(p).multiply(a).multiply(0.5),
      ]);
      const [start, rate, a] = [input("x"), input("rate"), input("a")];
      const x = buffer(start);
      for_(2, () => {
        const g = derivative(loss, pullback, x, a, 1);
        x.update("subtract", rate.multiply(g));
      });
      return [x];
    }),
    probe: { right: { results: [0.75], cotangents: [0.25, -6, -0.75] } },
  }),
];

/** Adds inputs of these names, which the program does not read. */
function ignoring(optimiser: Program, names: readonly string[]): Program {
  const [entry, ...rest] = optimiser.procedures;
  if (entry === undefined) return optimiser;
  const unread = names.map((name) => byValue(name));
  const procedure = { ...entry, parameters: [...entry.parameters, ...unread] };
  return { ...optimiser, procedures: [procedure, ...rest] };
}

/** Adds a persistent scalar that the program does not touch. */
function withState(optimiser: Program, name: string): Program {
  return { ...optimiser, state: [...optimiser.state, { name, shape: [] }] };
}
