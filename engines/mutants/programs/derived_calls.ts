import type { PlainDerivedCall, StatementOf } from "../../../spec/programs/index.ts";
import { type Manner, type Names, type Progress, Run } from "../../memory/index.ts";
import { type ProgramMutant, programMutantTable } from "./program_mutant.ts";

/** These faults concern calls that are differentiated: `differentiate_call`. */
export const derivedCallMutants: readonly ProgramMutant[] = programMutantTable({
  derived_call_drops_directions: {
    fault: "A call is differentiated along the first direction alone.",
    change: {
      run: class extends Run {
        protected override plainCall(statement: DerivedCall): PlainDerivedCall {
          const { mode, of, wrt, along } = statement;
          const kept = mode === "vjp" ? { of: of.slice(0, 1), wrt } : { of, wrt: wrt.slice(0, 1) };
          return super.plainCall({ ...statement, ...kept, along: along.slice(0, 1) });
        }
      },
    },
  },
  derived_call_forgets_locations: {
    fault: "What a call finds in a location is constant where the call is differentiated.",
    change: {
      run: class extends Run {
        protected override plainCall(statement: DerivedCall): PlainDerivedCall {
          const plain = super.plainCall(statement);
          const body = plain.procedure.body.filter((one) => one.do !== "write");
          return { ...plain, procedure: { ...plain.procedure, body } };
        }
      },
    },
  },
  derived_call_happens_twice: {
    fault: "A call that is differentiated overwrites its locations once more.",
    change: {
      run: class extends Run {
        protected override primalCall(...given: Parameters<Written["primalCall"]>): void {
          super.primalCall(...given);
          super.primalCall(...given);
        }
      },
    },
  },
  derived_call_leaves_nothing: {
    fault: "A call that is differentiated overwrites copies of its locations.",
    change: {
      run: class extends Run {
        protected override primalCall(
          ...[statement, names, manner]: Parameters<Written["primalCall"]>
        ): void {
          const copies = this.snapshot(names);
          super.primalCall(statement, copies, manner);
          for (const name of statement.names) names.bind(name, this.found(name, copies));
        }
      },
    },
  },
  derived_call_draws_on: {
    fault: "The derivative of a call draws, and the call then draws what comes next.",
    change: {
      run: class extends Run {
        protected override progressOfDerivative(): Progress {
          return this.setting.progress;
        }
      },
    },
  },
});

type DerivedCall = StatementOf<"differentiate_call">;

/** The methods of a run that are overridden here. */
type Written = {
  primalCall(statement: StatementOf<"call">, names: Names, manner: Manner): void;
};
