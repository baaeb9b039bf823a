import { floatAt, integerAt } from "../../../spec/shapes/index.ts";
import { contribute, soundParts } from "../../interpretation/index.ts";
import { type Mutant, mutantTable, survivor, withKernel } from "../mutant.ts";
import { binaryForward, unaryForward } from "../rules.ts";

const { kernels } = soundParts;

/** The least positive normal number. */
const leastNormal: number = 2 ** -1022;

/** Computes the arc sine to 2 · 10⁻⁸: π/2 − √(1 − x) · (a₀ + … + a₇ x⁷) [Abramowitz, Stegun, 4.4.46]. */
function arcSine(x: number): number {
  const coefficients = [
    -0.0012624911, 0.0066700901, -0.0170881256, 0.030891881, -0.0501743046, 0.0889789874, -0.2145988016,
    1.570796305,
  ];
  const size = Math.abs(x);
  const polynomial = coefficients.reduce((sum, coefficient) => sum * size + coefficient, 0);
  return Math.sign(x) * (Math.PI / 2 - Math.sqrt(1 - size) * polynomial);
}

/** 2π in two words of float32, whose error shows once a large number takes them many times. */
const turnHigh: number = Math.fround(2 * Math.PI);
const turnLow: number = Math.fround(2 * Math.PI - turnHigh);

