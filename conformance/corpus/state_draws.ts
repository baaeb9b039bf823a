import {
  asked,
  byReference,
  forked,
  inPlace,
  onCallers,
  onLocation,
  type StateText,
  vector,
} from "./state_text.ts";

const half = { kind: "bernoulli", rate: 0.5 } as const;
const uniform = { kind: "uniform" } as const;
const eight = [[2, 3, 5, 7, 11, 13, 17, 19]];
const generator = { key: [7, 11], drawn: 0 } as const;

/** Multiplies eight numbers by a mask. */
const masked = asked(eight, ({ input, draw }) => [input("x", [8]).multiply(draw(half, [8]))]);

const vectors: readonly StateText[] = [
  vector("mask_is_saved 10.7: mask_redrawn draw_counts_twice", {
    note: "x dropped out with a mask of the generator: the sweep uses the mask that was drawn, and draws none",
    ...masked,
  }),
  vector("two_masks_differ 10.7: draws_all_alike mask_redrawn", {
    note: "two draws one after the other are two masks: the second is not the first again",
    ...asked(eight, ({ input, draw }) => {
      const x = input("x", [8]);
      const [first, second] = [draw(half, [8]), draw(half, [8])];
      return [x.multiply(first), x.multiply(second)];
    }),
  }),
  vector("masks_of_a_loop 10.7: draws_all_alike mask_redrawn loop_one_turn_short", {
    note: "a mask in each of three turns, on a location in place: each turn has its own in the sweep too",
    ...inPlace(eight, (a, _, { draw, for_ }) =>
      for_(3, () => a.update("multiply", draw({ kind: "bernoulli", rate: 0.25 }, [8]).add(0.5))),
    ),
  }),
  vector("same_key_same_mask 10.7: key_ignored keyed_draw_counts", {
    note: "two draws with one key are the same mask, and the generator stays where it is: the third is its first",
    ...asked(eight, ({ input, draw }) => {
      const x = input("x", [8]);
      const [first, second] = [draw(half, [8], [3, 4]), draw(half, [8], [3, 4])];
      return [x.multiply(first).multiply(second), x.multiply(draw(half, [8]))];
    }),
  }),
  vector("key_of_the_counter 10.7: counter_is_stale key_ignored", {
    note: "the key of each turn has the counter in it: a key taken once gives all turns one mask",
    ...inPlace(eight, (a, _, { draw, for_ }) =>
      for_(3, (i) => a.update("multiply", draw(half, [8], [5, i]).add(0.5))),
    ),
  }),
  vector("generator_already_used 10.7: generator_begins_anew", {
    note: "the generator has been drawn from 41 times before the call: the next number is its 42nd, and not its first",
    ...asked([[2, 3, 5, 7]], ({ input, draw }) => [input("x", [4]).multiply(draw(uniform, [4]))]),
    generator: { key: [7, 11], drawn: 41 },
  }),
  vector("branch_not_taken_draws_nothing 10.7: branch_decided_again", {
    note: "a draw in a branch that is not taken does not move the generator",
    parameters: [[2, 3, 5, 7], 0],
    ...forked("all", "both_branches_draw", (isWrong, { input, buffer, draw, if_ }) => {
      const [x, c] = [input("x", [4]), input("c")];
      const a = buffer(x);
      if (isWrong) draw(uniform, [4]);
      else if_(c, () => a.update("multiply", draw(uniform, [4])));
      a.update("multiply", draw(uniform, [4]));
      return [a];
    }),
  }),
  vector("branch_on_a_draw 10.7: branch_decided_again mask_redrawn", {
    note: "what was drawn decides the branch: the sweep goes back through that one, and does not toss again",
    ...inPlace([2], (a, x, { draw, if_, for_ }) =>
      for_(5, () =>
        if_(
          draw(half, []),
          () => a.update("multiply", x),
          () => a.update("add", x),
        ),
      ),
    ),
  }),
  vector("mask_under_a_checkpoint 10.6: mask_redrawn checkpoint_runs_twice", {
    note: "a checkpointed block draws a mask: computed again, it must be the same mask, and the generator moves once",
    ...onLocation(eight, (a, x, { draw, checkpoint }) => {
      checkpoint(() => {
        a.update("multiply", draw(half, [8]));
        a.update("multiply", x);
      });
      return [a, x.multiply(draw(half, [8]))];
    }),
  }),
  vector("mask_in_a_procedure 10.7: draws_all_alike reference_parameter_is_copied mask_redrawn", {
    note: "a procedure that drops out its argument in place is called twice: the generator goes on between the calls",
    ...asked(eight, ({ input, buffer, draw, procedure, call }) => {
      const dropout = onCallers(procedure, "dropout", byReference("a", [8]), (a) => {
        a.update("multiply", draw({ kind: "bernoulli", rate: 0.25 }, [8]));
      });
      const a = buffer(input("x", [8]));
      call(dropout, a);
      call(dropout, a);
      return [a];
    }),
  }),
  vector("generator_goes_on_between_calls 10.10: generator_not_carried mask_redrawn", {
    note: "three calls of a session draw three different masks: the second begins where the first ended",
    ...masked,
    calls: [{ parameters: eight }, { parameters: eight }],
  }),
];

/** Vectors of random numbers: the sweep uses the run's mask, and the generator counts every draw. */
export const draws: readonly StateText[] = vectors.map((text) => ({ generator, ...text }));
