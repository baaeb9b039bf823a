import { program } from "../../spec/programs/index.ts";
import { reference, type StateText } from "./state_text.ts";

const half = { kind: "bernoulli", rate: 0.5 } as const;
const uniform = { kind: "uniform" } as const;
const generator = { key: [7, 11], drawn: 0 } as const;

/** Vectors of random numbers: the sweep uses the run's mask, and the generator counts every draw. */
export const draws: readonly StateText[] = [
  {
    name: "mask_is_saved",
    clause: "10.7",
    note: "x dropped out with a mask of the generator: the sweep uses the mask that was drawn, and draws none",
    faults: ["mask_redrawn", "draw_counts_twice"],
    program: program(({ input, draw }) => [input("x", [8]).multiply(draw(half, [8]))]),
    parameters: [[2, 3, 5, 7, 11, 13, 17, 19]],
    generator,
  },
  {
    name: "two_masks_differ",
    clause: "10.7",
    note: "two draws one after the other are two masks: the second is not the first again",
    faults: ["draws_all_alike", "mask_redrawn"],
    program: program(({ input, draw }) => {
      const x = input("x", [8]);
      const [first, second] = [draw(half, [8]), draw(half, [8])];
      return [x.multiply(first), x.multiply(second)];
    }),
    parameters: [[2, 3, 5, 7, 11, 13, 17, 19]],
    generator,
  },
  {
    name: "masks_of_a_loop",
    clause: "10.7",
    note: "a mask in each of three turns, on a location in place: each turn has its own in the sweep too",
    faults: ["draws_all_alike", "mask_redrawn", "loop_one_turn_short"],
    program: program(({ input, buffer, draw, for_ }) => {
      const a = buffer(input("x", [8]));
      for_(3, () => a.update("multiply", draw({ kind: "bernoulli", rate: 0.25 }, [8]).add(0.5)));
      return [a];
    }),
    parameters: [[2, 3, 5, 7, 11, 13, 17, 19]],
    generator,
  },
  {
    name: "same_key_same_mask",
    clause: "10.7",
    note: "two draws with one key are the same mask, and the generator stays where it is: the third is its first",
    faults: ["key_ignored", "keyed_draw_counts"],
    program: program(({ input, draw }) => {
      const x = input("x", [8]);
      const [first, second] = [draw(half, [8], [3, 4]), draw(half, [8], [3, 4])];
      return [x.multiply(first).multiply(second), x.multiply(draw(half, [8]))];
    }),
    parameters: [[2, 3, 5, 7, 11, 13, 17, 19]],
    generator,
  },
  {
    name: "key_of_the_counter",
    clause: "10.7",
    note: "the key of each turn has the counter in it: a key taken once gives all turns one mask",
    faults: ["counter_is_stale", "key_ignored"],
    program: program(({ input, buffer, draw, for_ }) => {
      const a = buffer(input("x", [8]));
      for_(3, (i) => a.update("multiply", draw(half, [8], [5, i]).add(0.5)));
      return [a];
    }),
    parameters: [[2, 3, 5, 7, 11, 13, 17, 19]],
    generator,
  },
  {
    name: "generator_already_used",
    clause: "10.7",
    note: "the generator has been drawn from 41 times before the call: the next number is its 42nd, and not its first",
    program: program(({ input, draw }) => [input("x", [4]).multiply(draw(uniform, [4]))]),
    parameters: [[2, 3, 5, 7]],
    generator: { key: [7, 11], drawn: 41 },
    faults: ["generator_begins_anew"],
  },
  {
    name: "branch_not_taken_draws_nothing",
    clause: "10.7",
    note: "a draw in a branch that is not taken does not move the generator",
    faults: ["branch_decided_again"],
    program: program(({ input, buffer, draw, if_ }) => {
      const x = input("x", [4]);
      const a = buffer(x);
      if_(input("c"), () => a.update("multiply", draw(uniform, [4])));
      a.update("multiply", draw(uniform, [4]));
      return [a];
    }),
    parameters: [[2, 3, 5, 7], 0],
    generator,
    wrong: {
      both_branches_draw: {
        part: "all",
        program: program(({ input, draw }) => {
          const [x] = [input("x", [4]), input("c")];
          const [, second] = [draw(uniform, [4]), draw(uniform, [4])];
          return [x.multiply(second)];
        }),
      },
    },
  },
  {
    name: "branch_on_a_draw",
    clause: "10.7",
    note: "what was drawn decides the branch: the sweep goes back through that one, and does not toss again",
    faults: ["branch_decided_again", "mask_redrawn"],
    program: program(({ input, buffer, draw, if_, for_ }) => {
      const x = input("x");
      const a = buffer(x);
      for_(5, () =>
        if_(
          draw(half, []),
          () => a.update("multiply", x),
          () => a.update("add", x),
        ),
      );
      return [a];
    }),
    parameters: [2],
    generator,
  },
  {
    name: "mask_under_a_checkpoint",
    clause: "10.6",
    note: "a checkpointed block draws a mask: computed again, it must be the same mask, and the generator moves once",
    faults: ["mask_redrawn", "checkpoint_runs_twice"],
    program: program(({ input, buffer, draw, checkpoint }) => {
      const x = input("x", [8]);
      const a = buffer(x);
      checkpoint(() => {
        a.update("multiply", draw(half, [8]));
        a.update("multiply", x);
      });
      return [a, x.multiply(draw(half, [8]))];
    }),
    parameters: [[2, 3, 5, 7, 11, 13, 17, 19]],
    generator,
  },
  {
    name: "mask_in_a_procedure",
    clause: "10.7",
    note: "a procedure that drops out its argument in place is called twice: the generator goes on between the calls",
    faults: ["draws_all_alike", "reference_parameter_is_copied", "mask_redrawn"],
    program: program(({ input, buffer, draw, procedure, call }) => {
      const dropout = procedure("dropout", [{ name: "a", kind: "reference", shape: [8] }], (a) => {
        reference(a).update("multiply", draw({ kind: "bernoulli", rate: 0.25 }, [8]));
        return [];
      });
      const a = buffer(input("x", [8]));
      call(dropout, a);
      call(dropout, a);
      return [a];
    }),
    parameters: [[2, 3, 5, 7, 11, 13, 17, 19]],
    generator,
  },
  {
    name: "generator_goes_on_between_calls",
    clause: "10.10",
    note: "three calls of a session draw three different masks: the second begins where the first ended",
    faults: ["generator_not_carried", "mask_redrawn"],
    program: program(({ input, draw }) => [input("x", [8]).multiply(draw(half, [8]))]),
    parameters: [[2, 3, 5, 7, 11, 13, 17, 19]],
    calls: [{ parameters: [[2, 3, 5, 7, 11, 13, 17, 19]] }, { parameters: [[2, 3, 5, 7, 11, 13, 17, 19]] }],
    generator,
  },
];
