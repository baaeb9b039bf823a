import { floatAt, integerAt, stridesOf } from "../../spec/shapes/index.ts";
import { allocate, blockAt, clear, positionsOf, soundParts } from "../interpretation/index.ts";
import { type Mutant, mutantTable, withKernel } from "./mutant.ts";
import { binaryForward, unaryForward } from "./rules.ts";

const { kernels } = soundParts;

/** Sums the first nine terms of the exponential series. */
function series(x: number): number {
  let total = 1;
  for (let n = 8; n > 0; n--) total = 1 + (x / n) * total;
  return total;
}

/** A whole turn in float32. */
const turn: number = Math.fround(2 * Math.PI);

/** These faults concern the values themselves: formulas, precision, index slips. */
export const valueMutants: readonly Mutant[] = mutantTable({
  // These compute another function.
  add_saturates: {
    fault: "A sum is clamped to ±16, the range of a small accumulator.",
    source: "D04",
    change: withKernel("add", { forward: binaryForward((x, y) => Math.min(Math.max(x + y, -16), 16)) }),
  },
  subtract_magnitude: {
    fault: "A difference is taken without its sign.",
    change: withKernel("subtract", { forward: binaryForward((x, y) => Math.abs(x - y)) }),
  },
  maximum_of_magnitudes: {
    fault: "maximum compares magnitudes.",
    change: withKernel("maximum", { forward: binaryForward((x, y) => (Math.abs(x) < Math.abs(y) ? y : x)) }),
  },
  relu_capped: {
    fault: "relu is capped at 6.",
    source: "C22",
    change: withKernel("relu", { forward: unaryForward((x) => (0 < x ? Math.min(x, 6) : 0)) }),
  },
  floor_truncates: {
    fault: "floor rounds towards zero.",
    change: withKernel("floor", { forward: unaryForward(Math.trunc) }),
  },
  exp_clamped: {
    fault: "exp clamps its operand at 4, so as not to overflow.",
    source: "C15",
    change: withKernel("exp", { forward: unaryForward((x) => Math.exp(Math.min(x, 4))) }),
  },
  tanh_saturates_early: {
    fault: "tanh is 1 from 5 on, where it still differs from 1 by 10⁻⁴.",
    source: "D30",
    change: withKernel("tanh", {
      forward: unaryForward((x) => (Math.abs(x) < 5 ? Math.tanh(x) : Math.sign(x))),
    }),
  },
  atan2_one_quadrant: {
    fault: "atan2 is the arc tangent of the quotient, which knows half of the circle.",
    source: "C28",
    change: withKernel("atan2", { forward: binaryForward((y, x) => Math.atan(y / x)) }),
  },

  // Here a formula loses digits, or its value at a point.
  divide_by_reciprocal: {
    fault: "A quotient is the product with a rounded reciprocal.",
    source: "C31",
    change: withKernel("divide", { forward: binaryForward((x, y) => x * (1 / y)) }),
  },
  expm1_cancels: {
    fault: "expm1 is computed as eˣ − 1, which loses its digits near zero.",
    source: "C30",
    change: withKernel("expm1", { forward: unaryForward((x) => Math.exp(x) - 1) }),
  },
  tanh_cancels: {
    fault: "tanh is computed as 2/(1 + e⁻²ˣ) − 1, which loses its digits near zero.",
    source: "C30",
    change: withKernel("tanh", { forward: unaryForward((x) => 2 / (1 + Math.exp(-2 * x)) - 1) }),
  },
  exp_by_series: {
    fault:
      "exp is a Taylor polynomial of degree eight around the nearest integer, which float32 would not tell.",
    source: "D30",
    change: withKernel("exp", {
      forward: unaryForward((x) =>
        Number.isFinite(x) ? Math.exp(Math.round(x)) * series(x - Math.round(x)) : Math.exp(x),
      ),
    }),
  },
  cos_wrong_literal: {
    fault: "Near zero cos is a polynomial, in which 1/24 has lost a digit.",
    source: "D30",
    change: withKernel("cos", {
      forward: unaryForward((x) =>
        Math.abs(x) < 0.75 ? Math.cos(x) + (0.041666666667 - 1 / 24) * x ** 4 : Math.cos(x),
      ),
    }),
  },
  sin_reduced_roughly: {
    fault: "sin reduces its operand by 2π rounded to float32.",
    source: "C28",
    change: withKernel("sin", {
      forward: unaryForward((x) => Math.sin(Number.isFinite(x) ? x - turn * Math.round(x / turn) : x)),
    }),
  },
  pow_through_logarithm: {
    fault: "pow is computed as exp(y · log x), which is NaN for a negative base.",
    source: "C09",
    change: withKernel("pow", { forward: binaryForward((x, y) => Math.exp(y * Math.log(x))) }),
  },
  sqrt_as_quotient: {
    fault: "sqrt is computed as x · (1/√x), which is NaN at 0.",
    source: "C05",
    change: withKernel("sqrt", { forward: unaryForward((x) => x * (1 / Math.sqrt(x))) }),
  },

  // Here guards were left in.
  divide_guarded: {
    fault: "divide adds 2⁻⁴⁰ to the divisor, so as not to divide by zero.",
    source: "C02",
    change: withKernel("divide", { forward: binaryForward((x, y) => x / (y + 2 ** -40)) }),
  },
  log_guarded: {
    fault: "log adds 2⁻³⁰ to its operand, so as not to meet zero.",
    source: "C11",
    change: withKernel("log", { forward: unaryForward((x) => Math.log(x + 2 ** -30)) }),
  },

  // These concern precision.
  single_inside_double: {
    fault: "Whatever precision is asked for, everything is computed in float32.",
    change: { allocate: (extents) => allocate(extents, "float32") },
  },
  full_in_single: {
    fault: "The number that full repeats is rounded to float32.",
    source: "A20",
    change: withKernel("full", { literal: ({ value }) => Math.fround(value) }),
  },
  log_in_single: {
    fault: "The value of log is computed in float32.",
    source: "A20",
    change: withKernel("log", { forward: unaryForward((x) => Math.fround(Math.log(x))) }),
  },
  multiply_in_single: {
    fault: "Products are rounded to float32.",
    source: "A20",
    change: withKernel("multiply", { forward: binaryForward((x, y) => Math.fround(x * y)) }),
  },
  sum_in_single: {
    fault: "Sums are accumulated in float32.",
    source: "G06",
    change: withKernel("sum", {
      forward({ values }, { out, size, x, xSize, table }) {
        clear(values, out, size);
        for (let i = 0; i < xSize; i++) {
          const position = out + integerAt(table, i);
          values[position] = Math.fround(floatAt(values, position) + floatAt(values, x + i));
        }
      },
    }),
  },

  // These concern comparisons and choices.
  less_or_equal: {
    fault: "less is 1 at a tie.",
    source: "C22",
    change: withKernel("less", { forward: binaryForward((x, y) => (x <= y ? 1 : 0)) }),
  },
  equal_tells_zeros: {
    fault: "equal compares bits, so that 0 and −0 differ.",
    source: "C24",
    change: withKernel("equal", { forward: binaryForward((x, y) => (Object.is(x, y) ? 1 : 0)) }),
  },
  where_takes_positive: {
    fault: "The condition of where holds if it is positive, not if it is other than zero.",
    change: withKernel("where", {
      forward({ values }, { out, size, x: condition, y: x, z: y }) {
        for (let i = 0; i < size; i++) {
          values[out + i] = floatAt(values, (0 < floatAt(values, condition + i) ? x : y) + i);
        }
      },
    }),
  },
  where_as_weighted_sum: {
    fault: "where is computed as m·x + (1 − m)·y, so that an infinity it did not choose makes it NaN.",
    source: "C01",
    change: withKernel("where", {
      forward({ values }, { out, size, x: condition, y: x, z: y }) {
        for (let i = 0; i < size; i++) {
          const mask = values[condition + i] === 0 ? 0 : 1;
          values[out + i] = mask * floatAt(values, x + i) + (1 - mask) * floatAt(values, y + i);
        }
      },
    }),
  },
  mask_keeps_with_rate: {
    fault: "bernoulli_mask is 1 with the probability with which it ought to be 0.",
    source: "D15",
    change: withKernel("bernoulli_mask", {
      forward(machine, step) {
        kernels.bernoulli_mask.forward(machine, step);
        const { values } = machine;
        for (let i = 0; i < step.size; i++) values[step.out + i] = 1 - floatAt(values, step.out + i);
      },
    }),
  },
  mask_key_half_used: {
    fault: "bernoulli_mask draws from the first half of its key alone.",
    source: "D17",
    change: withKernel("bernoulli_mask", {
      forward(machine, step) {
        const indices = machine.indices.with(integerAt(step.table, 0) + 1, 0);
        kernels.bernoulli_mask.forward({ ...machine, indices }, step);
      },
    }),
  },

  // These concern sums.
  empty_sum_is_one: {
    fault: "The sum of no elements is 1, the neutral element of the product.",
    source: "B20",
    change: withKernel("sum", {
      forward(machine, step) {
        kernels.sum.forward(machine, step);
        if (step.xSize === 0) machine.values.fill(1, step.out, step.out + step.size);
      },
    }),
  },
  sum_drops_last: {
    fault: "The value of a sum is without the operand's last element.",
    change: withKernel("sum", {
      forward({ values }, { out, size, x, xSize, table }) {
        clear(values, out, size);
        for (let i = 0; i < xSize - 1; i++) {
          const position = out + integerAt(table, i);
          values[position] = floatAt(values, position) + floatAt(values, x + i);
        }
      },
    }),
  },
  sum_first_axis_only: {
    fault: "Of several axes only the first is summed; along the others the first slice is taken.",
    source: "B12",
    change: withKernel("sum", {
      prepare(placement) {
        const {
          attributes: { axes },
          parents: [x = []],
        } = placement;
        const isLater = (axis: number): boolean => axes.includes(axis) && axis !== axes[0];
        const marks = x.map((_, axis) => (isLater(axis) ? 1 : 0));
        return Int32Array.of(...kernels.sum.prepare(placement), ...positionsOf(x, marks));
      },
      forward({ values }, { out, size, x, xSize, table }) {
        clear(values, out, size);
        for (let i = 0; i < xSize; i++) {
          if (integerAt(table, xSize + i) !== 0) continue;
          const position = out + integerAt(table, i);
          values[position] = floatAt(values, position) + floatAt(values, x + i);
        }
      },
      jvp(machine, step) {
        kernels.sum.jvp(machine, { ...step, table: step.table.subarray(0, step.xSize) });
      },
      vjp(machine, step) {
        kernels.sum.vjp(machine, { ...step, table: step.table.subarray(0, step.xSize) });
      },
    }),
  },
  cumulative_sum_runs_on: {
    fault: "A cumulative sum runs on from one row into the next.",
    source: "B12",
    change: withKernel("cumulative_sum", {
      forward({ values }, { out, size, x, table }) {
        const [, inner = 0] = table;
        for (let i = 0; i < size; i++) {
          values[out + i] = (i < inner ? 0 : floatAt(values, out + i - inner)) + floatAt(values, x + i);
        }
      },
    }),
  },
  matmul_tile_remainder: {
    fault: "A matrix product runs in tiles of two, and an odd inner extent above two loses its last term.",
    source: "D09",
    change: withKernel("matmul", {
      forward(machine, step) {
        const [batch = 0, rows = 0, inner = 0, columns = 0] = step.table;
        kernels.matmul.forward(machine, step);
        if (inner < 3 || inner % 2 === 0) return;
        const { values } = machine;
        for (let i = 0; i < batch * rows * columns; i++) {
          const [row, column] = [Math.floor(i / columns), i % columns];
          const right = step.y + (Math.floor(row / rows) + 1) * inner * columns - columns + column;
          const term = floatAt(values, step.x + (row + 1) * inner - 1) * floatAt(values, right);
          values[step.out + i] = floatAt(values, step.out + i) - term;
        }
      },
    }),
  },

  // These concern places.
  broadcast_aligned_left: {
    fault: "Shapes are aligned at their first axes instead of their last, where both would fit.",
    source: "B16",
    change: withKernel("broadcast_to", {
      prepare(placement) {
        const {
          parents: [x = []],
          shape,
        } = placement;
        const fits = x.every((extent, axis) => extent === 1 || extent === shape[axis]);
        if (!fits) return kernels.broadcast_to.prepare(placement);
        const added = shape.slice(x.length).map(() => 0);
        const strides = stridesOf(x).map((stride, axis) => (x[axis] === 1 ? 0 : stride));
        return positionsOf(shape, [...strides, ...added]);
      },
    }),
  },
  reshape_reads_columns: {
    fault: "reshape reads a matrix column by column.",
    source: "B15",
    change: withKernel("reshape", {
      prepare({ parents: [x = []] }) {
        const [rows = 0, columns = 0] = x;
        if (x.length !== 2) return positionsOf(x, stridesOf(x));
        return positionsOf([columns, rows], [1, columns]);
      },
      forward({ values }, { out, size, x, table }) {
        for (let i = 0; i < size; i++) values[out + i] = floatAt(values, x + integerAt(table, i));
      },
    }),
  },
  permuted_view_not_moved: {
    fault: "permute_dims changes the shape and leaves the elements where they are.",
    source: "B15",
    change: withKernel("permute_dims", { forward: unaryForward((x) => x) }),
  },
  iota_counts_elements: {
    fault: "iota counts the elements, not the places along its axis.",
    source: "B15",
    change: withKernel("iota", {
      forward({ values }, { out, size }) {
        for (let i = 0; i < size; i++) values[out + i] = i;
      },
    }),
  },
  take_last_entry_clamped: {
    fault: "The value of take clamps its indices below the last entry of a longer axis.",
    source: "D26",
    change: withKernel("take", {
      forward(machine, step) {
        const last = Math.max(0, integerAt(step.table, 2) - 2);
        const indices = machine.indices.map((index) => Math.min(index, last));
        kernels.take.forward({ ...machine, indices }, step);
      },
    }),
  },
  scatter_overwrites: {
    fault: "Of several updates of one place scatter_add keeps the last.",
    source: "B19",
    change: withKernel("scatter_add", {
      forward({ indices, values }, { out, size, x, y, table }) {
        const [, rows = 0, inner = 0] = table;
        values.copyWithin(out, x, x + size);
        for (let row = 0; row < rows; row++) {
          const block = blockAt(indices, table, row);
          for (let i = 0; i < inner; i++) {
            values[out + block + i] = floatAt(values, x + block + i) + floatAt(values, y + row * inner + i);
          }
        }
      },
    }),
  },
});
