import { floatAt, integerAt } from "../../spec/shapes/index.ts";
import {
  contribute,
  type Kernel,
  type Machine,
  positionsOf,
  pullRight,
  rounded,
  soundParts,
} from "../interpretation/index.ts";
import { type Mutant, mutantTable, withKernel } from "./mutant.ts";
import { gathering, losing, type Rule } from "./rules.ts";

const { kernels } = soundParts;

/** Extends broadcast_to's table: 0 for elements that are first along every marked axis. */
function marked(
  placement: Parameters<Kernel<"broadcast_to">["prepare"]>[0],
  isMarked: (extent: number, axis: number) => boolean,
): Int32Array {
  const { shape } = placement;
  const marks = shape.map((extent, axis) => (isMarked(extent, axis) ? 1 : 0));
  return Int32Array.of(...kernels.broadcast_to.prepare(placement), ...positionsOf(shape, marks));
}

/** Sums, in the reverse rule of broadcast_to, only the elements with a 0 in that table. */
const sumOfUnmarked: Rule = gathering((machine, { out, size, table }) => {
  for (let i = 0; i < size; i++) {
    if (integerAt(table, size + i) !== 0) continue;
    contribute(machine, machine.work + integerAt(table, i), floatAt(machine.cotangents, out + i));
  }
});

/** Does what the interpreter's `pullLeft` does, but reads the right operand as if it were its transpose. */
function pullLeft(machine: Machine, c: number, y: number, xBar: number, table: Int32Array): void {
  const { isSingle, values, cotangents } = machine;
  const [, rows = 0, inner = 0, columns = 0] = table;
  for (let i = 0; i < rows; i++) {
    for (let k = 0; k < inner; k++) {
      let total = 0;
      for (let j = 0; j < columns; j++) {
        const term = floatAt(cotangents, c + i * columns + j) * floatAt(values, y + j * inner + k);
        total = rounded(total + rounded(term, isSingle), isSingle);
      }
      contribute(machine, xBar + i * inner + k, total);
    }
  }
}

