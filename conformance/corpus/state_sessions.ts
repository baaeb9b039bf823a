import { program } from "../../spec/programs/index.ts";
import type { StateText } from "./state_text.ts";

/** Vectors of channels to the world outside, and of state that lives on from call to call. */
export const sessions: readonly StateText[] = [
  {
    name: "sent_in_order",
    clause: "10.2",
    note: "a location is sent, overwritten, and sent again: each time what it was then, in that order",
    faults: ["sent_backwards", "send_lost"],
    program: program(({ input, buffer, send }) => {
      const a = buffer(input("x", [2]));
      send("log", a);
      a.update("multiply", a);
      send("log", a);
      return [a];
    }),
    parameters: [[2, 5]],
  },
  {
    name: "sent_once_from_a_checkpoint",
    clause: "10.6",
    note: "a checkpointed block sends: computed again for the sweep, it must not send again",
    faults: ["checkpoint_runs_twice", "send_lost"],
    program: program(({ input, buffer, send, checkpoint }) => {
      const x = input("x", [2]);
      const a = buffer(x);
      checkpoint(() => {
        const h = x.multiply(x);
        send("log", h);
        a.write(h.multiply(x));
      });
      return [a];
    }),
    parameters: [[2, 5]],
  },
  {
    name: "sent_in_each_turn",
    clause: "10.2",
    note: "each of three turns sends its element, on two channels in turn",
    faults: ["loop_one_turn_short", "counter_is_stale", "sent_backwards"],
    program: program(({ input, buffer, send, for_ }) => {
      const a = buffer(input("x", [3]));
      for_(3, (i) => {
        send("even", a.at(i));
        a.at(i).update("multiply", a.at(i));
        send("odd", a.at(i));
      });
      return [a];
    }),
    parameters: [[2, 3, 5]],
  },
  {
    name: "sent_without_gradient",
    clause: "10.6",
    note: "under no_grad things are sent all the same",
    faults: ["send_lost", "no_grad_ignored"],
    program: program(({ input, buffer, send, noGrad }) => {
      const x = input("x", [2]);
      const a = buffer(x);
      noGrad(() => {
        a.update("multiply", x);
        send("log", a);
      });
      return [a.multiply(x)];
    }),
    parameters: [[2, 5]],
  },
  {
    name: "received_in_order",
    clause: "10.2",
    note: "two tensors come on one channel: the first for the first read, the second for the second",
    faults: ["received_again"],
    program: program(({ input, receive }) => {
      const x = input("x", [2]);
      const [first, second] = [receive("in", [2]), receive("in", [2])];
      return [x.multiply(first), x.multiply(second)];
    }),
    parameters: [[2, 5]],
    received: {
      in: [
        [3, 7],
        [11, 13],
      ],
    },
  },
  {
    name: "received_is_constant",
    clause: "10.7",
    note: "what comes from outside is constant, and received once: in the sweep it is the same, not the next",
    faults: ["received_again_in_the_sweep"],
    program: program(({ input, buffer, receive, for_ }) => {
      const x = input("x");
      const a = buffer(x);
      for_(3, () => {
        a.update("multiply", receive("in", []));
        a.update("multiply", x);
      });
      return [a];
    }),
    parameters: [2],
    received: { in: [3, 5, 0.5] },
  },
  {
    name: "nothing_more_is_received",
    clause: "10.2",
    note: "the world has one tensor, and the program wants two: no number may be made up for the second",
    faults: ["world_gives_zeros"],
    program: program(({ input, receive }) => {
      const x = input("x", [2]);
      return [x.multiply(receive("in", [2])).add(receive("in", [2]))];
    }),
    parameters: [[2, 5]],
    received: { in: [[3, 7]] },
  },
  {
    name: "running_total",
    clause: "10.10",
    note: "a persistent location has the sum of all calls, and each call’s gradient is its own",
    faults: ["state_not_carried", "call_runs_twice", "update_replaces"],
    program: program(({ input, state }) => {
      const total = state("total", [2]);
      total.update("add", input("x", [2]));
      return [total.multiply(total)];
    }),
    parameters: [[2, 3]],
    state: [[1, 1]],
    calls: [{ parameters: [[5, 7]] }, { parameters: [[11, 13]] }],
  },
  {
    name: "gradient_of_what_was_there_before",
    clause: "10.4",
    note: "the persistent location is an input as it was before the call: s · x has the gradient x for it",
    faults: ["gradient_of_state_lost", "saved_value_not_kept"],
    program: program(({ input, state }) => {
      const x = input("x", [2]);
      const s = state("s", [2]);
      const y = s.multiply(x);
      s.write(y);
      return [s.multiply(x)];
    }),
    parameters: [[2, 3]],
    state: [[5, 7]],
    calls: [{ parameters: [[11, 13]] }],
  },
  {
    name: "sweep_leaves_the_state",
    clause: "10.10",
    note: "the sweep of the first call changes nothing that the second call finds",
    faults: ["call_runs_twice", "state_not_carried"],
    program: program(({ input, state, checkpoint }) => {
      const x = input("x", [2]);
      const mean = state("mean");
      checkpoint(() => {
        mean.update("multiply", 0.5);
        mean.update(
          "add",
          x
            .mean({ axes: [0], keepdims: false })
            .multiply(0.5)
            .detach(),
        );
      });
      return [x.multiply(mean)];
    }),
    parameters: [[2, 4]],
    state: [1],
    calls: [{ parameters: [[6, 2]] }, { parameters: [[3, 3]] }],
  },
  {
    name: "call_that_is_not_swept",
    clause: "10.10",
    note: "a call without cotangents between two with: it changes the state as any other, and leaves no tape behind",
    faults: ["state_not_carried"],
    program: program(({ input, state }) => {
      const s = state("s");
      s.update("multiply", input("x"));
      return [s.multiply(s)];
    }),
    parameters: [3],
    state: [2],
    calls: [{ parameters: [5], seeds: [] }, { parameters: [0.5] }],
  },
  {
    name: "two_locations_change_places",
    clause: "10.10",
    note: "two persistent locations exchange their contents in each call, by way of a value",
    faults: ["state_not_carried", "read_is_a_view"],
    program: program(({ input, state }) => {
      const x = input("x");
      const [a, b] = [state("a"), state("b")];
      const old = a.read();
      a.write(b.multiply(x));
      b.write(old);
      return [a.multiply(b)];
    }),
    parameters: [3],
    state: [2, 5],
    calls: [{ parameters: [0.5] }],
  },
  {
    name: "persistent_row_by_a_view",
    clause: "10.10",
    note: "one row of a persistent matrix is written through a view in each call: the other rows stay",
    faults: ["view_is_a_copy", "state_not_carried", "write_through_view_lost"],
    program: program(({ input, state }) => {
      const x = input("x", [2]);
      const s = state("s", [2, 2]);
      s.at(1).update("add", x.multiply(s.at(0)));
      return [s.view({ kind: "permute", axes: [1, 0] })];
    }),
    parameters: [[2, 3]],
    state: [
      [
        [5, 7],
        [1, 1],
      ],
    ],
    calls: [{ parameters: [[3, 0.5]] }],
  },
  {
    name: "location_ends_with_its_call",
    clause: "10.10",
    note: "a location that a call makes is a new one in the next call, though it has the same name",
    program: program(({ input, buffer }) => {
      const x = input("x", [2]);
      const a = buffer(1);
      const wide = buffer(x);
      wide.update("add", a);
      a.update("add", 1);
      return [wide.multiply(a)];
    }),
    parameters: [[2, 3]],
    calls: [{ parameters: [[5, 7]] }],
    wrong: {
      location_outlives_its_call: {
        part: "all",
        program: program(({ input, buffer }) => {
          const x = input("x", [2]);
          const a = buffer(2);
          const wide = buffer(x);
          wide.update("add", a);
          a.update("add", 1);
          return [wide.multiply(a)];
        }),
      },
    },
  },
  {
    name: "refused_in_the_second_call",
    clause: "10.10",
    note: "the first call is in order, and takes the state beyond the bound: the loop of the second finds no end",
    faults: ["fuel_ignored"],
    program: program(({ input, buffer, state, while_ }) => {
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
    parameters: [2],
    state: [5],
    calls: [{ parameters: [0.5] }],
  },
];
