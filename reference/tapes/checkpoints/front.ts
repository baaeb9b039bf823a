import { assertNever, at, InvariantError, type Issue, type Result } from "../../../spec/shapes/index.ts";
import { rulesOnOperands } from "../reverse.ts";
import { computed, idAt } from "../sweeping.ts";
import type { Entry, Pull, Taking } from "../system.ts";
import type { Action } from "./schedule.ts";
import { type Snapshot, Walk } from "./walk.ts";

/** Tests plant faults by other classes that walk along the nodes than {@link Walk}. */
export type WalkOf = new <S>(taking: Taking<S>) => Walk<S>;

/** It says what a run with snapshots does next: all of it is known at the beginning, or told as it goes. */
export interface Checkpointing {
  /** The `store` and `advance` actions of a run of so many nodes. Fails if the plan does not fit it. */
  plan<S>(taking: Taking<S>): Result<Plan, Issue[]>;
  readonly walkOf?: WalkOf;
}

/** The actions in a recording and its sweep. Each sweep begins anew, so that none disturbs another. */
export interface Plan {
  /** Yields the actions of the run forward, which may end before the last node. */
  forward(): Generator<Action, Iterator<Action>>;
}

/** A run that has gone forward as far as its plan says, and can be swept. Owns its slots. */
export class Front<S> {
  readonly #taking: Taking<S>;
  readonly #walk: Walk<S>;
  readonly #slots = new Map<number, Snapshot<S>>();
  readonly #rest: Iterator<Action>;

  constructor(taking: Taking<S>, plan: Plan, again: "first" | "again", walkOf: WalkOf = Walk) {
    this.#taking = taking;
    this.#walk = new walkOf(taking);
    const forward = plan.forward();
    for (;;) {
      const step = forward.next();
      if (step.done === true) {
        this.#rest = step.value;
        return;
      }
      this.#do(step.value, again);
    }
  }

  /** Returns a line for each snapshot: what it holds is what stands there. */
  get entries(): readonly Entry<S>[] {
    return [...this.#slots.values()].map(({ at: position, live }) => ({
      op: "checkpoint",
      inputs: [...live.keys()],
      output: idAt(this.#taking, position),
      saved: [...live].map(([id, value]) => ({ id, read: () => value })),
      metadata: { shape: this.#taking.subject.shapes[idAt(this.#taking, position)] ?? [] },
    }));
  }

  /** The recording also owes results: it computes the rest of the run and keeps nothing of it. */
  finish(): void {
    const { nodes } = this.#taking.subject.data;
    const last = nodes.length - 1;
    if (this.#walk.at === last)
      computed(this.#taking, last, this.#walk.contextOf(at(nodes, last).reads), "first");
  }

  /** Yields the rest of the plan: the pull of each node, last first. */
  *pulls(): Generator<Pull<S>> {
    const rules = rulesOnOperands(this.#taking.subject);
    for (let next = this.#rest.next(); next.done !== true; next = this.#rest.next()) {
      const action = next.value;
      if (action.kind !== "reverse") {
        this.#do(action, "again");
        continue;
      }
      const { step } = action;
      const rule = at(rules, step);
      const context = this.#walk.contextOf(rule.reads);
      yield {
        id: idAt(this.#taking, step),
        pull: (c) => {
          this.#taking.meter.movedSaved(rule.reads);
          return rule.pull(context, this.#taking.point.environment, c);
        },
      };
      this.#walk.left = step;
      for (const [slot, snapshot] of this.#slots) if (snapshot.at >= step) this.#put(slot, undefined);
    }
    this.#walk.leave();
  }

  #do(action: Action, again: "first" | "again"): void {
    switch (action.kind) {
      case "store":
        this.#put(action.slot, this.#walk.snapshot());
        break;
      case "free":
        this.#put(action.slot, undefined);
        break;
      case "restore": {
        const snapshot = this.#slots.get(action.slot);
        if (snapshot === undefined)
          throw new InvariantError(`slot ${action.slot} of a schedule holds nothing`);
        this.#walk.restore(snapshot);
        break;
      }
      case "advance":
        this.#walk.advance(action.to, again);
        break;
      case "reverse":
        throw new InvariantError("a plan reverses before its run has come to the end");
      default:
        assertNever(action);
    }
  }

  #put(slot: number, snapshot: Snapshot<S> | undefined): void {
    const before = this.#slots.get(slot);
    if (before !== undefined) this.#walk.free(before);
    if (snapshot === undefined) this.#slots.delete(slot);
    else this.#slots.set(slot, snapshot);
  }
}
