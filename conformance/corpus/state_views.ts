import type { ProgramReference, Transform } from "../../spec/programs/index.ts";
import type { Shape } from "../../spec/shapes/index.ts";
import { numbers } from "./case_text.ts";
import {
  asked,
  byReference,
  byValue,
  forked,
  inPlace,
  onLocation,
  reference,
  type StateText,
  value,
  vector,
  wrongly,
} from "./state_text.ts";

const slice = (starts: readonly number[], sizes: readonly number[], steps = starts.map(() => 1)) =>
  ({ kind: "slice", starts, sizes, steps }) as const;
const transpose = { kind: "permute", axes: [1, 0] } as const;
const reshape = (...shape: Shape) => ({ kind: "reshape", shape }) as const;

/** A way to view a location of some shape; "whole" if the view covers all of it. */
type Seen = readonly [name: string, shape: Shape, how: readonly Transform[], extent?: "whole"];

/** Lists each kind of view, and views of views. None holds an element twice. */
const views: readonly Seen[] = [
  ["slice", [3, 2], [slice([1, 0], [2, 1])]],
  ["strided", [5], [slice([0], [3], [2])]],
  ["transpose", [2, 2], [transpose], "whole"],
  ["diagonal", [2, 2], [{ kind: "diagonal" }]],
  ["reshape", [2, 2], [reshape(4)], "whole"],
  ["column", [2, 2], [slice([0, 1], [2, 1]), reshape(2)]],
  ["transposed_slice", [2, 3], [transpose, slice([1, 0], [2, 2])]],
];

const primes = [2, 3, 5, 7, 11, 13];

function filled(shape: Shape): number[] | number[][] {
  const [rows = 1, columns] = shape;
  if (columns === undefined) return primes.slice(0, rows);
  return Array.from({ length: rows }, (_, i) => primes.slice(i * columns, (i + 1) * columns));
}

/** Sees a location in the way of a view. */
const seenBy = (a: ProgramReference, how: readonly Transform[]): ProgramReference =>
  how.reduce((reference, transform) => reference.view(transform), a);

/** Vectors of views that were made before the location is written and see the new contents. */
const read: readonly StateText[] = views.map(([name, shape, how]) =>
  vector(`${name}_sees_a_write 10.3: view_is_a_copy`, {
    note: `a ${words(name)} made before the location is multiplied by x sees the products`,
    ...onLocation([filled(shape)], (a, x) => {
      const seen = seenBy(a, how);
      a.update("multiply", x);
      return [seen];
    }),
  }),
);

/** Vectors of writes through a view, which leave the rest of the location as it was. */
const written: readonly StateText[] = views.map(([name, shape, how, extent]) => {
  const faults = "write_through_view_lost view_is_a_copy written_gradient_lost";
  return vector(`${name}_is_written 10.3: ${faults}${extent === "whole" ? "" : " rest_of_location_cut"}`, {
    note: `what is written through a ${words(name)} is in the location, with its gradient, and what is beside it keeps its own`,
    ...inPlace([filled(shape), 3], (a, _, { input }) => {
      const seen = seenBy(a, how);
      seen.write(seen.multiply(input("y")));
    }),
  });
});

/** Vectors of values saved through a view and overwritten through the location, or the reverse. */
const saved: readonly StateText[] = views.map(([name, shape, how]) =>
  vector(`${name}_is_saved_and_overwritten 10.5: saved_value_not_kept`, {
    note: `the square of a ${words(name)} saves what is then overwritten in the location: a check of the view alone does not see it`,
    ...onLocation([filled(shape)], (a) => {
      const seen = seenBy(a, how);
      const y = seen.multiply(seen);
      a.update("add", 1);
      return [y];
    }),
  }),
);

