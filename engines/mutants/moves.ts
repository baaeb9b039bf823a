import { at, floatAt, integerAt } from "../../spec/shapes/index.ts";
import { blockAt, contribute, type Step, soundParts } from "../interpretation/index.ts";
import { type Mutant, mutantTable, withKernel } from "./mutant.ts";
import { gathering, type Rule, unaryVjp } from "./rules.ts";

const { kernels } = soundParts;

/** One operand of concat, and where its elements lie in the cotangent. */
interface Part {
  readonly n: number;
  /** The operands alternate so often, with so many elements each at a time. */
  readonly outer: number;
  readonly extents: readonly number[];
  /** The place of its first element. */
  readonly start: number;
  /** Returns the place of each element. */
  readonly place: (i: number) => number;
}

/** Makes a reverse rule of concat that reads cotangents where `placesOf` says, or not at all. */
function pullingParts(placesOf: (part: Part, step: Step) => Part["place"] | undefined): Rule {
  return (machine, step) => {
    const [outer = 0, whole = 0, ...extents] = step.table;
    let next = 0;
    for (const [n, extent] of extents.entries()) {
      const start = next;
      const place = (i: number): number => start + Math.floor(i / extent) * whole + (i % extent);
      const found = placesOf({ n, outer, extents, start, place }, step);
      for (let i = 0; found !== undefined && i < outer * extent; i++) {
        contribute(machine, at(step.bars, n) + i, floatAt(machine.cotangents, step.out + found(i)));
      }
      next += extent;
    }
  };
}

