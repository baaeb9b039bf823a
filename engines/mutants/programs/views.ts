import {
  type Index,
  type StatementOf,
  type Transform,
  type View,
  wholeView,
} from "../../../spec/programs/index.ts";
import { at, isSameShape, sizeOf, stridesOf } from "../../../spec/shapes/index.ts";
import { type Held, type Names, type Reference, Run } from "../../memory/index.ts";
import { type ProgramMutant, programMutantTable } from "./program_mutant.ts";

/** Makes a run in which views of one kind are copies, so that writes through them are lost. */
function copying(kind: Transform["kind"]): typeof Run {
  return class extends Run {
    protected override viewed(statement: StatementOf<"view">, names: Names): Reference {
      const reference = super.viewed(statement, names);
      return statement.how.kind === kind ? this.located(this.read(reference)) : reference;
    }
  };
}

/** Makes a run in which views of one kind, where they are views, have some fault. */
function distorted<K extends Transform["kind"]>(
  kind: K,
  change: (view: View, how: Extract<Transform, { readonly kind: K }>, of: View) => View,
): typeof Run {
  const isOfKind = (how: Transform): how is Extract<Transform, { readonly kind: K }> => how.kind === kind;
  return class extends Run {
    protected override viewed(statement: StatementOf<"view">, names: Names): Reference {
      const reference = super.viewed(statement, names);
      const { how, of } = statement;
      if (!isOfKind(how)) return reference;
      return this.seenAs(reference, change(reference.view, how, this.referenceTo(of, names).view));
    }
  };
}

/** The same elements, along each axis from the first in the location to the last. */
function forwards({ offset, shape, strides }: View): View {
  const first = strides.reduce(
    (sum, stride, axis) => sum + Math.min(0, stride * (at(shape, axis) - 1)),
    offset,
  );
  return { offset: sizeOf(shape) === 0 ? offset : first, shape, strides: strides.map(Math.abs) };
}

