import { numbers } from "./case_text.ts";
import { asked, forked, inPlace, onLocation, overRow, type StateText, vector } from "./state_text.ts";

/** Vectors of channels to the world outside, and of state that lives on from call to call. */
export const sessions: readonly StateText[] = [
  vector("sent_in_order 10.2: sent_backwards send_lost", {
    note: "a location is sent, overwritten, and sent again: each time what it was then, in that order",
    ...inPlace([[2, 5]], (a, _, { send }) => {
      send("log", a);
      a.update("multiply", a);
      send("log", a);
    }),
  }),
  vector("sent_once_from_a_checkpoint 10.6: checkpoint_runs_twice send_lost", {
    note: "a checkpointed block sends: computed again for the sweep, it must not send again",
    ...inPlace([[2, 5]], (a, x, { send, checkpoint }) =>
      checkpoint(() => {
        const h = x.multiply(x);
        send("log", h);
        a.write(h.multiply(x));
      }),
    ),
  }),
  vector("sent_in_each_turn 10.2: loop_one_turn_short counter_is_stale sent_backwards", {
    note: "each of three turns sends its element, on two channels in turn",
    ...inPlace([[2, 3, 5]], (a, _, { send, for_ }) =>
      for_(3, (i) => {
        send("even", a.at(i));
        a.at(i).update("multiply", a.at(i));
        send("odd", a.at(i));
      }),
    ),
  }),
  vector("sent_without_gradient 10.6: send_lost no_grad_ignored", {
    note: "under no_grad things are sent all the same",
    ...onLocation([[2, 5]], (a, x, { send, noGrad }) => {
      noGrad(() => {
        a.update("multiply", x);
        send("log", a);
      });
      return [a.multiply(x)];
    }),
  }),
  vector("received_in_order 10.2: received_again", {
    note: "two tensors come on one channel: the first for the first read, the second for the second",
    ...asked([[2, 5]], ({ input, receive }) => {
      const x = input("x", [2]);
      const [first, second] = [receive("in", [2]), receive("in", [2])];
      return [x.multiply(first), x.multiply(second)];
    }),
    received: { in: numbers("[3, 7], [11, 13]") },
  }),
  vector("received_is_constant 10.7: received_again_in_the_sweep", {
    note: "what comes from outside is constant, and received once: in the sweep it is the same, not the next",
    ...inPlace([2], (a, x, { receive, for_ }) =>
      for_(3, () => {
        a.update("multiply", receive("in", []));
        a.update("multiply", x);
      }),
    ),
    received: { in: [3, 5, 0.5] },
  }),
  vector("nothing_more_is_received 10.2: world_gives_zeros", {
    note: "the world has one tensor, and the program wants two: no number may be made up for the second",
    ...asked([[2, 5]], ({ input, receive }) => {
      const x = input("x", [2]);
      return [x.multiply(receive("in", [2])).add(receive("in", [2]))];
    }),
    received: { in: [[3, 7]] },
  }),
  vector("running_total 10.10: state_not_carried call_runs_twice update_replaces", {
    note: "a persistent location has the sum of all calls, and each call’s gradient is its own",
    ...asked([[2, 3]], ({ input, state }) => {
      const total = state("total", [2]);
      total.update("add", input("x", [2]));
      return [total.multiply(total)];
    }),
    state: [[1, 1]],
    calls: [{ parameters: [[5, 7]] }, { parameters: [[11, 13]] }],
  }),
  vector("gradient_of_what_was_there_before 10.4: gradient_of_state_lost saved_value_not_kept", {
    note: "the persistent location is an input as it was before the call: s · x has the gradient x for it",
    ...asked([[2, 3]], ({ input, state }) => {
      const x = input("x", [2]);
      const s = state("s", [2]);
      const y = s.multiply(x);
      s.write(y);
      return [s.multiply(x)];
    }),
    state: [[5, 7]],
    calls: [{ parameters: [[11, 13]] }],
  }),
  vector("sweep_leaves_the_state 10.10: call_runs_twice state_not_carried", {
    note: "the sweep of the first call changes nothing that the second call finds",
    ...asked([[2, 4]], ({ input, state, checkpoint }) => {
      const x = input("x", [2]);
      const mean = state("mean");
      checkpoint(() => {
        mean.update("multiply", 0.5);
        mean.update("add", x.mean(overRow).multiply(0.5).detach());
      });
      return [x.multiply(mean)];
    }),
    state: [1],
    calls: [{ parameters: [[6, 2]] }, { parameters: [[3, 3]] }],
  }),
  vector("call_that_is_not_swept 10.10: state_not_carried", {
    note: "a call without cotangents between two with: it changes the state as any other, and leaves no tape behind",
    ...asked([3], ({ input, state }) => {
      const s = state("s");
      s.update("multiply", input("x"));
      return [s.multiply(s)];
    }),
    state: [2],
    calls: [{ parameters: [5], seeds: [] }, { parameters: [0.5] }],
  }),
  vector("two_locations_change_places 10.10: state_not_carried read_is_a_view", {
    note: "two persistent locations exchange their contents in each call, by way of a value",
    ...asked([3], ({ input, state }) => {
      const x = input("x");
      const [a, b] = [state("a"), state("b")];
      const old = a.read();
      a.write(b.multiply(x));
      b.write(old);
      return [a.multiply(b)];
    }),
    state: [2, 5],
    calls: [{ parameters: [0.5] }],
  }),
  vector("persistent_row_by_a_view 10.10: view_is_a_copy state_not_carried write_through_view_lost", {
    note: "one row of a persistent matrix is written through a view in each call: the other rows stay",
    ...asked([[2, 3]], ({ input, state }) => {
      const x = input("x", [2]);
      const s = state("s", [2, 2]);
      s.at(1).update("add", x.multiply(s.at(0)));
      return [s.view({ kind: "permute", axes: [1, 0] })];
    }),
    state: numbers("[[5, 7], [1, 1]]"),
    calls: [{ parameters: [[3, 0.5]] }],
  }),
  vector("location_ends_with_its_call 10.10", {
    note: "a location that a call makes is a new one in the next call, though it has the same name",
    parameters: [[2, 3]],
    ...forked("all", "location_outlives_its_call", (isWrong, { input, buffer }) => {
      const x = input("x", [2]);
      const a = buffer(isWrong ? 2 : 1);
      const wide = buffer(x);
      wide.update("add", a);
      a.update("add", 1);
      return [wide.multiply(a)];
    }),
    calls: [{ parameters: [[5, 7]] }],
  }),
  vector("refused_in_the_second_call 10.10: fuel_ignored", {
    note: "the first call is in order, and takes the state beyond the bound: the loop of the second finds no end",
    ...asked([2], ({ input, buffer, state, while_ }) => {
      const x = input("x");
      const s = state("s");
      const isAbove = buffer(x.less(s));
      while_(isAbove, 3, () => {
        s.update("subtract", x);
        isAbove.write(x.less(s));
      });
      const left = s.add(x);
      s.update("add", 20);
      return [left];
    }),
    state: [5],
    calls: [{ parameters: [0.5] }],
  }),
];
