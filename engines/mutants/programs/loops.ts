import { NameScope, type StatementOf } from "../../../spec/programs/index.ts";
import { type Held, type Leaving, type Manner, type Names, type Returning, Run } from "../../memory/index.ts";
import { type ProgramMutant, programMutantTable } from "./program_mutant.ts";

/** These faults concern loops, and statements that leave a loop or a procedure. */
export const loopMutants: readonly ProgramMutant[] = programMutantTable({
  counter_from_one: {
    fault: "The counter of a loop, as a value, counts from 1.",
    change: {
      run: class extends Run {
        protected override valueOf(name: string, names: Names): Held {
          const found = this.found(name, names);
          return found.kind === "counter"
            ? this.constant({ shape: [], data: Float64Array.of(found.turn + 1) })
            : super.valueOf(name, names);
        }
      },
    },
  },
  loop_one_turn_less: {
    fault: "A loop has one turn less.",
    change: {
      run: class extends Run {
        protected override loop(
          statement: StatementOf<"for">,
          names: Names,
          manner: Manner,
        ): Leaving | undefined {
          return super.loop({ ...statement, times: statement.times - 1 }, names, manner);
        }
      },
    },
  },
  loop_one_turn_more: {
    fault: "A loop has its last turn twice.",
    change: {
      run: class extends Run {
        protected override loop(
          statement: StatementOf<"for">,
          names: Names,
          manner: Manner,
        ): Leaving | undefined {
          const left = super.loop(statement, names, manner);
          if (left !== undefined || statement.times === 0) return left;
          const inner: Names = new NameScope(names);
          inner.bind(statement.counter, { kind: "counter", turn: statement.times - 1 });
          return this.block(statement.body, inner, manner);
        }
      },
    },
  },
  loop_backwards: {
    fault: "A loop counts down.",
    change: {
      run: class extends Run {
        protected override loop(
          { counter, times, body }: StatementOf<"for">,
          ...rest: [Names, Manner]
        ): Leaving | undefined {
          const [names, manner] = rest;
          for (let turn = times - 1; turn >= 0; turn--) {
            const inner: Names = new NameScope(names);
            inner.bind(counter, { kind: "counter", turn });
            const left = this.block(body, inner, manner);
            if (left !== undefined) return this.leftOfLoop(left);
          }
          return undefined;
        }
      },
    },
  },
  first_turn_not_swept: {
    fault: "The first turn of a loop is not on the tape.",
    source: "N27",
    change: { run: withTurns((turn) => turn === 0) },
  },
  last_turn_not_swept: {
    fault: "The last turn of a loop is not on the tape.",
    source: "N33",
    change: { run: withTurns((turn, times) => turn === times - 1) },
  },
  while_once_more: {
    fault: "A loop with a condition has one turn more when it has ceased to hold.",
    change: {
      run: class extends Run {
        protected override turns(
          statement: StatementOf<"while">,
          names: Names,
          manner: Manner,
        ): Leaving | undefined {
          const left = super.turns(statement, names, manner);
          return left ?? this.block(statement.body, new NameScope(names), manner);
        }
      },
    },
  },
  while_decided_once: {
    fault: "The condition of a loop is looked at before its first turn alone, which is the only one.",
    change: {
      run: class extends Run {
        protected override turns(
          statement: StatementOf<"while">,
          names: Names,
          manner: Manner,
        ): Leaving | undefined {
          if (!this.decides(this.valueOf(statement.condition, names))) return undefined;
          const left = this.block(statement.body, new NameScope(names), manner);
          return left && this.leftOfLoop(left);
        }
      },
    },
  },
  fuel_one_less: {
    fault: "A loop's fuel is for one turn less.",
    change: {
      run: class extends Run {
        protected override turns(
          statement: StatementOf<"while">,
          names: Names,
          manner: Manner,
        ): Leaving | undefined {
          return super.turns({ ...statement, fuel: statement.fuel - 1 }, names, manner);
        }
      },
    },
  },
  fuel_one_more: {
    fault: "A loop's fuel is for one turn more.",
    change: {
      run: class extends Run {
        protected override turns(
          statement: StatementOf<"while">,
          names: Names,
          manner: Manner,
        ): Leaving | undefined {
          return super.turns({ ...statement, fuel: statement.fuel + 1 }, names, manner);
        }
      },
    },
  },
  break_ends_branch_alone: {
    fault: "A break ends the branch that it stands in, and the loop goes on.",
    change: {
      run: class extends Run {
        protected override branch(...all: [StatementOf<"if">, Names, Manner]): Leaving | undefined {
          const left = super.branch(...all);
          return left?.kind === "break" ? undefined : left;
        }
      },
    },
  },
  break_ends_procedure: {
    fault: "A break ends its procedure, which returns what it has by then.",
    change: {
      run: class extends Run {
        protected override leftOfLoop(left: Leaving): Leaving {
          return left;
        }
      },
    },
  },
  return_ends_loop_alone: {
    fault: "A return within a loop ends the loop alone.",
    change: {
      run: class extends Run {
        protected override leftOfLoop(): undefined {
          return undefined;
        }
      },
    },
  },
  return_without_past: {
    fault: "What a procedure returns from within a block is constant under differentiation.",
    change: {
      run: class extends Run {
        protected override returned(...all: [StatementOf<"return">, Names]): Returning {
          const { results } = super.returned(...all);
          return { kind: "return", results: results.map((result) => this.detached(result)) };
        }
      },
    },
  },
});

/** Makes a run in which some turns of a loop are constant under differentiation. */
function withTurns(isConstant: (turn: number, times: number) => boolean): typeof Run {
  return class extends Run {
    protected override loop(
      { counter, times, body }: StatementOf<"for">,
      ...rest: [Names, Manner]
    ): Leaving | undefined {
      const [names, manner] = rest;
      for (let turn = 0; turn < times; turn++) {
        const inner: Names = new NameScope(names);
        inner.bind(counter, { kind: "counter", turn });
        const isQuiet = manner.isConstant || isConstant(turn, times);
        const left = this.block(body, inner, { ...manner, isConstant: isQuiet });
        if (left !== undefined) return this.leftOfLoop(left);
      }
      return undefined;
    }
  };
}