/** These faults concern the reverse rules of operators that repeat or sum elements. */
export const sumMutants: readonly Mutant[] = mutantTable({
  // Here an element that was repeated should receive a sum.
  broadcast_not_summed: {
    fault: "An element that was repeated receives the cotangent of its last copy instead of the sum.",
    source: "B01",
    change: withKernel("broadcast_to", {
      vjp: gathering(({ cotangents, work }, { out, size, table }) => {
        for (let i = 0; i < size; i++) cotangents[work + integerAt(table, i)] = floatAt(cotangents, out + i);
      }),
    }),
  },
  broadcast_not_reduced: {
    fault: "An element that was repeated receives the cotangent of its first copy instead of the sum.",
    source: "B06",
    change: withKernel("broadcast_to", {
      vjp: gathering(({ cotangents, work }, { out, size, table }) => {
        for (let i = size - 1; i >= 0; i--)
          cotangents[work + integerAt(table, i)] = floatAt(cotangents, out + i);
      }),
    }),
  },
  broadcast_averaged: {
    fault: "An element that was repeated receives the mean of its copies' cotangents instead of their sum.",
    source: "B09",
    change: withKernel("broadcast_to", {
      vjp: gathering((machine, { out, size, xSize, table }) => {
        const { cotangents, work } = machine;
        for (let i = 0; i < size; i++)
          contribute(machine, work + integerAt(table, i), floatAt(cotangents, out + i));
        for (let i = 0; i < xSize; i++) cotangents[work + i] = floatAt(cotangents, work + i) / (size / xSize);
      }),
    }),
  },
  broadcast_extent_one_lost: {
    fault:
      "The cotangent of a broadcast is summed over new axes, but not along an axis of extent 1 that was stretched.",
    source: "B02",
    change: withKernel("broadcast_to", {
      prepare(placement) {
        const {
          parents: [x = []],
          shape,
        } = placement;
        const added = shape.length - x.length;
        return marked(placement, (extent, axis) => axis >= added && x[axis - added] === 1 && extent > 1);
      },
      vjp: sumOfUnmarked,
    }),
  },
  broadcast_new_axis_lost: {
    fault:
      "The cotangent of a broadcast is summed along stretched axes, but of a new axis only the first entry counts.",
    source: "B04",
    change: withKernel("broadcast_to", {
      prepare(placement) {
        const {
          parents: [x = []],
          shape,
        } = placement;
        return marked(placement, (_, axis) => axis < shape.length - x.length);
      },
      vjp: sumOfUnmarked,
    }),
  },

  // Here an element that was summed should receive the sum's cotangent.
  sum_to_first_only: {
    fault: "Of the elements that were summed only the first receives the cotangent.",
    source: "B01",
    change: withKernel("sum", {
      vjp(machine, { out, xBar, table }) {
        const served = new Set<number>();
        for (const [i, position] of table.entries()) {
          contribute(
            machine,
            xBar + i,
            served.has(position) ? 0 : floatAt(machine.cotangents, out + position),
          );
          served.add(position);
        }
      },
    }),
  },
  sum_shared_out: {
    fault: "The cotangent of a sum is divided by the number of elements summed, as if it were a mean.",
    source: "B08",
    change: withKernel("sum", {
      vjp(machine, { out, size, xSize, xBar, table }) {
        for (let i = 0; i < xSize; i++) {
          contribute(
            machine,
            xBar + i,
            floatAt(machine.cotangents, out + integerAt(table, i)) / (xSize / size),
          );
        }
      },
    }),
  },
  sum_cotangent_flat: {
    fault: "The elements summed into one receive the cotangent as if they lay next to each other.",
    source: "B07",
    change: withKernel("sum", {
      vjp(machine, { out, size, xSize, xBar }) {
        for (let i = 0; i < xSize; i++) {
          contribute(machine, xBar + i, floatAt(machine.cotangents, out + Math.floor((i * size) / xSize)));
        }
      },
    }),
  },
  summed_axis_not_restored: {
    fault: "The cotangent of a sum is expanded along the leading axes, whichever axes were summed.",
    source: "B07",
    change: withKernel("sum", {
      vjp(machine, { out, size, xSize, xBar }) {
        for (let i = 0; i < xSize; i++)
          contribute(machine, xBar + i, floatAt(machine.cotangents, out + (i % size)));
      },
    }),
  },
  cumulative_sum_not_reversed: {
    fault: "The cotangent of a cumulative sum is summed upwards, as the value is.",
    source: "C13",
    change: withKernel("cumulative_sum", {
      vjp: gathering(({ cotangents, work }, { out, size, table }) => {
        const [extent = 0, inner = 0] = table;
        for (let i = 0; i < size; i++) {
          const isFirst = Math.floor(i / inner) % extent === 0;
          cotangents[work + i] =
            (isFirst ? 0 : floatAt(cotangents, work + i - inner)) + floatAt(cotangents, out + i);
        }
      }),
    }),
  },

  // These concern matrices.
  matmul_not_transposed: {
    fault: "The cotangent of a matrix product's left operand is c·y instead of c·yᵀ.",
    source: "B14",
    change: withKernel("matmul", {
      vjp(machine, { out, x, y, xBar, yBar, table }) {
        const [batch = 0, rows = 0, inner = 0, columns = 0] = table;
        for (let b = 0; b < batch; b++) {
          const c = out + b * rows * columns;
          const left = b * rows * inner;
          const right = b * inner * columns;
          pullLeft(machine, c, y + right, xBar + left, table);
          pullRight(machine, c, x + left, yBar + right, table);
        }
      },
    }),
  },
  matmul_right_not_transposed: {
    fault: "The cotangent of a matrix product's right operand is x·c instead of xᵀ·c.",
    source: "B14",
    change: withKernel("matmul", {
      vjp(machine, step) {
        const { out, x, yBar, table } = step;
        const [batch = 0, rows = 0, inner = 0, columns = 0] = table;
        const values = machine.values.slice();
        for (let i = 0; i < batch * rows * inner; i++) {
          const [b, k] = [Math.floor(i / (rows * inner)), i % (rows * inner)];
          const turned = b * rows * inner + (k % rows) * inner + Math.floor(k / rows);
          values[x + i] = floatAt(machine.values, x + turned);
        }
        for (let b = 0; b < batch; b++) {
          const [c, left, right] = [out + b * rows * columns, b * rows * inner, b * inner * columns];
          pullRight({ ...machine, values }, c, x + left, yBar + right, table);
        }
        losing(machine, batch * inner * columns, (longer, nowhere) =>
          kernels.matmul.vjp(longer, { ...step, yBar: nowhere }),
        );
      },
    }),
  },
  matmul_first_batch_only: {
    fault: "Of a batch of matrix products only the first is pulled back.",
    source: "B04",
    change: withKernel("matmul", {
      vjp(machine, step) {
        const [batch = 0, ...extents] = step.table;
        kernels.matmul.vjp(machine, { ...step, table: Int32Array.of(Math.min(batch, 1), ...extents) });
      },
    }),
  },
  matmul_first_batch_reused: {
    fault: "The reverse rule of matmul reads the first matrix of each batch for all of them.",
    source: "B21",
    change: withKernel("matmul", {
      vjp(machine, step) {
        const [batch = 0, rows = 0, inner = 0, columns = 0] = step.table;
        const table = Int32Array.of(1, rows, inner, columns);
        for (let b = 0; b < batch; b++) {
          const out = step.out + b * rows * columns;
          const [xBar, yBar] = [step.xBar + b * rows * inner, step.yBar + b * inner * columns];
          kernels.matmul.vjp(machine, { ...step, out, xBar, yBar, table });
        }
      },
    }),
  },
  matmul_repeated_operand: {
    fault: "A matrix times itself receives the contribution of one operand.",
    source: "A02",
    change: withKernel("matmul", {
      vjp(machine, step) {
        if (step.x !== step.y) return kernels.matmul.vjp(machine, step);
        losing(machine, step.xSize, (longer, nowhere) =>
          kernels.matmul.vjp(longer, { ...step, yBar: nowhere }),
        );
      },
    }),
  },
  det_not_transposed: {
    fault: "The cotangent of det is c · det A · A⁻¹, without the transpose.",
    source: "B14",
    change: withKernel("det", {
      vjp(machine, step) {
        const { xSize, size, xBar } = step;
        const cotangents = machine.cotangents.slice();
        cotangents.fill(0, xBar, xBar + xSize);
        kernels.det.vjp({ ...machine, cotangents }, step);
        const order = Math.round(Math.sqrt(xSize / size));
        for (let i = 0; i < xSize; i++) {
          const [row, column] = [Math.floor(i / order) % order, i % order];
          const turned = i + (column - row) * order + row - column;
          contribute(machine, xBar + i, floatAt(cotangents, xBar + turned));
        }
      },
    }),
  },
  solve_matrix_constant: {
    fault: "The matrix of solve receives no cotangent.",
    source: "A18",
    change: withKernel("solve", {
      vjp(machine, step) {
        losing(machine, step.xSize, (longer, nowhere) =>
          kernels.solve.vjp(longer, { ...step, xBar: nowhere }),
        );
      },
    }),
  },
});
