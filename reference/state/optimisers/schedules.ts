import { type ProgramValue, program } from "../../../spec/program_builder/index.ts";
import type { Program } from "../../../spec/programs/index.ts";
import { type Scope, scopeOf } from "./rule.ts";

/** A schedule turns a rate into that of this step, and increments its own count. */
export type Schedule = (scope: Scope, rate: ProgramValue) => ProgramValue;

/** Writes the program of schedules: each call is a step and gives its rate. Inputs: `rate`, and theirs. */
export function scheduleProgram(...schedules: readonly Schedule[]): Program {
  return program((builder) => {
    const rate = builder.input("rate");
    const scope = scopeOf(builder);
    return [schedules.reduce((current, schedule) => schedule(scope, current), rate)];
  });
}

/** The rate is the same at every step. */
export const constantRate: Schedule = (_, rate) => rate;

/** η γ^⌊t / n⌋ at t = 0, 1, … State: `turn` (0 at first), `fallen` (1). Inputs: `every` (n), `factor` (γ). */
export const stepDecay: Schedule = ({ builder, given, remembered }, rate) => {
  const [every, factor] = [given("every"), given("factor")];
  const [turn, fallen] = [remembered("turn"), remembered("fallen")];
  const now = rate.multiply(fallen);
  turn.update("add", 1);
  builder.if_(turn.equal(every), () => {
    fallen.update("multiply", factor);
    turn.write(0);
  });
  return now;
};

/**
 * η₀ + (η − η₀) ½ (1 + cos (π t / n)) at t = 0, 1, … Beyond n it `holds` at η₀ (optax) or `turns` up
 * (PyTorch). State: `cosineStep` (0 at first). Inputs: `period` (n), `least` (η₀). Source: Loshchilov and
 * Hutter, ICLR 2017.
 */
export function cosine({ afterwards = "holds" }: { readonly afterwards?: "holds" | "turns" } = {}): Schedule {
  return ({ builder, given, remembered }, rate) => {
    const [period, least] = [given("period"), given("least")];
    const step = remembered("cosineStep");
    const reached = afterwards === "holds" ? step.minimum(period) : step.read();
    // 2 arccos 0 is π in every algebra that has it.
    const pi = builder.full({ shape: [], value: 0 }).acos().multiply(2);
    const part = pi.multiply(reached).divide(period).cos().add(1).multiply(0.5);
    step.update("add", 1);
    return least.add(rate.subtract(least).multiply(part));
  };
}

/**
 * Makes a linear rise to the whole rate: η t / n at t = 0, 1, … if it begins at `zero` (optax), η (t + 1) / n
 * if at `one` step; then η. With n = 0 it is η at once. State: `warmStep` (0 at first). Inputs: `warmUp` (n).
 */
export function warmUp({ from = "zero" }: { readonly from?: "zero" | "one" } = {}): Schedule {
  return ({ builder, given, remembered }, rate) => {
    const steps = given("warmUp");
    const step = remembered("warmStep");
    const now = rate.multiply(1);
    const reached = from === "zero" ? step.read() : step.add(1);
    builder.if_(reached.less(steps), () => now.becomes(rate.multiply(reached).divide(steps)));
    step.update("add", 1);
    return now;
  };
}
