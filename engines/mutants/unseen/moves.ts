import { sliceAxis } from "../../../spec/operators/index.ts";
import { at, floatAt, integerAt, type Shape, sizeOf, stridesOf } from "../../../spec/shapes/index.ts";
import { clear, contribute, positionsOf, soundParts } from "../../interpretation/index.ts";
import { type Mutant, mutantTable, survivor, withKernel } from "../mutant.ts";

const { kernels } = soundParts;

/** Returns the index along each axis of an element of `shape`. */
function indexOf(shape: Shape, position: number): number[] {
  const strides = stridesOf(shape);
  return shape.map((extent, axis) => Math.floor(position / at(strides, axis)) % extent);
}

/** These faults concern moves of elements: of many axes, many operands, steps and single elements. */
export const moveMutants: readonly Mutant[] = mutantTable({
  // These concern four axes and more.
  permute_middle_axes_ignored: {
    fault: "permute_dims leaves a tensor of rank 4 as it lies where only its middle axes change places.",
    source: "https://github.com/NVIDIA/DALI/pull/1817",
    change: withKernel("permute_dims", {
      prepare(placement) {
        const { axes } = placement.attributes;
        const isMiddle = axes.length === 4 && axes.join() === "0,2,1,3";
        return isMiddle
          ? positionsOf(placement.shape, stridesOf(placement.shape))
          : kernels.permute_dims.prepare(placement);
      },
    }),
  },
  permute_rank_five_cotangent_lost: {
    fault: "The cotangent of permute_dims of five axes and more is handed on in the order it came in.",
    source: survivor,
    change: withKernel("permute_dims", {
      prepare(placement) {
        const table = kernels.permute_dims.prepare(placement);
        return placement.shape.length < 5 ? table : Int32Array.of(...table, 0);
      },
      vjp(machine, step) {
        const table = step.table.length > step.size ? step.table.map((_, i) => i) : step.table;
        kernels.permute_dims.vjp(machine, { ...step, table });
      },
    }),
  },
  sum_third_axis_from_last: {
    fault: "A sum of five axes over the third from the last is taken over the fourth.",
    source: "https://github.com/pytorch/pytorch/issues/132732",
    change: withKernel("sum", {
      prepare(placement) {
        const {
          attributes: { axes },
          parents: [x = []],
          shape,
        } = placement;
        const [axis = 0] = axes;
        const table = kernels.sum.prepare(placement);
        if (x.length < 5 || axes.length !== 1 || axis !== x.length - 3) return table;
        const [above, extent] = [at(x, axis - 1), at(x, axis)];
        const inner = sizeOf(x.slice(axis + 1));
        // An element goes where the index along the summed axis would be one along the fourth.
        return table.map((_, position) => {
          const index = indexOf(x, position);
          const outer = Math.floor(position / (above * extent * inner));
          return (
            ((outer * above + (at(index, axis) % above)) * inner + (position % inner)) %
            Math.max(sizeOf(shape), 1)
          );
        });
      },
    }),
  },
  broadcast_batch_not_summed: {
    fault:
      "Where an operand is repeated along the first of four axes, only the first copy's cotangent comes back.",
    source: survivor,
    change: withKernel("broadcast_to", {
      prepare(placement) {
        const { parents, shape } = placement;
        const x = at(parents, 0);
        const table = kernels.broadcast_to.prepare(placement);
        const isRepeated = shape.length >= 4 && (x.length < shape.length || x[0] !== shape[0]);
        return isRepeated ? Int32Array.of(...table, sizeOf(shape.slice(1))) : table;
      },
      vjp(machine, step) {
        const { size, table } = step;
        const first = table.length > size ? integerAt(table, size) : size;
        kernels.broadcast_to.vjp(machine, { ...step, size: first });
      },
    }),
  },
  pad_rank_four_sides_swapped: {
    fault: "pad takes the numbers before for those after, on the last of four axes.",
    source: survivor,
    change: withKernel("pad", {
      prepare(placement) {
        const { attributes, shape } = placement;
        if (shape.length < 4) return kernels.pad.prepare(placement);
        const low = attributes.low.with(-1, at(attributes.high, shape.length - 1));
        return kernels.pad.prepare({ ...placement, attributes: { ...attributes, low } });
      },
    }),
  },

  // These concern steps, and single elements.
  slice_of_one_spreads: {
    fault: "The cotangent of a slice that selects one element of several goes to all of its span.",
    source: "https://github.com/ml-explore/mlx/issues/4444",
    change: withKernel("slice", {
      prepare(placement) {
        const {
          attributes: { starts, stops, steps },
          parents,
        } = placement;
        const x = at(parents, 0);
        const strides = stridesOf(x);
        const table = kernels.slice.prepare(placement);
        for (const [axis, extent] of x.entries()) {
          const [start, stop, step] = [at(starts, axis), at(stops, axis), at(steps, axis)];
          const { first, count } = sliceAxis(extent, start, stop, step);
          const span = sliceAxis(extent, start, stop, 1).count;
          if (step > 1 && count === 1 && span > 1) {
            const more = Array.from({ length: span - 1 }, (_, k) => (k + 1) * at(strides, axis));
            return first + span <= extent ? Int32Array.of(...table, ...more) : table;
          }
        }
        return table;
      },
      vjp(machine, step) {
        kernels.slice.vjp(machine, step);
        for (const move of step.table.subarray(step.size)) {
          for (let i = 0; i < step.size; i++) {
            const to = step.xBar + integerAt(step.table, i) + move;
            contribute(machine, to, floatAt(machine.cotangents, step.out + i));
          }
        }
      },
    }),
  },
  slice_backwards_from_end: {
    fault: "A slice with a negative step begins as if it ended at the first element of the axis.",
    source: "https://github.com/llvm/torch-mlir/pull/4630",
    change: withKernel("slice", {
      prepare(placement) {
        const { attributes, parents } = placement;
        const starts = attributes.starts.map((start, axis) => {
          const [extent, step] = [at(at(parents, 0), axis), at(attributes.steps, axis)];
          const { count } = sliceAxis(extent, start, at(attributes.stops, axis), step);
          return step < 0 && count > 0 ? Math.min(-step * count, extent) - 1 : start;
        });
        return kernels.slice.prepare({ ...placement, attributes: { ...attributes, starts } });
      },
    }),
  },
  slice_backwards_stores_one: {
    fault: "The cotangent of a slice taken backwards is all written to where its first element came from.",
    source: "https://github.com/ml-explore/mlx/issues/3716",
    change: withKernel("slice", {
      vjp(machine, step) {
        const [first = 0, second = 1] = step.table;
        if (second > first || step.size < 2) return kernels.slice.vjp(machine, step);
        contribute(machine, step.xBar + first, floatAt(machine.cotangents, step.out + step.size - 1));
      },
    }),
  },
  concat_of_elements_severed: {
    fault: "A vector put together from single elements hands nothing on to them.",
    source: "https://github.com/NVIDIA/warp/issues/248",
    change: withKernel("concat", {
      vjp(machine, step) {
        const [outer = 0, , ...parts] = step.table;
        if (outer !== 1 || parts.some((part) => part !== 1)) kernels.concat.vjp(machine, step);
      },
    }),
  },

  // These concern many operands.
  concat_in_fours: {
    fault: "concat runs in groups of four operands, and a later group is written over the first.",
    source: "https://github.com/apache/tvm/pull/15137",
    change: withKernel("concat", {
      forward({ values }, { out, size, operands, table }) {
        const [outer = 0, whole = 0, ...parts] = table;
        clear(values, out, size);
        let start = 0;
        for (const [n, part] of parts.entries()) {
          if (n % 4 === 0) start = 0;
          const x = at(operands, n);
          for (let i = 0; i < outer * part; i++) {
            const place = start + Math.floor(i / part) * whole + (i % part);
            values[out + place] = floatAt(values, x + i);
          }
          start += part;
        }
      },
    }),
  },
  concat_fifth_operand_lost: {
    fault: "Of more than four operands of concat the fifth and all after it receive nothing.",
    source: survivor,
    change: withKernel("concat", {
      vjp(machine, step) {
        const { bars, table, out } = step;
        const [outer = 0, whole = 0, ...parts] = table;
        let start = 0;
        for (const [n, part] of parts.entries()) {
          for (let i = 0; n < 4 && i < outer * part; i++) {
            const place = out + start + Math.floor(i / part) * whole + (i % part);
            contribute(machine, at(bars, n) + i, floatAt(machine.cotangents, place));
          }
          start += part;
        }
      },
    }),
  },

  // Here an adjoint assigns.
  reshape_cotangent_assigned: {
    fault: "The reverse rule of a reshape assigns the operand's cotangent instead of adding to it.",
    source: "https://github.com/NVIDIA/warp/issues/1728",
    change: withKernel("reshape", {
      vjp({ cotangents }, { out, size, xBar }) {
        cotangents.copyWithin(xBar, out, out + size);
      },
    }),
  },
  broadcast_cotangent_assigned: {
    fault:
      "The reverse rule of what repeats elements assigns the operand's cotangent instead of adding to it.",
    source: "https://github.com/huggingface/candle/pull/3507",
    change: withKernel("broadcast_to", {
      vjp(machine, step) {
        machine.cotangents.fill(-0, step.xBar, step.xBar + step.xSize);
        kernels.broadcast_to.vjp(machine, step);
      },
    }),
  },

  // These concern forward mode.
  pad_tangent_lost: {
    fault: "The tangent of pad is computed after its readers were, which find zeros.",
    source: "https://github.com/raven-ml/raven/issues/153",
    change: withKernel("pad", {
      jvp({ tangents }, { out, size }) {
        clear(tangents, out, size);
      },
    }),
  },
  scatter_update_tangent_lost: {
    fault: "In forward mode scatter_add ignores the tangent of its updates.",
    source: "https://github.com/raven-ml/raven/issues/153",
    change: withKernel("scatter_add", {
      jvp({ tangents }, { out, size, x }) {
        tangents.copyWithin(out, x, x + size);
      },
    }),
  },
  concat_fifth_tangent_lost: {
    fault: "In forward mode concat gives the fifth of its operands and all after it the tangent 0.",
    source: survivor,
    change: withKernel("concat", {
      jvp(machine, step) {
        kernels.concat.jvp(machine, step);
        const [outer = 0, whole = 0, ...parts] = step.table;
        const start = parts.slice(0, 4).reduce((sum, part) => sum + part, 0);
        for (let o = 0; o < outer; o++) {
          clear(machine.tangents, step.out + o * whole + start, whole - start);
        }
      },
    }),
  },
});
