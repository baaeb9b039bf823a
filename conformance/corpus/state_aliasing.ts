import { program, updates } from "../../spec/programs/index.ts";
import type { StateText } from "./state_text.ts";

const front = { kind: "slice", starts: [0], sizes: [2], steps: [1] } as const;
const back = { kind: "slice", starts: [1], sizes: [2], steps: [1] } as const;

const ownRule = {
  refuse: "may",
  why: "our rule reads no operand that is overwritten; one that does is as good, and has a reason to refuse",
} as const;

const overlapping = {
  refuse: "may",
  why: "who cannot read all of an overlapping operand before it writes had better refuse",
} as const;

/** Vectors of every `update` operator in place: some rules read what the update overwrites, some nothing. */
const everyUpdate: readonly StateText[] = updates.map((op) => ({
  name: `update_${op}`,
  clause: "10.2",
  note: `a = a ${op} y in place, then a · a: the rule of ${op} and the square need what each of them read`,
  faults: ["update_replaces", "written_gradient_lost"],
  program: program(({ input, buffer }) => {
    const [x, y] = [input("x", [2]), input("y", [2])];
    const a = buffer(x.multiply(x));
    a.update(op, y);
    return [a.multiply(a)];
  }),
  parameters: [
    [2, 3],
    [5, 7],
  ],
  ...(op === "divide" || op === "minimum" ? ownRule : {}),
}));

