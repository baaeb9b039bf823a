import { NameScope, type StatementOf } from "../../spec/programs/index.ts";
import { Calls } from "./calls.ts";
import { ProgramFault } from "./fault.ts";
import type { Leaving, Manner, Progress } from "./setting.ts";
import type { Names, Place } from "./value.ts";

/** A run executes so the statements that have blocks of others; a mutant overrides a method. */
export abstract class Control extends Calls {
  protected branch(
    { condition, body, otherwise }: StatementOf<"if">,
    names: Names,
    manner: Manner,
  ): Leaving | undefined {
    const block = this.decides(this.valueOf(condition, names)) ? body : otherwise;
    return this.block(block, new NameScope(names), manner);
  }

  protected loop(
    { counter, times, body }: StatementOf<"for">,
    names: Names,
    manner: Manner,
  ): Leaving | undefined {
    for (let turn = 0; turn < times; turn++) {
      const inner: Names = new NameScope(names);
      inner.bind(counter, { kind: "counter", turn });
      this.step();
      const left = this.block(body, inner, manner);
      if (left !== undefined) return this.leftOfLoop(left);
    }
    return undefined;
  }

  /** Returns what goes on behind a loop that was left: nothing, unless its procedure is left too. */
  protected leftOfLoop(left: Leaving): Leaving | undefined {
    return left.kind === "break" ? undefined : left;
  }

  protected turns(
    { condition, fuel, body }: StatementOf<"while">,
    names: Names,
    manner: Manner,
  ): Leaving | undefined {
    for (let turn = 0; this.decides(this.valueOf(condition, names)); turn++) {
      if (turn >= fuel) {
        throw new ProgramFault(`the loop has had its ${fuel} turns, and its condition still holds.`);
      }
      this.step();
      const left = this.block(body, new NameScope(names), manner);
      if (left !== undefined) return this.leftOfLoop(left);
    }
    return undefined;
  }

  protected noGrad({ body }: StatementOf<"no_grad">, names: Names, manner: Manner): Leaving | undefined {
    return this.block(body, new NameScope(names), { ...manner, isConstant: true });
  }

  /** Runs the body without keeping it; a sweep runs it again from a snapshot of its start. */
  protected checkpoint(
    { body }: StatementOf<"checkpoint">,
    names: Names,
    manner: Manner,
  ): Leaving | undefined {
    const run = (): Leaving | undefined => this.block(body, new NameScope(names), manner);
    return this.trace.again(run, () => {
      const start = this.snapshot(names);
      const progress = this.progressFrom();
      return (trace) => {
        this.within({ ...this.setting, progress }, trace).block(body, new NameScope(start), manner);
      };
    });
  }

  /** Copies the call's progress for a body that is run again: it draws and receives the same. */
  protected progressFrom(): Progress {
    const { progress } = this.setting;
    return { ...progress, statements: 0, received: new Map(progress.received), sent: [] };
  }

  /** Copies the present meaning of names, with each location. */
  protected snapshot(names: Names): Names {
    const copies = new Map<Place, Place>();
    const snapshot: Names = new NameScope();
    for (const name of names.names()) {
      const bound = this.found(name, names);
      if (bound.kind !== "reference") {
        snapshot.bind(name, bound);
        continue;
      }
      const place = copies.get(bound.place) ?? this.setting.memory.again(bound.place);
      copies.set(bound.place, place);
      snapshot.bind(name, { ...bound, place });
    }
    return snapshot;
  }
}
