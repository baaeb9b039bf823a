import type { ProgramCounter } from "../../spec/programs/index.ts";
import {
  asked,
  byReference,
  byValue,
  forked,
  formula,
  inPlace,
  onCallers,
  onLocation,
  reference,
  type StateText,
  value,
  vector,
  wrongly,
} from "./state_text.ts";

const whole = (size: number) => ({ kind: "slice", starts: [0], sizes: [size], steps: [1] }) as const;

/** Vectors of branches, loops and calls: values choose the path, and the sweep retraces the path taken. */
export const control: readonly StateText[] = [
  vector("branch_taken 10.2: branch_decided_again", {
    note: "x < 3 at 2: the sweep takes the branch that the run took, x³, and not the other",
    ...inPlace([2], (a, x, { if_ }) =>
      if_(
        x.less(3),
        () => a.update("multiply", x.multiply(x)),
        () => a.update("add", x),
      ),
    ),
  }),
  vector("branch_not_taken 10.2: branch_decided_again", {
    note: "x < 3 at 4: what stands in the branch not taken has no gradient, not even a factor of 0",
    ...inPlace([4], (a, x, { if_ }) =>
      if_(
        x.less(3),
        () => a.write(x.subtract(4).log()),
        () => a.update("multiply", x),
      ),
    ),
  }),
  vector("branch_on_what_is_then_written 10.2: branch_decided_again", {
    note: "the branch depends on a = 2, and makes a = 12: decided again in the sweep, it is the other one",
    ...inPlace([2, 6], (a, _, { input, if_ }) => {
      const y = input("y");
      if_(
        a.less(3),
        () => a.update("multiply", y),
        () => a.update("add", y),
      );
    }),
  }),
  vector("branch_at_zero 10.2: branch_decided_again", {
    note: "a condition holds where it is not 0: at −0 it does not, and at any other number it does",
    ...asked([0, -3], ({ input, buffer, if_ }) => {
      const [x, y] = [input("x"), input("y")];
      const a = buffer(y);
      if_(x, () => a.update("multiply", y));
      if_(y, () => a.update("multiply", 5));
      return [a];
    }),
  }),
  vector("branches_write_different_parts 10.2", {
    note: "each arm writes another element: what the other arm would have written keeps its gradient",
    faults: ["branch_decided_again", "overwritten_gradient_kept", "rest_of_location_cut"],
    ...onLocation([[2, 3], 5], (a, _, { input, if_ }) => {
      const y = input("y");
      if_(
        y.less(0),
        () => a.at(0).write(y),
        () => a.at(1).write(y.multiply(y)),
      );
      return [a.multiply(a)];
    }),
  }),
  vector("branch_in_a_loop 10.2: branch_decided_again loop_one_turn_short", {
    note: "doubling while below 10, and from then on adding: the branch of each turn is that turn’s own",
    ...inPlace([3], (a, x, { for_, if_ }) =>
      for_(4, () =>
        if_(
          a.less(10),
          () => a.update("multiply", 2),
          () => a.update("add", x),
        ),
      ),
    ),
  }),
  vector("branch_within_a_branch 10.2: branch_decided_again", {
    note: "two conditions, the inner one on what the outer arm has just written",
    ...inPlace([2], (a, x, { if_ }) =>
      if_(x.less(3), () => {
        a.update("multiply", x);
        if_(
          a.less(3),
          () => a.write(0),
          () => a.update("multiply", x),
        );
      }),
    ),
  }),
  vector("power_by_a_loop 10.2", {
    note: "a = a · x three times is x⁴ at 2, 32: of a sweep that knows the last turn alone it is less",
    faults: ["saved_value_not_kept", "loop_one_turn_short", "loop_one_turn_long", "loop_not_replayed"],
    ...inPlace([2], (a, x, { for_ }) => for_(3, () => a.update("multiply", x))),
    probe: { right: { results: [16], cotangents: [32] } },
  }),
  vector("squares_by_a_loop 10.5: saved_value_not_kept loop_one_turn_short", {
    note: "a = a · a three times is x⁸: each turn saves what the next one overwrites",
    ...inPlace([2], (a, _, { for_ }) => for_(3, () => a.update("multiply", a))),
    probe: { right: { results: [256], cotangents: [1024] } },
  }),
  vector("loop_of_no_turns 10.2: loop_one_turn_long", {
    note: "a loop of no turns leaves everything as it was",
    ...inPlace([3], (a, _, { for_ }) => for_(0, () => a.update("multiply", a))),
  }),
  vector("counter_as_an_operand 10.1: loop_one_turn_short saved_value_not_kept", {
    note: "Σ i · xⁱ by Horner’s rule: the counter of each turn is a number of that turn",
    parameters: [2],
    ...forked("sweep", "counter_of_the_last_turn", (isWrong, { input, buffer, for_ }) => {
      const x = input("x");
      const a = buffer(x);
      for_(4, (i) => {
        a.update("multiply", x);
        a.update("add", x.multiply(isWrong ? 3 : i));
      });
      return [a];
    }),
  }),
  vector("name_carried_through_a_loop 10.1: rebind_ignored loop_one_turn_short", {
    note: "r = r · x by binding the name anew: the value of each turn lives on for the sweep",
    ...asked([2], ({ input, for_ }) => {
      const x = input("x");
      const r = x.add(1);
      for_(3, () => r.becomes(r.multiply(x)));
      return [r];
    }),
  }),
  vector("location_of_each_turn 10.2: loop_one_turn_short written_gradient_lost", {
    note: "a location made within a loop is a new one in each turn: nothing of the turn before is in it",
    parameters: [2],
    ...forked("all", "location_made_once", (isWrong, { input, buffer, for_ }) => {
      const x = input("x");
      const [total, once] = [buffer(x), isWrong ? buffer(x) : undefined];
      for_(3, (i) => {
        const own = once ?? buffer(x);
        own.update("multiply", x.add(i));
        total.update("add", own);
      });
      return [total];
    }),
  }),
  vector("each_row_from_the_one_before 10.5: counter_is_stale saved_value_not_kept view_is_a_copy", {
    note: "a[i] ← a[i] · c in place, where c carries the row before: a recurrence over rows of one location",
    ...inPlace([[2, 3, 5, 7], 0.5], (a, _, { input, buffer, for_ }) => {
      const carried = buffer(input("c"));
      for_(4, (i) => {
        const row = a.at(i);
        row.update("multiply", carried);
        carried.write(row);
      });
    }),
  }),
  vector("triangle_of_loops 10.2: branch_decided_again counter_is_stale", {
    note: "for i, for j, if j < i: the pairs below the diagonal alone are written",
    parameters: [[2, 3, 5], 0],
    ...forked("sweep", "condition_of_the_outer_counter", (isWrong, { input, buffer, for_, if_ }) => {
      const x = input("x", [3]);
      const [a, total] = [buffer(x), buffer(input("t"))];
      const added = (i: ProgramCounter, j: ProgramCounter) => total.update("add", a.at(i).multiply(a.at(j)));
      for_(3, (i) => for_(3, (j) => (isWrong ? added(i, j) : if_(j.less(i), () => added(i, j)))));
      return [total];
    }),
  }),
  vector("while_below_a_bound 10.2: while_once saved_value_not_kept", {
    note: "a = a · x while a < 20, at x = 3: two turns, decided before each, of at most ten",
    ...inPlace([3], (a, x, { buffer, while_ }) => {
      const isBelow = buffer(a.less(20));
      while_(isBelow, 10, () => {
        a.update("multiply", x);
        isBelow.write(a.less(20));
      });
    }),
    probe: { right: { results: [27], cotangents: [27] } },
  }),
  vector("while_never 10.2", {
    note: "the condition does not hold before the first turn: the body is not run at all",
    ...inPlace([3], (a, x, { while_ }) => while_(x.less(0), 3, () => a.update("multiply", x))),
    ...wrongly("all", "condition_looked_at_behind", ({ input, buffer }) => {
      const x = input("x");
      const a = buffer(x);
      a.update("multiply", x);
      return [a];
    }),
  }),
  vector("while_out_of_fuel 10.2: fuel_ignored", {
    note: "the condition holds for ever: after its two turns the loop is refused, and no number is an answer",
    ...inPlace([2], (a, x, { buffer, while_ }) => {
      const isBelow = buffer(a.less(50));
      while_(isBelow, 2, () => {
        a.update("multiply", x);
        isBelow.write(a.less(50));
      });
    }),
  }),
  vector("newton_until_it_is_near 10.2: saved_value_not_kept while_once", {
    note: "a ← (a + x/a)/2 until a² is near x: the turns are those that the values needed, and the gradient is of these",
    ...inPlace([4], (a, x, { buffer, while_ }) => {
      const far = buffer(x.less(x.add(1)));
      while_(far, 20, () => {
        a.write(a.add(x.divide(a)).divide(2));
        far.write(x.subtract(a.multiply(a)).less(-0.01));
      });
    }),
  }),
  vector("call_by_value 10.2: value_parameter_is_shared call_gradient_lost", {
    note: "a procedure of a value has a copy: the location it was called with is overwritten later, and the copy is not",
    ...asked([[2, 5]], ({ input, buffer, procedure, call }) => {
      const scaled = procedure("scaled", [byValue("v", [2]), byReference("a", [2])], (v, a) => {
        reference(a).update("multiply", 3);
        return v === undefined ? [] : [v.multiply(reference(a))];
      });
      const a = buffer(input("x", [2]));
      return [...call(scaled, a, a), a];
    }),
  }),
  vector("call_by_reference 10.2", {
    note: "a procedure overwrites the caller’s location through a view, twice",
    faults: ["reference_parameter_is_copied", "saved_value_not_kept", "write_through_view_lost"],
    ...asked([[2, 5]], ({ input, buffer, procedure, call }) => {
      const square = onCallers(procedure, "square", byReference("v", [2]), (v) => {
        const seen = v.view(whole(2));
        seen.update("multiply", seen);
      });
      const a = buffer(input("x", [2]));
      call(square, a);
      call(square, a);
      return [a];
    }),
  }),
  vector("two_references_to_one_location 10.9: reference_parameter_is_copied", {
    note: "both parameters are the same location: what is written through the first is read through the second",
    ...asked([[2, 5]], ({ input, buffer, procedure, call }) => {
      const product = procedure("product", [byReference("v", [2]), byReference("w", [2])], (v, w) => {
        reference(v).update("add", 1);
        reference(w).update("multiply", reference(v));
        return [reference(w)];
      });
      const a = buffer(input("x", [2]));
      return [...call(product, a, a), a];
    }),
  }),
  vector("two_results_of_a_call 10.2: call_gradient_lost last_seed_only", {
    note: "a procedure of two results: sum and product, each with its cotangent",
    ...asked([2, 5], ({ input, procedure, call }) => {
      const both = formula(procedure, "both", ["v", "w"], (v, w) => [v.add(w), v.multiply(w)]);
      return call(both, input("x"), input("y"));
    }),
  }),
  vector("recursion_to_a_power 10.2: call_gradient_lost", {
    note: "p(n) = x · p(n − 1) while 0 < n: a procedure within itself, with names of its own at each depth",
    ...asked([2, 4], ({ input, buffer, procedure, call, if_ }) => {
      const own = { name: "power", results: [[]] };
      const power = procedure(
        "power",
        [byValue("v"), byValue("n")],
        (v, n) => {
          const left = buffer(1);
          if_(value(n), () => {
            for (const rest of call(own, value(v), value(n).subtract(1))) left.write(rest.multiply(value(v)));
          });
          return [left];
        },
        [[]],
      );
      return call(power, input("x"), input("n"));
    }),
    probe: { right: { results: [16], cotangents: [32, 0] } },
  }),
  vector("recursion_in_place 10.2: saved_value_not_kept reference_parameter_is_copied", {
    note: "a procedure squares the caller’s location and calls itself until it is large: x⁸",
    ...asked([2], ({ input, buffer, procedure, call, if_ }) => {
      const own = { name: "grow", results: [] };
      const grow = onCallers(procedure, "grow", byReference("v"), (v) => {
        if_(v.less(100), () => {
          v.update("multiply", v);
          call(own, v);
        });
      });
      const a = buffer(input("x"));
      call(grow, a);
      return [a];
    }),
    probe: { right: { results: [256], cotangents: [1024] } },
  }),
];