/** Vectors of one location under many names: what is overwritten, what is kept, and who sees it. */
export const aliasing: readonly StateText[] = [
  {
    name: "square_in_place",
    clause: "10.5",
    defects: ["E01"],
    note: "y = a · a saves a = 3, then a = a + 1: the gradient is 2 · 3 = 6; by the new value it is 2 · 4 = 8",
    faults: ["saved_value_not_kept"],
    program: program(({ input, buffer }) => {
      const a = buffer(input("x"));
      const y = a.multiply(a);
      a.update("add", 1);
      return [y];
    }),
    parameters: [3],
    probe: { right: { cotangents: [6] }, wrong: { cotangents: [8] } },
  },
  {
    name: "square_overwritten_by_itself",
    clause: "10.5",
    note: "a = a · a, then a = a + 1, in place at 3: each write makes a new value, and 2 · 3 = 6 is of the old one; of the last, 20",
    faults: ["saved_value_not_kept", "rest_of_location_cut"],
    program: program(({ input, buffer }) => {
      const x = input("x", [1]);
      const a = buffer(x);
      a.update("multiply", a);
      const whole = a.view({ kind: "slice", starts: [0], sizes: [1], steps: [1] });
      whole.update("add", 1);
      return [a];
    }),
    parameters: [[3]],
    probe: { right: { cotangents: [[6]] }, wrong: { cotangents: [[20]] } },
  },
  {
    name: "element_in_place",
    clause: "10.5",
    note: "y = a · a at [3, 4], then a[0] = a[0] + 1, z = a + y: [7, 9]; with the new a[0], [9, 9]",
    faults: ["saved_value_not_kept", "view_is_a_copy", "write_through_view_lost"],
    program: program(({ input, buffer }) => {
      const a = buffer(input("x", [2]));
      const y = a.multiply(a);
      a.at(0).update("add", 1);
      return [a.add(y)];
    }),
    parameters: [[3, 4]],
    probe: { right: { cotangents: [[7, 9]] }, wrong: { cotangents: [[9, 9]] } },
  },
  {
    name: "relu_in_place",
    clause: "10.5",
    note: "a ← relu a at [−3, 4]: [0, 1]; the rule reads the operand, which is overwritten, or the value, which is as good",
    faults: ["overwritten_gradient_kept", "written_gradient_lost"],
    program: program(({ input, buffer }) => {
      const a = buffer(input("x", [2]));
      a.write(a.relu());
      return [a];
    }),
    probe: { right: { results: [[0, 4]], cotangents: [[0, 1]] } },
    parameters: [[-3, 4]],
  },
  {
    name: "exponential_overwritten",
    ...ownRule,
    clause: "10.5",
    note: "a ← exp a, then a ← a + x: an engine that keeps the value of exp where a lies loses it",
    faults: ["overwritten_gradient_kept", "written_gradient_lost"],
    program: program(({ input, buffer }) => {
      const x = input("x", [2]);
      const a = buffer(x);
      a.write(a.exp());
      a.update("add", x);
      return [a];
    }),
    parameters: [[0.5, -1]],
  },
  {
    name: "write_beside_what_is_saved",
    clause: "10.5",
    note: "a[1] · a[1] saves one element, and the other is overwritten: nobody needs to refuse, and one number for a whole location does",
    faults: ["view_is_a_copy", "rest_of_location_cut"],
    program: program(({ input, buffer }) => {
      const a = buffer(input("x", [2]));
      const y = a.at(1).multiply(a.at(1));
      a.at(0).write(y);
      return [a, y];
    }),
    parameters: [[3, 4]],
  },
  {
    name: "write_over_what_no_rule_reads",
    clause: "10.5",
    note: "a + a reads a, and its rule reads nothing: a may be overwritten",
    faults: ["overwritten_gradient_kept", "read_is_a_view"],
    program: program(({ input, buffer }) => {
      const a = buffer(input("x", [2]));
      const y = a.add(a);
      const old = a.read();
      a.write(y);
      return [a, old.negative()];
    }),
    parameters: [[3, 4]],
  },
  {
    name: "old_and_new_multiplied",
    clause: "10.2",
    note: "old · new, where old was read before the write: a name for what was read is no name for the location",
    faults: ["read_is_a_view"],
    program: program(({ input, buffer }) => {
      const a = buffer(input("x", [2]));
      const old = a.read();
      a.update("multiply", 3);
      return [old.multiply(a)];
    }),
    parameters: [[2, 5]],
  },
  {
    name: "two_views_written_in_turn",
    clause: "10.3",
    note: "two overlapping views of one location are written in turn: the middle element is written twice, and the last write has it",
    faults: ["view_is_a_copy", "overwritten_gradient_kept", "written_gradient_lost"],
    program: program(({ input, buffer }) => {
      const [x, y, z] = [input("x", [3]), input("y", [2]), input("z", [2])];
      const a = buffer(x);
      const [left, right] = [a.view(front), a.view(back)];
      left.write(y.multiply(y));
      right.update("multiply", z);
      return [a];
    }),
    parameters: [
      [2, 3, 4],
      [5, 6],
      [7, 8],
    ],
  },
  {
    name: "through_one_view_to_the_other",
    clause: "10.3",
    note: "what is written through one view is read through another, and its gradient comes that way",
    faults: ["view_is_a_copy", "written_gradient_lost"],
    program: program(({ input, buffer }) => {
      const [x, y] = [input("x", [3]), input("y", [2])];
      const a = buffer(x);
      const [left, right] = [a.view(front), a.view(back)];
      left.write(y);
      return [right.multiply(right)];
    }),
    parameters: [
      [2, 3, 4],
      [5, 7],
    ],
  },
  {
    name: "shifted_right",
    ...overlapping,
    clause: "10.3",
    note: "a[1:] ← a[:2] reads all before it writes anything: [2, 2, 3]; element by element it is [2, 2, 2]",
    faults: ["view_is_a_copy"],
    program: program(({ input, buffer }) => {
      const a = buffer(input("x", [3]));
      a.view(back).write(a.view(front));
      return [a];
    }),
    parameters: [[2, 3, 4]],
    wrong: {
      overlap_read_while_written: {
        part: "all",
        program: program(({ input, buffer }) => {
          const a = buffer(input("x", [3]));
          a.at(1).write(a.at(0));
          a.at(2).write(a.at(1));
          return [a];
        }),
      },
    },
    probe: { right: { results: [[2, 2, 3]] }, wrong: { results: [[2, 2, 2]] } },
  },
  {
    name: "shifted_left_and_added",
    ...overlapping,
    clause: "10.3",
    note: "a[:2] += a[1:] at [2, 3, 4] is [5, 7, 4]; from the back, with what was just written, [9, 7, 4]",
    faults: ["view_is_a_copy", "update_replaces"],
    program: program(({ input, buffer }) => {
      const a = buffer(input("x", [3]));
      a.view(front).update("add", a.view(back));
      return [a];
    }),
    parameters: [[2, 3, 4]],
    wrong: {
      overlap_read_while_written: {
        part: "all",
        program: program(({ input, buffer }) => {
          const a = buffer(input("x", [3]));
          a.at(1).update("add", a.at(2));
          a.at(0).update("add", a.at(1));
          return [a];
        }),
      },
    },
    probe: { right: { results: [[5, 7, 4]] }, wrong: { results: [[9, 7, 4]] } },
  },
  {
    name: "multiplied_by_its_neighbour",
    clause: "10.5",
    note: "a[1:] *= a[:2]: both operands are read where it is written, and the rule needs both as they were",
    faults: ["saved_value_not_kept"],
    program: program(({ input, buffer }) => {
      const a = buffer(input("x", [3]));
      a.view(back).update("multiply", a.view(front));
      return [a];
    }),
    parameters: [[2, 3, 5]],
  },
  {
    name: "halves_exchanged",
    clause: "10.2",
    note: "two elements change places by way of a value: a view in its place is overwritten too early",
    faults: ["read_is_a_view", "view_is_a_copy"],
    program: program(({ input, buffer }) => {
      const a = buffer(input("x", [2]));
      const first = a.at(0).read();
      a.at(0).write(a.at(1));
      a.at(1).write(first);
      return [a.multiply(a)];
    }),
    parameters: [[2, 5]],
  },
  {
    name: "copy_is_deep",
    clause: "10.3",
    note: "a copy of a location is overwritten, and the location is not",
    faults: ["buffer_shares_memory", "buffer_gradient_lost"],
    program: program(({ input, buffer }) => {
      const a = buffer(input("x", [2]));
      const b = buffer(a);
      b.update("multiply", a);
      a.update("add", 1);
      return [a, b];
    }),
    parameters: [[2, 5]],
  },
  {
    name: "copy_of_a_view",
    clause: "10.3",
    note: "a copy of a row is a location of its own: neither sees the other's writes",
    faults: ["buffer_shares_memory", "buffer_gradient_lost"],
    program: program(({ input, buffer }) => {
      const a = buffer(input("x", [2, 2]));
      const row = buffer(a.at(1));
      row.update("multiply", 3);
      a.at(1).update("add", a.at(0));
      return [a, row];
    }),
    parameters: [
      [
        [2, 3],
        [5, 7],
      ],
    ],
  },
  {
    name: "written_value_is_copied",
    clause: "10.2",
    note: "b ← a copies: what happens to a afterwards does not happen to b",
    faults: ["overwritten_gradient_kept"],
    program: program(({ input, buffer }) => {
      const [x, y] = [input("x", [2]), input("y", [2])];
      const [a, b] = [buffer(x), buffer(y)];
      b.write(a);
      a.update("multiply", a);
      return [a, b];
    }),
    parameters: [
      [2, 5],
      [3, 7],
    ],
    wrong: {
      write_shares_memory: {
        part: "all",
        program: program(({ input, buffer }) => {
          const [x] = [input("x", [2]), input("y", [2])];
          const a = buffer(x);
          a.update("multiply", a);
          return [a, a];
        }),
      },
    },
  },
  {
    name: "whole_overwritten_by_a_constant",
    clause: "10.2",
    note: "what is overwritten as a whole has no gradient any more: 0 for x, and not what the location had",
    faults: ["overwritten_gradient_kept"],
    program: program(({ input, buffer }) => {
      const [x, y] = [input("x", [2]), input("y", [2])];
      const a = buffer(x);
      a.write(4);
      return [a.multiply(y)];
    }),
    parameters: [
      [2, 5],
      [3, 7],
    ],
  },
  {
    name: "part_overwritten_by_a_constant",
    clause: "10.2",
    note: "one element is set to 4 and loses its gradient, and the others keep theirs",
    faults: ["overwritten_gradient_kept", "rest_of_location_cut", "view_is_a_copy"],
    program: program(({ input, buffer }) => {
      const a = buffer(input("x", [3]));
      a.at(1).write(4);
      return [a.multiply(a)];
    }),
    parameters: [[2, 3, 5]],
  },
  {
    name: "result_is_what_it_was",
    clause: "10.2",
    note: "a procedure gives back a copy: the caller's write to the location does not change it",
    faults: ["reference_parameter_is_copied"],
    program: program(({ input, buffer, procedure, call }) => {
      const look = procedure("look", [{ name: "a", kind: "reference", shape: [2] }], (a) => {
        if (a !== undefined && "isReference" in a) a.update("multiply", 2);
        return a === undefined ? [] : [a];
      });
      const a = buffer(input("x", [2]));
      const [seen] = call(look, a);
      a.update("add", 1);
      return [a, ...(seen === undefined ? [] : [seen])];
    }),
    parameters: [[2, 5]],
  },
  {
    name: "one_value_two_results",
    clause: "10.4",
    note: "a location and a whole view of it are both results: their cotangents add up at one value",
    faults: ["last_seed_only", "view_is_a_copy"],
    program: program(({ input, buffer }) => {
      const a = buffer(input("x", [2]));
      const again = a.view({ kind: "slice", starts: [0], sizes: [2], steps: [1] });
      again.update("multiply", 3);
      return [a, again];
    }),
    parameters: [[2, 5]],
  },
  {
    name: "argument_is_not_the_location",
    clause: "10.2",
    note: "a location made of an argument is overwritten, and the argument is as it was: x · (x + 1)",
    program: program(({ input, buffer }) => {
      const x = input("x", [2]);
      const a = buffer(x);
      a.update("add", 1);
      return [x.multiply(a)];
    }),
    parameters: [[2, 5]],
    wrong: {
      buffer_takes_the_argument: {
        part: "all",
        program: program(({ input, buffer }) => {
          const a = buffer(input("x", [2]));
          a.update("add", 1);
          return [a.multiply(a)];
        }),
      },
    },
  },
  {
    name: "name_bound_anew",
    clause: "10.1",
    defects: ["E07"],
    note: "b stands for a, then for 4; a · a has the gradient 2 · 3 = 6 at 3, and not 0 because b went",
    faults: ["rebind_ignored"],
    program: program(({ input, full }) => {
      const a = input("a");
      const b = full({ shape: [], value: 0 });
      b.becomes(a);
      const before = b.multiply(a);
      b.becomes(full({ shape: [], value: 4 }));
      return [before, b];
    }),
    parameters: [3],
    seeds: [1],
    wrong: {
      gradient_follows_the_name: {
        part: "sweep",
        program: program(({ input, full }) => {
          const a = input("a").detach();
          return [a.multiply(a), full({ shape: [], value: 4 })];
        }),
      },
    },
    probe: { right: { results: [9, 4], cotangents: [6] }, wrong: { cotangents: [0] } },
  },
  ...everyUpdate,
];
