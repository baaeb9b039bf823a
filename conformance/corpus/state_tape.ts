import { numbers } from "./case_text.ts";
import { asked, inPlace, onLocation, type StateText, vector, wrongly } from "./state_text.ts";

/** Vectors of what programs tell a tape: checkpoint, detach, no gradient, retain, release. */
export const tape: readonly StateText[] = [
  vector("checkpoint_changes_no_value 10.6: written_gradient_lost", {
    note: "a checkpointed block of two steps: what is computed again is computed from its first step on",
    ...asked([[0.5, -1]], ({ input, buffer, checkpoint }) => {
      const x = input("x", [2]);
      const h = buffer(x);
      checkpoint(() => h.write(x.exp().multiply(x)));
      return [h.multiply(x)];
    }),
  }),
  vector("checkpoint_of_what_is_overwritten 10.6: saved_value_not_kept", {
    note: "the block reads a location that is overwritten behind it: computed again from there, it is another value",
    ...onLocation([[2, 5]], (a, _, { buffer, checkpoint }) => {
      const h = buffer(a);
      checkpoint(() => h.write(a.multiply(a)));
      a.update("add", 1);
      return [h, a];
    }),
  }),
  vector("checkpoint_in_a_loop 10.6: saved_value_not_kept loop_one_turn_short checkpoint_runs_twice", {
    note: "three checkpointed steps in place: each is computed again from what the one before had left",
    ...inPlace(numbers("[2, 5], [3, 0.5]"), (a, x, { input, checkpoint, for_ }) => {
      const y = input("y", [2]);
      for_(3, () =>
        checkpoint(() => {
          a.update("multiply", y);
          a.update("add", x);
        }),
      );
    }),
  }),
  vector("checkpoint_within_a_checkpoint 10.6: checkpoint_runs_twice saved_value_not_kept", {
    note: "a block within a block: the inner one is computed again once for the outer one, and no write happens twice",
    ...asked([[2, 3]], ({ input, buffer, state, checkpoint }) => {
      const total = state("total", [2]);
      const a = buffer(input("x", [2]));
      checkpoint(() => {
        a.update("multiply", a);
        checkpoint(() => {
          a.update("multiply", a);
          total.update("add", a);
        });
      });
      return [a];
    }),
    state: [[1, 1]],
  }),
  vector("detached_value 10.6: detach_ignored", {
    note: "x · stop(x): one factor is constant, and the gradient is x and not 2x",
    ...asked([[2, 5]], ({ input }) => {
      const x = input("x", [2]);
      return [x.multiply(x.detach())];
    }),
  }),
  vector("write_through_a_detached_view 10.6: detach_ignored detach_is_a_copy", {
    note: "what is written through a detached reference is in the location, and constant: x has no gradient by it",
    ...onLocation([[2, 5], 3], (a, _, { input }) => {
      const y = input("y");
      a.detached().at(0).write(y);
      return [a.multiply(a)];
    }),
  }),
  vector("saved_and_written_past_the_check 10.5 E02: saved_value_not_kept detach_is_a_copy", {
    note: "a · a saves [3, 4], and a detached alias adds 1 to the first: [6, 8]; who has another count for the alias answers [8, 8]",
    ...onLocation([[3, 4]], (a) => {
      const y = a.multiply(a);
      a.detached().at(0).update("add", 1);
      return [y, a.detached().read()];
    }),
    probe: {
      right: { results: numbers("[9, 16], [4, 4]"), cotangents: [[6, 8]] },
      wrong: { cotangents: [[8, 8]] },
    },
  }),
  vector("read_through_a_detached_view 10.6: detach_ignored detach_is_a_copy", {
    note: "what is read through a detached reference is constant, after a write to the location too",
    ...onLocation([[2, 5]], (a, x) => {
      const quiet = a.detached();
      a.update("multiply", x);
      return [quiet.multiply(x)];
    }),
  }),
  vector("step_without_gradient 10.6: no_grad_ignored no_grad_writes_lost", {
    note: "a step of descent in place under no_grad: the location changes, and is constant from then on",
    ...onLocation(numbers("[2, 5], [3, 7]"), (a, x, { input, noGrad }) => {
      const g = input("g", [2]);
      noGrad(() => a.update("subtract", g.multiply(0.5)));
      return [a.multiply(x)];
    }),
  }),
  vector("one_element_without_gradient 10.6", {
    note: "one element is overwritten under no_grad and is constant; the other keeps its gradient",
    faults: ["no_grad_ignored", "no_grad_writes_lost", "rest_of_location_cut", "view_is_a_copy"],
    ...onLocation([[2, 5], 3], (a, x, { input, noGrad }) => {
      const y = input("y");
      noGrad(() => a.at(1).write(y.multiply(y)));
      return [a.multiply(x)];
    }),
  }),
  vector("without_gradient_in_every_other_turn 10.6", {
    note: "the first of two writes of each turn is under no_grad: it ends what came before it, and the second begins anew",
    faults: ["no_grad_ignored", "no_grad_writes_lost", "loop_one_turn_short"],
    ...inPlace([[2, 5]], (a, x, { noGrad, for_ }) =>
      for_(2, () => {
        noGrad(() => a.update("multiply", x));
        a.update("multiply", x);
      }),
    ),
  }),
  vector("saved_and_written_without_gradient 10.5: saved_value_not_kept no_grad_writes_lost", {
    note: "a · a saves a, and a is overwritten under no_grad: the square needs it as it was, whoever looks away",
    ...onLocation([[2, 5]], (a, _, { noGrad }) => {
      const y = a.multiply(a);
      noGrad(() => a.write(0));
      return [y, a.add(1)];
    }),
  }),
  vector("value_retained 10.6: retained_at_the_end", {
    note: "the cotangent of h = x · x within x · x · y is asked for, too; of h as it was then, and not as it ends",
    ...asked(numbers("[2, 5], [3, 7]"), ({ input }) => {
      const [x, y] = [input("x", [2]), input("y", [2])];
      const h = x.multiply(x);
      h.retain();
      h.becomes(h.multiply(y));
      return [h];
    }),
  }),
  vector("value_retained_in_each_turn 10.6: loop_one_turn_short retained_is_the_last retained_backwards", {
    note: "a value is retained in each of three turns: three cotangents, in the order of the turns",
    ...asked([2], ({ input, for_ }) => {
      const x = input("x");
      const h = x.add(1);
      for_(3, () => {
        h.becomes(h.multiply(x));
        h.retain();
      });
      return [h];
    }),
  }),
  vector("released_when_nobody_reads 10.6", {
    note: "a · a saved a, and a is released: the sweep still needs what it saved",
    ...onLocation([[2, 5]], (a) => {
      const y = a.multiply(a);
      a.release();
      return [y];
    }),
    ...wrongly("sweep", "released_value_is_zero", ({ input, buffer }) => {
      const x = input("x", [2]);
      const a = buffer(x.multiply(0));
      return [a.multiply(a)];
    }),
  }),
  vector("read_after_release 10.6: release_ignored", {
    note: "a location is read that was released: whatever stands there by now is no answer",
    ...onLocation([[2, 5]], (a) => {
      const y = a.multiply(a);
      a.release();
      return [y.add(a)];
    }),
  }),
  vector("write_after_release 10.6: release_ignored", {
    note: "a location is written that was released: it may be somebody else’s by now",
    ...onLocation([[2, 5]], (a) => {
      const y = a.multiply(a);
      a.release();
      a.write(0);
      return [y];
    }),
  }),
  vector("view_of_what_was_released 10.6: release_ignored view_is_a_copy", {
    note: "a location is released, and read through a view that was made before: the view is of the same location",
    ...onLocation([[2, 5]], (a) => {
      const first = a.at(0);
      a.release();
      return [first.multiply(2)];
    }),
  }),
];
