import { numbers } from "./case_text.ts";
import {
  asked,
  byReference,
  forked,
  formula,
  onLocation,
  overMatrix,
  overRow,
  pullback,
  reference,
  type StateText,
  vector,
  wrongly,
} from "./state_text.ts";

/** Vectors of released defects of memory, control flow and recomputation; brackets hold wrong answers. */
export const reported: readonly StateText[] = [
  vector("two_sweeps_of_one_leaf 10.8 A11: update_replaces derivative_is_constant", {
    note: "the gradients of x · 3 and of x · 5 are added into one location, one sweep after the other: 3 + 5 = 8 [3, or 5, or nothing]",
    ...asked([2, 3, 5], ({ input, buffer, procedure, derivative }) => {
      const scaled = formula(procedure, "scaled", ["v", "k"], (v, k) => [v.multiply(k)]);
      const [x, first, second] = [input("x"), input("k1"), input("k2")];
      const slot = buffer(0);
      for (const k of [first, second]) slot.update("add", derivative(scaled, pullback, x, k, 1));
      return [slot];
    }),
    probe: { right: { results: [8], cotangents: [0, 1, 1] }, wrong: { results: [5] } },
  }),
  vector("element_written_twice 10.2 D20: overwritten_gradient_kept view_is_a_copy", {
    note: "y[0] ← a, then y[0] ← b: b alone has the gradient 1, and a has 0 [both have 1]",
    ...asked([2, 5], ({ input, buffer, full }) => {
      const y = buffer(full({ shape: [2], value: 0 }));
      y.at(0).write(input("a"));
      y.at(0).write(input("b"));
      return [y];
    }),
    seeds: [[1, 2]],
    probe: { right: { results: [[5, 0]], cotangents: [0, 1] }, wrong: { cotangents: [1, 1] } },
  }),
  vector("duplicates_added_before_the_square 10.2 D22: update_replaces", {
    note: "two sparse gradients of 1 for one row add up to 2 before the norm is taken: 2 [√2, of the rows as they came]",
    parameters: [[1, 1]],
    ...forked("all", "duplicates_squared_apart", (isWrong, { input, buffer, full }) => {
      const rows = input("rows", [2]);
      const given = buffer(rows);
      const g = buffer(full({ shape: [2], value: 0 }));
      g.at(0).update("add", given.at(0));
      g.at(isWrong ? 1 : 0).update("add", given.at(1));
      return [g.multiply(g).sum(overRow).sqrt()];
    }),
    probe: { right: { results: [2], cotangents: [[1, 1]] }, wrong: { results: [Math.SQRT2] } },
  }),
  vector("saved_and_written_through_a_view 10.5 E03: saved_value_not_kept view_is_a_copy", {
    note: "as a · a and a = a + 1 at 3, through a view of a: 6, or a refusal [8, where compiled code does not check views]",
    ...onLocation([[3]], (a) => {
      const seen = a.view({ kind: "reshape", shape: [] });
      const y = seen.multiply(seen);
      seen.update("add", 1);
      return [y, a];
    }),
    seeds: [1, [0]],
    probe: { right: { results: [9, [4]] } },
  }),
  vector("retained_before_and_after_a_write 10.6 E12", {
    note: "a is retained, doubled in place, and retained again, in a + 1: 2 for what it was and 1 for what it is [2 for both]",
    faults: ["retained_at_the_end", "retained_is_the_first", "retained_backwards"],
    ...onLocation([3], (a) => {
      const h = a.read();
      h.retain();
      a.write(h.multiply(2));
      h.becomes(a.read());
      h.retain();
      return [h.add(1)];
    }),
    probe: { right: { retained: [2, 1] }, wrong: { retained: [2, 2] } },
  }),
  vector("identical_updates_of_a_column 10.2 N02: equal_updates_merged view_is_a_copy", {
    note: "y[:, 0] += |x[:, 2]| twice: −2 for a negative element [−1: the two equal updates were merged]",
    ...onLocation(numbers("[[1, 2, -3], [4, 5, 6]]"), (a, _, { buffer, full }) => {
      const y = buffer(full({ shape: [2, 3], value: 0 }));
      const column = (start: number) =>
        ({ kind: "slice", starts: [0, start], sizes: [2, 1], steps: [1, 1] }) as const;
      const size = a.view(column(2)).abs();
      const first = y.view(column(0));
      first.update("add", size);
      first.update("add", size);
      return [y.sum(overMatrix)];
    }),
    probe: {
      right: { results: [18], cotangents: numbers("[[0, 0, -2], [0, 0, 2]]") },
      wrong: { cotangents: numbers("[[0, 0, -1], [0, 0, 1]]") },
    },
  }),
  vector("repeated_index_reads_before_it_writes 10.3 N04: overwritten_gradient_kept", {
    note: "b[[0, 0]] = b[[0, 0]] + b[[0, 0]]: read whole, stored twice, twice the row, 16 [four times, 32: the second visit read what the first stored]",
    parameters: [[[3, 5]]],
    ...forked("all", "repeated_index_reads_its_own_write", (isWrong, { input, buffer }) => {
      const b = buffer(input("y", [1, 2]));
      const doubled = b.at(0).add(b.at(0));
      b.at(0).write(doubled);
      b.at(0).write(isWrong ? b.at(0).add(b.at(0)) : doubled);
      return [b.sum(overMatrix)];
    }),
    probe: {
      right: { results: [16], cotangents: [[[2, 2]]] },
      wrong: { results: [32], cotangents: [[[4, 4]]] },
    },
  }),
  vector("copy_adds_to_its_source 10.3 N06: buffer_gradient_lost", {
    note: "t = 2x is copied, and then read by 3t: 2 · (1 + 3) = 8 [2: the copy’s adjoint was assigned over the later reader’s]",
    parameters: [[1, 2, 3, 4]],
    ...forked("sweep", "copy_assigns_to_its_source", (isWrong, { input, buffer }) => {
      const t = buffer(input("x", [4]).multiply(2));
      const c = buffer(t);
      const u = (isWrong ? t.detached() : t).multiply(3);
      return [c.sum(overRow).add(u.sum(overRow))];
    }),
    probe: { right: { results: [80], cotangents: [[8, 8, 8, 8]] }, wrong: { cotangents: [[2, 2, 2, 2]] } },
  }),
  vector("components_written_one_by_one 10.3 N08: written_gradient_lost counter_is_stale view_is_a_copy", {
    note: "the three components of each y[i] are written with 2x[i], 3x[i], 4x[i]: 9 for each [0: such a write had no adjoint]",
    ...onLocation([[1, 1, 1]], (a, _, { buffer, full, for_ }) => {
      const y = buffer(full({ shape: [3, 3], value: 0 }));
      for_(3, (i) => {
        for (const [component, factor] of [2, 3, 4].entries())
          y.at(i).at(component).write(a.at(i).multiply(factor));
      });
      return [y.sum(overMatrix)];
    }),
    probe: { right: { results: [27], cotangents: [[9, 9, 9]] }, wrong: { cotangents: [[0, 0, 0]] } },
  }),
  vector("scaled_where_it_lies 10.5 N10: saved_value_not_kept", {
    note: "x[0] = θ · x[0] in place at θ = 2, x = 3: 3 for θ [6: by the new x]",
    ...asked([2, [3]], ({ input, buffer }) => {
      const theta = input("theta");
      const a = buffer(input("x", [1]));
      a.at(0).update("multiply", theta);
      return [a];
    }),
    probe: { right: { results: [[6]], cotangents: [3, [2]] }, wrong: { cotangents: [6, undefined] } },
  }),
  vector("strided_write_of_a_product 10.3 N12: steps_ignored write_through_view_lost written_gradient_lost", {
    note: "every other element of a location gets 2x: [2, 0, 4, 0, 6, 0] [all at the first address: the stride was ignored]; theirs went backwards",
    parameters: numbers("[1, 2, 3], [1, 5, 2, 7, 3, 11]"),
    ...forked("all", "stride_of_zero", (isWrong, { input, buffer, full }) => {
      const [x, weights] = [input("x", [3]), input("w", [6])];
      const base = buffer(full({ shape: [6], value: 0 }));
      const seen = base.view({ kind: "slice", starts: [0], sizes: [3], steps: [2] });
      if (isWrong) base.at(0).write(buffer(x).at(2).multiply(2));
      else seen.write(x.multiply(2));
      return [base.multiply(weights).sum(overRow), base];
    }),
    seeds: [1],
    probe: {
      right: { results: [28, [2, 0, 4, 0, 6, 0]], cotangents: numbers("[2, 4, 6], [2, 0, 4, 0, 6, 0]") },
      wrong: { results: [6] },
    },
  }),
  vector("write_beyond_its_row_is_dropped 10.3 N14", {
    note: "an element at (0, 3) of a matrix of three columns is not written: 0 for u, and 21 [24, and 1 for u: it landed at (1, 0)]",
    parameters: numbers("[[1, 2, 3], [4, 5, 6]], 7"),
    ...forked("all", "bound_of_the_flat_offset", (isWrong, { input, buffer, for_, if_ }) => {
      const [x, u] = [input("x", [2, 3]), input("u")];
      const b = buffer(x);
      const row = () => (isWrong ? b.view({ kind: "reshape", shape: [6] }) : b.at(0));
      for_(isWrong ? 6 : 3, (column) => if_(column.equal(3), () => row().at(column).write(u)));
      return [b.sum(overMatrix)];
    }),
    probe: {
      right: { results: [21], cotangents: numbers("[[1, 1, 1], [1, 1, 1]], 0") },
      wrong: { results: [24], cotangents: [undefined, 1] },
    },
  }),
  vector("reference_of_each_turn 10.2 N16: counter_is_stale written_gradient_lost view_is_a_copy", {
    note: "in each of five turns a reference to arr[k] is made and i written through it: 5 for i [1: the alias was bound once]",
    ...asked([3], ({ input, buffer, full, for_ }) => {
      const i = input("i");
      const arr = buffer(full({ shape: [5], value: 0 }));
      for_(5, (k) => arr.at(k).write(i));
      return [arr.sum(overRow)];
    }),
    probe: { right: { results: [15], cotangents: [5] }, wrong: { cotangents: [1] } },
  }),
  vector("element_squared_by_reference 10.5 N18: saved_value_not_kept counter_is_stale", {
    note: "a procedure squares arr[i] in place and returns it, for each i: [2, 4, 6, 8, 10] [4282, 0, 0, 0, 0]",
    ...asked([[1, 2, 3, 4, 5]], ({ input, buffer, procedure, call, for_ }) => {
      const sq = procedure("sq", [byReference("e")], (e) => {
        reference(e).update("multiply", reference(e));
        return [reference(e)];
      });
      const arr = buffer(input("arr", [5]));
      const total = buffer(0);
      for_(5, (i) => {
        for (const square of call(sq, arr.at(i))) total.update("add", square);
      });
      return [total];
    }),
    probe: {
      right: { results: [55], cotangents: [[2, 4, 6, 8, 10]] },
      wrong: { cotangents: [[4282, 0, 0, 0, 0]] },
    },
  }),
  vector("greatest_by_a_local_copy 10.2 N20: counter_is_stale saved_value_not_kept buffer_gradient_lost", {
    note: "the greatest of [1, 5, 2] by way of a local copy in each turn, squared: [0, 10, 0] [nothing: the sweep saw the copy of the last turn]",
    ...asked([[1, 5, 2]], ({ input, buffer, for_ }) => {
      const a = buffer(input("a", [3]));
      const dest = buffer(0);
      for_(3, (c) => {
        const f = buffer(a.at(c));
        dest.update("maximum", f);
      });
      return [dest.multiply(dest)];
    }),
    probe: { right: { results: [25], cotangents: [[0, 10, 0]] }, wrong: { cotangents: [[0, 0, 0]] } },
  }),
  vector("running_sum_of_what_is_scanned 10.2 N23: counter_is_stale loop_one_turn_short", {
    note: "x = x + n[t], ys[t] = x: each n[t] is in all sums from t on, [5, 4, 3, 2, 1] [0: the scanned input had no cotangent]",
    parameters: [[0, 1, 2, 3, 4]],
    ...forked("sweep", "scanned_input_is_constant", (isWrong, { input, buffer, full, for_ }) => {
      const scanned = input("n", [5]);
      const n = buffer(isWrong ? scanned.detach() : scanned);
      const ys = buffer(full({ shape: [5], value: 0 }));
      const x = buffer(0);
      for_(5, (t) => {
        x.update("add", n.at(t));
        ys.at(t).write(x);
      });
      return [ys.sum(overRow)];
    }),
    probe: {
      right: { results: [20], cotangents: [[5, 4, 3, 2, 1]] },
      wrong: { cotangents: [[0, 0, 0, 0, 0]] },
    },
  }),
  vector("pair_carried_by_a_scan 10.2 N25: saved_value_not_kept counter_is_stale", {
    note: "(a, b) with (p · a[t], b[t] + a[t] · b): a reaches b, [0, ¼, 7/3] [0: each leaf was differentiated by itself]",
    parameters: [
      [0.5, 1 / 3, 0.25],
      [1, 2, 3],
    ],
    ...forked("sweep", "leaves_taken_apart", (isWrong, { input, buffer, for_ }) => {
      const first = input("a", [3]);
      const [a, b] = [buffer(isWrong ? first.detach() : first), buffer(input("b", [3]))];
      const [product, sum] = [buffer(1), buffer(0)];
      for_(3, (t) => {
        product.update("multiply", a.at(t));
        sum.update("multiply", a.at(t));
        sum.update("add", b.at(t));
      });
      return [sum];
    }),
    probe: {
      right: {
        results: [43 / 12],
        cotangents: [
          [0, 0.25, 7 / 3],
          [1 / 12, 0.25, 1],
        ],
      },
      wrong: { cotangents: [[0, 0, 0], undefined] },
    },
  }),
  vector("temporary_of_each_turn 10.2 N27: loop_one_turn_short loop_not_replayed rebind_ignored", {
    note: "t = r · x, r = t twice is x³, 12 at 2 [16: t’s adjoint was not renewed, so the second turn’s counted again]",
    ...asked([2], ({ input, for_, add }) => {
      const x = input("x");
      const r = add(x, 0);
      for_(2, () => {
        const t = r.multiply(x);
        r.becomes(t);
      });
      return [r];
    }),
    // (r̄ + r̄) · x in the first turn, where r̄ alone is right: 4 + 4 + 8.
    ...wrongly("sweep", "adjoint_not_renewed", ({ input }) => {
      const x = input("x");
      const still = x.detach();
      const once = x.multiply(still).multiply(still);
      return [once.add(once).add(still.multiply(still).multiply(x)).add(once)];
    }),
    probe: { right: { results: [8], cotangents: [12] }, wrong: { cotangents: [16] } },
  }),
  vector("return_within_a_loop 10.2 N29: written_gradient_lost", {
    note: "a loop may return early and does not: what comes after it is computed, [1, 0] [0: recomputed as if it had returned]",
    ...asked([[0.1, 0.2], 0], ({ input, buffer, for_, if_ }) => {
      const [x, index] = [buffer(input("x", [2])), input("index")];
      const [out, hasReturned] = [buffer(0), buffer(0)];
      for_(1, () => if_(buffer(0).less(index), () => hasReturned.write(1)));
      if_(hasReturned.equal(0), () => out.write(x.at(0)));
      return [out];
    }),
    ...wrongly("sweep", "recomputed_as_if_returned", ({ input, buffer }) => {
      input("x", [2]);
      input("index");
      return [buffer(0)];
    }),
    probe: { right: { results: [0.1], cotangents: [[1, 0], 0] }, wrong: { cotangents: [[0, 0], undefined] } },
  }),
  vector("value_from_before_a_loop 10.2 N31: loop_not_replayed loop_one_turn_short", {
    note: "b = 2x, acc = 5 + 1 + 2 + 3, acc · b: 2 · 11 = 22 for x [10: by acc as it was before the loop]",
    ...asked([1, [1, 2, 3]], ({ input, buffer, for_ }) => {
      const b = input("x").multiply(2);
      const s = buffer(input("s", [3]));
      const acc = buffer(5);
      for_(3, (k) => acc.update("add", s.at(k)));
      return [acc.multiply(b)];
    }),
    probe: { right: { results: [22], cotangents: [22, [2, 2, 2]] }, wrong: { cotangents: [10, undefined] } },
  }),
  vector("two_inner_loops 10.2 N33: loop_one_turn_short loop_not_replayed", {
    note: "twice: three times y += x, and again three times y += x: 12 [6: one of the inner loops was reversed]",
    parameters: [1],
    ...forked("sweep", "one_inner_loop_reversed", (isWrong, { input, buffer, for_ }) => {
      const x = input("x");
      const y = buffer(0);
      for_(2, () => {
        for_(3, () => y.update("add", x));
        if (!isWrong) for_(3, () => y.update("add", x));
      });
      return [y];
    }),
    probe: { right: { results: [12], cotangents: [12] }, wrong: { cotangents: [6] } },
  }),
  vector("computed_in_a_condition 10.2 N35: written_gradient_lost", {
    note: "the value that decides a loop is i · j, and is what is returned: 5 and 3 [0 and 0: a condition was thought inactive]",
    ...asked([3, 5], ({ input, buffer, while_ }) => {
      const [i, j] = [input("i"), input("j")];
      const res = buffer(i.multiply(j));
      const goesOn = buffer(res);
      while_(goesOn, 2, () => {
        res.write(i.multiply(j));
        goesOn.write(res.subtract(res));
      });
      return [res];
    }),
    probe: { right: { results: [15], cotangents: [5, 3] }, wrong: { cotangents: [0, 0] } },
  }),
  vector("statistics_updated_once 10.6 N37: checkpoint_runs_twice", {
    note: "a checkpointed block has r ← 0.9 r + 0.1 · mean(x): r is 0.3 afterwards, though the block was computed twice [0.57]",
    ...asked([[2, 4], 1], ({ input, buffer, state, checkpoint }) => {
      const [x, w] = [input("x", [2]), input("w")];
      const r = state("r");
      const y = buffer(x);
      checkpoint(() => {
        r.update("multiply", 0.9);
        r.update("add", x.mean(overRow).multiply(0.1));
        y.write(x.multiply(w));
      });
      return [y.sum(overRow)];
    }),
    state: [0],
    probe: { right: { results: [6], state: [0.3], cotangents: [[1, 1], 6] }, wrong: { state: [0.57] } },
  }),
  vector("recomputed_from_its_first_step 10.6 N39: written_gradient_lost", {
    note: "h = t · t with t = x + 1 in a checkpointed block, 3h at 2: 18 [12: t was taken to be x]",
    parameters: [2],
    ...forked("sweep", "recomputed_from_the_last_producer", (isWrong, { input, buffer, checkpoint }) => {
      const x = input("x");
      const h = buffer(0);
      checkpoint(() => {
        const t = isWrong ? x : x.add(1);
        h.write(t.multiply(t));
      });
      return [h.multiply(3)];
    }),
    probe: { right: { results: [27], cotangents: [18] }, wrong: { cotangents: [12] } },
  }),
];