/** Vectors of each kind of view by itself. */
export const viewing: readonly StateText[] = [
  ...read,
  ...written,
  ...saved,
  vector("steps_of_a_slice 10.3: steps_ignored", {
    note: "a[0:5:2] ← y goes to 0, 2 and 4, and not to three neighbours",
    ...inPlace(numbers("[2, 3, 5, 7, 11], [13, 17, 19]"), (a, _, { input }) =>
      a.view(slice([0], [3], [2])).write(input("y", [3])),
    ),
  }),
  vector("strides_of_a_transpose 10.3: permutation_ignored", {
    note: "a transposed view is written row by row, which is column by column of the location",
    ...inPlace(numbers("[[2, 3], [5, 7]], [[11, 13], [17, 19]]"), (a, _, { input }) =>
      a.view(transpose).update("multiply", input("y", [2, 2])),
    ),
  }),
  vector("broadcast_sees_a_write 10.3: view_is_a_copy", {
    note: "a broadcast view sees each element of the location twice, after it was overwritten, and the cotangents of both add up",
    ...onLocation(numbers("[2, 3], [[5, 7], [11, 13]]"), (a, x, { input }) => {
      const y = input("y", [2, 2]);
      const wide = a.view({ kind: "broadcast", shape: [2, 2] });
      a.update("multiply", x);
      return [wide.multiply(y)];
    }),
  }),
  vector("broadcast_is_not_written 10.3: view_is_a_copy", {
    note: "a write through a view that sees an element twice has no meaning: which value stays is nobody's to say",
    ...asked([[2], [3, 5]], ({ input, buffer, procedure, call }) => {
      const fill = procedure("fill", [byReference("v", [2]), byValue("w", [2])], (v, w) => {
        reference(v).write(value(w));
        return [];
      });
      const a = buffer(input("x", [1]));
      call(fill, a.view({ kind: "broadcast", shape: [2] }), input("y", [2]));
      return [a];
    }),
  }),
  vector("reshape_of_a_transpose_is_a_copy 10.3", {
    note: "no strides see a transpose in one row: the reshape is a copy, and a write through it does not reach the location",
    ...onLocation(numbers("[[2, 3], [5, 7]]"), (a) => {
      const row = a.view(transpose).view(reshape(4));
      row.update("multiply", row);
      return [a, row];
    }),
    ...wrongly("all", "reshape_always_shares", ({ input, buffer }) => {
      const a = buffer(input("x", [2, 2]));
      const turned = a.view(transpose);
      turned.update("multiply", turned);
      return [a, turned.reshape({ shape: [4] })];
    }),
  }),
  vector("reshape_of_rows_is_a_view 10.3: reshape_is_a_copy", {
    note: "rows one after the other are reshaped without a copy: the write reaches the location",
    ...inPlace(numbers("[[2, 3], [5, 7], [11, 13]]"), (a) => {
      const rows = a.view(slice([1, 0], [2, 2]));
      const row = rows.view(reshape(4));
      row.update("multiply", row);
    }),
  }),
  vector("diagonal_of_a_transposed_block 10.3: view_is_a_copy slice_starts_at_zero saved_value_not_kept", {
    note: "the diagonal of a transposed block of a matrix is scaled in place: offsets and strides of three views add up",
    ...inPlace(numbers("[[2, 3, 5], [7, 11, 13]], [17, 19]"), (a, _, { input }) => {
      const y = input("y", [2]);
      const block = a.view(slice([0, 1], [2, 2]));
      const line = block.view(transpose).view({ kind: "diagonal" });
      line.update("multiply", y);
    }),
  }),
  vector("view_by_a_counter 10.3: counter_is_stale view_is_a_copy loop_one_turn_short", {
    note: "the row that the counter names is multiplied in each turn; a view made once is that of the first row",
    ...inPlace(numbers("[[2, 3], [5, 7], [11, 13]], [17, 19]"), (a, _, { input, for_ }) => {
      const y = input("y", [2]);
      for_(3, (i) => a.at(i).update("multiply", y));
    }),
  }),
  vector("slice_of_nothing_is_written 10.3", {
    note: "a slice of no elements is written: nothing changes, and nothing is refused",
    parameters: [[2, 5], []],
    ...forked("all", "slice_of_nothing_is_all", (isWrong, { input, buffer }) => {
      const [x, y] = [input("x", [2]), input("y", [0])];
      const a = buffer(x);
      const squared = a.multiply(a);
      if (isWrong) a.write(0);
      else a.view(slice([1], [0])).write(y);
      return [a.add(squared)];
    }),
  }),
];

function words(name: string): string {
  return name.replaceAll("_", " ");
}
