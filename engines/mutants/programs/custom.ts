import type { Custom, CustomPart } from "../../../spec/programs/index.ts";
import { type Manner, type Names, Run, valued } from "../../memory/index.ts";
import { type ProgramMutant, programMutantTable } from "./program_mutant.ts";

/** These faults concern functions with a derivative of their own, what they save and mark, and hooks. */
export const customMutants: readonly ProgramMutant[] = programMutantTable({
  said_derivative_ignored: {
    fault: "A call has the derivative of its own procedure, not the one that is said.",
    change: {
      run: class extends Run {
        protected override custom(statement: Custom, names: Names, manner: Manner): void {
          if (statement.do === "hook") super.custom(statement, names, manner);
          else this.call({ ...statement, do: "call" }, names, manner);
        }
      },
    },
  },
  said_derivative_beside_own: {
    fault: "What a function with a derivative of its own computes is differentiated besides.",
    change: {
      run: class extends Run {
        protected override partsOf(statement: Custom): readonly CustomPart[] {
          const parts = super.partsOf(statement);
          const given = new Map(
            parts.flatMap((part) => (part.do === "detach" ? [[part.name, part.of]] : [])),
          );
          return parts.map((part) =>
            part.do === "call"
              ? { ...part, operands: part.operands.map((name) => given.get(name) ?? name) }
              : part,
          );
        }
      },
    },
  },
  said_derivative_has_value: {
    fault: "A call has the value of the procedure that says its derivative.",
    change: {
      run: class extends Run {
        protected override partsOf(statement: Custom): readonly CustomPart[] {
          return joinedOtherwise(super.partsOf(statement), ({ path }) => ({ value: path, path }));
        }
      },
    },
  },
  said_derivative_of_first: {
    fault: "Only the first result of a function has the derivative that is said.",
    change: {
      run: class extends Run {
        protected override partsOf(statement: Custom): readonly CustomPart[] {
          return joinedOtherwise(super.partsOf(statement), ({ value, path }, i) =>
            i === 0 ? { value, path } : { value, path: value },
          );
        }
      },
    },
  },
  saved_after_marking: {
    fault: "What a function overwrites is saved behind that, not before it.",
    change: {
      run: class extends Run {
        protected override partsOf(statement: Custom): readonly CustomPart[] {
          const parts = super.partsOf(statement);
          const saved = parts.filter((part) => part.do === "buffer");
          return parts.flatMap((part): readonly CustomPart[] => {
            if (part.do === "buffer") return [];
            const isCalled = part.do === "call" && part === parts.find(({ do: kind }) => kind === "call");
            return isCalled ? [part, ...saved] : [part];
          });
        }
      },
    },
  },
  mark_forgotten: {
    fault: "What a function overwrites keeps the derivative that it had.",
    change: {
      run: class extends Run {
        protected override partsOf(statement: Custom): readonly CustomPart[] {
          const parts = super.partsOf(statement);
          const written = new Map(
            parts.flatMap((part) => (part.do === "write" ? [[part.from, part.to]] : [])),
          );
          return joinedOtherwise(parts, ({ value, path }, _, name) => {
            const to = written.get(name);
            const before = parts.find((part) => part.do === "buffer" && part.from === to);
            return { value, path: before?.do === "buffer" ? before.name : path };
          });
        }
      },
    },
  },
  marked_constant: {
    fault: "What a function overwrites is constant.",
    change: {
      run: class extends Run {
        protected override partsOf(statement: Custom): readonly CustomPart[] {
          return super.partsOf(statement).filter((part) => part.do !== "write");
        }
      },
    },
  },
  hook_ignored: {
    fault: "A hook changes no cotangent.",
    change: {
      run: class extends Run {
        protected override custom(statement: Custom, names: Names, manner: Manner): void {
          if (statement.do === "custom") super.custom(statement, names, manner);
          else names.bind(statement.name, valued(this.valueOf(statement.of, names)));
        }
      },
    },
  },
  hook_called_twice: {
    fault: "A hook changes a cotangent twice.",
    change: {
      run: class extends Run {
        protected override partsOf(statement: Custom): readonly CustomPart[] {
          const parts = super.partsOf(statement);
          if (statement.do === "custom") return parts;
          return parts.flatMap((part): readonly CustomPart[] => {
            if (part.do !== "call") return [part];
            const between = `${part.names.join()}.between`;
            return [
              { ...part, names: [between] },
              { ...part, operands: [between] },
            ];
          });
        }
      },
    },
  },
  hook_not_in_forward_mode: {
    fault: "Forward mode does not know of hooks.",
    change: {
      run: class extends Run {
        protected override custom(statement: Custom, names: Names, manner: Manner): void {
          super.custom(statement, names, manner);
          if (statement.do === "custom") return;
          const { tangent } = this.valueOf(statement.of, names);
          names.rebind(statement.name, valued({ ...this.valueOf(statement.name, names), tangent }));
        }
      },
    },
  },
});

/** A value, and the path that its derivative is of. */
interface Joined {
  readonly value: string;
  readonly path: string;
}

/** Returns the parts with others for what is joined: first the named results, then what is marked. */
function joinedOtherwise(
  parts: readonly CustomPart[],
  change: (joined: Joined, place: number, name: string) => Joined,
): readonly CustomPart[] {
  let place = 0;
  return parts.flatMap((fixed, i): readonly CustomPart[] => {
    const [zero, whole] = [parts[i + 1], parts[i + 2]];
    if (fixed.do !== "let") return [fixed];
    if (fixed.op !== "stop_gradient") return [];
    const [path = "", value = ""] = [...fixed.operands, ...(whole?.do === "let" ? whole.operands : [])];
    if (zero?.do !== "let" || whole?.do !== "let") return [];
    const other = change({ value, path }, place++, whole.name);
    return [
      { ...fixed, operands: [other.path] },
      { ...zero, operands: [fixed.name, other.path] },
      { ...whole, operands: [other.value, zero.name] },
    ];
  });
}
