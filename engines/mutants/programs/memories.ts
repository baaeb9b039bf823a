import { positionsOf, type View } from "../../../spec/programs/index.ts";
import { at, floatAt } from "../../../spec/shapes/index.ts";
import { type Held, Memory, type Place, type Trace } from "../../memory/index.ts";
import { type ProgramMutant, programMutantTable } from "./program_mutant.ts";
import { live, runFrom } from "./saved.ts";

type SlotWritten = Parameters<Memory["slotWrittenThrough"]>;

/** These faults concern where elements are read and written. */
export const memoryMutants: readonly ProgramMutant[] = programMutantTable({
  write_without_strides: {
    fault: "A write forgets the strides of its view.",
    source: "N12",
    change: {
      memory: class extends Memory {
        protected override positionsWritten(place: Place, view: View): readonly number[] {
          return runFrom(place, view);
        }
      },
    },
  },
  write_without_offset: {
    fault: "A write forgets where its view begins.",
    change: {
      memory: class extends Memory {
        protected override positionsWritten(_place: Place, view: View): readonly number[] {
          return positionsOf({ ...view, offset: 0 });
        }
      },
    },
  },
  read_without_strides: {
    fault: "A read forgets the strides of its view.",
    change: {
      memory: class extends Memory {
        protected override positionsRead(place: Place, view: View): readonly number[] {
          return runFrom(place, view);
        }
      },
    },
  },
  read_without_offset: {
    fault: "A read forgets where its view begins.",
    change: {
      memory: class extends Memory {
        protected override positionsRead(_place: Place, view: View): readonly number[] {
          return positionsOf({ ...view, offset: 0 });
        }
      },
    },
  },
  overlapping_write: {
    fault: "A write whose value overlaps with it reads what it has written.",
    source: "N04",
    change: {
      memory: class extends Memory {
        override write(place: Place, view: View, value: Held, trace: Trace): void {
          if (value.seen?.place !== place) {
            super.write(place, view, value, trace);
            return;
          }
          const { positions } = value.seen;
          const [memory, data] = [place.data.slice(), value.data.slice()];
          for (const [i, to] of positionsOf(view).entries()) {
            data[i] = floatAt(memory, at(positions, i));
            memory[to] = floatAt(data, i);
          }
          super.write(place, view, { ...value, data }, trace);
        }
      },
    },
  },
  buffer_shares_location: {
    fault: "A buffer of a location has its memory.",
    change: {
      memory: class extends Memory {
        override located(value: Held): Place {
          const data = live(value.data, value.seen);
          return value.seen === undefined ? super.located(value) : { ...super.located(value), data };
        }
      },
    },
  },
  buffer_shares_value: {
    fault: "A buffer of a value has its elements, so that a write changes the value.",
    change: {
      memory: class extends Memory {
        override located(value: Held): Place {
          return { ...super.located(value), data: value.data };
        }
      },
    },
  },
  last_element_not_written: {
    fault: "A write leaves out the last element.",
    change: {
      memory: class extends Memory {
        override write(place: Place, view: View, value: Held, trace: Trace): void {
          const last = at(positionsOf(view), value.data.length - 1);
          const before = floatAt(place.data, last);
          super.write(place, view, value, trace);
          place.data[last] = before;
        }
      },
    },
  },
  scalar_write_lost: {
    fault: "A write through a view of rank 0 goes nowhere.",
    change: {
      memory: class extends Memory {
        override write(place: Place, view: View, value: Held, trace: Trace): void {
          if (view.shape.length > 0 || place.data.length === 1) super.write(place, view, value, trace);
        }
      },
    },
  },
  gradient_of_written_part_lost: {
    fault: "On the tape a location stays what it was when a part of it is written.",
    source: "N08",
    change: {
      memory: class extends Memory {
        override slotWrittenThrough(...[place, view, positions, value, trace]: SlotWritten): number {
          const { length } = place.data;
          return positions.length === length
            ? super.slotWrittenThrough(place, view, positions, value, trace)
            : place.slot;
        }
      },
    },
  },
  gradient_of_whole_write_lost: {
    fault: "On the tape a location stays what it was when all of it is written.",
    change: {
      memory: class extends Memory {
        override slotWrittenThrough(...[place, view, positions, value, trace]: SlotWritten): number {
          const { length } = place.data;
          return positions.length < length
            ? super.slotWrittenThrough(place, view, positions, value, trace)
            : place.slot;
        }
      },
    },
  },
  written_offset_lost_in_reverse: {
    fault: "The sweep forgets where the view begins through which was written.",
    change: {
      memory: class extends Memory {
        override slotWrittenThrough(...[place, view, positions, value, trace]: SlotWritten): number {
          const moved = positions.map((position) => position - view.offset);
          return super.slotWrittenThrough(place, view, moved, value, trace);
        }
      },
    },
  },
  read_offset_lost_in_reverse: {
    fault: "The sweep forgets where the view begins through which was read.",
    change: {
      memory: class extends Memory {
        override slotRead(...[place, view, positions, trace]: Parameters<Memory["slotRead"]>): number {
          const moved = positions.map((position) => position - view.offset);
          return super.slotRead(place, view, moved, trace);
        }
      },
    },
  },
  read_strides_lost_in_reverse: {
    fault: "The sweep forgets the strides of the view through which was read.",
    change: {
      memory: class extends Memory {
        override slotRead(...[place, view, _, trace]: Parameters<Memory["slotRead"]>): number {
          return super.slotRead(place, view, runFrom(place, view), trace);
        }
      },
    },
  },
  permutation_lost_in_reverse: {
    fault: "The sweep gives back what was read in another order as if it had been read in order.",
    change: {
      memory: class extends Memory {
        override slotRead(...[place, view, positions, trace]: Parameters<Memory["slotRead"]>): number {
          const { data, slot, shape } = place;
          return new Set(positions).size === data.length && positions.length === data.length
            ? trace.reshaped(slot, shape, view.shape)
            : super.slotRead(place, view, positions, trace);
        }
      },
    },
  },
  tangent_not_written: {
    fault: "A write leaves the tangent of the memory as it was.",
    change: {
      memory: class extends Memory {
        protected override moveTangent(): void {
          // The tangent stays.
        }
      },
    },
  },
  tangent_written_at_start: {
    fault: "A write puts its tangent at the start of the location.",
    change: {
      memory: class extends Memory {
        protected override moveTangent(place: Place, positions: readonly number[], value: Held): void {
          super.moveTangent(
            place,
            positions.map((_, i) => i),
            value,
          );
        }
      },
    },
  },
  tangent_added: {
    fault: "A write adds its tangent to that of what it overwrites.",
    change: {
      memory: class extends Memory {
        protected override moveTangent(place: Place, positions: readonly number[], value: Held): void {
          const { tangent } = place;
          const sum = value.tangent?.map((x, i) => x + (tangent?.[positions[i] ?? 0] ?? 0));
          super.moveTangent(place, positions, { ...value, tangent: sum });
        }
      },
    },
  },
  tangent_of_zero_kept: {
    fault: "The tangent of the memory stays where what is written has the tangent 0.",
    change: {
      memory: class extends Memory {
        protected override moveTangent(place: Place, positions: readonly number[], value: Held): void {
          if (value.tangent?.some((x) => x !== 0) === true) super.moveTangent(place, positions, value);
        }
      },
    },
  },
  buffer_without_tangent: {
    fault: "A buffer begins without a tangent.",
    change: {
      memory: class extends Memory {
        override located(value: Held): Place {
          return super.located({ ...value, tangent: value.tangent?.map(() => 0) });
        }
      },
    },
  },
  run_again_in_place: {
    fault: "A body that is run again writes to the memory itself.",
    source: "N37",
    change: {
      memory: class extends Memory {
        override again(place: Place): Place {
          return place;
        }
      },
    },
  },
  run_again_from_zero: {
    fault: "A body that is run again finds its memories empty.",
    change: {
      memory: class extends Memory {
        override again(place: Place): Place {
          return { ...super.again(place), data: place.data.map(() => 0) };
        }
      },
    },
  },
});
