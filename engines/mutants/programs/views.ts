import type { Index, StatementOf, Transform, View } from "../../../spec/programs/index.ts";
import { stridesOf } from "../../../spec/shapes/index.ts";
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

/** These faults concern views of memory. */
export const viewMutants: readonly ProgramMutant[] = programMutantTable({
  alias_missed_after_slice: { fault: "A slice is a copy.", change: { run: copying("slice") } },
  alias_missed_after_reshape: { fault: "A reshape is a copy.", change: { run: copying("reshape") } },
  alias_missed_after_permute: { fault: "A permutation is a copy.", change: { run: copying("permute") } },
  alias_missed_after_diagonal: { fault: "A diagonal is a copy.", change: { run: copying("diagonal") } },
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
