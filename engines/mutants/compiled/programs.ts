import type {
  Custom,
  CustomPart,
  ParameterKind,
  Statement,
  StatementOf,
  Transform,
  View,
} from "../../../spec/programs/index.ts";
import { isWhole, positionsOf, seesTwice } from "../../../spec/programs/index.ts";
import { at, floatAt, isSameShape } from "../../../spec/shapes/index.ts";
import {
  type Bound,
  gathered,
  type Held,
  type Leaving,
  type Manner,
  Memory,
  type Names,
  type Place,
  type Reference,
  Run,
  type Trace,
} from "../../memory/index.ts";
import { type ProgramMutant, programMutantTable } from "../programs/index.ts";
import { sourceOf } from "./source.ts";

/** Tells whether a view sees elements that do not lie side by side, in order. */
function isScattered(view: View): boolean {
  const positions = positionsOf(view);
  return positions.some((position, i) => i > 0 && position !== at(positions, i - 1) + 1);
}

/** Tells whether a view sees a part of a location only. */
function isPart({ place, view }: Reference): boolean {
  return !isWhole(view, place.data.length);
}

/** A run that knows which locations are persistent. */
class Persistent extends Run {
  /** Tells whether a name reaches a persistent location. */
  protected isPersistent(name: string, names: Names): boolean {
    const found = names.find(name);
    if (found?.kind !== "reference") return false;
    return this.setting.program.state.some((location) => {
      const entry = names.find(location.name);
      return entry?.kind === "reference" && entry.place === found.place;
    });
  }
}

/** Makes a run whose procedures write to a copy of what they are given, if it is of this kind. */
function cloning(isCopied: (given: Reference) => boolean): typeof Run {
  return class extends Run {
    protected override argument(kind: ParameterKind, name: string, names: Names): Bound {
      const given = super.argument(kind, name, names);
      return given.kind === "reference" && !seesTwice(given.view) && isCopied(given)
        ? this.located(this.read(given))
        : given;
    }
  };
}

/** Makes a run that writes through some views that see an element twice, which must be refused. */
function writingTwice(isWritten: (place: Place) => boolean): typeof Run {
  return class extends Run {
    protected override write(to: string, value: Held, names: Names, manner: Manner): void {
      const { place, view } = this.referenceTo(to, names);
      if (seesTwice(view) && isWritten(place)) this.setting.memory.write(place, view, value, this.trace);
      else super.write(to, value, names, manner);
    }
  };
}

