import { updates } from "../../spec/programs/index.ts";
import { numbers } from "./case_text.ts";
import {
  asked,
  byReference,
  forked,
  inPlace,
  onLocation,
  type StateText,
  vector,
  wrongly,
} from "./state_text.ts";

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
const everyUpdate: readonly StateText[] = updates.map((op) =>
  vector(`update_${op} 10.2: update_replaces written_gradient_lost`, {
    note: `a = a ${op} y in place, then a · a: the rule of ${op} and the square need what each of them read`,
    ...asked(numbers("[2, 3], [5, 7]"), ({ input, buffer }) => {
      const [x, y] = [input("x", [2]), input("y", [2])];
      const a = buffer(x.multiply(x));
      a.update(op, y);
      return [a.multiply(a)];
    }),
    ...(op === "divide" || op === "minimum" ? ownRule : {}),
  }),
);

/** Vectors of one location under many names: what is overwritten, what is kept, and who sees it. */
export const aliasing: readonly StateText[] = [
  vector("square_in_place 10.5 E01: saved_value_not_kept", {
    note: "y = a · a saves a = 3, then a = a + 1: the gradient is 2 · 3 = 6; by the new value it is 2 · 4 = 8",
    ...onLocation([3], (a) => {
      const y = a.multiply(a);
      a.update("add", 1);
      return [y];
    }),
    probe: { right: { cotangents: [6] }, wrong: { cotangents: [8] } },
  }),
  vector("square_overwritten_by_itself 10.5: saved_value_not_kept rest_of_location_cut", {
    note: "a = a · a, then a = a + 1, in place at 3: each write makes a new value, and 2 · 3 = 6 is of the old one; of the last, 20",
    ...inPlace([[3]], (a) => {
      a.update("multiply", a);
      const whole = a.view({ kind: "slice", starts: [0], sizes: [1], steps: [1] });
      whole.update("add", 1);
    }),
    probe: { right: { cotangents: [[6]] }, wrong: { cotangents: [[20]] } },
  }),
  vector("element_in_place 10.5: saved_value_not_kept view_is_a_copy write_through_view_lost", {
    note: "y = a · a at [3, 4], then a[0] = a[0] + 1, z = a + y: [7, 9]; with the new a[0], [9, 9]",
    ...onLocation([[3, 4]], (a) => {
      const y = a.multiply(a);
      a.at(0).update("add", 1);
      return [a.add(y)];
    }),
    probe: { right: { cotangents: [[7, 9]] }, wrong: { cotangents: [[9, 9]] } },
  }),
  vector("relu_in_place 10.5: overwritten_gradient_kept written_gradient_lost", {
    note: "a ← relu a at [−3, 4]: [0, 1]; the rule reads the operand, which is overwritten, or the value, which is as good",
    ...inPlace([[-3, 4]], (a) => a.write(a.relu())),
    probe: { right: { results: [[0, 4]], cotangents: [[0, 1]] } },
  }),
  vector("exponential_overwritten 10.5: overwritten_gradient_kept written_gradient_lost", {
    ...ownRule,
    note: "a ← exp a, then a ← a + x: an engine that keeps the value of exp where a lies loses it",
    ...inPlace([[0.5, -1]], (a, x) => {
      a.write(a.exp());
      a.update("add", x);
    }),
  }),
  vector("write_beside_what_is_saved 10.5: view_is_a_copy rest_of_location_cut", {
    note: "a[1] · a[1] saves one element, and the other is overwritten: nobody needs to refuse, and one number for a whole location does",
    ...onLocation([[3, 4]], (a) => {
      const y = a.at(1).multiply(a.at(1));
      a.at(0).write(y);
      return [a, y];
    }),
  }),
  vector("write_over_what_no_rule_reads 10.5: overwritten_gradient_kept read_is_a_view", {
    note: "a + a reads a, and its rule reads nothing: a may be overwritten",
    ...onLocation([[3, 4]], (a) => {
      const y = a.add(a);
      const old = a.read();
      a.write(y);
      return [a, old.negative()];
    }),
  }),
  vector("old_and_new_multiplied 10.2: read_is_a_view", {
    note: "old · new, where old was read before the write: a name for what was read is no name for the location",
    ...onLocation([[2, 5]], (a) => {
      const old = a.read();
      a.update("multiply", 3);
      return [old.multiply(a)];
    }),
  }),
  vector("two_views_written_in_turn 10.3: view_is_a_copy overwritten_gradient_kept written_gradient_lost", {
    note: "two overlapping views of one location are written in turn: the middle element is written twice, and the last write has it",
    ...inPlace(numbers("[2, 3, 4], [5, 6], [7, 8]"), (a, _, { input }) => {
      const [y, z] = [input("y", [2]), input("z", [2])];
      const [left, right] = [a.view(front), a.view(back)];
      left.write(y.multiply(y));
      right.update("multiply", z);
    }),
  }),
  vector("through_one_view_to_the_other 10.3: view_is_a_copy written_gradient_lost", {
    note: "what is written through one view is read through another, and its gradient comes that way",
    ...onLocation(numbers("[2, 3, 4], [5, 7]"), (a, _, { input }) => {
      const y = input("y", [2]);
      const [left, right] = [a.view(front), a.view(back)];
      left.write(y);
      return [right.multiply(right)];
    }),
  }),
  vector("shifted_right 10.3: view_is_a_copy", {
    ...overlapping,
    note: "a[1:] ← a[:2] reads all before it writes anything: [2, 2, 3]; element by element it is [2, 2, 2]",
    ...inPlace([[2, 3, 4]], (a) => a.view(back).write(a.view(front))),
    ...wrongly("all", "overlap_read_while_written", ({ input, buffer }) => {
      const a = buffer(input("x", [3]));
      a.at(1).write(a.at(0));
      a.at(2).write(a.at(1));
      return [a];
    }),
    probe: { right: { results: [[2, 2, 3]] }, wrong: { results: [[2, 2, 2]] } },
  }),
  vector("shifted_left_and_added 10.3: view_is_a_copy update_replaces", {
    ...overlapping,
    note: "a[:2] += a[1:] at [2, 3, 4] is [5, 7, 4]; from the back, with what was just written, [9, 7, 4]",
    ...inPlace([[2, 3, 4]], (a) => a.view(front).update("add", a.view(back))),
    ...wrongly("all", "overlap_read_while_written", ({ input, buffer }) => {
      const a = buffer(input("x", [3]));
      a.at(1).update("add", a.at(2));
      a.at(0).update("add", a.at(1));
      return [a];
    }),
    probe: { right: { results: [[5, 7, 4]] }, wrong: { results: [[9, 7, 4]] } },
  }),
  vector("multiplied_by_its_neighbour 10.5: saved_value_not_kept", {
    note: "a[1:] *= a[:2]: both operands are read where it is written, and the rule needs both as they were",
    ...inPlace([[2, 3, 5]], (a) => a.view(back).update("multiply", a.view(front))),
  }),
  vector("halves_exchanged 10.2: read_is_a_view view_is_a_copy", {
    note: "two elements change places by way of a value: a view in its place is overwritten too early",
    ...onLocation([[2, 5]], (a) => {
      const first = a.at(0).read();
      a.at(0).write(a.at(1));
      a.at(1).write(first);
      return [a.multiply(a)];
    }),
  }),
  vector("copy_is_deep 10.3: buffer_shares_memory buffer_gradient_lost", {
    note: "a copy of a location is overwritten, and the location is not",
    ...onLocation([[2, 5]], (a, _, { buffer }) => {
      const b = buffer(a);
      b.update("multiply", a);
      a.update("add", 1);
      return [a, b];
    }),
  }),
  vector("copy_of_a_view 10.3: buffer_shares_memory buffer_gradient_lost", {
    note: "a copy of a row is a location of its own: neither sees the other's writes",
    ...onLocation(numbers("[[2, 3], [5, 7]]"), (a, _, { buffer }) => {
      const row = buffer(a.at(1));
      row.update("multiply", 3);
      a.at(1).update("add", a.at(0));
      return [a, row];
    }),
  }),
  vector("written_value_is_copied 10.2: overwritten_gradient_kept", {
    note: "b ← a copies: what happens to a afterwards does not happen to b",
    parameters: numbers("[2, 5], [3, 7]"),
    ...forked("all", "write_shares_memory", (isWrong, { input, buffer }) => {
      const [x, y] = [input("x", [2]), input("y", [2])];
      const [a, b] = [buffer(x), buffer(y)];
      b.write(a);
      a.update("multiply", a);
      return [a, isWrong ? a : b];
    }),
  }),
  vector("whole_overwritten_by_a_constant 10.2: overwritten_gradient_kept", {
    note: "what is overwritten as a whole has no gradient any more: 0 for x, and not what the location had",
    ...onLocation(numbers("[2, 5], [3, 7]"), (a, _, { input }) => {
      const y = input("y", [2]);
      a.write(4);
      return [a.multiply(y)];
    }),
  }),
  vector("part_overwritten_by_a_constant 10.2", {
    note: "one element is set to 4 and loses its gradient, and the others keep theirs",
    faults: ["overwritten_gradient_kept", "rest_of_location_cut", "view_is_a_copy"],
    ...onLocation([[2, 3, 5]], (a) => {
      a.at(1).write(4);
      return [a.multiply(a)];
    }),
  }),
  vector("result_is_what_it_was 10.2: reference_parameter_is_copied", {
    note: "a procedure gives back a copy: the caller's write to the location does not change it",
    ...asked([[2, 5]], ({ input, buffer, procedure, call }) => {
      const look = procedure("look", [byReference("a", [2])], (a) => {
        if (a !== undefined && "isReference" in a) a.update("multiply", 2);
        return a === undefined ? [] : [a];
      });
      const a = buffer(input("x", [2]));
      const [seen] = call(look, a);
      a.update("add", 1);
      return [a, ...(seen === undefined ? [] : [seen])];
    }),
  }),
  vector("one_value_two_results 10.4: last_seed_only view_is_a_copy", {
    note: "a location and a whole view of it are both results: their cotangents add up at one value",
    ...onLocation([[2, 5]], (a) => {
      const again = a.view({ kind: "slice", starts: [0], sizes: [2], steps: [1] });
      again.update("multiply", 3);
      return [a, again];
    }),
  }),
  vector("argument_is_not_the_location 10.2", {
    note: "a location made of an argument is overwritten, and the argument is as it was: x · (x + 1)",
    parameters: [[2, 5]],
    ...forked("all", "buffer_takes_the_argument", (isWrong, { input, buffer }) => {
      const x = input("x", [2]);
      const a = buffer(x);
      a.update("add", 1);
      return [(isWrong ? a : x).multiply(a)];
    }),
  }),
  vector("name_bound_anew 10.1 E07: rebind_ignored", {
    note: "b stands for a, then for 4; a · a has the gradient 2 · 3 = 6 at 3, and not 0 because b went",
    ...asked([3], ({ input, full }) => {
      const a = input("a");
      const b = full({ shape: [], value: 0 });
      b.becomes(a);
      const before = b.multiply(a);
      b.becomes(full({ shape: [], value: 4 }));
      return [before, b];
    }),
    seeds: [1],
    ...wrongly("sweep", "gradient_follows_the_name", ({ input, full }) => {
      const a = input("a").detach();
      return [a.multiply(a), full({ shape: [], value: 4 })];
    }),
    probe: { right: { results: [9, 4], cotangents: [6] }, wrong: { cotangents: [0] } },
  }),
  ...everyUpdate,
];