/** These faults concern views of memory. */
export const viewMutants: readonly ProgramMutant[] = programMutantTable({
  alias_missed_after_slice: { fault: "A slice is a copy.", change: { run: copying("slice") } },
  alias_missed_after_reshape: { fault: "A reshape is a copy.", change: { run: copying("reshape") } },
  alias_missed_after_permute: { fault: "A permutation is a copy.", change: { run: copying("permute") } },
  alias_missed_after_diagonal: { fault: "A diagonal is a copy.", change: { run: copying("diagonal") } },
  alias_missed_after_unfold: { fault: "Windows are a copy.", change: { run: copying("unfold") } },
  alias_missed_after_strided: {
    fault: "What is seen by strides is a copy.",
    change: { run: copying("strided") },
  },
  view_backwards_is_forwards: {
    fault: "A slice with a negative step sees its elements forwards.",
    change: { run: distorted("slice", forwards) },
  },
  diagonal_offset_ignored: {
    fault: "A diagonal beside the main one begins where the main one does.",
    change: { run: distorted("diagonal", (view, _, { offset }) => ({ ...view, offset })) },
  },
  diagonal_stands_last: {
    fault: "The axis of a diagonal stands last, as in NumPy, where that leaves the shape as it is.",
    change: {
      run: distorted("diagonal", (view, { axes: [row, column] = [0, 1] }) => {
        const kept = Math.min(row, column);
        const last = (all: readonly number[]): readonly number[] => [
          ...all.toSpliced(kept, 1),
          at(all, kept),
        ];
        return isSameShape(last(view.shape), view.shape) ? { ...view, strides: last(view.strides) } : view;
      }),
    },
  },
  window_step_ignored: {
    fault: "Windows begin one element apart, whatever their step is.",
    change: {
      run: distorted("unfold", (view, { axis }) => ({
        ...view,
        strides: view.strides.with(axis, at(view.strides, view.strides.length - 1)),
      })),
    },
  },
  strides_over_location: {
    fault: "Strides are counted over the location, and not over the view that they are of.",
    change: {
      run: distorted("strided", ({ shape, offset }, { strides }, of) => ({
        offset: offset - of.offset,
        shape,
        strides,
      })),
    },
  },
  write_through_windows_clears_the_rest: {
    fault: "A write through windows makes 0 of the elements of the location that no window sees.",
    change: {
      run: class extends Run {
        readonly #windows: Set<View> = new Set();
        protected override viewed(statement: StatementOf<"view">, names: Names): Reference {
          const reference = super.viewed(statement, names);
          if (statement.how.kind === "unfold") this.#windows.add(reference.view);
          return reference;
        }
        protected override writtenThrough(reference: Reference): Reference {
          const { place, view } = reference;
          if (this.#windows.has(view)) {
            const nothing = this.constant({ shape: place.shape, data: new Float64Array(place.data.length) });
            this.setting.memory.write(place, wholeView(place.shape), nothing, this.trace);
          }
          return super.writtenThrough(reference);
        }
      },
    },
  },
  overlapping_windows_written: {
    fault: "What is written through windows that overlap is no error.",
    change: {
      run: class extends Run {
        protected override overlapsItself({ shape, strides }: View): boolean {
          return shape.some((extent, axis) => extent > 1 && strides[axis] === 0);
        }
      },
    },
  },
  alias_missed_after_broadcast: {
    fault: "A broadcast is a copy, which later writes do not reach.",
    change: { run: copying("broadcast") },
  },
  alias_made_by_reshape: {
    fault: "A reshape that no strides do is a view all the same, in the order of the location.",
    change: {
      run: class extends Run {
        protected override viewed(statement: StatementOf<"view">, names: Names): Reference {
          const reference = super.viewed(statement, names);
          const of = this.referenceTo(statement.of, names);
          if (statement.how.kind !== "reshape" || reference.place === of.place) return reference;
          const { shape } = statement.how;
          return this.seenAs(of, { offset: of.view.offset, shape, strides: stridesOf(shape) });
        }
      },
    },
  },
  view_of_view_begins_anew: {
    fault: "A view of a view counts from the start of the location.",
    change: {
      run: class extends Run {
        protected override seenAs(reference: Reference, view: View): Reference {
          return super.seenAs(reference, { ...view, offset: view.offset - reference.view.offset });
        }
      },
    },
  },
  counter_index_ignored: {
    fault: "A view at the counter of a loop is the view at 0.",
    change: {
      run: class extends Run {
        protected override number(index: Index, names: Names): number {
          return typeof index === "number" ? super.number(index, names) : 0;
        }
      },
    },
  },
  read_is_looked_at_later: {
    fault:
      "What a procedure gets by value, or gives back, is the location itself, which later writes change.",
    change: {
      run: class extends Run {
        protected override copied(value: Held): Held {
          const { seen } = value;
          const isWhole = seen?.positions.length === seen?.place.data.length;
          return super.copied(isWhole && seen !== undefined ? { ...value, data: seen.place.data } : value);
        }
      },
    },
  },
  update_operands_swapped: {
    fault: "An update computes with its operands in the opposite order.",
    change: {
      run: class extends Run {
        protected override updated(statement: StatementOf<"update">, names: Names): Held {
          const { to, from } = statement;
          const [old, operand] = [this.valueOf(to, names), this.valueOf(from, names)];
          const node = { op: statement.op, attributes: {}, parents: [] };
          return this.applied(statement, () => node, [operand, old]);
        }
      },
    },
  },
  update_forgets_old_value: {
    fault: "On the tape an update does not depend on what was there before.",
    change: {
      run: class extends Run {
        protected override updated(statement: StatementOf<"update">, names: Names): Held {
          const { to, from } = statement;
          const [old, operand] = [this.valueOf(to, names), this.valueOf(from, names)];
          const node = { op: statement.op, attributes: {}, parents: [] };
          return this.applied(statement, () => node, [{ ...old, slot: this.detached(old).slot }, operand]);
        }
      },
    },
  },
  release_frees_another: {
    fault: "A release frees the location that was made before.",
    change: {
      run: class extends Run {
        #made: Reference[] = [];
        protected override located(value: Held): Reference {
          const made = super.located(value);
          this.#made.push(made);
          return made;
        }
        protected override release(reference: Reference): void {
          const place = this.#made.findIndex((made) => made.place === reference.place);
          super.release(this.#made[place - 1] ?? reference);
        }
      },
    },
  },
  release_ignored: {
    fault: "What was released can be read.",
    change: {
      run: class extends Run {
        protected override release(): void {
          // The location stays.
        }
      },
    },
  },
});
