import { type Program, program } from "../../spec/programs/index.ts";
import { numbers } from "./case_text.ts";
import {
  asked,
  byReference,
  byValue,
  forked,
  inPlace,
  onCallers,
  onLocation,
  reference,
  type StateText,
  value,
  vector,
  wrongly,
} from "./state_text.ts";

const part = (start: number) => ({ starts: [start], stops: [start + 1], steps: [1] });

/** Squares x in place as often as `turns` counts down, with fuel for so many turns. */
const countedDown = (turns: number, fuel: number): Program =>
  program(({ input, buffer, while_, full }) => {
    const a = buffer(input("x"));
    const left = full({ shape: [], value: turns });
    while_(left, fuel, () => {
      a.update("multiply", a);
      left.becomes(left.subtract(1));
    });
    return [a];
  });

/** Doubles or triples a location, and then overwrites what decided it. */
const decidedBy = (isDoubled: boolean): Program =>
  program(({ input, buffer, if_ }) => {
    const x = input("x");
    const [decides, a] = [buffer(x), buffer(x)];
    const [then, otherwise] = isDoubled ? [2, 3] : [3, 2];
    if_(
      decides,
      () => a.update("multiply", then),
      () => a.update("multiply", otherwise),
    );
    decides.write(0);
    return [a];
  });

/** Differentiates (v₀ v₁, v₁²), whose Jacobian is not symmetric, in each of the modes. */
const crossed = (...modes: readonly ("jvp" | "vjp")[]): Program =>
  program(({ input, procedure, derivative }) => {
    const [x, t] = [input("x", [2]), input("t", [2])];
    const body = procedure("crossed", [byValue("v", [2])], (v) => {
      const [first, second] = [value(v).slice(part(0)), value(v).slice(part(1))];
      return [first.multiply(second).concat(second.multiply(second), { axis: 0 })];
    });
    return modes.map((mode) => derivative(body, { mode, of: 0, wrt: 0 }, x, t));
  });

/** Vectors at the limits of statements: the last turn of fuel, conditions near 0, ties, ends of scopes. */
export const edges: readonly StateText[] = [
  vector("fuel_for_the_last_turn 10.2", {
    note: "a loop takes as many turns as it has fuel for, and ends by its condition: that is no error",
    wrong: { last_turn_left_out: { program: countedDown(2, 3), part: "all" } },
    program: countedDown(3, 3),
    parameters: [2],
  }),
  vector("fuel_for_one_turn_less 10.2", {
    note: "a loop that would take a third turn has fuel for two: an error, and no answer",
    wrong: { turn_without_fuel: { program: countedDown(3, 3), part: "all" } },
    program: countedDown(3, 2),
    parameters: [2],
  }),
  vector("condition_of_a_fraction 10.2: branch_decided_again", {
    note: "a half is not 0, so the condition holds; converted to an integer it would not",
    ...inPlace([2], (a, x, { if_, full }) => {
      if_(
        full({ shape: [], value: 0.5 }),
        () => a.update("multiply", x),
        () => a.update("add", 7),
      );
      if_(
        full({ shape: [], value: -0.25 }),
        () => a.update("multiply", 3),
        () => a.update("add", 5),
      );
    }),
  }),
  vector("received_once_from_a_checkpoint 10.6", {
    note: "a checkpointed block receives a factor: computed again, it has the same one and not the next",
    ...wrongly("sweep", "next_is_received", ({ input, buffer, receive }) => {
      const x = input("x", [2]);
      const a = buffer(x);
      receive("in", [2]);
      const next = receive("in", [2]);
      a.update("multiply", next.multiply(x));
      return [a, next];
    }),
    ...onLocation([[2, 5]], (a, x, { receive, checkpoint }) => {
      checkpoint(() => a.update("multiply", receive("in", [2]).multiply(x)));
      return [a, receive("in", [2])];
    }),
    received: { in: numbers("[3, 7], [11, 13]") },
  }),
  vector("no_grad_reaches_into_calls 10.6", {
    note: "a procedure called under no_grad squares its argument in place: what it writes is constant",
    ...wrongly("all", "call_is_differentiated", ({ input, buffer }) => {
      const x = input("x", [2]);
      const a = buffer(x);
      a.update("multiply", a);
      return [a.multiply(x)];
    }),
    ...onLocation([[2, 5]], (a, x, { noGrad, procedure, call }) => {
      const squared = onCallers(procedure, "squared", byReference("r", [2]), (r) => r.update("multiply", r));
      noGrad(() => call(squared, a));
      return [a.multiply(x)];
    }),
  }),
  vector("buffer_of_no_grad_is_constant 10.6", {
    note: "a buffer made under no_grad is a constant copy: read afterwards it hands no gradient back",
    ...wrongly("all", "buffer_is_differentiated", ({ input, buffer }) => {
      const x = input("x", [2]);
      return [buffer(x).multiply(x)];
    }),
    ...asked([[2, 5]], ({ input, buffer, noGrad, procedure, call }) => {
      const x = input("x", [2]);
      const same = procedure("same", [byReference("r", [2])], (r) => [reference(r)]);
      const y = x.multiply(2);
      noGrad(() => {
        const [copy = y] = call(same, buffer(x));
        y.becomes(copy);
      });
      return [y.multiply(x)];
    }),
  }),
  vector("tangents_and_cotangents_of_one_procedure 10.9", {
    note: "a matrix that is not symmetric: what it does to a tangent is not what it does to a cotangent",
    wrong: { modes_swapped: { program: crossed("vjp", "jvp"), part: "all" } },
    program: crossed("jvp", "vjp"),
    parameters: numbers("[2, 5], [3, 7]"),
  }),
  vector("maximum_of_a_location_and_itself 6.5", {
    note: "at a tie of maximum one operand has the cotangent: of two reads of one location both would double it",
    parameters: [[2, 5]],
    ...forked("sweep", "both_have_it", (isWrong, { input, buffer }) => {
      const a = buffer(input("x", [2]));
      a.update(isWrong ? "add" : "maximum", a);
      return [a];
    }),
  }),
  vector("condition_overwritten_before_the_sweep 10.2", {
    note: "the location that decided the branch is 0 when all is done: the sweep goes back the way that was taken",
    wrong: { decided_by_what_is_there_now: { program: decidedBy(false), part: "sweep" } },
    program: decidedBy(true),
    parameters: [5],
  }),
  vector("names_of_a_caller_are_its_own 10.2", {
    note: "a procedure calls itself with n − 1 and then multiplies by its own n + 1: one frame for all has the last n",
    ...wrongly("all", "one_frame_for_all", ({ input, buffer }) => {
      const [a] = [buffer(input("x", [2])), input("n")];
      return [a];
    }),
    ...inPlace([[2, 5], 2], (a, _, { input, procedure, call, if_ }) => {
      const down = procedure(
        "down",
        [byValue("n"), byReference("w", [2])],
        (n, w) => {
          if_(value(n), () => {
            call({ name: "down", results: [] }, value(n).subtract(1), reference(w));
            reference(w).update("multiply", value(n).add(1));
          });
          return [];
        },
        [],
      );
      call(down, input("n"), a);
    }),
  }),
];
