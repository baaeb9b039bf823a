import {
  assertNever,
  at,
  fail,
  type Issue,
  ok,
  present,
  type Result,
  type Shape,
} from "../../spec/shapes/index.ts";
import type { Tensor } from "../tensor.ts";
import { Arena, type ArenaFault } from "./arena.ts";
import type { Lifetime, Lifetimes, Step } from "./lifetimes.ts";
import type { StoragePlan } from "./storage_plan.ts";

/** A fault of the arena, or that something is written before its interval begins. */
type Fault = ArenaFault | { readonly kind: "unborn" };

/** Names what is stored; the names of two values of a run differ. */
function keyOf(value: Lifetime): string {
  return value.kind === "entry" ? `entry ${value.name}` : `${value.kind} ${value.id}`;
}

/**
 * The values of a run in their arena, by name: what is wrong there is an issue that names the step and the
 * value. Fails: `arena/freed`, `arena/foreign`, `arena/outside`, `arena/unborn`.
 */
export class ArenaValues<S> {
  readonly #lifetimes: Lifetimes;
  readonly #arena: Arena<S>;
  readonly #blocks: ReadonlyMap<string, number>;
  /** At each step the lives of these blocks end. */
  readonly #ending: readonly (readonly number[])[];

  constructor(lifetimes: Lifetimes, plan: StoragePlan) {
    this.#lifetimes = lifetimes;
    this.#arena = new Arena(lifetimes.values, plan);
    this.#blocks = new Map(lifetimes.values.map((value, n) => [keyOf(value), n]));
    const ending = lifetimes.steps.map((): number[] => []);
    for (const [n, { last }] of lifetimes.values.entries()) ending[last]?.push(n);
    this.#ending = ending;
  }

  /** Tells whether the value has a place in the arena at all. */
  has(key: string): boolean {
    return this.#blocks.has(key);
  }

  /** Reads a stored value at a step. Throws if it has no place in the arena. */
  read(key: string, shape: Shape, step: number): Result<Tensor<S>, Issue> {
    const data = this.#arena.read(present(this.#blocks.get(key), key));
    return data.ok ? ok({ shape, data: data.value }) : fail(this.#issue(key, step, data.error));
  }

  /** Stores elements at a step; without them, takes the place. Nothing where there is no place for it. */
  put(key: string, step: number, data?: readonly S[]): Result<void, Issue> {
    const block = this.#blocks.get(key);
    if (block === undefined) return ok(undefined);
    const isEarly = step < at(this.#lifetimes.values, block).born;
    const put = isEarly ? fail({ kind: "unborn" } as const) : this.#arena.write(block, data);
    return put.ok ? put : fail(this.#issue(key, step, put.error));
  }

  /** Checks that a value, if it has a place, is still there. */
  check(key: string, step: number): Result<void, Issue> {
    const block = this.#blocks.get(key);
    const checked = block === undefined ? ok(undefined) : this.#arena.check(block);
    return checked.ok ? checked : fail(this.#issue(key, step, checked.error));
  }

  /** Poisons what a step was the last for. */
  end(step: number): void {
    for (const block of at(this.#ending, step)) this.#arena.release(block);
  }

  #issue(key: string, step: number, fault: Fault): Issue {
    return {
      code: `arena/${fault.kind}`,
      pointer: `/steps/${step}`,
      message: `${nameOf(at(this.#lifetimes.steps, step))} finds ${key} ${this.#found(fault)}.`,
      hint: "an interval is too short, or two values that meet share a place",
    };
  }

  #found(fault: Fault): string {
    switch (fault.kind) {
      case "unborn":
        return "before it is born";
      case "freed":
        return "freed";
      case "outside":
        return "outside the arena";
      case "foreign":
        return `overwritten by ${keyOf(at(this.#lifetimes.values, fault.owner))}`;
      default:
        return assertNever(fault);
    }
  }
}

function nameOf(step: Step): string {
  return step.kind === "turn" ? "the turn" : `the ${step.kind} step of ${step.id}`;
}