/** These faults concern the reverse rules of operators that move elements. */
export const moveMutants: readonly Mutant[] = mutantTable({
  // These concern shapes and orders.
  reshape_cotangent_reversed: {
    fault: "reshape hands its cotangent on from the last element to the first.",
    source: "B15",
    change: withKernel("reshape", {
      vjp(machine, { out, size, xBar }) {
        for (let i = 0; i < size; i++)
          contribute(machine, xBar + i, floatAt(machine.cotangents, out + size - 1 - i));
      },
    }),
  },
  permutation_not_inverted: {
    fault: "permute_dims pulls back with the permutation itself instead of its inverse.",
    source: "B12",
    change: withKernel("permute_dims", {
      vjp(machine, { out, size, xBar, table }) {
        for (let i = 0; i < size; i++) {
          contribute(machine, xBar + i, floatAt(machine.cotangents, out + integerAt(table, i)));
        }
      },
    }),
  },
  permuted_view_read_in_order: {
    fault: "The cotangent of permute_dims is read as if it lay in the order of the operand.",
    source: "B15",
    change: withKernel("permute_dims", { vjp: unaryVjp((c) => c) }),
  },

  // These concern parts.
  concat_offset: {
    fault: "Every operand of concat receives the beginning of the cotangent, not its own part.",
    change: withKernel("concat", {
      vjp: pullingParts(
        ({ start, place }) =>
          (i) =>
            place(i) - start,
      ),
    }),
  },
  concat_split_as_rows: {
    fault:
      "The cotangent of concat is cut into runs as if the operands followed one another, whatever the axis.",
    source: "B12",
    change: withKernel("concat", {
      vjp: pullingParts(
        ({ outer, start }) =>
          (i) =>
            outer * start + i,
      ),
    }),
  },
  concat_empty_counts_one: {
    fault: "In the reverse rule of concat an operand without elements counts as one element long.",
    source: "B20",
    change: withKernel("concat", {
      vjp: pullingParts(({ n, extents, place }, { size }) => {
        const empty = extents.slice(0, n).filter((extent) => extent === 0).length;
        return (i) => Math.min(place(i) + empty, size - 1);
      }),
    }),
  },
  concat_repeated_operand: {
    fault: "A tensor that is several operands of concat receives the contribution of the last one.",
    source: "A02",
    change: withKernel("concat", {
      vjp: pullingParts(({ n, place }, { bars }) =>
        bars.lastIndexOf(at(bars, n)) === n ? place : undefined,
      ),
    }),
  },
  concat_third_operand_lost: {
    fault: "concat hands its cotangent on to two operands; a third receives nothing.",
    source: "A18",
    change: withKernel("concat", { vjp: pullingParts(({ n, place }) => (n < 2 ? place : undefined)) }),
  },
  slice_cotangent_packed: {
    fault: "The cotangent of a slice is put back without gaps, whatever its steps.",
    source: "B18",
    change: withKernel("slice", {
      vjp(machine, { out, size, xBar, table }) {
        const first = table.reduce((least, position) => Math.min(least, position), Number.POSITIVE_INFINITY);
        for (let i = 0; i < size; i++)
          contribute(machine, xBar + first + i, floatAt(machine.cotangents, out + i));
      },
    }),
  },
  slice_of_one_lost: {
    fault: "A slice of one element pulls back nothing.",
    source: "B18",
    change: withKernel("slice", {
      vjp(machine, step) {
        if (step.size !== 1) kernels.slice.vjp(machine, step);
      },
    }),
  },
  pad_cotangent_not_shifted: {
    fault: "The cotangent of pad is read from its start, as if nothing had been put before the operand.",
    source: "D25",
    change: withKernel("pad", {
      vjp(machine, step) {
        const [first = 0] = step.table;
        kernels.pad.vjp(machine, { ...step, table: step.table.map((position) => position - first) });
      },
    }),
  },
  pad_gaps_ignored: {
    fault: "The cotangent of pad is read without its gaps.",
    source: "D05",
    change: withKernel("pad", {
      vjp(machine, { out, xBar, table }) {
        const [first = 0] = table;
        for (const i of table.keys())
          contribute(machine, xBar + i, floatAt(machine.cotangents, out + first + i));
      },
    }),
  },

  // These concern indices.
  repeated_index_overwritten: {
    fault: "An entry that was taken several times receives the cotangent of the last time only.",
    source: "D18",
    change: withKernel("take", {
      vjp: gathering(({ indices, cotangents, work }, { out, table }) => {
        const [first = 0, outer = 0, extent = 0, count = 0, inner = 0] = table;
        for (let row = 0; row < outer * count; row++) {
          const index = integerAt(indices, first + (row % count));
          const to = work + (Math.floor(row / count) * extent + index) * inner;
          const from = out + row * inner;
          cotangents.copyWithin(to, from, from + inner);
        }
      }),
    }),
  },
  take_cotangent_gathered: {
    fault: "The cotangent of take is gathered at the indices where it must be scattered.",
    source: "D19",
    change: withKernel("take", {
      vjp(machine, { out, xBar, table }) {
        const [first = 0, outer = 0, extent = 0, count = 0, inner = 0] = table;
        for (let i = 0; count > 0 && i < outer * extent * inner; i++) {
          const [o, j] = [Math.floor(i / (extent * inner)), Math.floor(i / inner) % extent];
          const index = integerAt(machine.indices, first + (j % count));
          const from = (o * count + (index % count)) * inner + (i % inner);
          contribute(machine, xBar + i, floatAt(machine.cotangents, out + from));
        }
      },
    }),
  },
  take_first_entry_padded: {
    fault: "Entry 0 of the operand of take is taken for padding and receives no cotangent.",
    source: "D21",
    change: withKernel("take", {
      vjp(machine, { out, xBar, table }) {
        const [first = 0, outer = 0, extent = 0, count = 0, inner = 0] = table;
        for (let row = 0; row < outer * count; row++) {
          const index = integerAt(machine.indices, first + (row % count));
          const to = xBar + (Math.floor(row / count) * extent + index) * inner;
          for (let i = 0; index > 0 && i < inner; i++) {
            contribute(machine, to + i, floatAt(machine.cotangents, out + row * inner + i));
          }
        }
      },
    }),
  },
  take_indices_sorted: {
    fault: "The reverse rule of take scatters as if the indices were in ascending order.",
    source: "D23",
    change: withKernel("take", {
      vjp(machine, step) {
        const [first = 0, , , count = 0] = step.table;
        const indices = machine.indices.slice();
        indices.subarray(first, first + count).sort();
        kernels.take.vjp({ ...machine, indices }, step);
      },
    }),
  },
  take_last_index_lost: {
    fault: "The reverse rule of take ends before the last index.",
    source: "D21",
    change: withKernel("take", {
      vjp(machine, { out, xBar, table }) {
        const [first = 0, outer = 0, extent = 0, count = 0, inner = 0] = table;
        for (let row = 0; row < outer * count; row++) {
          if (row % count === count - 1) continue;
          const index = integerAt(machine.indices, first + (row % count));
          const to = xBar + (Math.floor(row / count) * extent + index) * inner;
          for (let i = 0; i < inner; i++) {
            contribute(machine, to + i, floatAt(machine.cotangents, out + row * inner + i));
          }
        }
      },
    }),
  },
  take_along_overwritten: {
    fault: "An element that take_along_axis read several times receives the cotangent of the last time only.",
    source: "D18",
    change: withKernel("take_along_axis", {
      vjp: gathering(({ indices, cotangents, work }, { out, size, table }) => {
        const [first = 0, stride = 0] = table;
        for (let i = 0; i < size; i++) {
          const position = integerAt(table, i + 2) + integerAt(indices, first + i) * stride;
          cotangents[work + position] = floatAt(cotangents, out + i);
        }
      }),
    }),
  },
  gather_overwritten: {
    fault: "A row that was gathered several times receives the cotangent of the last time only.",
    source: "D18",
    change: withKernel("gather", {
      vjp: gathering(({ indices, cotangents, work }, { out, table }) => {
        const [, rows = 0, inner = 0] = table;
        for (let row = 0; row < rows; row++) {
          const [to, from] = [work + blockAt(indices, table, row), out + row * inner];
          cotangents.copyWithin(to, from, from + inner);
        }
      }),
    }),
  },
  scatter_clears_operand: {
    fault: "Where scatter_add adds, its operand receives no cotangent, as if it had been overwritten.",
    source: "D20",
    change: withKernel("scatter_add", {
      vjp(machine, step) {
        const [, rows = 0, inner = 0] = step.table;
        const cotangents = machine.cotangents.slice();
        kernels.scatter_add.vjp({ ...machine, cotangents }, step);
        for (let row = 0; row < rows; row++) {
          const block = step.xBar + blockAt(machine.indices, step.table, row);
          cotangents.set(machine.cotangents.subarray(block, block + inner), block);
        }
        machine.cotangents.set(cotangents);
      },
    }),
  },
});
