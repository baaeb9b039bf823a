import type { Block, StatementOf } from "../../../spec/programs/index.ts";
import { type Held, type Leaving, type Manner, type Names, Run } from "../../memory/index.ts";
import { type ProgramMutant, programMutantTable } from "./program_mutant.ts";

/** These faults concern conditions, branches, and names that are bound anew. */
export const branchMutants: readonly ProgramMutant[] = programMutantTable({
  condition_must_be_positive: {
    fault: "A condition holds above 0 alone.",
    change: {
      run: class extends Run {
        protected override decides({ data }: Held): boolean {
          return (data[0] ?? 0) > 0;
        }
      },
    },
  },
  condition_is_truncated: {
    fault: "A condition holds from 1 on, and to −1: it is converted to an integer.",
    change: {
      run: class extends Run {
        protected override decides({ data }: Held): boolean {
          return Math.trunc(data[0] ?? 0) !== 0;
        }
      },
    },
  },
  otherwise_ignored: {
    fault: "Where a condition does not hold nothing is done.",
    change: {
      run: class extends Run {
        protected override branch(
          statement: StatementOf<"if">,
          names: Names,
          manner: Manner,
        ): Leaving | undefined {
          return super.branch({ ...statement, otherwise: [] }, names, manner);
        }
      },
    },
  },
  branch_decided_again: {
    fault: "The sweep looks at the condition of a branch again, which may be another one by then.",
    change: {
      run: class extends Run {
        protected override branch(
          statement: StatementOf<"if">,
          names: Names,
          manner: Manner,
        ): Leaving | undefined {
          const decided = (): Block =>
            this.decides(this.valueOf(statement.condition, names)) ? statement.body : statement.otherwise;
          const block = decided();
          const run = (): Leaving | undefined => this.block(block, this.scopeWithin(names), manner);
          return this.trace.again(run, () => {
            const start = this.snapshot(names);
            const progress = this.progressFrom();
            return (trace) => {
              this.within({ ...this.setting, progress }, trace).block(decided(), start, manner);
            };
          });
        }
      },
    },
  },
  rebound_in_block_alone: {
    fault: "A name that is bound anew in a block stands for the old value behind it.",
    change: {
      run: class extends Run {
        protected override rebind({ name, to }: StatementOf<"rebind">, names: Names): void {
          names.bind(name, this.found(to, names));
        }
      },
    },
  },
  rebinding_without_past: {
    fault: "A name that is bound anew stands for a value without a past.",
    source: "E07",
    change: {
      run: class extends Run {
        protected override rebind(statement: StatementOf<"rebind">, names: Names): void {
          names.rebind(statement.name, this.detachedBound(statement.to, names));
        }
      },
    },
  },
});