/** These concern locations that outlive a call, and constants. */
const statesAndConstants: Parameters<typeof programMutantTable>[0] = {
  issue_115679: {
    fault: "A persistent location to which one number is added, as optimisers count steps, stays as it was.",
    change: {
      run: class extends Persistent {
        protected override updated(statement: StatementOf<"update">, names: Names): Held {
          const { data } = this.valueOf(statement.from, names);
          const isCount = statement.op === "add" && data.every((x) => x === data[0]);
          return isCount && this.isPersistent(statement.to, names)
            ? this.valueOf(statement.to, names)
            : super.updated(statement, names);
        }
      },
    },
  },
  issue_128035: {
    fault: "A persistent location that is overwritten has no gradient any more.",
    change: {
      run: class extends Persistent {
        protected override write(to: string, value: Held, names: Names, manner: Manner): void {
          super.write(to, value, names, manner);
          const { place } = this.referenceTo(to, names);
          if (this.isPersistent(to, names)) place.slot = this.trace.detached(place.slot);
        }
      },
    },
  },
  issue_155242: {
    fault: "An update in place of a location that was made of a constant is dropped.",
    change: {
      run: class extends Run {
        readonly #constants = new Set<string>();
        readonly #places = new WeakSet<Place>();

        protected override statement(
          statement: Statement,
          names: Names,
          manner: Manner,
        ): Leaving | undefined {
          const left = super.statement(statement, names, manner);
          if (statement.do === "let" && statement.op === "full") this.#constants.add(statement.name);
          if (statement.do === "buffer" && this.#constants.has(statement.from))
            this.#places.add(this.referenceTo(statement.name, names).place);
          return left;
        }

        protected override updated(statement: StatementOf<"update">, names: Names): Held {
          return this.#places.has(this.referenceTo(statement.to, names).place)
            ? this.valueOf(statement.to, names)
            : super.updated(statement, names);
        }
      },
    },
  },
  issue_108863: {
    fault: "Later calls begin with what persistent locations held at the first.",
    change: {
      run: class extends Run {
        override enter(parameters: readonly Held[], state: readonly Held[]): ReturnType<Run["enter"]> {
          const { program } = this.setting;
          const before = weights.get(program);
          weights.set(program, before ?? state.map(({ data }) => data.slice()));
          return super.enter(
            parameters,
            state.map((held, i) => ({ ...held, data: before?.[i] ?? held.data })),
          );
        }
      },
    },
  },
  issue_93363: {
    fault: "What is written through a part of a persistent location is lost when the call ends.",
    change: {
      run: class extends Persistent {
        protected override write(to: string, value: Held, names: Names, manner: Manner): void {
          const reference = this.referenceTo(to, names);
          if (!(isPart(reference) && this.isPersistent(to, names))) super.write(to, value, names, manner);
        }
      },
    },
  },
};

/** The persistent contents with which each program was called first. */
const weights = new WeakMap<object, readonly Float64Array[]>();

/** These concern random numbers. */
const draws: Parameters<typeof programMutantTable>[0] = {
  issue_151524: {
    fault: "Every other draw is merged with the one before it.",
    change: {
      run: class extends Run {
        protected override nextKey(): readonly [number, number] {
          const { progress } = this.setting;
          const { drawn } = progress;
          progress.drawn = drawn - (drawn % 2);
          const key = super.nextKey();
          progress.drawn = drawn + 1;
          return key;
        }
      },
    },
  },
  issue_143431: {
    fault: "Of each two draws the second comes first.",
    change: {
      run: class extends Run {
        protected override nextKey(): readonly [number, number] {
          const { progress } = this.setting;
          const { drawn } = progress;
          progress.drawn = drawn % 2 === 0 ? drawn + 1 : drawn - 1;
          const key = super.nextKey();
          progress.drawn = drawn + 1;
          return key;
        }
      },
    },
  },
  issue_127749: {
    fault: "A uniform draw below 1/16 is 0, whose logarithm is infinite.",
    change: {
      run: class extends Run {
        protected override drawn(statement: StatementOf<"draw">, names: Names): Held {
          const held = super.drawn(statement, names);
          if (statement.from.kind !== "uniform") return held;
          return { ...held, data: held.data.map((x) => (x < 1 / 16 ? 0 : x)) };
        }
      },
    },
  },
  issue_142853: {
    fault: "A mask of dropout is drawn by its decomposition, which asks the generator once more.",
    change: {
      run: class extends Run {
        protected override drawn(statement: StatementOf<"draw">, names: Names): Held {
          const isMask = statement.from.kind === "bernoulli" && statement.key === undefined;
          if (isMask) this.nextKey();
          return super.drawn(statement, names);
        }
      },
    },
  },
};

/** These concern views and aliases. */
const aliases: Parameters<typeof programMutantTable>[0] = {
  issue_97117: {
    fault: "An operator that moves nothing, like pad by 0, hands back the location that it reads.",
    change: {
      run: class extends Run {
        protected override statement(
          statement: Statement,
          names: Names,
          manner: Manner,
        ): Leaving | undefined {
          if (statement.do !== "let" || !["pad", "permute_dims", "slice"].includes(statement.op))
            return super.statement(statement, names, manner);
          const [operand = ""] = statement.operands;
          const read = names.find(operand);
          const held = this.valueOf(operand, names);
          const moved = this.computed(statement, names);
          const isSame =
            isSameShape(held.shape, moved.shape) && held.data.every((x, i) => x === moved.data[i]);
          if (read?.kind !== "reference" || !isSame) return super.statement(statement, names, manner);
          names.bind(statement.name, read);
          return undefined;
        }
      },
    },
  },
  issue_97083: {
    fault: "Within a branch a location that is seen in another shape is a copy.",
    change: {
      run: class extends Run {
        #isWithin = false;

        protected override branch(
          statement: StatementOf<"if">,
          names: Names,
          manner: Manner,
        ): Leaving | undefined {
          const before = this.#isWithin;
          this.#isWithin = true;
          const left = super.branch(statement, names, manner);
          this.#isWithin = before;
          return left;
        }

        protected override viewed(statement: StatementOf<"view">, names: Names): Reference {
          const reference = super.viewed(statement, names);
          return this.#isWithin && statement.how.kind === "reshape"
            ? this.located(this.read(reference))
            : reference;
        }
      },
    },
  },
  issue_108472: {
    fault: "A procedure sees a location that it is given from the beginning, wherever the view begins.",
    change: {
      run: class extends Run {
        protected override argument(kind: ParameterKind, name: string, names: Names): Bound {
          const given = super.argument(kind, name, names);
          return given.kind === "reference" ? { ...given, view: { ...given.view, offset: 0 } } : given;
        }
      },
    },
  },
  issue_113010: {
    fault: "What is written through a permuted view is laid down in the order of memory.",
    change: {
      memory: class extends Memory {
        protected override positionsWritten(place: Place, view: View): readonly number[] {
          return super.positionsWritten(place, view).toSorted((a, b) => a - b);
        }
      },
    },
  },
  issue_113641: {
    fault: "Of two writes through views that interleave, the second undoes the first.",
    change: {
      memory: class extends Memory {
        readonly #last = new WeakMap<Place, ReadonlyMap<number, number>>();

        override write(place: Place, view: View, value: Held, trace: Trace): void {
          const positions = positionsOf(view);
          const before = new Map(positions.map((position) => [position, floatAt(place.data, position)]));
          super.write(place, view, value, trace);
          if (!isScattered(view)) return;
          for (const [position, element] of this.#last.get(place) ?? [])
            if (!before.has(position)) place.data[position] = element;
          this.#last.set(place, before);
        }
      },
    },
  },
  issue_114302: {
    fault: "A write through a view that sees an element more than once is made, and the last value stays.",
    change: { run: writingTwice(({ clock }) => clock === 0) },
  },
  issue_152425: {
    fault: "The second write through a view that sees an element more than once is made.",
    change: { run: writingTwice(({ clock }) => clock > 0) },
  },
  issue_114464: {
    fault: "A copy that is seen in another shape is no copy: writes through it reach what was copied.",
    change: {
      run: class extends Run {
        readonly #sources = new WeakMap<Place, Reference>();

        protected override statement(
          statement: Statement,
          names: Names,
          manner: Manner,
        ): Leaving | undefined {
          const left = super.statement(statement, names, manner);
          if (statement.do !== "buffer") return left;
          const source = names.find(statement.from);
          if (source?.kind === "reference" && !isPart(source))
            this.#sources.set(this.referenceTo(statement.name, names).place, source);
          return left;
        }

        protected override viewed(statement: StatementOf<"view">, names: Names): Reference {
          const reference = super.viewed(statement, names);
          const source = this.#sources.get(reference.place);
          const isDropped = statement.how.kind === "reshape" && reference.place.clock === 0;
          return isDropped && source !== undefined && !isScattered(source.view)
            ? { ...reference, place: source.place }
            : reference;
        }
      },
    },
  },
  issue_162410: {
    fault: "A location that gets what it holds backwards is read while it is written.",
    change: {
      memory: class extends Memory {
        override write(place: Place, view: View, value: Held, trace: Trace): void {
          const written = positionsOf(view);
          const read = value.seen?.place === place ? value.seen.positions : [];
          const isBackwards = read.length > 1 && read.every((p, i) => p === written[written.length - 1 - i]);
          const data = value.data.slice();
          if (isBackwards) {
            const half = Math.floor(data.length / 2);
            for (let i = half; i < data.length; i++) data[i] = floatAt(data, data.length - 1 - i);
          }
          super.write(place, view, { ...value, data }, trace);
        }
      },
    },
  },
  issue_163929: {
    fault: "A location that was changed and is seen permuted is flattened in the order of memory.",
    change: {
      run: class extends Run {
        protected override viewed(statement: StatementOf<"view">, names: Names): Reference {
          const of = this.referenceTo(statement.of, names);
          const reference = super.viewed(statement, names);
          if (reference.place === of.place || of.place.clock === 0) return reference;
          const places = positionsOf(of.view).toSorted((a, b) => a - b);
          reference.place.data.set(gathered(of.place.data, places));
          return reference;
        }
      },
    },
  },
  issue_136662: {
    fault: "Of two parts that are written the first has no gradient, as if its write were not there.",
    change: {
      memory: class extends Memory {
        readonly #before = new WeakMap<Place, number>();

        override slotWrittenThrough(
          place: Place,
          view: View,
          positions: readonly number[],
          value: Held,
          trace: Trace,
        ): number {
          const { slot } = place;
          const before = isWhole(view, place.data.length) ? undefined : this.#before.get(place);
          const left = super.slotWrittenThrough(
            before === undefined ? place : { ...place, slot: before },
            view,
            positions,
            value,
            trace,
          );
          if (isWhole(view, place.data.length)) this.#before.delete(place);
          else this.#before.set(place, slot);
          return left;
        }
      },
    },
  },
};

/** Makes runs in which a view of a kind is a copy. */
function copying(kind: Transform["kind"]): typeof Run {
  return class extends Run {
    protected override viewed(statement: StatementOf<"view">, names: Names): Reference {
      const reference = super.viewed(statement, names);
      return statement.how.kind === kind ? this.located(this.read(reference)) : reference;
    }
  };
}

/** These concern windows, strides, rows and procedures that write. */
const windows: Parameters<typeof programMutantTable>[0] = {
  issue_98143: {
    fault: "What is written through windows does not reach the location.",
    change: { run: copying("unfold") },
  },
  issue_104505: {
    fault: "Strides over a view are counted from the beginning of its location.",
    change: {
      run: class extends Run {
        protected override viewed(statement: StatementOf<"view">, names: Names): Reference {
          const reference = super.viewed(statement, names);
          if (statement.how.kind !== "strided") return reference;
          const { offset } = this.referenceTo(statement.of, names).view;
          return { ...reference, view: { ...reference.view, offset: reference.view.offset - offset } };
        }
      },
    },
  },
  issue_127474: {
    fault: "What is seen by strides is what was there when the view was made.",
    change: { run: copying("strided") },
  },
  issue_138908: {
    fault: "A part to which it is added itself is doubled twice.",
    change: {
      run: class extends Run {
        protected override updated(statement: StatementOf<"update">, names: Names): Held {
          const held = super.updated(statement, names);
          const [to, from] = [this.found(statement.to, names), this.found(statement.from, names)];
          const isSame =
            statement.op === "add" &&
            to.kind === "reference" &&
            from.kind === "reference" &&
            to.place === from.place &&
            positionsOf(to.view).join() === positionsOf(from.view).join();
          return isSame ? { ...held, data: held.data.map((x) => 2 * x) } : held;
        }
      },
    },
  },
  issue_130487: {
    fault: "A procedure that is given elements apart from each other writes to a copy of them.",
    change: { run: cloning(({ view }) => isScattered(view)) },
  },
  issue_153389: {
    fault: "A procedure that is given a part of a location writes to a copy of it.",
    change: { run: cloning((given) => isPart(given)) },
  },
  issue_118396: {
    fault: "What a function with a backward of its own marks as overwritten has no derivative any more.",
    change: {
      run: class extends Run {
        protected override partsOf(statement: Custom): readonly CustomPart[] {
          return super.partsOf(statement).filter((part) => part.do !== "write");
        }
      },
    },
  },
};

/** Mutants after reported faults of torch.compile that a program says, by the number of the report. */
export const compiledProgramMutants: readonly ProgramMutant[] = programMutantTable({
  ...statesAndConstants,
  ...draws,
  ...aliases,
  ...windows,
}).map((mutant) => ({ ...mutant, source: sourceOf(mutant.name) }));
