import {
  type Compound,
  type Let,
  type LetOf,
  NameScope,
  plainOf,
  type StatementOf,
} from "../../../spec/programs/index.ts";
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
    fault: "A write under a mask is a write, and an update an update.",
    change: {
      run: class extends Run {
        protected override compound(statement: Compound, names: Names, manner: Manner): void {
          const { to, op, from } = statement;
          if (statement.do !== "write_where" || this.shapeOf(from, names).length === 0)
            super.compound(statement, names, manner);
          else if (op === undefined) this.statement({ do: "write", to, from }, names, manner);
          else this.statement({ do: "update", to, op, from }, names, manner);
        }
      },
    },
  },
  masked_update_writes: {
    fault: "An update under a mask is a write.",
    change: {
      run: class extends Run {
        protected override compound(statement: Compound, names: Names, manner: Manner): void {
          const { do: kind, to, from } = statement;
          if (kind !== "write_where") super.compound(statement, names, manner);
          else super.compound({ do: kind, to, mask: statement.mask, from }, names, manner);
        }
      },
    },
  },
  masked_update_clears: {
    fault: "An update under a mask leaves 1 where the mask is 0.",
    change: {
      run: maskedUpdates((one, { to }, ones) =>
        one.op === "where" && one.operands[2] === to
          ? [{ ...one, operands: one.operands.with(2, ones) }]
          : [one],
      ),
    },
  },
  masked_update_cuts: {
    fault: "An update under a mask ends the derivative of what is kept where the mask is 0.",
    change: {
      run: maskedUpdates((one, { to }) => {
        if (one.op !== "where" || one.operands[2] !== to) return [one];
        const name = `${one.name}.still`;
        const still: LetOf<"stop_gradient"> = {
          do: "let",
          name,
          op: "stop_gradient",
          attributes: {},
          operands: [to],
        };
        return [still, { ...one, operands: one.operands.with(2, name) }];
      }),
    },
  },
  masked_update_computes_all: {
    fault: "An update under a mask has NaN for a derivative where a divisor beside the mask is 0.",
    change: {
      run: maskedUpdates((one, { mask }, ones, value) =>
        one.op === "where" && one.operands[2] === ones ? [{ ...one, operands: [mask, value, value] }] : [one],
      ),
    },
  },
  mask_not_in_derivative: {
    fault: "An update under a mask has the derivative of one without.",
    change: {
      run: class extends Run {
        #unmasked: Held | undefined;
        protected override compound(statement: Compound, names: Names, manner: Manner): void {
          const { do: kind, to, op, from } = statement;
          const isUpdate = kind === "write_where" && op !== undefined && this.shapeOf(from, names).length > 0;
          this.#unmasked = isUpdate ? this.updated({ do: "update", to, op, from }, names) : undefined;
          super.compound(statement, names, manner);
          this.#unmasked = undefined;
        }
        protected override write(to: string, value: Held, names: Names, manner: Manner): void {
          const written = this.#unmasked === undefined ? value : { ...this.#unmasked, data: value.data };
          super.write(to, written, names, manner);
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
  scattered_by_position: {
    fault: "Where the mask is not 0 stands the element of the row at that position, not the next one.",
    change: { run: scattered((_, position, extent) => Math.min(position, extent - 1)) },
  },
  scattered_first_alone: {
    fault: "Where the mask is not 0 stands the first element of the row, whatever came before.",
    change: { run: scattered(() => 0) },
  },
  scattered_from_the_end: {
    fault: "The elements of a row are taken from its end.",
    change: { run: scattered((count, _, extent) => Math.max(0, extent - 1 - count)) },
  },
  scattered_without_first: {
    fault: "The first element of a row is left out where its elements are written under a mask.",
    change: { run: scattered((count, _, extent) => Math.min(count + 1, extent - 1)) },
  },
  scattered_row_is_constant: {
    fault: "What is written under a mask with the elements of a row has no derivative by them.",
    change: {
      run: class extends Run {
        protected override compound(statement: Compound, names: Names, manner: Manner): void {
          if (statement.do !== "write_scatter") {
            super.compound(statement, names, manner);
            return;
          }
          const inner: Names = new NameScope(names);
          const still = `${statement.from}.still`;
          this.statement({ do: "detach", name: still, of: statement.from }, inner, manner);
          super.compound({ ...statement, from: still }, inner, manner);
        }
      },
    },
  },
  scattered_derivative_by_position: {
    fault:
      "The elements of a row have the derivatives of what stands at their positions, not of their places.",
    change: {
      run: class extends scattered((_, position, extent) => Math.min(position, extent - 1)) {
        #isRight = true;
        #wrong: Held | undefined;
        protected override placeTaken(count: number, position: number, extent: number): number {
          return this.#isRight ? count : super.placeTaken(count, position, extent);
        }
        protected override compound(statement: Compound, names: Names, manner: Manner): void {
          if (statement.do === "write_scatter") {
            this.#isRight = false;
            super.compound(statement, names, manner);
            this.#isRight = true;
          }
          super.compound(statement, names, manner);
          this.#wrong = undefined;
        }
        protected override write(to: string, value: Held, names: Names, manner: Manner): void {
          if (this.#isRight)
            super.write(
              to,
              this.#wrong === undefined ? value : { ...this.#wrong, data: value.data },
              names,
              manner,
            );
          else this.#wrong = value;
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

/** A step of an update under a mask changes, given the names of the ones and of the value that is masked. */
type Step = (one: Let, statement: StatementOf<"write_where">, ones: string, value: string) => readonly Let[];

/** Which element of a row is taken, given how many came before, at which position, and how many there are. */
type Taken = (count: number, position: number, extent: number) => number;

/** Makes a run in which other elements of a row are taken where they are written under a mask. */
function scattered(taken: Taken) {
  return class extends Run {
    protected placeTaken(count: number, position: number, extent: number): number {
      return taken(count, position, extent);
    }

    protected override compound(statement: Compound, names: Names, manner: Manner): void {
      if (statement.do !== "write_scatter") {
        super.compound(statement, names, manner);
        return;
      }
      const [to, from] = [this.shapeOf(statement.to, names), this.shapeOf(statement.from, names)];
      const inner: Names = new NameScope(names);
      let position = 0;
      for (const plain of plainOf(statement, to, from))
        if (plain.do === "index") {
          const count = this.placeOf(this.valueOf(plain.of, inner));
          const turn = this.placeTaken(count, position++, from[0] ?? 0);
          inner.bind(plain.name, { kind: "counter", turn });
        } else this.statement(plain, inner, manner);
    }
  };
}

/** Makes a run in which updates under a mask have other steps. */
function maskedUpdates(change: Step): typeof Run {
  return class extends Run {
    protected override compound(statement: Compound, names: Names, manner: Manner): void {
      if (statement.do !== "write_where" || statement.op === undefined) {
        super.compound(statement, names, manner);
        return;
      }
      const [to, from] = [this.shapeOf(statement.to, names), this.shapeOf(statement.from, names)];
      const inner: Names = new NameScope(names);
      const all = plainOf(statement, to, from);
      const lets = all.filter((one) => one.do === "let");
      const ones = lets.find(({ op }) => op === "full")?.name ?? "";
      const value = lets.find(({ operands }) => operands[2] === ones)?.operands[1] ?? "";
      for (const plain of all)
        for (const one of plain.do === "let" ? change(plain, statement, ones, value) : [plain])
          this.statement(one, inner, manner);
    }
  };
}
