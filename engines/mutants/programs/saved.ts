import type { View } from "../../../spec/programs/index.ts";
import {
  gathered,
  type Held,
  type Manner,
  Memory,
  type Names,
  type Place,
  Run,
  type SavedInPlace,
  type Seen,
} from "../../memory/index.ts";
import { type ProgramMutant, programMutantTable } from "./program_mutant.ts";

/** Reads in the sweep whatever lies there. */
class Blind extends Memory {
  protected override wasOverwritten(_seen: Seen): boolean {
    return false;
  }
}

/** These faults concern what is kept of operands that lie in memory. */
export const savedMutants: readonly ProgramMutant[] = programMutantTable({
  old_value_after_write: {
    fault: "The sweep reads operands where they lie, though they were overwritten.",
    source: "E01",
    change: {
      memory: class extends Blind {
        protected override touches(): boolean {
          return false;
        }
      },
    },
  },
  views_unwatched: {
    fault: "What was read through a view of a part is not copied before it is overwritten.",
    change: {
      memory: class extends Blind {
        protected override touches(saved: SavedInPlace, written: ReadonlySet<number>): boolean {
          const { positions, place } = saved.seen;
          return positions.length === place.data.length && super.touches(saved, written);
        }
      },
    },
  },
  version_of_views_skipped: {
    fault: "The version of what was read through a view is not looked at.",
    source: "E03",
    change: {
      policy: "version",
      memory: class extends Memory {
        protected override wasOverwritten(seen: Seen): boolean {
          return seen.positions.length === seen.place.data.length && super.wasOverwritten(seen);
        }
      },
    },
  },
  version_through_views_skipped: {
    fault: "A write through a view of a part leaves the version as it is.",
    change: {
      policy: "version",
      memory: class extends Memory {
        protected override raise(place: Place, positions: readonly number[]): void {
          if (positions.length === place.data.length) super.raise(place, positions);
        }
      },
    },
  },
  version_of_another: {
    fault: "The sweep looks at the version of the location that was made last.",
    change: {
      policy: "version",
      memory: class extends Memory {
        #last: Place | undefined;
        override located(value: Parameters<Memory["located"]>[0]): Place {
          this.#last = super.located(value);
          return this.#last;
        }
        protected override wasOverwritten({ time }: Seen): boolean {
          return (this.#last?.clock ?? 0) > time;
        }
      },
    },
  },
  detached_write_raises_no_version: {
    fault: "A write through a detached reference leaves the version as it is.",
    source: "E02",
    change: {
      policy: "version",
      run: class extends Run {
        protected override write(to: string, value: Held, names: Names, manner: Manner): void {
          const { place, isDetached } = this.referenceTo(to, names);
          const before = [...place.writtenAt];
          super.write(to, value, names, manner);
          if (isDetached) place.writtenAt.splice(0, before.length, ...before);
        }
      },
    },
  },
  version_late: {
    fault: "A value that was overwritten once after it was read passes for fresh.",
    change: {
      policy: "version",
      memory: class extends Memory {
        protected override wasOverwritten(seen: Seen): boolean {
          return super.wasOverwritten({ ...seen, time: seen.time + 1 });
        }
      },
    },
  },
  forbids_whole_writes_alone: {
    fault: "What forbids overwriting lets writes through views of parts pass.",
    change: {
      policy: "forbid",
      memory: class extends Blind {
        protected override beforeWrite(place: Place, positions: readonly number[]): void {
          if (positions.length === place.data.length) super.beforeWrite(place, positions);
        }
      },
    },
  },
  copy_too_shallow: {
    fault: "What is copied before a write is a window on the memory that is written.",
    change: {
      memory: class extends Memory {
        protected override copyOf(saved: SavedInPlace): Float64Array {
          const { place, positions } = saved.seen;
          const [first = 0] = positions;
          const isRun = positions.every((position, i) => position === first + i);
          return isRun ? place.data.subarray(first, first + positions.length) : super.copyOf(saved);
        }
      },
    },
  },
  copy_too_late: {
    fault: "What is overwritten is copied after the write.",
    source: "N10",
    change: {
      memory: class extends Memory {
        protected override beforeWrite(): void {
          // Copying is left to the end of the write.
        }
        protected override raise(place: Place, positions: readonly number[]): void {
          super.beforeWrite(place, positions);
          super.raise(place, positions);
        }
      },
    },
  },
  copy_of_written_alone: {
    fault: "A copy has the elements that are overwritten next, and zeros beside them.",
    change: {
      memory: class extends Memory {
        #written: ReadonlySet<number> = new Set();
        protected override touches(saved: SavedInPlace, written: ReadonlySet<number>): boolean {
          this.#written = written;
          return super.touches(saved, written);
        }
        protected override copyOf(saved: SavedInPlace): Float64Array {
          return super.copyOf(saved).map((x, i) => (this.#written.has(saved.seen.positions[i] ?? 0) ? x : 0));
        }
      },
    },
  },
  first_element_watched: {
    fault: "Of an operand in memory only the first element is watched.",
    change: {
      memory: class extends Blind {
        protected override touches({ seen }: SavedInPlace, written: ReadonlySet<number>): boolean {
          return written.has(seen.positions[0] ?? 0);
        }
      },
    },
  },
  same_view_watched: {
    fault: "An operand is copied only before a write through the same view: overlaps go unseen.",
    change: {
      memory: class extends Blind {
        protected override touches({ seen }: SavedInPlace, written: ReadonlySet<number>): boolean {
          return (
            seen.positions.length === written.size &&
            seen.positions.every((position) => written.has(position))
          );
        }
      },
    },
  },
  contained_watched: {
    fault: "An operand is copied only where a write covers all of it.",
    change: {
      memory: class extends Blind {
        protected override touches({ seen }: SavedInPlace, written: ReadonlySet<number>): boolean {
          return seen.positions.every((position) => written.has(position));
        }
      },
    },
  },
  watched_at_offset_zero: {
    fault: "The elements that a write is taken to change are counted from the start of the location.",
    source: "N18",
    change: {
      memory: class extends Blind {
        protected override beforeWrite(place: Place, positions: readonly number[]): void {
          super.beforeWrite(
            place,
            positions.map((_, i) => i),
          );
        }
      },
    },
  },
  recalled_from_start: {
    fault: "The sweep reads what was saved of a view from the start of the location.",
    change: {
      memory: class extends Memory {
        override save(...[held, isNeeded]: Parameters<Memory["save"]>): ReturnType<Memory["save"]> {
          const { seen } = held;
          if (seen === undefined) return super.save(held, isNeeded);
          const positions = seen.positions.map((_, i) => i % seen.place.data.length);
          return super.save({ ...held, seen: { ...seen, positions } }, isNeeded);
        }
      },
    },
  },
  saved_once_per_place: {
    fault: "An operand that is saved takes the place of those that were saved in its location before.",
    source: "N20",
    change: {
      memory: class extends Blind {
        override save(...[held, isNeeded]: Parameters<Memory["save"]>): ReturnType<Memory["save"]> {
          held.seen?.place.saved.clear();
          return super.save(held, isNeeded);
        }
      },
    },
  },
});

/** Returns the positions that a view sees if its strides are forgotten. */
export function runFrom({ data }: Place, { offset, shape }: View): readonly number[] {
  const size = shape.reduce((product, extent) => product * extent, 1);
  return Array.from({ length: size }, (_, i) => Math.min(offset + i, data.length - 1));
}

/** Returns a location's own elements, if all of them were seen, so that later writes show. */
export function live(data: Float64Array, seen: Seen | undefined): Float64Array {
  if (seen === undefined) return data;
  const { place, positions } = seen;
  const isWhole = positions.length === place.data.length && positions.every((position, i) => position === i);
  return isWhole ? place.data : gathered(place.data, positions);
}
