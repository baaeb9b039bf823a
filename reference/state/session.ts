import type { Program } from "../../spec/programs/index.ts";
import {
  type Algebra,
  at,
  fail,
  formatShape,
  type Issue,
  isSameShape,
  nearestName,
  ok,
  quote,
  type Result,
} from "../../spec/shapes/index.ts";
import type { Environment } from "../environment.ts";
import type { Tensor } from "../tensor.ts";
import { execute, type Outcome, type Recording, record, type Start } from "./execute.ts";
import type { Generator, World } from "./setting.ts";

/** A persistent location, as a session hands it out: good until the session is reset. */
export interface Handle {
  readonly session: symbol;
  /** The session had been reset so often. */
  readonly resets: number;
  readonly name: string;
}

/**
 * A session [SEMANTICS §10.10]: calls of a program over its persistent locations. A call finds what the last
 * one left, and the generator goes on. What a procedure makes ends with its call. It owns its contents, and
 * changes none in place.
 */
export class Session<S, B> {
  readonly #algebra: Algebra<S, B>;
  readonly #program: Program;
  readonly #environment: Environment<S>;
  readonly #key = Symbol("session");
  #resets = 0;
  #state: readonly Tensor<S>[];
  #generator: Generator;

  /** `state` is in the order of the program's list, with its shapes. */
  constructor(
    algebra: Algebra<S, B>,
    program: Program,
    { state, environment, generator }: Omit<Start<S>, "parameters" | "world">,
  ) {
    this.#algebra = algebra;
    this.#program = program;
    this.#environment = environment;
    this.#state = state;
    this.#generator = generator;
  }

  /** Runs the entry. A call that fails changes nothing [SEMANTICS §10.15]. Fails: as `execute` does. */
  call(parameters: readonly Tensor<S>[], world: World<S> = new Map()): Result<Outcome<Tensor<S>>, Issue[]> {
    const outcome = execute(this.#algebra, this.#program, this.#start(parameters, world));
    if (!outcome.ok) return outcome;
    this.#state = outcome.value.state;
    this.#generator = outcome.value.generator;
    return outcome;
  }

  /** Records the call as a graph; the session stays where it is. Fails: as `record` does. */
  record(parameters: readonly Tensor<S>[], world: World<S> = new Map()): Result<Recording<S>, Issue[]> {
    return record(this.#algebra, this.#program, this.#start(parameters, world));
  }

  /** Finds a persistent location by name. Fails: `session/name`. */
  handle(name: string): Result<Handle, Issue[]> {
    const names = this.#program.state.map((location) => location.name);
    if (names.includes(name)) return ok({ session: this.#key, resets: this.#resets, name });
    const near = nearestName(name, names);
    return fail([
      {
        code: "session/name",
        pointer: "/state",
        message: `there is no persistent location ${quote(name)}.`,
        hint: near === undefined ? `there are ${names.join(", ") || "none"}` : `did you mean ${quote(near)}?`,
      },
    ]);
  }

  /** Reads what a location holds. Fails: `session/foreign`, `session/reset`. */
  read(handle: Handle): Result<Tensor<S>, Issue[]> {
    const place = this.#placeOf(handle);
    return place.ok ? ok(this.#contents(place.value)) : place;
  }

  /** Overwrites a location from outside. Fails: `session/foreign`, `session/reset`, `program/shape`. */
  write(handle: Handle, value: Tensor<S>): Result<void, Issue[]> {
    const place = this.#placeOf(handle);
    if (!place.ok) return place;
    const { shape } = this.#contents(place.value);
    if (!isSameShape(shape, value.shape)) {
      return fail([
        {
          code: "program/shape",
          pointer: `/state/${place.value}/shape`,
          message: `the tensor has shape ${formatShape(value.shape)}, and ${formatShape(shape)} is wanted.`,
          hint: "a location keeps its shape",
        },
      ]);
    }
    this.#state = this.#state.with(place.value, value);
    return ok(undefined);
  }

  /** Begins anew, with other contents: handles of before are refused from now on. */
  reset({ state, generator }: Pick<Start<S>, "state" | "generator">): void {
    this.#resets++;
    this.#state = state;
    this.#generator = generator;
  }

  #start(parameters: readonly Tensor<S>[], world: World<S>): Start<S> {
    const [state, environment, generator] = [this.#state, this.#environment, this.#generator];
    return { parameters, state, environment, generator, world };
  }

  #contents(place: number): Tensor<S> {
    return at(this.#state, place);
  }

  #placeOf({ session, resets, name }: Handle): Result<number, Issue[]> {
    const place = this.#program.state.findIndex((location) => location.name === name);
    if (session !== this.#key || place < 0) {
      return fail([
        {
          code: "session/foreign",
          pointer: "/state",
          message: `the handle of ${quote(name)} is another session's.`,
          hint: "ask this session for one",
        },
      ]);
    }
    if (resets === this.#resets) return ok(place);
    return fail([
      {
        code: "session/reset",
        pointer: "/state",
        message: `the handle of ${quote(name)} is from before the session was reset.`,
        hint: "ask for a new one after a reset",
      },
    ]);
  }
}
