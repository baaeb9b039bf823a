import {
  type ProgramBuilder,
  type ProgramOperand,
  type ProgramReference,
  program,
} from "../../spec/programs/index.ts";
import { numbers } from "./case_text.ts";
import { byReference, formula, inPlace, onCallers, pullback, type StateText, vector } from "./state_text.ts";

/** A loop does this to the element of a location that its counter selects. */
type Turn = (element: ProgramReference) => void;

/** A statement on one element of a location. */
interface ElementWise extends Pick<StateText, "note" | "received"> {
  /** Its name, and behind a colon the faults that change the answer. */
  readonly title: string;
  /** Does what comes before the loop; returns the loop's body, and further results beside the location. */
  readonly write: (builder: ProgramBuilder) => Turn | readonly [Turn, ...ProgramOperand[]];
}

/** Writes a loop's body that nothing comes before. */
function each(turn: (element: ProgramReference, builder: ProgramBuilder) => void): ElementWise["write"] {
  return (builder) => (element) => turn(element, builder);
}

const uniform = { kind: "uniform" } as const;

/** Lists every statement on memory or to the tape, through a view that moves from turn to turn. */
const statements: readonly ElementWise[] = [
  {
    title: "write: saved_value_not_kept written_gradient_lost",
    note: "overwritten by its square",
    write: each((element) => element.write(element.multiply(element))),
  },
  {
    title: "detach: detach_ignored detach_is_a_copy",
    note: "scaled through a detached reference, and so constant",
    write: ({ input }) => {
      const y = input("y");
      return (element) => element.detached().update("multiply", y);
    },
  },
  {
    title: "if: branch_decided_again loop_one_turn_short",
    note: "squared where it is less than 4, and else doubled: each turn decides for itself",
    write: each((element, { if_ }) =>
      if_(
        element.less(4),
        () => element.update("multiply", element),
        () => element.update("multiply", 2),
      ),
    ),
  },
  {
    title: "while: while_once saved_value_not_kept",
    note: "squared until it is 20 or more: another number of times in each turn",
    write: each((element, { buffer, while_ }) => {
      const isLess = buffer(element.less(20));
      while_(isLess, 5, () => {
        element.update("multiply", element);
        isLess.write(element.less(20));
      });
    }),
  },
  {
    title: "call: reference_parameter_is_copied saved_value_not_kept",
    note: "squared by a procedure that has a reference to it",
    write: ({ procedure, call }) => {
      const square = onCallers(procedure, "square", byReference("e"), (e) => e.update("multiply", e));
      return (element) => void call(square, element);
    },
  },
  {
    title: "draw: draws_all_alike mask_redrawn",
    note: "scaled by a random number of its own",
    write: each((element, { draw }) => element.update("multiply", draw(uniform, []))),
  },
  {
    title: "receive: received_again received_again_in_the_sweep",
    note: "scaled by what comes from outside in its turn",
    received: { in: [7, 11, 13] },
    write: each((element, { receive }) => element.update("multiply", receive("in", []))),
  },
  {
    title: "no_grad: no_grad_ignored no_grad_writes_lost",
    note: "doubled under no_grad, and then squared: constant at first",
    write: each((element, { noGrad }) => {
      noGrad(() => element.update("multiply", 2));
      element.update("multiply", element);
    }),
  },
  {
    title: "checkpoint: checkpoint_runs_twice saved_value_not_kept",
    note: "added to a total and squared in a checkpointed block, once",
    write: ({ buffer, checkpoint }) => {
      const total = buffer(0);
      const turn: Turn = (element) =>
        checkpoint(() => {
          total.update("add", element);
          element.update("multiply", element);
        });
      return [turn, total];
    },
  },
  {
    title: "retain: retained_is_the_last retained_backwards loop_one_turn_short",
    note: "cubed, and the cotangent of its square is asked for in each turn",
    write: each((element) => {
      const square = element.multiply(element);
      square.retain();
      element.write(square.multiply(element));
    }),
  },
  {
    title: "differentiate: derivative_is_constant saved_value_not_kept",
    note: "overwritten by the derivative of the cube at it",
    write: ({ procedure, derivative }) => {
      const cube = formula(procedure, "cube", ["v"], (v) => [v.multiply(v).multiply(v)]);
      return (element) => element.write(derivative(cube, pullback, element, 1));
    },
  },
  {
    title: "copy: buffer_gradient_lost saved_value_not_kept",
    note: "copied, the copy cubed and written back, and released",
    write: each((element, { buffer }) => {
      const own = buffer(element);
      own.update("multiply", element);
      own.update("multiply", element);
      element.write(own);
      own.release();
    }),
  },
  {
    title: "broadcast: loop_one_turn_short saved_value_not_kept",
    note: "seen twice by a broadcast view, which sees it doubled",
    write: ({ buffer, input, full }) => {
      const y = input("y", [2]);
      const total = buffer(full({ shape: [2], value: 0 }));
      const turn: Turn = (element) => {
        const wide = element.view({ kind: "broadcast", shape: [2] });
        element.update("multiply", 2);
        total.update("add", wide.multiply(y));
        element.update("multiply", element);
      };
      return [turn, total];
    },
  },
];