/** These faults concern values: at large arguments, along long axes, near the ends of the format. */
export const valueMutants: readonly Mutant[] = mutantTable({
  // These concern the ends of the format.
  exp_subnormal_flushed: {
    fault: "exp is 0 where its result would be subnormal, since its exponent is put together from bits.",
    source: "https://github.com/llvm/llvm-project/pull/212696",
    change: withKernel("exp", {
      forward: unaryForward((x) => (Math.exp(x) < leastNormal ? 0 : Math.exp(x))),
    }),
  },
  exp_underflows_early: {
    fault: "exp is 0 from −690 down, though its results there are normal numbers.",
    source: survivor,
    change: withKernel("exp", { forward: unaryForward((x) => (x < -690 ? 0 : Math.exp(x))) }),
  },
  multiply_subnormal_flushed: {
    fault: "A product that is subnormal is flushed to zero.",
    source: "https://github.com/iree-org/iree/pull/20242",
    change: withKernel("multiply", {
      forward: binaryForward((x, y) => (Math.abs(x * y) < leastNormal ? 0 * x * y : x * y)),
    }),
  },
  hypot_squares_overflow: {
    fault: "hypot is the root of a sum of squares that overflow.",
    source: "https://github.com/numba/numba/issues/1877",
    change: withKernel("hypot", { forward: binaryForward((x, y) => Math.sqrt(x * x + y * y)) }),
  },

  // These concern large arguments.
  sin_reduced_in_two_words: {
    fault: "Above 10⁵ sin takes whole turns off its operand in two words of float32.",
    source: "https://github.com/tenstorrent/tt-metal/issues/51845",
    change: withKernel("sin", {
      forward: unaryForward((x) => {
        const turns = Math.round(x / (2 * Math.PI));
        return Math.sin(Math.abs(x) > 1e5 ? x - turns * turnHigh - turns * turnLow : x);
      }),
    }),
  },
  cos_octant_overflows: {
    fault: "cos counts octants in 32 bits, and is infinite where they do not suffice.",
    source: "https://github.com/ml-explore/mlx/pull/4157",
    change: withKernel("cos", {
      forward: unaryForward((x) =>
        (Math.abs(x) * 4) / Math.PI < 2 ** 32 || !Number.isFinite(x) ? Math.cos(x) : Number.POSITIVE_INFINITY,
      ),
    }),
  },
  pow_of_magnitude: {
    fault: "pow of a negative base to an odd number has lost its sign.",
    source: survivor,
    change: withKernel("pow", { forward: binaryForward((x, y) => Math.abs(x) ** y) }),
  },

  // These concern formulas.
  log1p_cancels: {
    fault: "log1p is the logarithm of 1 + x, which loses its digits near zero.",
    source: "https://github.com/pytorch/pytorch/pull/92145",
    change: withKernel("log1p", { forward: unaryForward((x) => Math.log(1 + x)) }),
  },
  asin_to_eight_digits: {
    fault: "asin is a polynomial good for float32, in float64 too.",
    source: "tinygrad, met with an adapter",
    change: withKernel("asin", { forward: unaryForward(arcSine) }),
  },

  // These concern NaN.
  maximum_swallows_nan: {
    fault: "maximum is a comparison and a choice, which drop a second operand that is NaN.",
    source: "https://github.com/tinygrad/tinygrad/pull/15828",
    change: withKernel("maximum", { forward: binaryForward((x, y) => (x < y ? y : x)) }),
  },
  relu_swallows_nan: {
    fault: "relu of NaN is 0.",
    source: "https://github.com/apache/tvm/issues/19579",
    change: withKernel("relu", { forward: unaryForward((x) => (0 < x ? x : 0)) }),
  },
  matmul_zero_annihilates: {
    fault: "A matrix product skips the terms whose left factor is 0, also where the right one is infinite.",
    source: "https://github.com/EnzymeAD/Enzyme.jl/issues/445",
    change: withKernel("matmul", {
      forward({ values }, { out, x, y, table }) {
        const [batch = 0, rows = 0, inner = 0, columns = 0] = table;
        for (let i = 0; i < batch * rows * columns; i++) {
          const [row, column] = [Math.floor(i / columns), i % columns];
          const right = y + Math.floor(row / rows) * inner * columns + column;
          let total = 0;
          for (let k = 0; k < inner; k++) {
            const factor = floatAt(values, x + row * inner + k);
            if (factor !== 0) total += factor * floatAt(values, right + k * columns);
          }
          values[out + i] = total;
        }
      },
    }),
  },

  // These concern long axes: blocks, tiles and lanes.
  sum_vector_tail_lost: {
    fault: "A sum of a thousand elements and more leaves out what does not fill a vector of eight.",
    source: "https://github.com/pytorch/pytorch/issues/196681",
    change: withKernel("sum", {
      forward(machine, step) {
        kernels.sum.forward(machine, step);
        const { values } = machine;
        if (step.size !== 1 || step.xSize < 1000) return;
        for (let i = step.xSize - (step.xSize % 8); i < step.xSize; i++) {
          values[step.out] = floatAt(values, step.out) - floatAt(values, step.x + i);
        }
      },
    }),
  },
  cumulative_sum_carry_lost: {
    fault: "A cumulative sum runs in blocks of 1024, and a block starts from 0.",
    source: "https://github.com/Jittor/jittor/pull/330",
    change: withKernel("cumulative_sum", {
      forward({ values }, { out, size, x, table }) {
        const [extent = 0, inner = 0] = table;
        for (let i = 0; i < size; i++) {
          const starts = (Math.floor(i / inner) % extent) % 1024 === 0;
          values[out + i] = (starts ? 0 : floatAt(values, out + i - inner)) + floatAt(values, x + i);
        }
      },
    }),
  },
  matmul_half_tile_lost: {
    fault: "A matrix product runs in tiles of 16, and half a tile that is left over is dropped.",
    source: "https://github.com/tile-ai/tilelang/issues/2381",
    change: withKernel("matmul", {
      forward(machine, step) {
        kernels.matmul.forward(machine, step);
        const { values } = machine;
        const [batch = 0, rows = 0, inner = 0, columns = 0] = step.table;
        if (inner < 16 || inner % 16 !== 8) return;
        for (let i = 0; i < batch * rows * columns; i++) {
          const [row, column] = [Math.floor(i / columns), i % columns];
          const right = step.y + Math.floor(row / rows) * inner * columns + column;
          for (let k = inner - 8; k < inner; k++) {
            const term = floatAt(values, step.x + row * inner + k) * floatAt(values, right + k * columns);
            values[step.out + i] = floatAt(values, step.out + i) - term;
          }
        }
      },
    }),
  },

  // These concern lookups.
  take_index_in_bfloat16: {
    fault: "take keeps its indices in bfloat16, which has no odd number above 256.",
    source: "https://github.com/tenstorrent/tt-mlir/pull/8732",
    change: withKernel("take", {
      forward(machine, step) {
        const indices = machine.indices.map((index) => (index > 256 && index < 512 ? index & ~1 : index));
        kernels.take.forward({ ...machine, indices }, step);
      },
    }),
  },
  scatter_update_stride: {
    fault: "scatter_add reads the rows of its updates as if they lay one element apart.",
    source: "https://github.com/unslothai/unsloth-zoo/pull/776",
    change: withKernel("scatter_add", {
      forward(machine, step) {
        const [, rows = 0, inner = 0] = step.table;
        const values = machine.values.slice();
        for (let row = 0; row < rows; row++) {
          const from = step.y + row;
          values.set(machine.values.subarray(from, from + inner), step.y + row * inner);
        }
        kernels.scatter_add.forward({ ...machine, values }, step);
        machine.values.set(values.subarray(step.out, step.out + step.size), step.out);
      },
    }),
  },
  relu_in_place: {
    fault: "relu writes its value over its operand, where later nodes still read.",
    source: "gorgonia, met with an adapter: a tape that writes through a reshape",
    change: withKernel("relu", {
      forward(machine, step) {
        kernels.relu.forward(machine, step);
        machine.values.copyWithin(step.x, step.out, step.out + step.size);
      },
    }),
  },
});

