import type { StatementOf, View } from "../../../spec/programs/index.ts";
import { nodeId } from "../../../spec/shapes/index.ts";
import { type Held, type Manner, type Names, type Place, type Reference, Run } from "../../memory/index.ts";
import { type ProgramMutant, programMutantTable } from "./program_mutant.ts";

/** What another name of a persistent location sees, and the views of it. */
const others: WeakSet<Reference> = new WeakSet();

/** Tells what is seen through another name of a persistent location. */
class Named extends Run {
  protected override aliased(alias: StatementOf<"view">, names: Names): Reference {
    const seen = super.aliased(alias, names);
    others.add(seen);
    return seen;
  }

  protected override seenAs(reference: Reference, view: View): Reference {
    const seen = super.seenAs(reference, view);
    if (others.has(reference)) others.add(seen);
    return seen;
  }

  /** Tells whether a name sees a persistent location through another name of it. */
  protected isOther(name: string, names: Names): boolean {
    const found = this.found(name, names);
    return found.kind === "reference" && others.has(found);
  }
}

/** These faults concern other names of persistent locations, such as tied weights. */
export const aliasMutants: readonly ProgramMutant[] = programMutantTable({
  alias_is_a_copy: {
    fault: "Another name of a persistent location has a copy.",
    change: {
      run: class extends Run {
        protected override aliased(alias: StatementOf<"view">, names: Names): Reference {
          return this.located(this.read(super.aliased(alias, names)));
        }
      },
    },
  },
  alias_parts_when_written: {
    fault: "Another name of a persistent location has contents of its own once it is written.",
    change: {
      run: class extends Named {
        protected override write(to: string, value: Held, names: Names, manner: Manner): void {
          if (this.isOther(to, names)) names.rebind(to, this.located(this.valueOf(to, names)));
          super.write(to, value, names, manner);
        }
      },
    },
  },
  alias_write_not_kept: {
    fault: "What is written through another name of a persistent location is gone when the call ends.",
    change: {
      run: class extends Named {
        readonly #before: Map<Place, Reference> = new Map();
        readonly #kept: Map<Place, Held> = new Map();

        protected override aliased(alias: StatementOf<"view">, names: Names): Reference {
          const root = this.referenceTo(alias.of, names);
          if (!others.has(root)) this.#before.set(root.place, root);
          return super.aliased(alias, names);
        }

        protected override write(to: string, value: Held, names: Names, manner: Manner): void {
          const { place } = this.referenceTo(to, names);
          const whole = this.#before.get(place);
          if (whole !== undefined && this.isOther(to, names) && !this.#kept.has(place))
            this.#kept.set(place, this.read(whole));
          super.write(to, value, names, manner);
        }

        override enter(...given: Parameters<Run["enter"]>): ReturnType<Run["enter"]> {
          const left = super.enter(...given);
          for (const [place, value] of this.#kept) {
            const whole = this.#before.get(place);
            if (whole !== undefined) this.setting.memory.write(place, whole.view, value, this.trace);
          }
          return left;
        }
      },
    },
  },
  alias_gradient_lost: {
    fault: "What is read through another name of a persistent location is constant.",
    change: {
      run: class extends Named {
        protected override read(reference: Reference): Held {
          const value = super.read(reference);
          return others.has(reference) ? this.detached(value) : value;
        }
      },
    },
  },
  alias_gradient_twice: {
    fault: "The derivative of what is read through another name of a persistent location counts twice.",
    change: {
      run: class extends Named {
        protected override read(reference: Reference): Held {
          const value = super.read(reference);
          if (!others.has(reference)) return value;
          const { operations, declared, surroundings } = this.setting;
          const sum = { op: "add", attributes: {}, parents: [nodeId(0), nodeId(1)] } as const;
          const twice = operations.ofNode(sum, [value.shape, value.shape], declared);
          return { ...this.operated(twice, [value, value], surroundings), data: value.data };
        }
      },
    },
  },
});
