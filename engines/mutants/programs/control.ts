import {
  type Block,
  NameScope,
  type ParameterKind,
  type Procedure,
  type StatementOf,
} from "../../../spec/programs/index.ts";
import { assertNever } from "../../../spec/shapes/index.ts";
import {
  type Bound,
  type Held,
  type Leaving,
  type Manner,
  type Names,
  type Place,
  type Returning,
  Run,
} from "../../memory/index.ts";
import { type ProgramMutant, programMutantTable } from "./program_mutant.ts";

/** These faults concern branches, loops, calls and names. */
export const controlMutants: readonly ProgramMutant[] = programMutantTable({
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
  recursion_shares_locals: {
    fault: "A procedure that calls itself finds its own names changed.",
    change: {
      run: class extends Run {
        readonly #scopes: Map<Procedure, Names> = new Map();
        override procedure(
          procedure: Procedure,
          operands: readonly Bound[],
          outer: Names | undefined,
          manner: Manner,
        ): Held[] {
          const shared = this.#scopes.get(procedure) ?? new NameScope(outer);
          this.#scopes.set(procedure, shared);
          return super.procedure(procedure, operands, shared, manner);
        }
        protected override scopeWithin(outer: Names | undefined): Names {
          return outer ?? super.scopeWithin(outer);
        }
      },
    },
  },
  reference_parameter_copied: {
    fault: "A procedure gets a copy where it should share a location.",
    change: {
      run: class extends Run {
        protected override argument(kind: ParameterKind, name: string, names: Names): Bound {
          const given = super.argument(kind, name, names);
          return given.kind === "reference" ? this.located(this.read(given)) : given;
        }
      },
    },
  },
  reference_parameters_unshared: {
    fault: "A procedure that gets one location twice gets a copy the second time.",
    change: {
      run: class extends Run {
        override procedure(...[called, operands, outer, manner]: Parameters<Run["procedure"]>): Held[] {
          const seen = new Set<Place>();
          const apart = operands.map((operand) => {
            if (operand.kind !== "reference") return operand;
            const isAgain = seen.has(operand.place);
            seen.add(operand.place);
            return isAgain ? this.located(this.read(operand)) : operand;
          });
          return super.procedure(called, apart, outer, manner);
        }
      },
    },
  },
  donated_stays_readable: {
    fault: "Who has given a location away reads and writes it still.",
    change: {
      run: class extends Run {
        protected override donated(place: Place): Place {
          return place;
        }
      },
    },
  },
  donation_forgets_saved: {
    fault: "A location that was given away does not know any more what was saved of it, and when.",
    change: {
      run: class extends Run {
        protected override donated(place: Place): Place {
          return { ...super.donated(place), saved: new Set(), writtenAt: [...place.writtenAt] };
        }
      },
    },
  },
  reference_parameter_whole: {
    fault: "A procedure that gets a view sees the location from its start.",
    change: {
      run: class extends Run {
        protected override argument(kind: ParameterKind, name: string, names: Names): Bound {
          const given = super.argument(kind, name, names);
          return given.kind === "reference" ? { ...given, view: { ...given.view, offset: 0 } } : given;
        }
      },
    },
  },
  argument_without_past: {
    fault: "What a procedure gets by value is constant under differentiation.",
    change: {
      run: class extends Run {
        protected override argument(kind: ParameterKind, name: string, names: Names): Bound {
          const given = super.argument(kind, name, names);
          switch (given.kind) {
            case "value":
              return { kind: "value", value: this.detached(given.value) };
            case "reference":
            case "counter":
              return given;
            default:
              return assertNever(given);
          }
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