/** These faults concern the slopes of single operators. */
export const slopeMutants: readonly Mutant[] = mutantTable({
  matmul_slope_skipped_at_zero: {
    fault: "The left operand of a matrix product receives nothing where it is 0.",
    source: "https://github.com/EnzymeAD/Enzyme.jl/issues/445",
    change: withKernel("matmul", {
      vjp(machine, step) {
        const cotangents = machine.cotangents.slice();
        kernels.matmul.vjp({ ...machine, cotangents }, step);
        for (let i = 0; i < step.xSize; i++) {
          const isSkipped = floatAt(machine.values, step.x + i) === 0 && step.x !== step.y;
          if (isSkipped) cotangents[step.xBar + i] = floatAt(machine.cotangents, step.xBar + i);
        }
        machine.cotangents.set(cotangents);
      },
    }),
  },
  det_slope_zero_at_singular: {
    fault: "det of a singular matrix has the derivative 0.",
    source: "PyTorch 2.15, met with an adapter",
    change: withKernel("det", {
      vjp(machine, step) {
        const cotangents = machine.cotangents.slice();
        for (let n = 0; n < step.size; n++) {
          if (floatAt(machine.values, step.out + n) === 0) cotangents[step.out + n] = 0;
        }
        const kept = machine.cotangents.slice(step.out, step.out + step.size);
        kernels.det.vjp({ ...machine, cotangents }, step);
        cotangents.set(kept, step.out);
        machine.cotangents.set(cotangents);
      },
    }),
  },
  det_batch_of_first_cotangent: {
    fault: "Each determinant of a batch is pulled back from the first one's cotangent.",
    source: "https://github.com/elixir-nx/nx/pull/1778",
    change: withKernel("det", {
      vjp(machine, step) {
        const kept = machine.cotangents.slice(step.out, step.out + step.size);
        machine.cotangents.fill(floatAt(machine.cotangents, step.out), step.out, step.out + step.size);
        kernels.det.vjp(machine, step);
        machine.cotangents.set(kept, step.out);
      },
    }),
  },
  take_gradient_index_in_bfloat16: {
    fault: "The reverse rule of take keeps its indices in bfloat16, which has no odd number above 256.",
    source: "https://github.com/tenstorrent/tt-metal/issues/37571",
    change: withKernel("take", {
      vjp(machine, step) {
        const indices = machine.indices.map((index) => (index > 256 && index < 512 ? index & ~1 : index));
        kernels.take.vjp({ ...machine, indices }, step);
      },
    }),
  },
  scatter_updates_flat: {
    fault: "The updates of scatter_add receive the beginning of the cotangent, whatever their indices.",
    source: "https://github.com/tracel-ai/burn/pull/4064",
    change: withKernel("scatter_add", {
      vjp(machine, step) {
        const [, rows = 0, inner = 0] = step.table;
        const { cotangents } = machine;
        for (let i = 0; i < step.size; i++)
          contribute(machine, step.xBar + i, floatAt(cotangents, step.out + i));
        for (let i = 0; i < rows * inner; i++) {
          contribute(machine, step.yBar + i, floatAt(cotangents, step.out + (i % step.size)));
        }
      },
    }),
  },
  sum_slope_tail_lost: {
    fault: "The reverse rule of sum runs in lanes of four and leaves the last elements of a long operand.",
    source: "https://github.com/pytorch/pytorch/issues/196681",
    change: withKernel("sum", {
      vjp(machine, step) {
        const end = step.xSize < 1000 ? step.xSize : step.xSize - (step.xSize % 4);
        for (let i = 0; i < end; i++) {
          const from = step.out + integerAt(step.table, i);
          contribute(machine, step.xBar + i, floatAt(machine.cotangents, from));
        }
      },
    }),
  },
});
