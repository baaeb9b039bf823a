import type { Node } from "../../spec/graph/index.ts";
import type { Statement } from "../../spec/programs/index.ts";
import type { Tensor } from "../tensor.ts";
import type { Key } from "./domain.ts";

/** A run may use up this much. */
export interface Limits {
  /** Statements that are executed, turns of loops among them. */
  readonly statements: number;
  /** Elements of all locations together. */
  readonly elements: number;
  /** Calls within calls. */
  readonly calls: number;
  /** Elements of all values of a recording together; each write of an element records its whole location. */
  readonly recorded?: number;
}

/** These limits hold unless the caller sets others. */
export const defaultLimits: Limits = {
  statements: 2 ** 20,
  elements: 2 ** 24,
  calls: 256,
  recorded: 2 ** 26,
};

/** The state's generator of random numbers: a key, and how often it was drawn from. */
export interface Generator {
  readonly key: Key;
  readonly drawn: number;
}

/** The world outside, as a run finds it: by channel the tensors that are received, in order. */
export type World<S> = ReadonlyMap<string, readonly Tensor<S>[]>;

/** A value that was sent, and where. */
export interface Sent<V> {
  readonly channel: string;
  readonly value: V;
}

/** Statements need these of the algebra, beyond its operators. */
export interface Literals<S> {
  /** Returns the element that a number denotes. */
  literal(x: number): S;
  /** Tells whether an element is 0; `undefined` where nobody can tell. */
  isZero(x: S): boolean | undefined;
  /** Returns the whole number from 0 to {@link MOST_INDEX} that an element is; `undefined` if it is none. */
  wholeOf(x: S): number | undefined;
}

/** No axis is longer [SEMANTICS §1.1]. */
export const MOST_INDEX: number = 2 ** 27 - 1;

/** Whether a condition held, or which place an index was. */
export type Decision = boolean | number;

/** These counts say how far a run is. Runs within it continue them. */
export class Progress {
  statements = 0;
  elements = 0;
  drawn: number;
  /** They say whether each condition held, and which place each index was, in their order. */
  readonly decisions: Decision[] = [];
  /** So many tensors were received by each channel. */
  readonly received: Map<string, number> = new Map();
  readonly #start: number;

  constructor(drawn: number) {
    this.drawn = drawn;
    this.#start = drawn;
  }

  /** Runs what draws and receives; who comes behind it draws and receives the same again. */
  twice<T>(run: () => T): T {
    const { drawn, received } = this;
    const before = [...received];
    const result = run();
    this.drawn = drawn;
    received.clear();
    for (const [channel, count] of before) received.set(channel, count);
    return result;
  }

  /** Draws once more: how many draws of the same run came before, wherever the generator began. */
  nextDraw(): number {
    return this.drawn++ - this.#start;
  }
}

/** A run and the runs within it share these. */
export interface Setting<S> {
  readonly literals: Literals<S>;
  readonly limits: Limits;
  readonly world: World<S>;
  readonly key: Key;
  /** An engine's own generator has drawn these, in its place. */
  readonly draws?: readonly Tensor<S>[] | undefined;
  readonly progress: Progress;
  /** A statement applies one node in all turns of a loop, since a machine knows nodes by identity. */
  readonly nodes: Map<Statement, Node>;
}
