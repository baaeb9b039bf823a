import { NameScope, type ParameterKind, type Procedure } from "../../../spec/programs/index.ts";
import { assertNever } from "../../../spec/shapes/index.ts";
import { type Bound, type Held, type Manner, type Names, type Place, Run } from "../../memory/index.ts";
import { type ProgramMutant, programMutantTable } from "./program_mutant.ts";

/** These faults concern calls, and what a procedure gets as its arguments. */
export const callMutants: readonly ProgramMutant[] = programMutantTable({
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
