import { type Compound, NameScope, plainOf } from "../../../spec/programs/index.ts";
import { type Held, type Manner, type Names, Run } from "../../memory/index.ts";
import { type ProgramMutant, programMutantTable } from "./program_mutant.ts";

/** These faults concern rows, masks and places that are computed. */
export const placeMutants: readonly ProgramMutant[] = programMutantTable({
  rows_from_what_was_there: {
    fault: "A row that is updated twice at once is computed each time from what was there before.",
    change: {
      run: class extends Run {
        protected override compound(statement: Compound, names: Names, manner: Manner): void {
          if (statement.do !== "write_rows" || statement.op === undefined) {
            super.compound(statement, names, manner);
            return;
          }
          const [to, from] = [this.shapeOf(statement.to, names), this.shapeOf(statement.from, names)];
          const inner: Names = new NameScope(names);
          const written: [string, Held][] = [];
          for (const plain of plainOf(statement, to, from)) {
            if (plain.do === "update") written.push([plain.to, this.updated(plain, inner)]);
            else this.statement(plain, inner, manner);
          }
          for (const [row, value] of written) this.write(row, value, inner, manner);
        }
      },
    },
  },
  rows_backwards: {
    fault: "Of a row that is written twice at once the first value stays.",
    change: {
      run: class extends Run {
        protected override compound(statement: Compound, names: Names, manner: Manner): void {
          const [to, from] = [this.shapeOf(statement.to, names), this.shapeOf(statement.from, names)];
          const inner: Names = new NameScope(names);
          const all = plainOf(statement, to, from);
          const isWrite = ({ do: kind }: (typeof all)[number]): boolean => kind === "write";
          const writes = all.filter(isWrite).toReversed();
          for (const plain of [...all.filter((one) => !isWrite(one)), ...writes])
            this.statement(plain, inner, manner);
        }
      },
    },
  },
  first_row_lost: {
    fault: "The first of several rows is not written.",
    change: {
      run: class extends Run {
        protected override compound(statement: Compound, names: Names, manner: Manner): void {
          if (statement.do !== "write_rows" || statement.rows.length < 2) {
            super.compound(statement, names, manner);
            return;
          }
          const [to, from] = [this.shapeOf(statement.to, names), this.shapeOf(statement.from, names)];
          const inner: Names = new NameScope(names);
          const first = plainOf(statement, to, from).findIndex(
            ({ do: kind }) => kind === "write" || kind === "update",
          );
          for (const plain of plainOf(statement, to, from).toSpliced(first, 1))
            this.statement(plain, inner, manner);
        }
      },
    },
  },
  mask_ignored: {
    fault: "A write under a mask is a write.",
    change: {
      run: class extends Run {
        protected override compound(statement: Compound, names: Names, manner: Manner): void {
          const { to, from } = statement;
          if (statement.do === "write_where" && this.shapeOf(from, names).length > 0)
            this.statement({ do: "write", to, from }, names, manner);
          else super.compound(statement, names, manner);
        }
      },
    },
  },
  fill_lost: {
    fault: "A number that is written under a mask goes nowhere.",
    change: {
      run: class extends Run {
        protected override compound(statement: Compound, names: Names, manner: Manner): void {
          const isFilled = statement.do === "write_where" && this.shapeOf(statement.from, names).length === 0;
          if (!isFilled) super.compound(statement, names, manner);
        }
      },
    },
  },
  index_is_zero: {
    fault: "A place that is computed is the first.",
    change: {
      run: class extends Run {
        protected override placeOf(): number {
          return 0;
        }
      },
    },
  },
  index_of_the_first_turn: {
    fault: "A place that is computed again is the one that was computed first.",
    change: {
      run: class extends Run {
        readonly #places: number[] = [];
        protected override placeOf(value: Held): number {
          this.#places.push(super.placeOf(value));
          return this.#places[0] ?? 0;
        }
      },
    },
  },
});