/** Vectors that treat the elements of a location one by one, or its rows and columns in turn. */
export const loops: readonly StateText[] = [
  ...statements.map(({ title, write, ...rest }): StateText => {
    const own = program((builder) => {
      const x = builder.input("x", [3]);
      const written = write(builder);
      const [turn, ...besides] = typeof written === "function" ? [written] : written;
      const a = builder.buffer(x);
      builder.for_(3, (i) => turn(a.at(i)));
      return [a, ...besides];
    });
    const scalars = own.procedures[0]?.parameters.slice(1) ?? [];
    return vector(`${title.replace(":", "_of_each_element 10.3:")} counter_is_stale`, {
      ...rest,
      note: `in each turn the element that the counter names is ${rest.note}`,
      program: own,
      parameters: [[2, 3, 5], ...scalars.map(({ shape }) => (shape.length === 0 ? 5 : [5, 7]))],
    });
  }),
  vector("row_by_column_in_turn 10.3", {
    note: "row i is multiplied by column i in place, for each i: both see a[i, i], and the second turn sees what the first has left",
    faults: ["counter_is_stale", "permutation_ignored", "saved_value_not_kept", "view_is_a_copy"],
    ...inPlace(numbers("[[2, 3], [5, 7]]"), (a, _, { for_ }) => {
      const turned = a.view({ kind: "permute", axes: [1, 0] });
      for_(2, (i) => a.at(i).update("multiply", turned.at(i)));
    }),
  }),
  vector("diagonal_carried_over_rows 10.3: counter_is_stale view_is_a_copy loop_one_turn_short", {
    note: "each row is multiplied by the diagonal in turn, which changes with it",
    ...inPlace(numbers("[[2, 3], [5, 7]]"), (a, _, { for_ }) => {
      const diagonal = a.view({ kind: "diagonal" });
      for_(2, (i) => a.at(i).update("multiply", diagonal));
    }),
  }),
  vector("row_major_through_a_reshape 10.3: counter_is_stale reshape_is_a_copy saved_value_not_kept", {
    note: "a matrix is gone through as one row of four, while its first column is scaled in each turn",
    ...inPlace(numbers("[[2, 3], [0.5, 7]], 0.5"), (a, _, { input, for_ }) => {
      const y = input("y");
      const row = a.view({ kind: "reshape", shape: [4] });
      const column = a.view({ kind: "slice", starts: [0, 0], sizes: [2, 1], steps: [1, 1] });
      for_(4, (i) => {
        row.at(i).update("multiply", row.at(i));
        column.update("multiply", y);
      });
    }),
  }),
];
